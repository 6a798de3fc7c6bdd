"""The laws of exact noise against closed forms, from bits that repeat.

Each p-value fails by chance in one stream of bits of ten million. What would be found nevertheless,
in 99 of 100 streams, stands beside the number of draws (of chi-square tests by the noncentral law).
"""

from math import erf, exp, sqrt

import numpy as np
import pytest
from scipy.stats import chisquare, gamma, kstest

from dpca_core.release.exact_decisions import PREFIX
from dpca_core.release.exact_noise import (
    gaussian_matrix,
    laplace_matrix,
    laplace_vector,
    rounded_gaussian,
    wishart_difference,
    wrapped,
    wrapped_sum,
)
from tests.cases import sampled
from tests.core.release.cases import repeating_bits

LEAST = 1e-7
MANY, FEW = 400_000, 20_000
"""Draws where floats decide nearly all, and with short prefixes, where whole numbers often do."""
LONG = "other scales, and prefixes at which up to a third of all decisions need more digits"


def p_value(values: np.ndarray, chances: dict[int, float]) -> float:
    """Return the p-value of counts of whole numbers; the rare ones are put together."""
    common = {z: p for z, p in chances.items() if p * len(values) >= 10}
    seen = np.array([np.count_nonzero(values == z) for z in common])
    expected = np.array([p * len(values) for p in common.values()])
    seen = np.append(seen, len(values) - seen.sum())
    expected = np.append(expected, len(values) - expected.sum())
    if expected[-1] < 5:
        seen, expected = seen[:-1], expected[:-1] * seen[:-1].sum() / expected[:-1].sum()
    return float(chisquare(seen, expected).pvalue)


@pytest.mark.chance(LEAST)
@pytest.mark.parametrize(
    ("scale", "prefix"), sampled([(1, PREFIX), (7, PREFIX), (3, 2), (3, 4)], 4, LONG)
)
def test_rounded_gaussian_noise_has_the_chances_of_intervals(scale, prefix):
    """A scale 2 % off is found, with short prefixes 6 %."""
    values = rounded_gaussian(scale, MANY if prefix == PREFIX else FEW, repeating_bits(21), prefix)
    ends = [erf((z - 0.5) / scale / sqrt(2)) / 2 for z in range(-6 * scale, 6 * scale + 2)]
    chances = dict(enumerate(np.diff(ends), start=-6 * scale))
    assert p_value(values, chances) > LEAST


@pytest.mark.chance(2 * LEAST)
def test_rounded_gaussian_noise_of_a_release_is_normal_to_its_last_bits():
    """At a = 2³⁶ a scale 3 % off is found, and a last bit that sticks once in 30 draws."""
    values = rounded_gaussian(2**36, MANY, repeating_bits(22))
    assert kstest(values / 2**36, "norm").pvalue > LEAST
    assert p_value(values & 63, dict.fromkeys(range(64), 1 / 64)) > LEAST


@pytest.mark.chance(LEAST)
@pytest.mark.parametrize(
    ("w", "prefix"), sampled([(1, PREFIX), (5, PREFIX), (30, PREFIX), (2, 2), (5, 4)], 5, LONG)
)
def test_discrete_laplace_noise_has_its_chances(w, prefix):
    """A scale 3 % off is found (10 % with short prefixes), and a zero that comes twice as often."""
    values = laplace_vector(w, MANY if prefix == PREFIX else FEW, repeating_bits(23), prefix)
    q = exp(-1 / w)
    chances = {z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-30 * w, 30 * w + 1)}
    assert p_value(values, chances) > LEAST


@pytest.mark.chance(LEAST)
def test_a_difference_of_wisharts_in_one_column_is_laplace_noise():
    """x₁² + x₂² − x₃² − x₄² is Laplace of scale 2: a scale 10 % off is found."""
    bits, n = repeating_bits(24), 6000
    total = sum(abs(int(wishart_difference(2**30, 1, bits)[0, 0])) for _ in range(n))
    # Sizes over their scale are exponential, so that their sum is of gamma's law.
    below = gamma.cdf(total / 2**31, n)
    assert 2 * min(below, 1 - below) > LEAST


def test_matrices_are_symmetric_and_their_diagonal_has_a_scale_of_its_own():
    """By chance less often than once in 10¹⁰ streams."""
    noise = gaussian_matrix(1, 2**60, 30, repeating_bits(27))
    assert (noise == noise.T).all()
    assert np.abs(noise[np.triu_indices(30, 1)]).max() < 10
    assert np.abs(np.diag(noise)).min() > 2**20
    laplace = laplace_matrix(5, 30, repeating_bits(28))
    assert (laplace == laplace.T).all()
    assert len(np.unique(laplace)) > 10


def test_what_does_not_fit_64_bits_is_taken_modulo_without_a_word():
    values = np.array([2**63, -(2**63) - 1, 2**64 + 5, 3 * 2**70 - 7], dtype=object)
    np.testing.assert_array_equal(wrapped(values), [-(2**63), 2**63 - 1, 5, -7])
    near = np.array([2**63 - 1, -(2**63)])
    total = wrapped_sum(near, np.array([1, -1]))
    np.testing.assert_array_equal(total, [-(2**63), 2**63 - 1])
    np.testing.assert_array_equal(wrapped_sum(total, np.array([-1, 1])), near)
