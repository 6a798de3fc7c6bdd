"""What is proposed for a column, why, and what its owner is asked."""

from dataclasses import dataclass
from enum import StrEnum

NUMBER, CATEGORY, OUT = "number", "category", "out"
"""Proposed uses."""


class Recognised(StrEnum):
    """What a column looks like; the value says it in a few words, behind the column's name."""

    EMPTY = "empty"
    UNSUPPORTED = "a type that cannot be used"
    DATE = "a date"
    TIME = "a time"
    EMAIL = "e-mail addresses"
    PHONE = "phone numbers"
    PERSONAL = "names or addresses"
    IDENTIFIER = "an identifier"
    ROW_NUMBER = "a row number"
    POSTAL_CODE = "a postal code"
    LEADING_ZEROS = "codes that begin with 0"
    DIAGNOSIS = "a diagnosis code"
    FREE_TEXT = "free text"
    SURVEY_WEIGHT = "a survey weight"
    CONSTANT = "the same in every row"
    NUMBER_WITH_UNIT = "a number with a unit"
    COMMA = "a number with a comma"
    MOSTLY_NUMBERS = "numbers and a few texts"
    TEXTS = "a few texts"
    MANY_TEXTS = "many different texts"
    CODE = "a code"
    STEPS = "a few whole numbers"
    MAY_BE_CODES = "whole numbers that may be codes"
    NEARLY_DISTINCT = "whole numbers, nearly all different"
    NUMBERS = "numbers"


@dataclass(frozen=True)
class ColumnQuestion:
    """A question to the owner, in one sentence, and the answers to choose from.

    Attributes
    ----------
    key
        One of the constants of ``column_questions``.
    """

    key: str
    sentence: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class ColumnProposal:
    """What is proposed for one column after a look at the file: for its owner's eyes only.

    Attributes
    ----------
    use
        ``NUMBER``, ``CATEGORY`` or ``OUT``.
    reason
        What it looks like, in a few words, where that is worth saying; else "".
    questions
        What has to be answered before the proposal can be used.
    unit
        The unit that its cells hold; of several the most frequent.
    missing_code
        Numbers that may stand for a missing value, with semicolons between them.
    values
        Distinct texts of a category, sorted.
    """

    name: str
    use: str
    recognised: Recognised
    reason: str = ""
    questions: tuple[ColumnQuestion, ...] = ()
    unit: str = ""
    missing_code: str = ""
    values: tuple[str, ...] = ()
