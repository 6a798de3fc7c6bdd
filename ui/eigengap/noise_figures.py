"""Charts of the noise per entry: against the gap, the number of people and ε."""

from collections.abc import Callable
from html import escape
from math import sqrt
from typing import Any

import numpy as np

from dpca_core.figures import line_styles
from dpca_core.figures.axes import POWERS, Axis
from dpca_core.figures.chart import chart, level
from dpca_core.figures.colours import family_role
from dpca_core.figures.layout import Spec
from dpca_core.figures.panels import Curve, Rule
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Family, Mechanism
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS, SMOOTH_PRINTED
from ui.eigengap import text
from ui.eigengap.measurements import entry_noise, input_noise
from ui.eigengap.query import EigengapQuery
from ui.text.numbers import count

GAP_VALUES = np.geomspace(0.1, 1e7, 97)
NOISE_EPSILONS = np.geomspace(0.01, 100, 13)
NOISE_PEOPLE = np.geomspace(100, 1e8, 25)
NOISE_AXIS = Axis(1e-7, 1e5, log=True, tick_format=POWERS)
GAP_ADAPTIVE = tuple(
    mechanism.key
    for mechanism in sorted(
        MECHANISMS.values(), key=lambda m: (list(Family).index(m.family), m.role != "printed")
    )
    if mechanism.family in (Family.SMOOTH, Family.GAP_RELEASE)
    and (mechanism.role != "printed" or mechanism is SMOOTH_PRINTED)
)
"""Keys of mechanisms whose noise follows the gap, by family, a printed one first."""


def gap_axis(query: EigengapQuery) -> Axis:
    """Return the axis of eigengaps."""
    title = f"eigengap, in {escape(query.data.unit.many, quote=False)}"
    return Axis(0.1, 1e7, log=True, title=title, tick_format=POWERS, hover_format=",.3~r")


def noise_by_gap(query: EigengapQuery) -> dict[str, Any]:
    """Noise of a released entry against the gap."""
    gaps, budget = GAP_VALUES[::3], query.mechanism_budget
    return {
        "key": "by-gap",
        **text.NOISE_BY_GAP,
        "figure": _noise_chart(
            query,
            gap_axis(query),
            gaps,
            lambda m: [entry_noise(m, query.problem_at_gap(g), budget) for g in gaps],
            [input_noise(g, budget) for g in gaps],
            Rule(query.gap),
            "gap %{x} → %{y}",
        ),
    }


def noise_by_people(query: EigengapQuery) -> dict[str, Any]:
    """Noise of a released entry as the gap grows with the people."""
    share, budget = query.gap / query.n, query.mechanism_budget
    sizes, many = NOISE_PEOPLE, escape(query.data.unit.many, quote=False)
    return {
        "key": "by-people",
        **text.noise_by_people(query),
        "figure": _noise_chart(
            query,
            Axis(100, 1e8, log=True, title=many, tick_format="~s", hover_format=",.3~r"),
            sizes,
            lambda m: [entry_noise(m, query.problem_at_gap(share * n, n), budget) for n in sizes],
            [input_noise(share * n, budget) for n in sizes],
            Rule(query.n, f"{count(query.n)} {many}"),
            f"%{{x}} {many} → %{{y}}",
        ),
    }


def noise_by_epsilon(query: EigengapQuery) -> dict[str, Any]:
    """Noise of a released entry against ε, at this gap."""
    problem = query.problem_at_gap(query.gap)
    budgets = [query.mechanism_budget_at(float(f"{e:.6g}")) for e in NOISE_EPSILONS]
    return {
        "key": "by-epsilon",
        **text.NOISE_BY_EPSILON,
        "figure": _noise_chart(
            query,
            Axis(0.01, 100, log=True, title="privacy parameter ε"),
            NOISE_EPSILONS,
            lambda m: [entry_noise(m, problem, b) for b in budgets],
            [input_noise(query.gap, b) for b in budgets],
            Rule(query.epsilon),
            "ε = %{x} → %{y}",
        ),
    }


def _noise_chart(
    query: EigengapQuery,
    axis: Axis,
    values: Array,
    noise_of: Callable[[Mechanism], list[float]],
    on_input: list[float],
    selected: Rule,
    hover: str,
) -> Spec:
    """Draw the noise of each mechanism that adapts to the gap, and of noise on S over the gap.

    Parameters
    ----------
    values
        Of the axis, (p,).
    noise_of, on_input
        Noise per entry at these values.
    """
    curves = [
        _curve(mechanism, mechanism.name, noise_of(mechanism))
        for mechanism in (MECHANISMS[key] for key in GAP_ADAPTIVE)
    ]
    curves.append(_curve(DEFAULT, f"{DEFAULT.name} on S ÷ gap", on_input))
    curves.append(level("entry", "typical entry, 1/√d", 1 / sqrt(query.data.d), values))
    return chart(axis, NOISE_AXIS, values, curves, rules=[selected], hover=hover)


def _curve(mechanism: Mechanism, name: str, noise: list[float]) -> Curve:
    return Curve(
        mechanism.key,
        name,
        np.array(noise, dtype=np.float64),
        family_role(mechanism.family),
        dash=line_styles.dash(mechanism),
        width=line_styles.width(mechanism),
        bridged=False,
    )
