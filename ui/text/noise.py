"""How much noise a mechanism adds, under the same name on every page."""

from math import isfinite

from dpca_core.mechanisms.mechanism import Family, Mechanism
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from ui.text.numbers import significant

MOST_REFUSED = 0.1
"""Charts omit points where a larger share of releases is refused: the others would mislead."""


def noise_per_entry(mechanism: Mechanism, problem: Problem, budget: Budget, many: str) -> str:
    """Write the standard deviation on a diagonal entry, such as "36 people"; "" for a baseline.

    Raises InfeasibleBudget where the mechanism has no noise level for the budget.
    """
    if mechanism.role == "baseline":
        return ""
    noise = mechanism.calibrate(problem, budget)
    if noise.entry is not None:
        return f"{significant(noise.entry)} {many}"
    if not isfinite(noise.scale):
        return "refuses"
    if noise.unit != "people":
        return f"{significant(noise.scale)}, on directions"
    if mechanism.family is Family.EXPONENTIAL:
        return "none added"
    each_round = " per round" if mechanism.family is Family.POWER else ""
    return f"{significant(noise.scale)} {many}{each_round}"
