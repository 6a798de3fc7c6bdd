"""How a guarantee is written, on pages and in the files that carry it."""

from dpca_core.privacy.budget import Adjacency, Guarantee, Notion, Standing
from dpca_core.text.privacy_numbers import (
    GUESSES,
    GUESSES_OF_A_COIN,
    delta_text,
    right_guesses,
    upward,
)


def neighbours(adjacency: Adjacency, one: str) -> str:
    """Name the neighbour relation."""
    added = adjacency is Adjacency.ADD_OR_REMOVE_ONE
    return f"one {one} added or removed" if added else f"one {one} replaced"


def between(guarantee: Guarantee, one: str) -> str:
    """Say which two states of the world must look alike."""
    if guarantee.notion is Notion.LOCAL:
        return f"between any two records of one {one}"
    return f"for {neighbours(guarantee.adjacency, one)}"


def promise(guarantee: Guarantee) -> str:
    """Say the guarantee in symbols, rounded to the unfavourable side."""
    if guarantee.standing is Standing.UNCERTIFIED:
        return "no guarantee is proved"
    if guarantee.notion is Notion.NONE:
        return "no differential privacy"
    if guarantee.standing is Standing.REFUTED and guarantee.epsilon == 0:
        return f"δ\u00a0=\u00a0{delta_text(guarantee.delta)} at every ε and no less"
    epsilon = upward(guarantee.epsilon)
    if guarantee.delta == 0:
        return f"ε-DP with ε\u00a0=\u00a0{epsilon}, pure"
    kind = "local (ε, δ)-DP" if guarantee.notion is Notion.LOCAL else "(ε, δ)-DP"
    return f"{kind} with ε\u00a0=\u00a0{epsilon}, δ\u00a0=\u00a0{delta_text(guarantee.delta)}"


def dots_label(chance: float) -> str:
    """Say what a hundred dots of guesses show, for a screen reader."""
    return (
        f"{GUESSES} guesses: {GUESSES_OF_A_COIN} are right by a coin, at most "
        f"{right_guesses(chance)} with the release"
    )
