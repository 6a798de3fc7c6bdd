"""The questions that a column can raise, as they stand beside its name, and their answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpca_core.data.column_names import label
from dpca_core.text.listed import listed

COMMA, POINTS, UNITS, TEXTS = "comma", "point", "units", "texts"
CODES, IDENTIFIER, MISSING, WEIGHT, SCALE = "codes", "identifier", "missing", "weight", "scale"
LABELS = "labels"
"""Keys of questions."""

DECIMAL_COMMA, THOUSANDS_COMMA = "3,3 is 3.3", "3,300 is 3300"
DECIMAL_POINT, THOUSANDS_POINT = "3.3 is 3.3", "3.300 is 3300"
LEAVE_OUT = "Leave it out"
AS_MISSING, REAL_VALUE = "Missing", "A real value"
STEPS, AS_CODES = "Steps of a scale", "Codes"
MEASUREMENT, AN_IDENTIFIER = "A measurement", "An identifier"
ORDERED, UNORDERED, A_NUMBER = "An ordered scale", "A category", "A number"
SURVEY = "A survey weight"
_SHOWN, _LONGEST_TEXT = 3, 20


@dataclass(frozen=True)
class ColumnQuestion:
    """A question to the owner, by its key, in one sentence, and the answers to choose from."""

    key: str
    sentence: str
    answers: tuple[str, ...]


def _quoted(texts: Sequence[str]) -> str:
    """Name some texts: “a”, “b” and 3 more."""
    shown = [f"“{label(text)[:_LONGEST_TEXT]}”" for text in texts[:_SHOWN]]
    if rest := len(texts) - len(shown):
        return f"{', '.join(shown)} and {rest:,} more"
    return listed(shown)


def comma(found: str) -> ColumnQuestion:
    """Ask what a comma means, of a text that the column has; the answers are two examples."""
    sentence = f"{_quoted([found])}: what does the comma mean? Is it as in"
    return ColumnQuestion(COMMA, sentence, (DECIMAL_COMMA, THOUSANDS_COMMA))


def point(found: str) -> ColumnQuestion:
    """Ask what a point means, likewise."""
    sentence = f"{_quoted([found])}: what does the point mean? Is it as in"
    return ColumnQuestion(POINTS, sentence, (DECIMAL_POINT, THOUSANDS_POINT))


def units(found: Sequence[str]) -> ColumnQuestion:
    """Ask whether a unit is one, or which of several counts: a cell in another one is missing."""
    what = "the unit of its numbers?" if len(found) == 1 else "which counts? The others are missing"
    return ColumnQuestion(UNITS, f"{_quoted(found)}: {what}", (*found, LEAVE_OUT))


def texts(found: Sequence[str]) -> ColumnQuestion:
    """Ask whether texts among numbers, or beside a scale, are missing values."""
    are = "is no number" if len(found) == 1 else "are no numbers"
    return ColumnQuestion(TEXTS, f"{_quoted(found)} {are}: missing?", (AS_MISSING, LEAVE_OUT))


def codes(values: int) -> ColumnQuestion:
    """Ask whether whole numbers are steps or codes."""
    return ColumnQuestion(CODES, f"{values} whole numbers: steps or codes?", (STEPS, AS_CODES))


def missing(found: Sequence[str]) -> ColumnQuestion:
    """Ask whether codes stand for a missing value."""
    what = "a real value" if len(found) == 1 else "real values"
    sentence = f"{listed(found)}: missing, or {what}?"
    return ColumnQuestion(MISSING, sentence, (AS_MISSING, REAL_VALUE))


def scale(values: Sequence[str], others: Sequence[str] = ()) -> ColumnQuestion:
    """Ask whether texts are steps from low to high; with ``others`` that are none of them."""
    steps = " < ".join(label(value)[:_LONGEST_TEXT] for value in values)
    rest = f", and {_quoted(others)} missing" if others else ""
    return ColumnQuestion(SCALE, f"in this order: {steps}{rest}?", (ORDERED, UNORDERED))


def named_values(listed: Mapping[str, str]) -> str:
    """Write a file's list of values with their labels, in full."""
    return ", ".join(f"{value} = {label(text)}" for value, text in listed.items())


def labels(listed: Mapping[str, str]) -> ColumnQuestion:
    """Ask what a file's own list of values is; it may be made from the answers of its people."""
    sentence = f"{named_values(listed)}: the same list, whoever took part? Then it is"
    return ColumnQuestion(LABELS, sentence, (ORDERED, UNORDERED, A_NUMBER))


_HARDLY_REPEAT = "nearly all different: measured, or an identifier?"
NUMBERS_APART = ColumnQuestion(IDENTIFIER, _HARDLY_REPEAT, (MEASUREMENT, AN_IDENTIFIER))
A_WEIGHT = ColumnQuestion(WEIGHT, "measured, or a survey weight?", (MEASUREMENT, SURVEY))
