"""A streamed S equals the S of the whole table, whatever the chunks."""

import gc
import threading
from contextlib import suppress
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from dpca_core import Budget
from dpca_core.data.errors import EncodingError, RecipeError, TableError
from dpca_core.data.recipe import Category, Missing, Number, Reading, Recipe, Scaling
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from dpca_core.streaming.progress import Cancelled
from dpca_core.streaming.second_moment import centred_moment, second_moment
from tests.core.streaming.streamed_tables import RECIPE, ROWS, same, stored, table

WAYS = ("frame", "frames", "csv", "gzip", "plain csv", "semicolon", "parquet", "folder")


def recipe_of(way):
    """The recipe, with the way in which the file is written."""
    return replace(RECIPE, number_format=TextFileFormat(";", ",")) if way == "semicolon" else RECIPE


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"missing": Missing.DROP},
        {"scaling": Scaling.NORM_ONLY, "radius": 40.0},
        {"radius": None},
        {"categories": ()},
        {"numbers": ()},
        {"scaling": Scaling.PRIVATE_MEAN},
    ],
    ids=str,
)
def test_a_stream_sums_up_what_the_whole_table_does(way, changes, tmp_path):
    rng = np.random.default_rng([WAYS.index(way), len(str(changes))])
    frame, recipe = table(), replace(recipe_of(way), **changes)
    data = prepare(frame, recipe, "t")
    source = stored(way, frame, tmp_path, rng)
    found = second_moment(source, recipe, chunk_rows=int(rng.integers(1, 700)))
    assert same(found.moment, data.moment)
    assert same(found.total, data.rows.sum(axis=0))
    assert found.columns == data.columns
    assert (found.rows, found.clipped / found.rows) == (len(data.rows), data.clipped_rows)
    assert found.cut == round(data.clipped_cells * found.rows * len(recipe.numbers))
    assert same(found.problem(2).spectrum, data.problem(2).spectrum)


SMALL = Recipe((Number("a", -2, 3),), (Category("c", ("1", "x", "01", "2.5")),), radius=1.3)
CELLS = {
    "a": [
        "1",
        "2.5",
        "-1e1",
        "",
        "NA",
        " NA ",
        " 2 ",
        '"3"',
        '"1,5"',
        '"1,234"',
        "1,5",
        "two",
        "-",
    ],
    "c": ["1", "x", "y", "", "?", " x ", '"x"', '"a\nb"', "01", "1.0", '"y,z"', ' "x"', '5" y'],
}


def answer(function):
    """What a function returns, or None where it refuses."""
    with suppress(TableError, EncodingError, RecipeError):
        return function()


def whole_moment(content, recipe):
    return prepare(Upload("t.csv", content), recipe, "t").moment


def test_any_csv_is_summed_up_as_it_is_read_whole_or_refused(tmp_path):
    """Random files of difficult cells in chunks of 1, 2 and 4 rows: never another S."""
    rng, agreed, rounds, path = np.random.default_rng(3), 0, 150, tmp_path / "t.csv"
    for _ in range(rounds):
        separator = str(rng.choice([",", ";", "\t"]))
        end = str(rng.choice(["\n", "\r\n"]))
        usual = {name: rng.choice(cells, 3) for name, cells in CELLS.items()}
        lines = [separator.join(["a", "c", "d"])]
        for _ in range(rng.integers(2, 12)):
            cells = [str(rng.choice(usual[name])) for name in CELLS]
            lines.append(separator.join([*cells, "0"]))
        content = end.join(lines) + end * int(rng.integers(0, 3))
        decimal = str(rng.choice([".", ","])) if separator == ";" else "."
        recipe = replace(SMALL, number_format=TextFileFormat(separator, decimal))
        whole = answer(partial(whole_moment, content.encode(), recipe))
        path.write_bytes(content.encode())
        for chunk_rows in (1, 2, 4):
            sums = partial(second_moment, path, recipe, chunk_rows=chunk_rows)
            found = answer(partial(sums, reading=Reading.STRICT))
            if found is not None and found.rows >= 2 and found.moment.any():
                assert whole is not None, content
                assert same(found.moment, whole), content
                assert same(sums().moment, whole), content
                agreed += 1
    assert agreed > rounds / 4


# --- A private mean ---


def test_a_private_mean_takes_two_passes_and_is_the_one_of_the_whole_table(tmp_path):
    recipe = replace(RECIPE, scaling=Scaling.PRIVATE_MEAN, mean_share=0.3)
    data, budget = prepare(table(), recipe, "t"), Budget(1.0, 1e-6)
    source = stored("csv", table(), tmp_path, np.random.default_rng(0))
    found, left = centred_moment(source, recipe, budget, np.random.default_rng(5), chunk_rows=99)
    assert same(found.moment, data.problem(1, budget=budget, seed=5).moment)
    assert left == data.mechanism_budget(budget)
    assert found.clipped > 0


def test_a_private_mean_needs_a_source_that_stays():
    recipe = replace(RECIPE, scaling=Scaling.PRIVATE_MEAN)
    with pytest.raises(RecipeError, match="read only once"):
        centred_moment(iter([table()]), recipe, Budget(1, 1e-6), np.random.default_rng(0))
    with pytest.raises(RecipeError, match="second pass"):
        changing(Reading.STRICT)
    assert changing(Reading.TOTAL)[0].rows == 10
    with pytest.raises(RecipeError, match="asks for no private mean"):
        centred_moment(table(), RECIPE, Budget(1, 1e-6), np.random.default_rng(0))


def changing(reading):
    """Sum up about a mean what has other rows the second time."""

    class Frames:
        rows = 30

        def __iter__(self):
            self.rows -= 10
            return iter([table(rows=self.rows)])

    recipe = replace(RECIPE, scaling=Scaling.PRIVATE_MEAN)
    return centred_moment(
        Frames(), recipe, Budget(1, 1e-6), np.random.default_rng(0), reading=reading
    )


# --- Progress ---


@pytest.mark.parametrize("way", WAYS)
def test_progress_rises_to_the_whole(way, tmp_path):
    seen = []
    source = stored(way, table(), tmp_path, np.random.default_rng(1))
    second_moment(source, recipe_of(way), chunk_rows=200, on_progress=seen.append)
    rows, done = [p.rows for p in seen], [p.done for p in seen]
    assert rows == sorted(rows)
    assert rows[-1] == ROWS
    assert all(p.rows_per_second > 0 for p in seen)
    if way == "frames":
        assert set(done) == {None}
        assert seen[-1].seconds_left is None
    else:
        assert done == sorted(done)
        assert done[-1] == 1
        assert seen[-1].seconds_left == 0


@pytest.mark.parametrize("way", WAYS)
def test_a_cancelled_sum_has_no_result_and_leaves_nothing_open(way, tmp_path):
    source, calls, threads = (
        stored(way, table(), tmp_path, np.random.default_rng(2)),
        [],
        threading.active_count(),
    )
    with pytest.raises(Cancelled, match=r"cancelled after [\d,]+ rows; there is no result\."):
        second_moment(
            source,
            recipe_of(way),
            chunk_rows=100,
            on_progress=lambda p: calls.append(p) or len(calls) < 3,
        )
    assert len(calls) == 3
    assert calls[-1].rows < ROWS
    gc.collect()
    assert threading.active_count() <= threads
