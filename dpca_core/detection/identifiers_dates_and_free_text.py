"""Columns that point at a person, a place or a day: they are of no use to a PCA, and say too much.

Dates, addresses, identifiers, postal and diagnosis codes, free text.
"""

import numpy as np

from dpca_core.detection.column_name_hints import (
    DIAGNOSIS as DIAGNOSIS_NAMES,
)
from dpca_core.detection.column_name_hints import (
    FREE_TEXT,
    POSTAL,
    has_word,
    names_a_person,
    numbers_things,
)
from dpca_core.detection.column_proposal import Recognised
from dpca_core.detection.column_values import MOST, ColumnValues
from dpca_core.detection.text_patterns import (
    CODED,
    DATE,
    DIAGNOSIS,
    DIAGNOSIS_WITH_DOT,
    DIGITS,
    EIGHT_DIGIT_DATE,
    EMAIL,
    HEXADECIMAL,
    LEADING_ZERO,
    PHONE,
    TIME,
    WITH_UNIT,
    is_phone,
)

NEARLY_ALL = 0.95
"""Share of cells that must fit where they are dates; of other patterns it is ``MOST``."""
FEWEST_NAMES, FEWEST_TEXTS = 20, 50
"""Distinct values that identifiers by their name, and by their pattern, have more of."""
RARELY_REPEATED, NEVER_REPEATED = 0.02, 0.98
"""Distinct values over cells that identifiers have more of: by their pattern, and as numbers."""
LEADING_ZEROS, DOTS = 0.02, 0.2
LONG_TEXT, SPACES, LONG_NUMBER = 40, 4, 6
"""Mean letters and spaces of free text; digits of a number that may be an identifier."""


def identifying(name: str, values: ColumnValues) -> Recognised | None:
    """Say what identifying kind of column it is; None for none of them."""
    if values.distinct == 0:
        return None
    for recognised, fits in _RULES:
        if fits(name, values):
            return recognised
    return None


def _is_date(_: str, values: ColumnValues) -> bool:
    if values.all_whole:
        return _are_eight_digit_dates(values)
    return values.share(DATE, NEARLY_ALL) >= NEARLY_ALL


def _is_time(_: str, values: ColumnValues) -> bool:
    return values.share(TIME, NEARLY_ALL) >= NEARLY_ALL


def _are_eight_digit_dates(values: ColumnValues) -> bool:
    """Tell whether whole numbers are written year, month, day."""
    if values.texts:
        return values.share(EIGHT_DIGIT_DATE, NEARLY_ALL) >= NEARLY_ALL
    month, day = values.numbers // 100 % 100, values.numbers % 100
    real = (values.numbers >= 1800_01_01) & (values.numbers <= 2099_12_31) & (month >= 1)
    real &= (month <= 12) & (day >= 1) & (day <= 31) & (values.numbers % 1 == 0)
    return bool(values.counts[real].sum() >= NEARLY_ALL * values.filled)


def _is_email(_: str, values: ColumnValues) -> bool:
    return values.share(EMAIL, MOST) >= MOST


def _is_phone(_: str, values: ColumnValues) -> bool:
    if values.distinct <= FEWEST_NAMES or values.share(PHONE, MOST) < MOST:
        return False
    found = [is_phone(text) for text in values.texts]
    return bool(values.counts[np.array(found)].sum() >= MOST * values.filled)


def _is_personal(name: str, values: ColumnValues) -> bool:
    return names_a_person(name) and values.distinct > FEWEST_NAMES


def _is_diagnosis(name: str, values: ColumnValues) -> bool:
    if values.share(DIAGNOSIS, MOST) < MOST:
        return False
    return has_word(name, DIAGNOSIS_NAMES) or values.share(DIAGNOSIS_WITH_DOT) > DOTS


def _is_identifier(name: str, values: ColumnValues) -> bool:
    if values.all_whole:
        return _is_whole_identifier(name, values)
    if values.distinct <= FEWEST_TEXTS or values.distinct_share <= RARELY_REPEATED:
        return False
    if values.share(HEXADECIMAL, MOST) >= MOST:
        return True
    return values.share(CODED, MOST) >= MOST and values.share(WITH_UNIT, MOST) < MOST


def _is_whole_identifier(name: str, values: ColumnValues) -> bool:
    """Tell it of whole numbers: by their name, or since all have as many digits and differ."""
    if numbers_things(name):
        return values.distinct > FEWEST_NAMES
    if values.distinct <= FEWEST_TEXTS or values.distinct_share <= NEVER_REPEATED:
        return False
    low, high = float(values.numbers.min()), float(values.numbers.max())
    return low >= 10 ** (LONG_NUMBER - 1) and len(f"{low:.0f}") == len(f"{high:.0f}")


def _is_row_number(_: str, values: ColumnValues) -> bool:
    """Tell whether rows are numbered 1…n, or 0…n − 1, without a gap."""
    if values.distinct <= FEWEST_NAMES or values.distinct < values.filled or not values.all_whole:
        return False
    low, high = values.numbers.min(), values.numbers.max()
    # Some rows of a long table show some numbers of the list, none of them above its length.
    all_rows = values.rows == values.filled
    return low >= 0 and high <= values.rows and (not all_rows or high - low == values.rows - 1)


def _is_postal(name: str, values: ColumnValues) -> bool:
    return has_word(name, POSTAL) and values.distinct > 1


def _has_leading_zeros(_: str, values: ColumnValues) -> bool:
    if values.share(DIGITS, MOST) < MOST:
        return False
    return values.share(LEADING_ZERO) > LEADING_ZEROS


def _is_free_text(name: str, values: ColumnValues) -> bool:
    if values.distinct <= FEWEST_TEXTS or values.numeric_share >= MOST:
        return False
    if has_word(name, FREE_TEXT):
        return True
    letters = np.array([len(text) for text in values.texts]) @ values.counts
    spaces = np.array([text.count(" ") for text in values.texts]) @ values.counts
    return bool(letters >= LONG_TEXT * values.filled and spaces >= SPACES * values.filled)


_RULES = (
    (Recognised.DATE, _is_date),
    (Recognised.TIME, _is_time),
    (Recognised.EMAIL, _is_email),
    (Recognised.PERSONAL, _is_personal),
    # Before identifiers, which E11.900 would pass for.
    (Recognised.DIAGNOSIS, _is_diagnosis),
    (Recognised.POSTAL_CODE, _is_postal),
    (Recognised.ROW_NUMBER, _is_row_number),
    (Recognised.IDENTIFIER, _is_identifier),
    (Recognised.PHONE, _is_phone),
    (Recognised.LEADING_ZEROS, _has_leading_zeros),
    (Recognised.FREE_TEXT, _is_free_text),
)
