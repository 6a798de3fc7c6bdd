"""What the Papers page is asked, and what the browser says: a card, its settings, the wall."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from dpca_core.mechanisms.registry import MECHANISMS
from papers.card import Card, Verdict
from papers.registry import BY_KEY
from ui.state.settings import Addressed, note_replaced

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
    "uses": ("", *MECHANISMS),
}
"""What a link may ask for, by the name of the setting."""


@dataclass(frozen=True)
class PapersSettings(Addressed):
    """What this page sets alone: the card, what the wall is limited to, and of which results.

    Where our curves are not revealed, whoever looks predicts first. A run with a ``seed`` is drawn
    over the stored one, 0 for that alone; ``at`` are settings that are not as they are stored,
    "delta:0.001,k:8". The mechanism ``uses`` and what is ``ready`` without a data file limit the
    wall, as a verdict does; ``directions`` and a ``pure`` ε are those of the results below.
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
        if found.changed().at != found.at:
            note_replaced("at", found.at, "the stored settings")
            found = replace(found, at="")
        return found

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:  # noqa: D102
        return value in KNOWN[name] if name in KNOWN else super().allows(name, value)

    @property
    def card(self) -> Card:
        """The card, at its stored settings."""
        return BY_KEY[self.figure]

    @property
    def chosen(self) -> dict[str, float]:
        """Settings that were changed on the card, by their keys."""
        parts, settings = self.at.split(","), self.card.settings
        return {s.key: c for s in settings for c in s.choices if f"{s.key}:{c:g}" in parts}

    def changed(self, **values: float) -> Self:
        """Return these with settings of the card changed."""
        stored, wanted = self.card.chosen, {**self.card.chosen, **self.chosen, **values}
        at = ",".join(f"{key}:{wanted[key]:g}" for key in stored if wanted[key] != stored[key])
        return replace(self, at=at)

    def opened(self, figure: str) -> Self:
        """Return the settings of a card as it is stored."""
        return replace(self, figure=figure, seed=0, at="")

    def shows(self, card: Card) -> bool:
        """Tell whether the wall, as it is limited, has a card's tile: by no verdict to predict."""
        return (
            (self.verdict in ("", card.verdict) or not self.reveal)
            and (not self.uses or any(s.mechanism == self.uses for s in card.series))
            and not (self.ready and card.needs)
        )
