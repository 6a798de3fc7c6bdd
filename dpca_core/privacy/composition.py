"""What a mechanism promises together with the preparation of the rows that it sees."""

from math import inf

from dpca_core.privacy.budget import Budget, Guarantee, Notion, Standing

_LOCAL_MEAN = (
    "A private mean needs a trusted curator, and the local model has none: choose public ranges"
)
_LOCAL_ROWS = (
    "Whether a person reports depends on their record, and the number of reports is seen: in the "
    "local model keep rows with missing values, and combine the rows of each person beforehand"
)


def with_preparation(
    guarantee: Guarantee, budget: Budget, *, mean_share: float = 0.0, selects_rows: bool = False
) -> Guarantee:
    """Add what preparing the rows costs, or breaks, to a mechanism's guarantee.

    Parameters
    ----------
    guarantee
        Of the mechanism, at its part of the budget (``Budget.split``).
    budget
        Of mechanism and mean together.
    mean_share
        The mean's share of ``budget``; 0 without a mean. Basic composition, also of what is left of
        a refuted claim: its δ bounds guesses, and the mean adds to that. A guarantee that promises
        nothing stays as it is.
    selects_rows
        Whether what a row holds decides that it is left out.

    Notes
    -----
    A local guarantee is between any two records of one of n people whose reports are all seen. It
    is lost where the noise follows an n that depends on what a record holds, and where a curator
    draws a mean (docs/local.md).
    """
    if guarantee.notion is Notion.LOCAL and (mean_share > 0 or selects_rows):
        why = _LOCAL_MEAN if mean_share > 0 else _LOCAL_ROWS
        return Guarantee(
            inf, 1.0, Notion.NONE, Standing.NONE, guarantee.adjacency, "docs/local.md", erratum=why
        )
    if mean_share == 0 or guarantee.notion is Notion.NONE:
        return guarantee
    return Guarantee(
        guarantee.epsilon + mean_share * budget.epsilon,
        min(1.0, guarantee.delta + mean_share * budget.delta),
        Notion.APPROXIMATE,
        guarantee.standing,
        guarantee.adjacency,
        f"{guarantee.source}; basic composition with the private mean",
        guarantee.erratum,
    )
