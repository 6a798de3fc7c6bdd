"""What a chart of rows shows: a row for each name, with numbers on a common axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dpca_core.figures.axes import Axis

Kind = Literal["measured", "enough", "few", "order"]
"""What a number is: a measurement; by a theorem enough, too few, or an order."""


@dataclass(frozen=True)
class RowMark:
    """A number in a row.

    Attributes
    ----------
    text
        Written above it, where there is room, and said in the hover.
    low, high
        Interval of a measurement; None where it reaches the end of the axis.
    """

    kind: Kind
    x: float
    text: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Row:
    """A row: its name, what is special about it, its numbers, or why it has none.

    Attributes
    ----------
    label
        Beside the name, in small type; in the accent's colour where ``alarming``.
    note
        Stands in the row where no mark does.
    apart
        Whether the row is not compared with the others: its name is grey.
    """

    name: str
    color: str
    marks: Sequence[RowMark] = ()
    label: str = ""
    alarming: bool = False
    note: str = ""
    apart: bool = False


@dataclass(frozen=True)
class RowSize:
    """How rows are laid out at one width of the plot.

    Attributes
    ----------
    step
        From row to row, in pixels.
    type_size
        Of words and ticks, in pixels.
    named_above
        Whether names stand above their rows; else at the left of the plot.
    """

    step: float
    type_size: float
    named_above: bool = False


USUAL = 480
ROW_SIZES = {
    290: RowSize(66, 12.0, named_above=True),
    USUAL: RowSize(38, 12.5),
    900: RowSize(38, 12.5),
    1140: RowSize(45, 15.0),
}
"""By width of the plot beside names at its left, in pixels, from which on they hold."""

BELOW = 0.3
"""Share of a row below its line; the words are above."""
MARK = 16.0
"""Height of the marks of theorems, in pixels."""
EDGE = 10.0
"""Pixels between the names at the left and the plot."""


def inside(row: Row, x: Axis) -> list[RowMark]:
    """Return the marks of a row that the axis reaches."""
    return [mark for mark in row.marks if x.low * 0.999 <= mark.x <= x.high * 1.001]
