"""Columns that may name the person a row belongs to, and what is known of their values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpca_core.detection.grouped_columns import Groups, NumberedColumn, numbered_columns, together

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class PersonCandidate:
    """Columns that may name the person a row belongs to.

    Attributes
    ----------
    columns
        One column, or two that name the person together.
    people, rows, largest, without_id
        Distinct values, rows of the table, rows of the most frequent value, rows without a value.
    fixed
        Columns that (nearly) never change within a value.
    spellings
        How many fewer values there are where case and spaces are ignored.
    zeros
        How many fewer there are where zeros before a whole number are ignored: 001 and 1.
    """

    columns: tuple[str, ...]
    people: int
    rows: int
    largest: int
    without_id: int
    fixed: tuple[str, ...] = ()
    spellings: int = 0
    zeros: int = 0


def chosen_candidate(table: "DataFrame", names: Sequence[str]) -> PersonCandidate:
    """Return what is known of columns that the owner chose, whatever they look like.

    Parameters
    ----------
    names
        Columns of the table that together name the person, at least one.
    """
    known = [str(name) for name in table.columns]
    columns = numbered_columns(table, [known.index(name) for name in names])
    return candidate_of(table, columns, Groups(together(columns)))


def candidate_of(
    table: "DataFrame",
    columns: Sequence[NumberedColumn],
    groups: Groups,
    fixed: tuple[str, ...] = (),
) -> PersonCandidate:
    """Return columns of a table, brought together into groups, as a candidate."""
    names = tuple(column.name for column in columns)
    texts = {column.name: _texts(table, column.name) for column in columns if column.text}
    spellings = _spellings(texts[names[0]]) if len(columns) == 1 and texts else 0
    zeros = sum(map(_zeros, texts.values()))
    counts = groups.count, groups.rows, groups.largest, groups.without
    return PersonCandidate(names, *counts, fixed, spellings, zeros)


def _texts(table: "DataFrame", name: str) -> list[str]:
    """Return the distinct values of a column of text."""
    column = table.iloc[:, [str(other) for other in table.columns].index(name)]
    return [str(value) for value in column.dropna().unique()]


def _zeros(distinct: Sequence[str]) -> int:
    """Count the whole numbers that differ from another one in zeros before them only."""
    whole = {text.strip() for text in distinct if text.strip().isdecimal()}
    return len(whole) - len({text.lstrip("0") for text in whole})


def _spellings(distinct: Sequence[str]) -> int:
    """Count the values that differ from another one in case or spaces only."""
    return len(distinct) - len({"".join(value.split()).casefold() for value in distinct})
