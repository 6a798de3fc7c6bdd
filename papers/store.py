"""Tables that come with the package: what is printed, and single releases of ours."""

import gzip
import io
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import DataFrame

HERE = Path(__file__).parent
PRINTED_COLUMNS = ("series", "x", "value", "spread", "page", "read")
"""``page`` says where it stands: the copies at hand have no page numbers, so a table or a section.
``spread`` is the printed standard deviation, empty without one; ``read`` says how the value was
had: "typed", or "digitised ±0.01"."""
DIGITS = 9
"""Significant digits of a stored value."""


def results_path(key: str) -> Path:
    """Where a card's single releases are stored."""
    return HERE / "results" / f"{key}.csv.gz"


@cache
def rows_of(key: str) -> "DataFrame":
    """Return a card's stored releases: series, x, trial, value.

    Raises
    ------
    FileNotFoundError
        Where none are stored.
    """
    from pandas import read_csv

    return read_csv(results_path(key))


@cache
def printed_of(key: str) -> "DataFrame":
    """Return what is printed: without rows where no points of a figure have been read off."""
    from pandas import read_csv

    path = HERE / "printed" / f"{key}.csv"
    return read_csv(path, dtype={"page": str, "read": str, "series": str})


@cache
def printed_values(key: str) -> dict[tuple[str, float], float]:
    """Return the values on record of a figure or table, by series and place."""
    table = printed_of(key)
    rows = zip(table["series"], table["x"], table["value"], strict=True)
    return {(str(series), float(x)): float(value) for series, x, value in rows}


def _exact(x: float) -> str:
    return f"{x:g}" if float(f"{x:g}") == x else repr(float(x))


def _rounded(value: float) -> str:
    return f"{value:.{DIGITS}g}"


def store(key: str, rows: "DataFrame") -> Path:
    """Write a card's single releases: the same table gives the same bytes."""
    rows = rows[["series", "x", "trial", "value"]]
    rows = rows.assign(x=rows["x"].map(_exact), value=rows["value"].map(_rounded))
    path, packed = results_path(key), io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file:
        file.write(rows.to_csv(index=False).encode())
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(packed.getvalue())
    rows_of.cache_clear()
    return path
