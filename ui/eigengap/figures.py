"""The Eigengap page's charts: how far one person turns the top directions, and a private k."""

from dataclasses import fields
from html import escape
from math import asin, exp, pi, sqrt
from typing import Any

import numpy as np

from dpca_core.analysis.choose_k import chances, gaps
from dpca_core.figures import colours
from dpca_core.figures.chart import POWERS, Axis, Bars, Curve, Dot, Line, chart
from dpca_core.figures.colours import CHOSEN_WIDTH, family_role
from dpca_core.figures.pictures import fan
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms import registry
from dpca_core.mechanisms.mechanism import Family, Mechanism
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.privacy.sensitivity import basis_diameter, gap_change, smooth_sensitivity
from dpca_core.problem import Problem
from dpca_core.simulation.trials import median_norm
from ui.eigengap import text
from ui.eigengap.query import CONSTANT, EigengapQuery
from ui.page.content import Chart, Content
from ui.text.numbers import significant

GAP_VALUES = np.geomspace(0.1, 1e7, 97)
GAP_ADAPTIVE = tuple(
    mechanism
    for mechanism in registry.MECHANISMS.values()
    if mechanism is registry.SMOOTH_PRINTED
    or (mechanism.family in (Family.SMOOTH, Family.GAP_RELEASE) and mechanism.role != "printed")
)
"""Mechanisms whose noise follows the gap."""
FAN_RELEASES = 25
WIDE_FAN_RELEASES, WIDE_FAN_COLUMNS = 8, 130
"""Releases in a fan of data with more columns than this, which take long."""
MOST_TERMS = 240
"""Points of the chart of discounted sensitivities."""
MOST_TICKED = 20
"""Directions that each have a tick; of more, Plotly chooses some."""
_SMOOTH = family_role(Family.SMOOTH)


def page_content(query: EigengapQuery) -> Content:
    """Compose the page's charts and sentences."""
    problem, budget = query.problem_at_gap(query.gap), query.mechanism_budget
    noise = {m.name: entry_noise(m, problem, budget) for m in GAP_ADAPTIVE}
    settings = [getattr(query, f.name) for f in fields(query) if f.name != "data"]
    return Content(
        id=f"{query.data.identity} {settings}",
        charts=[
            _release_fan(query),
            _sensitivity_by_gap(query),
            _discounted_sensitivity(query),
            _noise_by_gap(query),
            _gaps_by_k(query),
            _choice_by_k(query),
        ],
        says={
            "answer": text.answer(query, largest_rotation(query)),
            "under": text.noise_summary(query, noise),
            "footer": text.footer(query),
        },
        settings=text.settings(query),
    )


def largest_rotation(query: EigengapQuery) -> float:
    """Largest angle by which one person turns the top subspace, in radians."""
    steps = query.gap / gap_change(query.adjacency)
    return asin(1 / steps) / 2 if steps > 1 else pi / 2


def entry_noise(mechanism: Mechanism, problem: Problem, budget: Budget) -> float:
    """Noise per entry of a direction; NaN where there is no release."""
    try:
        scale = mechanism.calibrate(problem, budget).scale
    except InfeasibleBudget:
        return float("nan")
    return scale if np.isfinite(scale) else float("nan")


def release_angles(query: EigengapQuery, mechanism: Mechanism) -> Array:
    """Largest angles (T,) between releases at this gap and the true subspace, in degrees.

    () where there is no release.
    """
    problem, rng = query.problem_with_gap(), np.random.default_rng(0)
    count = FAN_RELEASES if query.data.d <= WIDE_FAN_COLUMNS else WIDE_FAN_RELEASES
    try:
        bases = mechanism.release(problem, query.mechanism_budget, rng, count).bases
    except InfeasibleBudget:
        return np.zeros(0)
    cosines = np.linalg.svd(problem.basis.T @ bases, compute_uv=False)[:, -1]
    return np.asarray(np.degrees(np.arccos(np.clip(cosines, 0, 1))))


def _release_fan(query: EigengapQuery) -> Chart:
    """The direction turned most in releases by noise on S and by noise on the directions."""
    approximate = query.mechanism_budget.delta > 0
    on_s = registry.DEFAULT if approximate else registry.PURE_DEFAULT
    on_basis = registry.SMOOTH_DEFAULT if approximate else registry.SMOOTH_PURE_DEFAULT
    pair: tuple[Mechanism, ...] = (on_s, on_basis)
    turned = {mechanism: release_angles(query, mechanism) for mechanism in pair}
    norm = median_norm(on_s, query.data.d, query.mechanism_budget)
    needles = {m.name: (angles, family_role(m.family)) for m, angles in turned.items()}
    return Chart("fan", fan(needles), **text.fan_labels(query, norm, turned))


def _sensitivity_by_gap(query: EigengapQuery) -> Chart:
    """How far one person turns the top directions against the gap, exactly and as bounded."""
    d, k, adjacency = query.data.d, query.k, query.adjacency
    smooth = [smooth_sensitivity(g, d, k, query.beta, adjacency).bound for g in GAP_VALUES]
    exact = [query.local_sensitivity(g) for g in GAP_VALUES]
    bold: dict[str, Any] = {"width": CHOSEN_WIDTH, "chosen": True, "bridged": False}
    paper = f"the paper’s C/g, C = {CONSTANT:g}"
    curves = [
        Curve("exact", "one person, exact", np.array(exact), "ink", **bold),
        Curve("smooth", "smooth bound U", np.array(smooth), _SMOOTH, **bold),
        Curve("paper", paper, CONSTANT / GAP_VALUES, family_role(Family.BASELINE), "5px,4px"),
        _level("any", "any two data sets", basis_diameter(d, k), GAP_VALUES, "grey"),
    ]
    selected = f"gap {escape(query.with_unit(query.gap), quote=False)}"
    figure = chart(
        _gap_axis(query),
        Axis(1e-8, 3, log=True, tick_format=POWERS),
        GAP_VALUES,
        curves,
        lines=[Line(query.gap, selected, "accent", upright=True, below=True)],
        hover="gap %{x} → %{y}",
    )
    equal = np.array(smooth) <= np.array(exact) * 1.001
    meeting = GAP_VALUES[equal & (gap_change(adjacency) < GAP_VALUES)]
    return Chart("turn", figure, **text.sensitivity_labels(query, meeting))


def _discounted_sensitivity(query: EigengapQuery) -> Chart:
    """The local sensitivity after j people have changed, discounted by e⁻ᵝʲ."""
    step = gap_change(query.adjacency)
    steps = int(query.gap / step)
    last = max(3.0, query.gap / step * 1.15 + 3)
    people = np.round(np.linspace(0, last, MOST_TERMS))
    people = np.unique([*people, *range(max(0, steps - 3), steps + 4)])
    terms = np.array(
        [exp(-query.beta * j) * query.local_sensitivity(query.gap - j * step) for j in people]
    )
    worst = smooth_sensitivity(query.gap, query.data.d, query.k, query.beta, query.adjacency)
    low = max(1e-12, float(terms[terms > 0].min()) / 2)
    title = f"j, {escape(query.data.unit.many, quote=False)} changed"
    figure = chart(
        Axis(0, float(people[-1]), title=title, tick_format=",~r", hover_format=","),
        Axis(low, float(terms.max()) * 3, log=True, tick_format=POWERS),
        people,
        [Curve("terms", "e⁻ᵝʲ·LS(g − j)", terms, _SMOOTH, width=CHOSEN_WIDTH, chosen=True)],
        dots=[Dot(float(worst.people), worst.bound, f"U = {significant(worst.bound)}")],
        hover="j = %{x} → %{y}",
    )
    return Chart("terms", figure, **text.discounted_labels(query, worst.people))


def _noise_by_gap(query: EigengapQuery) -> Chart:
    """Noise of a released entry against the gap, and that of noise on S over the gap."""
    values, budget = GAP_VALUES[::3], query.mechanism_budget
    problems = [query.problem_at_gap(gap) for gap in values]
    noise = {m: [entry_noise(m, problem, budget) for problem in problems] for m in GAP_ADAPTIVE}
    # To first order noise on S adds its size over the gap to an entry.
    on_s = entry_noise(registry.DEFAULT, Problem(np.eye(2), 2.0, 1), budget) / sqrt(2) / values
    curves = [
        Curve(
            m.key,
            m.name if m is not registry.DEFAULT else f"{m.name} on S ÷ gap",
            np.asarray(each, dtype=np.float64),
            family_role(m.family),
            colours.dash(m),
            colours.width(m),
            bridged=False,
        )
        for m, each in {**noise, registry.DEFAULT: on_s}.items()
    ]
    entry = 1 / sqrt(query.data.d)
    curves.append(_level("entry", "typical entry, 1/√d", entry, values, "faint"))
    figure = chart(
        _gap_axis(query),
        Axis(1e-7, 1e5, log=True, tick_format=POWERS),
        values,
        curves,
        lines=[Line(query.gap, color="accent", upright=True)],
        hover="gap %{x} → %{y}",
    )
    return Chart("by-gap", figure, *text.NOISE_BY_GAP)


def _level(key: str, name: str, value: float, x: Array, color: str) -> Curve:
    """Return a curve that is the same everywhere."""
    return Curve(key, name, np.full(len(x), value), color, "2px,3px", 1.2)


def _gap_axis(query: EigengapQuery) -> Axis:
    title = f"eigengap, in {escape(query.data.unit.many, quote=False)}"
    return Axis(0.1, 1e7, log=True, title=title, tick_format=POWERS, hover_format=",.3~r")


def _gaps_by_k(query: EigengapQuery) -> Chart:
    """The gap behind each k: what a look at the data shows."""
    values = np.maximum(gaps(query.problem, query.most_directions), 1e-3)
    low, high = 10 ** np.floor(np.log10(values.min())), 10 ** np.ceil(np.log10(values.max()) + 0.1)
    axis = Axis(float(low), float(high), log=True, tick_format=POWERS, hover_format=",.3~r")
    hover = f"k = %{{x}} → %{{y}} {escape(query.data.unit.many, quote=False)}"
    figure = _by_k(query, axis, "gap", values, "ink", hover)
    return Chart("choice", figure, **text.gaps_labels(query))


def _choice_by_k(query: EigengapQuery) -> Chart:
    """How likely the private choice selects each k."""
    epsilon, most = query.choice_budget.epsilon, query.most_directions
    shares = chances(query.problem, epsilon, most, query.adjacency)
    figure = _by_k(query, Axis(0, 1), "probability", shares, _SMOOTH, "k = %{x} → %{y}")
    return Chart("private-choice", figure, **text.choice_labels(query, shares))


def _by_k(
    query: EigengapQuery, y: Axis, name: str, values: Array, color: str, hover: str
) -> dict[str, Any]:
    """Return one bar for each k, the one of the selected k filled."""
    ks = np.arange(1.0, len(values) + 1)
    ticks = tuple(ks.tolist()) if len(ks) <= MOST_TICKED else ()
    x = Axis(0.5, len(ks) + 0.5, title="directions k", ticks=ticks)
    bars = Bars(name, ks, values, color, filled=ks == query.k)
    return chart(x, y, np.zeros(0), bars=[bars], hover=hover)
