"""Draws of density e^(−‖E‖_*): every one by the density of the law, in either way of drawing."""

from math import log

import numpy as np
import pytest
from scipy.stats import gamma

from dpca_core.sampling.nuclear_norm import eigenvalues, nuclear_norm
from tests.cases import sampled
from tests.core.sampling.laws import assert_law
from tests.references.eigenvalues import eigenvalues as random_walk


@pytest.mark.parametrize(
    ("d", "draws", "constant"),
    [(1, 9, 2), (2, 40, 6), (3, 40, 42), (5, 30, 78_570), (20, 8, None), (100, 2, None)],
)
def test_each_draw_has_the_density_of_the_law(d, draws, constant):
    """The product of what its eigenvalues were drawn by; ∫∏|x_i − x_j|·e^(−Σ|x_i|) by hand."""
    rng, above = np.random.default_rng(1), np.triu_indices(d, 1)
    found = []
    for _ in range(draws):
        x, drawn = eigenvalues(d, rng)
        found.append(np.log(np.abs(x[:, None] - x)[above]).sum() - np.abs(x).sum() - drawn)
    expected = np.mean(found) if constant is None else log(constant)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)


@pytest.mark.chance(6e-8)
@pytest.mark.parametrize("d", sampled([2, 3, 4, 5, 6], 3, "thousands of draws one by one"))
def test_both_ways_and_a_random_walk_have_one_law(d):
    """The norm is a Gamma variable of d(d + 1)/2; the largest eigenvalue is that of the walk."""
    rng = np.random.default_rng(d)
    in_turn = np.array([eigenvalues(d, rng)[0] for _ in range(1_500)])
    rejected = np.linalg.eigvalsh(nuclear_norm(d, rng, 20_000))
    walked = random_walk(d, lambda x: -np.abs(x), d / 2, 60 * d, rng, 3_000)
    for found in (in_turn, rejected):
        assert_law(np.abs(found).sum(axis=1), gamma(d * (d + 1) / 2).cdf)
        assert_law(found.max(axis=1), walked.max(axis=1))
        assert_law(
            (found > 0).sum(axis=1) + rng.random(len(found)),
            (walked > 0).sum(axis=1) + rng.random(3_000),
        )
