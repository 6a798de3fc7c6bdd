"""What keeps a draft from being a recipe: one short sentence beside the cell it is about."""

import re
from collections import Counter
from dataclasses import dataclass

from dpca_core.data.recipe_checks import MOST_STEPS
from dpca_core.data.text_file_format import TextFileFormat
from ui.owner.column import ANSWER, KEEP, LISTS, Column, Use
from ui.owner.typed_values import POINT, parsed_number, split_values

_GROUPS = re.compile(r"[+-]?\d{1,3}([  \u202f’'_]\d{3})+(\.\d+)?", re.ASCII)
_BETWEEN_GROUPS = re.compile(r"[^\d.+-]")
_MARKED_GROUPS = re.compile(
    r"[+-]?[1-9]\d{0,2}(?:,\d{3})+|[+-]?[1-9]\d{0,2}(?:\.\d{3}){2,}", re.ASCII
)
NEEDS_RANGE = "needs a range"
NEEDS_VALUES = "at least two values, with ; or , between them"


@dataclass(frozen=True)
class DraftError:
    """One answer that is missing, or one that cannot be.

    Attributes
    ----------
    column
        Its name; "" for the whole draft.
    field
        A field of ``Column``, ``use``, or ``asked.`` with the key of a question; ``who`` and
        ``most`` for the whole draft.
    sentence
        What is wrong, as it stands beside the cell.
    others
        Further cells of the column that it is about.
    """

    column: str
    field: str
    sentence: str
    others: tuple[str, ...] = ()


def column_errors(column: Column, form: TextFileFormat = POINT) -> tuple[DraftError, ...]:
    """Say what keeps a column from being used as it is meant to be, in the order of its cells."""
    if column.use is None:
        return (DraftError(column.name, "use", "use it as what?"),)
    if column.use is Use.NUMBER:
        return _number_errors(column, form)
    return _list_errors(column, form) if column.use in LISTS else ()


def open_answers(column: Column) -> tuple[DraftError, ...]:
    """Questions about a column that are open: its own, then whether the file's cells stay."""
    name = column.name
    found = [
        DraftError(name, f"{ANSWER}{key}", "a question is open") for key in column.open_questions
    ]
    if column.file_fields and not column.kept:
        first, *others = column.file_fields
        about = "read from the file: type it again, or keep it"
        found.append(DraftError(name, f"{ANSWER}{KEEP}", about, (first, *others)))
    return tuple(found)


def _number_errors(column: Column, form: TextFileFormat) -> tuple[DraftError, ...]:
    cells = column.used
    wrong = [
        DraftError(column.name, name, _not_a_number(cell.text.strip(), form))
        for name, cell in cells.items()
        if not cell.empty and parsed_number(cell.text, form) is None
    ]
    low, high, typical = (parsed_number(cells[n].text, form) for n in ("low", "high", "typical"))
    if wrong and (low is None or high is None):
        return tuple(wrong)
    if low is None or high is None:
        empty = "low" if low is None else "high"
        return (DraftError(column.name, empty, NEEDS_RANGE),)
    if not high / 4 - low / 4 > 0:
        return (DraftError(column.name, "low", "low must be below high", ("high",)), *wrong)
    if wrong:
        return tuple(wrong)
    if typical is not None and not low <= typical <= high:
        return (DraftError(column.name, "typical", "typical must lie between"),)
    return ()


def _list_errors(column: Column, form: TextFileFormat) -> tuple[DraftError, ...]:
    values, codes = (split_values(column[name].text, form) for name in ("values", "missing"))
    twice = [value for value, times in Counter(values).items() if times > 1]
    if twice:
        return (DraftError(column.name, "values", f"“{twice[0]}” is there twice"),)
    if len(values) < 2:
        return (DraftError(column.name, "values", NEEDS_VALUES),)
    if column.use is not Use.SCALE:
        return ()
    if len(values) > MOST_STEPS:
        return (DraftError(column.name, "values", f"a scale has at most {MOST_STEPS} values"),)
    if both := [value for value in values if value in codes]:
        sentence = f"“{both[0]}” is a value and a missing code"
        return (DraftError(column.name, "values", sentence, ("missing",)),)
    return ()


def _not_a_number(text: str, form: TextFileFormat) -> str:
    """Say that a text is no number, and how it is written if it looks like one."""
    if form.decimal != "," and _MARKED_GROUPS.fullmatch(text):
        grouped = re.sub("[.,]", "", text)
        decimal = parsed_number(text.replace(",", "."))
        other = "" if decimal is None else f" or {decimal:.15g}"
        return f"not a number: {text} (write {grouped}{other})"
    point = text.replace(",", ".")
    if text.count(",") == 1 and parsed_number(point) is not None:
        return f"not a number: {text} (write {point})"
    if _GROUPS.fullmatch(text):
        return f"not a number: {text} (write {_BETWEEN_GROUPS.sub('', text)})"
    return f"not a number: {text}"
