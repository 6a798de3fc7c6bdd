"""Hostile files that are compressed, of another kind, or both."""

import bz2
import gzip
import io
import json
import lzma
import pickle
import random
import zipfile
from collections.abc import Iterator

import numpy as np

from tests.hostile.file_case import (
    AB,
    EMPTY,
    NOT_TEXT,
    NOT_UTF8,
    PLAIN,
    File,
    read,
    refused,
)
from tests.hostile.parquet_files import parquet


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
