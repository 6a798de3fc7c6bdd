"""Labels of Arrow columns: the text of each value alone, and never an error for a value."""

from math import isnan
from typing import Any

import numpy as np

from dpca_core.data.byte_text import text_of
from dpca_core.data.labels import Labels, as_text, decimal_text, labels_from_codes, number_text

_DAYS = (-719_000, 2_932_000)
"""Days since 1970 that Python's dates are good for: the years 2 to 9997."""
_A_DAY = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
_WIDTH = 128
_FARTHEST = 2**63 - 2 * _A_DAY["ns"]
"""Whole numbers beyond may leave 64 bits in another time zone, or be NumPy's missing time."""


def arrow_labels(column: Any) -> Labels:
    """Return the labels of an Arrow array of any type."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.types as t

    column = getattr(column, "storage", column)
    if t.is_nested(column.type):
        # Arrow does not look for equal ones.
        return labels_from_codes(np.arange(len(column), dtype=np.intp), texts_of(column))
    if t.is_decimal(column.type) and column.type.bit_width < _WIDTH:
        # Arrow does not look for equal ones among short decimals.
        column = column.cast(pa.decimal128(column.type.precision, column.type.scale))
    encoded = column if t.is_dictionary(column.type) else column.dictionary_encode()
    assert isinstance(encoded, pa.DictionaryArray)
    codes = pc.fill_null(encoded.indices.cast("int64"), -1).to_numpy(zero_copy_only=False)
    return labels_from_codes(codes.astype(np.intp), texts_of(encoded.dictionary))


def texts_of(values: Any) -> list[str | None]:
    """Return the text of each value of an Arrow array by itself; None for null and NaN.

    Nothing is rounded on the way, so that different values of a type have different texts.
    """
    import pyarrow.types as t

    values = getattr(values, "storage", values)
    kind = values.type
    if t.is_dictionary(kind):
        return arrow_labels(values).each()
    if t.is_nested(kind):
        return _nested(values)
    if t.is_floating(kind):
        cells = values.cast("float64").to_pylist()
        return [None if v is None or isnan(v) else number_text(v) for v in cells]
    if t.is_decimal(kind):
        return [None if v is None else decimal_text(v) for v in values.to_pylist()]
    if t.is_integer(kind) or t.is_boolean(kind):
        return [None if v is None else str(int(v)) for v in values.to_pylist()]
    if t.is_string(kind) or t.is_large_string(kind) or t.is_string_view(kind):
        raw = values.cast("large_string").cast("large_binary").to_pylist()
        return [None if cell is None else text_of(cell).strip() for cell in raw]
    if t.is_date(kind) or t.is_time(kind) or t.is_timestamp(kind) or t.is_duration(kind):
        return _times(values)
    return [None if cell is None else str(cell) for cell in values.to_pylist()]


def _nested(values: Any) -> list[str | None]:
    """Texts of lists, maps or structures, made of those of their parts."""
    import pyarrow.types as t

    whole: list[str | None]
    if t.is_struct(values.type):
        names = [field.name for field in values.type]
        parts = zip(*(texts_of(field) for field in values.flatten()), strict=True)
        whole = [str(list(zip(names, row, strict=True))) for row in parts]
    else:
        whole = [str(texts_of(value.values)) if value.is_valid else None for value in values]
    valid = values.is_valid().to_pylist()
    return [text if there else None for text, there in zip(whole, valid, strict=True)]


def _times(values: Any) -> list[str | None]:
    """Times as pandas writes them; as whole numbers where a calendar or clock has no such time."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.types as t

    kind = values.type
    if t.is_date(kind):
        day = 1 if t.is_date32(kind) else _A_DAY["ms"]
        step = day
    else:
        day, step = _A_DAY[kind.unit], 1000 if t.is_time(kind) and kind.unit == "ns" else 1
    low, high = (0, day) if t.is_time(kind) else (_DAYS[0] * day, _DAYS[1] * day)
    stored = values.cast("int32" if kind.bit_width == 32 else "int64").cast("int64")
    whole = [None if v is None else int(v) for v in stored.to_pylist()]
    known = [
        v is not None and low <= v < high and v % step == 0 and abs(v) < _FARTHEST for v in whole
    ]
    texts = [None if v is None else str(v) for v in whole]
    try:
        found = as_text(pc.filter(values, pa.array(known, pa.bool_())).to_pandas()).tolist()
    except (pa.ArrowException, ValueError, LookupError):
        # A time zone that is not known here: a matter of the type, not of a value.
        return texts
    for place, text in zip(np.flatnonzero(known), found, strict=True):
        texts[place] = str(text)
    return texts
