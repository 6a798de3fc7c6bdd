"""Hostile Parquet files, and files that are compressed, of another kind, or both."""

import bz2
import datetime as dt
import gzip
import io
import json
import lzma
import pickle
import random
import zipfile
from collections.abc import Iterator
from decimal import Decimal
from math import nan

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.file_case import (
    AB,
    EMPTY,
    LONG_CELL,
    NESTED,
    NO_ROWS,
    NOT_TEXT,
    NOT_UTF8,
    PLAIN,
    UNNAMED,
    File,
    read,
    refused,
)

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
    size, body = len(whole), whole[4:-4]
    cuts = (1, 3, 5, 8, 12, size // 4, size // 2, 3 * size // 4, size - 12, size - 8, size - 1)
    damaged = {f"first {cut} bytes": whole[:cut] for cut in cuts}
    damaged |= {f"without {cut} bytes": whole[cut:] for cut in (1, 4, size // 2)}
    damaged |= {"wrong first mark": b"PARX" + body + b"PAR1", "more": whole + b"x"}
    damaged |= {"wrong last mark": whole[:-4] + b"PARX", "wrong marks": b"PARX" + body + b"PARX"}
    damaged |= {"CSV": PLAIN, "gzip": gzip.compress(PLAIN, mtime=0)}
    encrypted = {"end": whole[:-4] + b"PARE", "whole": b"PARE" + body + b"PARE"}
    unreadable = {"only marks": b"PAR1PAR1", "one mark": b"PAR1"}
    unreadable |= {"zeros for pages": b"PAR1" + bytes(200) + whole[204:]}
    unreadable |= {"ones for pages": b"PAR1" + b"\xff" * 200 + whole[204:]}
    unreadable |= {"two files in one": whole + parquet(AB)}
    for n in (0, 1, size, 2**31 - 1, 2**32 - 1):
        unreadable[f"footer of {n}"] = whole[:-8] + n.to_bytes(4, "little") + b"PAR1"
    for name, content in damaged.items():
        yield refused(f"Parquet: {name}", content, DAMAGED, "t.parquet")
    for name, content in encrypted.items():
        yield refused(f"Parquet: encrypted {name}", content, ENCRYPTED, "t.parquet")
    for name, content in unreadable.items():
        yield refused(f"Parquet: {name}", content, UNREADABLE, "t.pq")


def typed(name: str, array: pa.Array, values: list | None, says: str = NESTED) -> File:
    """Return a Parquet file with a column of this type, and what it must hold."""

    def make() -> bytes:
        return parquet({**AB, "c": array})

    if values is None:
        return File(f"Parquet: {name}", make, says=says, file="t.pq")
    return File(f"Parquet: {name}", make, holds={**AB, "c": values}, file="t.pq")


def parquet_types() -> Iterator[File]:
    day, noon, cells = dt.date(2020, 1, 1), dt.time(12), [b"\xff", b"a", None]
    wrong = pa.py_buffer(np.array([0, 2, 3, 4], "i4").tobytes()), pa.py_buffer(b"\xff\xfeab")
    nested = {
        "lists": pa.array([[1], [2], None]),
        "maps": pa.array([[("k", 1)]] * 3, pa.map_(pa.string(), pa.int64())),
        "bytes": pa.array(cells, pa.binary()),
        "UUIDs": pa.array([b"0" * 16] * 3, pa.binary(16)).cast(pa.uuid()),
    }
    for name, array in nested.items():
        yield typed(name, array, None)
    unreadable = {
        "dates beyond the calendar": pa.array([2**31 - 1, 0, 1], pa.int32()).cast(pa.date32()),
        "moments nowhere": pa.array([0, 1, None], pa.timestamp("us", "No/Where")),
        "texts that are none": pa.StringArray.from_buffers(3, *wrong),
    }
    for name, array in unreadable.items():
        yield typed(name, array, None, UNREADABLE)
    yield typed("a text of 20 MB", pa.array(["x" * (2 * 10**7), "v", "w"]), None, LONG_CELL)
    coded, texts = pa.array(["u", "v", None]).dictionary_encode(), ["u", "v", None]
    far, somewhere = [2**62, -(2**62), None], pa.timestamp("us", "Europe/Berlin")
    nothing = pa.array([None] * 3, pa.string()).dictionary_encode()
    yield typed("decimals", pa.array([Decimal("1.5"), Decimal(-2), None]), [1.5, -2, nan])
    yield typed("long decimals", pa.array([Decimal("1e60")] * 3, pa.decimal256(70, 2)), [1e60] * 3)
    yield typed("coded texts", coded, texts)
    yield typed("coded numbers", pa.array([1, 2, 1]).dictionary_encode(), [1, 2, 1])
    yield typed("codes of nothing", nothing, [None] * 3)
    yield typed("dates", pa.array([day, None, day]), [day, None, day])
    yield typed("times", pa.array([noon, None, noon], pa.time64("us")), [noon, None, noon])
    yield typed("moments", pa.array([0, 1, None], pa.timestamp("ns")), [0, 1, None])
    yield typed("moments far off", pa.array(far, pa.timestamp("ms")), far)
    yield typed("moments somewhere", pa.array([0, 1, None], somewhere), [0, 1, None])
    yield typed("durations", pa.array([1, 2, None], pa.duration("s")), [1, 2, None])
    yield typed("yes, no and missing", pa.array([True, None, False]), [1, nan, 0])
    yield typed("nothing", pa.nulls(3), [None] * 3)
    yield typed("half precision", pa.array(np.array([1, 2, 65504], "f2")), [1, 2, 65504])
    yield typed("64 bits", pa.array([2**64 - 1, 0, None], pa.uint64()), [2.0**64, 0, nan])


def shaped(name: str, columns: dict | pa.Table, says: str | None = None, **more: object) -> File:
    """Return a Parquet file of such columns, written so, and what it must give."""
    options = {key: more.pop(key) for key in ("compression", "row_group_size") if key in more}
    return File(f"Parquet: {name}", lambda: parquet(columns, **options), says, file="t.pq", **more)


def parquet_shapes() -> Iterator[File]:
    one, bomb = pa.array([1, 3, 4]), r"more than 0\.25 GB"
    none = pa.schema([("a", pa.float64()), ("b", pa.float64())]).empty_table()
    yield shaped("no row group", none, NO_ROWS)
    yield shaped("no column", {}, NO_ROWS)
    for name, second, says in (
        ("twice", "a", "two columns named"),
        ("missing", "", UNNAMED),
        ("long", "x" * 201, "longer than 200"),
    ):
        yield shaped(f"name {name}", pa.table([one, one], ["a", second]), says)
    odd, shown = {"x\ny": [1, 3], "\u202e=cmd": [2, 5]}, {"x y": [1, 3], "=cmd": [2, 5]}
    yield shaped("odd names", odd, holds=shown)
    wide = pa.table([one] * 20_000, [f"c{i}" for i in range(20_000)])
    yield shaped("20,000 columns", wide, "has 20,000 columns")
    many = {"a": list(range(1000)), "b": list(range(1000))}
    yield shaped("1,000 row groups", many, row_group_size=1, holds=many)
    for codec in ("gzip", "brotli", "zstd", "lz4", "none"):
        yield shaped(f"packed by {codec}", AB, compression=codec, holds=AB)
    zeros = pa.array(np.zeros(2_000_000, bool))
    labels = pa.DictionaryArray.from_arrays(np.zeros(4000, "i4"), ["x" * 100_000])
    yield shaped("bomb", dict.fromkeys(map(str, range(20)), zeros), bomb)
    yield shaped("bomb of labels", {"a": labels, "b": np.zeros(4000)}, bomb)


def packed() -> Iterator[File]:
    gz = gzip.compress(PLAIN, mtime=0)
    broken = "is a damaged gzip file"
    yield read("gzip", gz)
    yield read("gzip in two parts", gzip.compress(PLAIN[:8]) + gzip.compress(PLAIN[8:]))
    yield read("gzip and zeros", gz + bytes(100))
    yield read("called gzip", PLAIN, file="t.csv.gz")
    for name, content in (("cut", gz[:-5]), ("only a head", gz[:10]), ("two bytes", gz[:2])):
        yield refused(f"gzip: {name}", content, broken)
    for name, place in (("sum", len(gz) - 6), ("content", 14), ("method", 2)):
        wrong = gz[:place] + bytes([gz[place] ^ 255]) + gz[place + 1 :]
        yield refused(f"gzip: wrong {name}", wrong, broken)
    yield refused("gzip: followed by letters", gz + b"letters", broken)
    yield refused("gzip of nothing", gzip.compress(b""), EMPTY)
    yield refused("gzip twice", gzip.compress(gz), "is compressed twice")
    yield refused("gzip of Parquet", gzip.compress(parquet(AB)), "is a compressed Parquet file")
    yield File("gzip bomb", gzip_bomb, says=r"more than 0\.25 GB")
    yield File("gzip bomb of zeros", lambda: gzip.compress(bytes(2**24)) * 17, says="more than 0")


def gzip_bomb() -> bytes:
    """Return 65 kB that unpack to 335 MB of rows."""
    return gzip.compress(b"a,b\n") + gzip.compress(b"1,2\n" * 2**22) * 20


def zipped(*names: str, content: bytes = PLAIN) -> bytes:
    """Return a zip archive of files with the same content."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, content)
    return out.getvalue()


def foreign() -> Iterator[File]:
    saved = io.BytesIO()
    np.save(saved, np.ones((3, 2)))
    for name, content, says in (
        ("zip of two", zipped("a.csv", "b.csv"), "is a zip"),
        ("zip bomb", zipped("a.csv", content=bytes(10**7)), "is a zip"),
        ("Excel", zipped("[Content_Types].xml", "xl/workbook.xml"), "or an Excel workbook"),
        ("old Excel", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "is an old Excel workbook"),
        ("PDF", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "is a PDF"),
        ("PNG", b"\x89PNG\r\n\x1a\n" + bytes(50), "is a picture"),
        ("JSON of columns", json.dumps(AB).encode(), "is JSON"),
        ("JSON by lines", b'{"a":1,"b":2}\n{"a":3,"b":5}\n', "is JSON"),
        ("deep JSON", b"[" * 10**6, "is JSON"),
        ("a web page", b"<!doctype html>\n<p>a, b\n", "is a web page"),
        ("an error page", b"\n <HTML>\n<p>No, sorry</p>\n", "is a web page"),
        ("XML", b'<?xml version="1.0"?><a/>', "or XML"),
        ("bzip2", bz2.compress(PLAIN), "compressed with bzip2"),
        ("xz", lzma.compress(PLAIN), "compressed with xz"),
        ("Zstandard", b"\x28\xb5\x2f\xfd" + bytes(20), "compressed with Zstandard"),
        ("Arrow", b"ARROW1\0\0" + bytes(9), "an Arrow"),
        ("database", b"SQLite format 3\0" + bytes(90), "is a database"),
        ("a program", b"\x7fELF" + bytes(60), NOT_TEXT),
        ("pickle", pickle.dumps(AB), NOT_UTF8),
        ("NumPy", saved.getvalue(), NOT_UTF8),
        ("noise", random.Random(0).randbytes(5000), NOT_UTF8),
        ("a script", b"#!/bin/sh\nrm -rf /\necho a, b\n", "Line 3 of t.csv has 2 fields"),
    ):
        yield refused(name, content, says)
