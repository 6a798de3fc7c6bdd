"""Hostile text tables: encodings, separators, line ends, quotes, cells, names and sizes."""

from collections.abc import Iterator
from math import inf, nan

from tests.hostile.file_case import (
    AB,
    EMPTY,
    ENDLESS,
    LONG_CELL,
    NO_ROWS,
    NOT_TEXT,
    NOT_UTF8,
    NOTHING,
    ONE_COLUMN,
    ONE_ROW,
    PLAIN,
    TEXT,
    UNNAMED,
    File,
    read,
    refused,
)

MOST = 1.7976931348623157e308
OPEN_QUOTE = "of t.csv opens a quotation mark and does not close it"


def encodings() -> Iterator[File]:
    for encoding in ("utf-8-sig", "utf-7"):
        yield read(encoding, TEXT.encode(encoding))
    yield refused("utf-16", TEXT.encode("utf-16"), NOT_UTF8)
    yield read("two marks", b"\xef\xbb\xbf\xef\xbb\xbf" + PLAIN)
    yield refused("utf-32", TEXT.encode("utf-32"), NOT_UTF8)
    for encoding in ("utf-16-le", "utf-16-be", "utf-32-be"):
        yield refused(encoding, TEXT.encode(encoding), NOT_TEXT)
    for encoding in ("latin-1", "mac-roman", "cp850", "cp500"):
        yield refused(encoding, TEXT.replace("a", "größe").encode(encoding), NOT_UTF8)
    for encoding in ("shift-jis", "gb18030", "euc-kr", "big5"):
        yield refused(encoding, TEXT.replace("a", "人口").encode(encoding), NOT_UTF8)
    yield refused("cp1252", TEXT.replace("a", "“€”").encode("cp1252"), NOT_UTF8)
    yield refused("one wrong byte", b"a,b\n1,2\n\xff,3\n", NOT_UTF8)
    yield refused("half a letter", "a,b\n1,ä".encode()[:-1], NOT_UTF8)
    yield refused("overlong NUL", b"a,b\n\xc0\x80,2\n3,4\n", NOT_UTF8)
    yield refused("surrogate in utf-8", b"a,b\n\xed\xa0\x80,2\n3,4\n", NOT_UTF8)
    yield refused("only a mark", b"\xef\xbb\xbf", EMPTY)


def separators() -> Iterator[File]:
    for name, mark in (("tab", "\t"), ("semicolon", ";"), ("pipe", "|")):
        yield read(name, TEXT.replace(",", mark).encode())
    for name, mark in (("space", " "), ("colon", ":"), ("unit separator", "\x1f")):
        yield refused(name, TEXT.replace(",", mark).encode(), ONE_COLUMN)
    commas = b"a;b\n1,5;2,25\n-0,5;1e3\n,5;1,\n"
    yield read("decimal commas", commas, a=[1.5, -0.5, 0.5], b=[2.25, 1000, 1])
    yield read("commas and points", b"a;b\n1,5;1\n1.5;2\n", a=["1,5", "1.5"], b=[1, 2])
    yield read("points before commas", b"a;b\n1.234,5;1\n2,1;2\n", a=[1234.5, 2.1], b=[1, 2])
    more, quoted = b"a;b;c\n1,5;1.5;2.5\n2,5;2.5;1\n", b'"a;;;",b\n1,2\n3,5\n'
    yield read("more points than commas", more, a=["1,5", "2,5"], b=[1.5, 2.5], c=[2.5, 1])
    yield read("separators in a quoted name", quoted, **{"a;;;": [1, 3], "b": [2, 5]})
    yield refused("a row with another separator", b"a,b\n1;2\n3,4\n", "Line 2 of t.csv has 1 field")
    yield refused("hint for Excel", b"sep=;\na;b\n1;2\n3;4\n", UNNAMED)


def lines() -> Iterator[File]:
    for end in ("\r", "\r\n", "\n\r", "\r\r\n", "\n\n\n", "  \t\n", "\n  \n"):
        yield read(f"line ends: {end!r}", TEXT.replace("\n", end).encode())
    for end in ("\f", "\v", "\x85", "\u2028"):
        yield refused(f"line ends: {end!r}", TEXT.replace("\n", end).encode(), NO_ROWS)
    yield read("mixed line ends", b"a,b\r\n1,2\r3,5\n4,7")
    yield read("no last line end", PLAIN[:-1])
    ends, blanks = b"\n" * 10**7, b" " * 10**7 + b"\n"
    yield File("10 MB of line ends first", lambda: ends + PLAIN, holds=AB)
    yield File("a blank line of 10 MB", lambda: blanks + PLAIN, holds=AB)
    yield refused("end-of-file mark of DOS", PLAIN + b"\x1a", "Line 5 of t.csv has 1 field")
    yield refused("line after blank ones", b"\r\n\n\ra,b\n1,2\n3\n", "Line 6 of t.csv has 1")


def ragged() -> Iterator[File]:
    yield refused("a short row", b"a,b\n1,2\n3\n", "Line 3 of t.csv has 1 field; its header has 2")
    yield refused("a long row", b"a,b\n1,2\n3,4,5\n", "Line 3 of t.csv has 3 fields")
    yield refused("a title above", b"My table\na,b\n1,2\n", "Line 2 of t.csv has 2 fields")
    yield refused("a late short row", PLAIN * 20_000 + b"1\n", "Line 80001 of t.csv has 1 field")


def quotes() -> Iterator[File]:
    yield refused("open in the header", b'"a,b\n1,2\n3,4\n', f"The header {OPEN_QUOTE}")
    yield refused("open in a row", b'a,b\n1,"2\n3,4\n5,6\n', f"Line 2 {OPEN_QUOTE}")
    yield refused("an odd many", b"a,b\n" + b'"' * 10_001 + b",1\n2,3\n", f"Line 2 {OPEN_QUOTE}")
    yield refused("single quotes", b"a,b\n'1,5',2\n3,4\n", "Line 2 of t.csv has 3 fields")
    yield refused("half a million open", b"a,b\n" + b' "' * 500_000, LONG_CELL)
    yield read("a quote ends a cell", b'a,b\n1,2\n3,4"\n', a=[1, 3], b=["2", '4"'])
    yield read("a quote within a cell", b'a,b\n5" x,2\n3,4\n', a=['5" x', "3"], b=[2, 4])
    yield read("a backslash is a letter", b'a,b\n"x\\",2\nz,4\n', a=["x\\", "z"], b=[2, 4])
    yield read("letters after a quote", b'a,b\n"1"x,2\n3,4\n', a=["1x", "3"], b=[2, 4])
    yield refused("line ends in quotes", b'a,b\n"x\ny",1\n"z\r\nw",2\n', f"Line 2 {OPEN_QUOTE}")


def blanks() -> Iterator[File]:
    for name, content, says in (
        ("nothing", b"", EMPTY),
        ("only a header", b"a,b\n", NO_ROWS),
        ("one row", b"a,b\n1,2\n", ONE_ROW),
        ("one column", b"a\n1\n2\n", ONE_COLUMN),
        ("only separators", b",,,\n,,,\n", "has 4 unnamed columns"),
        ("one column filled", b"a,b\n1,\n2,NA\n", ONE_COLUMN),
        ("NUL in a cell", b"a,b\n1,\x002\n3,4\n", NOT_TEXT),
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
    yield column("huge", ["1e308", f"-{MOST!r}", "3"], [1e308, -MOST, 3])
    yield column("subnormal", ["5e-324", "1e-310", "0", "1e-999"], [5e-324, 1e-310, 0, 0])
    yield column(
        "many digits", ["1234567890" * 2, "0." + "1" * 1000], [1234567890.1234568e10, 1 / 9]
    )
    yield column("signs and points", ["+5", "1.", ".5", "007", "1E+5"], [5, 1, 0.5, 7, 1e5])
    yield column("true minus", ["−5", "−1.5"], [-5, -1.5])
    yield column("spaces", ["1 234", "−1\u202f234\u00a0567.5"], [1234, -1234567.5])


WORDS = """
5% 7.5%|$5 $7|€_5 7_€|(5) 7|1'234 2'345|0x1F 0x2|1D5 2D5|--5 1|1e 2|∞ 1|½ 1|１２ １３
٣ ٤|\u200b1 3|True False TRUE true T|yes no Y N|on off|2020-01-01 01/02/2021 3.4.21
2020-01-01T00:00:00Z 12:30|#N/A #DIV/0! 1|=1+1 @SUM(A1) +x|<b>1</b> **2** $x$
"""
"""Columns of text that others may take for numbers, an underscore for a space."""


def words() -> Iterator[File]:
    for texts in WORDS.strip().replace("\n", "|").split("|"):
        cells = [text.replace("_", " ") for text in texts.split(" ")]
        yield column(f"words {texts}", cells, cells)
    yield column("underscores", ["1_000", "2"], ["1_000", "2"])


def named(name: str, first: str, second: str, kept: tuple[str, str] | None, says: str = "") -> File:
    """Return a file with these two cells in its header, and the names they must become."""
    content = f"{first},{second}\n1,2\n3,5\n".encode()
    if kept is None:
        return refused(f"names: {name}", content, says)
    return read(f"names: {name}", content, **dict(zip(kept, ([1, 3], [2, 5]), strict=True)))


ODD_NAMES = (
    *("=cmd|' /C calc'!A0", "<img src=x onerror=alert(1)>", "![x](http://127.0.0.1:9/x.png)"),
    *("**bold** :red[red] $x^2$", "a\u202etxt.exe", "__proto__", "{0}%s\\n", "+1", "-1", "@x"),
)
"""Names that a table may have and no page may obey."""


def names() -> Iterator[File]:
    for i, odd in enumerate(ODD_NAMES):
        yield named(f"odd {i}", f'"{odd}"', "b", (odd.replace("\u202e", " "), "b"))
    yield named("CR first", "a", '"\r+b"', None, f"The header {OPEN_QUOTE}")
    yield named("line ends", '"a\nb"', '"c\r\nd"', None, f"The header {OPEN_QUOTE}")
    yield named("control letters", "a\x07", "\x1b[31mb", ("a", "[31mb"))
    yield named("joined emoji", "👩\u200d👧", "🎉", ("👩\u200d👧", "🎉"))
    yield named("quotes", '"a""b"', "'c", ('a"b', "'c"))
    yield named("200 letters", "x" * 200, "b", ("x" * 200, "b"))
    yield named("201 letters", "x" * 201, "b", None, "column 1 of t.csv is longer than 200")
    yield named("a megabyte", "x" * 10**6, "b", None, LONG_CELL)
    yield named("twice", "a", "a", None, "two columns named “a”: rename one")
    yield named("twice but for what is hidden", "a", "a\u200b", None, "two columns named “a”")
    yield named("one hidden", "\u200b", "b", None, "Column 1 of t.csv has no name")
    yield refused("names: all the same", b"a" + b",a" * 999 + b"\n1", "has 1000 columns named “a”")


def wide(count: int) -> bytes:
    """Return a file of so many columns and two rows."""
    rows = ([f"c{i}" for i in range(count)], ["1"] * count, ["2"] * count)
    return "\n".join(",".join(row) for row in rows).encode()


def sizes() -> Iterator[File]:
    columns, many = {f"c{i}": [1, 2] for i in range(2000)}, 10**7
    yield File("2,000 columns", lambda: wide(2000), holds=columns)
    yield File("2,001 columns", lambda: wide(2001), says="has 2,001 columns; the limit is 2,000")
    yield File("100,000 columns", lambda: wide(10**5), says="has 100,000 columns")
    yield File("10 MB in quotes", lambda: b'a,b\n1,"' + b"x" * many + b'"\n2,3\n', says=LONG_CELL)
    yield File("50 MB in a cell", lambda: b"a,b\n1," + b"x" * 5 * many + b"\n2,3\n", says=LONG_CELL)
    yield File("129 kB in a cell", lambda: b"a,b\n1," + b"9" * 132_000 + b"\n2,3\n", says=LONG_CELL)
    for name, letter in (("x", b"x"), ("commas", b","), ("quotes", b'"'), ("blanks", b" ")):
        yield File(f"50 MB of {name}", lambda letter=letter: letter * 5 * many + b"a", says=ENDLESS)
    opened = f"The header {OPEN_QUOTE}"
    yield File("20 MB of quoted header", lambda: b'"' + b"\n" * 2 * many, says=opened)
