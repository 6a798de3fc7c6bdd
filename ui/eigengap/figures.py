"""What the Eigengap page draws: how far one person turns the top directions, and all its charts."""

from dataclasses import fields, replace
from html import escape
from math import exp, sqrt
from typing import Any

import numpy as np

from dpca_core.figures import line_styles
from dpca_core.figures.angles import Fan, Lengths, needle, pictures
from dpca_core.figures.axes import POWERS, Axis
from dpca_core.figures.colours import family_role
from dpca_core.figures.line_styles import CHOSEN_WIDTH
from dpca_core.figures.panels import Curve, Dot, Rule
from dpca_core.figures.panels_chart import chart, level
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Family, Mechanism
from dpca_core.mechanisms.registry import (
    DEFAULT,
    MECHANISMS,
    PURE_DEFAULT,
    SMOOTH_DEFAULT,
    SMOOTH_PRINTED,
    SMOOTH_PURE_DEFAULT,
)
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.privacy.sensitivity import basis_diameter, gap_change, smooth_sensitivity
from dpca_core.simulation.trials import median_norm
from ui.eigengap import text
from ui.eigengap.choice_of_k_figures import choice_by_k, gaps_by_k
from ui.eigengap.measurements import (
    entry_noise,
    fan_releases,
    input_noise,
    largest_rotation,
    release_angles,
)
from ui.eigengap.query import EigengapQuery
from ui.text.numbers import significant

GAP_VALUES = np.geomspace(0.1, 1e7, 97)
GAP_ADAPTIVE = tuple(
    mechanism.key
    for mechanism in sorted(
        MECHANISMS.values(), key=lambda m: (list(Family).index(m.family), m.role != "printed")
    )
    if mechanism.family in (Family.SMOOTH, Family.GAP_RELEASE)
    and (mechanism.role != "printed" or mechanism is SMOOTH_PRINTED)
)
"""Keys of mechanisms whose noise follows the gap, by family, a printed one first."""
MOST_TERMS = 240
"""Points of the chart of discounted sensitivities."""


def page_content(query: EigengapQuery) -> dict[str, Any]:
    """Compose the page's charts and sentences."""
    problem, budget = query.problem_at_gap(query.gap), query.mechanism_budget
    noise = {key: entry_noise(MECHANISMS[key], problem, budget) for key in GAP_ADAPTIVE}
    settings = [getattr(query, f.name) for f in fields(query) if f.name != "data"]
    return {
        "id": f"{query.data.identity} {settings}",
        "answer": text.answer(query, largest_rotation(query)),
        "under": text.noise_summary(query, noise),
        "charts": [
            _outcomes(query),
            _sensitivity_by_gap(query),
            _discounted_sensitivity(query),
            _noise_by_gap(query),
            gaps_by_k(query),
            choice_by_k(query),
        ],
        "footer": text.footer(query),
        "settings": text.settings(query),
    }


def _outcomes(query: EigengapQuery) -> dict[str, Any]:
    """The gap beside the noise, and releases at this gap as a fan about the truth."""
    approximate = query.mechanism_budget.delta > 0
    on_s = DEFAULT if approximate else PURE_DEFAULT
    on_basis = SMOOTH_DEFAULT if approximate else SMOOTH_PURE_DEFAULT
    norm = median_norm(on_s, query.data.d, query.mechanism_budget)
    fans = [_release_fan(query, mechanism) for mechanism in (on_s, on_basis)]
    shown: list[Lengths | Fan] = [_gap_and_noise(query, norm, on_s), *fans]
    return {
        "key": "outcomes",
        "wide": True,
        "figure": pictures(shown),
        **text.outcome_labels(query.gap / norm, on_s, fan_releases(query)),
    }


def _gap_and_noise(query: EigengapQuery, norm: float, mechanism: Mechanism) -> Lengths:
    names, values = ("gap", "noise"), (query.gap, norm)
    texts = [
        escape(f"{name} {query.with_unit(value)}", quote=False)
        for name, value in zip(names, values, strict=True)
    ]
    return Lengths(names, texts, values, ("accent", family_role(mechanism.family)))


def _release_fan(query: EigengapQuery, mechanism: Mechanism) -> Fan:
    shade = family_role(mechanism.family)
    try:
        angles = release_angles(query, mechanism)
    except InfeasibleBudget:
        return Fan(mechanism.name, text.no_release_caption(mechanism), (), shade)
    caption = text.fan_caption(mechanism, float(np.median(angles)))
    return Fan(mechanism.name, caption, _mirrored(angles), shade)


def _mirrored(angles: Array) -> list[float]:
    """Mirror every other angle: an angle between subspaces has no sign."""
    return [float(a) * (1 if i % 2 else -1) for i, a in enumerate(angles)]


def _sensitivity_by_gap(query: EigengapQuery) -> dict[str, Any]:
    """How far one person turns the top directions against the gap, exactly and as bounded."""
    d, k, adjacency = query.data.d, query.k, query.adjacency
    smooth = [smooth_sensitivity(g, d, k, query.beta, adjacency).bound for g in GAP_VALUES]
    exact = [query.local_sensitivity(g) for g in GAP_VALUES]
    smooth_color = family_role(Family.SMOOTH)
    bold: dict[str, Any] = {"width": CHOSEN_WIDTH, "chosen": True, "bridged": False}
    paper = f"the paper’s C/g, C = {query.constant:g}"
    paper_style: dict[str, Any] = {"color": family_role(Family.BASELINE), "dash": "5px,4px"}
    selected = f"gap {escape(query.with_unit(query.gap), quote=False)}"
    diameter = level("any", "any two data sets", basis_diameter(d, k), GAP_VALUES)
    return {
        "key": "turn",
        "wide": True,
        **text.sensitivity_labels(query),
        "beside": needle(largest_rotation(query)),
        "figure": chart(
            _gap_axis(query),
            Axis(1e-8, 3, log=True, tick_format=POWERS),
            GAP_VALUES,
            [
                Curve("exact", "one person, exact", np.array(exact), "ink", **bold),
                Curve("smooth bound", "smooth bound U", np.array(smooth), smooth_color, **bold),
                Curve("paper", paper, query.constant / GAP_VALUES, **paper_style),
                replace(diameter, color="grey", dash="2px,3px"),
            ],
            rules=[Rule(query.gap, selected, low=True)],
            height=300,
            wide=True,
            hover="gap %{x} → %{y}",
        ),
        "note": text.smooth_bound_note(query, _meeting_gap(query, smooth, exact)),
    }


def _meeting_gap(query: EigengapQuery, smooth: list[float], exact: list[float]) -> float | None:
    """Return the first gap drawn at which the smooth bound is the exact value."""
    equal = np.array(smooth) <= np.array(exact) * 1.001
    meets = np.flatnonzero(equal & (gap_change(query.adjacency) < GAP_VALUES))
    return float(GAP_VALUES[meets[0]]) if len(meets) else None


def _discounted_sensitivity(query: EigengapQuery) -> dict[str, Any]:
    """The local sensitivity after j people have changed, discounted by e⁻ᵝʲ."""
    step = gap_change(query.adjacency)
    steps = int(query.gap / step)
    last = max(3.0, query.gap / step * 1.15 + 3)
    people = np.unique(np.round(np.linspace(0, last, MOST_TERMS)))
    people = np.unique(np.concatenate([people, np.arange(max(0, steps - 3), steps + 4)]))
    terms = [exp(-query.beta * j) * query.local_sensitivity(query.gap - j * step) for j in people]
    worst = smooth_sensitivity(query.gap, query.data.d, query.k, query.beta, query.adjacency)
    low = max(1e-12, min(t for t in terms if t > 0) / 2)
    title = f"j, {escape(query.data.unit.many, quote=False)} changed"
    color, bold = family_role(Family.SMOOTH), CHOSEN_WIDTH
    return {
        "key": "terms",
        **text.discounted_labels(query, worst.people),
        "figure": chart(
            Axis(0, float(people[-1]), title=title, tick_format=",~r", hover_format=","),
            Axis(low, max(terms) * 3, log=True, tick_format=POWERS),
            people,
            [Curve("terms", "e⁻ᵝʲ·LS(g − j)", np.array(terms), color, width=bold, chosen=True)],
            dots=[Dot(float(worst.people), worst.bound, f"U = {significant(worst.bound)}")],
            hover="j = %{x} → %{y}",
        ),
    }


def _gap_axis(query: EigengapQuery) -> Axis:
    title = f"eigengap, in {escape(query.data.unit.many, quote=False)}"
    return Axis(0.1, 1e7, log=True, title=title, tick_format=POWERS, hover_format=",.3~r")


def _noise_by_gap(query: EigengapQuery) -> dict[str, Any]:
    """Noise of a released entry against the gap, and that of noise on S over the gap."""
    gaps, budget = GAP_VALUES[::3], query.mechanism_budget
    problems = [query.problem_at_gap(gap) for gap in gaps]
    curves = [
        _noise_curve(m, m.name, [entry_noise(m, problem, budget) for problem in problems])
        for m in (MECHANISMS[key] for key in GAP_ADAPTIVE)
    ]
    on_s = [input_noise(gap, budget) for gap in gaps]
    curves.append(_noise_curve(DEFAULT, f"{DEFAULT.name} on S ÷ gap", on_s))
    curves.append(level("entry", "typical entry, 1/√d", 1 / sqrt(query.data.d), gaps))
    return {
        "key": "by-gap",
        **text.NOISE_BY_GAP,
        "figure": chart(
            _gap_axis(query),
            Axis(1e-7, 1e5, log=True, tick_format=POWERS),
            gaps,
            curves,
            rules=[Rule(query.gap)],
            hover="gap %{x} → %{y}",
        ),
    }


def _noise_curve(mechanism: Mechanism, name: str, noise: list[float]) -> Curve:
    return Curve(
        mechanism.key,
        name,
        np.array(noise, dtype=np.float64),
        family_role(mechanism.family),
        dash=line_styles.dash(mechanism),
        width=line_styles.width(mechanism),
        bridged=False,
    )
