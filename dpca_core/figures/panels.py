"""What panels of curves show: curves, bands, reference lines and marks above one x axis."""

from collections.abc import Sequence
from dataclasses import dataclass

from dpca_core.figures.axes import Axis
from dpca_core.linalg.arrays import Array


@dataclass(frozen=True)
class Size:
    """How large panels and type are, at one width of the plot.

    Attributes
    ----------
    scale
        Of the panels' heights.
    type_size
        Of names and ticks, in pixels.
    """

    scale: float
    type_size: float


SIZES = {328: Size(1.0, 12.0), 640: Size(1.0, 12.5), 1100: Size(1.3, 15.0)}
"""By width of the plot, in pixels, from which on they hold."""


@dataclass(frozen=True)
class Curve:
    """A named line; NaN in ``y`` is a gap, or bridged.

    Attributes
    ----------
    key
        What a click on it or on its name chooses.
    y
        Array (p,).
    color
        Role of its colour.
    struck
        Whether the name is struck out: its guarantee is refuted.
    shown_name
        Whether it is named beside the line; else in the hover only.
    statistic
        Of what was measured, as "median"; it heads the column of a table behind the figure.
    """

    key: str
    name: str
    y: Array
    color: str
    dash: str = "solid"
    width: float = 1.6
    chosen: bool = False
    bridged: bool = True
    struck: bool = False
    shown_name: bool = True
    statistic: str = ""


@dataclass(frozen=True)
class Band:
    """The area between two lines (p,), of one role; drawn where both are known.

    A band with a name has two columns in a table behind the figure; it is never shown.
    """

    low: Array
    high: Array
    color: str
    name: str = ""


@dataclass(frozen=True)
class Reference:
    """A horizontal line, with words at its right end, above or below it."""

    value: float
    color: str = "ink"
    width: float = 1.6
    dash: str = "solid"
    text: str = ""
    text_color: str = "faint"
    below: bool = False
    bold: bool = False


@dataclass(frozen=True)
class Mark:
    """A ring at a point, with words to its left and below it."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Rule:
    """A vertical line, with words beside its upper end, or its lower one where ``low``."""

    value: float
    text: str = ""
    color: str = "accent"
    dash: str = "solid"
    width: float = 1.4
    low: bool = False


@dataclass(frozen=True)
class Dot:
    """A point with words beside it; hollow unless it is filled."""

    x: float
    y: float
    text: str = ""
    color: str = "accent"
    filled: bool = True


@dataclass(frozen=True)
class Panel:
    """One panel: curves over the common x axis.

    Attributes
    ----------
    height
        In pixels, at a scale of 1.
    covered
        Rectangles (left, right, low, high), as values, that no name may cover.
    hover
        Plotly's template of what a point says.
    """

    key: str
    y: Axis
    height: float
    curves: Sequence[Curve]
    bands: Sequence[Band] = ()
    references: Sequence[Reference] = ()
    marks: Sequence[Mark] = ()
    rules: Sequence[Rule] = ()
    dots: Sequence[Dot] = ()
    covered: Sequence[tuple[float, float, float, float]] = ()
    hover: str = "%{fullData.name}: %{y:.3g}"
