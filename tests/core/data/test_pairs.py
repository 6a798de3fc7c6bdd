"""Differences of pairs: one person moves one row, whatever the order of the file."""

from collections import Counter
from dataclasses import replace
from math import sqrt

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, PrivatePCA
from dpca_core.analysis.choose_k import draw_k
from dpca_core.data.dataset import Dataset
from dpca_core.data.pair_differences import matching, pair_rows, problem_of_pairs
from dpca_core.data.recipe import Category, Number, Recipe, RowLength
from dpca_core.metrics import sin_theta, without_noise
from dpca_core.tables.prepare import prepare

REPLACE = Budget(1.0, 1e-6, Adjacency.REPLACE_ONE)


class Order:
    """Stands for a generator: one order, of people by their number."""

    def __init__(self, order):
        self.order = np.array(order)

    def permutation(self, n):
        assert n == len(self.order)
        return self.order


def moment(rows, order):
    units = pair_rows(rows, Order(order))
    return units.T @ units


def test_one_person_replaced_moves_one_row_in_every_matching():
    """Frobenius √2 and nuclear norm 2, of files that are each sorted in their own way, odd or even.

    The same people are compared in both: a matching of persons, wherever they stand.
    """
    rng, largest = np.random.default_rng(0), 0.0
    for trial in range(600):
        n = 2 + trial % 6
        rows = rng.standard_normal((n, 3)) ** 5
        rows[rng.random(n) < 0.2] = np.nan
        other = rows.copy()
        other[rng.integers(n)] = rng.choice([np.nan, np.inf, 1e300, 0, 1]) * rng.standard_normal(3)
        places = [np.lexsort(table.T) for table in (rows, other)]
        where = [np.argsort(place) for place in places]
        for people in [rng.permutation(n) for _ in range(4)]:
            found = [
                moment(table[place], at[people])
                for table, place, at in zip((rows, other), places, where, strict=True)
            ]
            values = np.linalg.eigvalsh(found[0] - found[1])
            assert np.linalg.norm(values) <= sqrt(2) * (1 + 1e-12)
            assert np.abs(values).sum() <= 2 * (1 + 1e-12)
            largest = max(largest, np.linalg.norm(values))
    assert largest > 1.4, "attained"


@pytest.mark.chance(2e-6)
@pytest.mark.parametrize("rng", [None, np.random.default_rng(1)])
@pytest.mark.parametrize(("n", "matchings"), [(4, 3), (5, 15)])
def test_each_matching_is_as_likely_as_another(rng, n, matchings):
    """χ² at 5·10⁻⁷: the three of four people, and the fifteen of five, one of whom has no pair."""
    drawn = (matching(n, rng) for _ in range(3000))
    found = Counter(frozenset(frozenset(pair) for pair in two.T.tolist()) for two in drawn)
    assert len(found) == matchings
    assert chisquare(list(found.values())).pvalue > 5e-7


def test_rows_have_length_1_or_0_and_a_missing_coordinate_is_0():
    table = np.array(
        [[np.nan, 1.0, 5.0], [2.0, 1.0, 1.0], [1.7e308, 0, 0], [-1.7e308, 0, 0],
         [np.inf, 0, 0], [1, 1, 1], [7, 7, 7], [7, 7, 7], [np.nan] * 3, [1, 2, 3]]
    )  # fmt: skip
    order = np.arange(10).reshape(5, 2).T.ravel()
    units = pair_rows(table, Order(order))
    np.testing.assert_array_equal(units, [[0, 0, 1], [1, 0, 0], [0] * 3, [0] * 3, [0] * 3])
    assert pair_rows(table[:1]).shape == (0, 3)


def test_mechanisms_run_on_pairs_where_a_person_is_replaced_and_no_local_one():
    rows = np.random.default_rng(2).standard_normal((301, 5)) * [9, 6, 1, 1, 1] + 1000
    problem = problem_of_pairs(rows, 2, np.random.default_rng(0))
    assert (problem.n, problem.rows.shape) == (301, (150, 5))
    with pytest.raises(ValueError, match=r"^Rows must be a table of real numbers\.$"):
        problem_of_pairs([["7", "Anna"]], 1)
    for mechanism in MECHANISMS.values():
        for scaled in (problem.with_k(1), problem.scaled(1e4)):
            with pytest.raises(InfeasibleBudget, match=r"one is replaced|no curator"):
                mechanism.calibrate(scaled, replace(REPLACE, adjacency=Adjacency.ADD_OR_REMOVE_ONE))
        if mechanism.local:
            with pytest.raises(InfeasibleBudget, match="no curator"):
                mechanism.release(problem, REPLACE, 0)
    assert MECHANISMS["second_look"].release(problem, REPLACE, 0).bases.shape == (1, 5, 2)


def private(**settings):
    return PrivatePCA(2, **{"adjacency": "replace_one", "pairs": True, **settings})


def test_an_estimator_of_pairs_needs_no_bound_and_no_center():
    """Rows far from 0, with tails beyond any bound: the first columns vary most."""
    spread = np.array([20.0, 9, 1, 1, 1])
    rows = np.random.default_rng(0).standard_t(1.5, (3000, 5)) * spread + 1e6
    fitted = private(epsilon=4.0).fit(rows)
    assert sin_theta(fitted.components_.T, np.eye(5, 2)) < 0.2
    assert fitted.privacy_.source.endswith("of pairs, docs/pairs.md")
    assert not fitted.privacy_.exact
    assert not hasattr(fitted, "explained_variance_")
    for settings, words in (
        ({"adjacency": "add_or_remove_one"}, "one is replaced"),
        ({"mechanism": "local_gaussian"}, "no curator"),
        ({"row_norm": 2.0}, "no row_norm or center"),
        ({"center": np.zeros(5)}, "no row_norm or center"),
    ):
        with pytest.raises(ValueError, match=words):
            private(**settings).fit(rows)


def clinic(**more):
    cells = {"a": [0, 5, None, 10, 3, 8], "b": [*"xyzxy?"], "who": [*"123456"]}
    recipe = Recipe(
        (Number("a", 0, 10),), (Category("b", ("x", "y", "z")),), row_length=RowLength.AT_MOST_R
    )
    return prepare(pd.DataFrame(cells), replace(recipe, **more), "clinic", pairs=True)


def test_a_table_in_pairs_knows_what_is_missing():
    data = clinic()
    expected = [[0, 0, 0, 0], [0] * 4, [1, 0, 0, 0], [0] * 4, [0] * 4, [0, 1, 1, 1]]
    np.testing.assert_array_equal(data.gaps, expected)
    assert len(data.problem(1, seed=4).rows) == 3
    with pytest.raises(ValueError, match="one row of each person"):
        clinic(person=("who",))
    with pytest.raises(ValueError, match="no length 1 before"):
        clinic(row_length=RowLength.ONE)


def test_pairs_of_a_data_set_are_judged_by_the_rows_less_their_mean():
    """Each seed has a matching of its own, shared by every ε; a sum has no pairs."""
    rows = np.random.default_rng(0).standard_normal((400, 4)) * [0.1, 0.05, 0.01, 0.01] + 0.3
    data = Dataset("", "x", rows, ("a", "b", "c", "d"))
    pairs = data.in_pairs
    assert pairs.identity != data.identity
    one, other = pairs.problem(2, seed=1), pairs.problem(2, seed=2)
    assert not np.allclose(one.moment, other.moment)
    assert pairs.problem(2, 800.0, REPLACE, 1).moment == pytest.approx(2 * one.moment)
    centred = rows - rows.mean(axis=0)
    np.testing.assert_allclose(one.reference.moment, centred.T @ centred)
    assert np.trace(one.truth.moment) == pytest.approx(200)
    assert 0.99 < without_noise(one).captured <= 1
    with pytest.raises(InfeasibleBudget, match="one is replaced"):
        draw_k(pairs, 1.0, 3, Adjacency.ADD_OR_REMOVE_ONE)
    assert draw_k(pairs, 1e6, 3, Adjacency.REPLACE_ONE) in (1, 2)
    with pytest.raises(ValueError, match="only sums of these are kept"):
        _ = replace(data, summed=rows.T @ rows).in_pairs
