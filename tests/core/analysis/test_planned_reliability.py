"""Plans against a dense simulation that shares no code with them, and the spectra they expect."""

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core import MECHANISMS
from dpca_core.analysis.expected_spectrum import Expectation, expected_shares, expected_spectrum
from dpca_core.analysis.planned_reliability import (
    MOST_PLANNED_COLUMNS,
    PlannedReleases,
    planned_reliability,
    relative_noise,
)
from dpca_core.analysis.reliability import RELEASES_JUDGED, Reliability
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import DEFAULT, PURE_DEFAULT
from dpca_core.privacy.budget import Budget

BUDGET, THREE = Budget(1.0, 1e-6), Budget(3.0, 1e-6)
FEW_STRONG = (0.36, 0.12, 0.115, 0.07)
RELEASES = 1500
TAU = 4.2246788893
"""Of Gaussian noise at ε = 1, δ = 10⁻⁶: docs/gaussian.md's formula solved by another program."""


def dense_cosines(spectrum: Array, scale: float, pure: bool) -> Array:
    """Return |⟨v̂_i, v_i⟩| (T, d) of releases of a full matrix whose eigenvectors are random."""
    rng, d = np.random.default_rng(20), len(spectrum)
    axes = np.linalg.qr(rng.standard_normal((d, d)))[0]
    found = []
    for _ in range(RELEASES):
        if pure:
            first, second = (rng.standard_normal((d, d + 1)) for _ in range(2))
            noise = first @ first.T - second @ second.T
        else:
            upper = np.triu(rng.normal(scale=0.5**0.5, size=(d, d)), 1)
            noise = upper + upper.T + np.diag(rng.standard_normal(d))
        values, vectors = np.linalg.eigh(axes @ np.diag(spectrum) @ axes.T + scale * noise)
        vectors = vectors[:, np.argsort(-values)]
        found.append(np.abs((axes * vectors).sum(axis=0)))
    return np.array(found)


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("pure", [False, True], ids=["gaussian", "pure"])
def test_as_many_releases_hold_a_direction_as_of_a_dense_simulation(pure: bool) -> None:
    """Within 6 standard errors in each of four directions: 10⁻⁸ by chance, and a tail's skew."""
    spectrum, k = expected_spectrum(900, FEW_STRONG, 12), 4
    scale = 0.5 if pure else TAU
    dense = (dense_cosines(spectrum, scale, pure)[:, :k] >= 0.95).mean(axis=0)
    budget = Budget(1.0, 0.0 if pure else 1e-6)
    planned = planned_reliability(PURE_DEFAULT if pure else DEFAULT, spectrum, k, budget)
    error = np.sqrt(np.maximum(dense * (1 - dense), 0.002) * (1 / RELEASES + 1 / RELEASES_JUDGED))
    assert planned.reliabilities.trials == RELEASES_JUDGED
    assert np.abs(np.array(planned.held) - dense).max() > 0
    assert (np.abs(np.array(planned.held) - dense) <= 6 * error).all()


@pytest.mark.chance(1e-7)
def test_levels_follow_the_shares_and_the_gaps() -> None:
    planned = planned_reliability(DEFAULT, expected_spectrum(900, FEW_STRONG, 19), 4, BUDGET)
    levels = [direction.level for direction in planned.reliabilities.directions]
    together = Reliability.TOGETHER
    assert levels == [Reliability.RELIABLE, together, together, Reliability.RECOGNISABLE]
    assert planned.first_held
    assert not planned.all_held
    more = planned_reliability(DEFAULT, expected_spectrum(900, FEW_STRONG, 19), 4, THREE)
    assert more.reliabilities.directions[1].level is Reliability.RECOGNISABLE
    assert more.all_held, "neighbours that mix only with each other count as held together"


def test_only_noise_over_people_counts() -> None:
    shares, people = expected_spectrum(1, FEW_STRONG, 10), 553.63
    few = relative_noise(DEFAULT, 10, Budget(0.5, 1e-6), 2000.0)
    assert relative_noise(DEFAULT, 10, Budget(2.0, 1e-6), people) == pytest.approx(few, rel=1e-4)
    plans = [
        planned_reliability(DEFAULT, shares * n, 4, Budget(e, 1e-6))
        for e, n in ((0.5, 2000.0), (2.0, people))
    ]
    np.testing.assert_allclose(plans[0].held, plans[1].held, atol=0.01)


def test_whoever_breaks_off_goes_on_where_it_ended() -> None:
    shares = expected_spectrum(1, (0.5, 0.2), 60)
    whole = PlannedReleases(DEFAULT, shares, 2)
    steps = sum(1 for _ in whole.steps_at(0.005))
    broken, taken = PlannedReleases(DEFAULT, shares, 2), 0
    while broken.at(0.005) is None:
        taken += sum(1 for _ in zip(range(1), broken.steps_at(0.005), strict=False))
    assert taken == steps > 1
    assert whole.at(0.004) is None
    assert broken.at(0.005) == whole.at(0.005)
    assert sum(1 for _ in whole.steps_at(0.005)) == 0


def test_wide_tables_get_fewer_releases_and_the_widest_none() -> None:
    wide = PlannedReleases(DEFAULT, np.full(500, 1 / 500), 2)
    assert 29 <= wide.trials < RELEASES_JUDGED
    with pytest.raises(ValueError, match="at most 2,000 columns"):
        PlannedReleases(DEFAULT, np.full(MOST_PLANNED_COLUMNS + 1, 1e-4), 2)


def test_local_noise_grows_with_the_people_and_is_not_planned() -> None:
    """√n reports of τ = 5.9746 (ε = 1, δ = 10⁻⁶, replace one: √2 of a person added)."""
    assert relative_noise(MECHANISMS["laplace"], 10, BUDGET) == pytest.approx(5.5)
    found = relative_noise(MECHANISMS["local_gaussian"], 20, BUDGET, 1000.0)
    assert found == pytest.approx(5.9746 / 1000**0.5, rel=1e-4)
    with pytest.raises(ValueError, match="grows with the people"):
        PlannedReleases(MECHANISMS["local_gaussian"], np.full(20, 0.05), 2)


# --- The spectrum that an owner expects ---


@given(st.integers(2, 300), st.sampled_from(Expectation), st.floats(1, 1e12))
def test_every_expectation_is_a_spectrum_at_every_number_of_columns(
    d: int, expectation: Expectation, people: float
) -> None:
    shares = expected_shares(expectation, d)
    spectrum = expected_spectrum(people, shares, d)
    assert spectrum.shape == (d,)
    assert spectrum.sum() == pytest.approx(people, rel=1e-12)
    assert (np.diff(spectrum) <= 1e-12 * people).all()
    assert spectrum[-1] > 0
    # A tie with what is left would leave the last direction without a meaning.
    assert spectrum[len(shares) - 1] > spectrum[len(shares)]


def test_what_is_left_falls_in_equal_steps_and_never_passes_the_last_share() -> None:
    spectrum = expected_spectrum(900, (0.36, 0.12, 0.115, 0.07), 19)
    np.testing.assert_allclose(spectrum[:4], [324, 108, 103.5, 63])
    np.testing.assert_allclose(np.diff([*spectrum[4:], 0.0]), -900 * 0.335 / 120)
    full = expected_spectrum(100, (0.3, 0.2), 5)
    assert full[2] == pytest.approx(20)
    np.testing.assert_allclose(np.diff(full[2:], n=2), 0, atol=1e-12)
    np.testing.assert_allclose(expected_spectrum(10, (0.6, 0.4), 4), [6, 4, 0, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("people", "shares", "d", "words"),
    [
        (0, (0.5,), 4, "from 1 to 1,000,000,000,000"),
        (nan, (0.5,), 4, "number of people"),
        (10, (0.6,), 1, "one column"),
        (10, (), 4, "1 to 3 directions, not of 0"),
        (10, (0.01,) * 21, 100, "1 to 20 directions"),
        (10, (0.6, nan), 4, "above 0"),
        (10, (0.2, 0.6), 4, "largest share first"),
        (10, (0.6, 0.5), 4, "sum to 110"),
        (10, (0.2,), 4, "leave 80\u00a0% for 3 more directions"),
        (10, (0.3, 0.2), 3, "leave 50\u00a0% for 1 more direction,"),
    ],
)
def test_what_is_no_spectrum_is_refused_in_one_sentence(
    people: float, shares: tuple[float, ...], d: int, words: str
) -> None:
    with pytest.raises(ValueError, match=rf"\A[^\n]*{words}[^\n]*\.\Z"):
        expected_spectrum(people, shares, d)
