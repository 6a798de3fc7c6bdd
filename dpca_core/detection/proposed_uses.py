"""A column as a number, as a category or left out, with the questions that go with it."""

import numpy as np

from dpca_core.detection import column_questions as ask
from dpca_core.detection.column_proposal import (
    CATEGORY,
    NUMBER,
    OUT,
    ColumnProposal,
    ColumnQuestion,
    Recognised,
)
from dpca_core.detection.column_values import ColumnValues
from dpca_core.detection.missing_codes import code_text, missing_codes

BETWEEN_CODES = "; "
_UNSAID = (Recognised.NUMBERS, Recognised.TEXTS)
"""What needs no words behind a column's name."""


def left_out(name: str, recognised: Recognised) -> ColumnProposal:
    """Propose to leave a column out."""
    return ColumnProposal(name, OUT, recognised, recognised.value)


def as_number(
    name: str,
    values: ColumnValues,
    recognised: Recognised,
    *questions: ColumnQuestion,
    unit: str = "",
) -> ColumnProposal:
    """Propose a number, and ask about codes of missing values."""
    there = np.isfinite(values.numbers)
    codes = tuple(map(code_text, missing_codes(values.numbers[there], values.counts[there])))
    return ColumnProposal(
        name,
        NUMBER,
        recognised,
        _reason(recognised),
        (*questions, ask.missing(codes)) if codes else questions,
        unit,
        BETWEEN_CODES.join(codes),
    )


def as_category(
    name: str, values: ColumnValues, recognised: Recognised, *questions: ColumnQuestion
) -> ColumnProposal:
    """Propose a category with the values that occur."""
    reason = _reason(recognised)
    return ColumnProposal(
        name, CATEGORY, recognised, reason, questions, values=distinct_texts(values)
    )


def distinct_texts(values: ColumnValues) -> tuple[str, ...]:
    """Return the distinct values as texts: numbers in their order, texts sorted."""
    if values.typed is not None:
        return tuple(map(code_text, values.typed.tolist()))
    return tuple(sorted(values.texts))


def _reason(recognised: Recognised) -> str:
    return "" if recognised in _UNSAID else recognised.value
