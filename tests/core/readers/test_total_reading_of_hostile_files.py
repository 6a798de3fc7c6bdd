"""Hostile files and odd bytes in total reading: the same table in both ways of reading."""

import random
from dataclasses import replace

import numpy as np
import pytest

from dpca_core.data.byte_text import text_of
from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Number, Reading, Recipe
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.preparation import prepare
from dpca_core.readers import csv_file
from dpca_core.readers.file_access import Upload
from dpca_core.readers.table import proposed_format, read_table
from dpca_core.streaming.second_moment import second_moment
from tests.core.readers.reading_cases import RECIPE, close
from tests.hostile.tables import all_files
from tests.references import csv as naive_csv

TOTAL, STRICT = Reading.TOTAL, Reading.STRICT

LARGE = ("bomb", "50 MB", "100,000")
TEXTS = [
    file
    for file in all_files()
    if not file.file.endswith((".parquet", ".pq")) and not any(word in file.name for word in LARGE)
]


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.name)
def test_hostile_files_are_the_same_in_both_readings(file, tmp_path):
    """Only what stands before the rows may be refused by both."""
    content = file.make()
    upload, path = Upload(file.file, content), tmp_path / "t.csv"
    path.write_bytes(content)
    try:
        form = proposed_format(upload)
        names = list(csv_file.TextFile(upload, form, TOTAL).names)
    except TableError as error:
        assert not error.readable_anyway  # noqa: PT017
        with pytest.raises(TableError):
            read_table(file.file, content)
        return
    if len(set(names)) < max(len(names), 2) or "" in names:
        return
    recipe = replace(
        RECIPE,
        numbers=tuple(Number(n, -10, 10) for n in names[:60]),
        categories=(),
        number_format=form,
        radius=1.5,
    )
    total = second_moment(path, recipe)
    whole = prepare(upload, recipe, "t", TOTAL)
    assert close(total.moment, whole.moment)
    assert np.linalg.eigvalsh(total.moment)[0] > -1e-9
    problem = total.problem(1)
    assert (problem.n, whole.problem(1).n) == (max(total.rows, 1),) * 2
    for given in (path, upload):
        try:
            strict = second_moment(given, recipe, reading=STRICT)
        except TableError as error:
            assert error.readable_anyway  # noqa: PT017
            continue
        except ValueError:
            continue
        assert close(strict.moment, total.moment)
        assert strict.rows == total.rows


WESTERN = [b"M\xfcller", b"M\xf6ller", b"M\xfc\xf6ller", "M\ufffdller".encode(), "Müller".encode()]
PRIVATE = [
    "\U0010fffc".encode(),
    b"\xfc",
    b"\xf4\x8f",
    "\U0010ffbf".encode(),
    "\U0010ff7f".encode(),
]
NAMES = Recipe((Number("a", -1, 1), Number("b", -1, 1)), person=("who",), bounds_are_public=True)


@pytest.mark.parametrize("names", [WESTERN, PRIVATE, [*WESTERN, *PRIVATE]])
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
    names = [b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d", b"\xc3\x81", b"\xfc"]
    content = b"who,a,b\n" + b"".join(name + b",0.5,0.25\n" for name in names)
    assert prepare(Upload("t.csv", content), recipe, "t", TOTAL).people == len(names)


def test_texts_are_one_to_one():
    """Any two byte strings: the text gives the bytes back, and is itself where they are text."""
    rng = random.Random(0)
    pieces = [b"a", b"\x80", b"\xbe", b"\xbf", b"\x8f", b"\xf4", b"\xff", b"\xc3", "ü".encode()]
    pieces += [b"\xed\xb3\xbc", "\U0010fffc".encode(), "\U0010ff80".encode(), "😀".encode()]
    seen = {}
    for _ in range(20_000):
        content = b"".join(rng.choices(pieces, k=rng.randint(0, 5)))
        text = text_of(content)
        assert seen.setdefault(text, content) == content
        assert text.encode().decode() == text
        if content.isascii():
            assert text == content.decode()


@pytest.mark.parametrize(("width", "cell"), [(20, 130_000), (31, 100_000), (9, 131_072)])
@pytest.mark.parametrize("quote", [b"", b'"'])
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
