"""What the Papers page is asked, and what the browser says: a card, its settings, the wall."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from dpca_core.mechanisms.registry import MECHANISMS
from papers.card import Card, Verdict
from papers.registry import BY_KEY, CARDS
from ui.state import query_params

SEED_COUNT = 2**32
_MOST_LETTERS = 300
"""Of settings in an address."""
DIRECTIONS = (1, 2, 5, 10)
"""Numbers of directions of which results were measured."""
FIRST = "imtiaz-fig-1a"
"""The card that a visit without a link shows: the error of a proof, seen as a curve."""


@dataclass(frozen=True)
class PapersSettings(query_params.Addressed):
    """What this page sets alone.

    Attributes
    ----------
    figure
        Key of the card.
    reveal
        Whether our curves are shown at once; else whoever looks predicts first.
    seed
        Of a run that is drawn over the stored one; 0 for the stored one alone.
    at
        Settings that are not as they are stored: "delta:0.001,k:8".
    verdict, uses
        A verdict and the key of a mechanism to which the wall is limited; "" for all.
    ready
        Whether the wall is limited to what can be run without a data file.
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
        if found.at and _written(found.card, _read(found.at)) != found.at:
            query_params.note_replaced("at", found.at, "the stored settings")
            found = replace(found, at="")
        return found

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:  # noqa: D102
        return _allowed(name, value)

    @property
    def card(self) -> Card:
        """The card, at its stored settings."""
        return BY_KEY[self.figure]

    @property
    def chosen(self) -> dict[str, float]:
        """Settings that were changed on the card, by their keys."""
        return _read(self.at)

    def opened(self, figure: str) -> "PapersSettings":
        """Return the settings of another card, as it is stored."""
        return replace(self, figure=figure, seed=0, at="")

    def changed(self, key: str, value: float) -> "PapersSettings":
        """Return the settings after one of the card's was changed."""
        return replace(self, at=_written(self.card, self.chosen | {key: value}))

    def shows(self, card: Card) -> bool:
        """Tell whether a tile is among those that the wall is limited to."""
        return (
            self.verdict in ("", card.verdict)
            and (not self.uses or any(s.mechanism == self.uses for s in card.series))
            and not (self.ready and card.needs)
        )


def mechanisms_run() -> tuple[str, ...]:
    """Return the keys of mechanisms that some card runs, in the order of the menus."""
    run = {series.mechanism for one in CARDS for series in one.series}
    return tuple(key for key in MECHANISMS if key in run)


def _read(at: str) -> dict[str, float]:
    """Read settings from an address; what cannot be read is left out."""
    found = {}
    for part in at.split(","):
        key, _, number = part.partition(":")
        try:
            found[key] = float(number)
        except ValueError:
            continue
    return found


def _written(card: Card, values: Mapping[str, float]) -> str:
    """Write the settings that are a card's to choose and differ from what is stored."""
    return ",".join(
        f"{setting.key}:{values[setting.key]:g}"
        for setting in card.settings
        if setting.key in values
        and values[setting.key] in setting.choices
        and values[setting.key] != setting.chosen
    )


def _allowed(name: str, value: Any) -> bool:
    match name:
        case "figure":
            return value in BY_KEY
        case "directions":
            return value in DIRECTIONS
        case "seed":
            return bool(0 <= value < SEED_COUNT)
        case "verdict":
            return value == "" or value in list(Verdict)
        case "uses":
            return value == "" or value in MECHANISMS
        case "at":
            return len(value) <= _MOST_LETTERS
    return True
