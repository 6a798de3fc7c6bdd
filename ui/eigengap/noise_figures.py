"""Charts of the noise per entry: against the gap, the number of people and ε."""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

from dpca_core.mechanisms.base import Family, Mechanism
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS
from dpca_core.text.privacy_numbers import epsilon_text
from ui.eigengap import text
from ui.eigengap.measurements import entry_noise, input_noise
from ui.eigengap.query import EigengapQuery
from ui.figures.axes import Values, axis, line
from ui.text.numbers import count

GAP_AXIS = np.geomspace(0.1, 1e7, 97)
NOISE_EPSILON_AXIS = np.geomspace(0.01, 100, 13)
NOISE_PEOPLE_AXIS = np.geomspace(100, 1e8, 25)
NOISE_RANGE = (1e-7, 1e5)
GAP_ADAPTIVE = tuple(
    mechanism.key
    for mechanism in sorted(
        MECHANISMS.values(), key=lambda m: (list(Family).index(m.family), not m.printed)
    )
    if mechanism.follows_gap
)
"""Keys of mechanisms whose noise follows the gap, by family, the printed ones first."""


def noise_by_gap(query: EigengapQuery) -> dict[str, Any]:
    """Noise of a released entry against the gap."""
    gaps, budget = GAP_AXIS[::3], query.mechanism_budget
    return {
        "key": "by-gap",
        "height": 230,
        **text.NOISE_BY_GAP,
        "x": axis("gap", f"eigengap, in {query.data.unit.many}", 0.1, 1e7, values=gaps),
        "y": axis("", "", *NOISE_RANGE),
        "lines": _lines(
            lambda m: [entry_noise(m, query.problem_at_gap(g), budget) for g in gaps],
            [input_noise(g, budget) for g in gaps],
        ),
        "rules": _rules(query, query.gap),
    }


def noise_by_people(query: EigengapQuery) -> dict[str, Any]:
    """Noise of a released entry as the gap grows with the people."""
    share, budget, many = query.gap / query.n, query.mechanism_budget, query.data.unit.many
    sizes = NOISE_PEOPLE_AXIS
    return {
        "key": "by-people",
        "height": 230,
        **text.noise_by_people(query),
        "x": axis("n", many, 100, 1e8, values=sizes),
        "y": axis("", "", *NOISE_RANGE),
        "lines": _lines(
            lambda m: [entry_noise(m, query.problem_at_gap(share * n, n), budget) for n in sizes],
            [input_noise(share * n, budget) for n in sizes],
        ),
        "rules": _rules(query, query.n, f"{count(query.n)} {many}"),
    }


def noise_by_epsilon(query: EigengapQuery) -> dict[str, Any]:
    """Noise of a released entry against ε, at this gap."""
    problem = query.problem_at_gap(query.gap)
    budgets = [query.mechanism_budget_at(float(f"{e:.6g}")) for e in NOISE_EPSILON_AXIS]
    values = NOISE_EPSILON_AXIS
    return {
        "key": "by-epsilon",
        "height": 230,
        **text.NOISE_BY_EPSILON,
        "x": axis("ε", "privacy parameter ε", 0.01, 100, values=values, text=epsilon_text),
        "y": axis("", "", *NOISE_RANGE),
        "lines": _lines(
            lambda m: [entry_noise(m, problem, b) for b in budgets],
            [input_noise(query.gap, b) for b in budgets],
        ),
        "rules": _rules(query, query.epsilon),
    }


def _lines(noise_of: Callable[[Mechanism], Values], on_input: Values) -> list[dict[str, Any]]:
    """Return a line for each mechanism that adapts to the gap, and one for noise on S."""
    found = []
    for mechanism in (MECHANISMS[key] for key in GAP_ADAPTIVE):
        dash = "5 4" if mechanism.printed else None
        found.append(line(mechanism.name, noise_of(mechanism), mechanism.family, dash=dash))
    return [*found, line(f"{DEFAULT.name} on S ÷ gap", on_input, DEFAULT.family)]


def _rules(query: EigengapQuery, selected: float, label: str = "") -> list[dict[str, Any]]:
    """Mark a typical entry of a direction, and the selected value of the axis."""
    entry = 1 / sqrt(query.data.d)
    return [
        {"y": entry, "color": "ink", "dash": "1 3", "text": "typical entry, 1/√d"},
        {"x": selected, "color": "accent", "text": label},
    ]
