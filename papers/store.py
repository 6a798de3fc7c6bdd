"""What comes with the package as files: the papers, what is printed, single releases of ours."""

import gzip
import io
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import DataFrame

HERE = Path(__file__).parent
DIGITS = 9
"""Significant digits of a stored value."""


@dataclass(frozen=True)
class Paper:
    """A paper: who wrote it, when it appeared, and its entry in a bibliography."""

    authors: str
    year: int
    bibtex: str

    @property
    def name(self) -> str:
        """Authors and year."""
        return f"{self.authors} {self.year}"


_PUBLICATIONS = tomllib.loads((HERE / "publications.toml").read_text("utf-8"))
PAPERS = {key: Paper(**said) for key, said in _PUBLICATIONS.items()}
"""By key, in order of appearance."""


def results_path(key: str) -> Path:
    """Where a card's single releases are stored."""
    return HERE / "results" / f"{key}.csv.gz"


@cache
def rows_of(key: str) -> "DataFrame":
    """Return a card's stored releases: series, x, trial, value."""
    from pandas import read_csv

    return read_csv(results_path(key))


@cache
def printed_of(key: str) -> "DataFrame":
    """Return what is on record of a figure or table, as ``printed/README.md`` describes it.

    Only what is ``printed`` is in the paper itself.
    """
    from pandas import read_csv

    path = HERE / "printed" / f"{key}.csv"
    known = read_csv(path, dtype={"page": str, "read": str, "series": str, "x": float})
    return known.assign(printed=known["read"].str.startswith(("typed", "digitised")))


@cache
def printed_values(key: str) -> dict[tuple[str, float], float]:
    """Return the values on record of a figure or table, by series and place."""
    table = printed_of(key)
    return dict(zip(zip(table["series"], table["x"], strict=True), table["value"], strict=True))


def store(key: str, rows: "DataFrame") -> Path:
    """Write a card's single releases: the same table gives the same bytes."""
    path, packed = results_path(key), io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file:
        columns = ["series", "x", "trial", "value"]
        file.write(rows[columns].to_csv(index=False, float_format=f"%.{DIGITS}g").encode())
    path.write_bytes(packed.getvalue())
    rows_of.cache_clear()
    return path
