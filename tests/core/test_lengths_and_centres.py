"""Rows of length 1 and typical values: what they do, what one person moves, what is shared."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from dpca_core.codebooks.codebook import EntryUse
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.clipping import to_ball, to_length_one
from dpca_core.data.dataset import Dataset
from dpca_core.data.errors import RecipeError
from dpca_core.data.mean_direction import offset_shares
from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Number,
    Reading,
    Recipe,
    RowLength,
    Scaling,
)
from dpca_core.linalg.arrays import Array
from dpca_core.metrics import quality, random_baseline, without_noise
from dpca_core.preparation import prepare
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from dpca_core.readers.file_access import Upload
from dpca_core.simulation.sweep import sweep
from sample_data import CATALOGUE
from sample_data.made_up_clinic import clinic_csv, codebook_csv

TINY = float(np.finfo(float).tiny)
COLUMNS = tuple(Number(name, -1, 1) for name in "abc")
UNIT = Recipe(COLUMNS, row_length=RowLength.ONE, bounds_are_public=True)


def unit_rows(dataset: Dataset) -> Dataset:
    """The same rows, all of length 1, judged by those at most R."""
    return replace(
        dataset,
        key="",
        rows=to_length_one(dataset.rows),
        row_length=RowLength.ONE,
        at_most_r=dataset.moment,
    )


def file_of(rows: Array) -> Upload:
    lines = [",".join(map(repr, row)) for row in rows.tolist()]
    return Upload("t.csv", "\n".join(["a,b,c", *lines, ""]).encode())


def test_rows_have_length_1_whatever_their_size_or_become_0():
    rows = np.random.default_rng(0).standard_normal((50, 4))
    for size in (1e-300, 1.0, 1e300):
        found = to_length_one(rows * size)
        assert found == pytest.approx(rows / np.linalg.norm(rows, axis=1, keepdims=True))
        assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(50), rel=1e-15)
    none = np.array([[0.0, 0.0], [TINY / 2, -TINY / 4], [5e-324, 0.0], [-0.0, 0.0]])
    assert np.array_equal(to_length_one(none), np.zeros((4, 2)))
    assert to_length_one(np.array([[TINY, 0.0]])) == pytest.approx(np.array([[1.0, 0.0]]))
    assert to_length_one(np.empty((0, 3))).shape == (0, 3)


def test_no_r_is_needed_and_none_counts():
    rows = np.random.default_rng(1).uniform(-1, 1, (40, 3))
    data = prepare(file_of(rows), UNIT, "t")
    assert data.clipped_rows == 0
    for radius in (0.1, 5.0):
        other = prepare(file_of(rows), replace(UNIT, radius=radius), "t")
        assert np.array_equal(other.rows, data.rows)
    free = replace(UNIT, scaling=Scaling.NORM_ONLY)
    without_r = prepare(file_of(rows * 1e5), free, "t")
    assert without_r.rows == pytest.approx(data.rows)
    # Without a public R there is nothing else to compare with.
    assert without_r.at_most_r is None
    assert without_r.reference == pytest.approx(without_r.moment)
    assert without_noise(without_r.problem(2)).captured == pytest.approx(1)


def test_rows_as_in_the_papers_have_no_length_of_their_own():
    recipe = replace(UNIT, scaling=Scaling.AS_IN_PAPERS)
    with pytest.raises(RecipeError, match="cannot all be of length 1: choose one of both"):
        prepare(file_of(np.eye(3)), recipe, "t")


@pytest.mark.parametrize("length", RowLength)
def test_one_person_moves_s_by_no_more_than_is_proved(length):
    """The largest change found by search: S moves by 1 in Frobenius norm, or by √2 if replaced."""
    rng, added, replaced = np.random.default_rng(3), 0.0, 0.0
    base = rng.uniform(-1, 1, (6, 3))
    recipe = replace(UNIT, row_length=length)
    before = prepare(file_of(base), recipe, "t").moment
    for _ in range(60):
        x = np.clip(rng.standard_normal(3) * 10.0 ** rng.integers(-3, 3), -1, 1)
        more = prepare(file_of(np.vstack([base, x])), recipe, "t").moment
        other = prepare(file_of(np.vstack([x, base[1:]])), recipe, "t").moment
        added = max(added, float(np.linalg.norm(more - before)))
        replaced = max(replaced, float(np.linalg.norm(other - before)))
    assert added <= 1 + 1e-12
    assert replaced <= sqrt(2) + 1e-12
    if length is RowLength.ONE:
        assert added == pytest.approx(1)
        assert replaced > 1.3


def test_the_mean_is_paid_for_rows_at_most_1_and_length_comes_after_it():
    """The mean of rows made of length 1 before it would be right as well; of raw rows unbounded."""
    rows = np.random.default_rng(4).uniform([-0.6, -1, -1], [1.4, 1, 1], (80, 3))
    recipe = replace(UNIT, scaling=Scaling.PRIVATE_MEAN, mean_share=0.5)
    data = prepare(file_of(rows), recipe, "t")
    inside = to_ball(np.clip(rows, -1, 1), sqrt(3)).values
    assert data.rows == pytest.approx(inside)
    assert float(np.linalg.norm(data.rows, axis=1).max()) <= 1 + 1e-12
    exact = data.problem(1, None, Budget(1e6, 1e-3), seed=1)
    centred = inside - inside.mean(axis=0)
    unit = to_length_one(centred)
    assert exact.moment == pytest.approx(unit.T @ unit, abs=1e-2)
    assert exact.true_problem.moment == pytest.approx(unit.T @ unit)
    short = to_ball(centred).values
    assert data.reference == pytest.approx(short.T @ short)


def test_what_length_1_costs_before_any_noise_is_where_curves_end():
    """At a huge ε releases keep .9977 of what PCA of rows at most R keeps, whatever the way."""
    data = unit_rows(CATALOGUE["rand"].make())
    found = without_noise(data.problem(2))
    assert found.captured == pytest.approx(0.9977, abs=5e-5)
    assert found.sin_theta == pytest.approx(0, abs=1e-12)
    table = sweep(["gaussian", "ppca"], data, epsilon=[1e4], delta=1e-6, k=2, trials=3)
    assert table.captured.to_numpy() == pytest.approx(np.full(6, 0.9977), abs=2e-3)


def test_captured_is_a_share_of_rows_at_most_r():
    data = CATALOGUE["rand"].make()
    problem = unit_rows(data).problem(3)
    bases = np.linalg.qr(np.random.default_rng(6).standard_normal((5, data.d, 3)))[0]
    found, plain = quality(problem, bases), quality(data.problem(3), bases)
    assert found.captured == pytest.approx(plain.captured)
    assert found.captured_of_all == pytest.approx(plain.captured_of_all)
    own = Problem(problem.moment, problem.n, 3)
    assert found.sin_theta == pytest.approx(quality(own, bases).sin_theta)
    assert random_baseline(problem) == pytest.approx(random_baseline(data.problem(3)))


@pytest.fixture(scope="module")
def clinic():
    return Upload("clinic.csv", clinic_csv())


@pytest.fixture(scope="module")
def recipe(clinic):
    """What the codebook says, for the columns that the table has."""
    header = clinic.content.partition(b"\n")[0].decode().strip().split(",")
    entries = read_codebook("codebook.csv", codebook_csv()).entries
    known = [entry for entry in entries if entry.name in header]
    return Recipe(
        tuple(
            Number(e.name, float(e.low), float(e.high), float(e.typical), e.unit, e.missing)
            for e in known
            if e.use is EntryUse.NUMBER
        ),
        tuple(Category(e.name, e.values, e.missing) for e in known if e.use is EntryUse.CATEGORY),
        person=("patient_id",),
        row_length=RowLength.ONE,
        category_coding=CategoryCoding.CENTRED,
        bounds_are_public=True,
    )


def test_typical_values_leave_differences_between_patients_and_middles_the_mean(clinic, recipe):
    """With the middles of ranges, direction 1 of the made-up clinic is its mean."""
    data = prepare(clinic, recipe, "t", Reading.TOTAL)
    assert (data.people, data.d) == (900, 19)
    assert max(offset_shares(data, 3)) < 0.15
    assert without_noise(data.problem(4)).captured > 0.999
    middles = replace(
        recipe,
        numbers=tuple(replace(column, typical=None) for column in recipe.numbers),
        category_coding=CategoryCoding.INDICATORS,
        row_length=RowLength.AT_MOST_R,
    )
    assert offset_shares(prepare(clinic, middles, "t", Reading.TOTAL), 1)[0] > 0.95


def test_a_direction_with_little_in_it_has_a_share_and_one_with_nothing_has_none():
    rows = np.array([[sign, 1e-9, 0.0] for sign in (0.5, -0.5)] * 20)
    data = Dataset("", "x", "x", rows, ("a", "b", "c"))
    np.testing.assert_allclose(offset_shares(data, 2), [0, 1], atol=1e-12)
    nothing = Dataset("", "x", "x", rows * [1, 0, 0], ("a", "b", "c"))
    assert np.isnan(offset_shares(nothing, 2)[1])
