"""The questions that a column can raise, and which answers change its use."""

from collections.abc import Sequence

from dpca_core.data.column_names import label
from dpca_core.detection.column_proposal import ColumnQuestion

COMMA, UNITS, TEXTS, CODES, IDENTIFIER, MISSING, WEIGHT = (
    "comma", "units", "texts", "codes", "identifier", "missing", "weight",
)  # fmt: skip
"""Keys of questions."""

DECIMAL_COMMA, THOUSANDS_COMMA = "3,3 is 3.3", "3,300 is 3300"
AS_MISSING, REAL_VALUE = "Missing", "A real value"
STEPS, AS_CODES = "Steps of a scale", "Codes"
MEASUREMENT, AN_IDENTIFIER = "A measurement", "An identifier"
A_NUMBER, LEAVE_OUT = "A measurement", "Leave it out"
SURVEY = "A survey weight"
OTHERS_MISSING = "The others are missing"
_SHOWN, _LONGEST_TEXT = 3, 20


def _quoted(texts: Sequence[str]) -> str:
    """Name some texts: “a”, “b” and 3 more."""
    shown = [f"“{label(text)[:_LONGEST_TEXT]}”" for text in texts[:_SHOWN]]
    if rest := len(texts) - len(shown):
        return f"{', '.join(shown)} and {rest:,} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def comma(name: str) -> ColumnQuestion:
    """Ask what a comma means."""
    sentence = f"comma in {label(name)}: is it a decimal comma?"
    return ColumnQuestion(COMMA, sentence, (DECIMAL_COMMA, THOUSANDS_COMMA))


def units(name: str, found: Sequence[str]) -> ColumnQuestion:
    """Ask which of several units counts; a cell in another one is missing then."""
    sentence = f"{label(name)} is in {_quoted(found)}: which one counts? The others are missing."
    return ColumnQuestion(UNITS, sentence, (*found, LEAVE_OUT))


def texts(name: str, found: Sequence[str]) -> ColumnQuestion:
    """Ask whether texts among numbers are missing values."""
    are = "is no number" if len(found) == 1 else "are no numbers"
    sentence = f"{_quoted(found)} in {label(name)} {are}: missing?"
    return ColumnQuestion(TEXTS, sentence, (AS_MISSING, LEAVE_OUT))


def codes(name: str, values: int) -> ColumnQuestion:
    """Ask whether whole numbers are steps or codes."""
    sentence = f"{label(name)} takes {values} whole values: steps of a scale, or codes?"
    return ColumnQuestion(CODES, sentence, (STEPS, AS_CODES))


def identifier(name: str) -> ColumnQuestion:
    """Ask whether numbers that hardly repeat are identifiers."""
    sentence = f"{label(name)} differs in nearly every row: a measurement or an identifier?"
    return ColumnQuestion(IDENTIFIER, sentence, (MEASUREMENT, AN_IDENTIFIER))


def missing(name: str, found: Sequence[str]) -> ColumnQuestion:
    """Ask whether numbers stand for a missing value."""
    if len(found) == 1:
        sentence = f"{found[0]} in {label(name)}: missing, or a real value?"
    else:
        shown = f"{', '.join(found[:-1])} and {found[-1]}"
        sentence = f"{shown} in {label(name)}: missing, or real values?"
    return ColumnQuestion(MISSING, sentence, (AS_MISSING, REAL_VALUE))


def weight(name: str) -> ColumnQuestion:
    """Ask whether a weight was measured, or belongs to a survey."""
    sentence = f"{label(name)}: was it measured, or is it a survey weight?"
    return ColumnQuestion(WEIGHT, sentence, (MEASUREMENT, SURVEY))
