"""Choices that cannot be followed, whatever the table."""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from dpca_core.data.column_names import LONGEST_LABEL, label
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Listed, Number, Recipe, RowLength, Scale, Scaling, Source
from dpca_core.data.text_file_format import require_valid_format

MOST_STEPS = 20
"""Values of a scale, at most."""


def require_valid(recipe: Recipe) -> None:
    """Refuse choices that cannot be followed: RecipeError, a sentence that names the remedy."""
    require_valid_format(recipe.number_format)
    if recipe.width < 2:
        raise RecipeError("Choose at least two columns: PCA needs two.")
    for chosen in (recipe.numbers, recipe.scales, recipe.categories):
        if again := _repeated(c.name for c in chosen):
            raise RecipeError(f"The column {again[0]} is chosen twice.")
    for number in recipe.numbers if recipe.ranged else ():
        _require_range(number)
    of_length_one = recipe.row_length is RowLength.ONE
    if recipe.scaling is Scaling.NORM_ONLY and recipe.radius is None:
        if not of_length_one:
            raise RecipeError("Give a public norm bound R: longer rows are shortened to it.")
    elif recipe.scaling is Scaling.AS_IN_PAPERS and of_length_one:
        raise RecipeError(
            "Rows divided by the largest norm, as in the papers, cannot all be of length 1: choose "
            "one of both."
        )
    elif not (np.isfinite(recipe.bound) and recipe.bound > 0):
        raise RecipeError(f"The norm bound R must be a positive number, not {recipe.bound:g}.")
    for column in (*recipe.scales, *recipe.categories):
        _require_values(column)
    if again := _repeated(recipe.person):
        raise RecipeError(f"The ID column {again[0]} is chosen twice.")
    read = [c.name for c in recipe.columns if c.source is Source.FILE]
    if recipe.bounds_are_public and read:
        raise RecipeError(
            f"What is known of {label(read[0])} was read from the file, so it is not public: give "
            "it anew, or say that the choices are not public."
        )
    if not recipe.most >= 1:
        raise RecipeError("Keep at least one row per person.")
    if not 0 < recipe.mean_share < 1:
        raise RecipeError("The mean’s share of the budget must lie between 0 and 1.")


def _require_range(column: Number) -> None:
    """Refuse a range that does not rise, or has no ends, and a typical value beside it."""
    name, low, high = label(column.name), column.low, column.high
    if not (np.isfinite(low) and np.isfinite(high)):
        raise RecipeError(
            f"Give the column {name} a public range from low to high, or leave it out."
        )
    if not high / 4 - low / 4 > 0:
        raise RecipeError(
            f"The range of {name} must rise from low to high, not {low:g} to {high:g}; leave a "
            "constant column out."
        )
    if column.typical is not None and not low <= column.typical <= high:
        raise RecipeError(
            f"The typical value of {name} must lie between {low:g} and {high:g}, not at "
            f"{column.typical:g}."
        )


def _require_values(column: Listed) -> None:
    """Refuse a list that is too short or too long, or has a value twice or that no cell can be."""
    name, codes = label(column.name), {code.strip() for code in column.missing}
    if isinstance(column, Scale) and not 2 <= len(column.values) <= MOST_STEPS:
        raise RecipeError(
            f"The scale {name} must have 2 to {MOST_STEPS} values, in their order, not "
            f"{len(column.values)}."
        )
    if len(column.values) < 2:
        raise RecipeError(f"Give the column {name} at least two categories, or leave it out.")
    if again := _repeated(column.values):
        raise RecipeError(f"The column {name} has the value {again[0]} twice.")
    if column.labels and (len(column.labels) != len(column.values) or _repeated(column.labels)):
        raise RecipeError(f"The column {name} must have one label for each value, none twice.")
    both = [value for value in column.values if value in codes]
    if both and isinstance(column, Scale):
        raise RecipeError(
            f"The scale {name} has {label(both[0])} both as a value and as a code for a missing "
            "one: choose one of both."
        )
    # Cells are read without the spaces around them.
    if wide := [value for value in column.values if value != value.strip()]:
        raise RecipeError(
            f"The value “{wide[0][:LONGEST_LABEL]}” of the column {name} begins or ends with a "
            "space, which no cell does: remove it."
        )


def _repeated(names: Iterable[str]) -> list[str]:
    """Names that occur more than once, as they are shown."""
    return [label(name) for name, times in Counter(names).items() if times > 1]
