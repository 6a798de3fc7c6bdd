"""The Eigengap page's noise: against the gap, the number of people and ε."""

from math import sqrt
from typing import Any

import numpy as np

from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.text.privacy_numbers import epsilon_text
from ui.eigengap.query import Asked
from ui.figures.axes import axis, line
from ui.text.numbers import count

GAPS = np.geomspace(0.1, 1e7, 97)
EPSILONS = np.geomspace(0.01, 100, 13)
PEOPLE = np.geomspace(100, 1e8, 25)
NOISY = ("smooth_gaussian_printed", "smooth_gaussian", "smooth_cauchy", "gap_release")


def noise(mechanism: Mechanism, problem: Problem, budget: Budget) -> float:
    """Noise per entry of a direction; NaN where there is no release."""
    try:
        scale = mechanism.calibrate(problem, budget).scale
    except InfeasibleBudget:
        return float("nan")
    return scale if np.isfinite(scale) else float("nan")


def input_noise(gap: float, budget: Budget) -> float:
    """Gaussian noise on S over the gap: what it adds to an entry, to first order."""
    if budget.delta == 0:
        return float("nan")
    stub = Problem(np.eye(2), 2.0, 1)
    return MECHANISMS["gaussian"].calibrate(stub, budget).scale / sqrt(2) / gap


def by_gap(asked: Asked) -> dict[str, Any]:
    """Noise of a released entry against the gap."""
    gaps, budget = GAPS[::3], asked.budget
    lines = [
        line(MECHANISMS[key].name,
             [noise(MECHANISMS[key], asked.at_gap(g), budget) for g in gaps],
             MECHANISMS[key].family, dash="5 4" if MECHANISMS[key].printed else None)
        for key in NOISY
    ]  # fmt: skip
    lines.append(line("Gaussian on S ÷ gap", [input_noise(g, budget) for g in gaps], "gaussian"))
    return {
        "key": "by-gap", "height": 230, "title": "Noise against the gap",
        "sub": "noise per entry of a direction; below the dotted line a direction shows",
        "x": axis("gap", f"eigengap, in {asked.data.unit.many}", 0.1, 1e7, values=gaps),
        "y": axis("", "", 1e-7, 1e5), "lines": lines,
        "rules": [
            {"y": 1 / sqrt(asked.data.d), "color": "ink", "dash": "1 3", "text": "an entry, 1/√d"},
            {"x": asked.gap, "color": "accent", "text": ""},
        ],
    }  # fmt: skip


def by_people(asked: Asked) -> dict[str, Any]:
    """Noise of a released entry as the gap grows with the people."""
    share, budget = asked.gap / asked.n, asked.budget
    lines = [
        line(MECHANISMS[key].name,
             [noise(MECHANISMS[key], asked.at_gap(share * n, n), budget) for n in PEOPLE],
             MECHANISMS[key].family, dash="5 4" if MECHANISMS[key].printed else None)
        for key in NOISY
    ]  # fmt: skip
    lines.append(
        line("Gaussian on S ÷ gap", [input_noise(share * n, budget) for n in PEOPLE], "gaussian")
    )
    many = asked.data.unit.many
    return {
        "key": "by-people", "height": 230, "title": f"Noise against the number of {many}",
        "sub": f"as if so many {many} looked like these: the gap grows with them",
        "x": axis("n", many, 100, 1e8, values=PEOPLE), "y": axis("", "", 1e-7, 1e5),
        "lines": lines,
        "rules": [
            {"y": 1 / sqrt(asked.data.d), "color": "ink", "dash": "1 3", "text": "an entry, 1/√d"},
            {"x": asked.n, "color": "accent", "text": f"{count(asked.n)} {many}"},
        ],
    }  # fmt: skip


def by_epsilon(asked: Asked) -> dict[str, Any]:
    """Noise of a released entry against ε, at this gap."""
    problem = asked.at_gap(asked.gap)
    budgets = [asked.with_epsilon(float(f"{e:.6g}")) for e in EPSILONS]
    lines = [
        line(MECHANISMS[key].name, [noise(MECHANISMS[key], problem, b) for b in budgets],
             MECHANISMS[key].family, dash="5 4" if MECHANISMS[key].printed else None)
        for key in NOISY
    ]  # fmt: skip
    lines.append(
        line("Gaussian on S ÷ gap", [input_noise(asked.gap, b) for b in budgets], "gaussian")
    )
    return {
        "key": "by-epsilon", "height": 230, "title": "Noise against ε",
        "sub": "at this gap; it falls steeply until the smooth bound meets the exact one",
        "x": axis("ε", "privacy parameter ε", 0.01, 100, values=EPSILONS, text=epsilon_text),
        "y": axis("", "", 1e-7, 1e5), "lines": lines,
        "rules": [
            {"y": 1 / sqrt(asked.data.d), "color": "ink", "dash": "1 3", "text": "an entry, 1/√d"},
            {"x": asked.epsilon, "color": "accent", "text": ""},
        ],
    }  # fmt: skip
