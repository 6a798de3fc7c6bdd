"""What the Papers page is asked, and what the browser says: a card, its settings, the wall."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from dpca_core.mechanisms.registry import MECHANISMS
from papers.card import Card, Verdict
from papers.registry import BY_KEY
from ui.state import query_params

SEED_COUNT = 2**32
DIRECTIONS = (1, 2, 5, 10)
"""Numbers of directions of which results were measured."""
FIRST = "imtiaz-fig-1a"
"""The card that a visit without a link shows: the error of a proof, seen as a curve."""


@dataclass(frozen=True)
class PapersSettings(query_params.Addressed):
    """What this page sets alone.

    Attributes
    ----------
    reveal
        Whether our curves are shown at once; else whoever looks predicts first.
    seed
        Of a run that is drawn over the stored one; 0 for the stored one alone.
    at
        Settings that are not as they are stored: "delta:0.001,k:8".
    verdict, uses, ready
        To what the wall is limited: a verdict, the key of a mechanism, what needs no data file.
    directions, pure
        Of the results below the cards: the number of directions, and whether δ is 0.
    """

    ALWAYS: ClassVar = ("figure",)

    figure: str = FIRST
    reveal: bool = True
    seed: int = 0
    at: str = ""
    verdict: str = ""
    uses: str = ""
    ready: bool = False
    directions: int = 10
    pure: bool = False

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Read a link; an unusable value becomes its default."""
        found = super().from_query(query)
        if found.at and found.changed({}).at != found.at:
            query_params.note_replaced("at", found.at, "the stored settings")
            found = replace(found, at="")
        return found

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:  # noqa: D102
        match name:
            case "figure":
                return value in BY_KEY
            case "directions":
                return value in DIRECTIONS
            case "seed":
                return bool(0 <= value < SEED_COUNT)
            case "verdict":
                return value in ("", *Verdict)
            case "uses":
                return value == "" or value in MECHANISMS
            case "at":
                return len(value) <= 300
        return True

    @property
    def card(self) -> Card:
        """The card, at its stored settings."""
        return BY_KEY[self.figure]

    @property
    def chosen(self) -> dict[str, float]:
        """Settings that were changed on the card, by their keys, as far as they can be read."""
        found = {}
        for part in self.at.split(","):
            key, _, number = part.partition(":")
            try:
                found[key] = float(number)
            except ValueError:
                continue
        return found

    def changed(self, values: Mapping[str, float]) -> Self:
        """Return these with settings of the card changed, as far as they are its to choose."""
        wanted = self.chosen | dict(values)
        at = ",".join(
            f"{setting.key}:{wanted[setting.key]:g}"
            for setting in self.card.settings
            if wanted.get(setting.key, setting.chosen) in {*setting.choices} - {setting.chosen}
        )
        return replace(self, at=at)

    def opened(self, figure: str) -> Self:
        """Return the settings of a card as it is stored."""
        return replace(self, figure=figure, seed=0, at="")

    def shows(self, card: Card) -> bool:
        """Tell whether a tile is among those that the wall is limited to.

        By no verdict where it is to be predicted.
        """
        return (
            (self.verdict in ("", card.verdict) or not self.reveal)
            and (not self.uses or any(s.mechanism == self.uses for s in card.series))
            and not (self.ready and card.needs)
        )
