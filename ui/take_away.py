"""One real release to take away, at the true budget; its guarantee stands in the file."""

from math import inf

from dpca_core.budget import Budget
from dpca_core.dataset import Dataset
from dpca_core.elsewhere import expected
from dpca_core.mechanism import Mechanism
from dpca_core.publish import CAVEAT, draw, terms
from ui.downloads import Download, released
from ui.long_work import drawn

__all__ = ["CAVEAT", "take_release"]


def take_release(dataset: Dataset, mechanism: Mechanism, k: int, budget: Budget) -> Download:
    """Draw one release of the data as they are: the budget is spent.

    Raises
    ------
    InfeasibleBudget
        Where the budget cannot be met; nothing is drawn then.
    DrawLost
        Where the process that draws is lost.
    """
    public = terms(dataset, mechanism, k, budget)
    seconds = inf if mechanism.unbounded else expected(dataset.d, mechanism.effort)
    return released(public, drawn(seconds, draw, dataset, mechanism, k, budget))
