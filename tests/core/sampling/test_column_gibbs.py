"""Gibbs sampling without eigenvectors of what is left against that with them."""

from itertools import islice

import numpy as np
import pytest

from dpca_core.mechanisms import ppca_gibbs
from dpca_core.mechanisms.exponential import WIDE_COLUMNS
from dpca_core.mechanisms.ppca_gibbs import gibbs
from dpca_core.sampling.column_gibbs import sweeps_beside


def generators(count):
    return [np.random.default_rng(seed) for seed in range(count)]


@pytest.mark.parametrize("k", [1, 3])
def test_the_mechanism_draws_so_on_wide_tables(k):
    weights, start = np.linspace(40, 0, WIDE_COLUMNS), np.eye(WIDE_COLUMNS)[:, :k]
    frames, scores = gibbs(weights, np.stack([start] * 2), 3, generators(2))
    for frame, score, rng in zip(frames, scores, generators(2), strict=True):
        chain = [sweep.copy() for sweep in islice(sweeps_beside(weights, start, rng), 3)]
        np.testing.assert_array_equal(frame, chain[-1])
        assert score == pytest.approx([(np.square(f).T @ weights).sum() for f in chain])
    narrow, few = weights[1:], start[:-1]
    eigen = gibbs(narrow, few[None], 3, generators(1))[0][0]
    other = next(islice(sweeps_beside(narrow, few, *generators(1)), 2, None))
    assert not np.allclose(eigen, other), "and otherwise on others"


@pytest.mark.parametrize("k", [1, 4])
def test_each_chain_has_its_own_start_and_generator(k, monkeypatch):
    """However many run together, and whichever: a chain is what it is alone."""
    weights = np.array([9.0, 7, 4, 3, 1, 0])
    starts = np.linalg.qr(np.random.default_rng(7).standard_normal((5, 6, k)))[0]
    monkeypatch.setattr(ppca_gibbs, "ENTRIES_AT_ONCE", 3 * 36)
    frames, scores = gibbs(weights, starts, 4, generators(5))
    for i, rng in enumerate(generators(5)):
        alone = gibbs(weights, starts[[i]], 4, [rng])
        np.testing.assert_allclose(frames[i], alone[0][0], rtol=0, atol=1e-10)
        assert scores[i] == pytest.approx(alone[1][0])
    assert frames.swapaxes(1, 2) @ frames == pytest.approx(np.stack([np.eye(k)] * 5), abs=1e-12)


@pytest.mark.chance(1e-7)
def test_chains_capture_what_the_mechanisms_do():
    """Scores of 40 chains after 10 sweeps each; six errors of few chains: Student's t."""
    weights, k = np.array([30.0, 22, 15, 9, 4, 2, 1, 0]), 3
    start = np.eye(8)[:, :k]
    found = np.empty((2, 40))
    for i, rng in enumerate(generators(40)):
        frame = next(islice(sweeps_beside(weights, start, rng), 9, None))
        assert frame.T @ frame == pytest.approx(np.eye(k), abs=1e-9)
        found[0, i] = (np.square(frame).T @ weights).sum()
    rngs = [np.random.default_rng(1000 + i) for i in range(40)]
    found[1] = gibbs(weights, np.stack([start] * 40), 10, rngs)[1][:, -1]
    error = np.sqrt(found.var(axis=1).sum() / 40)
    assert abs(found[0].mean() - found[1].mean()) < 6 * error
