"""What becomes of each mechanism's claim: one verdict each, and the groups of the table."""

from enum import StrEnum

from dpca_core.analysis.claims import Claim
from dpca_core.privacy.budget import Budget, Guarantee, Notion, Standing

LOOSE_FACTOR = 1.02
"""Times the ε or the noise needed from which a guarantee is called loose."""


class Verdict(StrEnum):
    """What became of a claim, in words, in the order of the table."""

    REFUTED = "refuted"
    UNPROVED = "unproved for a person"
    WEAKER = "weaker than claimed"
    LOOSE = "with more noise than needed"
    EXACT = "with exactly the noise needed"
    BOUND = "spending at most ε"
    NONE = "for comparison"
    NO_RELEASE = "without a release at this budget"


_BROKEN = {
    Standing.REFUTED: Verdict.REFUTED,
    Standing.UNCERTIFIED: Verdict.UNPROVED,
    Standing.WEAKER: Verdict.WEAKER,
}


def verdict_of(claim: Claim, budget: Budget) -> Verdict:
    """Judge one claim at a budget."""
    if claim.guarantee is None:
        return Verdict.NO_RELEASE
    if claim.mechanism.role == "baseline":
        return Verdict.NONE
    if claim.guarantee.standing in _BROKEN:
        return _BROKEN[claim.guarantee.standing]
    spare = claim.guarantee.epsilon * LOOSE_FACTOR < budget.epsilon
    if spare or (claim.excess or 0) > LOOSE_FACTOR:
        return Verdict.LOOSE
    return Verdict.EXACT if claim.guarantee.exact else Verdict.BOUND


def grouped(claims: list[Claim], budget: Budget) -> dict[Verdict, list[Claim]]:
    """Sort claims by verdict, the most wasteful first; verdicts of none are left out."""
    found: dict[Verdict, list[Claim]] = {verdict: [] for verdict in Verdict}
    for claim in claims:
        found[verdict_of(claim, budget)].append(claim)
    found[Verdict.LOOSE].sort(key=lambda claim: -(claim.excess or 1))
    return {verdict: some for verdict, some in found.items() if some}


def is_certified(guarantee: Guarantee) -> bool:
    """Whether something is proved of a mechanism at its ε."""
    return guarantee.notion is not Notion.NONE and guarantee.standing is not Standing.REFUTED
