"""Hostile Parquet files: damaged, of every type and of every shape."""

import datetime as dt
import gzip
import io
from collections.abc import Iterator
from decimal import Decimal
from math import inf, nan

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.file_case import AB, LONG_CELL, NESTED, NO_ROWS, PLAIN, UNNAMED, File, refused

DAMAGED, UNREADABLE = "is a damaged Parquet file", "cannot be read as a table; it may be damaged"
ENCRYPTED = "is an encrypted Parquet file: save it without encryption"


def parquet(columns: dict | pa.Table, **options: object) -> bytes:
    """Return a Parquet file."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns) if isinstance(columns, dict) else columns, out, **options)
    return out.getvalue()


def damaged_parquet() -> Iterator[File]:
    rows = {"a": list(range(50)), "b": [i * i for i in range(50)], "c": ["x", "y"] * 25}
    whole = parquet(rows)
    size = len(whole)
    for cut in (1, 3, 5, 8, 12, size // 4, size // 2, 3 * size // 4, size - 12, size - 8, size - 1):
        yield refused(f"Parquet: first {cut} bytes", whole[:cut], DAMAGED, "t.parquet")
    for cut in (1, 4, size // 2):
        yield refused(f"Parquet: without {cut} bytes", whole[cut:], DAMAGED, "t.parquet")
    for name, content in (
        ("first mark", b"PARX" + whole[4:]),
        ("last mark", whole[:-4] + b"PARX"),
        ("more", whole + b"x"),
        ("both marks", b"PARX" + whole[4:-4] + b"PARX"),
        ("CSV", PLAIN),
        ("gzip", gzip.compress(PLAIN, mtime=0)),
    ):
        yield refused(f"Parquet: wrong {name}", content, DAMAGED, "t.parquet")
    for name, content in (
        ("at its end", whole[:-4] + b"PARE"),
        ("as a whole", b"PARE" + whole[4:-4] + b"PARE"),
    ):
        yield refused(f"Parquet: encrypted {name}", content, ENCRYPTED, "t.parquet")
    for name, content in (
        ("only marks", b"PAR1PAR1"),
        ("one mark", b"PAR1"),
        ("zeros between", b"PAR1" + bytes(99) + b"PAR1"),
        ("zeros for pages", b"PAR1" + bytes(200) + whole[204:]),
        ("ones for pages", b"PAR1" + b"\xff" * 200 + whole[204:]),
        *(
            (f"footer of {n}", whole[:-8] + n.to_bytes(4, "little") + b"PAR1")
            for n in (0, 1, size, 2**31 - 1, 2**32 - 1)
        ),
    ):
        yield refused(f"Parquet: {name}", content, UNREADABLE, "t.pq")
    yield refused("Parquet: two files in one", whole + parquet(AB), UNREADABLE, "t.pq")


def typed(name: str, array: pa.Array, values: list | None, says: str = NESTED) -> File:
    """Return a Parquet file with a column of this type, and what it must hold."""

    def make() -> bytes:
        return parquet({**AB, "c": array})

    if values is None:
        return File(f"Parquet: {name}", make, says=says, file="t.pq")
    return File(f"Parquet: {name}", make, holds={**AB, "c": values}, file="t.pq")


def parquet_types() -> Iterator[File]:
    day, noon = dt.date(2020, 1, 1), dt.time(12)
    yield typed("lists", pa.array([[1], [2], None]), None)
    yield typed("lists of lists", pa.array([[[1]], [], None]), None)
    yield typed("records", pa.array([{"x": 1}] * 3), None)
    yield typed("maps", pa.array([[("k", 1)]] * 3, pa.map_(pa.string(), pa.int64())), None)
    for name, kind in (
        ("bytes", pa.binary()),
        ("many bytes", pa.large_binary()),
        ("one byte", pa.binary(1)),
    ):
        yield typed(name, pa.array([b"\xff", b"a", None], kind), None)
    yield typed("coded bytes", pa.array([b"x"] * 3).dictionary_encode(), None)
    yield typed("UUIDs", pa.array([b"0" * 16] * 3, pa.binary(16)).cast(pa.uuid()), None)
    yield typed("tensors", pa.FixedShapeTensorArray.from_numpy_ndarray(np.ones((3, 2))), None)
    yield typed("decimals", pa.array([Decimal("1.5"), Decimal(-2), None]), [1.5, -2, nan])
    yield typed("long decimals", pa.array([Decimal("1e60")] * 3, pa.decimal256(70, 2)), [1e60] * 3)
    yield typed("coded texts", pa.array(["u", "v", None]).dictionary_encode(), ["u", "v", None])
    yield typed("coded numbers", pa.array([1, 2, 1]).dictionary_encode(), [1, 2, 1])
    yield typed(
        "codes of nothing", pa.array([None] * 3, pa.string()).dictionary_encode(), [None] * 3
    )
    yield typed("dates", pa.array([day, None, day]), [day, None, day])
    yield typed("dates of 64 bits", pa.array([day] * 3, pa.date64()), [day] * 3)
    yield typed(
        "dates beyond the calendar",
        pa.array([2**31 - 1, 0, 1], pa.int32()).cast(pa.date32()),
        None,
        UNREADABLE,
    )
    yield typed("times", pa.array([noon, None, noon], pa.time64("us")), [noon, None, noon])
    yield typed("moments", pa.array([0, 1, None], pa.timestamp("ns")), [0, 1, None])
    yield typed(
        "moments far off",
        pa.array([2**62, -(2**62), None], pa.timestamp("ms")),
        [2**62, -(2**62), None],
    )
    yield typed(
        "moments somewhere",
        pa.array([0, 1, None], pa.timestamp("us", "Europe/Berlin")),
        [0, 1, None],
    )
    yield typed(
        "moments nowhere", pa.array([0, 1, None], pa.timestamp("us", "No/Where")), None, UNREADABLE
    )
    yield typed("durations", pa.array([1, 2, None], pa.duration("s")), [1, 2, None])
    yield typed("yes and no", pa.array([True, False, True]), [1, 0, 1])
    yield typed("yes, no and missing", pa.array([True, None, False]), [1, nan, 0])
    yield typed("nothing", pa.nulls(3), [None] * 3)
    yield typed("half precision", pa.array(np.array([1, 2, 65504], "f2")), [1, 2, 65504])
    yield typed(
        "large whole numbers", pa.array([2**64 - 1, 0, None], pa.uint64()), [2.0**64, 0, nan]
    )
    yield typed("infinite", pa.array([inf, -inf, nan]), [inf, -inf, nan])
    yield typed("text views", pa.array(["u", "v", None], pa.string_view()), ["u", "v", None])
    yield typed("a text of 20 MB", pa.array(["x" * (2 * 10**7), "v", "w"]), None, LONG_CELL)
    wrong = pa.py_buffer(np.array([0, 2, 3, 4], "i4").tobytes()), pa.py_buffer(b"\xff\xfeab")
    yield typed("texts that are none", pa.StringArray.from_buffers(3, *wrong), None, UNREADABLE)


def parquet_shapes() -> Iterator[File]:
    one = pa.array([1, 3, 4])
    none = pa.schema([("a", pa.float64()), ("b", pa.float64())]).empty_table()
    yield File("Parquet: no row group", lambda: parquet(none), says=NO_ROWS, file="t.pq")
    yield File("Parquet: no column", lambda: parquet({}), says=NO_ROWS, file="t.pq")
    for name, columns, says in (
        ("twice", ["a", "a"], "two columns named"),
        ("missing", ["a", ""], UNNAMED),
        ("hidden", ["a", "\u200b"], UNNAMED),
        ("long", ["a", "x" * 201], "longer than 200"),
        ("twice, NUL", ["a", "a\0"], "two columns named"),
    ):
        table = pa.table([one, one], columns)
        yield File(
            f"Parquet: name {name}", lambda table=table: parquet(table), says=says, file="t.pq"
        )
    odd = {"x\ny": [1, 3], "\u202e=cmd": [2, 5]}
    yield File(
        "Parquet: odd names",
        lambda: parquet(odd),
        holds={"x y": [1, 3], "=cmd": [2, 5]},
        file="t.pq",
    )
    yield File(
        "Parquet: 20,000 columns",
        lambda: parquet(pa.table([one] * 20_000, [f"c{i}" for i in range(20_000)])),
        says="has 20,000 columns",
        file="t.pq",
    )
    many = {"a": list(range(1000)), "b": list(range(1000))}
    yield File(
        "Parquet: 1,000 row groups",
        lambda: parquet(many, row_group_size=1),
        holds=many,
        file="t.pq",
    )
    for codec in ("gzip", "brotli", "zstd", "lz4", "none"):
        yield File(
            f"Parquet: {codec}",
            lambda codec=codec: parquet(AB, compression=codec),
            holds=AB,
            file="t.pq",
        )
    zeros = pa.array(np.zeros(2_000_000, bool))
    yield File(
        "Parquet bomb",
        lambda: parquet(dict.fromkeys(map(str, range(20)), zeros)),
        says=r"more than 0\.25 GB",
        file="t.pq",
    )
    labels = pa.DictionaryArray.from_arrays(np.zeros(4000, "i4"), ["x" * 100_000])
    yield File(
        "Parquet bomb of labels",
        lambda: parquet({"a": labels, "b": np.zeros(4000)}),
        says=r"more than 0\.25 GB",
        file="t.pq",
    )
