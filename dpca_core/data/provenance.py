"""Whose rows a data set holds, and what else was read from the data."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True)
class Unit:
    """Whom the promise is made to, in singular and plural."""

    one: str = "person"
    many: str = "people"


ONE_ROW = Unit("row", "rows")
"""The unit where rows of one person cannot be told apart: one row is protected, not a person."""


class Mark(StrEnum):
    """Whether a choice reads private data; of what depends only its owner knows."""

    NOTHING = "nothing"
    DEPENDS = "depends"
    READS = "reads"


COSTS = {
    Mark.NOTHING: "costs no privacy",
    Mark.DEPENDS: "you vouch for this",
    Mark.READS: "not private",
}


@dataclass(frozen=True)
class Disclosure:
    """One choice outside the mechanism, whether it reads private data, and what it costs.

    ``public_text`` has settings only: it is part of every file written under a guarantee.
    ``measured`` is what the choice did to these rows: for whoever may see the data, in no file.
    """

    name: str
    mark: Mark
    public_text: str
    cost: str
    measured: str = ""

    @property
    def text(self) -> str:
        """Settings and what they did: not private."""
        return f"{self.public_text}; {self.measured}" if self.measured else self.public_text


def disclosed(name: str, mark: Mark, text: str, measured: str = "") -> Disclosure:
    """Return a choice at the usual cost of its mark."""
    return Disclosure(name, mark, text, COSTS[mark], measured)


NO_SIZE = disclosed("Size n", Mark.NOTHING, "not used: noise is added to the sum, not to the mean")
