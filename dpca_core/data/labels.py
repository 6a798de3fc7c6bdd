"""Labels: the text of each value of a column, and people as numbers."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpca_core.data.byte_text import text_of

if TYPE_CHECKING:
    from pandas import Series


_DIGITS, _LONGEST_NUMBER = 15, 400


def is_number(column: "Series") -> bool:
    """Tell whether a column holds real numbers (or true and false)."""
    from pandas.api.types import is_bool_dtype, is_complex_dtype, is_numeric_dtype

    real = is_numeric_dtype(column) and not is_complex_dtype(column)
    return bool(real or is_bool_dtype(column))


class Labels(NamedTuple):
    """A categorical column: codes (n,) into its distinct texts, −1 where a value is missing."""

    codes: NDArray[np.intp]
    texts: Sequence[str | None]

    def each(self) -> list[str | None]:
        """Return the text of each row, None where a value is missing."""
        return [None if code < 0 else self.texts[code] for code in self.codes]


def labels_from_codes(codes: NDArray[np.intp], texts: Sequence[Any]) -> Labels:
    """Make labels of codes into texts, some of which may be missing themselves."""
    known = [text if isinstance(text, str) else None for text in texts]
    gone = np.array([*(text is None for text in known), True])
    return Labels(np.where(gone[codes], -1, codes), known)


def number_text(value: Any) -> str:
    """A number as a category: whole ones without a point."""
    # Two comparisons: the absolute value of a type's least number is not in that type. Types that
    # are too small for the bound are compared without a warning.
    with np.errstate(all="ignore"):
        whole = bool(-(2**63) < value < 2**63 and value % 1 == 0)
    return str(int(value)) if whole else str(value)


def decimal_text(value: Decimal) -> str:
    """A decimal number as a category: exactly, and like the same number of another type.

    A binary number may take 15 digits and give them back; longer ones would become equal.
    """
    if not value.is_finite() or abs(value.adjusted()) > _LONGEST_NUMBER:
        return str(value)
    text = f"{value:f}"
    if "." in text:
        text = text.rstrip("0").removesuffix(".")
    digits = text.lstrip("-").replace(".", "").strip("0")
    if "." in text and len(digits) <= _DIGITS:
        return str(float(value))
    return "0" if text == "-0" else text


def value_text(value: Any) -> str:
    """A value as text, by itself: numbers (true and false too) as ``number_text``, stripped.

    The type of the column it stands in, which another row may change, does not count: a value has
    the text that it has in any column that can hold it.
    """
    if not isinstance(value, str):
        value = _as_in_a_typed_column(value)
    if isinstance(value, (bool, int, float)):
        return number_text(value)
    if isinstance(value, Decimal):
        return decimal_text(value)
    text = str(value).strip()
    try:
        text.encode()
    except UnicodeEncodeError:
        # Half of a pair of surrogates, which no file can hold.
        return text_of(text.encode("utf-8", "surrogatepass"))
    return text


def _as_in_a_typed_column(value: Any) -> Any:
    """Return what pandas gives for a value out of a column that holds its like alone.

    Among others in a column of objects, NumPy's numbers and all times keep types of their own, and
    a real number among complex ones is complex; whole ends of an interval may have been fractions.
    Numbers of more than 64 bits are rounded to 64, as pandas does in some columns only.
    """
    from pandas import Interval, Timedelta, Timestamp

    if isinstance(value, Interval):
        first, last = "[" if value.closed_left else "(", "]" if value.closed_right else ")"
        return f"{first}{value_text(value.left)}, {value_text(value.right)}{last}"
    if isinstance(value, np.datetime64):
        return Timestamp(value)
    if isinstance(value, (timedelta, np.timedelta64)):
        return Timedelta(value)
    if isinstance(value, np.longdouble):
        return float(value)
    if isinstance(value, np.complexfloating):
        value = complex(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, complex) and value.imag == 0:
        return value.real
    return value


def as_text(column: "Series") -> "Series":
    """Values as stripped text, missing ones as missing; whole numbers without a point.

    Each value by itself: another row never changes what this one counts as. Only what pandas
    rounded before to make one column of them is lost: whole numbers beyond 2⁵³ beside a missing
    value, a fraction or a complex number, and those from 2⁶³ on beside a column of whole numbers
    that may be negative.
    """
    from pandas import Series, StringDtype

    plain = not isinstance(column.dtype, StringDtype)
    if plain and (is_number(column) or column.dtype.kind in "OmMc"):
        # Pandas asks of each value whether it is missing, and some refuse to be compared.
        texts = [_text_of_object(value) for value in column.astype(object).tolist()]
        return Series(texts, index=column.index, dtype="string")
    return column.astype("string").str.strip()


def _text_of_object(value: Any) -> str | None:
    """Return the text of any object; None for a missing value, and for one that has no text."""
    try:
        return None if _is_missing(value) else value_text(value)
    except Exception:
        return None


def _is_missing(value: Any) -> bool:
    """Tell what stands for nothing in a column of objects."""
    from pandas import NA, NaT

    if isinstance(value, Decimal):
        return value.is_nan()
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(value))
    if isinstance(value, (float, complex, np.inexact)):
        return bool(value != value)
    return value is None or value is NA or value is NaT


def joined_labels(parts: Sequence[Labels], *, ignore_case: bool = False) -> Labels:
    """Make one label of several for each row, missing where one of them is missing or empty.

    Rows have equal texts where all parts have: no text of one part can pass for the end of another.
    With ``ignore_case`` neither case nor any space in a part counts.
    """
    if len(parts) == 1 and not ignore_case:
        return parts[0]
    codes = np.stack([labels.codes for labels in parts], axis=1)
    found, places = np.unique(codes, axis=0, return_inverse=True)
    texts: list[str | None] = []
    for row in found:
        cells = [None if c < 0 else labels.texts[c] for c, labels in zip(row, parts, strict=True)]
        if ignore_case:
            cells = [cell and "".join(cell.split()).casefold() for cell in cells]
        texts.append(_joined(cells) if all(cells) else None)
    return labels_from_codes(places.reshape(-1).astype(np.intp), texts)


def _joined(cells: Sequence[str | None]) -> str:
    """Return the only text as it is; several so that different lists have different texts."""
    return str(cells[0]) if len(cells) == 1 else repr(tuple(cells))


def without_person(persons: Labels) -> NDArray[np.bool_]:
    """Tell which rows (n,) name no person: nothing stands there, or spaces."""
    return np.array([*(not text for text in persons.texts), True])[persons.codes]


def number_people(persons: Labels, known: dict[str | int, int]) -> NDArray[np.intp]:
    """Number (n,) of the person each row belongs to; a row that names none is a person of its own.

    Persons are compared by their text. ``known`` numbers them, in the order of their first rows
    within those that are named and those that are not; new ones are added.
    """
    found = np.full(len(persons.texts) + 1, -1, dtype=np.intp)
    used, first = np.unique(persons.codes, return_index=True)
    for code in used[np.argsort(first)]:
        if text := persons.texts[code] if code >= 0 else None:
            found[code] = known.setdefault(text, len(known))
    groups = found[persons.codes]
    for row in np.flatnonzero(groups < 0):
        # A number is no text, so that no name can be equal to it.
        groups[row] = known.setdefault(len(known), len(known))
    return groups
