"""Explore's curves: variation kept, sin Θ and noise along ε, in three panels of one figure."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from dpca_core.analysis.order_statistics import quantiles
from dpca_core.figures.axes import Axis, count_format
from dpca_core.figures.colours import family_role
from dpca_core.figures.curve_panels import curve_panels
from dpca_core.figures.layout import Spec
from dpca_core.figures.line_styles import dash, width
from dpca_core.figures.panels import Band, Curve, Mark, Panel, Reference
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import NON_PRIVATE
from dpca_core.metrics import LEAVES_ALL
from dpca_core.privacy.budget import Standing
from ui.explore.chart_words import FIGURE_WORDS, HOVER_TEXTS, PANEL_AXES
from ui.explore.measurements import BAND_TRIALS
from ui.explore.summary import MechanismSummary, Summary
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.chart_words import MEDIAN, band_column
from ui.text.numbers import percent

BANDS = {"band95": (0.025, 0.975), "band80": (0.1, 0.9), "band50": (0.25, 0.75)}
"""Limits of a band, as shares of the releases, by the name of its opacity; the widest first."""
PANEL_HEIGHTS = {"kept": 226.0, "sin": 118.0, "noise": 136.0}
"""In pixels, from top to bottom."""
PINNED_DASH = "10px,3px,2px,3px"
NOISE_DECADES = (1.6, 2.0)
"""Decades below and above the eigengap that the noise panel shows."""


def curves_figure(
    summary: Summary,
    target: float,
    space: str,
    words: dict[str, Any],
    pinned: dict[str, Any] | None,
) -> Spec:
    """Return the three panels as one figure.

    Parameters
    ----------
    target
        Share of variation asked for: a line.
    space
        Direction, plane or subspace.
    words
        ``gap``: what the line of the eigengap says; ``crossing``: what stands where noise and gap
        are equal; ``many``: the unit.
    pinned
        Curves to compare with: ``label``, and ``kept`` and ``sin`` at each ε.
    """
    x = np.array(EPSILON_STOPS)
    axis = Axis(x[0], x[-1], log=True, title=PANEL_AXES["epsilon"])
    panels = [
        _kept_panel(summary, target, space, pinned),
        _sin_panel(summary, space, pinned),
        _noise_panel(summary, words),
    ]
    return curve_panels(axis, x, panels, revision=summary.study.query.digest(summary.study.dataset))


def kept_axis(summary: Summary) -> Axis:
    """Return the axis of variation kept, which the dots beside the curves share."""
    drawn = summary.chosen.captured[np.isfinite(summary.chosen.captured)]
    least = min(summary.random.captured, 0.9, float(drawn.min(initial=1.0)))
    floor = max(0.0, min(least - 0.05, 0.75))
    ticks = tuple(t for t in (0.0, 0.25, 0.5, 0.75, 1.0) if t >= floor)
    return Axis(floor, 1.03, ticks=ticks, tick_texts=tuple(map(_tick_text, ticks)))


def _tick_text(share: float) -> str:
    return f"{share * 100:.0f}" + ("\u00a0%" if share == 1 else "")


def sin_axis(summary: Summary) -> Axis:
    """Return the axis of ‖sin Θ‖_F, which the dots beside the curves share."""
    high = summary.random.sin_theta * 1.22
    return Axis(-0.03 * high, high)


def _kept_panel(
    summary: Summary, target: float, space: str, pinned: dict[str, Any] | None
) -> Panel:
    chance = summary.random.captured
    return Panel(
        "kept",
        kept_axis(summary),
        PANEL_HEIGHTS["kept"],
        [*_curves(summary, "captured"), *_pinned(pinned, "kept")],
        _bands(summary, summary.chosen.measured.captured),
        [
            Reference(1.0),
            Reference(
                chance,
                "faint",
                1.2,
                "9px,7px",
                FIGURE_WORDS["random_captured"].format(
                    name=f"random {space}", value=percent(chance)
                ),
            ),
            Reference(target, "ink", 1.0, "2px,3px"),
            *_ceiling(summary),
        ],
        hover=HOVER_TEXTS["kept"],
    )


def _ceiling(summary: Summary) -> list[Reference]:
    """What length 1 leaves before any noise; no line where it leaves all."""
    if summary.ceiling >= LEAVES_ALL:
        return []
    words = FIGURE_WORDS["ceiling"].format(value=f"{summary.ceiling * 100:.1f}\u00a0%")
    return [Reference(summary.ceiling, "ink", 1.0, "6px,3px", words, below=True)]


def _sin_panel(summary: Summary, space: str, pinned: dict[str, Any] | None) -> Panel:
    chance = summary.random.sin_theta
    return Panel(
        "sin",
        sin_axis(summary),
        PANEL_HEIGHTS["sin"],
        [*_curves(summary, "sin_theta"), *_pinned(pinned, "sin")],
        _bands(summary, summary.chosen.measured.sin_theta),
        [
            Reference(0.0),
            Reference(
                chance,
                "faint",
                1.2,
                "9px,7px",
                FIGURE_WORDS["random_sin"].format(name=f"random {space}", value=f"{chance:.2f}"),
            ),
        ],
        hover=HOVER_TEXTS["sin"],
    )


def _noise_panel(summary: Summary, words: dict[str, Any]) -> Panel:
    gap = summary.gap if summary.gap > 0 else 1.0
    below, above = NOISE_DECADES
    most = gap * 10**above
    norms = summary.study.noise_norms_in_people(summary.chosen.mechanism)
    crossing = summary.epsilon_where_noise_equals_gap()
    return Panel(
        "noise",
        Axis(gap / 10**below, most, log=True, tick_format=count_format(most)),
        PANEL_HEIGHTS["noise"],
        _curves(summary, "noise"),
        () if norms is None else _bands(summary, norms),
        [Reference(gap, text=words["gap"], text_color="ink", bold=True)] if summary.gap > 0 else [],
        [] if crossing is None else [Mark(crossing, gap, words["crossing"])],
        hover=HOVER_TEXTS["noise"].replace("{unit}", words["many"]),
    )


def _curves(summary: Summary, quantity: str) -> list[Curve]:
    coarse = not summary.chosen.measured.done.any(axis=1).all()
    return [
        _curve(m, values, m is summary.chosen, coarse)
        for m in summary.mechanisms
        if (quantity == "noise" or m.measured.begun)
        and (values := getattr(m, quantity)) is not None
        and np.isfinite(values).any()
    ]


def _curve(summary: MechanismSummary, values: Array, chosen: bool, coarse: bool) -> Curve:
    mechanism = summary.mechanism
    return Curve(
        mechanism.key,
        mechanism.name,
        values,
        family_role(mechanism.family),
        dash(mechanism),
        width(mechanism, chosen),
        chosen,
        bridged=coarse or not chosen,
        struck=standing(summary) is Standing.REFUTED,
        statistic=MEDIAN,
    )


def standing(summary: MechanismSummary) -> Standing:
    """Return how well a mechanism's guarantee is established."""
    return next((g.standing for g in summary.guarantees if g is not None), Standing.NONE)


def _pinned(pinned: dict[str, Any] | None, panel: str) -> Sequence[Curve]:
    if pinned is None:
        return ()
    name = FIGURE_WORDS["pinned_as"].format(label=escape(pinned["label"], quote=False))
    values = np.array(pinned[panel], dtype=float)
    return (Curve("", name, values, "ink", PINNED_DASH, 1.4, bridged=False, statistic=MEDIAN),)


def _bands(summary: Summary, values: Array) -> list[Band]:
    """Return bands of the chosen mechanism's releases, once there are enough."""
    chosen = summary.chosen
    if chosen.measured.trials() < BAND_TRIALS or chosen.mechanism == NON_PRIVATE:
        return []
    mechanism = chosen.mechanism
    role = family_role(mechanism.family)
    shares = [share for limits in BANDS.values() for share in limits]
    found = np.where(chosen.drawn, quantiles(values, tuple(shares)), np.nan)
    return [
        Band(low, high, f"{role}/{name}", band_column(mechanism.name, name.removeprefix("band")))
        for name, low, high in zip(BANDS, found[::2], found[1::2], strict=True)
    ]
