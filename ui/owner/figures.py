"""The chart of *Decide*: the three cards' ε beside what others published with."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import Any

from dpca_core.figures.axes import Axis
from dpca_core.figures.layout import Spec, shared_layout
from dpca_core.figures.line_names import text_width
from ui.owner.decide_answers import Card
from ui.owner.decide_text import ADVICE, ADVICE_IN_SHORT, WHY_NOTE, WHY_TITLE
from ui.owner.text_cards import card_name
from ui.text.published import ADVISED, PUBLISHED, Published

SIZES = (
    dict.fromkeys((300, 365, 430, 495), 12.0)
    | dict.fromkeys((560, 620, 680, 740), 12.5)
    | dict.fromkeys((800, 860, 930, 1000), 13.0)
    | dict.fromkeys((1120, 1300), 15.0)
)
"""Size of the type by width of the plot, both in pixels."""

_LOW, _HIGH = 0.01, 100.0
_LINE = 1.5
"""Distance of lines, relative to the size of the type."""
_ABOVE = 2.1
"""Lines above the axis: the cards' names, and what is advised."""
_BELOW = 1.3
"""Lines below the axis that its ticks take."""
_SIDE = 26.0
_BESIDE = 9.0
"""Pixels from a dot to its words."""
_FROM_RULE = 6.0
"""Pixels from a rule, or the end of what is advised, to words."""


def published_chart(epsilons: Mapping[Card, float], chosen: Card | None) -> dict[str, Any]:
    """Return the chart: rules at the cards' ε, the range that is advised, and a dot a deployment.

    Parameters
    ----------
    epsilons
        Of the cards whose ε is a number.
    """
    key = "published"
    figure = _figure(epsilons, chosen)
    return {"key": key, "title": WHY_TITLE, "sub": WHY_NOTE, "figure": figure, "wide": True}


def _figure(epsilons: Mapping[Card, float], chosen: Card | None) -> Spec:
    low = min([_LOW, *(10.0 ** floor(log10(e)) for e in epsilons.values())])
    high = max([_HIGH, *(10.0 ** ceil(log10(e)) for e in epsilons.values())])
    ticks = tuple(10.0**e for e in range(round(log10(low)), round(log10(high)) + 1))
    axis = Axis(low, high, log=True, ticks=ticks, tick_texts=tuple(f"{t:,.8g}" for t in ticks))
    lines = len(PUBLISHED) + _BELOW
    rules = [part for card, e in epsilons.items() for part in _rules(e, card is chosen)]
    layout = shared_layout() | {
        "xaxis": axis.layout() | _X_AXIS | {"position": lines / (lines + _ABOVE)},
        "yaxis": {"range": [-lines, _ABOVE], "visible": False, "fixedrange": True},
        "shapes": [_advised(), *rules],
        **_frame(SIZES[560]),
    }
    return {
        "data": [_dots()],
        "layout": layout,
        "sizes": {
            str(width): {
                "type": size,
                "annotations": _words(axis, epsilons, width, size),
                "layout": _frame(size),
            }
            for width, size in SIZES.items()
        },
    }


_X_AXIS = {
    "anchor": "free",
    "showgrid": False,
    "showline": True,
    "linecolor": "ink",
    "ticks": "outside",
    "ticklen": 4,
    "tickcolor": "ink",
    "fixedrange": True,
}


def _frame(size: float) -> dict[str, Any]:
    height = (len(PUBLISHED) + _BELOW + _ABOVE) * _LINE * size
    margin = {"l": _SIDE, "r": _SIDE, "t": 2, "b": 2}
    return {"margin": margin, "height": round(height + 4)}


def _line_of(number: int) -> float:
    """Middle of a deployment's line, in lines above the axis."""
    return -(_BELOW + number + 0.5)


def _dots() -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [one.epsilon for one in PUBLISHED],
        "y": [_line_of(i) for i in range(len(PUBLISHED))],
        "text": [f"{one.name}, {one.unit}: ε = {one.epsilon_text}" for one in PUBLISHED],
        "marker": {"color": "ink", "size": 9},
        "hovertemplate": "%{text}<extra></extra>",
    }


def _advised() -> dict[str, Any]:
    low, high = ADVISED
    return {
        "type": "rect",
        "layer": "below",
        "x0": low,
        "x1": high,
        "y0": 0,
        "y1": 0.9,
        "fillcolor": "rule/.45",
        "line": {"width": 0},
    }


def _rules(epsilon: float, chosen: bool) -> list[dict[str, Any]]:
    """Return a vertical rule in two parts: it leaves out the ticks below the axis."""
    line = {"color": "accent", "width": 1.8, "dash": "solid" if chosen else "3px,3px"}
    ends = ((_ABOVE, 0.0), (-_BELOW, -_BELOW - len(PUBLISHED)))
    common = {"type": "line", "layer": "below", "x0": epsilon, "x1": epsilon, "line": line}
    return [common | {"y0": top, "y1": bottom} for top, bottom in ends]


def _words(
    axis: Axis, epsilons: Mapping[Card, float], width: int, size: float
) -> list[dict[str, Any]]:
    names = [_card_names(names, epsilon) for names, epsilon in _apart(axis, epsilons, width, size)]
    found = [*names, _advice(axis, [*epsilons.values()], width, size)]
    return found + [_published(one, i, axis, width, size) for i, one in enumerate(PUBLISHED)]


def _advice(axis: Axis, epsilons: Sequence[float], width: int, size: float) -> dict[str, Any]:
    """Words on what is advised, beside the rules that cross it: short ones where little is free."""
    low, high = ADVISED
    ends = [low, *sorted({e for e in epsilons if low < e < high}), high]
    free = {b: float(axis.share(e) - axis.share(b)) * width for b, e in pairwise(ends)}
    places = [
        (words, begin)
        for words in (ADVICE, *ADVICE_IN_SHORT)
        for begin, room in free.items()
        if _FROM_RULE + text_width(words, size) <= room
    ]
    words, begin = places[0] if places else (ADVICE_IN_SHORT[-1], max(free, key=lambda b: free[b]))
    place = {"x": log10(begin), "y": 0.45, "xanchor": "left", "xshift": _FROM_RULE}
    return {"text": words} | place | _word("grey/text")


def _word(color: str) -> dict[str, Any]:
    return {"showarrow": False, "yanchor": "middle", "font": {"color": color}}


def _apart(
    axis: Axis, epsilons: Mapping[Card, float], width: int, size: float
) -> list[tuple[list[str], float]]:
    """Cards whose names would overlap share one: names with the place where they begin."""
    found: list[tuple[list[str], float]] = []
    taken = -1.0
    for card, epsilon in sorted(epsilons.items(), key=lambda item: item[1]):
        at = float(axis.share(epsilon)) * width
        name = card_name(card, epsilon).lower()
        if found and at < taken:
            found[-1][0].append(name)
        else:
            found.append(([name], epsilon))
        taken = at + text_width(_joined(found[-1][0]), size, bold=True) + 2 * _BESIDE
    return found


def _joined(names: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _card_names(names: Sequence[str], epsilon: float) -> dict[str, Any]:
    words = {"text": f"<b>{_joined(names)}</b>", "x": log10(epsilon), "y": 1.5, "xshift": 5}
    # Where several share a place, the rules of those further right go behind the words.
    return words | {"xanchor": "left", "bgcolor": "page"} | _word("accent/text")


def _published(one: Published, number: int, axis: Axis, width: int, size: float) -> dict[str, Any]:
    """Words at the right of a dot, or at its left where the plot ends."""
    words = text_width(f"{one.name} {one.epsilon_text}", size, bold=True)
    words += text_width(one.unit, size)
    at = float(axis.share(one.epsilon)) * width
    right = at + _BESIDE + words <= width + _SIDE
    return {
        "text": f"<b>{one.name} {one.epsilon_text}</b> {one.unit}",
        "x": log10(one.epsilon),
        "y": _line_of(number),
        "xanchor": "left" if right else "right",
        "xshift": _BESIDE if right else -_BESIDE,
        "bgcolor": "page",
        "borderpad": 2,
    } | _word("ink")
