"""What the Compare page draws: both panels of curves as one figure, and the component's content."""

from html import escape
from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.colours import CHANCE, family_role
from dpca_core.figures.curve_panels import curve_panels
from dpca_core.figures.layout import Spec
from dpca_core.figures.line_styles import dash, width
from dpca_core.figures.panels import Band, Curve, Panel, Reference
from dpca_core.linalg.arrays import Array
from dpca_core.metrics import LEAVES_ALL
from dpca_core.privacy.budget import Standing
from ui.compare.chart_words import COMPARE_WORDS, HOVER_TEXTS
from ui.compare.measurements import BAND_TRIALS, Comparison, MeasuredLine
from ui.compare.ranking import ranking
from ui.compare.text import CEILING, RANDOM, SUBTITLES, TITLES, CompareText
from ui.figures.markup import sentences
from ui.page.markup import sentence
from ui.text.chart_words import MEDIAN, band_column

MOST_TICKS = 8
CAPTURED_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
HEIGHTS = {"captured": 300.0, "sin": 170.0}
"""Of the panels, in pixels."""


def page_content(
    comparison: Comparison,
    target: float,
    *,
    identity: str,
    axis_value: float,
    lit: str | None = None,
) -> dict[str, Any]:
    """Return what the page's component draws.

    Parameters
    ----------
    identity
        Digest of query and target; the same for every refinement of one picture.
    axis_value
        Where on the axis the charts are read.
    lit
        Key of the mechanism whose bands are drawn.
    """
    text = CompareText(comparison, target)
    distance = np.abs(np.log(np.array(comparison.values) / axis_value))
    return {
        "id": identity,
        "stage": comparison.stage,
        "complete": comparison.complete,
        "share": comparison.progress,
        "axis": {
            "name": comparison.query.axis,
            "label": f"{COMPARE_WORDS['reading_line']}: {text.axis_title}",
            "values": list(comparison.values),
            "texts": text.value_labels,
            "index": int(np.argmin(distance)),
        },
        "lit": lit,
        "figure": comparison_figure(text, lit, revision=identity),
        "ranking": ranking(text),
        "answers": [text.answer(i) for i in range(len(comparison.values))],
        "titles": TITLES,
        "subs": {name: sub.format(target=text.target_text) for name, sub in SUBTITLES.items()},
        "skip": COMPARE_WORDS["skip"],
        "progress": text.progress,
        "footer": text.footer,
        "settings": text.settings,
    }


def sent_content(content: dict[str, Any]) -> dict[str, Any]:
    """Return the page's content as it goes to the browser: sentences are markup."""
    progress = {name: content["progress"] for name in ("progress", "moving")}
    return content | {
        "answers": [sentence(answer) for answer in content["answers"]],
        "says": sentences(content["subs"] | progress | {"footer": content["footer"]}),
    }


def first_lit(comparison: Comparison) -> str | None:
    """Return the key of the first mechanism in the menu that is ranked somewhere."""
    return next((line.mechanism.key for line in comparison.lines if line.ranked.any()), None)


def comparison_figure(text: CompareText, lit: str | None = None, revision: str = "") -> Spec:
    """Return variation kept above ‖sin Θ‖_F along the axis, as one figure.

    Parameters
    ----------
    lit
        Key of the mechanism that is drawn on top, with the bands of its releases.
    revision
        While it stays the same a new figure keeps the zoom of the one before.
    """
    comparison = text.comparison
    lines = [line for line in comparison.lines if line.done.any()]
    captured = [line.quantiles(line.captured) for line in lines]
    sines = [line.quantiles(line.sin_theta) for line in lines]
    chance = [
        np.array([getattr(c, name) for c in text.chances]) for name in ("captured", "sin_theta")
    ]
    hover = HOVER_TEXTS[comparison.query.axis]
    panels = [
        Panel(
            "captured",
            _captured_axis(text, captured, chance[0]),
            HEIGHTS["captured"],
            [*_curves(text, lines, captured, lit), _chance_curve(chance[0]), *_ceiling_curve(text)],
            _bands(lines, captured, lit),
            [Reference(1.0), Reference(text.target, "ink", 1.0, "2px,3px")],
            hover=f"{hover}: %{{y:.1%}}",
        ),
        Panel(
            "sin",
            Axis(-0.03 * chance[1].max(), 1.15 * chance[1].max()),
            HEIGHTS["sin"],
            [*_curves(text, lines, sines, lit), _chance_curve(chance[1])],
            _bands(lines, sines, lit),
            [Reference(0.0)],
            hover=f"{hover}: %{{y:.3f}}",
        ),
    ]
    return curve_panels(_x_axis(text), np.array(comparison.values), panels, revision)


def _x_axis(text: CompareText) -> Axis:
    comparison = text.comparison
    values, name = comparison.values, comparison.query.axis
    ticks = _ticks(comparison)
    return Axis(
        values[0],
        values[-1] if values[-1] > values[0] else values[0] + 1,
        log=name != "k",
        title=escape(text.axis_title, quote=False),
        ticks=tuple(ticks),
        tick_texts=tuple(text.value_text(v) for v in ticks),
        hover_format={"n": ",", "k": "d"}.get(name, ".3~g"),
    )


def _ticks(comparison: Comparison) -> list[float]:
    """Return the values that are labelled: powers of ten, or some of the directions."""
    values = comparison.values
    if comparison.query.axis == "k":
        return list(values[:: max(1, len(values) // 10)])
    tens = [v for v in values if abs(np.log10(v) - round(np.log10(v))) < 1e-9]
    return tens[:: 1 if len(tens) <= MOST_TICKS else 2]


def _captured_axis(text: CompareText, curves: list[dict[str, Array]], chance: Array) -> Axis:
    """Return the axis of variation kept; the target has a tick, in bold."""
    seen = [v for found in curves for v in found["median"][np.isfinite(found["median"])]]
    floor = max(0.0, min([*chance, *seen, 0.85]) - 0.03)
    near = 0.05 * (1.02 - floor)
    ticks = [t for t in CAPTURED_TICKS if t >= floor and abs(t - text.target) >= near]
    ticks = sorted([*ticks, text.target])
    texts = [f"{t * 100:.0f}" + ("\u00a0%" if t == ticks[-1] else "") for t in ticks]
    texts = [f"<b>{s}</b>" if t == text.target else s for s, t in zip(texts, ticks, strict=True)]
    return Axis(floor, 1.02, ticks=tuple(ticks), tick_texts=tuple(texts))


def _curves(
    text: CompareText, lines: list[MeasuredLine], curves: list[dict[str, Array]], lit: str | None
) -> list[Curve]:
    return [
        Curve(
            line.mechanism.key,
            line.mechanism.name,
            found["median"],
            family_role(line.mechanism.family),
            dash(line.mechanism),
            width(line.mechanism, line.mechanism.key == lit),
            chosen=line.mechanism.key == lit,
            bridged=not text.comparison.complete,
            struck=_standing(line) is Standing.REFUTED,
            statistic=MEDIAN,
        )
        for line, found in zip(lines, curves, strict=True)
    ]


def _standing(line: MeasuredLine) -> Standing:
    return next((g.standing for g in line.guarantees if g is not None), Standing.PROVED)


def _chance_curve(values: Array) -> Curve:
    return Curve("", RANDOM, values, CHANCE, "6px,5px", 1.2)


def _ceiling_curve(text: CompareText) -> list[Curve]:
    """What length 1 leaves before any noise; no curve where it leaves all."""
    values = np.array(text.ceilings)
    if (values >= LEAVES_ALL).all():
        return []
    return [Curve("", CEILING, values, "ink", "6px,3px", 1.2)]


def _bands(
    lines: list[MeasuredLine], curves: list[dict[str, Array]], lit: str | None
) -> list[Band]:
    """Return the bands of one line's releases, the widest first, once there are enough."""
    return [
        Band(
            found[f"lo{share}"],
            found[f"hi{share}"],
            f"{family_role(line.mechanism.family)}/band{share}",
            band_column(line.mechanism.name, share),
        )
        for line, found in zip(lines, curves, strict=True)
        if line.mechanism.key == lit and line.trials >= BAND_TRIALS
        for share in (95, 80, 50)
    ]
