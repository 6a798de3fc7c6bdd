"""A recipe as a file: ``dpca-recipe/1``, JSON that gives the same recipe back.

Enumerations stand by their value, numbers as JSON numbers that give every bit back; a range that
was not asked for (NaN) and a typical value that is not given are null. There is no name of a file
and no count of rows in it. A file is refused as a whole: an unknown key could be a choice that
another version makes, and a missing one would have to be guessed.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import StrEnum
from math import isfinite, isnan, nan
from typing import Any, NoReturn, TypeVar
from unicodedata import category

from dpca_core.data.column_names import label
from dpca_core.data.errors import RecipeError
from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Missing,
    MissingPerson,
    Number,
    Recipe,
    RowLength,
    Scaling,
    Source,
)
from dpca_core.data.recipe_checks import require_valid
from dpca_core.data.text_file_format import TextFileFormat

FORMAT = "dpca-recipe/1"
LARGEST_FILE = 2**20
"""Most bytes of a file that is read: recipes of 2,000 columns take a third of that."""
_LONGEST_WORD = 60

Read = Callable[[str, Any], Any]
"""Turns what stands at a key, named for messages, into the recipe's value."""
_Choice = TypeVar("_Choice", bound=StrEnum)


def dumps(recipe: Recipe) -> str:
    """Write a recipe; ``loads`` gives it back.

    Raises
    ------
    RecipeError
        For a recipe that cannot be followed, and for an infinite number.
    """
    require_valid(recipe)
    tree = {"format": FORMAT} | _written(recipe)
    return json.dumps(tree, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def loads(content: str | bytes) -> Recipe:
    """Read a recipe that ``dumps`` wrote.

    Raises
    ------
    RecipeError
        For anything else, in one sentence that names what is wrong.
    """
    size = len(content) if isinstance(content, bytes) else len(content.encode(errors="replace"))
    if size > LARGEST_FILE:
        raise RecipeError("This file is larger than 1 MB: a recipe is not.")
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        tree = json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_constant)
    except RecipeError:
        raise
    except (ValueError, RecursionError):
        raise RecipeError("This file is not a recipe: it cannot be read as JSON.") from None
    return recipe_of(tree)


def recipe_of(tree: Any) -> Recipe:
    """Return the recipe of a tree of dictionaries, lists, texts and numbers.

    Raises
    ------
    RecipeError
        Unless it has exactly the keys of a recipe, with sound values.
    """
    if not isinstance(tree, Mapping):
        raise RecipeError("This file is not a recipe: it holds no object of named choices.")
    form = tree.get("format")
    if form != FORMAT:
        raise RecipeError(f"This file is not a recipe: its format is not {FORMAT}.")
    found = _object("recipe", {k: v for k, v in tree.items() if k != "format"}, _RECIPE)
    recipe = Recipe(**found)
    require_valid(recipe)
    return recipe


def _written(value: Any) -> Any:
    """Dictionaries of dataclasses, lists of tuples, and values of JSON as they are."""
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [_written(part) for part in value]
    if isinstance(value, float) and isnan(value):
        return None
    if isinstance(value, float) and not isfinite(value):
        raise RecipeError("A recipe with an infinite number cannot be saved: give a finite one.")
    if isinstance(value, str | bool | int | float) or value is None:
        return value
    return {field.name: _written(getattr(value, field.name)) for field in fields(value)}


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise RecipeError(f"The recipe has the key “{label(key)}” twice.")
        found[key] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise RecipeError(f"The recipe has {name} where a number must be finite.")


def _object(name: str, value: Any, keys: Mapping[str, Read]) -> dict[str, Any]:
    """Read an object that has exactly these keys."""
    if not isinstance(value, Mapping):
        raise RecipeError(f"The recipe’s “{name}” must be an object of named choices.")
    unknown = [key for key in value if key not in keys]
    if unknown:
        raise RecipeError(f"The recipe has an unknown key, “{label(unknown[0])}”, in “{name}”.")
    missing = [key for key in keys if key not in value]
    if missing:
        raise RecipeError(f"The recipe has no key “{missing[0]}” in “{name}”.")
    return {key: read(key, value[key]) for key, read in keys.items()}


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or (not value.isascii() and _half_letters(value)):
        raise RecipeError(f"The recipe’s “{name}” must be text.")
    return value


def _half_letters(text: str) -> bool:
    """Tell whether half of a pair of surrogates is in a text, which no file can hold."""
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _word(name: str, value: Any) -> str:
    """Read what one of the protected is called: it is printed into pages and releases."""
    text = _text(name, value)
    letters = all(sign in " -'’" or category(sign)[0] in "LM" for sign in text)
    if not (0 < len(text) <= _LONGEST_WORD and letters):
        raise RecipeError(f"The recipe’s “{name}” must be a word of letters.")
    return text


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise RecipeError(f"The recipe’s “{name}” must be a list of texts.")
    return tuple(_text(name, part) for part in value)


def _truth(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise RecipeError(f"The recipe’s “{name}” must be true or false.")
    return value


def _number(name: str, value: Any) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            found = float(value)
        except OverflowError:
            found = nan
        if isfinite(found):
            return found
    raise RecipeError(f"The recipe’s “{name}” must be a finite number.")


def _number_or_none(name: str, value: Any) -> float | None:
    return None if value is None else _number(name, value)


def _number_or_nan(name: str, value: Any) -> float:
    return nan if value is None else _number(name, value)


def _count(name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value.bit_length() > 63:
        raise RecipeError(f"The recipe’s “{name}” must be a whole number.")
    return value


def _one_of(choices: type[_Choice]) -> Read:
    def read(name: str, value: Any) -> _Choice:
        for choice in choices:
            if value == choice.value:
                return choice
        known = ", ".join(f"“{choice.value}”" for choice in choices)
        raise RecipeError(f"The recipe’s “{name}” must be one of {known}.")

    return read


def _made(kind: Callable[..., Any], keys: Mapping[str, Read]) -> Read:
    return lambda name, value: kind(**_object(name, value, keys))


def _list_of(kind: Callable[..., Any], keys: Mapping[str, Read]) -> Read:
    def read(name: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise RecipeError(f"The recipe’s “{name}” must be a list.")
        return tuple(kind(**_object(name, part, keys)) for part in value)

    return read


_ABOUT: Mapping[str, Read] = {"missing": _texts, "source": _one_of(Source), "seen": _truth}
_NUMBER: Mapping[str, Read] = {
    "name": _text,
    "low": _number_or_nan,
    "high": _number_or_nan,
    "typical": _number_or_none,
    "unit": _text,
    **_ABOUT,
}
_CATEGORY: Mapping[str, Read] = {"name": _text, "values": _texts, **_ABOUT}
_FORMAT: Mapping[str, Read] = {
    "delimiter": _text,
    "decimal": _text,
    "thousands": _text,
    "encoding": _text,
    "missing": _texts,
    "unnamed": _count,
}
_RECIPE: Mapping[str, Read] = {
    "numbers": _list_of(Number, _NUMBER),
    "categories": _list_of(Category, _CATEGORY),
    "scaling": _one_of(Scaling),
    "radius": _number_or_none,
    "missing": _one_of(Missing),
    "bounds_are_public": _truth,
    "person": _texts,
    "combine": _one_of(Combine),
    "most": _count,
    "mean_share": _number,
    "unit": _made(Unit, {"one": _word, "many": _word}),
    "number_format": _made(TextFileFormat, _FORMAT),
    "row_length": _one_of(RowLength),
    "category_coding": _one_of(CategoryCoding),
    "missing_person": _one_of(MissingPerson),
    "ids_ignore_case": _truth,
}
