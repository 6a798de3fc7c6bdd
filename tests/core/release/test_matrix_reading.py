"""What is read off a released matrix: exact where there is no noise, withheld where it must be."""

from math import nan

import numpy as np
import pytest

from benchmarks.release_intervals import power_law, unit_noise
from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.release.grid import GRID
from dpca_core.release.matrix_reading import MatrixReading
from dpca_core.release.noise_quantiles import norm_quantile, top_sum_quantile
from tests.core.release.draw_cases import with_everything
from tests.core.release.published_cases import made_up

GAUSSIAN = ExactNoise.GAUSSIAN


def reading(values: list[float], tau: float = 1.0, noise: ExactNoise = GAUSSIAN) -> MatrixReading:
    """Read a diagonal matrix."""
    return MatrixReading(np.diag(np.array(values)), noise, tau)


@pytest.mark.parametrize("noise", ExactNoise)
def test_a_plan_says_what_the_whole_numbers_weigh(noise):
    plan = with_everything(noise)
    drawn = made_up(plan)
    found = MatrixReading.of(plan, drawn)
    np.testing.assert_allclose(found.matrix, drawn.matrix / GRID**2)
    scales = next(part for part in plan.parts if part.name == "matrix").scales
    assert found.unit == pytest.approx(scales[max(scales)] / GRID**2)
    assert np.isnan(found.tau) == (noise is not GAUSSIAN)


def test_directions_are_eigenvectors_whose_largest_entry_is_positive():
    exact = power_law(7, 1000, 1.0, np.random.default_rng(3))
    found = MatrixReading(exact, GAUSSIAN, 0.1)
    basis = found.directions(4)
    np.testing.assert_allclose(exact @ basis, basis * found.eigenvalues[:4], atol=1e-9)
    assert (basis[np.abs(basis).argmax(axis=0), range(4)] > 0).all()


def test_the_correction_by_hand():
    """Two values 10 and 6 with τ = 1: λ₁ loses s²/(10 − 6) = 1/8, λ₂ gains it."""
    found = reading([100.0, 60.0], tau=4.0).spectrum
    np.testing.assert_allclose(found.values, [100 - 8 / 40, 60 + 8 / 40])
    half = 1.96 * 4 * np.sqrt(1 + 8 / 40**2)
    np.testing.assert_allclose(found.high - found.values, half)
    np.testing.assert_allclose(found.values - found.low, half)


def test_values_in_the_noise_or_too_close_have_no_interval():
    found = reading([100.0, 99.9, 40.0, 0.5, -3.0])
    np.testing.assert_array_equal(np.isnan(found.spectrum.low), [True, True, False, True, True])
    assert not np.isnan(found.spectrum.values).any()
    assert found.above_noise() == 3
    assert found.largest_gap() == 2


def test_loadings_only_where_both_neighbours_are_far():
    found = reading([100.0, 80.0, 73.0, 50.0, 20.0])
    np.testing.assert_array_equal(found.stands_apart(5), [True, False, False, True, True])
    errors = found.loading_errors(5)
    assert np.isnan(errors[:, [1, 2]]).all()
    # To first order direction 1 turns towards direction 2 by s over their gap.
    gap = found.spectrum.values[0] - found.spectrum.values[1]
    assert errors[1, 0] == pytest.approx(1.96 * np.sqrt(0.5) / gap)


def test_what_is_certain_of_an_angle_and_what_is_not():
    wide = reading([1000.0, 500.0, 1.0])
    error = wide.spectrum.band
    assert wide.angle_certain(1) == pytest.approx(error / (500 - error))
    assert wide.angle_certain(3) == 0.0
    assert reading([10.0, 9.0, 1.0]).angle_certain(1) is None
    assert reading([10.0, 9.0, 1.0]).angle_expected(1) is None
    assert wide.angle_expected(1) == pytest.approx(np.sqrt(0.5 / 500**2 + 0.5 / 999**2), rel=1e-3)
    assert reading([1000.0, 500.0, 1.0], noise=ExactNoise.LAPLACE).angle_expected(1) is None


def test_pure_noise_has_no_interval_of_one_value_but_a_band():
    found = reading([1000.0, 500.0, 1.0], noise=ExactNoise.WISHART_DIFFERENCE)
    assert np.isnan(found.spectrum.low).all()
    assert found.spectrum.band > 0
    assert found.explained(1) is None
    assert found.held(1).low < 1000 < found.held(1).high


def test_a_share_is_withheld_where_the_whole_could_be_nothing():
    assert reading([1.0, -1.0], tau=5.0).explained(1) is None
    share = reading([80.0, 20.0], tau=0.01).explained(1)
    assert share.low < 0.8 < share.high
    assert share.value == pytest.approx(0.8)


def test_the_positive_part_is_a_covariance():
    exact = np.array([[1.0, 2.0], [2.0, 1.0]])
    found = MatrixReading(exact, GAUSSIAN, 1.0).positive_part()
    np.testing.assert_allclose(found, [[1.5, 1.5], [1.5, 1.5]])


@pytest.mark.parametrize("noise", ExactNoise)
@pytest.mark.parametrize("d", [1, 2, 9])
def test_simulated_quantiles_are_not_exceeded_more_often_than_they_say(noise, d):
    """Of 2,000 fresh draws 5 % and 2.5 % at most: three standard errors more fail one in 700."""
    rng = np.random.default_rng(1000 + d)
    ends = np.array([np.linalg.eigvalsh(e) for e in unit_noise(noise, d, 2000, rng)])
    norm = np.abs(ends).max(axis=1)
    assert (norm > norm_quantile(noise, d, 0.95)).mean() < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)
    top = ends[:, -min(d, 2) :].sum(axis=1)
    beyond = (top > top_sum_quantile(noise, d, min(d, 2), 0.975)).mean()
    assert beyond < 0.025 + 3 * np.sqrt(0.025 * 0.975 / 2000)


def test_quantiles_of_many_columns_are_bounds_or_unknown():
    assert norm_quantile(GAUSSIAN, 300, 0.95) == pytest.approx(np.sqrt(600) + 2.7162, abs=1e-3)
    assert top_sum_quantile(GAUSSIAN, 300, 4, 0.975) == pytest.approx(
        4 * np.sqrt(600) + 2 * 2.7162, abs=1e-3
    )
    np.testing.assert_equal(norm_quantile(ExactNoise.LAPLACE, 300, 0.95), nan)


def test_quantiles_are_the_same_in_every_run():
    before = norm_quantile(GAUSSIAN, 19, 0.95)
    norm_quantile.cache_clear()
    assert norm_quantile(GAUSSIAN, 19, 0.95) == before
    assert before == pytest.approx(6.71, abs=0.12)
