"""Released means in the units of their columns, with what is known of their error."""

from dataclasses import dataclass
from math import log, nan, sqrt

import numpy as np

from dpca_core.data.clipping import centred
from dpca_core.data.recipe import CategoryCoding, Recipe, Scaling
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.release.drawn import Drawn
from dpca_core.release.matrix_reading import NORMAL_POINT
from dpca_core.release.plan import PartName, Plan

_LAPLACE_POINT = log(20) / sqrt(2)
"""Standard deviations within which 95 % of Laplace noise lie: more than of normal noise, and more
than of two such noises together."""
NO_UNIT = (
    "Every row was made of length 1 first: these means have no unit, and say in which direction "
    "the average lies, not where."
)
LEAST_COUNT = 5.0
"""The released number of rows must be so many times its noise, or no mean is shown."""


@dataclass(frozen=True, eq=False)
class MeansReading:
    """Means of the columns after coding, read off noisy sums and a noisy number of rows.

    Attributes
    ----------
    names
        Of the d columns.
    values
        (d,), in the unit of each column; a category's is the share of its rows. NaN where the
        number of rows is too noisy.
    halves
        Half-widths (d,) of 95 % intervals, by the delta method.
    in_units
        Whether values are in the columns' units: not where every row was made of length 1, whose
        means have none.
    """

    names: tuple[str, ...]
    values: Array
    halves: Array
    in_units: bool

    @classmethod
    def of(cls, plan: Plan, drawn: Drawn) -> "MeansReading":
        """Read the means of a release that publishes them.

        Raises
        ------
        ValueError
            For a release without.
        """
        if drawn.means is None:
            raise ValueError("This release publishes no means.")
        part = next(part for part in plan.parts if part.name is PartName.MEANS)
        (scale,) = part.scales.values()
        gaussian = part.noise is ExactNoise.GAUSSIAN
        noise = scale * (1.0 if gaussian else sqrt(2))
        point = NORMAL_POINT if gaussian else _LAPLACE_POINT
        count = float(drawn.means[-1])
        if count < LEAST_COUNT * noise:
            none = np.full(plan.d, nan)
            return cls(plan.columns, none, none, not _of_length_one(plan))
        mean = drawn.means[:-1] / count
        half = point * noise / count * np.sqrt(1 + mean**2)
        if _of_length_one(plan):
            return cls(plan.columns, mean, half, False)
        at_zero, per_unit = _units(plan.recipe, plan.d)
        return cls(plan.columns, at_zero + per_unit * mean, np.abs(per_unit) * half, True)


def scale_of_means(plan: Plan) -> str:
    """Say in which unit a release's means are, and of which rows."""
    if _of_length_one(plan):
        return NO_UNIT
    if plan.practice:
        return "The built-in set is prepared already: means are on its scale, from −1 to 1."
    recipe = plan.recipe
    cut = ["cells cut to their ranges"] if recipe.ranged else []
    if recipe.radius is not None:
        cut.append("rows cut to length R")
    return (
        f"Each mean is of {' and '.join(cut)}, in its column’s unit; that of a category is a share "
        "of the rows."
    )


def units_of_means(plan: Plan) -> dict[str, str]:
    """Return the unit of each numeric column that has one; none where means have no unit."""
    if _of_length_one(plan) or plan.practice:
        return {}
    return {column.name: column.unit for column in plan.recipe.numbers if column.unit}


def means_have_units(recipe: Recipe) -> bool:
    """Tell whether rows that are summed up keep their lengths, so that means say where they lie."""
    return not recipe.ends_at_length_one or recipe.scaling is Scaling.PRIVATE_MEAN


def _of_length_one(plan: Plan) -> bool:
    """Whether the rows that were summed up are of length 1: with a private mean they are not."""
    return not means_have_units(plan.recipe)


def _units(recipe: Recipe, d: int) -> tuple[Array, Array]:
    """What a mean of 0 is in a column's unit (d,), and what a mean of 1 is more than that (d,)."""
    at_zero, per_unit = np.zeros(d), np.full(d, recipe.bound)
    p = len(recipe.numbers)
    if recipe.ranged and p:
        low, high = recipe.ranges
        # The map from units to the scale is linear: two points of it tell all.
        ends = centred(np.stack([low, high]), low, high, recipe.typical)
        slope = (high / 2 - low / 2) / (ends[1] / 2 - ends[0] / 2)
        at_zero[:p], per_unit[:p] = low - slope * ends[0], slope * recipe.bound
    if recipe.category_coding is CategoryCoding.CENTRED:
        sizes = [len(category.values) for category in recipe.categories]
        at_zero[p + len(recipe.scales) :] = np.repeat([1 / size for size in sizes], sizes)
    return at_zero, per_unit
