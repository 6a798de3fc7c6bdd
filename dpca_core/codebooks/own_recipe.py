"""A recipe that this program has saved, read as a codebook."""

from math import isnan
from typing import Any

from dpca_core.codebooks.codebook import Codebook, CodebookEntry, CodebookError, EntryUse
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Category, Number, Recipe
from dpca_core.data.text_file_format import TextFileFormat, parsed

_FORMAT = "dpca-recipe/"


def is_recipe(tree: Any) -> bool:
    """Tell whether a tree says that it is a recipe, of this version or another."""
    form = tree.get("format") if isinstance(tree, dict) else None
    return isinstance(form, str) and form.startswith(_FORMAT)


def read_recipe(text: str) -> Codebook:
    """Read a recipe's file. Where its ranges come from stays what it was when it was saved.

    Raises
    ------
    CodebookError
        Where the file is no sound recipe.
    """
    from dpca_core.data.recipe_json import loads

    try:
        recipe = loads(text)
    except RecipeError as wrong:
        raise CodebookError(str(wrong)) from wrong
    return codebook_of_recipe(recipe)


def codebook_of_recipe(recipe: Recipe) -> Codebook:
    """Return what a recipe says of its columns, with the whole recipe."""
    entries = (
        *(_number(column, recipe.number_format) for column in recipe.numbers),
        *(_category(column) for column in recipe.categories),
    )
    return Codebook(entries, recipe.person, recipe.number_format, recipe=recipe)


def _number(column: Number, form: TextFileFormat) -> CodebookEntry:
    return CodebookEntry(
        column.name,
        EntryUse.NUMBER,
        _written(column.low),
        _written(column.typical),
        _written(column.high),
        column.unit,
        tuple(_with_point(code, form) for code in column.missing),
        source=column.source,
        seen=column.seen,
    )


def _with_point(code: str, form: TextFileFormat) -> str:
    """Return a code that is a number with a decimal point; any other as it is."""
    number = parsed(code, form)
    return code if number in (None, parsed(code, TextFileFormat())) else _written(number)


def _written(value: float | None) -> str:
    """Return the shortest text that gives the number back; "" for one that was not asked for."""
    if value is None or isnan(value):
        return ""
    return repr(value).removesuffix(".0")


def _category(column: Category) -> CodebookEntry:
    return CodebookEntry(
        column.name,
        EntryUse.CATEGORY,
        missing=column.missing,
        values=column.values,
        source=column.source,
        seen=column.seen,
    )
