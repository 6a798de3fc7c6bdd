"""Whether a recipe is one that can be followed, and under which a row depends on nothing else.

Each of its choices is compared with all that there are: what is not known promises nothing.
"""

from collections.abc import Iterable, Mapping
from typing import Any
from unicodedata import category

from dpca_core.verify import known_settings as known
from dpca_core.verify.certificate_values import is_finite, is_text, listed, whole
from dpca_core.verify.check import Check, same


def recipe_checks(recipe: Mapping[str, Any]) -> list[Check]:
    """Check a recipe by itself; fields that are missing raise."""
    numbers, categories = listed(recipe["numbers"]), listed(recipe["categories"])
    scales = scales_of(recipe)
    columns = [*numbers, *scales, *categories]
    read = [column["name"] for column in columns if column["source"] not in known.SOURCES]
    unnamed = recipe["missing_person"] if recipe["person"] else known.LEFT_OUT
    public, ignore_case = recipe["bounds_are_public"], recipe["ids_ignore_case"]
    share, form, unit = recipe["mean_share"], recipe["number_format"], recipe["unit"]
    return [
        _one_of("rows are scaled one by one", recipe["scaling"], known.SCALINGS),
        _one_of("several rows of a person", recipe["combine"], known.COMBINED),
        _one_of("missing values", recipe["missing"], known.MISSING_BECOMES),
        _one_of("length of rows", recipe["row_length"], known.ROW_LENGTHS),
        _one_of("coding of categories", recipe["category_coding"], known.CODINGS),
        _one_of("rows without an ID", recipe["missing_person"], known.OF_NOBODY),
        same("rows that name nobody", unnamed, known.LEFT_OUT),
        same("nothing is known from the table", ", ".join(read), ""),
        Check("limits declared public", public is True, public, True),
        Check("ranges and R", _bounded(recipe), "ranges or an R that bound nothing", "no bound"),
        Check("columns", _columns(numbers, scales, categories), "columns of another kind, or twice",
              "not what columns are"),
        Check("scales", all(map(_is_scale, scales)), "a scale that is none",
              "not 2 to 20 different values in their order"),
        Check("lists of values", all(map(_listed_once, categories)), "a list that is none",
              "not at least two different values"),
        Check("ID columns", _distinct(recipe["person"]), recipe["person"], "not different names"),
        Check("IDs with or without case", _truth(ignore_case), ignore_case, "neither"),
        Check("how the file is written", _can_be_read(form), form, "nothing that can be read"),
        Check("share of the mean", is_finite(share) and 0 < share < 1, share, "not in (0, 1)"),
        Check("words of the unit", all(map(_word, unit.values())), unit, "not words of letters"),
    ]  # fmt: skip


def coded(recipe: Mapping[str, Any]) -> list[str]:
    """Return the names of columns after coding: numbers, scales, each value of each category."""
    hot = (f"{c['name']}: {v}" for c in recipe["categories"] for v in listed(c["values"]))
    return [*(column["name"] for column in (*recipe["numbers"], *scales_of(recipe))), *hot]


def scales_of(recipe: Mapping[str, Any]) -> list[Any]:
    """Return the scales of a recipe; one that was written before has none."""
    return list(listed(recipe.get("scales", [])))


def _one_of(name: str, said: Any, allowed: tuple[str, ...]) -> Check:
    return Check(name, said in allowed, said, f"none of: {'; '.join(allowed)}")


def _columns(numbers: list[Any], *others: list[Any]) -> bool:
    """Whether each column is written as columns are, and none of a kind is there twice."""
    right = all(
        is_text(column["unit"]) and all(v is None or is_finite(v) for v in _ends(column))
        for column in numbers
    )
    for kind in (numbers, *others):
        right = right and _distinct([column["name"] for column in kind])
        right = right and all(_truth(c["seen"]) and _texts(c["missing"]) for c in kind)
    return right


def _listed_once(column: Mapping[str, Any]) -> bool:
    return len(column["values"]) > 1 and _distinct(column["values"])


def _is_scale(column: Mapping[str, Any]) -> bool:
    values = column["values"]
    few = len(values) in known.STEPS_OF_SCALE and _listed_once(column)
    return few and not {*values} & {code.strip() for code in column["missing"]}


def _bounded(recipe: Mapping[str, Any]) -> bool:
    """Whether public ranges rise, hold their typical values, and bound every row with R."""
    radius = recipe["radius"]
    if recipe["scaling"] != known.NORM_ONLY:
        for column in recipe["numbers"]:
            low, high, typical = _ends(column)
            middle = low if typical is None else typical
            if not (is_finite(low, high, middle) and low < high and low <= middle <= high):
                return False
    if radius is None:
        return bool(
            recipe["scaling"] != known.NORM_ONLY or recipe["row_length"] == known.LENGTH_ONE
        )
    return bool(is_finite(radius) and radius > 0)


def _ends(column: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    return column["low"], column["high"], column["typical"]


def _can_be_read(form: Mapping[str, Any]) -> bool:
    """Whether a file can be written like that."""
    delimiter, decimal, thousands = form["delimiter"], form["decimal"], form["thousands"]
    marks = is_text(delimiter) and len(delimiter) == 1 and delimiter in known.MARKS_BETWEEN_CELLS
    marks = marks and decimal in known.DECIMAL_MARKS
    marks = marks and thousands in ("", *known.MARKS_OF_THOUSANDS)
    marks = marks and not (thousands and thousands in decimal)
    marks = marks and form.get("escape", "doubled") in known.ESCAPES
    marks = marks and _truth(form.get("cr_ends_lines", False)) and is_text(form.get("sheet", ""))
    few = whole(form["unnamed"]) <= known.PROVED_COLUMNS and whole(form.get("skip", 0)) >= 0
    return bool(
        marks and few and form["encoding"] in known.KNOWN_ENCODINGS and _texts(form["missing"])
    )


def _word(text: Any) -> bool:
    """Whether this is what one of the protected may be called."""
    return (
        is_text(text)
        and 0 < len(text) <= known.LETTERS_OF_WORD
        and all(sign in " -'’" or category(sign)[0] in "LM" for sign in text)
    )


def _truth(value: Any) -> bool:
    return isinstance(value, bool)


def _texts(values: Iterable[Any]) -> bool:
    return all(map(is_text, listed(values)))


def _distinct(values: Iterable[Any]) -> bool:
    """Whether these are texts, each of them once."""
    return _texts(values) and len(set(values)) == len(list(values))
