"""Numbers brought to the scale of a recipe."""

from collections.abc import Sequence

import numpy as np

from dpca_core.data.clipping import HUGE, Clipped, centred, to_unit_range
from dpca_core.data.recipe import Number, Recipe
from dpca_core.linalg.arrays import Array

_LARGEST = float(np.finfo(float).max)


def without_infinite(rows: Array) -> Array:
    """Make what is infinite missing, in place: a cell that is no finite number is missing."""
    if not np.isfinite(rows).all():
        rows[np.isinf(rows)] = np.nan
    return rows


def to_scale(
    recipe: Recipe,
    numbers: Array,
    out: Array | None = None,
    *,
    missing: float = 0.0,
    finite: bool = False,
) -> Clipped:
    """Numbers (n, p) on their scale, cut to their ranges; NaN becomes ``missing``.

    Where memory (n, p) for the result is given, the numbers may be overwritten on the way. A caller
    may know that all of them are finite.
    """
    if recipe.ranged:
        low, high = recipe.ranges
        return to_unit_range(
            numbers, low, high, out, typical=recipe.typical, missing=missing, finite=finite
        )
    free = numbers if finite else unclipped(recipe, numbers, missing)
    if out is not None:
        np.copyto(out, free)
    return Clipped(free, 0, free.size)


def unclipped(recipe: Recipe, numbers: Array, missing: float = 0.0) -> Array:
    """Numbers on their scale as they are; NaN becomes ``missing``."""
    if recipe.ranged:
        return centred(numbers, *recipe.ranges, recipe.typical, missing)
    return np.nan_to_num(numbers, nan=missing, posinf=HUGE, neginf=-HUGE)


def rounded_ranges(ranges: Sequence[Number]) -> tuple[Number, ...]:
    """Round ranges outwards to two digits. They were read from the data: not private."""
    out = []
    for column in ranges:
        step = 10.0 ** np.floor(np.log10(max(abs(column.low), abs(column.high), 1e-300)) - 1)
        with np.errstate(over="ignore"):
            low, high = np.floor(column.low / step) * step, np.ceil(column.high / step) * step
        low, high = (
            float(np.clip(float(f"{end:.6g}"), -_LARGEST, _LARGEST)) for end in (low, high)
        )
        out.append(Number(column.name, low, high))
    return tuple(out)
