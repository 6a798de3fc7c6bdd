"""Words for a direction: which columns stand out in it, and how people say what it tells apart.

Words come from a public dictionary, or they are a column's name with "high" and "low": from where
the rows have their origin, such as the middle of its public range. ``**`` marks bold words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpca_core.analysis.order_statistics import kept_by
from dpca_core.data.column_names import label
from dpca_core.linalg.arrays import Array
from dpca_core.text.listed import listed

LEAST_LOADING, MOST_A_SIDE = 0.3, 3
"""Loading from which a column may be named, and how many are on either side."""
LEAST_RELEASED = 0.2
"""Loading, of the same sign, that 9 of 10 releases must reach."""
LEAST_SQUARE = 0.3
"""Sum of squared loadings from which a column may be named of directions taken together."""
NONE_STANDS_OUT = "No column stands out"
_CLAUSES = ("who ", "with ", "without ")


@dataclass(frozen=True)
class ColumnWords:
    """How the two ends of a column are called; public, never made from its values."""

    low: str
    high: str
    """What is low or high: "smaller families", "income below the middle"."""
    name: str = ""
    """Short name beside a loading; "" for the column's own."""
    topic: str = ""
    """What the column is about, where no end is meant; "" for ``name``."""
    low_people: str = ""
    high_people: str = ""
    """Who is at that end: a noun or "who pay more"; "" for ``low`` and ``high``."""


def words_of_name(column: str) -> ColumnWords:
    """Return words for a column of which nothing but the name is known."""
    name = plain(column)
    return ColumnWords(f"low {name}", f"high {name}", name)


def plain(text: str) -> str:
    """Return a name on one line, short, and without the marks of bold and accented words."""
    return label(text.replace("*", "∗").replace("[[", "[ [").replace("]]", "] ]"))


def turned(directions: Array) -> Array:
    """Return directions (d, m), each with the sign that makes its largest loading positive."""
    largest = np.abs(directions).argmax(axis=0)
    negative = directions[largest, np.arange(directions.shape[1])] < 0
    return np.asarray(directions * np.where(negative, -1.0, 1.0))


def candidates(direction: Array) -> tuple[int, ...]:
    """Return the columns of a direction (d,) that may be named, the largest loading first."""
    order = np.argsort(-np.abs(direction), kind="stable").tolist()
    large = [i for i in order if abs(direction[i]) >= LEAST_LOADING]
    above = [i for i in large if direction[i] > 0][:MOST_A_SIDE]
    below = [i for i in large if direction[i] < 0][:MOST_A_SIDE]
    return tuple(i for i in large if i in above + below)


def loadings_towards(directions: Array, bases: Array, columns: Sequence[int], j: int) -> Array:
    """Loadings (T, m) of direction j of bases (T, d, k), turned towards the true one's."""
    signs = np.sign(bases[:, :, j] @ directions[:, j])
    return np.asarray(bases[:, list(columns), j] * signs[:, None])


def stand_out(direction: Array, released: Array, columns: Sequence[int]) -> tuple[int, ...]:
    """Return those of the columns that 9 of 10 releases hold, by ``loadings_towards`` this one."""
    held = kept_by((released * np.sign(direction[list(columns)])).T, LEAST_RELEASED)
    return tuple(column for column, held_one in zip(columns, held, strict=True) if held_one)


def direction_phrase(direction: Array, columns: Sequence[int], words: Sequence[ColumnWords]) -> str:
    """Say what a direction tells apart, or what goes together in it, by columns that stand out."""
    above = [words[i] for i in columns if direction[i] > 0]
    below = [words[i] for i in columns if direction[i] < 0]
    if above and below:
        return f"Tells **{_people(above)}** from **{_people(below)}**"
    together = above or below
    if not together:
        return NONE_STANDS_OUT
    if len(together) == 1:
        one = together[0]
        return f"Tells **{one.high_people or one.high}** from **{one.low_people or one.low}**"
    return f"**{_capitalised(', '.join(word.high for word in together))}** go together"


def _people(words: Sequence[ColumnWords]) -> str:
    """Name those at the high end of all columns: nouns first, then what is said of them."""
    ends = [word.high_people or word.high for word in words]
    nouns = [end for end in ends if not end.startswith(_CLAUSES)]
    clauses = [end for end in ends if end.startswith(_CLAUSES)]
    return f"{listed(nouns) or 'people'} {listed(clauses)}".rstrip()


def _capitalised(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def block_columns(directions: Array) -> tuple[int, ...]:
    """Return the columns that the span of directions (d, m) is made of, the largest share first."""
    squares = np.square(directions).sum(axis=1)
    order = np.argsort(-squares, kind="stable").tolist()
    return tuple(i for i in order if squares[i] >= LEAST_SQUARE)


def block_phrase(columns: Sequence[int], words: Sequence[ColumnWords]) -> str:
    """List what directions that are only reliable together are about."""
    if not columns:
        return NONE_STANDS_OUT
    return f"**{_capitalised('; '.join(words[i].topic or words[i].name for i in columns))}**"
