"""What the Eigengap page shows: how far one person turns the top directions, and a private k."""

from dataclasses import fields
from html import escape
from math import asin, degrees, exp, pi, sqrt
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
from dpca_core.privacy.budget import Adjacency, Budget, InfeasibleBudget
from dpca_core.privacy.sensitivity import gap_change
from dpca_core.privacy.smooth_sensitivity import basis_diameter, smooth_sensitivity
from dpca_core.problem import Problem
from dpca_core.simulation.trials import median_norm, norm_trials
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import upward
from ui.eigengap.query import EigengapQuery
from ui.page.content import Chart, Content
from ui.page.words import Words
from ui.text.numbers import count, significant, subspace_name
from ui.text.words import budget_text

say = Words(__file__)
GAP_VALUES = np.geomspace(0.1, 1e7, 97)
GAP_ADAPTIVE = tuple(
    mechanism
    for mechanism in registry.MECHANISMS.values()
    if mechanism is registry.SMOOTH_PRINTED
    or (mechanism.family in (Family.SMOOTH, Family.GAP_RELEASE) and mechanism.role != "printed")
)
"""Mechanisms whose noise follows the gap."""
CONSTANT = 0.766
"""The constant C that the paper leaves unspecified: at k = 1 it suffices for gaps of 1 or more."""
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
    data, asked = query.data, [getattr(query, f.name) for f in fields(query) if f.name != "data"]
    budget = budget_text(query.budget, data.unit.one)
    settings = say("settings", q=query, data=data, budget=budget)
    mean = say("mean", share=data.mean_share * 100) if data.mean_share else ""
    return Content(
        id=f"{data.identity} {asked}",
        charts=[
            _release_fan(query),
            _sensitivity_by_gap(query),
            _discounted_sensitivity(query),
            _noise_by_gap(query),
            _gaps_by_k(query),
            _choice_by_k(query),
        ],
        says={"answer": answer(query), "footer": say("footer", settings=settings, mean=mean)},
        settings=settings,
    )


def answer(query: EigengapQuery) -> str:
    """Say how far one person can turn the result."""
    turned, who = degrees(largest_rotation(query)), f"one {query.data.unit.one}"
    if query.budget.adjacency is Adjacency.REPLACE_ONE:
        who += " replaced"
    said = {"gap": _with_unit(query, query.gap), "who": who, "space": subspace_name(query.k)}
    return say("answer" if turned < 90 else "all_the_way", turned=upward(turned, 2), **said)


def largest_rotation(query: EigengapQuery) -> float:
    """Largest angle by which one person turns the top subspace, in radians."""
    steps = query.gap / gap_change(query.budget.adjacency)
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
    trials = FAN_RELEASES if query.data.d <= WIDE_FAN_COLUMNS else WIDE_FAN_RELEASES
    try:
        bases = mechanism.release(problem, query.point[1], rng, trials).bases
    except InfeasibleBudget:
        return np.zeros(0)
    cosines = np.linalg.svd(problem.basis.T @ bases, compute_uv=False)[:, -1]
    return np.asarray(np.degrees(np.arccos(np.clip(cosines, 0, 1))))


def _release_fan(query: EigengapQuery) -> Chart:
    """The direction turned most in releases by noise on S and by noise on the directions."""
    budget, pair = query.point[1], [registry.PURE_DEFAULT, registry.SMOOTH_PURE_DEFAULT]
    if budget.delta > 0:
        pair = [registry.DEFAULT, registry.SMOOTH_DEFAULT]
    turned = {m.name: release_angles(query, m) for m in pair}
    noise = median_norm(pair[0], query.data.d, budget)
    released = {name: len(angles) for name, angles in turned.items() if len(angles)}
    needles = {"drawn": max(released.values(), default=0), "names": listed([*released])}
    labels = say.chart(
        "fan",
        ratio=query.gap / noise,
        gap=_with_unit(query, query.gap),
        noise=_with_unit(query, noise),
        without="".join(say("without", name=m) for m in turned if m not in released),
        name=pair[0].name,
        trials=norm_trials(query.data.d),
        # How far half of them are off is Explore's to say: it draws forty times as many.
        needles=say("needles", **needles) if released else "",
    )
    roles = {m.name: (turned[m.name], family_role(m.family)) for m in pair}
    return Chart("fan", fan(roles), **labels)


def _sensitivity_by_gap(query: EigengapQuery) -> Chart:
    """How far one person turns the top directions against the gap, exactly and as bounded."""
    d, k, adjacency = query.data.d, query.k, query.budget.adjacency
    smooth = np.array(
        [smooth_sensitivity(g, d, k, query.beta, adjacency).bound for g in GAP_VALUES]
    )
    exact = np.array([query.local_sensitivity(g) for g in GAP_VALUES])
    bold: dict[str, Any] = {"width": CHOSEN_WIDTH, "chosen": True, "bridged": False}
    paper = f"the paper’s C/g, C = {CONSTANT:g}"
    curves = [
        Curve("exact", "one person, exact", exact, "ink", **bold),
        Curve("smooth", "smooth bound U", smooth, _SMOOTH, **bold),
        Curve("paper", paper, CONSTANT / GAP_VALUES, family_role(Family.BASELINE), "5px,4px"),
        _level("any", "any two data sets", basis_diameter(d, k), GAP_VALUES, "grey"),
    ]
    selected = f"gap {escape(_with_unit(query, query.gap), quote=False)}"
    figure = chart(
        _gap_axis(query),
        Axis(1e-8, 3, log=True, tick_format=POWERS),
        GAP_VALUES,
        curves,
        lines=[Line(query.gap, selected, "accent", upright=True)],
        hover="gap %{x} → %{y}",
    )
    equal = (smooth <= exact * 1.001) & (gap_change(adjacency) < GAP_VALUES)
    meets = [say("meets", gap=_with_unit(query, float(gap))) for gap in GAP_VALUES[equal][:1]]
    return Chart("turn", figure, **say.chart("turn", one=query.data.unit.one, meets="".join(meets)))


def _discounted_sensitivity(query: EigengapQuery) -> Chart:
    """The local sensitivity after j people have changed, discounted by e⁻ᵝʲ."""
    step, many = gap_change(query.budget.adjacency), query.data.unit.many
    steps = int(query.gap / step)
    last = max(3.0, query.gap / step * 1.15 + 3)
    people = np.round(np.linspace(0, last, MOST_TERMS))
    people = np.unique([*people, *range(max(0, steps - 3), steps + 4)])
    terms = np.array(
        [exp(-query.beta * j) * query.local_sensitivity(query.gap - j * step) for j in people]
    )
    worst = smooth_sensitivity(query.gap, query.data.d, query.k, query.beta, query.budget.adjacency)
    one = query.data.unit.one
    who = f"1 {one}" if worst.people == 1 else f"{count(worst.people)} {many}"
    low, title = max(1e-12, float(terms[terms > 0].min()) / 2), escape(many, quote=False)
    figure = chart(
        Axis(
            0, float(people[-1]), False, f"j, {title} changed", tick_format=",~r", hover_format=","
        ),
        Axis(low, float(terms.max()) * 3, log=True, tick_format=POWERS),
        people,
        [Curve("terms", "e⁻ᵝʲ·LS(g − j)", terms, _SMOOTH, width=CHOSEN_WIDTH, chosen=True)],
        dots=[Dot(float(worst.people), worst.bound, f"U = {significant(worst.bound)}")],
        hover="j = %{x} → %{y}",
    )
    return Chart("terms", figure, **say.chart("terms", who=who, many=many))


def _noise_by_gap(query: EigengapQuery) -> Chart:
    """Noise of a released entry against the gap, and that of noise on S over the gap."""
    values, budget = GAP_VALUES[::3], query.point[1]
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
    return Chart("by-gap", figure, **say.chart("by-gap"))


def _level(key: str, name: str, value: float, x: Array, color: str) -> Curve:
    """Return a curve that is the same everywhere."""
    return Curve(key, name, np.full(len(x), value), color, "2px,3px", 1.2)


def _gap_axis(query: EigengapQuery) -> Axis:
    title = say("gap_axis", many=escape(query.data.unit.many, quote=False))
    return Axis(0.1, 1e7, log=True, title=title, tick_format=POWERS, hover_format=",.3~r")


def _gaps_by_k(query: EigengapQuery) -> Chart:
    """The gap behind each k: what a look at the data shows."""
    many, values = query.data.unit.many, gaps(query.point[0], query.most_directions)
    values = np.maximum(values, 1e-3)
    low, high = 10 ** np.floor(np.log10(values.min())), 10 ** np.ceil(np.log10(values.max()) + 0.1)
    axis = Axis(float(low), float(high), log=True, tick_format=POWERS, hover_format=",.3~r")
    hover = f"k = %{{x}} → %{{y}} {escape(many, quote=False)}"
    figure = _by_k(query, axis, "gap", values, "ink", hover)
    return Chart("choice", figure, **say.chart("choice", many=many))


def _choice_by_k(query: EigengapQuery) -> Chart:
    """How likely the private choice selects each k, with what a private mean leaves of its ε."""
    adjacency = query.budget.adjacency
    left = query.data.mechanism_budget(Budget(query.choice_epsilon, 0.0, adjacency))
    shares = chances(query.point[0], left.epsilon, query.most_directions, adjacency)
    figure = _by_k(query, Axis(0, 1), "probability", shares, _SMOOTH, "k = %{x} → %{y}")
    found = {"k": np.argmax(shares) + 1, "share": float(shares.max())}
    labels = say.chart("private-choice", q=query, many=query.data.unit.many, **found)
    return Chart("private-choice", figure, **labels)


def _by_k(
    query: EigengapQuery, y: Axis, name: str, values: Array, color: str, hover: str
) -> dict[str, Any]:
    """Return one bar for each k, the one of the selected k filled."""
    ks = np.arange(1.0, len(values) + 1)
    ticks = tuple(ks.tolist()) if len(ks) <= MOST_TICKED else ()
    x = Axis(0.5, len(ks) + 0.5, title="directions k", ticks=ticks)
    bars = Bars(name, ks, values, color, filled=ks == query.k)
    return chart(x, y, np.zeros(0), bars=[bars], hover=hover)


def _with_unit(query: EigengapQuery, value: float) -> str:
    """Write a number with the data's unit of privacy: "129 people"."""
    unit = query.data.unit
    return f"{significant(value, 3)}\u00a0{unit.one if value == 1 else unit.many}"
