"""What the Papers page is asked, and what the browser says: a card, its settings, the wall."""

from dataclasses import dataclass
from typing import Any, ClassVar

from papers.card import Card, Verdict
from papers.registry import BY_KEY
from ui.state.settings import Addressed

SEED_COUNT = 2**32
DIRECTIONS = (1, 2, 5, 10)
"""Numbers of directions of which results were measured."""
FIRST = "imtiaz-fig-1a"
"""The card that a visit without a link shows: the error of a proof, seen as a curve."""
KNOWN = {
    "figure": BY_KEY,
    "directions": DIRECTIONS,
    "seed": range(SEED_COUNT),
    "verdict": ("", *Verdict),
}
"""What a link may ask for, by the name of the setting."""


@dataclass(frozen=True)
class PapersSettings(Addressed):
    """What this page sets alone: the card, what the wall is limited to, and of which results.

    Where our curves are not revealed, whoever looks predicts first. A run with a ``seed`` is drawn
    over the stored one, 0 for that alone. A ``verdict`` limits the wall; ``directions`` and a
    ``pure`` ε are those of the results below.
    """

    ALWAYS: ClassVar = ("figure",)

    figure: str = FIRST
    reveal: bool = True
    seed: int = 0
    verdict: str = ""
    directions: int = 10
    pure: bool = False

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:  # noqa: D102
        return value in KNOWN[name] if name in KNOWN else super().allows(name, value)

    @property
    def card(self) -> Card:
        """The card."""
        return BY_KEY[self.figure]
