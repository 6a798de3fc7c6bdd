"""A guarantee in a page's words: as short as possible, and as the question an attacker answers."""

from dpca_core.privacy.budget import Adjacency, Guarantee, Notion, Standing
from dpca_core.text.privacy_numbers import delta_text, upward


def attacker_question(guarantee: Guarantee, one: str) -> str:
    """Return the question about one person that an attacker tries to answer."""
    of_records = guarantee.adjacency is Adjacency.REPLACE_ONE or guarantee.notion is Notion.LOCAL
    return (
        f"which of two records one {one} has" if of_records else f"whether one {one} is in the data"
    )


def short_guarantee(guarantee: Guarantee) -> str:
    """Write a guarantee in as few symbols as possible."""
    if guarantee.notion is Notion.NONE:
        return "nothing" if guarantee.standing is Standing.NONE else "nothing certified"
    if guarantee.standing is Standing.REFUTED and guarantee.epsilon == 0:
        return f"δ\u00a0=\u00a0{upward(guarantee.delta)} at every\u00a0ε"
    epsilon = f"ε\u00a0=\u00a0{upward(guarantee.epsilon)}"
    if guarantee.delta == 0:
        return f"{epsilon}, pure"
    local = ", local" if guarantee.notion is Notion.LOCAL else ""
    return f"{epsilon}, δ\u00a0=\u00a0{delta_text(guarantee.delta)}{local}"
