"""Choices that cannot be followed, whatever the table."""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from dpca_core.data.column_names import LONGEST_LABEL, label
from dpca_core.data.errors import refused
from dpca_core.data.recipe import Listed, Number, Recipe, RowLength, Scale, Scaling, Source
from dpca_core.data.text_file_format import require_valid_format

MOST_STEPS = 20
"""Values of a scale, at most."""


def require_valid(recipe: Recipe) -> None:
    """Refuse choices that cannot be followed: RecipeError, a sentence that names the remedy."""
    require_valid_format(recipe.number_format)
    if recipe.width < 2:
        raise refused("two_columns")
    for chosen in (recipe.numbers, recipe.scales, recipe.categories):
        if again := _repeated(column.name for column in chosen):
            raise refused("column_twice", name=again[0])
    for number in recipe.numbers if recipe.ranged else ():
        _require_range(number)
    of_length_one = recipe.row_length is RowLength.ONE
    if recipe.scaling is Scaling.NORM_ONLY and recipe.radius is None:
        if not of_length_one:
            raise refused("no_radius")
    elif recipe.scaling is Scaling.AS_IN_PAPERS and of_length_one:
        raise refused("papers_length")
    elif not (np.isfinite(recipe.bound) and recipe.bound > 0):
        raise refused("radius", radius=recipe.bound)
    for listed in (*recipe.scales, *recipe.categories):
        _require_values(listed)
    if again := _repeated(recipe.person):
        raise refused("id_twice", name=again[0])
    read = [column.name for column in recipe.columns if column.source is Source.FILE]
    if recipe.bounds_are_public and read:
        raise refused("read_from_file", name=label(read[0]))
    if not recipe.most >= 1:
        raise refused("most")
    if not 0 < recipe.mean_share < 1:
        raise refused("mean_share")


def _require_range(column: Number) -> None:
    name, low, high, typical = label(column.name), column.low, column.high, column.typical
    if not (np.isfinite(low) and np.isfinite(high)):
        raise refused("no_range", name=name)
    if not high / 4 - low / 4 > 0:
        raise refused("falling_range", name=name, low=low, high=high)
    if typical is not None and not low <= typical <= high:
        raise refused("typical", name=name, low=low, high=high, typical=typical)


def _require_values(column: Listed) -> None:
    name, values, codes = label(column.name), column.values, {c.strip() for c in column.missing}
    if isinstance(column, Scale) and not 2 <= len(values) <= MOST_STEPS:
        raise refused("steps", name=name, most=MOST_STEPS, count=len(values))
    if len(values) < 2:
        raise refused("two_values", name=name)
    if again := _repeated(values):
        raise refused("value_twice", name=name, value=again[0])
    if column.labels and (len(column.labels) != len(values) or _repeated(column.labels)):
        raise refused("labels", name=name)
    both = [value for value in values if value in codes]
    if both and isinstance(column, Scale):
        raise refused("value_and_code", name=name, value=label(both[0]))
    # Cells are read without the spaces around them.
    if wide := [value for value in values if value != value.strip()]:
        raise refused("spaces", name=name, value=wide[0][:LONGEST_LABEL])


def _repeated(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once, as they are shown; one may be empty."""
    return [label(name) for name, times in Counter(names).items() if times > 1]
