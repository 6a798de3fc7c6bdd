"""A column as a recipe has it, or what keeps it from that: a sentence beside its cell."""

import re
from collections import Counter
from dataclasses import dataclass

from dpca_core.data.recipe import Category, Number, Scale, Source, Use
from dpca_core.data.recipe_checks import MOST_STEPS
from dpca_core.data.text_file_format import TextFileFormat
from ui.owner.column import LISTS, Column
from ui.owner.typed_values import number_codes, parsed_number, split_values

_BETWEEN_THOUSANDS = re.compile(r"(?<=\d)[’'.,](?=\d{3}(?!\d))", re.ASCII)


@dataclass(frozen=True)
class DraftError:
    """One answer that is missing, or one that cannot be, as it stands beside its cell.

    ``column`` is "" for the whole draft, whose fields are ``who``, ``most`` and ``columns``; a
    ``field`` may also be ``asked.`` with the key of a question. ``others`` are further cells of the
    column that it is about.
    """

    column: str
    field: str
    sentence: str
    others: tuple[str, ...] = ()


def checked(
    column: Column, form: TextFileFormat
) -> Number | Scale | Category | tuple[DraftError, ...]:
    """Return a column of a recipe, or what keeps this one from being it, in its cells' order."""
    if column.use is Use.NUMBER:
        return _number(column, form)
    if column.use in LISTS:
        return _listed(column, form)
    return (DraftError(column.name, "use", "use it as what?"),)


def _number(column: Column, form: TextFileFormat) -> Number | tuple[DraftError, ...]:
    name, cells = column.name, column.used
    low, typical, high = numbers = [parsed_number(cell.text, form) for cell in cells.values()]
    wrong = tuple(
        DraftError(name, field, _not_a_number(cell.text.strip(), form))
        for (field, cell), number in zip(cells.items(), numbers, strict=True)
        if number is None and not cell.empty
    )
    if low is None or high is None:
        return wrong or (DraftError(name, "low" if low is None else "high", "needs a range"),)
    if not high / 4 - low / 4 > 0:
        return (DraftError(name, "low", "low must be below high", ("high",)), *wrong)
    if typical is not None and not low <= typical <= high:
        return (DraftError(name, "typical", "typical must lie between"),)
    if wrong:
        return wrong
    unit, codes = column["unit"].text.strip(), number_codes(column["missing"].text, form)
    return Number(name, low, high, typical, unit, codes, column.origin or Source.GUESS, column.seen)


def _not_a_number(text: str, form: TextFileFormat) -> str:
    """Say that a text is no number, and how it is written if it looks like one."""
    ways = [_BETWEEN_THOUSANDS.sub("", text), text.replace(",", ".")]
    known = [way for way in dict.fromkeys(ways) if parsed_number(way) is not None]
    hint = f" (write {' or '.join(known)})" if known and form.decimal != "," else ""
    return f"not a number: {text}{hint}"


def _listed(column: Column, form: TextFileFormat) -> Scale | Category | tuple[DraftError, ...]:
    values, codes = (split_values(column[name].text, form) for name in ("values", "missing"))
    twice = [value for value, times in Counter(values).items() if times > 1]
    both = [value for value in values if value in codes]

    def wrong(sentence: str, *others: str) -> tuple[DraftError, ...]:
        return (DraftError(column.name, "values", sentence, others),)

    if twice:
        return wrong(f"“{twice[0]}” is there twice")
    if len(values) < 2:
        return wrong("at least two values, with ; or , between them")
    if column.use is Use.SCALE and len(values) > MOST_STEPS:
        return wrong(f"a scale has at most {MOST_STEPS} values")
    if column.use is Use.SCALE and both:
        return wrong(f"“{both[0]}” is a value and a missing code", "missing")
    # Labels are of a codebook's own list only.
    labels = tuple(column.labels.get(value, "") for value in values)
    if {*values} != {*column.labels} or len({*labels}) < len(labels) or labels == values:
        labels = ()
    kind = Scale if column.use is Use.SCALE else Category
    source = column.origin or Source.GUESS
    return kind(column.name, values, codes, source, column.seen, labels)
