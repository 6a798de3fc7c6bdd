"""The questions that a column can raise, as they stand beside its name, and their answers."""

from collections.abc import Sequence

from dpca_core.data.column_names import label
from dpca_core.detection.column_proposal import ColumnQuestion
from dpca_core.text.listed import listed

COMMA, UNITS, TEXTS, CODES, IDENTIFIER, MISSING, WEIGHT = (
    "comma", "units", "texts", "codes", "identifier", "missing", "weight",
)  # fmt: skip
"""Keys of questions."""

DECIMAL_COMMA, THOUSANDS_COMMA = "3,3 is 3.3", "3,300 is 3300"
AS_MISSING, REAL_VALUE = "Missing", "A real value"
STEPS, AS_CODES = "Steps of a scale", "Codes"
MEASUREMENT, AN_IDENTIFIER = "A measurement", "An identifier"
LEAVE_OUT = "Leave it out"
SURVEY = "A survey weight"
_SHOWN, _LONGEST_TEXT = 3, 20


def _quoted(texts: Sequence[str]) -> str:
    """Name some texts: “a”, “b” and 3 more."""
    shown = [f"“{label(text)[:_LONGEST_TEXT]}”" for text in texts[:_SHOWN]]
    if rest := len(texts) - len(shown):
        shown.append(f"{rest:,} more")
    return listed(shown)


def comma(found: str) -> ColumnQuestion:
    """Ask what a comma means, of a text that the column has; the answers are two examples."""
    sentence = f"{_quoted([found])}: what does the comma mean? Is it as in"
    return ColumnQuestion(COMMA, sentence, (DECIMAL_COMMA, THOUSANDS_COMMA))


def units(found: Sequence[str]) -> ColumnQuestion:
    """Ask which of several units counts; a cell in another one is missing then."""
    sentence = f"{_quoted(found)}: which counts? The others are missing"
    return ColumnQuestion(UNITS, sentence, (*found, LEAVE_OUT))


def texts(found: Sequence[str]) -> ColumnQuestion:
    """Ask whether texts among numbers are missing values."""
    are = "is no number" if len(found) == 1 else "are no numbers"
    return ColumnQuestion(TEXTS, f"{_quoted(found)} {are}: missing?", (AS_MISSING, LEAVE_OUT))


def codes(values: int) -> ColumnQuestion:
    """Ask whether whole numbers are steps or codes."""
    return ColumnQuestion(CODES, f"{values} whole numbers: steps or codes?", (STEPS, AS_CODES))


def identifier() -> ColumnQuestion:
    """Ask whether numbers that hardly repeat are identifiers."""
    sentence = "nearly all different: measured, or an identifier?"
    return ColumnQuestion(IDENTIFIER, sentence, (MEASUREMENT, AN_IDENTIFIER))


def missing(found: Sequence[str]) -> ColumnQuestion:
    """Ask whether numbers stand for a missing value."""
    what = "a real value" if len(found) == 1 else "real values"
    return ColumnQuestion(
        MISSING, f"{listed(found)}: missing, or {what}?", (AS_MISSING, REAL_VALUE)
    )


def weight() -> ColumnQuestion:
    """Ask whether a weight was measured, or belongs to a survey."""
    return ColumnQuestion(WEIGHT, "measured, or a survey weight?", (MEASUREMENT, SURVEY))
