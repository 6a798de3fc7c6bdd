"""How a guarantee is named and written."""

from dpca_core.budget import Adjacency, Budget, Guarantee, Notion, Standing
from dpca_core.dataset import Dataset
from ui.format import delta_text, upward

LABELS = {
    Standing.PROVED: ("PROVED", "proved"),
    Standing.CORRECTED: ("PROVED AFTER CORRECTION", "corrected"),
    Standing.WEAKER: ("WEAKER THAN CLAIMED", "weaker"),
    Standing.UNCERTIFIED: ("NOT CERTIFIED", "uncertified"),
    Standing.REFUTED: ("REFUTED", "refuted"),
    Standing.NONE: ("NO GUARANTEE", "none"),
}


def neighbours(adjacency: Adjacency, one: str) -> str:
    """Name the neighbour relation."""
    added = adjacency is Adjacency.ADD_OR_REMOVE_ONE
    return f"one {one} added or removed" if added else f"one {one} replaced"


def between(guarantee: Guarantee, one: str) -> str:
    """Say which two states of the world must look alike."""
    if guarantee.notion is Notion.LOCAL:
        return f"between any two records of one {one}"
    return f"for {neighbours(guarantee.adjacency, one)}"


def question(guarantee: Guarantee, one: str) -> str:
    """Say what somebody guesses about one person."""
    of_records = guarantee.adjacency is Adjacency.REPLACE_ONE or guarantee.notion is Notion.LOCAL
    return (
        f"which of two records one {one} has" if of_records else f"whether one {one} is in the data"
    )


def promise(guarantee: Guarantee) -> str:
    """Say the guarantee in symbols, rounded to the unfavourable side."""
    if guarantee.standing is Standing.UNCERTIFIED:
        return "no guarantee is proved"
    if guarantee.notion is Notion.NONE:
        return "no differential privacy"
    if guarantee.standing is Standing.REFUTED:
        return f"δ\u00a0=\u00a0{delta_text(guarantee.delta)} at every ε and no less"
    epsilon = upward(guarantee.epsilon)
    if guarantee.delta == 0:
        return f"ε-DP with ε\u00a0=\u00a0{epsilon}, pure"
    kind = "local (ε, δ)-DP" if guarantee.notion is Notion.LOCAL else "(ε, δ)-DP"
    return f"{kind} with ε\u00a0=\u00a0{epsilon}, δ\u00a0=\u00a0{delta_text(guarantee.delta)}"


def total_guarantee(dataset: Dataset, guarantee: Guarantee, budget: Budget) -> Guarantee:
    """Add what a private mean costs to the mechanism's guarantee, by basic composition."""
    if dataset.mean_share == 0 or guarantee.notion is Notion.NONE:
        return guarantee
    return Guarantee(
        guarantee.epsilon + dataset.mean_share * budget.epsilon,
        guarantee.delta + dataset.mean_share * budget.delta,
        Notion.APPROXIMATE, guarantee.standing, guarantee.adjacency,
        f"{guarantee.source}; basic composition with the private mean", guarantee.erratum,
    )  # fmt: skip
