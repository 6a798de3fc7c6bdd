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
STEPS, AS_CODES = "Numbers", "Codes"
MEASUREMENT, AN_IDENTIFIER = "A measurement", "An identifier"
ORDERED, UNORDERED, A_NUMBER = "An ordered scale", "A category", "A number"
SURVEY = "A survey weight"
"""Answers."""
_ASKED = {
    COMMA: ("{}: what does the comma mean? Is it as in", DECIMAL_COMMA, THOUSANDS_COMMA),
    POINTS: ("{}: what does the point mean? Is it as in", DECIMAL_POINT, THOUSANDS_POINT),
    UNITS: ("{}: which unit counts? A number in another is missing", LEAVE_OUT),
    TEXTS: ("{} beside numbers: missing?", AS_MISSING, LEAVE_OUT),
    CODES: ("{} whole values: numbers or codes?", STEPS, AS_CODES),
    IDENTIFIER: ("nearly all different: measured, or an identifier?", MEASUREMENT, AN_IDENTIFIER),
    MISSING: ("{}: missing, or real?", AS_MISSING, REAL_VALUE),
    WEIGHT: ("measured, or a survey weight?", MEASUREMENT, SURVEY),
    SCALE: ("in this order: {}?", ORDERED, UNORDERED),
    # Programs make such lists from the answers of people.
    LABELS: ("{}: the same list, whoever took part? Then it is", ORDERED, UNORDERED, A_NUMBER),
}
_SHOWN, _LONGEST_TEXT = 3, 20


@dataclass(frozen=True)
class ColumnQuestion:
    """A question to the owner, by its key, in one sentence, and the answers to choose from."""

    key: str
    sentence: str
    answers: tuple[str, ...]


def question(key: str, found: object = "", *first: str) -> ColumnQuestion:
    """Ask about what was found; some answers come before the usual ones."""
    sentence, *answers = _ASKED[key]
    return ColumnQuestion(key, sentence.format(found), (*first, *answers))


def quoted(texts: Sequence[str]) -> str:
    """Name some texts: “a”, “b” and 3 more."""
    shown = [f"“{label(text)[:_LONGEST_TEXT]}”" for text in texts[:_SHOWN]]
    if rest := len(texts) - len(shown):
        return f"{', '.join(shown)} and {rest:,} more"
    return listed(shown)


def in_order(values: Sequence[str]) -> str:
    """Write the values of a scale from low to high."""
    return " < ".join(label(value)[:_LONGEST_TEXT] for value in values)


def named_values(listed: Mapping[str, str]) -> str:
    """Write a file's list of values with their labels, in full."""
    return ", ".join(f"{value} = {label(text)}" for value, text in listed.items())
