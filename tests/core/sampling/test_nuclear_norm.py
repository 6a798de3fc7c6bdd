"""Draws of density e^(−‖E‖_*): every one by the density of the law, in either way of drawing."""

from math import log

import numpy as np
import pytest
from scipy.stats import gamma

from dpca_core.sampling.nuclear_norm import eigenvalues, nuclear_norm, unit_nuclear_std
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


class Ends:
    """Stands for a generator: the first rank of all, or the last, at one of the eigenvalues."""

    def __init__(self, rank, at):
        self.ranks, self.rng = [0.5] * at + [rank], np.random.default_rng(0)

    def random(self):
        return self.ranks.pop(0) if self.ranks else self.rng.random()


@pytest.mark.parametrize(("d", "at"), [(2, 0), (7, 1), (20, 0), (20, 1)])
def test_a_rank_at_the_end_of_a_panel_is_drawn_again(d, at):
    for rank in (0.0, 1 - 2**-53):
        assert np.isfinite(eigenvalues(d, Ends(rank, at))[0]).all()


@pytest.mark.chance(6e-8)
@pytest.mark.parametrize("d", sampled([2, 3, 4, 5, 6], 3, "thousands of draws one by one"))
def test_both_ways_and_a_random_walk_have_one_law(d):
    """The norm is a Gamma variable of d(d + 1)/2; the largest eigenvalue is that of the walk."""
    rng = np.random.default_rng(d)
    in_turn = np.array([eigenvalues(d, rng)[0] for _ in range(1_500)])
    rejected = np.linalg.eigvalsh(nuclear_norm(d, rng, 20_000))
    walked = random_walk(d, lambda x: -np.abs(x), d / 2, 150 * d, rng, 3_000)
    for found in (in_turn, rejected):
        assert_law(np.abs(found).sum(axis=1), gamma(d * (d + 1) / 2).cdf)
        assert_law(found.max(axis=1), walked.max(axis=1))
        assert_law(
            (found > 0).sum(axis=1) + rng.random(len(found)),
            (walked > 0).sum(axis=1) + rng.random(3_000),
        )


@pytest.mark.parametrize(
    ("d", "ratio"),
    [(2, 0.962), (3, 0.945), (4, 0.936), (5, 0.930), (6, 0.926), (10, 0.918), (100, 0.908)],
)
def test_its_size_beside_a_difference_of_wisharts(d, ratio):
    """Root mean squares at the same ε; at d = 2 the variances are 35/12 and 5/4."""
    diagonal, beside = unit_nuclear_std(d)
    if d == 2:
        assert (diagonal**2, beside**2) == pytest.approx((35 / 12, 5 / 4), rel=1e-12)
    size = d * diagonal**2 + d * (d - 1) * beside**2
    assert (size / (d * (d + 1) ** 2 / 2)) ** 0.5 == pytest.approx(ratio, abs=5e-4)
