"""From tables to rows on the grid and their sums: bounded, exact, each row for itself alone.

That rows are the same from every kind of table, and that a record of any content moves the sums by
its own part only, is in tests/core/tables.
"""

from contextlib import suppress
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.data.errors import TableError
from dpca_core.release import exact_sums as module
from dpca_core.release import table_source
from dpca_core.release.exact_sums import SCORE_GRID, exact_sums, released_mean, rows_about
from dpca_core.release.grid import GRID, moved_inside, to_grid, to_grid_of_length_one
from dpca_core.release.table_source import RowSource, TableSource
from tests.cases import sampled
from tests.core.release.cases import some_recipe

HOSTILE = 40_000


@np.errstate(over="ignore")
def hostile_rows(n, d, rng):
    """Rows of norm 1 ± 10⁻¹⁵, 10^±300, denormal or 0, of equal entries or one, and not finite."""
    rows = rng.normal(size=(n, d))
    rows[::7] = rng.choice([-1.0, 1.0], size=(len(rows[::7]), d))
    rows[::11] = np.eye(d)[rng.integers(d, size=len(rows[::11]))]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    sizes = [1, 1 - 1e-15, 1 + 1e-15, 1 + 1e-7, 0.3, 0, 5e-324, 2e-308, 1e-300, 1e300, 1.7e308]
    # Whole steps and a half: rounding goes up as often as it may.
    rows[::13] = (np.rint(rows[::13] * GRID) + 0.5) / GRID
    rows *= rng.choice(sizes, size=(n, 1))
    gone = rng.random((n, d)) < 1 / (40 * d)
    rows[gone] = rng.choice([np.nan, np.inf, -np.inf], size=int(gone.sum()))
    return rows


def assert_inside(rows):
    """No row is longer than M, in whole numbers: squared lengths are at most 2000·2³² < 2⁶³."""
    assert rows.dtype == np.int64
    assert np.abs(rows).max(initial=0) <= GRID
    assert np.square(rows).sum(axis=1).max() <= GRID**2


@pytest.mark.parametrize("d", sampled([3, MAX_COLUMNS, 1, 100, 2, 19], 3, "further widths"))
def test_no_row_leaves_the_ball(d):
    rng = np.random.default_rng(d)
    n = min(HOSTILE, 200_000 // d)
    rows = hostile_rows(n, d, rng)
    for _ in range(-(-HOSTILE // (5 * n))):
        for radius in (1.0, 0.7, 1e-310, 1e300):
            assert_inside(to_grid(rows, radius))
        assert_inside(to_grid_of_length_one(rows))
        # Other rows, at a fraction of what it takes to draw them.
        rows = np.nextafter(rows[:, ::-1], rng.choice([-1.0, 1.0]))


def test_a_row_does_not_see_the_others():
    rng = np.random.default_rng(3)
    for d, grid in product((1, 3, 19, 100), (to_grid, to_grid_of_length_one)):
        rows = hostile_rows(400, d, rng)
        alone = np.vstack([grid(row[None]) for row in rows])
        # Every other number of other memory.
        wide = np.zeros((400, 2 * d + 1))
        wide[:, 1::2] = rows
        for same in (rows, np.asfortranarray(rows), wide[:, 1::2]):
            assert np.array_equal(grid(same), alone)
        assert np.array_equal(grid(rows[::-1])[::-1], alone)
        assert np.array_equal(grid(rows[3:77]), alone[3:77])


def test_the_last_check_brings_any_row_inside_and_what_is_not_finite_to_the_origin():
    assert_inside(moved_inside(np.array([3.0 * GRID, -GRID, 1.0]))[None])
    assert moved_inside(np.array([GRID, 1.0])).tolist() == [GRID - 1, 1]
    assert moved_inside(np.array([-46342.0, 46342.0])).tolist() == [-46340, 46341]
    assert not moved_inside(np.array([np.nan, 1e300])).any()
    rows = np.array([[np.inf, 0, 0], [np.nan, 1, 0], [0, -np.inf, np.inf], [0.6, 0, 0.8]])
    for found in (to_grid(rows), to_grid_of_length_one(rows)):
        assert found == pytest.approx(np.outer([0, 0, 0, 1], [0.6 * GRID, 0, 0.8 * GRID]), abs=2)


def people(n, d):
    return np.random.default_rng(2).normal(size=(n, d)) / np.sqrt(d)


def equal(one, other):
    return (one.T == other.T).all() and (one.t == other.t).all() and one.c == other.c


def test_no_order_and_no_block_counts(monkeypatch):
    rows = people(3000, 5)
    rows[17], rows[18, 2] = np.inf, np.nan
    expected = exact_sums(RowSource(rows))
    assert equal(expected, exact_sums(RowSource(np.random.default_rng(3).permutation(rows))))
    for cached, most in ((5, 3000), (3885, 1), (15_000, 777), (15_000, 3000)):
        monkeypatch.setattr(table_source, "_CACHED", cached)
        monkeypatch.setattr(module, "_MOST_ROWS", most)
        assert equal(expected, exact_sums(RowSource(rows)))
    monkeypatch.undo()
    # Together these squares pass 2⁵³, beyond which no float is odd.
    n = 2**21 + 2**10 + 1
    source = SimpleNamespace(columns=("c",), blocks=lambda: [np.full((n, 1), GRID - 1)])
    assert exact_sums(source).T.tolist() == [[n * (GRID - 1) ** 2]]


def test_a_mean_is_subtracted_row_by_row():
    """T − tzᵀ − ztᵀ + czzᵀ would skip the cut: one row would move it by up to 4M²."""
    centre = np.array([GRID, 0, 0])
    rows = np.array([[-1.0, 0, 0], [0.0, 1, 0], [1.0, 0, 0]])
    cut = np.vstack(list(rows_about(RowSource(rows), centre)))
    assert_inside(cut)
    wanted = np.array([[-1, 0, 0], [-np.sqrt(1 / 2), np.sqrt(1 / 2), 0], [0, 0, 0]])
    assert cut == pytest.approx(wanted * GRID, abs=2)
    for about, parts in ((None, to_grid(rows)), (centre, cut)):
        whole = exact_sums(RowSource(rows), about).T
        for place in range(3):
            moved = whole - exact_sums(RowSource(np.delete(rows, place, axis=0)), about).T
            assert (moved == np.outer(parts[place], parts[place])).all()
    # A released mean has noise: it may lie anywhere in the ball, across from a row.
    hostile = RowSource(hostile_rows(4000, 3, np.random.default_rng(2)))
    for away, one in product((centre, -centre, -centre[::-1]), (False, True)):
        assert_inside(np.vstack(list(rows_about(hostile, away, length_one=one))))


def test_a_released_mean_is_in_the_ball_and_of_one_row_at_least():
    """Noise may leave sums that are too long, and less than a row."""
    sums = np.array([[40, -20, 80], [12, -16, 4], [1, 0, -28]]) * GRID // 4
    means = [released_mean(one).tolist() for one in sums]
    assert means == [[32768, -16384], [39321, -52428], [16384, 0]]


@pytest.mark.parametrize("about", [None, np.array([2000, 0, 0, -900, 0, 0])])
def test_scores_are_counted_in_whole_numbers(about):
    source = RowSource(people(500, 6))
    directions = np.linalg.qr(np.random.default_rng(1).normal(size=(6, 2)))[0]
    whole = np.rint(directions * SCORE_GRID).astype(np.int64)
    found = module.score_counts(source, whole, (5, 8), Fraction(1, 3), about)
    expected, end = np.zeros((5, 8), dtype=int), -(-GRID * SCORE_GRID // 3)
    for row in np.vstack(list(rows_about(source, about))).tolist():
        place = []
        for along, bins in zip(whole.T.tolist(), (5, 8), strict=True):
            score = sum(y * p for y, p in zip(row, along, strict=True))
            place.append(min(max((score + end) * bins // (2 * end), 0), bins - 1))
        expected[tuple(place)] += 1
    assert (found == expected).all()
    assert found.sum() == 500
    assert found.dtype == np.int64


@pytest.mark.parametrize("ends", ["csv", "csv.gz", "parquet"])
def test_a_file_that_changes_between_two_passes_is_read_again_or_refused(tmp_path, ends):
    path, recipe = tmp_path / f"t.{ends}", some_recipe(2)
    table = pd.DataFrame(people(1000, 2), columns=recipe.coded_names)
    if ends == "parquet":
        table.to_parquet(path, row_group_size=7)
    else:
        table.to_csv(path, index=False)
    content = path.read_bytes()
    found = TableSource([path], recipe)
    first = exact_sums(found)
    assert (first.c, first.T.any()) == (1000, True)
    assert equal(first, exact_sums(found))
    half = len(content) // 2
    zeros = content[:half] + bytes(len(content) - half)
    for other in (content[:half], b"", b"\n", zeros, np.random.default_rng(1).bytes(5000)):
        path.write_bytes(other)
        with suppress(() if ends == "csv" else TableError):
            assert 0 <= exact_sums(found).c <= 1000
    path.unlink()
    with pytest.raises(TableError, match="There is no file"):
        exact_sums(found)
