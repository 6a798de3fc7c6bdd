"""Explore's view of one mechanism: what it keeps, how far it is turned, its noise, along ε."""

from collections.abc import Sequence
from functools import partial
from html import escape
from typing import Any

import numpy as np

from dpca_core.figures.chart import Axis, Band, Curve, Dot, Line, Spec, chart, count_format
from dpca_core.figures.colours import dash, family_role, width
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS, NON_PRIVATE
from dpca_core.metrics import LEAVES_ALL
from dpca_core.privacy.budget import Standing
from dpca_core.simulation.releases_per_point import BANDS
from dpca_core.text.privacy_numbers import epsilon_text
from ui.explore.headline_and_titles import StopText, ceiling_of, footer, say, settings_text
from ui.explore.medians import DOTS, SO_FAR, Medians, Summary
from ui.explore.study import Study
from ui.page.content import Chart, Content, Marks, Row, Rule
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.certainty import needed_label
from ui.text.numbers import percent, significant

EPSILONS = np.array(EPSILON_STOPS)
AXIS = Axis(EPSILONS[0], EPSILONS[-1], log=True, title="privacy parameter ε")
KEPT, SIN, NOISE, SPECTRUM = 226.0, 118.0, 136.0, 300.0
"""Heights of frames, in pixels."""
NOISE_DECADES = (1.6, 2.0)
"""Decades below and above the eigengap that the chart of noise shows."""
SHARES = {"95": (0.025, 0.975), "80": (0.1, 0.9), "50": (0.25, 0.75)}
"""Limits of bands, by the per cent of releases that they hold; the widest first."""
DOT_SIZE, ROOM = 13, 0.6
"""Diameter of a dot in pixels, and room at both ends of a row of dots, in places."""
EIGENVALUES, BEYOND_K = 10, 3
"""Eigenvalues that are drawn: at least so many, and at least so many after the k largest."""
HEADROOM = 1.42
"""The axis of the spectrum ends at this multiple of the last eigenvalue kept."""
GAP_ROOM = 16.0
"""Pixels from the middle of the gap's words to the top of the next stem, its dot included."""
LABELS = [f"ε = {epsilon_text(epsilon)}" for epsilon in EPSILON_STOPS]
"""At the handle of the rule."""


def one_content(
    study: Study,
    identity: str,
    at: int,
    target: float,
    *,
    drawn: Sequence[Mechanism] | None = None,
    reach: int = len(EPSILON_STOPS),
    recommended: Mechanism | None = None,
    own: bool = False,
) -> Content:
    """Return what the view shows of a study at stop number ``at`` of ε.

    ``identity`` is the same for every refinement of one answer, ``target`` the share of the
    variation asked for; there are curves of those ``drawn``, None for all. On both sides of ``at``
    there are sentences for ``reach`` stops already. The guarantee is spelled out where the data are
    somebody's ``own``.
    """
    summary, stops = Summary(study, target), range(len(EPSILON_STOPS))
    near, many = range(at - reach, at + reach + 1), study.dataset.unit.many
    spectrum_sub, noise_sub = say("spectrum_sub", many=many), say("noise_sub", many=many)
    sentences = [StopText(summary, i).sentences(own=own) if i in near else {} for i in stops]

    def said(place: str) -> list[str | None]:
        return [at_stop.get(place) for at_stop in sentences]

    shown = [m for m in summary.mechanisms if drawn is None or m.mechanism in drawn]
    kept_axis, levels = axis_and_lines(summary)
    kept, turned, noise = along_epsilon(summary, shown, kept_axis, levels)
    dots, over = dots_figure(summary, kept_axis, levels)
    spectrum, band, note = spectrum_figure(summary)
    by_key = {m.mechanism.key: m for m in summary.mechanisms if m.mechanism.role != "baseline"}
    return Content(
        identity,
        [
            Chart("variation-kept", kept, said("kept"), say("kept_sub"), place="left", ruled=True),
            Chart("releases", dots, said("dots"), say("dots_sub"), place="right", over=over),
            Chart("sin-theta", turned, said("angle"), said("angle_sub"), place="left", ruled=True),
            Chart(
                "spectrum", spectrum, said("spectrum"), spectrum_sub, note, "right tall", over=band
            ),
            Chart("noise", noise, said("noise"), noise_sub, place="left", ruled=True),
        ],
        {
            **{place: said(place) for place in ("answer", "under", "beside", "heading", "lead")},
            "footer": footer(summary),
        },
        Rule("epsilon", "Privacy parameter ε", EPSILON_STOPS, LABELS, at),
        [_row(by_key[key], summary, recommended) for key in MECHANISMS if key in by_key],
        **summary.progress,
        settings=f"{study.mechanism.name}: {settings_text(study)}",
    )


# --- Along ε ---


def along_epsilon(
    summary: Summary, shown: Sequence[Medians], kept_axis: Axis, levels: Sequence[Line]
) -> tuple[Spec, Spec, Spec]:
    """Return the charts of what is kept, how far it is turned, and the noise."""
    study, at = summary.study, "at ε = %{x:~g}"
    revision = study.asked.digest(study.dataset)
    figure = partial(medians_chart, summary, shown, AXIS, revision=revision)
    if summary.ceiling < LEAVES_ALL:
        words = f"{ceiling_of(study.dataset)}: {summary.ceiling * 100:.1f}\u00a0%"
        levels = [*levels, Line(summary.ceiling, words, "ink", "6px,3px", 1.0)]
    hover = f"%{{y:.1%}} {at}"
    kept = figure("captured", kept_axis, hover, height=KEPT, lines=levels, ticks_below=False)
    chance = summary.random.sin_theta
    words = f"a random {summary.space}: {chance:.2f}"
    edges = [Line(0.0), Line(chance, words, "faint", "9px,7px", 1.2)]
    sine_axis = Axis(-0.03 * chance * 1.22, chance * 1.22)
    hover = f"‖sin Θ‖<sub>F</sub> = %{{y:.3f}} {at}"
    turned = figure(
        "sin_theta", sine_axis, hover, height=SIN, lines=edges, ticks_below=False, legend=False
    )
    gap, (below, above) = summary.gap if summary.gap > 0 else 1.0, NOISE_DECADES
    most, many = gap * 10**above, escape(study.dataset.unit.many, quote=False)
    at_gap, crossing = [], []
    if summary.gap > 0:
        at_gap = [Line(gap, f"<b>gap {escape(summary.gap_text, quote=False)}</b>")]
    if epsilon := summary.epsilon_where_noise_equals_gap():
        words = f"noise = gap at ε\u00a0=\u00a0{epsilon_text(float(f'{epsilon:.2g}'))}"
        crossing = [Dot(epsilon, gap, words, "ink")]
    noise_axis = Axis(gap / 10**below, most, log=True, tick_format=count_format(most))
    hover = f"largest effect on any direction %{{y:,.2~r}} {many} {at}"
    noise = figure(
        "noise", noise_axis, hover, height=NOISE, lines=at_gap, dots=crossing, legend=False
    )
    return kept, turned, noise


def medians_chart(
    summary: Summary,
    shown: Sequence[Medians],
    x_axis: Axis,
    quantity: str,
    y_axis: Axis,
    hover: str,
    more: Sequence[Curve] = (),
    **drawn: Any,
) -> Spec:
    """Return a chart of one quantity along the axis: medians, bands of the chosen mechanism's.

    ``more`` curves, and whatever else is ``drawn``, as ``chart`` takes it.
    """
    chosen = summary.chosen
    return chart(
        x_axis,
        y_axis,
        np.array(summary.study.values),
        [*curves_of(shown, quantity, chosen), *more],
        bands=bands_of(chosen, quantity),
        hover=hover,
        statistic="median",
        **drawn,
    )


def curves_of(shown: Sequence[Medians], quantity: str, chosen: Medians) -> list[Curve]:
    """Return curves of what is measured; grey and dashed while they are only coarse."""
    found = []
    for m in shown:
        values = getattr(m, quantity)
        if values is None or not np.isfinite(values).any():
            continue
        coarse, own = not m.line.done.any(axis=1).all(), m is chosen
        rough = coarse and not own
        curve = Curve(
            m.mechanism.key,
            m.mechanism.name,
            values,
            "grey" if rough else family_role(m.mechanism.family),
            "2px,4px" if rough else dash(m.mechanism),
            width(m.mechanism, own),
            own,
            bridged=coarse or not own,
            struck=m.standing is Standing.REFUTED,
        )
        found.append(curve)
    return found


def bands_of(chosen: Medians, quantity: str) -> list[Band]:
    """Return what holds 50, 80 and 95 % of the chosen mechanism's releases; [] of too few."""
    line, is_noise = chosen.line, quantity == "noise"
    few = line.everywhere < BANDS or (is_noise and chosen.noise is None)
    if few or chosen.mechanism == NON_PRIVATE:
        return []
    values = np.outer(line.scales, chosen.norms) if is_noise else getattr(line, quantity)
    name, role = chosen.mechanism.name, family_role(chosen.mechanism.family)
    limits = chosen.quantiles(values, *(share for each in SHARES.values() for share in each))
    return [
        Band(low, high, f"{role}/band{share}", f"{name}, {share} % of releases")
        for share, low, high in zip(SHARES, limits[::2], limits[1::2], strict=True)
    ]


def axis_and_lines(summary: Summary) -> tuple[Axis, list[Line]]:
    """Return an axis down to what the chosen mechanism or chance keeps; all, chance and target."""
    known = summary.chosen.captured[np.isfinite(summary.chosen.captured)]
    chance = summary.random.captured
    least = min(chance, 0.9, float(known.min(initial=1.0)))
    axis = share_axis(max(0.0, min(least - 0.05, 0.75)), 1.03, (0.0, 0.25, 0.5, 0.75, 1.0))
    words = f"random {summary.space}: {percent(chance)}"
    target = Line(summary.target, "", "ink", "2px,3px", 1.0)
    return axis, [Line(1.0), Line(chance, words, "faint", "9px,7px", 1.2), target]


def share_axis(low: float, high: float, ticks: Sequence[float]) -> Axis:
    """Return an axis of shares, with ticks in per cent."""
    shown = tuple(t for t in ticks if t >= low)
    texts = tuple(f"{t * 100:.0f}" + ("\u00a0%" if t == 1 else "") for t in shown)
    return Axis(low, high, ticks=shown, tick_texts=texts)


# --- Beside the curves, at the ε of the rule ---


def dots_figure(summary: Summary, y_axis: Axis, levels: Sequence[Line]) -> tuple[Spec, list[Marks]]:
    """Return the first releases at ε as dots, in rows whose edge lies on the line of the target.

    No row mixes releases above and below it; those that reach it are filled.
    """
    chosen, line = summary.chosen, summary.target
    values = np.where(chosen.drawn[:, None], chosen.line.captured[:, :DOTS], np.nan)
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
    lines = [Line(at.at, "", at.color, at.dash, at.width) for at in levels]
    x_axis = Axis(-ROOM, DOTS - 1 + ROOM)
    figure = chart(x_axis, y_axis, np.zeros(0), lines=lines, height=KEPT, ticks_below=False)
    hidden = {"showticklabels": False, "fixedrange": True}
    figure["layout"]["xaxis"] |= hidden | {"visible": False}
    figure["layout"]["yaxis"] |= hidden
    role = family_role(chosen.mechanism.family)
    return figure, [
        Marks(kind, role, np.where((values >= line) == full, 1 - up, np.nan), across, DOT_SIZE)
        for kind, full in (("full", True), ("hollow", False))
    ]


def spectrum_figure(summary: Summary) -> tuple[Spec, list[Marks], list[str] | str]:
    """Return the largest eigenvalues as stems, the noise as a band on the gap's foot, its words."""
    study, noise = summary.study, summary.chosen.noise
    values, k, many = study.problem.spectrum, study.asked.k, study.dataset.unit.many
    top = max(float(values[k - 1]) * HEADROOM, 1e-12)
    figure = _spectrum(values, k, top, summary.gap)
    if noise is None:
        return figure, [], ""
    foot = float(values[k]) if len(values) > k else 0.0
    ends = np.stack([1 - np.minimum(foot + noise, top) / top, 1 - foot / top + 0 * noise], axis=1)
    words = [
        f"band: noise **{significant(each, 3)}\u00a0{many}**{' ↑' if foot + each > top else ''}"
        if np.isfinite(each)
        else ""
        for each in noise.tolist()
    ]
    return figure, [Marks("band", family_role(summary.chosen.mechanism.family), ends)], words


def _spectrum(values: Array, k: int, top: float, gap: float) -> Spec:
    shown = values[: max(EIGENVALUES, k + BEYOND_K)]
    number = np.arange(1.0, len(shown) + 1)
    y_axis = Axis(0.0, top, tick_format=count_format(top))
    ticks = tuple(number[:: max(1, len(shown) // 14)])
    figure = chart(Axis(0.4, len(shown) + 0.8, ticks=ticks), y_axis, np.zeros(0), height=SPECTRUM)
    figure["layout"]["xaxis"] |= {"showgrid": False, "fixedrange": True}
    figure["layout"]["yaxis"] |= {"fixedrange": True, "nticks": 5}
    kept, heights = number <= k, np.clip(shown, 0, top)
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
    color = np.where(kept, "ink", "faint").tolist()
    inside = np.where(kept, "ink", "page").tolist()
    heads = {
        "type": "scatter",
        "mode": "markers",
        "name": "eigenvalue of S",
        "x": number,
        "y": np.where(shown <= top, shown, np.nan),
        "marker": {"size": 9, "color": inside, "line": {"color": color, "width": 1.6}},
        "hovertemplate": "direction %{x}: %{y:,.3~r}<extra></extra>",
    }
    above = [
        {
            "x": i,
            "y": top,
            "text": f"↑ {significant(float(value), 3)}",
            "xanchor": "left",
            "yanchor": "top",
            "yshift": -15 * (int(i) % 3),
            "font": {"size": 12, "color": "ink"},
        }
        for i, value in zip(number[shown > top].tolist(), shown[shown > top], strict=True)
    ]
    figure["layout"]["annotations"] = above
    if len(values) > k:
        high, low, at = float(values[k - 1]), float(max(values[k], 0.0)), k + 0.55
        path = f"M{k},{high}L{at + 0.12},{high}M{at},{low}L{k + 1},{low}M{at},{high}L{at},{low}"
        bracket = {"type": "path", "path": path, "line": {"color": "ink", "width": 1.6}}
        figure["layout"]["shapes"] = [bracket]
        # At the bracket's side, or above it where the next stem reaches the words; in the right
        # half of the chart always above, ending at the bracket.
        left = at <= 0.55 * len(shown)
        place = {"x": at, "y": high, "yanchor": "bottom", "yshift": 6}
        place |= {"xanchor": "left" if left else "right"}
        if left and (high - low) / 2 * SPECTRUM / max(high * HEADROOM, 1e-12) >= GAP_ROOM:
            place = {"x": k + 0.7, "y": (high + low) / 2, "xanchor": "left", "yanchor": "middle"}
        text = {"text": f"<b>gap {significant(gap, 3)}</b>", "font": {"size": 13, "color": "ink"}}
        above.append(place | text)
    return figure | {"data": [*stems, heads]}


# --- The list of mechanisms ---


def _row(m: Medians, summary: Summary, recommended: Mechanism | None) -> Row:
    mechanism, stated = m.mechanism, m.needed.stated if m.needed else None
    ranked = bool(m.ranked.any()) or not m.line.begun
    name = mechanism.name + ("" if ranked else " (not ranked)")
    if recommended is not None and mechanism.key == recommended.key:
        name += " (recommended)"
    cell = "…"
    if m.needed is not None:
        # Whether it may still move.
        moves = m.line.everywhere < summary.study.curves.trials[mechanism]
        cell = needed_label(m.needed, epsilon_text) + (SO_FAR if moves else "")
    return Row(
        mechanism.key,
        name,
        family_role(mechanism.family),
        dash(mechanism),
        [cell],
        stated.epsilon if stated and ranked else None,
        m is summary.chosen,
        m.standing is Standing.REFUTED,
    )
