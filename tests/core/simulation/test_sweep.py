"""A sweep: a tidy table whose rows depend on nothing but their own settings."""

from importlib import import_module

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Standing
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.bartlett_wishart import Wishart
from dpca_core.metrics import quality
from dpca_core.simulation.sweep import sweep
from dpca_core.simulation.trials import trial_generator
from tests.core.mechanisms.every_mechanism import EVERY, PROBLEM

sweeps = import_module("dpca_core.simulation.sweep")
COLUMNS = """
mechanism standing epsilon delta n k trial captured captured_of_all sin_theta refused note"""
LAPLACE = MECHANISMS["laplace"]
DATA = Dataset("x", "x", np.eye(5)[[0, 0, 1, 2, 3]], tuple("abcde"))


def assert_rows_are_releases(table, seed, adjacency=Adjacency.ADD_OR_REMOVE_ONE):
    """Row t is the release of stream t, whatever else is asked for, to rounding of two solvers."""
    for row in table.itertuples():
        problem = PROBLEM.with_k(row.k).scaled(row.n)
        stream = trial_generator(seed, row.mechanism, row.trial)
        budget = Budget(row.epsilon, row.delta, adjacency)
        release = MECHANISMS[row.mechanism].release(problem, budget, stream)
        expected = [*(x[0] for x in quality(problem, release.bases)), release.refused[0]]
        found = row.captured, row.captured_of_all, row.sin_theta, row.refused
        np.testing.assert_allclose(found, np.array(expected, float), rtol=1e-6, atol=1e-8)


@EVERY
def test_a_sweep_is_a_tidy_table_of_releases(mechanism):
    table = sweep([mechanism.key], PROBLEM, epsilon=[0.4, 0.8], delta=1e-3, trials=3, seed=9)
    assert list(table) == COLUMNS.split()
    assert table[["epsilon", "trial"]].to_numpy().tolist() == [
        [epsilon, trial] for epsilon in (0.4, 0.8) for trial in range(3)
    ]
    assert set(table.standing) <= set(Standing)
    assert (table.note == "").all()
    assert_rows_are_releases(table, 9)


@pytest.mark.parametrize(
    ("axis", "values"),
    [("epsilon", [0.5, 2]), ("delta", [1e-6, 1e-3]), ("n", [500, 4000]), ("k", [1, 3])],
)
def test_every_axis(axis, values):
    fixed = {"epsilon": 2.0, "delta": 1e-3} | {axis: values}
    replace = Adjacency.REPLACE_ONE
    table = sweep(["gaussian", LAPLACE], PROBLEM, trials=4, seed=2, adjacency=replace, **fixed)
    assert list(table.mechanism.unique()) == ["gaussian", "laplace"]
    assert list(table[axis].unique()) == values
    assert_rows_are_releases(table, 2, replace)


def test_every_trial_of_every_mechanism_and_seed_has_its_own_stream():
    streams = [trial_generator(s, key, t) for s in (0, 1) for key in MECHANISMS for t in range(50)]
    assert len({stream.random() for stream in streams}) == len(streams)


def test_an_infeasible_budget_becomes_rows_with_a_note():
    table = sweep(["gaussian", "laplace"], PROBLEM, epsilon=1.0, delta=[0.0, 1e-3], trials=2)
    missing = (table.mechanism == "gaussian") & (table.delta == 0)
    metrics = table[["captured", "captured_of_all", "sin_theta"]]
    assert table.note.str.contains("δ > 0").eq(missing).all()
    assert (table.note == "").eq(~missing).all()
    assert (table.standing == "").eq(missing).all()
    assert metrics.isna().eq(missing, axis=0).all(axis=None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epsilon": 1.0}, r"Exactly one of .* must be a sequence, not none\."),
        ({"trials": 0}, r"at least one trial, not 0\."),
        ({"mechanisms": "gaussian"}, r"must be a list, such as \['gaussian'\]"),
        ({"mechanisms": ["laplas"]}, "no mechanism 'laplas': did you mean 'laplace'"),
        ({"mechanisms": [Wishart(scale=s) for s in (0.05, 20.0)]}, "wishart would stand for two"),
        ({"problem": np.eye(5)}, "a problem, not rows: Problem.from_rows"),
        ({"problem": DATA}, "how many directions k a data set is asked for"),
    ],
)
def test_bad_sweeps(arguments, message):
    """Budgets and problems that are none: test_problem.py."""
    usual = {"mechanisms": ["laplace"], "problem": PROBLEM, "epsilon": [1.0], "delta": 0}
    with pytest.raises(ValueError, match=message):
        sweep(**(usual | arguments))
