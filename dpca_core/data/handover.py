"""A frozen decision about a table: what a release takes, and what its owner confirms before.

It holds public choices alone: no value, no count and no name of a file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from dpca_core.data.column_names import label
from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import Recipe, Source
from dpca_core.privacy.budget import Adjacency

WHOSE_ROWS = "whose rows"
"""Key in ``Handover.asked`` of the question whose rows they are; its answers are the next three."""

FOUND = "found"
"""Columns of the table name the person that a row belongs to."""

EVERY_ROW = "every row differs"
"""Nobody has two rows."""

CANNOT_TELL = "cannot be told apart"
"""Nothing names the person: one row is protected."""

UNREAD = "Nobody’s file was read to fix ranges."

CURVES_LOOKED_AT = "The owner looked at curves of the table before deciding."

_SEEN = "Values of these columns were shown before they were described: "
_SEEN_NAMED = 6
"""Columns that the sentence names at most; it says how many more there are."""

PRINTED_SOURCES = MappingProxyType(
    {
        Source.CODEBOOK: "codebook",
        Source.LAW: "law or physics",
        Source.GUESS: "guess",
        Source.DECLARED: "declared by you",
        Source.NOTICED: "declared by you after a notice",
        Source.FILE: "read from the file",
    }
)
"""What a certificate calls the sources of a decision."""


@dataclass(frozen=True)
class Handover:
    """A decision, as a release takes it.

    Attributes
    ----------
    neighbours
        Which data sets must look alike.
    mechanism
        Key of the recommended mechanism.
    people_guess
        As the owner guessed, never the table's own number.
    sources
        Where what is said of each column comes from, by its name; of those that name the person and
        those that are left out too. None is ``FILE``: with one there is no decision.
    whose_rows
        Where the answer comes from that columns name the person, or that a row is one.
    seen
        Columns whose values were shown before they were described.
    looked
        Whether the owner looked at curves of the table before deciding.
    asked
        Questions with the owner's answers: of the table by their key, of a column as
        "name: key", and ``WHOSE_ROWS``.
    reason
        A proposal for why this ε was chosen.
    """

    recipe: Recipe
    unit: Unit
    neighbours: Adjacency
    epsilon: float
    delta: float
    mechanism: str
    people_guess: float
    sources: Mapping[str, Source]
    whose_rows: Source
    seen: tuple[str, ...]
    looked: bool
    asked: Mapping[str, str]
    reason: str


@dataclass(frozen=True)
class Confirmation:
    """A sentence that the owner answers with Yes or No; a No is printed, not refused."""

    key: str
    sentence: str


def recorded(decision: Handover) -> tuple[str, ...]:
    """Return what the program itself knows to have happened before: printed, and not asked."""
    found = []
    if decision.looked:
        found.append(CURVES_LOOKED_AT)
    if decision.seen:
        found.append(_seen_sentence(decision))
    return tuple(found)


def is_recorded(sentence: str) -> bool:
    """Tell whether a sentence of a plan was recorded by the program, and not asked."""
    return sentence == CURVES_LOOKED_AT or sentence.startswith(_SEEN)


def confirmations(decision: Handover) -> tuple[Confirmation, ...]:
    """Return what is to be confirmed before a release.

    That nobody read a file to fix ranges is asked only where the program cannot know it; where it
    knows that values or curves were seen, ``recorded`` says so.
    """
    found = []
    if not decision.seen and not decision.looked:
        found.append(Confirmation("unread", UNREAD))
    # Where rows cannot be told apart a row is protected: there is nothing to confirm.
    if decision.recipe.person or decision.asked.get(WHOSE_ROWS) != CANNOT_TELL:
        found.append(Confirmation("unit", unit_sentence(decision.recipe.person, decision.unit)))
    found.append(Confirmation("accounts", accounts_sentence(decision.unit)))
    return tuple(found)


def _seen_sentence(decision: Handover) -> str:
    """Name the columns whose values were shown; of others only that there were some."""
    released = {column.name for column in decision.recipe.columns}
    used = [name for name in decision.seen if name in released]
    said = [label(name) for name in used[:_SEEN_NAMED]]
    if more := len(used) - len(said):
        said.append(f"{more:,} more")
    if len(used) < len(decision.seen):
        # How many, and which, is not said: of what is left out nothing is published.
        said.append("others that are not released" if used else "some that are not released")
    return f"{_SEEN}{', '.join(said)}."


def unit_sentence(person: Sequence[str], unit: Unit) -> str:
    """Say what one of the protected is: a value of the columns that name the person, or a row."""
    if person:
        return f"One {unit.one} is one value of {' and '.join(person)}."
    return f"One {unit.one} is one row."


def accounts_sentence(unit: Unit) -> str:
    """Say that nobody is counted in two accounts."""
    return f"These {unit.many} are in no other account."
