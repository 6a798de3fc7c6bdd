"""What a page says of a guarantee beyond what the files that carry it say."""

from dpca_core.data.dataset_guarantee import total_guarantee
from dpca_core.privacy.budget import Adjacency, Guarantee, Notion, Standing
from dpca_core.text.guarantees import LABELS, between, neighbours, promise
from dpca_core.text.privacy_numbers import delta_text, upward

__all__ = ["LABELS", "attacker_question", "between", "neighbours", "promise", "total_guarantee"]


def attacker_question(guarantee: Guarantee, one: str) -> str:
    """Say what somebody guesses about one person."""
    of_records = guarantee.adjacency is Adjacency.REPLACE_ONE or guarantee.notion is Notion.LOCAL
    return (
        f"which of two records one {one} has" if of_records else f"whether one {one} is in the data"
    )


def short_guarantee(guarantee: Guarantee) -> str:
    """Say the guarantee in as few symbols as possible."""
    if guarantee.notion is Notion.NONE:
        return "nothing" if guarantee.standing is Standing.NONE else "nothing certified"
    if guarantee.standing is Standing.REFUTED:
        return f"δ\u00a0=\u00a0{upward(guarantee.delta)} at every\u00a0ε"
    epsilon = f"ε\u00a0=\u00a0{upward(guarantee.epsilon)}"
    if guarantee.delta == 0:
        return f"{epsilon}, pure"
    local = ", local" if guarantee.notion is Notion.LOCAL else ""
    return f"{epsilon}, δ\u00a0=\u00a0{delta_text(guarantee.delta)}{local}"
