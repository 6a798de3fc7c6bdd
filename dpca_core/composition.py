"""What several uses of the same data cost together."""

from dpca_core.budget import Budget, Guarantee, Notion, Standing


def with_private_mean(guarantee: Guarantee, mean_share: float, budget: Budget) -> Guarantee:
    """Add what a private mean costs to a mechanism's guarantee, by basic composition.

    Parameters
    ----------
    guarantee
        Of the mechanism, at its part of the budget (``Budget.split``).
    mean_share
        The mean's share of ``budget``; 0 without a mean, and the guarantee is returned as it is.
        So is one that promises nothing, or is refuted: a mean cannot make up for that.
    """
    if mean_share == 0 or guarantee.notion is Notion.NONE:
        return guarantee
    if guarantee.standing is Standing.REFUTED:
        return guarantee
    return Guarantee(
        guarantee.epsilon + mean_share * budget.epsilon,
        guarantee.delta + mean_share * budget.delta,
        Notion.APPROXIMATE,
        guarantee.standing,
        guarantee.adjacency,
        f"{guarantee.source}; basic composition with the private mean",
        guarantee.erratum,
    )
