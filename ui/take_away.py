"""One real release to take away, at the true budget; its guarantee stands in the file."""

from dpca_core.budget import Budget
from dpca_core.dataset import Dataset
from dpca_core.mechanism import Mechanism
from dpca_core.publish import CAVEAT, draw, terms
from ui.downloads import Download, released

__all__ = ["CAVEAT", "take_release"]


def take_release(dataset: Dataset, mechanism: Mechanism, k: int, budget: Budget) -> Download:
    """Draw one release of the data as they are: the budget is spent.

    Raises
    ------
    InfeasibleBudget
        Where the budget cannot be met; nothing is drawn then.
    """
    public = terms(dataset, mechanism, k, budget)
    return released(public, draw(dataset, mechanism, k, budget))
