"""Hostile files, each for one reason: the sentence, or the cells, that each must give."""

import gzip
import io
import json
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


@dataclass(frozen=True)
class File:
    """A file and what it must give: a sentence with ``says`` in it, or these columns."""

    name: str
    content: bytes
    says: str = ""
    holds: dict[str, list] | None = None
    file: str = "t.csv"


AB = {"a": ["1", "3", "4"], "b": ["2", "5", "7"]}
TEXT = "a,b\n1,2\n3,5\n4,7\n"
PLAIN = TEXT.encode()
ODD_NAMES = (
    *("=cmd|' /C calc'!A0", "<img src=x onerror=alert(1)>", "![x](http://127.0.0.1:9/x.png)"),
    *("**bold** :red[red] $x^2$", "a\u202etxt.exe", "__proto__", "{0}%s\\n", "+1", "-1", "@x"),
)
"""Names that a table may have and no page may obey."""
WORDS = (
    *("5%", "$5", "€ 5", "(5)", "0x1F", "1D5", "--5", "1e", "∞", "½", "１２", "٣", "\u200b1"),
    *("1_0", "True", "yes", "2020-01-01", "3.4.21", "#DIV/0!", "=1+1", "@SUM(A1)", "<b>1</b>"),
    *("$x$", "inf", "-Infinity", "1e999", "9" * 400, "nan", "?", "5e-324", "−5", "1\u202f234"),
    "007",
)
"""Cells that others may take for something else: all are shown as they are written."""


def parquet(columns, **options):
    """Return a Parquet file."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns) if isinstance(columns, dict) else columns, out, **options)
    return out.getvalue()


READ = {
    "two marks": ("\ufeff\ufeff" + TEXT).encode(),
    "hint for Excel": b"sep=;\n" + TEXT.replace(",", ";").encode(),
    "CR": TEXT.replace("\n", "\r").encode(),
    "spaces at the ends": TEXT.replace("\n", "  \t\n").encode(),
    "gzip in two parts": gzip.compress(PLAIN[:8]) + gzip.compress(PLAIN[8:]),
}
"""Give the same table."""
HOLDS = {
    "latin-1": ("größe,b\n1,2\n".encode("latin-1"), {"gr\ufffd\ufffde": ["1"], "b": ["2"]}),
    "another separator": (b"a,b\n1;2\n3,4\n", {"a": [None, "3"], "b": [None, "4"]}),
    "lone CR in a row": (b"a,b\r\n1,2\r3,5\n4,7", {"a": [None, "4"], "b": [None, "7"]}),
    "a quotation left open": (b'a,b\n1,"2\n3,4\n', {"a": ["1"], "b": ["2\n3,4"]}),
    "only a header": (b"a,b\n", {"a": [], "b": []}),
    "only separators": (b",\n,\n", {"column 1": [None], "column 2": [None]}),
    "control letters in names": (b"a\x07,\x1b[31mb\n1,2\n", {"a": ["1"], "[31mb": ["2"]}),
    "joined emoji": ("👩\u200d👧,🎉\n1,2\n".encode(), {"👩\u200d👧": ["1"], "🎉": ["2"]}),
    "line ends in a name": (b'"a\nb","\r+c"\n1,2\n', {"a b": ["1"], "+c": ["2"]}),
    "a hidden name": ("\u200b,b\n1,2\n".encode(), {"column 1": ["1"], "b": ["2"]}),
}
ROWS_OF_WORDS = "\n".join(["a;b", *(f"{word};x" for word in WORDS)]).encode()
HOLDS["words"] = ROWS_OF_WORDS, {"a": [*WORDS], "b": ["x"] * len(WORDS)}
for number, odd in enumerate(ODD_NAMES):
    columns = {odd.replace("\u202e", " "): ["1"], "b": ["2"]}
    HOLDS[f"odd name {number}"] = f'"{odd}",b\n1,2\n'.encode(), columns
GZ, WHOLE = gzip.compress(PLAIN, mtime=0), parquet({"a": range(50), "c": ["x", "y"] * 25})
UNREADABLE = "cannot be read as a table; it may be damaged"
REFUSED = {
    "nothing": (b"", "is empty"),
    "only a mark": (b"\xef\xbb\xbf", "is empty"),
    "utf-16": (TEXT.encode("utf-16"), "is UTF-16, or no text at all: save it as “CSV UTF-8”"),
    "names twice": (b"a,a\n1,2\n", "has 2 columns named “a”: rename them"),
    "names twice but for what is hidden": ("a,a\u200b\n1,2\n".encode(), "has 2 columns named “a”"),
    "2,001 columns": (b"c," * 2000 + b"c", "has 2,001 columns; the limit is 2,000"),
    "gzip: cut": (GZ[:-5], "is a damaged gzip file"),
    "gzip twice": (gzip.compress(GZ), "compressed twice"),
    "gzip of Parquet": (gzip.compress(WHOLE), "a Parquet file: give its name the ending .parquet"),
    "zip": (b"PK\x03\x04" + PLAIN, "a workbook or an archive"),
    "old Excel": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "a workbook: give its name"),
    "PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "a PDF"),
    "JSON": (json.dumps(AB).encode(), "JSON"),
    "a web page": (b"\n <HTML>\n<p>No, sorry</p>\n", "a web page"),
    "xz": (b"\xfd7zXZ\0" + bytes(9), "compressed in another way than gzip"),
}
REFUSED_PARQUET = {
    "no bytes": (b"", UNREADABLE),
    "cut": (WHOLE[:-5], UNREADABLE),
    "CSV": (PLAIN, UNREADABLE),
    "only marks": (b"PAR1PAR1", UNREADABLE),
    "a footer of 2 GB": (WHOLE[:-8] + (2**31 - 1).to_bytes(4, "little") + b"PAR1", UNREADABLE),
}
NOWHERE = pa.timestamp("us", "No/Where")
WRONG = pa.py_buffer(np.array([0, 2, 3, 4], "i4").tobytes()), pa.py_buffer(b"\xff\xfeab")
TYPES = {
    "lists": (pa.array([[1], [2], None]), ["list<element: int64>"] * 2 + [None]),
    "texts that are none": (pa.StringArray.from_buffers(3, *WRONG), ["\ufffd\ufffd", "a", "b"]),
    "a moment nowhere": (pa.array([0, 1, None], NOWHERE), [str(NOWHERE)] * 2 + [None]),
    "dates": (pa.array([date(2020, 1, 1), None, None]), ["2020-01-01", None, None]),
    "far dates": (
        pa.array([2**31 - 1, 0, None], pa.int32()).cast(pa.date32()),
        ["<value out of range: 2147483647>", "1970-01-01", None],
    ),
    "long decimals": (pa.array([Decimal("1e60")] * 3, pa.decimal256(70, 2)), [1e60] * 3),
    "codes of nothing": (pa.array([None] * 3, pa.string()).dictionary_encode(), [None] * 3),
    "flags": (pa.array([True, None, False]), ["True", None, "False"]),
    "64 bits": (pa.array([2**64 - 1, 0, None], pa.uint64()), [2**64 - 1, 0, None]),
    "a text of 2 MB": (pa.array(["x" * 2**21, "v", None]), [None, "v", None]),
}
FILE_NAMES = {
    "../../etc/passwd": "passwd",
    "": "The file",
    "a\nb.csv": "a b.csv",
    "\u202evsc.exe": "vsc.exe",
    "<img src=x onerror=alert(1)>.csv": "<img src=x onerror=alert(1)>.csv",
}
NUMBERS = {"a": [1, 3, 4], "b": [2, 5, 7]}
TYPED = {n: (NUMBERS | {"c": column}, NUMBERS | {"c": c}) for n, (column, c) in TYPES.items()}
TYPED["odd names"] = {"x\ny": [1], "": [2]}, {"x y": [1], "column 2": [2]}
FILES = [
    *(File(name, content, holds=AB) for name, content in READ.items()),
    *(File(name, content, holds=columns) for name, (content, columns) in HOLDS.items()),
    *(File(name, *refused) for name, refused in REFUSED.items()),
    *(File(f"Parquet: {name}", *bad, file="t.pq") for name, bad in REFUSED_PARQUET.items()),
    *(File(f"Parquet: {n}", parquet(c), "", holds, "t.pq") for n, (c, holds) in TYPED.items()),
    *(File(f"called {n[:9]!r}", b"", f"{s} is empty.", file=n) for n, s in FILE_NAMES.items()),
]
