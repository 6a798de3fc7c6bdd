"""Tables for a release: the same rows as text, as Parquet, as frames and as numbers."""

import io
import random

import pandas as pd
from numpy.random import default_rng

from dpca_core.data.recipe import Category, Number, Recipe
from dpca_core.readers.file_access import Upload
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.table_source import TableSource

RECIPE = Recipe(
    (Number("age", 0, 100, missing=("999",)), Number("weight", -2, 8, unit="kg")),
    (Category("site", ("a", "b", "1")),),
    radius=1.2,
    bounds_are_public=True,
)
HEADER = b"age,weight,site,who\n"


def frame(n=40, seed=0):
    """Numbers, a category and persons with about three rows each."""
    rng = default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.normal(50, 40, n),
            "weight": rng.normal(3, 4, n),
            "site": rng.choice(["a", "b", "1", "other"], n),
            "who": [f"P{i}" for i in rng.integers(0, max(n // 3, 1), n)],
        }
    )


def csv(table):
    """A table as an upload of text, its numbers to the last digit."""
    return Upload("t.csv", table.to_csv(index=False).encode())


def parquet(table):
    """A table as an upload in Parquet, in row groups of seven."""
    file = io.BytesIO()
    table.to_parquet(file, row_group_size=7)
    return Upload("t.parquet", file.getvalue())


def lines(content, name="t.csv"):
    """Lines of text (bytes) under the header, as an upload."""
    return Upload(name, HEADER + b"".join(line + b"\n" for line in content))


def sums(tables, recipe=RECIPE, centre=None):
    """Exact sums of tables, or of one."""
    given = tables if isinstance(tables, list) else [tables]
    return exact_sums(TableSource(given, recipe), centre)


def equal(one, other):
    """Whether all sums are equal."""
    return (one.T == other.T).all() and (one.t == other.t).all() and one.c == other.c


CELLS = [
    b"1", b"2.5", b"-3", b"", b"NA", b" 4", b"5 ", b'"6"', b'"', b'"7', b'8"', b'""', b'" 9"',
    b' "9"', b"1,5", b"1,234,567", b"1 234", b"\xff", b"\xf4\x8f\xbe\x80", b"\xef\xbb\xbf1", b"inf",
    b"nan", b"-inf", b"1e400", b"1e-400", b"0x10", b"1_0", b"\xc2\xa05", b"\x00", b"999", b" 999",
    b"999.0", b"a", b" b", b'"a"', b"a\x00", b"+1", b"1.", b".5", b"e", b"\t3", b"\xe2\x80\xa8",
    b"\x85", b"\x1c2", b"\x0b", b"12 kg", b"-", b"01", b"1.0", b"\xed\xa0\x80", b"\\", b'\\"',
    b"1" * 400, b"0." + b"1" * 800,
]  # fmt: skip
"""Cells as programs, people and adversaries write them."""


def hostile_line(rng: random.Random, separator: bytes = b",", width: int = 4) -> bytes:
    """One line of arbitrary bytes, or of odd cells, perhaps of another width."""
    kind = rng.random()
    if kind < 0.2:
        found = bytes(rng.randrange(256) for _ in range(rng.randrange(12)))
        return found.replace(b"\n", b"").replace(b"\r", b"")
    cells = width if kind < 0.85 else rng.randrange(width + 3)
    return separator.join(rng.choice(CELLS) for _ in range(cells))
