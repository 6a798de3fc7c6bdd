"""Total reading: no row is refused, and none changes another one, by a reader without our code."""

import gzip
import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from dpca_core.data.byte_text import text_of
from dpca_core.data.recipe import Category, Combine, Missing, Number, Reading, Recipe
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.preparation import prepare
from dpca_core.readers import csv_file
from dpca_core.readers.file_access import Upload
from dpca_core.streaming.second_moment import second_moment
from tests.cases import sampled
from tests.references import csv as naive_csv

TOTAL = Reading.TOTAL

RECIPE = Recipe(
    (Number("a", -10, 10), Number("b", 0, 2000)),
    (Category("c", ("x", "1", "01", "NA", "ü")),),
    radius=1.2,
    bounds_are_public=True,
)
PEOPLE = replace(RECIPE, person=("who",))
RECIPES = {
    "plain": RECIPE,
    "averages": PEOPLE,
    "at most two": replace(PEOPLE, combine=Combine.AT_MOST, most=2),
    "rows left out": replace(RECIPE, missing=Missing.DROP),
    "averages of whole rows": replace(PEOPLE, missing=Missing.DROP),
    "codes": replace(RECIPE, number_format=TextFileFormat(missing=("-1", "999", "x"))),
}
HEAD = b"who,a,b,c,text\n"


def moment(content, recipe=RECIPE):
    """S of a file as it was uploaded."""
    return prepare(Upload("t.csv", content), recipe, "t", TOTAL).moment


def close(found, expected):
    return np.allclose(found, expected, rtol=1e-9, atol=1e-9)


CELLS = [
    "1", "2.5", "-1e1", "+3.", ".5", "", " ", "NA", " NA ", " 2 ", '"3"', '" 4 "', '"1,5"', "1.234",
    '"1,234"', "1,5", "1.234,5", '"12,345,678"', "12345678", "two", "-", "inf", "-inf", "+Infinity",
    "nan", "-nan", "nan(1)", "1e400", "-1e999", "9" * 400, "1e-400", "0x1F", "1_000", "1e", "--5",
    "007", "01", "1.0", " 01", "x", " x", "x ", '"x"', '"x""y"', ' "x"', 'x"', '5" x', '"x"y', '"',
    '""', '"""', '"x', 'x,y', '"x,y"', "x;y", "\t", "\v", "\x00", "1\x00", "\ufeff", "\ufeff1",
    "\u2028", "1\u2028", "\u00a01", "1\u00a0", "\u2003x", "ü", "u\u0308", "٣", "１", "−5", "½",
    "1'234", "1 234", "\x1f", "\x1a", "\x85", "999", " 999", "999.0", "-1", "1e5", "1E+05", "5%",
    "$5", "true", "False", "2020-01-01", "=1+1", "a\\", "\\", "'", "null", "None", "?", "N/A",
    "1e99999999999999999999", "1" * 5000, "x" * 5000, "0" * 400 + "7", "0." + "0" * 400 + "7",
]  # fmt: skip
BYTES = [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80\x80", b"\xc0\xaf", b"\x00"]
LINES = [
    b"", b" ", b",", b",,,", b",,,,", b",,,,,", b'"', b'""', b'",,,,', b',,,,"', b'"",,,,', b"\t",
    b"1", b"1,2", b"p1,1,2,x", b"p1,1,2,x,t,u", b'p1,"1,2",x,t', b'p1,1,2,"x,t', b'p1,1,2,x",t',
    b'"p1","1","2","x","t"', b' "p1", "1", "2", "x", "t"', b'p1,1,2,x,"t""', b'p1,1,2,x,"t"""',
    b'p1,1,2,x,"""', b"\xef\xbb\xbfp1,1,2,x,t", b"\xef\xbb\xbf", b"\xff\xfe", b"p1,1,2,x,\xff",
    b"p1\xc3,1,2,x,t", b"p1,1\xff,2,x,t", b"\x00", b"p1,1,2,\x00x,t", b"\x1a", b"a;b;c",
    b"\xc2\xa0",
    b"who,a,b,c,text", b"PK\x03\x04", b"PAR1", b"\x1f\x8b", b"<html>", b'{"a":1}', b"#", b"\\",
    b"p1,1,2,x,t\rp2,3,4,x,t", b"p1,1,2,x,t\r", b"\r\r", b"p1,1,2,x,\"t\rp2,3,4,x,\"t",
    b"p1,1,2,x," + b"t" * 130_000, b"p1,1,2,x," + b"t" * 140_000,
    b"p1," + b"9" * 140_000 + b",2,x,t",
    b"9" * 200_000, b'"' * 10_001, b'"' * 10_000, b"," * 10_000,
    b'p1,1,2,x,"' + b"t" * 140_000 + b'"',
]  # fmt: skip


def random_line(rng):
    """Return a line: of hostile cells, some of them bytes that are no text, or of any bytes."""
    kind = rng.random()
    if kind < 0.1:
        return rng.choice(LINES)
    if kind < 0.2:
        letters = b'p1,",\r"\x00\xef\xbb\xbf\xe2\x80\xa8\xff;. e+-nainfx\t'
        return bytes(rng.choice(letters) for _ in range(rng.randint(0, 30)))
    if kind < 0.3:
        return rng.randbytes(rng.randint(0, 40)).replace(b"\n", b"")
    width = 5 if rng.random() < 0.9 else rng.randint(0, 8)
    cells = [rng.choice(CELLS).encode() for _ in range(width)]
    if width == 5 and rng.random() < 0.7:
        cells[0] = rng.choice([b"p1", b"p2", b"1", b"01", b"1.0", b'"p1"', b" p2"])
    if width and rng.random() < 0.1:
        cells[rng.randrange(width)] += rng.choice(BYTES)
    return b",".join(cells)


@cache
def lines(seed, count):
    rng = random.Random(seed)
    return [random_line(rng) for _ in range(count)]


def file_of(rows, end=b"\n"):
    return HEAD.replace(b"\n", end) + b"".join(row + end for row in rows)


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        *((name, 6) for name in RECIPES),
        *(pytest.param(name, 60, marks=pytest.mark.long("ten times as many")) for name in RECIPES),
    ],
)
def test_any_file_is_read_by_the_rules(name, rounds, tmp_path, monkeypatch):
    """In blocks of many sizes, as upload, path and stream, packed or not."""
    recipe, rng = RECIPES[name], random.Random(f"{name} {rounds}")
    for _ in range(rounds):
        monkeypatch.setattr(csv_file, "LARGEST_BLOCK", rng.choice([2**22, 2**22, 300]))
        rows = [random_line(rng) for _ in range(rng.randint(0, 12))]
        content = file_of(rows, rng.choice([b"\n", b"\r\n", b"\r"]))
        if rng.random() < 0.2:
            content = content[:-1]
        expected = naive_csv.moment(content, recipe)
        assert close(moment(content, recipe), expected), content[:3000]
        if not recipe.person:
            (tmp_path / "t.csv").write_bytes(content)
            (tmp_path / "t.csv.gz").write_bytes(gzip.compress(content))
            for given, rows_ in (("t.csv", 1), ("t.csv", 3), ("t.csv", None), ("t.csv.gz", 4)):
                found = second_moment(tmp_path / given, recipe, chunk_rows=rows_)
                assert close(found.moment, expected), (given, rows_, content[:3000])
                assert found.rows == len(naive_csv.vectors(content, recipe))


@pytest.mark.parametrize(
    ("name", "many"),
    [
        *((name, False) for name in RECIPES),
        *sampled([(name, True) for name in RECIPES], 6, "each recipe among thousands of rows"),
    ],
)
def test_what_a_line_adds_is_what_it_adds_alone(name, many, monkeypatch):
    """Every hostile line, put somewhere into a file, moves S by its own row only."""
    recipe, rng = RECIPES[name], random.Random(f"{name} {many}")
    monkeypatch.setattr(csv_file, "LARGEST_BLOCK", 2**16)
    usual = [
        b"p%d,%d.5,%d,%s,t" % (i, i % 9, i % 1500, b"x" if i % 3 else b"01")
        for i in range(2500 if many else 4)
    ]
    before = moment(file_of(usual), recipe)
    for line in rng.sample(LINES, 20) if many else [*LINES, *lines(2, 40)]:
        place = rng.randint(0, len(usual))
        content = file_of([*usual[:place], line, *usual[place:]])
        after = moment(content, recipe)
        if not recipe.person:
            assert close(after - before, moment(HEAD + line + b"\n", recipe)), line[:200]
            continue
        # One person's rows change, or one person comes: at most one direction each way, by 1.
        if b"\r" not in line:
            values = np.linalg.eigvalsh(after - before)
            assert (values > 1e-9).sum() <= 1
            assert (values < -1e-9).sum() <= 1
            assert np.abs(values).max() <= 1 + 1e-9
        if not many:
            assert close(after, naive_csv.moment(content, recipe)), line[:200]


NO_TEXTS = [b"M\xfcller", b"M\xf6ller", b"M\xfc\xf6ller", b"\xfc", b"\xf4\x8f"]
TEXTS = [t.encode() for t in ("M\ufffdller", "Müller", "\U0010fffc", "\U0010ffbf", "\U0010ff7f")]
NAMES = Recipe((Number("a", -1, 1), Number("b", -1, 1)), person=("who",), bounds_are_public=True)


@pytest.mark.parametrize("names", [NO_TEXTS, [*NO_TEXTS, *TEXTS]])
@pytest.mark.parametrize("quote", [b"", b'"'])
def test_different_bytes_are_different_persons(names, quote):
    """Whatever other rows hold: bytes that are no text count by themselves."""
    rows = [quote + name + quote + b",0.5,0.25" for name in names]
    content = b"who,a,b\n" + b"\n".join([*rows, *rows]) + b"\n"
    data = prepare(Upload("t.csv", content), NAMES, "t", TOTAL)
    assert data.people == len(names)
    assert close(data.moment, naive_csv.moment(content, NAMES))
    for name in names:
        # One of them may be all that is no text in the file, or not even that.
        content = b"who,a,b\n" + name + b",0.5,0.25\nx y,0.5,0.5\n" + name + b",0.5,0.25\n"
        assert prepare(Upload("t.csv", content), NAMES, "t", TOTAL).people == 2


def test_bytes_that_windows_1252_lacks_are_different_persons():
    recipe = replace(NAMES, number_format=TextFileFormat(encoding="cp1252"))
    names = b"\x81 \x8d \x8f \x90 \x9d \xc3\x81 \xfc".split()
    content = b"who,a,b\n" + b"".join(name + b",0.5,0.25\n" for name in names)
    assert prepare(Upload("t.csv", content), recipe, "t", TOTAL).people == len(names)


def test_texts_are_one_to_one():
    """Any two byte strings: the text gives the bytes back, and is itself where they are text."""
    rng = random.Random(0)
    pieces = [b"a", b"\x80", b"\xbe", b"\xbf", b"\x8f", b"\xf4", b"\xff", b"\xc3", "ü".encode()]
    pieces += [b"\xed\xb3\xbc", "\U0010fffc".encode(), "\U0010ff80".encode(), "😀".encode()]
    seen = {}
    for _ in range(3000):
        content = b"".join(rng.choices(pieces, k=rng.randint(0, 5)))
        text = text_of(content)
        assert seen.setdefault(text, content) == content
        assert text.encode().decode() == text
        if content.isascii():
            assert text == content.decode()


@pytest.mark.parametrize(
    ("width", "cell", "quote"),
    sampled([(31, 100_000, b'"'), (20, 130_000, b""), (9, 131_072, b'"')], 3, "lines of MBs"),
)
def test_a_line_of_long_cells_is_a_row_like_others(width, cell, quote):
    names = [f"c{i}" for i in range(width)]
    recipe = Recipe(
        tuple(Number(name, -10, 10) for name in names[:2]),
        person=(names[2],),
        bounds_are_public=True,
    )
    usual = [b",".join([b"%d" % i] * width) for i in range(5)]
    head = ",".join(names).encode() + b"\n"
    whole = prepare(Upload("t.csv", head + b"\n".join(usual)), recipe, "t", TOTAL)
    for letter, place in ((b"7", 0), (b"\xfc", 3), (b"x", 5)):
        long = b",".join([quote + letter * cell + quote] * width)
        content = head + b"\n".join([*usual[:place], long, *usual[place:]]) + b"\n"
        data = prepare(Upload("t.csv", content), recipe, "t", TOTAL)
        assert data.people == 6
        assert np.array_equal(np.delete(data.rows, place, axis=0), whole.rows)
