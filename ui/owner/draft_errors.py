"""What keeps a draft from being a recipe: one short sentence beside the cell it is about."""

import re
from collections import Counter
from dataclasses import dataclass

from dpca_core.data.recipe_checks import MOST_STEPS
from dpca_core.data.text_file_format import TextFileFormat
from ui.owner.column import ANSWER, LISTS, Column, Use
from ui.owner.typed_values import parsed_number, split_values

_BETWEEN_THOUSANDS = re.compile(r"(?<=\d)[’'.,](?=\d{3}(?!\d))", re.ASCII)
NEEDS_RANGE = "needs a range"
NEEDS_VALUES = "at least two values, with ; or , between them"


@dataclass(frozen=True)
class DraftError:
    """One answer that is missing, or one that cannot be, as it stands beside its cell.

    ``column`` is "" for the whole draft, whose fields are ``who``, ``most`` and ``columns``; a
    column's ``field`` may also be ``asked.`` with the key of a question.
    """

    column: str
    field: str
    sentence: str
    others: tuple[str, ...] = ()
    """Further cells of the column that it is about."""


def column_errors(column: Column, form: TextFileFormat) -> tuple[DraftError, ...]:
    """Say what keeps a column from being used as it is meant to be, in the order of its cells."""
    if column.use is None:
        return (DraftError(column.name, "use", "use it as what?"),)
    if column.use is Use.NUMBER:
        return _number_errors(column, form)
    return _list_errors(column, form) if column.use in LISTS else ()


def open_answers(column: Column) -> tuple[DraftError, ...]:
    """Return the questions about a column that are open."""
    return tuple(
        DraftError(column.name, f"{ANSWER}{key}", "a question is open")
        for key in column.open_questions
    )


def _number_errors(column: Column, form: TextFileFormat) -> tuple[DraftError, ...]:
    cells = column.used
    wrong = tuple(
        DraftError(column.name, name, _not_a_number(cell.text.strip(), form))
        for name, cell in cells.items()
        if not cell.empty and parsed_number(cell.text, form) is None
    )
    low, high, typical = (parsed_number(cells[n].text, form) for n in ("low", "high", "typical"))
    if low is None or high is None:
        empty = DraftError(column.name, "low" if low is None else "high", NEEDS_RANGE)
        return wrong or (empty,)
    if not high / 4 - low / 4 > 0:
        return (DraftError(column.name, "low", "low must be below high", ("high",)), *wrong)
    if typical is not None and not low <= typical <= high:
        return (DraftError(column.name, "typical", "typical must lie between"),)
    return wrong


def _list_errors(column: Column, form: TextFileFormat) -> tuple[DraftError, ...]:
    values, codes = (split_values(column[name].text, form) for name in ("values", "missing"))
    twice = [value for value, times in Counter(values).items() if times > 1]
    both = [value for value in values if value in codes]
    others: tuple[str, ...] = ()
    """Further cells of the column that it is about."""
    if twice:
        sentence = f"“{twice[0]}” is there twice"
    elif len(values) < 2:
        sentence = NEEDS_VALUES
    elif column.use is Use.SCALE and len(values) > MOST_STEPS:
        sentence = f"a scale has at most {MOST_STEPS} values"
    elif column.use is Use.SCALE and both:
        sentence, others = f"“{both[0]}” is a value and a missing code", ("missing",)
    else:
        return ()
    return (DraftError(column.name, "values", sentence, others),)


def _not_a_number(text: str, form: TextFileFormat) -> str:
    """Say that a text is no number, and how it is written if it looks like one."""
    ways = [_BETWEEN_THOUSANDS.sub("", text), text.replace(",", ".")]
    known = [way for way in dict.fromkeys(ways) if parsed_number(way) is not None]
    hint = f" (write {' or '.join(known)})" if known and form.decimal != "," else ""
    return f"not a number: {text}{hint}"
