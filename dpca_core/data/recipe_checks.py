"""Choices that cannot be followed, whatever the table."""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from dpca_core.data.column_names import LONGEST_LABEL, label
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Category, Recipe, RowLength, Scale, Scaling, Source
from dpca_core.data.text_file_format import require_valid_format

MOST_STEPS = 20
"""Values of a scale, at most."""


def require_valid(recipe: Recipe) -> None:
    """Refuse choices that cannot be followed, whatever the table.

    Raises
    ------
    RecipeError
        For the first of them, in a sentence that names the remedy.
    """
    require_valid_format(recipe.number_format)
    if recipe.width < 2:
        raise RecipeError("Choose at least two columns: PCA needs two.")
    for chosen in (recipe.numbers, recipe.scales, recipe.categories):
        if again := _repeated(c.name for c in chosen):
            raise RecipeError(f"The column {label(again[0])} is chosen twice.")
    if recipe.ranged:
        for column in recipe.numbers:
            if not (np.isfinite(column.low) and np.isfinite(column.high)):
                raise RecipeError(
                    f"Give the column {label(column.name)} a public range from low to high, or "
                    "leave it out."
                )
            if not column.high / 4 - column.low / 4 > 0:
                raise RecipeError(
                    f"The range of {label(column.name)} must rise from low to high, not "
                    f"{column.low:g} to {column.high:g}; leave a constant column out."
                )
            if column.typical is not None and not column.low <= column.typical <= column.high:
                raise RecipeError(
                    f"The typical value of {label(column.name)} must lie between "
                    f"{column.low:g} and {column.high:g}, not at {column.typical:g}."
                )
    if recipe.scaling is Scaling.NORM_ONLY and recipe.radius is None:
        if recipe.row_length is not RowLength.ONE:
            raise RecipeError("Give a public norm bound R: longer rows are shortened to it.")
    elif recipe.scaling is Scaling.AS_IN_PAPERS and recipe.row_length is RowLength.ONE:
        raise RecipeError(
            "Rows divided by the largest norm, as in the papers, cannot all be of length 1: choose "
            "one of both."
        )
    elif not (np.isfinite(recipe.bound) and recipe.bound > 0):
        raise RecipeError(f"The norm bound R must be a positive number, not {recipe.bound:g}.")
    for scale in recipe.scales:
        _require_scale(scale)
    for category in recipe.categories:
        if len(category.values) < 2:
            raise RecipeError(
                f"Give the column {label(category.name)} at least two categories, or leave it out."
            )
        if again := _repeated(category.values):
            raise RecipeError(
                f"The column {label(category.name)} has the category {label(again[0])} twice."
            )
        _require_trimmed(category)
    if again := _repeated(recipe.person):
        raise RecipeError(f"The ID column {label(again[0])} is chosen twice.")
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


def _require_scale(scale: Scale) -> None:
    """Refuse texts that are not 2 to 20 different steps."""
    if not 2 <= len(scale.values) <= MOST_STEPS:
        raise RecipeError(
            f"The scale {label(scale.name)} must have 2 to {MOST_STEPS} values, in their order, "
            f"not {len(scale.values)}."
        )
    if again := _repeated(scale.values):
        raise RecipeError(f"The scale {label(scale.name)} has the value {label(again[0])} twice.")
    codes = {code.strip() for code in scale.missing}
    if both := [value for value in scale.values if value in codes]:
        raise RecipeError(
            f"The scale {label(scale.name)} has {label(both[0])} both as a value and as a code for "
            "a missing one: choose one of both."
        )
    _require_trimmed(scale)


def _require_trimmed(column: Scale | Category) -> None:
    """Refuse a text that no cell can be equal to: cells are read without the spaces around them."""
    if wide := [value for value in column.values if value != value.strip()]:
        raise RecipeError(
            f"The value “{wide[0][:LONGEST_LABEL]}” of the column {label(column.name)} begins or "
            "ends with a space, which no cell does: remove it."
        )


def _repeated(names: Iterable[str]) -> list[str]:
    """Names that occur more than once."""
    return [name for name, times in Counter(names).items() if times > 1]
