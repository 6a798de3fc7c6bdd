"""Hostile files: how each is made, and the sentence or the table that it must give."""

import bz2
import datetime as dt
import gzip
import io
import json
import lzma
import pickle
import random
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import inf, nan

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


@dataclass(frozen=True)
class File:
    """A file and what it must give: a sentence that matches ``says``, or these columns."""

    name: str
    make: Callable[[], bytes]
    says: str | None = None
    holds: dict[str, list] | None = None
    file: str = "t.csv"


AB = {"a": [1, 3, 4], "b": [2, 5, 7]}
TEXT = "a,b\n1,2\n3,5\n4,7\n"
PLAIN = TEXT.encode()

NOT_UTF8, NOT_TEXT = "is not UTF-8 text: save it", "is not a text table: save it"
EMPTY, NO_ROWS, ONE_ROW = "is empty", "has no rows below its header", "has one row"
ONE_COLUMN, NOTHING = "one gives no direction to choose", "has no numeric column"
DAMAGED, UNREADABLE = "is a damaged Parquet file", "cannot be read as a table; it may be damaged"
ENCRYPTED = "is an encrypted Parquet file: save it without encryption"
NESTED, LONG_CELL = "holds lists or raw bytes in “c”", "has a cell of more than 128 kB"
ENDLESS, UNNAMED = "has no end of line in its first 4 MB", "has no name: give it one"
OPEN_QUOTE = "of t.csv opens a quotation mark and does not close it"


def all_files() -> list[File]:
    """Every hostile file, of all kinds."""
    kinds = (
        encodings,
        separators,
        lines,
        ragged,
        quotes,
        blanks,
        cells,
        words,
        names,
        sizes,
        packed,
        foreign,
        damaged_parquet,
        parquet_types,
        parquet_shapes,
        file_names,
    )
    return [file for kind in kinds for file in kind()]


def refused(name: str, content: bytes, says: str, file: str = "t.csv") -> File:
    """Return a file that must give a sentence."""
    return File(name, lambda: content, says=says, file=file)


def read(name: str, content: bytes, file: str = "t.csv", **holds: list) -> File:
    """Return a file that must give a table; without columns that of ``TEXT``."""
    return File(name, lambda: content, holds=holds or AB, file=file)


def encodings() -> Iterator[File]:
    for encoding in ("utf-8-sig", "utf-7"):
        yield read(encoding, TEXT.encode(encoding))
    yield refused("utf-16", TEXT.encode("utf-16"), NOT_UTF8)
    yield refused("utf-16 big end first", b"\xfe\xff" + TEXT.encode("utf-16-be"), NOT_UTF8)
    yield read("two marks", b"\xef\xbb\xbf\xef\xbb\xbf" + PLAIN)
    yield refused("utf-32", TEXT.encode("utf-32"), NOT_UTF8)
    for encoding in ("utf-16-le", "utf-16-be", "utf-32-be"):
        yield refused(encoding, TEXT.encode(encoding), NOT_TEXT)
    for encoding in ("latin-1", "mac-roman", "cp850", "cp500"):
        yield refused(encoding, TEXT.replace("a", "größe").encode(encoding), NOT_UTF8)
    for encoding in ("shift-jis", "gb18030", "euc-kr", "big5"):
        yield refused(encoding, TEXT.replace("a", "人口").encode(encoding), NOT_UTF8)
    yield refused("cp1252", TEXT.replace("a", "“€”").encode("cp1252"), NOT_UTF8)
    yield refused("half a utf-16 letter", TEXT.encode("utf-16")[:-1], NOT_UTF8)
    yield refused("lone utf-16 surrogate", TEXT.encode("utf-16") + b"\x00\xd8", NOT_UTF8)
    yield refused("one wrong byte", b"a,b\n1,2\n\xff,3\n", NOT_UTF8)
    yield refused("wrong last byte", PLAIN + b"\x80", NOT_UTF8)
    yield refused("half a letter", "a,b\n1,ä".encode()[:-1], NOT_UTF8)
    yield refused("overlong NUL", b"a,b\n\xc0\x80,2\n3,4\n", NOT_UTF8)
    yield refused("surrogate in utf-8", b"a,b\n\xed\xa0\x80,2\n3,4\n", NOT_UTF8)
    yield refused("only a mark", b"\xef\xbb\xbf", EMPTY)
    yield refused("only a utf-16 mark", b"\xff\xfe", NOT_UTF8)


def separators() -> Iterator[File]:
    for name, mark in (("tab", "\t"), ("semicolon", ";"), ("pipe", "|")):
        yield read(name, TEXT.replace(",", mark).encode())
    for name, mark in (("space", " "), ("colon", ":"), ("unit separator", "\x1f")):
        yield refused(name, TEXT.replace(",", mark).encode(), ONE_COLUMN)
    yield read(
        "decimal commas", b"a;b\n1,5;2,25\n-0,5;1e3\n,5;1,\n", a=[1.5, -0.5, 0.5], b=[2.25, 1000, 1]
    )
    yield read("commas and points", b"a;b\n1,5;1\n1.5;2\n", a=["1,5", "1.5"], b=[1, 2])
    yield read("points before commas", b"a;b\n1.234,5;1\n2,1;2\n", a=[1234.5, 2.1], b=[1, 2])
    yield read("more points than commas", b"a;b;c\n1,5;1.5;2.5\n2,5;2.5;1\n", a=["1,5", "2,5"],
               b=[1.5, 2.5], c=[2.5, 1])  # fmt: skip
    yield read(
        "separators in a quoted name", b'"a;;;",b\n1,2\n3,5\n', **{"a;;;": [1, 3], "b": [2, 5]}
    )
    yield refused("a row with another separator", b"a,b\n1;2\n3,4\n", "Line 2 of t.csv has 1 field")
    yield refused("hint for Excel", b"sep=;\na;b\n1;2\n3;4\n", UNNAMED)


def lines() -> Iterator[File]:
    ends = {
        "CR": "\r",
        "CRLF": "\r\n",
        "LFCR": "\n\r",
        "CRCRLF": "\r\r\n",
        "many": "\n\n\n",
        "spaces": "  \t\n",
        "blank lines": "\n  \n",
    }
    for name, end in ends.items():
        yield read(f"line ends: {name}", TEXT.replace("\n", end).encode())
    for name, end in (
        ("form feed", "\f"),
        ("vertical tab", "\v"),
        ("NEL", "\x85"),
        ("LS", "\u2028"),
    ):
        yield refused(f"line ends: {name}", TEXT.replace("\n", end).encode(), NO_ROWS)
    yield read("mixed line ends", b"a,b\r\n1,2\r3,5\n4,7")
    yield read("no last line end", PLAIN[:-1])
    yield File("10 MB of line ends first", lambda: b"\n" * 10**7 + PLAIN, holds=AB)
    yield File(
        "10 MB of line ends between",
        lambda: b"a,b\n1,2\n" + b"\n" * 10**7 + b"3,5\n4,7\n",
        holds=AB,
    )
    yield File("a blank line of 10 MB first", lambda: b" " * 10**7 + b"\n" + PLAIN, holds=AB)
    yield File("blank lines with spaces", lambda: b" \n" * 10**6 + PLAIN, holds=AB)
    yield refused("end-of-file mark of DOS", PLAIN + b"\x1a", "Line 5 of t.csv has 1 field")
    yield refused(
        "line counted after blank ones", b"\r\n\n\ra,b\n1,2\n3\n", "Line 6 of t.csv has 1"
    )


def ragged() -> Iterator[File]:
    yield refused("a short row", b"a,b\n1,2\n3\n", "Line 3 of t.csv has 1 field; its header has 2")
    yield refused("a long row", b"a,b\n1,2\n3,4,5\n", "Line 3 of t.csv has 3 fields")
    yield refused("a long header", b"a,b,c\n1,2\n3,4\n", "Line 2 of t.csv has 2 fields")
    yield refused("a short header", b"a\n1,2\n3,4\n", "Line 2 of t.csv has 2 fields")
    yield refused("a comma ends every line", b"a,b,\n1,2,\n3,4,\n", "Column 3 of t.csv has no name")
    yield refused("a comma ends every row", b"a,b\n1,2,\n3,4,\n", "Line 2 of t.csv has 3 fields")
    yield refused("a title above", b"My table\na,b\n1,2\n", "Line 2 of t.csv has 2 fields")
    yield refused("a comment above", b"# by me\na,b\n1,2\n", "Line 2 of t.csv has 2 fields")
    yield refused("a late short row", PLAIN * 20_000 + b"1\n", "Line 80001 of t.csv has 1 field")


def quotes() -> Iterator[File]:
    yield refused("open in the header", b'"a,b\n1,2\n3,4\n', f"The header {OPEN_QUOTE}")
    yield refused("open in a row", b'a,b\n1,"2\n3,4\n5,6\n', f"Line 2 {OPEN_QUOTE}")
    yield refused("open in the last row", b'a,b\n1,2\n3,"4', f"Line 3 {OPEN_QUOTE}")
    yield refused("three quotes", b'"""', f"The header {OPEN_QUOTE}")
    yield refused("an odd many", b"a,b\n" + b'"' * 10_001 + b",1\n2,3\n", f"Line 2 {OPEN_QUOTE}")
    yield refused("two empty quotes", b'""', UNNAMED)
    yield refused("single quotes", b"a,b\n'1,5',2\n3,4\n", "Line 2 of t.csv has 3 fields")
    yield refused("half a million open", b"a,b\n" + b' "' * 500_000, LONG_CELL)
    yield read("everything quoted", b'"a","b"\n"1","2"\n"3","5"\n"4","7"\n')
    yield read("a quote ends a cell", b'a,b\n1,2\n3,4"\n', a=[1, 3], b=["2", '4"'])
    yield read("a quote within a cell", b'a,b\n5" x,2\n3,4\n', a=['5" x', "3"], b=[2, 4])
    yield read("a doubled quote", b'a,b\n"5"" x",2\n3,4\n', a=['5" x', "3"], b=[2, 4])
    yield read("a backslash is a letter", b'a,b\n"x\\",2\nz,4\n', a=["x\\", "z"], b=[2, 4])
    yield read("letters after a quote", b'a,b\n"1"x,2\n3,4\n', a=["1x", "3"], b=[2, 4])
    yield refused("line ends in quotes", b'a,b\n"x\ny",1\n"z\r\nw",2\n', f"Line 2 {OPEN_QUOTE}")
    yield read("curly quotes", "a,b\n“1”,2\n“3”,4\n".encode(), a=["“1”", "“3”"], b=[2, 4])


def blanks() -> Iterator[File]:
    for name, content, says in (
        ("nothing", b"", EMPTY),
        ("one line end", b"\n", EMPTY),
        ("blanks", b" \n\t\r\n \r", EMPTY),
        ("one letter", b"x", NO_ROWS),
        ("only a header", b"a,b\n", NO_ROWS),
        ("only a header, marked", b"\xef\xbb\xbfa,b", NO_ROWS),
        ("a header and blank lines", b"a,b\n\n \n\r\n", NO_ROWS),
        ("one row", b"a,b\n1,2\n", ONE_ROW),
        ("one column", b"a\n1\n2\n", ONE_COLUMN),
        ("one column of text", b"a\nx\ny\n", ONE_COLUMN),
        ("only separators", b",,,\n,,,\n", "has 4 unnamed columns"),
        ("no cell filled", b"a,b\n,\n,\n", NOTHING),
        ("all missing", b"a,b\nNA,?\n-,null\n", NOTHING),
        ("one column filled", b"a,b\n1,\n2,NA\n", ONE_COLUMN),
        ("NUL in a cell", b"a,b\n1,\x002\n3,4\n", NOT_TEXT),
        ("NUL in a name", b"a\0,b\n1,2\n3,4\n", NOT_TEXT),
        ("only NUL", bytes(64), NOT_TEXT),
        ("NUL after the end", PLAIN + bytes(9), NOT_TEXT),
        ("texts only", b"a,b\n" + b"".join(b"x%d,y%d\n" % (i, i) for i in range(99)), NOTHING),
    ):
        yield refused(name, content, says)
    yield read("a column all missing", b"a,b,c\n,1,2\n?,2,1\n", a=[nan, nan], b=[1, 2], c=[2, 1])


def column(name: str, cells: list[str], values: list) -> File:
    """Return a file with these cells in one column."""
    rows = "".join(f"{cell};{i}\n" for i, cell in enumerate(cells))
    return read(f"cells: {name}", f"a;b\n{rows}".encode(), a=values, b=list(range(len(cells))))


def cells() -> Iterator[File]:
    yield column("thousands", ["1,234", "12,345.5", "99"], [1234, 12345.5, 99])
    yield column("millions", ["1,234,567", "-1,000", "+2,000"], [1234567, -1000, 2000])
    yield column("infinite", ["inf", "-inf", "+Infinity", "INF"], [inf, -inf, inf, inf])
    yield column("beyond 1e308", ["1e999", "-1e400", "9" * 400, "1"], [inf, -inf, inf, 1])
    yield column("not numbers", ["nan", "NaN", "-nan", "NAN", "1"], [nan, nan, nan, nan, 1])
    yield column("missing", ["NA", "N/A", "null", "None", "?", "-", "1"], [nan] * 6 + [1])
    yield column(
        "huge", ["1e308", "-1.7976931348623157e308", "3"], [1e308, -1.7976931348623157e308, 3]
    )
    yield column("subnormal", ["5e-324", "1e-310", "0", "1e-999"], [5e-324, 1e-310, 0, 0])
    yield column("negative zero", ["-0.0", "0", "1"], [0, 0, 1])
    yield column(
        "many digits", ["12345678901234567890", "0." + "1" * 1000], [12345678901234567890.0, 1 / 9]
    )
    yield column("signs and points", ["+5", "1.", ".5", "007", "1E+5"], [5, 1, 0.5, 7, 1e5])


def words() -> Iterator[File]:
    for name, texts in (
        ("per cent", ["5%", "7.5%"]),
        ("dollars", ["$5", "$7"]),
        ("euros", ["€ 5", "7 €"]),
        ("brackets", ["(5)", "7"]),
        ("thin thousands", ["1 234", "2 345"]),
        ("Swiss", ["1'234", "2'345"]),
        ("underscores", ["1_000", "2"]),
        ("hexadecimal", ["0x1F", "0x2"]),
        ("Fortran", ["1D5", "2D5"]),
        ("two signs", ["--5", "1"]),
        ("no exponent", ["1e", "2"]),
        ("infinity sign", ["∞", "1"]),
        ("a half", ["½", "1"]),
        ("wide digits", ["１２", "１３"]),
        ("Arabic digits", ["٣", "٤"]),
        ("typographic minus", ["−5", "5"]),
        ("hidden space", ["\u200b1", "3"]),
        ("True", ["True", "False", "TRUE", "true", "T"]),
        ("yes", ["yes", "no", "Y", "N"]),
        ("on", ["on", "off"]),
        ("dates", ["2020-01-01", "01/02/2021", "3.4.21"]),
        ("times", ["2020-01-01T00:00:00Z", "12:30"]),
        ("Excel errors", ["#N/A", "#DIV/0!", "1"]),
        ("formulas", ["=1+1", "@SUM(A1)", "+x"]),
        ("markup", ["<b>1</b>", "**2**", "$x$"]),
    ):
        yield column(name, texts, texts)


def named(name: str, first: str, second: str, kept: tuple[str, str] | None, says: str = "") -> File:
    """Return a file with these two cells in its header, and the names they must become."""
    content = f"{first},{second}\n1,2\n3,5\n".encode()
    if kept is None:
        return refused(f"names: {name}", content, says)
    return read(f"names: {name}", content, **dict(zip(kept, ([1, 3], [2, 5]), strict=True)))


ODD_NAMES = (
    "=cmd|' /C calc'!A0",
    "<img src=x onerror=alert(1)>",
    "![x](http://127.0.0.1:9/x.png)",
    "**bold** :red[red] $x^2$",
    "a\u202etxt.exe",
    "__proto__",
    "{0}%s\\n",
    "+1",
    "-1",
    "@x",
)
"""Names that a table may have and no page may obey."""


def names() -> Iterator[File]:
    for i, odd in enumerate(ODD_NAMES):
        yield named(f"odd {i}", f'"{odd}"', "b", (odd.replace("\u202e", " "), "b"))
    yield named("tabs first", '"\t=a"', '"\t+b"', ("=a", "+b"))
    yield named("CR first", "a", '"\r+b"', None, f"The header {OPEN_QUOTE}")
    yield named("line ends", '"a\nb"', '"c\r\nd"', None, f"The header {OPEN_QUOTE}")
    yield named("control letters", "a\x07", "\x1b[31mb", ("a", "[31mb"))
    yield named("joined emoji", "👩\u200d👧", "🎉", ("👩\u200d👧", "🎉"))
    yield named("two accents or one letter", "é", "e\u0301", ("é", "e\u0301"))
    yield named("numbers", "1", "2", ("1", "2"))
    yield named("missing values", "nan", "NA", ("nan", "NA"))
    yield named("quotes", '"a""b"', "'c", ('a"b', "'c"))
    yield named("large and small", "a", "A", ("a", "A"))
    yield named("200 letters", "x" * 200, "b", ("x" * 200, "b"))
    yield named("201 letters", "x" * 201, "b", None, "column 1 of t.csv is longer than 200")
    yield named("a megabyte", "x" * 10**6, "b", None, LONG_CELL)
    yield named("twice", "a", "a", None, "two columns named “a”: rename one")
    yield named("twice but for spaces", "a", " a\u00a0", None, "two columns named “a”")
    yield named("twice but for what is hidden", "a", "a\u200b", None, "two columns named “a”")
    yield named("one missing", "a", "", None, "Column 2 of t.csv has no name")
    yield named("one hidden", "\u200b", "b", None, "Column 1 of t.csv has no name")
    yield refused("names: all the same", b"a" + b",a" * 999 + b"\n1", "has 1000 columns named “a”")


def wide(count: int) -> bytes:
    """Return a file of so many columns and two rows."""
    rows = ([f"c{i}" for i in range(count)], ["1"] * count, ["2"] * count)
    return "\n".join(",".join(row) for row in rows).encode()


def sizes() -> Iterator[File]:
    columns = {f"c{i}": [1, 2] for i in range(2000)}
    yield File("2,000 columns", lambda: wide(2000), holds=columns)
    yield File("2,001 columns", lambda: wide(2001), says="has 2,001 columns; the limit is 2,000")
    yield File("100,000 columns", lambda: wide(10**5), says="has 100,000 columns")
    yield File("a cell of 10 MB", lambda: b'a,b\n1,"' + b"x" * 10**7 + b'"\n2,3\n', says=LONG_CELL)
    yield File(
        "a cell of 50 MB", lambda: b"a,b\n1," + b"x" * (5 * 10**7) + b"\n2,3\n", says=LONG_CELL
    )
    yield File("a cell of 129 kB", lambda: b"a,b\n1," + b"9" * 132_000 + b"\n2,3\n", says=LONG_CELL)
    for name, letter in (("x", b"x"), ("commas", b","), ("quotes", b'"'), ("blanks", b" ")):
        yield File(
            f"50 MB of {name}", lambda letter=letter: letter * (5 * 10**7) + b"a", says=ENDLESS
        )
    yield File(
        "a quoted header of 20 MB",
        lambda: b'"' + b"\n" * (2 * 10**7),
        says=f"The header {OPEN_QUOTE}",
    )


def flipped(content: bytes, at: int) -> bytes:
    """Return the content with one byte turned over."""
    return content[:at] + bytes([content[at] ^ 255]) + content[at + 1 :]


def packed() -> Iterator[File]:
    gz = gzip.compress(PLAIN, mtime=0)
    broken = "is a damaged gzip file"
    yield read("gzip", gz)
    yield read("gzip in two parts", gzip.compress(PLAIN[:8]) + gzip.compress(PLAIN[8:]))
    yield read("gzip and zeros", gz + bytes(100))
    yield read("called gzip", PLAIN, file="t.csv.gz")
    for name, content in (
        ("cut", gz[:-5]),
        ("only a head", gz[:10]),
        ("two bytes", gz[:2]),
        ("wrong sum", flipped(gz, -6)),
        ("wrong content", flipped(gz, 14)),
        ("followed by letters", gz + b"letters"),
        ("wrong method", flipped(gz, 2)),
    ):
        yield refused(f"gzip: {name}", content, broken)
    yield refused("gzip of nothing", gzip.compress(b""), EMPTY)
    yield refused("gzip twice", gzip.compress(gz), "is packed twice")
    yield refused("gzip of Parquet", gzip.compress(parquet(AB)), "is a packed Parquet file")
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
    records, saved = [{"a": 1, "b": 2}, {"a": 3, "b": 5}], io.BytesIO()
    np.save(saved, np.ones((3, 2)))
    for name, content, says in (
        ("zip of one", zipped("a.csv"), "is a zip archive or"),
        ("zip of two", zipped("a.csv", "b.csv"), "is a zip"),
        ("zip bomb", zipped("a.csv", content=bytes(10**7)), "is a zip"),
        ("zip out of its folder", zipped("../../a"), "is a zip"),
        ("Excel", zipped("[Content_Types].xml", "xl/workbook.xml"), "or an Excel workbook"),
        ("old Excel", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "is an old Excel workbook"),
        ("PDF", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "is a PDF"),
        ("PDF of letters", b"%PDF-1.4\n1, 0 obj\n", "is a PDF"),
        ("PNG", b"\x89PNG\r\n\x1a\n" + bytes(50), "is a picture"),
        ("JPEG", b"\xff\xd8\xff\xe0" + bytes(9), "is a picture"),
        ("JSON of columns", json.dumps(AB).encode(), "is JSON"),
        ("JSON of rows", json.dumps(records).encode(), "is JSON"),
        ("JSON, indented", json.dumps(records, indent=1).encode(), "is JSON"),
        ("JSON by lines", b'{"a":1,"b":2}\n{"a":3,"b":5}\n', "is JSON"),
        ("JSON of lists", b"[[1,2],[3,4]]", "is JSON"),
        ("deep JSON", b"[" * 10**6, "is JSON"),
        ("a web page", b"<!doctype html>\n<p>a, b\n", "is a web page"),
        ("an error page", b"\n <HTML>\n<p>No, sorry</p>\n", "is a web page"),
        ("XML", b'<?xml version="1.0"?><a/>', "or XML"),
        ("bzip2", bz2.compress(PLAIN), "packed with bzip2"),
        ("xz", lzma.compress(PLAIN), "packed with xz"),
        ("Zstandard", b"\x28\xb5\x2f\xfd" + bytes(20), "packed with Zstandard"),
        ("Arrow", b"ARROW1\0\0" + bytes(9), "an Arrow"),
        ("database", b"SQLite format 3\0" + bytes(90), "is a database"),
        ("a program", b"\x7fELF" + bytes(60), NOT_TEXT),
        ("pickle", pickle.dumps(AB), NOT_UTF8),
        ("pickle of letters", pickle.dumps(AB, 0), ONE_COLUMN),
        ("NumPy", saved.getvalue(), NOT_UTF8),
        ("noise", random.Random(0).randbytes(5000), NOT_UTF8),
        ("a script", b"#!/bin/sh\nrm -rf /\necho a, b\n", "Line 3 of t.csv has 2 fields"),
        ("a pointer to a file", b"version https://git-lfs\noid sha256:abc\nsize 3\n", ONE_COLUMN),
        ("TeX", b"\\begin{tabular}{cc}\na & b \\\\\n1 & 2 \\\\\n", ONE_COLUMN),
    ):
        yield refused(name, content, says)


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
        ("gzip", gzip.compress(PLAIN)),
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


def file_names() -> Iterator[File]:
    for name, shown in (
        ("../../etc/passwd", "passwd"),
        ("/etc/passwd", "passwd"),
        ("C:\\home\\a.csv", "a.csv"),
        ("", "The file"),
        (".", "The file"),
        ("..", ".."),
        ("/", "The file"),
        ("a\nb.csv", "a b.csv"),
        ("a\0b.csv", "a b.csv"),
        ("\u202evsc.exe", "vsc.exe"),
        ("x" * 5000 + ".csv", "x" * 56 + ".csv"),
        (".csv", ".csv"),
        ("~root", "~root"),
        ("<img src=x onerror=alert(1)>.csv", "<img src=x onerror=alert(1)>.csv"),
        ("**x**.csv", "**x**.csv"),
        ("=cmd.csv", "=cmd.csv"),
        ("{0}%s{x}.csv", "{0}%s{x}.csv"),
        ('"""+1.csv', '"""+1.csv'),
        ("a\\", "a"),
        ("\u200b", "The file"),
        ("con.parquet", "con.parquet"),
        ("$(id).csv", "$(id).csv"),
    ):
        yield File(
            f"called {name[:40]!r}", bytes, says="^" + _literal(shown) + r" is empty\.$", file=name
        )


def _literal(text: str) -> str:
    return "".join(f"\\{c}" if not c.isalnum() and c.isascii() else c for c in text)
