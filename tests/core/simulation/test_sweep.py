"""A sweep: a tidy table whose rows depend on nothing but their own settings."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Standing
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.bartlett_wishart import Wishart
from dpca_core.metrics import quality
from dpca_core.simulation.draws import trial_generator
from dpca_core.simulation.sweep import sweep
from tests.core.mechanisms.every_mechanism import EVERY, PROBLEM

sweeps = import_module("dpca_core.simulation.sweep")
COLUMNS = """
mechanism standing epsilon delta n k trial captured captured_of_all sin_theta refused note"""


def test_a_sweep_is_a_tidy_table():
    table = sweep(list(MECHANISMS), PROBLEM, epsilon=[0.5, 0.9], delta=1e-3, trials=3, seed=1)
    assert list(table) == COLUMNS.split()
    assert len(table) == len(MECHANISMS) * 2 * 3
    assert table.groupby(["mechanism", "epsilon"], sort=False).size().eq(3).all()
    assert list(table.mechanism.unique()) == list(MECHANISMS)
    assert set(table.standing) <= set(Standing)
    assert (table.note == "").all()


@EVERY
def test_row_t_is_the_release_of_stream_t(mechanism):
    """Within rounding of two ways to eigenvectors."""
    table = sweep([mechanism.key], PROBLEM, epsilon=[0.4, 0.8], delta=1e-3, trials=3, seed=9)
    for row in table.itertuples():
        stream = trial_generator(9, mechanism.key, row.trial)
        release = mechanism.release(PROBLEM, Budget(row.epsilon, 1e-3), stream)
        captured, of_all, sine = (float(x[0]) for x in quality(PROBLEM, release.bases))
        assert row.refused == release.refused[0]
        np.testing.assert_allclose(row.captured, captured, rtol=1e-7)
        np.testing.assert_allclose(row.captured_of_all, of_all, rtol=1e-7)
        np.testing.assert_allclose(row.sin_theta, sine, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    ("axis", "values"),
    [("epsilon", [0.5, 2]), ("delta", [1e-6, 1e-3]), ("n", [500, 4000]), ("k", [1, 3])],
)
def test_every_axis(axis, values):
    fixed = {"epsilon": 2.0, "delta": 1e-3} | {axis: values}
    replace = Adjacency.REPLACE_ONE
    table = sweep(["gaussian", "laplace"], PROBLEM, trials=4, seed=2, adjacency=replace, **fixed)
    assert list(table[axis].unique()) == values
    for row in table.itertuples():
        problem = PROBLEM.with_k(row.k).scaled(row.n)
        stream = trial_generator(2, row.mechanism, row.trial)
        budget = Budget(row.epsilon, row.delta, replace)
        release = MECHANISMS[row.mechanism].release(problem, budget, stream)
        expected = quality(problem, release.bases).captured[0]
        assert row.captured == pytest.approx(expected, rel=1e-7)


def test_other_mechanisms_trials_and_points_change_nothing():
    def numbers(mechanisms, epsilons, trials, seed=3):
        table = sweep(mechanisms, PROBLEM, epsilon=epsilons, delta=1e-3, trials=trials, seed=seed)
        keep = (table.mechanism == "gaussian") & (table.epsilon == 0.4) & (table.trial < 3)
        return table[keep].captured.to_numpy()

    alone = numbers(["gaussian"], [0.4], 3)
    assert len(set(alone)) == 3
    streams = [trial_generator(s, key, t) for s in (0, 1) for key in MECHANISMS for t in range(50)]
    assert len({stream.random() for stream in streams}) == len(streams)
    for other in (
        numbers(["laplace", "gaussian", "random_projection"], [0.4], 3),
        numbers(["gaussian"], [7.0, 0.4, 0.01], 3),
        numbers([MECHANISMS["gaussian"]], [0.4], 8),
    ):
        np.testing.assert_allclose(other, alone, rtol=1e-7)
    assert not np.isclose(numbers(["gaussian"], [0.4], 3, seed=4), alone).any()


def test_an_infeasible_budget_becomes_rows_with_a_note():
    table = sweep(["gaussian", "laplace"], PROBLEM, epsilon=1.0, delta=[0.0, 1e-3], trials=2)
    gap = table[(table.mechanism == "gaussian") & (table.delta == 0)]
    assert len(gap) == 2
    assert gap.note.str.contains("δ > 0").all()
    assert gap[["captured", "captured_of_all", "sin_theta"]].isna().all(axis=None)
    assert (gap.standing == "").all()
    rest = table.drop(gap.index)
    assert (rest.note == "").all()
    assert rest.captured.notna().all()


def test_progress_is_reported_and_can_stop():
    def run(on_progress):
        settings = {"epsilon": [0.3, 1.0, 3.0, 10.0], "delta": 1e-3, "trials": 1}
        return sweep(["gaussian", "laplace"], PROBLEM, on_progress=on_progress, **settings)

    shares, seen = [], []
    table = run(shares.append)
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] == 1.0
    part = run(lambda share: seen.append(share) or share < 0.5)
    assert len(part) == round(seen[-1] * len(table)) < len(table) == 8
    np.testing.assert_allclose(part.captured, table.captured[: len(part)])


def test_a_wide_table_in_pieces_has_the_same_rows(monkeypatch):
    settings = {"epsilon": np.geomspace(0.1, 9, 30), "delta": 1e-3, "trials": 5}
    whole = sweep(["gaussian", "power"], PROBLEM, **settings)
    monkeypatch.setattr(sweeps, "_BLOCK_ENTRIES", 2 * PROBLEM.d**2)
    monkeypatch.setattr(sweeps, "_STEP_COST", 0)
    pieces = sweep(["gaussian", "power"], PROBLEM, **settings)
    pd.testing.assert_frame_equal(pieces, whole, rtol=1e-5)


ONE_POINT = {"epsilon": [1.0], "delta": 0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epsilon": 1.0, "delta": 1e-6}, r"Exactly one of .* must be a sequence, not none\."),
        ({"epsilon": [1.0], "delta": [1e-6]}, r"sequence, not \['epsilon', 'delta'\]\."),
        ({"epsilon": [1.0, -1.0], "delta": 0}, r"ε must be 1e-08 to 1e\+10, not -1\.0\."),
        ({"epsilon": 1.0, "delta": [1.0]}, r"δ must be 0, or 1e-30 to below 1, not 1\.0\."),
        ({"epsilon": 1.0, "delta": 0, "k": [6]}, r"k must be .* from 1 to 5, not 6\.0\."),
        ({"epsilon": 1.0, "delta": 0, "k": [1.5]}, r"k must be a whole number .* not 1\.5\."),
        ({"epsilon": 1.0, "delta": 0, "n": [0]}, r"n must be a positive number .* not 0\.0\."),
        ({"epsilon": [1.0], "delta": 0, "trials": 0}, r"at least one trial, not 0\."),
        ({"epsilon": ["1"], "delta": 0}, "epsilon must be a number or a list of numbers, not .'1'"),
        ({"epsilon": [1.0], "delta": 0, "k": "2"}, "k must be a number or a list of .*, not '2'"),
        ({**ONE_POINT, "mechanisms": "gaussian"}, r"must be a list, such as \['gaussian'\]"),
        ({**ONE_POINT, "mechanisms": MECHANISMS["ppca"]}, r"a list, such as \['ppca'\]"),
        ({**ONE_POINT, "problem": np.eye(5)}, "a problem, not rows: Problem.from_rows"),
    ],
)
def test_bad_sweeps(arguments, message):
    with pytest.raises(ValueError, match=message):
        sweep(**({"mechanisms": ["laplace"], "problem": PROBLEM} | arguments))


def test_bad_sweeps_of_a_data_set_and_of_mechanisms():
    data = Dataset("x", "x", "x", np.eye(5)[[0, 0, 1, 2, 3]], tuple("abcde"))
    for k in (1.5, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="k must be a whole number from 1 to"):
            sweep(["laplace"], data, epsilon=1.0, delta=0, k=[1, k], trials=1)
    two = [Wishart(scale=0.05), "laplace", Wishart(scale=20.0)]
    with pytest.raises(ValueError, match="wishart would stand for two curves"):
        sweep(two, PROBLEM, epsilon=[1.0], delta=1e-6)
    with pytest.raises(ValueError, match="no mechanism 'laplas': did you mean 'laplace'"):
        sweep(["laplas"], PROBLEM, epsilon=[1.0], delta=0)
