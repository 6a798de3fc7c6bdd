"""The Eigengap page's charts: how far one person turns the top directions, and a private k."""

from dataclasses import fields
from html import escape
from math import exp, sqrt
from typing import Any

import numpy as np

from dpca_core.analysis.choose_k import gaps
from dpca_core.figures import colours
from dpca_core.figures.chart import POWERS, Axis, Bars, Curve, Dot, Line, chart
from dpca_core.figures.colours import CHOSEN_WIDTH, family_role
from dpca_core.figures.pictures import fan, lengths
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
from ui.eigengap.measurements import (
    choice_probabilities,
    entry_noise,
    input_noise,
    largest_rotation,
    release_angles,
)
from ui.eigengap.query import EigengapQuery
from ui.page.content import Chart, Content
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
MOST_TICKED = 20
"""Directions that each have a tick; of more, Plotly chooses some."""


def page_content(query: EigengapQuery) -> Content:
    """Compose the page's charts and sentences."""
    problem, budget = query.problem_at_gap(query.gap), query.mechanism_budget
    noise = {key: entry_noise(MECHANISMS[key], problem, budget) for key in GAP_ADAPTIVE}
    settings = [getattr(query, f.name) for f in fields(query) if f.name != "data"]
    approximate = budget.delta > 0
    on_s = DEFAULT if approximate else PURE_DEFAULT
    on_basis = SMOOTH_DEFAULT if approximate else SMOOTH_PURE_DEFAULT
    return Content(
        id=f"{query.data.identity} {settings}",
        charts=[
            _gap_and_noise(query, on_s),
            _release_fan(query, on_s, "fan-on-s"),
            _release_fan(query, on_basis, "fan-on-directions"),
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


def _gap_and_noise(query: EigengapQuery, mechanism: Mechanism) -> Chart:
    """The gap beside the largest effect of the noise on any direction."""
    norm = median_norm(mechanism, query.data.d, query.mechanism_budget)
    values = {"gap": query.gap, "noise": norm}
    words = [escape(f"{name} {query.with_unit(x)}", quote=False) for name, x in values.items()]
    colors = ("accent", family_role(mechanism.family))
    return Chart(
        "gap-and-noise",
        lengths(list(values), words, list(values.values()), colors),
        **text.gap_labels(query.gap / norm, mechanism, query.data.d),
        place="third",
    )


def _release_fan(query: EigengapQuery, mechanism: Mechanism, key: str) -> Chart:
    """The direction turned most in releases at this gap, beside the true one."""
    try:
        angles = np.degrees(release_angles(query, mechanism))
    except InfeasibleBudget:
        angles = np.zeros(0)
    labels = text.fan_labels(mechanism, angles)
    return Chart(
        key,
        fan(mechanism.name, angles, family_role(mechanism.family)),
        **labels,
        place="third",
    )


def _sensitivity_by_gap(query: EigengapQuery) -> Chart:
    """How far one person turns the top directions against the gap, exactly and as bounded."""
    d, k, adjacency = query.data.d, query.k, query.adjacency
    smooth = [smooth_sensitivity(g, d, k, query.beta, adjacency).bound for g in GAP_VALUES]
    exact = [query.local_sensitivity(g) for g in GAP_VALUES]
    bold: dict[str, Any] = {"width": CHOSEN_WIDTH, "chosen": True, "bridged": False}
    paper = f"the paper’s C/g, C = {query.constant:g}"
    curves = [
        Curve("exact", "one person, exact", np.array(exact), "ink", **bold),
        Curve("smooth", "smooth bound U", np.array(smooth), family_role(Family.SMOOTH), **bold),
        Curve("paper", paper, query.constant / GAP_VALUES, family_role(Family.BASELINE), "5px,4px"),
        _level("any", "any two data sets", basis_diameter(d, k), GAP_VALUES, "grey", "2px,3px"),
    ]
    selected = f"gap {escape(query.with_unit(query.gap), quote=False)}"
    return Chart(
        "turn",
        chart(
            _gap_axis(query),
            Axis(1e-8, 3, log=True, tick_format=POWERS),
            GAP_VALUES,
            curves,
            lines=[Line(query.gap, selected, "accent", upright=True, below=True)],
            height=300,
            hover="gap %{x} → %{y}",
        ),
        **text.sensitivity_labels(query, _meeting_gap(query, smooth, exact)),
        place="wide",
    )


def _meeting_gap(query: EigengapQuery, smooth: list[float], exact: list[float]) -> float | None:
    """Return the first gap drawn at which the smooth bound is the exact value."""
    equal = np.array(smooth) <= np.array(exact) * 1.001
    meets = np.flatnonzero(equal & (gap_change(query.adjacency) < GAP_VALUES))
    return float(GAP_VALUES[meets[0]]) if len(meets) else None


def _discounted_sensitivity(query: EigengapQuery) -> Chart:
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
    color = family_role(Family.SMOOTH)
    curve = Curve(
        "terms", "e⁻ᵝʲ·LS(g − j)", np.array(terms), color, width=CHOSEN_WIDTH, chosen=True
    )
    return Chart(
        "terms",
        chart(
            Axis(0, float(people[-1]), title=title, tick_format=",~r", hover_format=","),
            Axis(low, max(terms) * 3, log=True, tick_format=POWERS),
            people,
            [curve],
            dots=[Dot(float(worst.people), worst.bound, f"U = {significant(worst.bound)}")],
            hover="j = %{x} → %{y}",
        ),
        **text.discounted_labels(query, worst.people),
    )


def _noise_by_gap(query: EigengapQuery) -> Chart:
    """Noise of a released entry against the gap, and that of noise on S over the gap."""
    values, budget = GAP_VALUES[::3], query.mechanism_budget
    problems = [query.problem_at_gap(gap) for gap in values]
    curves = [
        _noise_curve(m, m.name, [entry_noise(m, problem, budget) for problem in problems])
        for m in (MECHANISMS[key] for key in GAP_ADAPTIVE)
    ]
    on_s = [input_noise(gap, budget) for gap in values]
    curves.append(_noise_curve(DEFAULT, f"{DEFAULT.name} on S ÷ gap", on_s))
    entry = 1 / sqrt(query.data.d)
    curves.append(_level("entry", "typical entry, 1/√d", entry, values, "faint", "2px,3px"))
    return Chart(
        "by-gap",
        chart(
            _gap_axis(query),
            Axis(1e-7, 1e5, log=True, tick_format=POWERS),
            values,
            curves,
            lines=[Line(query.gap, color="accent", upright=True)],
            hover="gap %{x} → %{y}",
        ),
        **text.NOISE_BY_GAP,
    )


def _noise_curve(mechanism: Mechanism, name: str, noise: list[float]) -> Curve:
    return Curve(
        mechanism.key,
        name,
        np.array(noise, dtype=np.float64),
        family_role(mechanism.family),
        colours.dash(mechanism),
        colours.width(mechanism),
        bridged=False,
    )


def _level(key: str, name: str, value: float, x: Array, color: str, dash: str) -> Curve:
    """Return a curve that is the same everywhere."""
    return Curve(key, name, np.full(len(x), value), color, dash, 1.2)


def _gap_axis(query: EigengapQuery) -> Axis:
    title = f"eigengap, in {escape(query.data.unit.many, quote=False)}"
    return Axis(0.1, 1e7, log=True, title=title, tick_format=POWERS, hover_format=",.3~r")


def _gaps_by_k(query: EigengapQuery) -> Chart:
    """The gap behind each k: what a look at the data shows."""
    values = np.maximum(gaps(query.problem, query.most_directions), 1e-3)
    low, high = 10 ** np.floor(np.log10(values.min())), 10 ** np.ceil(np.log10(values.max()) + 0.1)
    axis = Axis(float(low), float(high), log=True, tick_format=POWERS, hover_format=",.3~r")
    hover = f"k = %{{x}} → %{{y}} {escape(query.data.unit.many, quote=False)}"
    bars = _bars(query, "gap", values, "ink")
    return Chart("choice", _by_k(query, axis, bars, hover), **text.gaps_labels(query))


def _choice_by_k(query: EigengapQuery) -> Chart:
    """How likely the private choice selects each k."""
    shares = choice_probabilities(query)
    best = int(np.argmax(shares)) + 1
    bars = _bars(query, "probability", shares, family_role(Family.SMOOTH))
    figure = _by_k(query, Axis(0, 1), bars, "k = %{x} → %{y}")
    labels = text.choice_labels(query, best, float(shares[best - 1]))
    return Chart("private-choice", figure, **labels)


def _by_k(query: EigengapQuery, y: Axis, bars: Bars, hover: str) -> dict[str, Any]:
    most = query.most_directions
    ticks = tuple(np.arange(1.0, most + 1).tolist()) if most <= MOST_TICKED else ()
    x = Axis(0.5, most + 0.5, title="directions k", ticks=ticks)
    return chart(x, y, np.zeros(0), bars=[bars], hover=hover)


def _bars(query: EigengapQuery, name: str, values: Array, color: str) -> Bars:
    """Return one bar for each k, the one of the selected k filled."""
    ks = np.arange(1.0, len(values) + 1)
    return Bars(name, ks, values, color, filled=ks == query.k)
