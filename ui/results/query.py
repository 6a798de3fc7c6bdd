"""What the Results page is asked: the number of directions, and with or without δ."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ui.state import query_params

DIRECTIONS = (1, 2, 5, 10)
"""Numbers of directions that were measured."""


@dataclass(frozen=True)
class ResultsSettings:
    """What this page sets alone, by its names in the address."""

    directions: int = 10
    pure: bool = False

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "ResultsSettings":
        """Read a link; an unusable value becomes its default."""
        return query_params.read_settings(cls(), query, _allowed)

    def to_query(self) -> dict[str, str]:
        """Write a link; defaults are left out."""
        return query_params.to_query(self, ResultsSettings(), ())


def _allowed(name: str, value: Any) -> bool:
    return name != "directions" or value in DIRECTIONS
