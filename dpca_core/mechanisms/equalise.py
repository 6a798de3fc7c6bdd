"""The budget at which a printed mechanism really spends the requested ε."""

from functools import cache
from math import exp, log

from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import LEAST_EPSILON, MOST_EPSILON, Budget, InfeasibleBudget, Standing
from dpca_core.privacy.roots import bisect
from dpca_core.problem import Problem

_CLOSE = 1e-4


def equalised(mechanism: Mechanism, problem: Problem, budget: Budget) -> Budget:
    """Return the budget to ask of a mechanism so that its true ε is the one of ``budget``.

    A loose mechanism is asked for a larger ε, a weak one for a smaller, to 10⁻⁴ and never above.
    Calibrated mechanisms, and those that guarantee nothing at any ε, are asked as they are.
    InfeasibleBudget where the mechanism serves no ε whose true one comes close.
    """
    guarantee = mechanism.guarantee(problem, budget)
    unproved = guarantee.standing in (Standing.REFUTED, Standing.UNCERTIFIED, Standing.NONE)
    if mechanism.role != "printed" or unproved:
        return budget

    @cache
    def spent(asked: float) -> float:
        """True ε; ∞ where the mechanism has no answer or slips in δ, and beyond any budget."""
        if not LEAST_EPSILON <= asked <= MOST_EPSILON:
            return float("inf")
        try:
            true = mechanism.guarantee(problem, Budget(asked, budget.delta, budget.adjacency))
        except InfeasibleBudget:
            return float("inf")
        return true.epsilon if true.delta <= budget.delta else float("inf")

    within = budget.epsilon
    while spent(2 * within) <= budget.epsilon:
        within *= 2
    while spent(within) > budget.epsilon:
        if within < LEAST_EPSILON:
            raise InfeasibleBudget(
                "This mechanism cannot spend so little: choose a larger ε, or another mechanism."
            )
        within /= 2
    asked = bisect(
        lambda log_asked: spent(exp(log_asked)) <= budget.epsilon,
        log(2 * within),
        log(within),
        absolute=1e-6,
        close_enough=lambda log_asked: abs(spent(exp(log_asked)) / budget.epsilon - 1) < _CLOSE,
    )
    return Budget(max(exp(asked), LEAST_EPSILON), budget.delta, budget.adjacency)
