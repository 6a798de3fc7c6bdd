"""A real release as a file: drawn at the true budget, with its guarantee in the file."""

from math import inf

from dpca_core.data.dataset import Dataset
from dpca_core.example_release.draw import draw
from dpca_core.example_release.terms import terms
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import UNBOUNDED
from dpca_core.privacy.budget import Budget
from dpca_core.runtime.offload import expected_seconds
from ui.figures.downloads import Download, release_download
from ui.server.background_processes import draw_in_worker


def create_release_file(dataset: Dataset, mechanism: Mechanism, k: int, budget: Budget) -> Download:
    """Draw one release of the data as they are: the budget is spent.

    Raises
    ------
    InfeasibleBudget
        Where the budget cannot be met; nothing is drawn then.
    DrawLost
        Where the process that draws is lost.
    """
    public = terms(dataset, mechanism, k, budget)
    seconds = inf if mechanism == UNBOUNDED else expected_seconds(dataset.d, mechanism.cost)
    return release_download(public, draw_in_worker(seconds, draw, dataset, mechanism, k, budget))
