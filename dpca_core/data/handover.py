"""A frozen decision about a table: what a release takes, and what its owner confirms before.

It holds public choices alone: no value, no count and no name of a file.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
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

CURVES_LOOKED_AT_AFTER = (
    "After ranges were fixed, and before this release, the owner looked at curves of the table."
)
"""Of a look that changed nothing of the decision: it says nothing of how ranges were fixed."""

NOTHING_SHOWN = (
    "In the session in which this was decided, the workbench showed neither values nor curves of "
    "the table."
)
"""What the program knows of itself: it does not say that the owner looked nowhere else."""

_SEEN = "Values of these columns were shown before they were described: "


class Look(StrEnum):
    """What of a table its owner looked at before deciding, as the owner states it."""

    NOTHING = "nothing"
    VALUES = "values"
    CURVES = "curves"


LOOK_NOT_STATED = "The owner did not state what of the table was looked at before deciding."
"""Of a plan that says nothing of it; it does not say that nothing was looked at."""

_LOOKED_AT = MappingProxyType(
    {
        frozenset({Look.NOTHING}): "Before deciding, the owner looked at neither values nor curves "
        "of the table.",
        frozenset({Look.VALUES}): "Before deciding, the owner looked at values of the table.",
        frozenset({Look.CURVES}): "Before deciding, the owner looked at curves of the table.",
        frozenset({Look.VALUES, Look.CURVES}): "Before deciding, the owner looked at values and "
        "curves of the table.",
    }
)
"""What is stated where no program was there to record it."""

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
    looked_after
        Whether the owner looked at curves only when all of this was decided already.
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
    looked_after: bool = False


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
    elif decision.looked_after:
        found.append(CURVES_LOOKED_AT_AFTER)
    if decision.seen:
        found.append(_seen_sentence(decision))
    return tuple(found) or (NOTHING_SHOWN,)


def is_recorded(sentence: str) -> bool:
    """Tell whether a sentence of a plan was recorded by the program, and not asked."""
    known = (NOTHING_SHOWN, CURVES_LOOKED_AT, CURVES_LOOKED_AT_AFTER)
    return sentence in known or sentence.startswith(_SEEN)


def look_sentence(looks: Collection[Look]) -> str:
    """Return the sentence of a plan for what the owner states; nothing stated is a sentence too.

    Raises
    ------
    ValueError
        Where nothing and something are stated together.
    """
    if not looks:
        return LOOK_NOT_STATED
    if (found := _LOOKED_AT.get(frozenset(looks))) is None:
        raise ValueError("Nothing was looked at, or something was: state one of the two.")
    return found


def is_look_stated(sentence: str) -> bool:
    """Tell whether a sentence of a plan is the owner's statement of what was looked at."""
    return sentence in _LOOKED_AT.values()


def looks_of(sentences: Iterable[str]) -> frozenset[Look]:
    """Return what a plan's sentences say was looked at before; empty for no word of it.

    A look after deciding is none of them.
    """
    stated = {sentence: looks for looks, sentence in _LOOKED_AT.items()}
    found: set[Look] = set()
    for sentence in sentences:
        found |= stated.get(sentence, frozenset())
        if sentence == CURVES_LOOKED_AT:
            found.add(Look.CURVES)
        elif sentence.startswith(_SEEN):
            found.add(Look.VALUES)
    return frozenset(found)


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
