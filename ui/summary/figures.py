"""The small pictures of a summary: marks of reliability, and a hundred dots of guesses.

They are drawn by the style sheet alone, so that they stay where no script runs, and on paper.
"""

from dpca_core.text.guarantee_sentences import dots_label
from dpca_core.text.privacy_numbers import (
    GUESSES,
    GUESSES_OF_A_COIN,
    whole_right_guesses,
)
from ui.page.markup import element

LEVEL_MARKS = ("full", "half", "empty")
COIN, GAINED = "op-coin", "op-gained"
"""Classes of dots: right by a coin, and right thanks to the release."""


def mark(kind: str) -> str:
    """Return the mark of a level: "full", "half" or "empty"; its word stands beside it."""
    return element("i", class_=f"op-mark op-{kind}", aria_hidden="true")


def guess_dots(chance: float) -> str:
    """Return a hundred dots: a coin's fifty, those gained at most, and the rest as rings."""
    gained = whole_right_guesses(chance) - GUESSES_OF_A_COIN
    dots = [element("i", class_=COIN)] * GUESSES_OF_A_COIN
    dots += [element("i", class_=GAINED)] * gained
    dots += [element("i")] * (GUESSES - len(dots))
    label = dots_label(chance)
    return element("div", *dots, class_="op-dots", role="img", aria_label=label)


def legend_dot(kind: str) -> str:
    """Return the dot of a legend, by its class."""
    return element("i", class_=f"op-mark op-dot {kind}", aria_hidden="true")
