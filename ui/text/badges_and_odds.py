"""What a guarantee is called and means to one person, in the same words on every page."""

from dpca_core.privacy.budget import Adjacency, Guarantee, Notion, Standing
from dpca_core.text.privacy_numbers import (
    GUESSES,
    GUESSES_OF_A_COIN,
    NEARLY_SURE,
    delta_text,
    right_guesses,
    upward,
)

LABELS = {
    Standing.PROVED: "PROVED",
    Standing.CORRECTED: "PROVED AFTER CORRECTION",
    Standing.WEAKER: "WEAKER THAN CLAIMED",
    Standing.UNCERTIFIED: "NOT CERTIFIED",
    Standing.REFUTED: "REFUTED",
    Standing.NONE: "NO GUARANTEE",
}
"""Badge of a standing."""
UNPAID = "preparing the table reads it before any noise"
"""Why nothing is promised where the preparation reads the data."""


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


def attacker_question(guarantee: Guarantee, one: str) -> str:
    """Return the question about one person that an attacker tries to answer."""
    of_records = guarantee.adjacency is Adjacency.REPLACE_ONE or guarantee.notion is Notion.LOCAL
    return (
        f"which of two records one {one} has" if of_records else f"whether one {one} is in the data"
    )


def odds(guarantee: Guarantee | None, one: str, *, private: bool = True) -> str:
    """Bound how often a guess about ``one`` person is right, or say why nothing does; with ``**``.

    ``guarantee`` is of mechanism and preparation together, None where nothing is released;
    ``private``: whether the preparation leaves the data unread.
    """
    if not private:
        return f"No bound on a guess holds: {UNPAID}."
    if guarantee is None:
        return "Nothing is released, so nothing is revealed."
    question = attacker_question(guarantee, one)
    if guarantee.standing is Standing.UNCERTIFIED:
        return f"No bound is proved on a guess {question}."
    if guarantee.notion is Notion.NONE:
        return f"Nothing bounds a guess {question}: it may always be right."
    chance = guarantee.guess_probability()
    right = f"**{right_guesses(chance)} times in {GUESSES}**"
    if chance >= NEARLY_SURE:
        return f"Almost no protection: a guess {question} may be right {right}."
    return f"Someone who guesses {question} is right at most {right} (a coin: {GUESSES_OF_A_COIN})."


def short_odds(guarantee: Guarantee | None, *, private: bool = True) -> str:
    """Say the same as ``odds`` in a few words, with ``**`` marks."""
    if not private:
        return "no bound"
    if guarantee is None:
        return "nothing is released"
    if guarantee.standing is Standing.UNCERTIFIED:
        return "no bound is **proved**"
    if guarantee.notion is Notion.NONE:
        return "may **always** be right"
    chance = guarantee.guess_probability()
    most = "may be right" if chance >= NEARLY_SURE else "right at most"
    return f"{most} **{right_guesses(chance)}** in {GUESSES}"
