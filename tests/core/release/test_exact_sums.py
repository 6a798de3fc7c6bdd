"""Rows on the grid, and their sums: bounded, exact, each row and person for itself alone."""

import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.release import exact_sums as sums
from dpca_core.release import table_source
from dpca_core.release.exact_sums import SCORE_GRID, exact_sums, rows_about, score_counts
from dpca_core.release.grid import FINE, GRID, moved_inside, to_grid, to_grid_of_length_one
from dpca_core.release.table_source import RowSource
from tests.cases import sampled
from tests.core.release.test_table_source import equal

HOSTILE = 40_000
"""Rows brought to the grid for each number of columns."""


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


def lengths(rows):
    """Squared lengths in whole numbers: at most 2000·2³² < 2⁶³."""
    assert rows.dtype == np.int64
    assert np.abs(rows).max(initial=0) <= GRID
    return np.square(rows).sum(axis=1)


WIDTHS = sampled([3, MAX_COLUMNS, 1, 100, 2, 19], 3, "further widths")


@pytest.mark.parametrize("d", WIDTHS)
def test_no_row_leaves_the_ball(d):
    rng = np.random.default_rng(d)
    n = min(HOSTILE, 200_000 // d)
    rows, seen = hostile_rows(n, d, rng), 0
    while seen < HOSTILE:
        for radius in (1.0, 0.7, 1e-310, 1e300):
            assert lengths(to_grid(rows, radius)).max() <= GRID**2
        assert lengths(to_grid_of_length_one(rows)).max() <= GRID**2
        # Other rows, at a fraction of what it takes to draw them.
        rows, seen = np.nextafter(rows[:, ::-1], rng.choice([-1.0, 1.0])), seen + 5 * n


def by_the_letter(row, radius):
    """RELEASE's formula for one row in Python's floats; None for rows of length 1."""
    largest = max(max(map(abs, row)), 1e-300)
    q = [round(x / largest * FINE) for x in row]
    length = math.sqrt(sum(x * x for x in q))
    inner = (GRID - math.sqrt(len(row)) / 2) * (1 - 2.0**-40)
    reach = FINE if radius is None else FINE * (radius / largest)
    return [round(x * (inner / max(length, reach))) for x in q]


def test_numpy_does_what_the_formula_says():
    rng = np.random.default_rng(1)
    for d in (1, 2, 7, 40):
        rows = rng.normal(size=(50, d)) * 10.0 ** rng.integers(-9, 9, size=(50, 1))
        for radius in (1.0, 0.3, 1e5):
            expected = [by_the_letter(row, radius) for row in rows.tolist()]
            assert to_grid(rows, radius).tolist() == expected
        expected = [by_the_letter(row, None) for row in rows.tolist()]
        assert to_grid_of_length_one(rows).tolist() == expected


def test_a_row_does_not_see_the_others():
    rng = np.random.default_rng(3)
    for d in (1, 3, 19, 100):
        rows = hostile_rows(400, d, rng)
        for grid in (to_grid, to_grid_of_length_one):
            alone = np.vstack([grid(row[None]) for row in rows])
            assert np.array_equal(grid(rows), alone)
            assert np.array_equal(grid(np.asfortranarray(rows)), alone)
            assert np.array_equal(grid(rows[::-1])[::-1], alone)
            assert np.array_equal(grid(rows[3:77]), alone[3:77])
            # Every other number of other memory.
            wide = np.zeros((400, 2 * d + 1))
            wide[:, 1::2] = rows
            assert np.array_equal(grid(wide[:, 1::2]), alone)


def test_the_last_check_brings_any_row_inside_and_what_is_not_finite_to_the_origin():
    assert lengths(moved_inside(np.array([3.0 * GRID, -GRID, 1.0]))[None])[0] <= GRID**2
    assert moved_inside(np.array([GRID, 1.0])).tolist() == [GRID - 1, 1]
    assert moved_inside(np.array([-46342.0, 46342.0])).tolist() == [-46340, 46341]
    assert not moved_inside(np.array([np.nan, 1e300])).any()
    rows = np.array([[np.inf, 0, 0], [np.nan, 1, 0], [0, -np.inf, np.inf], [0.6, 0, 0.8]])
    for found in (to_grid(rows), to_grid_of_length_one(rows)):
        assert not found[:3].any()
        assert found[3] == pytest.approx([0.6 * GRID, 0, 0.8 * GRID], abs=2)


def people(n, d, seed):
    return np.random.default_rng(seed).normal(size=(n, d)) / np.sqrt(d)


def test_no_order_and_no_block_counts(monkeypatch):
    rows = people(3000, 5, 2)
    rows[17], rows[18, 2] = np.inf, np.nan
    expected = exact_sums(RowSource(rows))
    for same in (np.random.default_rng(3).permutation(rows), np.asfortranarray(rows)):
        assert equal(expected, exact_sums(RowSource(same)))
    for module, name, values in (
        (table_source, "_CACHED", (5, 3885, 15_000)),
        (sums, "_MOST_ROWS", (1, 777, 3000)),
    ):
        for value in values:
            with monkeypatch.context() as blocks:
                blocks.setattr(module, name, value)
                assert equal(expected, exact_sums(RowSource(rows)))


def test_a_product_takes_no_more_rows_than_floats_count_exactly():
    """Together these squares pass 2⁵³, beyond which no float is odd."""
    n = 2**21 + 2**10 + 1
    rows = np.full((n, 1), GRID - 1)
    source = SimpleNamespace(columns=("c",), blocks=lambda: [rows])
    assert exact_sums(source).T.tolist() == [[n * (GRID - 1) ** 2]]


def test_a_mean_is_subtracted_row_by_row():
    """T − tzᵀ − ztᵀ + czzᵀ would skip the cut: one row would move it by up to 4M²."""
    centre = np.array([GRID, 0, 0])
    rows = np.array([[-1.0, 0, 0], [0.0, 1, 0], [1.0, 0, 0]])
    cut = np.vstack(list(rows_about(RowSource(rows), centre)))
    assert np.square(cut).sum(axis=1).max() <= GRID**2
    assert cut[0] == pytest.approx([-GRID, 0, 0], abs=2)
    assert cut[1] == pytest.approx([-GRID / np.sqrt(2), GRID / np.sqrt(2), 0], abs=2)
    assert np.abs(cut[2]).max() <= 2
    for about, parts in ((None, to_grid(rows)), (centre, cut)):
        whole = exact_sums(RowSource(rows), about).T
        for place in range(3):
            moved = whole - exact_sums(RowSource(np.delete(rows, place, axis=0)), about).T
            assert (moved == np.outer(parts[place], parts[place])).all()
    uncut = np.outer(to_grid(rows)[0] - centre, to_grid(rows)[0] - centre)
    assert uncut[0, 0] > 3.99 * GRID**2


def test_scores_are_counted_in_whole_numbers():
    rows = people(500, 6, 9)
    directions = np.linalg.qr(np.random.default_rng(1).normal(size=(6, 2)))[0]
    whole = np.rint(directions * SCORE_GRID).astype(np.int64)
    reach, centre = Fraction(1, 3), np.array([2000, 0, 0, -900, 0, 0])
    for about in (None, centre):
        found = score_counts(RowSource(rows), whole, (5, 8), reach, about)
        expected = np.zeros((5, 8), dtype=int)
        end = -(-GRID * SCORE_GRID // 3)
        for row in np.vstack(list(rows_about(RowSource(rows), about))).tolist():
            place = []
            for axis, bins in ((0, 5), (1, 8)):
                score = sum(y * int(p) for y, p in zip(row, whole[:, axis], strict=True))
                place.append(min(max((score + end) * bins // (2 * end), 0), bins - 1))
            expected[tuple(place)] += 1
        assert (found == expected).all()
        assert found.sum() == 500
        assert found.dtype == np.int64
