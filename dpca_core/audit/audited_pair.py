"""Two neighbouring data sets that a mechanism finds hard to hide, as far as is known."""

from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.neighbouring_pair import LEAST_EIGENVALUE, Pair, PairSize
from dpca_core.privacy.budget import Budget


def worst_pair(mechanism: Mechanism, d: int, k: int, n: int, budget: Budget) -> Pair:
    """Return the pair that the mechanism declares, at a size that can be audited.

    Parameters
    ----------
    d, k
        Columns, and directions kept.
    n
        People without the person.

    Raises
    ------
    InfeasibleBudget
        Where the mechanism has no noise for the budget.
    ValueError
        Unless 1 ≤ k < d, and where n people are too few to fix the other directions.
    """
    if not 1 <= k < d:
        raise ValueError(f"k must be a whole number from 1 to {d - 1}, not {k}.")
    size = PairSize(d, k, n, budget.adjacency)
    if size.largest < LEAST_EIGENVALUE:
        raise ValueError(
            f"{n} people are too few to audit k = {k} of d = {d}; take {d + 4 * k} or more."
        )
    return mechanism.worst_pair(size, budget)
