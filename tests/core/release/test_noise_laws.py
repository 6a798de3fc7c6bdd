"""The laws of exact noise against closed forms and floats. Seeds are fixed.

Each test would fail by chance for one seed in a thousand (chi-square, Kolmogorov and Smirnov, or
normal quantiles). What it would find, in 99 of 100 runs, is said beside its sample size; of
chi-square tests by the noncentral law.
"""

from math import erf, exp, sqrt

import numpy as np
import pytest
import scipy

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
from tests.core.release.repeating_bits import repeating_bits

ONE_IN_A_THOUSAND = 1e-3
MANY = 1_000_000
"""Draws where they are cheap: floats decide nearly all of them, many at a time."""
SHORT = (2, 3, 4, 6)
"""Prefixes at which up to a third of all decisions need more digits."""


def chi_square(values: np.ndarray, probability: dict[int, float]) -> float:
    """Return the p-value of counts of whole numbers; the rare ones are put together."""
    common = {z: p for z, p in probability.items() if p * len(values) >= 10}
    seen = np.array([np.count_nonzero(values == z) for z in common])
    expected = np.array([p * len(values) for p in common.values()])
    seen = np.append(seen, len(values) - seen.sum())
    expected = np.append(expected, len(values) - expected.sum())
    if expected[-1] < 5:
        seen, expected = seen[:-1], expected[:-1] * seen[:-1].sum() / expected[:-1].sum()
    return float(scipy.stats.chisquare(seen, expected).pvalue)


def normal_between(low: float, high: float) -> float:
    return (erf(high / sqrt(2)) - erf(low / sqrt(2))) / 2


@pytest.mark.parametrize(
    ("scale", "prefix"), [(1, PREFIX), (7, PREFIX), (3, 2), (3, 3), (3, 4), (3, 6)]
)
def test_rounded_gaussian_noise_has_the_chances_of_intervals(scale, prefix):
    # A million (8,000 with short prefixes, which are slow): a scale 0.7 % (6 %) off fails.
    n = MANY if prefix == PREFIX else 8_000
    values = rounded_gaussian(scale, n, repeating_bits(21), prefix)
    end = 6 * scale
    chances = {
        z: normal_between((z - 0.5) / scale, (z + 0.5) / scale) for z in range(-end, end + 1)
    }
    assert chi_square(values, chances) > ONE_IN_A_THOUSAND


def test_rounded_gaussian_noise_of_a_release_is_normal_to_its_last_bits():
    # A million at a = 2^36: a standard deviation 0.4 % off, or one bit in 100 that sticks, fails.
    scale, n = 2**36, MANY
    values = rounded_gaussian(scale, n, repeating_bits(22))
    x = values / scale
    assert scipy.stats.kstest(x, "norm").pvalue > ONE_IN_A_THOUSAND
    low_bits = values & 63
    assert chi_square(low_bits, dict.fromkeys(range(64), 1 / 64)) > ONE_IN_A_THOUSAND
    for power, mean, deviation in ((2, 1.0, sqrt(2)), (4, 3.0, sqrt(96))):
        error = (x**power).mean() - mean
        assert abs(error) < 3.3 * deviation / sqrt(n)


@pytest.mark.parametrize("prefix", [*SHORT, PREFIX])
@pytest.mark.parametrize("w", [1, 2, 5, 30])
def test_discrete_laplace_noise_has_its_chances(w, prefix):
    # A million (10,000): a scale 0.7 % (7 %) off fails at w = 1, and 1.4 % (12 %) at w = 30; so
    # does a zero that comes twice as often.
    n = MANY if prefix == PREFIX else 10_000
    values = laplace_vector(w, n, repeating_bits(23), prefix)
    q = exp(-1 / w)
    chances = {z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-30 * w, 30 * w + 1)}
    assert chi_square(values, chances) > ONE_IN_A_THOUSAND


def test_a_difference_of_wisharts_in_one_column_is_laplace_noise():
    # x1² + x2² − x3² − x4² is Laplace of scale 2: 3,000, a scale 7 % off fails.
    s = 2**30
    values = np.array(
        [wishart_difference(s, 1, bits)[0, 0] for bits in [repeating_bits(24)] for _ in range(3000)]
    )
    assert scipy.stats.kstest(values / s, "laplace", args=(0, 2)).pvalue > ONE_IN_A_THOUSAND


@pytest.mark.parametrize("prefix", [3, PREFIX])
def test_a_difference_of_wisharts_has_the_law_of_floats(prefix):
    # Entries and the top eigenvalue of 3,000 (300) at d = 2: a scale 6 % (20 %) off fails.
    s, n = 2**30, 3000 if prefix == PREFIX else 300
    bits, rng = repeating_bits(25), np.random.default_rng(26)
    found = np.array([wishart_difference(s, 2, bits, prefix) for _ in range(n)]) / s
    g = rng.normal(size=(2, 20_000, 2, 3))
    floats = g[0] @ g[0].transpose(0, 2, 1) - g[1] @ g[1].transpose(0, 2, 1)
    assert (found == found.transpose(0, 2, 1)).all()
    for take in (
        lambda m: m[:, 0, 0],
        lambda m: m[:, 0, 1],
        lambda m: np.linalg.eigvalsh(m)[:, 1],
    ):
        tested = scipy.stats.ks_2samp(take(found), take(floats))
        assert tested.pvalue > ONE_IN_A_THOUSAND


def test_matrices_are_symmetric_with_twice_the_variance_on_the_diagonal():
    # 300 × 300: the quotient of variances is 2 within 4.6 standard errors, 9 % each way.
    a, d = 2**36, 300
    noise = gaussian_matrix(a, int(a * sqrt(2)) + 1, d, repeating_bits(27))
    assert (noise == noise.T).all()
    upper = noise[np.triu_indices(d, 1)] / a
    error = np.diag(noise).astype(float).var() / a**2 / upper.var() - 2
    assert abs(error) < 3.3 * 2 * sqrt(2 / d)
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
    # A Wishart scale at which entries are larger than 64 bits.
    assert wishart_difference(2**62, 3, repeating_bits(29)).dtype == np.int64
