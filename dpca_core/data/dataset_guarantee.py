"""What a mechanism and the preparation of a data set promise together."""

from dpca_core.data.dataset import Dataset
from dpca_core.privacy.budget import Budget, Guarantee, with_preparation


def total_guarantee(dataset: Dataset, guarantee: Guarantee, budget: Budget) -> Guarantee:
    """Add what the data set's private mean costs to the mechanism's guarantee."""
    return with_preparation(
        guarantee, budget, mean_share=dataset.mean_share, selects_rows=dataset.selects_rows
    )
