"""What released directions are said to hold: right on average, and within the interval."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.release_intervals import LAWS, plan_of, released, shares_found, survey
from dpca_core.release import shares
from dpca_core.release.shares import held, tau
from sample_data import load_key

MECHANISMS = ("gaussian", "wishart_difference", "laplace")
PEOPLE = 600 * np.array([0.4, 0.35, 0.1, 0.08, 0.05, 0.02])


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_without_noise_the_eigenvalues_are_what_is_held(mechanism):
    found = held(mechanism, 1e-9, PEOPLE, 2)
    for part, people in zip((*found.each, found.together), (240, 210, 450), strict=True):
        assert part.people.value == pytest.approx(people)
        assert part.share.value == pytest.approx(people / 600)
        assert part.share.high - part.share.low < 1e-9
    assert found.trace.value == pytest.approx(600)


def test_stein_s_correction_by_hand():
    """100 and 60 with τ = 4: λ₁ loses 16/40, and λ₂ gains as much."""
    found = held("gaussian", 4.0, np.array([100.0, 60.0]), 1)
    assert found.each == (found.together,)
    assert found.together.people.value == pytest.approx(99.6)
    half = 1.96 * np.sqrt(16 + 16**2 / 40**2)
    assert found.together.people.high == pytest.approx(99.6 + half)
    # The ends of a share p are where p misses 99.6 − 160 p by 1.96 deviations.
    for p in (found.together.share.low, found.together.share.high):
        variance = (half / 1.96) ** 2 - 2 * p * 16 + p**2 * 32
        assert abs(99.6 - 160 * p) == pytest.approx(1.96 * np.sqrt(variance))


def test_equal_eigenvalues_and_a_whole_below_0_are_read():
    equal, below = np.full(4, 100.0), np.array([-1.0, -2.0, -30.0])
    for mechanism in MECHANISMS:
        for values in (equal, below):
            found = held(mechanism, 1.0, values, 2)
            assert 0 <= found.together.people.low <= found.together.people.high
            assert np.isfinite([found.together.people.high, found.together.share.value]).all()


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_tau_is_how_noise_deviates_along_a_direction_at_most(mechanism):
    """A variance of 20,000 draws errs by less than 5.33 · √(5/20,000), whatever the law here."""
    rng, d = np.random.default_rng(4), 9
    along = np.full(d, 1 / 3)
    values = LAWS[mechanism].draw(d, rng, 20_000) @ along @ along
    # A direction that weighs 9 columns alike: Laplace noise has 1/18 less there than at most.
    most = tau(mechanism, 1.0, d) ** 2 * (17 / 18 if mechanism == "laplace" else 1)
    assert values.var() == pytest.approx(most, rel=0.085)


@pytest.mark.chance(3e-7)
def test_gaussian_releases_are_read_right_where_their_sum_never_is():
    """1,000 releases of a survey at ε = .3: limits are 5.33 standard errors from .95 and from 0."""
    rows = survey()
    exact, plan = rows.T @ rows, plan_of(34, "gaussian", Fraction("0.3"), 4)
    for found in shares_found(exact, plan, 1000, np.random.default_rng(1)):
        assert (found.covered >= 0.91).all()
        assert (np.abs(found.bias) <= 0.03 + 5.33 * found.error).all()
        assert (found.width <= 1.5).all()
    for reading in released(exact, plan, 50, np.random.default_rng(2)):
        basis = reading.directions(4)
        assert reading.eigenvalues[:4].sum() > np.trace(basis.T @ exact @ basis)


@pytest.mark.chance(3e-7)
def test_releases_drowned_in_wishart_noise_are_read_right(monkeypatch):
    """150 releases of little but noise, with 100 draws in the simulation that all have."""
    monkeypatch.setattr(shares, "MOST_PAIRS", 50)
    exact, plan = np.diag(np.full(20, 5.0)), plan_of(20, "wishart_difference", Fraction("0.1"), 2)
    found, _ = shares_found(exact, plan, 150, np.random.default_rng(3))
    assert (found.covered >= 0.95 - 5.33 * np.sqrt(0.95 * 0.05 / 150)).all()
    assert (np.abs(found.bias) <= 5.33 * np.sqrt(1 / 150 + 1 / 100)).all()


@pytest.mark.long("thousands of releases, and hundreds with a simulation each")
@pytest.mark.chance(1e-6)
@pytest.mark.parametrize(("mechanism", "times"), [("gaussian", 5000), ("wishart_difference", 200)])
@pytest.mark.parametrize("rows", [load_key("rand").rows, survey()], ids=["RAND", "survey"])
def test_intervals_hold_and_are_no_wider_than_they_must(rows, mechanism, times):
    """At ε = .3, with limits at 5.33 standard errors; benchmarks/release_intervals.py has more."""
    plan = plan_of(rows.shape[1], mechanism, Fraction("0.3"), 4)
    for found in shares_found(rows.T @ rows, plan, times, np.random.default_rng(2026)):
        assert (found.covered >= 0.94 - 5.33 * np.sqrt(0.94 * 0.06 / times)).all()
        assert (np.abs(found.bias) <= 0.05 + 5.33 * found.error).all()
        assert (found.width <= 1.5).all()


def test_what_is_simulated_is_taken_off_and_sets_the_width(monkeypatch):
    found = []
    for bias in (0.0, 7.0):
        errors = np.array([bias, 1.0, 2.0]), np.array([4.0, 9.0, 16.0])
        monkeypatch.setattr(shares, "_simulated", lambda *_, errors=errors: errors)
        found.append(held("wishart_difference", 0.5, PEOPLE, 2).each[0].people)
    assert found[0].value - found[1].value == pytest.approx(7)
    assert found[1].high - found[1].low == pytest.approx(2 * 1.96 * 2)
