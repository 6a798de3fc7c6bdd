"""What a codebook says of a table's columns, and what is wrong with it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from dpca_core.data.recipe import Recipe, Source
from dpca_core.data.text_file_format import TextFileFormat

MOST_ENTRIES = 10_000
"""Columns that a codebook may describe; a file of more lines is hardly one."""


class CodebookError(ValueError):
    """A file cannot be read as a codebook; the message is one sentence that names the remedy."""


class EntryUse(StrEnum):
    """What a codebook says a column is for."""

    NUMBER = "number"
    CATEGORY = "category"
    OUT = "out"
    PERSON = "person"


@dataclass(frozen=True)
class CodebookEntry:
    """What a codebook says of one column.

    Attributes
    ----------
    use
        None where the codebook does not say.
    low, typical, high
        Of a number, as text with a decimal point; empty where not said.
    missing
        Codes that stand for a missing value, besides an empty cell; of a number, those that are
        numbers with a decimal point.
    values
        Of a category.
    source
        Where ranges and values come from; None where the codebook does not say.
    seen
        Whether the file's values were shown before they were given: known of our own recipes only.
    decimal, thousands
        Marks in the column's cells, where the codebook names them.
    """

    name: str
    use: EntryUse | None = None
    low: str = ""
    typical: str = ""
    high: str = ""
    unit: str = ""
    missing: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    source: Source | None = None
    seen: bool = False
    decimal: str = ""
    thousands: str = ""


@dataclass(frozen=True)
class Codebook:
    """All that a codebook says.

    Attributes
    ----------
    entries
        At most one a name.
    person
        Columns that name the person; () where the codebook does not say. A primary key is none: it
        names the row.
    number_format
        How the table is written; None where the codebook does not say.
    problems
        What was left out, as parts of a sentence: "hr: minimum above maximum, left empty".
    recipe
        The whole of it where the codebook is one of our own recipes; None else.
    """

    entries: tuple[CodebookEntry, ...]
    person: tuple[str, ...] = ()
    number_format: TextFileFormat | None = None
    problems: tuple[str, ...] = ()
    recipe: Recipe | None = None


@dataclass
class Findings:
    """What was left out while a codebook was read, in order."""

    _said: dict[str, None] = field(default_factory=dict)

    def add(self, problem: str) -> None:
        """Add one, unless it was said already."""
        self._said[problem] = None

    @property
    def problems(self) -> tuple[str, ...]:
        """All of them, each once."""
        return tuple(self._said)


def name_key(name: str) -> str:
    """Return what two names share that differ in case and spaces alone."""
    return "".join(name.split()).casefold()


def matching(entries: Iterable[CodebookEntry], header: Iterable[str]) -> dict[str, CodebookEntry]:
    """Return for columns of a table the entry that describes each.

    Names are compared exactly first, then without case and spaces; of two columns or two entries
    that differ in these alone none is matched that way.

    Parameters
    ----------
    header
        The table's names, each once.
    """
    exact = {entry.name: entry for entry in entries}
    names = list(header)
    found = {name: exact[name] for name in names if name in exact}
    loose = _by_key([e.name for e in exact.values() if e.name not in found])
    for key, columns in _by_key([name for name in names if name not in found]).items():
        if len(columns) == 1 and len(loose.get(key, ())) == 1:
            found[columns[0]] = exact[loose[key][0]]
    return found


def _by_key(names: list[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name_key(name), []).append(name)
    return groups
