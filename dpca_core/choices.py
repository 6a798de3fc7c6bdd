"""The choices between a file and a data set, and what each of them reads."""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import numpy as np

from dpca_core.dataset import Leak, Unit
from dpca_core.linalg import Array


class RecipeError(ValueError):
    """The choices don't fit the table; the message is one sentence."""


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


class Combine(StrEnum):
    """What is done with several rows of one person."""

    AVERAGE = "averaged into one row"
    AT_MOST = "at most m kept, S divided by m"


@dataclass(frozen=True)
class Number:
    """A numeric column and its public range."""

    name: str
    low: float
    high: float


@dataclass(frozen=True)
class Category:
    """A categorical column and its public list of values; others count as none of them."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Recipe:
    """All choices between a file and a data set.

    Attributes
    ----------
    radius
        Public norm bound R; None for √(numbers + categories), which no row exceeds when bounded.
    bounds_are_public
        Whether ranges, categories and R were fixed without looking at this file.
    person
        Column that names the person a row belongs to; None where a row is a person.
    most
        m, with ``Combine.AT_MOST``.
    mean_share
        Share of the budget for the mean, with ``Scaling.PRIVATE_MEAN``.
    """

    numbers: tuple[Number, ...]
    categories: tuple[Category, ...] = ()
    scaling: Scaling = Scaling.BOUNDED
    radius: float | None = None
    missing: Missing = Missing.CENTRE
    bounds_are_public: bool = False
    person: str | None = None
    combine: Combine = Combine.AVERAGE
    most: int = 1
    mean_share: float = 0.1
    unit: Unit = field(default_factory=Unit)

    @property
    def columns(self) -> tuple[Number | Category, ...]:
        """All columns used, in order."""
        return (*self.numbers, *self.categories)

    @property
    def bound(self) -> float:
        """R."""
        if self.radius is not None:
            return self.radius
        return float(np.sqrt(len(self.numbers) + len(self.categories)))

    @property
    def ranged(self) -> bool:
        """Whether numbers are cut to their public ranges."""
        return self.scaling in (Scaling.BOUNDED, Scaling.PRIVATE_MEAN)

    @cached_property
    def ranges(self) -> tuple[Array, Array]:
        """Lower and upper ends (p,) of the numbers' ranges."""
        ends = np.array([(c.low, c.high) for c in self.numbers], dtype=float).reshape(-1, 2)
        return ends[:, 0], ends[:, 1]

    @property
    def rows_per_person(self) -> int:
        """Return m: rows one person owns after combining."""
        several = self.person is not None and self.combine is Combine.AT_MOST
        return self.most if several else 1


def leaks(recipe: Recipe, long_rows: float, cut_cells: float) -> tuple[Leak, ...]:
    """What each choice outside the mechanism reads, and what that costs."""
    read = ("filled", "not private")
    public = ("hollow", "no ε") if recipe.bounds_are_public else read
    said = "fixed in public" if recipe.bounds_are_public else "read from the file"
    shortened = f"{_share(long_rows)} of rows shortened to norm 1"
    cut = f"{_share(cut_cells)} of values cut to their range"
    bound, centre = {
        Scaling.BOUNDED: (
            Leak("Norm bound", public[0], f"ranges and R {said}; {cut}, {shortened}", public[1]),
            Leak("Centring", public[0], f"the middle of the ranges, {said}", public[1]),
        ),
        Scaling.NORM_ONLY: (
            Leak("Norm bound", public[0], f"R {said}; {shortened}", public[1]),
            Leak("Centring", "hollow", "none: about 0", "no ε"),
        ),
        Scaling.PRIVATE_MEAN: (
            Leak("Norm bound", public[0], f"ranges and R {said}; {cut}, {shortened}", public[1]),
            Leak(
                "Centring", "hollow",
                "a noisy mean; the picture shows one draw of it, rows are clipped again after",
                f"{recipe.mean_share * 100:.0f}\u00a0% of ε, δ",
            ),
        ),
        Scaling.AS_IN_PAPERS: (
            Leak("Norm bound", read[0], "divided by the largest norm of the sample", read[1]),
            Leak("Centring", read[0], "the sample mean is subtracted", read[1]),
        ),
    }[recipe.scaling]  # fmt: skip
    out = [bound, centre]
    if recipe.categories:
        out.append(Leak("Categories", public[0], f"lists {said}; others count as none", public[1]))
    else:
        out.append(Leak("Categories", "hollow", "none: every column is a number", "no ε"))
    if recipe.missing is Missing.DROP:
        out.append(Leak("Missing", "hollow", "a row with a missing value is left out", "no ε"))
    one = recipe.unit.one
    if recipe.person is None:
        out.append(Leak("Rows", "half", f"each row is taken for another {one}", "your word"))
    elif recipe.combine is Combine.AVERAGE:
        out.append(Leak("Rows", "hollow", f"one {one}’s rows are averaged first", "no ε"))
    else:
        text = f"the first {recipe.most} of one {one}; S is divided by {recipe.most}"
        out.append(Leak("Rows", "hollow", text, "no ε"))
    out.append(Leak("Size n", "hollow", "not used: the noise is on the sum, not the mean", "no ε"))
    return tuple(out)


def _share(share: float) -> str:
    """Per cent with one digit below ten."""
    digits = 0 if share == 0 or share >= 0.1 else 1
    return f"{share * 100:.{digits}f}\u00a0%"
