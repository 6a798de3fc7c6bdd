"""What a page says of a guarantee beyond what the files that carry it say."""

from dpca_core.budget import Adjacency, Budget, Guarantee, Notion
from dpca_core.composition import prepared
from dpca_core.dataset import Dataset
from dpca_core.sentences import LABELS, between, neighbours, promise

__all__ = ["LABELS", "between", "neighbours", "promise", "question", "total_guarantee"]


def question(guarantee: Guarantee, one: str) -> str:
    """Say what somebody guesses about one person."""
    of_records = guarantee.adjacency is Adjacency.REPLACE_ONE or guarantee.notion is Notion.LOCAL
    return (
        f"which of two records one {one} has" if of_records else f"whether one {one} is in the data"
    )


def total_guarantee(dataset: Dataset, guarantee: Guarantee, budget: Budget) -> Guarantee:
    """Add what the data set's private mean costs to the mechanism's guarantee."""
    return prepared(
        guarantee, budget, mean_share=dataset.mean_share, selects_rows=dataset.selects_rows
    )
