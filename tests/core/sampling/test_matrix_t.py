"""The sampler of matrix-t noise against its density."""

import numpy as np
import pytest
from scipy.stats import t

from dpca_core.privacy.matrix_t import unit_entry_std
from dpca_core.sampling.matrix_t import matrix_t
from tests.cases import sampled
from tests.core.sampling.laws import ERRORS, assert_law, assert_mean


def log_density(matrices, q):
    identity = np.eye(matrices.shape[-1])
    return -q * np.linalg.slogdet(identity + matrices @ matrices)[1]


@pytest.mark.chance(1e-8)
def test_one_column_is_a_student_variable():
    drawn = matrix_t(1, 3.0, np.random.default_rng(0), 20_000)[:, 0, 0]
    assert_law(drawn * np.sqrt(5), t(5).cdf)


@pytest.mark.chance(3e-8)
@pytest.mark.parametrize(
    ("d", "q"), sampled([(3, 5.5), (2, 4.0), (6, 9.0)], 3, "200,000 matrices each")
)
def test_a_shift_has_the_right_weight(d, q):
    """E[f(F + H)/f(F)] = 1 for every shift H: it fails for any other law with these moments."""
    rng = np.random.default_rng(d)
    drawn = matrix_t(d, q, rng, 200_000)
    here = log_density(drawn, q)
    rank_one = np.zeros((d, d))
    rank_one[0, 0] = 0.6
    crossed = np.zeros((d, d))
    crossed[0, 1] = crossed[1, 0] = 0.4
    for shift in (rank_one, -rank_one, crossed):
        weight = np.exp(log_density(drawn + shift, q) - here)
        error = weight.std() / np.sqrt(len(weight))
        assert error < 0.02
        assert abs(weight.mean() - 1) < ERRORS * error


@pytest.mark.chance(4e-8)
@pytest.mark.parametrize(
    ("d", "q"), sampled([(5, 7.0), (2, 4.0), (19, 30.0)], 3, "the widest takes seconds")
)
def test_variances_of_entries(d, q):
    drawn = matrix_t(d, q, np.random.default_rng(d), 20_000)
    diagonal, beside = unit_entry_std(d, q)
    entries = drawn[:, [0, -1, 0, d - 2], [0, -1, 1, d - 1]]
    assert_mean(entries**2, np.square([diagonal, diagonal, beside, beside]))


def test_matrices_are_symmetric_and_one_needs_enough_exponent():
    drawn = matrix_t(7, 9.0, np.random.default_rng(2), 10)
    np.testing.assert_array_equal(drawn, drawn.swapaxes(1, 2))
    with pytest.raises(ValueError, match="above d/2"):
        matrix_t(7, 3.5, np.random.default_rng(2), 10)
