"""Explore's view of one mechanism: what it keeps, how far it is turned, its noise, along ε."""

from collections.abc import Callable, Sequence
from html import escape

import numpy as np

from dpca_core.analysis.needed import PeopleNeeded
from dpca_core.figures.chart import Axis, Band, Curve, Dot, Line, Spec, chart, count_format
from dpca_core.figures.colours import dash, family_role, width
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS, NON_PRIVATE
from dpca_core.metrics import LEAVES_ALL
from dpca_core.privacy.budget import Standing
from dpca_core.simulation.curves import BANDS, FIRST
from dpca_core.text.privacy_numbers import epsilon_text
from ui.explore.medians import DOTS, Medians, Summary, summarize
from ui.explore.query import Pinned
from ui.explore.study import Study
from ui.explore.text import SO_FAR, ExploreText
from ui.page.content import Chart, Content, Marks, Row, Rule, Text
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.certainty import needed_label
from ui.text.numbers import percent, significant
from ui.text.words import MEDIAN, band_column, progress_text

EPSILONS = np.array(EPSILON_STOPS)
AXIS = Axis(EPSILONS[0], EPSILONS[-1], log=True, title="privacy parameter ε")
KEPT, SIN, NOISE, SPECTRUM = 226.0, 118.0, 136.0, 300.0
"""Heights of frames, in pixels."""
NOISE_DECADES = (1.6, 2.0)
"""Decades below and above the eigengap that the chart of noise shows."""
DOT_SIZE, ROOM = 13, 0.6
"""Diameter of a dot in pixels, and room at both ends of a row of dots, in places."""
EIGENVALUES, BEYOND_K = 10, 3
"""Eigenvalues that are drawn: at least so many, and at least so many after the k largest."""
HEADROOM = 1.42
"""The axis of the spectrum ends at this multiple of the last eigenvalue kept."""
GAP_ROOM = 16.0
"""Pixels from the middle of the gap's words to the top of the next stem, its dot included."""
PINNED_DASH = "10px,3px,2px,3px"


def one_content(
    study: Study,
    identity: str,
    at: int,
    target: float,
    *,
    drawn: Sequence[Mechanism] | None = None,
    reach: int = len(EPSILON_STOPS),
    pinned: Pinned | None = None,
    recommended: Mechanism | None = None,
    own: bool = False,
) -> Content:
    """Return what the view shows of a study.

    Parameters
    ----------
    identity
        The same for every refinement of one answer.
    at
        Number of the chosen ε.
    target
        Share of the variation asked for.
    drawn
        Whose curves are drawn; None for all.
    reach
        Stops on both sides of the chosen ε for which there are sentences already.
    own
        Whether the data are somebody's own: then the guarantee is spelled out.
    """
    summary = summarize(study, target)
    text = ExploreText(summary)

    def said(sentence: Callable[[int], str]) -> list[str | None]:
        near = range(at - reach, at + reach + 1)
        return [sentence(i) if i in near else None for i in range(len(EPSILON_STOPS))]

    def under(index: int) -> str:
        said = (text.odds(index), text.standing(index) if own else "", text.centring())
        return " ".join(filter(None, said))

    charts = [
        Chart(
            "variation-kept",
            _kept(summary, text, drawn, pinned),
            said(text.kept),
            text.sub("kept"),
            place="left",
            ruled=True,
        ),
        _dots_chart(summary, said(text.dots), said(text.dots_sub)),
        Chart(
            "sin-theta",
            _turned(summary, text, drawn, pinned),
            said(text.angle),
            said(text.angle_sub),
            place="left",
            ruled=True,
        ),
        _spectrum_chart(summary, said(text.spectrum), text.sub("spectrum")),
        Chart(
            "noise",
            _noise(summary, text, drawn),
            said(text.noise),
            text.sub("noise"),
            place="left",
            ruled=True,
        ),
    ]
    rule = Rule(
        "epsilon",
        "Privacy parameter ε",
        EPSILON_STOPS,
        [f"ε = {epsilon_text(epsilon)}" for epsilon in EPSILON_STOPS],
        at,
    )
    needed = [_people_needed(summary, i, at) for i in range(len(EPSILON_STOPS))]
    return Content(
        identity,
        charts,
        {
            "answer": said(text.answer),
            "under": said(under),
            "beside": said(text.beside_rule),
            "heading": said(text.mechanisms),
            "lead": said(lambda i: text.needed(i, needed[i])),
            "footer": text.footer(),
        },
        rule,
        [_row(m, summary, recommended) for m in in_menu_order(summary)],
        share=study.curves.share,
        complete=study.complete,
        progress=progress_text(min(study.curves.share, 0.99), study.seconds_left)
        if not study.complete
        else "",
        stage=study.stage,
        settings=text.settings(),
    )


def _people_needed(summary: Summary, index: int, at: int) -> PeopleNeeded | None:
    """Answer "how many people" at every ε where that is cheap, else at the chosen one."""
    study = summary.study
    releases = int(study.curves.chosen.done[at].sum())
    if study.mechanism.role == "baseline" or releases < FIRST:
        return None
    everywhere = study.people_needed_is_quick and study.curves.chosen.everywhere >= BANDS
    if index != at and not everywhere:
        return None
    return study.people_needed(summary.target, index, summary.chosen.needed)


# --- Along ε ---


def _along(
    summary: Summary,
    quantity: str,
    y_axis: Axis,
    height: float,
    lines: Sequence[Line],
    hover: str,
    drawn: Sequence[Mechanism] | None,
    pinned: Pinned | None = None,
    dots: Sequence[Dot] = (),
) -> Spec:
    """Return the chart of one quantity along ε: a curve a mechanism, bands of the chosen one."""
    chosen, study = summary.chosen, summary.study
    shown = [m for m in summary.mechanisms if drawn is None or m.mechanism in drawn]
    curves = [
        curve for m in shown if (curve := _curve(m, quantity, m is chosen, summary)) is not None
    ]
    if pinned is not None:
        name = escape(pinned.name(study.asked, study.dataset), quote=False)
        kept = np.asarray(getattr(pinned, quantity))
        curves.append(Curve("pinned", name, kept, "ink", PINNED_DASH, 1.4, bridged=False))
    values: Array | None = getattr(chosen.line, quantity, chosen.noise_norms)
    return chart(
        AXIS,
        y_axis,
        EPSILONS,
        curves,
        bands=[] if values is None else _bands(chosen, values),
        lines=lines,
        dots=dots,
        height=height,
        hover=f"{hover} at ε = %{{x:~g}}",
        statistic=MEDIAN,
        revision=study.asked.digest(study.dataset),
        ticks_below=quantity == "noise",
    )


def _curve(m: Medians, quantity: str, chosen: bool, summary: Summary) -> Curve | None:
    """Return a mechanism's curve; grey and dashed while it is only coarse."""
    values = getattr(m, quantity) if m.line.begun else None
    if values is None or not np.isfinite(values).any():
        return None
    coarse = not m.line.done.any(axis=1).all()
    return Curve(
        m.mechanism.key,
        m.mechanism.name,
        values,
        "grey" if coarse and not chosen else family_role(m.mechanism.family),
        "2px,4px" if coarse and not chosen else dash(m.mechanism),
        width(m.mechanism, chosen),
        chosen,
        bridged=coarse or not chosen,
        struck=m.standing is Standing.REFUTED,
    )


def _bands(chosen: Medians, values: Array) -> list[Band]:
    if chosen.mechanism == NON_PRIVATE:
        return []
    name, role = chosen.mechanism.name, family_role(chosen.mechanism.family)
    return [
        Band(low, high, f"{role}/band{share}", band_column(name, share))
        for share, (low, high) in chosen.bands(values).items()
    ]


def _kept(
    summary: Summary,
    text: ExploreText,
    drawn: Sequence[Mechanism] | None,
    pinned: Pinned | None,
) -> Spec:
    lines = _levels(summary, text)
    if summary.ceiling < LEAVES_ALL:
        words = f"PCA of rows of length 1, no noise: {summary.ceiling * 100:.1f}\u00a0%"
        lines.append(Line(summary.ceiling, words, "ink", "6px,3px", 1.0, below=True))
    axis = _kept_axis(summary)
    return _along(summary, "captured", axis, KEPT, lines, "%{y:.1%}", drawn, pinned)


def _levels(summary: Summary, text: ExploreText) -> list[Line]:
    """Return the lines of all, of chance and of the target, as dots have them too."""
    chance = summary.random.captured
    words = f"random {text.space}: {percent(chance)}"
    return [
        Line(1.0),
        Line(chance, words, "faint", "9px,7px", 1.2),
        Line(summary.target, "", "ink", "2px,3px", 1.0),
    ]


def _kept_axis(summary: Summary) -> Axis:
    known = summary.chosen.captured[np.isfinite(summary.chosen.captured)]
    least = min(summary.random.captured, 0.9, float(known.min(initial=1.0)))
    floor = max(0.0, min(least - 0.05, 0.75))
    ticks = tuple(t for t in (0.0, 0.25, 0.5, 0.75, 1.0) if t >= floor)
    texts = tuple(f"{t * 100:.0f}" + ("\u00a0%" if t == 1 else "") for t in ticks)
    return Axis(floor, 1.03, ticks=ticks, tick_texts=texts)


def _turned(
    summary: Summary,
    text: ExploreText,
    drawn: Sequence[Mechanism] | None,
    pinned: Pinned | None,
) -> Spec:
    chance = summary.random.sin_theta
    high, words = chance * 1.22, f"a random {text.space}: {chance:.2f}"
    lines = [Line(0.0), Line(chance, words, "faint", "9px,7px", 1.2)]
    hover = "‖sin Θ‖<sub>F</sub> = %{y:.3f}"
    return _along(summary, "sin_theta", Axis(-0.03 * high, high), SIN, lines, hover, drawn, pinned)


def _noise(summary: Summary, text: ExploreText, drawn: Sequence[Mechanism] | None) -> Spec:
    gap = summary.gap if summary.gap > 0 else 1.0
    below, above = NOISE_DECADES
    most, many = gap * 10**above, escape(summary.study.dataset.unit.many, quote=False)
    lines, dots = [], []
    if summary.gap > 0:
        lines = [Line(gap, f"<b>gap {escape(text.gap(), quote=False)}</b>", text_color="ink")]
    if crossing := summary.epsilon_where_noise_equals_gap():
        at = epsilon_text(float(f"{crossing:.2g}"))
        dots = [Dot(crossing, gap, f"noise = gap at ε\u00a0=\u00a0{at}", "ink", filled=False)]
    axis = Axis(gap / 10**below, most, log=True, tick_format=count_format(most))
    hover = f"largest effect on any direction %{{y:,.2~r}} {many}"
    return _along(summary, "noise", axis, NOISE, lines, hover, drawn, dots=dots)


# --- Beside the curves, at the ε of the rule ---


def _dots_chart(summary: Summary, title: Text, sub: Text) -> Chart:
    """Return the first releases at ε as dots, in rows whose edge lies on the line of the target.

    No row mixes releases above and below it; those that reach it are filled.
    """
    y_axis, line = _kept_axis(summary), summary.target
    values = summary.chosen.dots(summary.chosen.line.captured)
    row = (DOT_SIZE + 1) * (y_axis.high - y_axis.low) / KEPT
    # A release that reaches the line exactly lies above it.
    place = np.floor((values - line) / row + np.where(values >= line, 1e-6, 0.0))
    # What lies beyond the axis is in its last row, so that it has a place there of its own.
    lowest = np.ceil((y_axis.low - line) / row - 1e-6)
    highest = np.floor((y_axis.high - line) / row + 1e-6) - 1
    place = np.clip(place, min(lowest, -1.0) if line > y_axis.low else lowest, max(highest, 0.0))
    along = np.tril(place[:, :, None] == place[:, None, :], -1).sum(axis=2).astype(float)
    middle = line + (place + 0.5) * row
    up = y_axis.share(np.clip(middle, y_axis.low + row / 2, y_axis.high - row / 2))
    across = np.where(np.isnan(values), np.nan, (along + ROOM) / (DOTS - 1 + 2 * ROOM))
    x_axis = Axis(-ROOM, DOTS - 1 + ROOM)
    lines = [Line(1.0), *_levels(summary, ExploreText(summary))[1:]]
    quiet = [Line(each.at, "", each.color, each.dash, each.width) for each in lines]
    figure = chart(x_axis, y_axis, np.zeros(0), lines=quiet, height=KEPT, ticks_below=False)
    hidden = {"showticklabels": False, "fixedrange": True}
    figure["layout"]["xaxis"] |= hidden | {"visible": False}
    figure["layout"]["yaxis"] |= hidden
    role = family_role(summary.chosen.mechanism.family)
    over = [
        Marks(kind, role, np.where((values >= line) == full, 1 - up, np.nan), across, DOT_SIZE)
        for kind, full in (("full", True), ("hollow", False))
    ]
    return Chart("releases", figure, title, sub, place="right", over=over)


def _spectrum_chart(summary: Summary, title: Text, sub: Text) -> Chart:
    """Return the largest eigenvalues in people, with the noise at ε as a band on the gap's foot."""
    values, k, unit = (
        summary.study.problem.spectrum,
        summary.study.asked.k,
        summary.study.dataset.unit,
    )
    figure, top = _spectrum(values, k, summary.gap)
    noise, foot = summary.chosen.noise, float(values[k]) if len(values) > k else 0.0
    if noise is None:
        return Chart("spectrum", figure, title, sub, place="right tall")
    ends = np.stack([1 - np.minimum(foot + noise, top) / top, 1 - foot / top + 0 * noise], axis=1)
    words = [
        f"band: noise **{significant(float(each), 3)}\u00a0{unit.many}**"
        f"{' ↑' if foot + each > top else ''}"
        if np.isfinite(each)
        else ""
        for each in noise
    ]
    over = [Marks("band", family_role(summary.chosen.mechanism.family), ends)]
    return Chart("spectrum", figure, title, sub, words, place="right tall", over=over)


def _spectrum(values: Array, k: int, gap: float) -> tuple[Spec, float]:
    """Return the spectrum as stems, filled where kept, and the upper end of its axis."""
    shown = values[: max(EIGENVALUES, k + BEYOND_K)]
    top, number = max(float(values[k - 1]) * HEADROOM, 1e-12), np.arange(1.0, len(shown) + 1)
    y_axis = Axis(0.0, top, tick_format=count_format(top))
    ticks = tuple(number[:: max(1, len(shown) // 14)])
    figure = chart(Axis(0.4, len(shown) + 0.8, ticks=ticks), y_axis, np.zeros(0), height=SPECTRUM)
    figure["layout"]["xaxis"] |= {"showgrid": False, "fixedrange": True}
    figure["layout"]["yaxis"] |= {"fixedrange": True, "nticks": 5}
    kept, heights = number <= k, np.clip(shown, 0, top)
    color = np.where(kept, "ink", "faint").tolist()
    stems = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": np.repeat(number[some], 3),
            "y": np.stack([0 * heights[some], heights[some], np.nan * heights[some]], 1).ravel(),
            "line": {"color": role, "width": wide},
            "hoverinfo": "skip",
        }
        for some, role, wide in ((kept, "ink", 2), (~kept, "faint", 1.4))
    ]
    heads = {
        "type": "scatter",
        "mode": "markers",
        "name": "eigenvalue of S",
        "x": number,
        "y": np.where(shown <= top, shown, np.nan),
        "marker": {
            "size": 9,
            "color": np.where(kept, "ink", "page").tolist(),
            "line": {"color": color, "width": 1.6},
        },
        "hovertemplate": "direction %{x}: %{y:,.3~r}<extra></extra>",
    }
    above = [
        {
            "x": i,
            "y": top,
            "text": f"↑ {significant(float(value), 3)}",
            "xanchor": "left",
            "yanchor": "top",
            "yshift": -14 * (int(i) % 3),
            "font": {"size": 12, "color": "ink"},
        }
        for i, value in zip(number[shown > top].tolist(), shown[shown > top], strict=True)
    ]
    words = _gap_words(values, k, len(shown), gap) if len(values) > k else []
    figure["layout"]["annotations"] = [*above, *words]
    figure["layout"]["shapes"] = _bracket(values, k) if len(values) > k else []
    return figure | {"data": [*stems, heads]}, top


def _bracket(values: Array, k: int) -> list[Spec]:
    """Return the bracket between the last eigenvalue kept and the first one not kept."""
    high, low, at = float(values[k - 1]), float(max(values[k], 0.0)), k + 0.55
    ends = [(k, high, at + 0.12, high), (at, low, k + 1, low), (at, high, at, low)]
    path = " ".join(f"M{x0},{y0}L{x1},{y1}" for x0, y0, x1, y1 in ends)
    return [{"type": "path", "path": path, "line": {"color": "ink", "width": 1.6}}]


def _gap_words(values: Array, k: int, shown: int, gap: float) -> list[Spec]:
    """Return what the bracket says: at its side, or above it where the next stem reaches the words.

    In the right half of the chart it is always above, and ends at the bracket.
    """
    high, low = float(values[k - 1]), float(max(values[k], 0.0))
    left = k + 0.55 <= 0.55 * shown
    room = (high - low) / 2 * SPECTRUM / max(high * HEADROOM, 1e-12)
    place: Spec = {"x": k + 0.55, "y": high, "yanchor": "bottom", "yshift": 6}
    place |= {"xanchor": "left" if left else "right"}
    if left and room >= GAP_ROOM:
        place = {"x": k + 0.7, "y": (high + low) / 2, "xanchor": "left", "yanchor": "middle"}
    text = {"text": f"<b>gap {significant(gap, 3)}</b>", "font": {"size": 13, "color": "ink"}}
    return [place | text]


# --- The list of mechanisms ---


def in_menu_order(summary: Summary) -> list[Medians]:
    """Return the mechanisms of the list, which stay where they are; no baselines."""
    by_key = {m.mechanism.key: m for m in summary.mechanisms}
    listed = [by_key[key] for key in MECHANISMS if key in by_key]
    return [m for m in listed if m.mechanism.role != "baseline"]


def _row(m: Medians, summary: Summary, recommended: Mechanism | None) -> Row:
    mechanism, stated = m.mechanism, m.needed.stated if m.needed else None
    ranked = bool(m.ranked.any()) or not m.line.begun
    name = mechanism.name if ranked else f"{mechanism.name} (not ranked)"
    if recommended is not None and mechanism.key == recommended.key:
        name = f"{name} (recommended)"
    return Row(
        mechanism.key,
        name,
        family_role(mechanism.family),
        dash(mechanism),
        [_needed_text(m, summary)],
        stated.epsilon if stated and ranked else None,
        m is summary.chosen,
        m.standing is Standing.REFUTED,
    )


def _needed_text(m: Medians, summary: Summary) -> str:
    """Write from which ε a mechanism keeps the target, and whether that may still move."""
    if m.needed is None:
        return "…"
    complete = m.line.everywhere >= summary.study.curves.trials[m.mechanism]
    return f"{needed_label(m.needed, epsilon_text)}{'' if complete else SO_FAR}"
