"""The choices between a file and a data set, and what each of them reads."""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from dpca_core.data.text_file_format import ADDED, TextFileFormat
from dpca_core.linalg.arrays import Array
from dpca_core.runtime.cached_property import cached_property


@dataclass(frozen=True)
class Unit:
    """Whom the promise is made to, in singular and plural."""

    one: str = "person"
    many: str = "people"

    def word(self, number: str) -> str:
        """Return the word after a number as it is written: "1" person, "900" people."""
        return self.one if number == "1" else self.many


ONE_ROW = Unit("row", "rows")
"""The unit where rows of one person cannot be told apart: one row is protected, not a person."""


class Scaling(StrEnum):
    """How rows are brought into the unit ball."""

    BOUNDED = "bounded"
    NORM_ONLY = "norm only"
    PRIVATE_MEAN = "private mean"
    AS_IN_PAPERS = "as in the papers"


class Missing(StrEnum):
    """What a missing value becomes."""

    CENTRE = "centre of the range, no category"
    DROP = "row left out"


class MissingPerson(StrEnum):
    """What is done with rows that name no person."""

    LEAVE_OUT = "left out"
    OWN = "each row its own"


class RowLength(StrEnum):
    """How long rows are when a mechanism gets them; 0 stays 0. It costs nothing."""

    AT_MOST_R = "at most R"
    ONE = "all of length 1"


class CategoryCoding(StrEnum):
    """What a category of m values becomes; a missing one is 0 in all m columns."""

    INDICATORS = "0 or 1"
    CENTRED = "0 or 1, minus 1/m"


class Source(StrEnum):
    """Where what is known of a column comes from."""

    CODEBOOK = "codebook"
    LAW = "law or physics"
    GUESS = "guess"
    DECLARED = "declared by you"
    NOTICED = "noticed in the file"
    FILE = "file"


class Use(StrEnum):
    """What a column is used as."""

    NUMBER = "number"
    SCALE = "scale"
    CATEGORY = "category"
    OUT = "out"
    PERSON = "person"


class Combine(StrEnum):
    """What is done with several rows of one person."""

    AVERAGE = "averaged into one row"
    AT_MOST = "at most m kept, S divided by m"


@dataclass(frozen=True)
class Number:
    """A numeric column and its public range, of which ``typical`` becomes 0, or the middle.

    A cell may end with the ``unit``; ``missing`` codes are compared as numbers. ``seen`` says that
    the file's values were shown before; ``title`` is what q3 is called, such as "How often tired".
    """

    name: str
    low: float
    high: float
    typical: float | None = None
    unit: str = ""
    missing: tuple[str, ...] = ()
    source: Source = Source.DECLARED
    seen: bool = False
    title: str = field(default="", metadata=ADDED)


@dataclass(frozen=True)
class Listed:
    """A column with a public list of values, and what they are called: "female" for "1"."""

    name: str
    values: tuple[str, ...]
    missing: tuple[str, ...] = ()
    source: Source = Source.DECLARED
    seen: bool = False
    labels: tuple[str, ...] = field(default=(), metadata=ADDED)
    title: str = field(default="", metadata=ADDED)

    @property
    def shown(self) -> tuple[str, ...]:
        """How the values are called."""
        return self.labels or self.values


class Category(Listed):
    """A categorical column; what is not in its list counts as none of its values."""


class Scale(Listed):
    """A column of 2 to 20 ordered texts, in equal steps from −1 to 1; every other is missing."""

    @property
    def steps(self) -> dict[str, float]:
        """Value i of m as the number that it becomes, (2i − m − 1)/(m − 1)."""
        last = len(self.values) - 1
        return {text: (2 * i - last) / last for i, text in enumerate(self.values)}


@dataclass(frozen=True)
class Recipe:
    """All choices between a file and a data set; the page begins with the same ones.

    No ``radius`` R is √(numbers + scales + categories), which no row exceeds between ranges.
    Columns of ``person`` together name whose a row is, () where a row is a person. ``most`` is m,
    and counts with ``Combine.AT_MOST``; ``mean_share`` of the budget counts with
    ``Scaling.PRIVATE_MEAN``.
    """

    numbers: tuple[Number, ...]
    categories: tuple[Category, ...] = ()
    scaling: Scaling = Scaling.BOUNDED
    radius: float | None = None
    missing: Missing = Missing.CENTRE
    bounds_are_public: bool = False
    person: tuple[str, ...] = ()
    combine: Combine = Combine.AVERAGE
    most: int = 1
    mean_share: float = 0.1
    unit: Unit = field(default_factory=Unit)
    number_format: TextFileFormat = field(default_factory=TextFileFormat)
    row_length: RowLength = RowLength.ONE
    category_coding: CategoryCoding = CategoryCoding.CENTRED
    missing_person: MissingPerson = MissingPerson.LEAVE_OUT
    ids_ignore_case: bool = False
    scales: tuple[Scale, ...] = field(default=(), metadata=ADDED)

    @property
    def columns(self) -> tuple[Number | Scale | Category, ...]:
        """In the order in which they are coded."""
        return (*self.numbers, *self.scales, *self.categories)

    @property
    def coded_names(self) -> tuple[str, ...]:
        """Names of the d columns after coding: one a number or scale, one a value of a category."""
        hot = (f"{c.name}: {value}" for c in self.categories for value in c.shown)
        return (*(c.name for c in self.numbers), *(c.name for c in self.scales), *hot)

    @property
    def width(self) -> int:
        """Columns d after coding."""
        return len(self.coded_names)

    @property
    def mean_stays(self) -> tuple[bool, ...]:
        """In which columns after coding the average row may lie off 0, by what is public.

        A typical value is the owner's word for it; the middle of a range or list is nobody's
        average.
        """
        known = [self.ranged and number.typical is not None for number in self.numbers]
        others = [False] * (self.width - len(known))
        subtracted = self.scaling is Scaling.PRIVATE_MEAN
        return tuple(not (subtracted or of) for of in known + others)

    @property
    def bound(self) -> float:
        """R."""
        return float(np.sqrt(len(self.columns))) if self.radius is None else self.radius

    @property
    def ranged(self) -> bool:
        """Whether numbers are cut to their public ranges."""
        return self.scaling in (Scaling.BOUNDED, Scaling.PRIVATE_MEAN)

    @cached_property
    def ranges(self) -> tuple[Array, Array]:
        """Lower and upper ends (p,) of the numbers' ranges."""
        ends = np.array([(c.low, c.high) for c in self.numbers], dtype=float).reshape(-1, 2)
        return ends[:, 0], ends[:, 1]

    @cached_property
    def typical(self) -> Array | None:
        """Typical values (p,) of numbers, or the middle of a range; None where none is given."""
        if all(column.typical is None for column in self.numbers):
            return None
        low, high = self.ranges
        given = [np.nan if c.typical is None else float(c.typical) for c in self.numbers]
        return np.where(np.isnan(given), low / 2 + high / 2, given)

    @property
    def has_radius(self) -> bool:
        """Whether a public R bounds every row: it is given, or follows from ranges."""
        return self.ranged or self.radius is not None

    @property
    def ends_at_length_one(self) -> bool:
        """Whether rows end up all of length 1: those of a paper are divided by the largest."""
        return self.row_length is RowLength.ONE and self.scaling is not Scaling.AS_IN_PAPERS

    @property
    def made_of_length_one(self) -> bool:
        """Whether rows are of length 1 when they are summed up: not before a private mean."""
        return self.ends_at_length_one and self.scaling is not Scaling.PRIVATE_MEAN

    @property
    def selects_rows(self) -> bool:
        """Whether what a row holds decides that it is left out: for a missing value or person."""
        return self.missing is Missing.DROP or self.names_persons

    @property
    def names_persons(self) -> bool:
        """Whether columns name the person that a row belongs to."""
        return len(self.person) > 0

    @property
    def rows_per_person(self) -> int:
        """m: rows one person owns after combining."""
        several = self.names_persons and self.combine is Combine.AT_MOST
        return self.most if several else 1
