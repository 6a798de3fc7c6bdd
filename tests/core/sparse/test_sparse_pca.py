"""A path of penalties, the choice of one, and columns that are found again."""

import numpy as np
import pytest

from dpca_core.linalg.symmetric import top_basis
from dpca_core.sparse.fantope import objective, solve
from dpca_core.sparse.sparse_pca import for_support, recovery, sparse_path, support
from tests.core.sparse.matrices import spiked, symmetric


def test_a_path_is_what_each_penalty_gives_in_fewer_iterations():
    moment, _ = spiked()
    penalties = np.geomspace(1, 0.1, 30) * np.abs(moment - np.diag(np.diag(moment))).max()
    path = sparse_path(moment, 3, penalties)
    alone = [solve(moment, 3, float(penalty)) for penalty in penalties]
    for warm, cold, penalty in zip(path, alone, penalties, strict=True):
        assert warm.converged
        best = objective(moment, warm.feasible, penalty)
        assert best == pytest.approx(objective(moment, cold.feasible, penalty), rel=5e-3)
    assert sum(s.iterations for s in path) < sum(s.iterations for s in alone)
    used = [support(top_basis(s.sparse, 3)).sum() for s in path]
    assert used[0] == 3
    assert used[-1] > used[0]


def test_a_path_through_no_penalty_begins_anew():
    moment = symmetric(8, 1)
    path = sparse_path(moment, 2, [0.2, 0.0, 0.2])
    np.testing.assert_array_equal(path[2].feasible, path[0].feasible)


def test_a_path_can_be_stopped():
    shares = []

    def progress(share):
        shares.append(share)
        return share < 0.5

    assert len(sparse_path(symmetric(8, 1), 2, [0.3, 0.2, 0.1, 0.05], on_progress=progress)) == 2
    assert shares == [0.25, 0.5]


@pytest.mark.parametrize("columns", [3, 5, 8, 12, 30])
def test_as_many_columns_as_asked_for(columns):
    moment, drawn = spiked()
    found = for_support(moment, 3, columns)
    assert found.support.sum() <= columns
    assert found.support.sum() >= min(columns, 8) - 1
    np.testing.assert_array_equal(found.support, support(found.basis))
    if columns == 8:
        assert recovery(found.support, drawn.support) == (1, 1)


@pytest.mark.parametrize("columns", [2, 31])
def test_columns_that_cannot_be(columns):
    with pytest.raises(ValueError, match=rf"columns used must be 3 to 30, not {columns}\."):
        for_support(spiked()[0], 3, columns)


def test_the_choice_of_a_penalty_can_be_stopped():
    shares = []

    def stop(share):
        shares.append(share)
        return False

    found = for_support(spiked()[0], 3, 8, on_progress=stop)
    assert len(shares) == 1
    assert 3 <= found.support.sum() <= 8


def test_recovery_counts():
    named, there = np.array([True, True, True, False, False]), np.array([True, False] * 2 + [True])
    assert recovery(named, there) == (2 / 3, 2 / 3)
    nothing = np.zeros(5, dtype=bool)
    assert recovery(nothing, there) == (1, 0)
    assert recovery(named, nothing) == (0, 1)


def test_a_column_counts_from_a_hundredth_on():
    basis = np.array([[[1.0, 0], [0, 1], [0.02, 0], [0.005, 0.005]]])
    np.testing.assert_array_equal(support(basis), [[True, True, True, False]])
    np.testing.assert_array_equal(support(basis, 0.05), [[True, True, False, False]])
