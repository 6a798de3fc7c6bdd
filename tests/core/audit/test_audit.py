"""An audit, the pair it runs on, the limits it computes, and the game of in or out."""

from dataclasses import replace
from math import exp, inf, log, sqrt

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from dpca_core import MECHANISMS, Budget, Problem, Release
from dpca_core.audit.attacks import statistics
from dpca_core.audit.audit import audit
from dpca_core.audit.epsilon_bounds import (
    clopper_pearson_lower,
    clopper_pearson_upper,
    expected_lower_bound,
    smallest_detectable_epsilon,
)
from dpca_core.audit.known_seed import published_table, redrawn_noise, remaining_record
from dpca_core.audit.rounds import Rounds, play_rounds
from dpca_core.mechanisms import ppca
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.mechanisms.noise_on_s import Gaussian
from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.privacy.sensitivity import frobenius, upper_triangle_l1
from tests.core.audit.audited import ADD, BOTH, REPLACE, D, K, N, audited, budget_of
from tests.core.sampling.laws import ERRORS

# --- What an audit says ---


def test_bound_is_of_the_limits_and_a_verdict_of_the_promise():
    found = audited(Gaussian(), Budget(1.0, 0.01), releases=4000, level=0.9)
    right, wrong = (
        binomtest(round(rate * 2000), 2000).proportion_ci(0.9, "exact")
        for rate in (found.true_positive_rate, found.false_positive_rate)
    )
    limits = found.true_positive_limit, found.false_positive_limit
    assert limits == pytest.approx((right.low, wrong.high))
    assert found.epsilon_lower == pytest.approx(log((right.low - 0.01) / wrong.high))
    assert found.epsilon_at(0) == pytest.approx(log(right.low / wrong.high))
    assert found.epsilon_at(1) == 0
    assert found.convicts(replace(found.guarantee, epsilon=0.999 * found.epsilon_lower))
    assert not found.convicts(replace(found.guarantee, epsilon=1.001 * found.epsilon_lower))
    assert found.convicts(replace(found.guarantee, epsilon=found.epsilon_lower, delta=0.0))
    assert found.claim is None
    assert not found.claim_convicted


def test_progress_is_told_and_can_stop_and_the_seed_decides():
    shares = []
    whole = audited(Gaussian(), Budget(1.0, 0.01), releases=1001, on_progress=shares.append)
    assert whole == audited(Gaussian(), Budget(1.0, 0.01), releases=1001)
    assert whole != audited(Gaussian(), Budget(1.0, 0.01), releases=1001, seed=1)
    assert whole.share_done == shares[-1] == 1
    assert len(shares) > 1
    assert shares == sorted(set(shares))
    stopped = audited(
        Gaussian(), Budget(1.0, 0.01), releases=1001, on_progress=lambda share: share < 0.4
    )
    assert stopped.share_done == min(share for share in shares if share >= 0.4)
    assert stopped.releases == round(stopped.share_done * 1001)
    short = audited(Gaussian(), Budget(1.0, 0.01), releases=stopped.releases)
    assert replace(short, share_done=stopped.share_done) == stopped


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"releases": 1}, "Ask for at least two releases, not 1."),
        ({"level": 1.0}, "The level must be between 0 and 1, not 1.0."),
        ({"budget": Budget(1.0, 0.01, REPLACE)}, "The pair and the budget use different neigh"),
        ({"budget": Budget(1.0)}, "Gaussian needs δ > 0"),
    ],
)
def test_bad_audit_is_refused_in_one_sentence(asked, sentence):
    budget = Budget(1.0, 0.01)
    pair = worst_pair(Gaussian(), D, K, N, budget)
    with pytest.raises(ValueError, match=sentence) as caught:
        audit(Gaussian(), pair, **{"budget": budget, **asked})
    assert str(caught.value).endswith(".")


def test_a_refusal_is_something_to_look_at():
    pair = worst_pair(MECHANISMS["gap_release"], D, K, N, Budget(1.0, 0.01))
    bases = np.stack([pair.with_person.basis, np.full((D, K), np.nan)])
    _, values = statistics(Release(bases, np.array([False, True])), pair)
    np.testing.assert_array_equal(values[2], [1, 0])
    assert np.isfinite(values[:, 0]).all()
    assert (values[:2, 1] == -inf).all()


def test_an_audit_that_would_not_end_is_a_sentence(monkeypatch):
    """All visitors' audits take turns: a draw without an end would keep everybody out."""
    monkeypatch.setattr(ppca, "MOST_PROPOSALS", 0.0)
    budget = Budget(1.0)
    pair = worst_pair(MECHANISMS["ppca"], 6, 2, 100, budget)
    with pytest.raises(NotDrawnInTime, match="Not drawn in time"):
        audit(MECHANISMS["ppca"], pair, budget, releases=10, seed=0)


# --- The pair ---


def test_a_pair_needs_people_enough_and_directions_below_d():
    with pytest.raises(ValueError, match=r"12 people are too few .* take 13 or more"):
        worst_pair(Gaussian(), 5, 2, 12, Budget(1.0, 0.01))
    for k in (0, 5):
        with pytest.raises(ValueError, match=f"k must be a whole number from 1 to 4, not {k}"):
            worst_pair(Gaussian(), 5, k, N, Budget(1.0, 0.01))


@pytest.mark.parametrize(
    "key", [key for key, mechanism in MECHANISMS.items() if mechanism.family != "local"]
)
@BOTH
def test_a_pair_differs_in_one_person_on_top_of_the_same_others(key, adjacency):
    for d, k, n in [(5, 2, 13), (2, 1, 50), (6, 5, 3000)]:
        pair = worst_pair(MECHANISMS[key], d, k, n, budget_of(key, 1.0, adjacency))
        x, y = pair.person, pair.stand_in
        change = np.outer(x, x)
        assert np.linalg.norm(x) == pytest.approx(1)
        if adjacency is REPLACE:
            assert np.linalg.norm(y) == pytest.approx(1)
            change = change - np.outer(y, y)
        else:
            assert y is None
        assert pair.without_person.n == n
        assert pair.with_person.n == n + (adjacency is ADD)
        moved = pair.with_person.moment - pair.without_person.moment
        np.testing.assert_allclose(moved, change, atol=1e-9)
        assert np.linalg.norm(moved) == pytest.approx(frobenius(adjacency))
        others = pair.with_person.moment - np.outer(x, x)
        assert np.linalg.eigvalsh(others)[0] > -1e-9
        assert np.trace(others) <= pair.with_person.n - 1 + 1e-9


@BOTH
@pytest.mark.parametrize("d", [2, 5, 12, 50])
def test_the_pair_for_laplace_moves_the_triangle_far(d, adjacency):
    pair = worst_pair(MECHANISMS["laplace"], d, 1, N, Budget(1.0, 0.0, adjacency))
    moved = np.abs(np.triu(pair.with_person.moment - pair.without_person.moment)).sum()
    least = 1 if adjacency is ADD else 0.95
    assert least <= moved / upper_triangle_l1(d, adjacency) * (1 + 1e-9) <= 1 + 1e-6


# --- Limits, and what so many releases can show ---


@pytest.mark.parametrize("trials", [1, 7, 1000])
def test_limits_are_those_of_scipy(trials):
    for successes in {0, 1, trials // 3, trials - 1, trials}:
        interval = binomtest(successes, trials).proportion_ci(0.95, "exact")
        limits = (
            clopper_pearson_lower(successes, trials, 0.975),
            clopper_pearson_upper(successes, trials, 0.975),
        )
        assert limits == pytest.approx((interval.low, interval.high), rel=1e-9, abs=1e-12)


def test_below_the_least_epsilon_nothing_is_to_be_expected():
    """The leakiest mechanism shows something in half of the audits there, by its binomials."""
    for tested, delta in [(200, 0.0), (2000, 1e-6), (2000, 0.05)]:
        counts = np.arange(tested + 1)
        lower = clopper_pearson_lower(counts, tested, 0.975)
        upper = clopper_pearson_upper(counts, tested, 0.975)
        shows = lower[:, None] - delta > upper
        least, shown = smallest_detectable_epsilon(tested, delta, 0.95), []
        for epsilon in (least / 2, least, 2 * least):
            wrong = (1 - delta) / (1 + exp(epsilon))
            right_pmf, wrong_pmf = (binom.pmf(counts, tested, p) for p in (1 - wrong, wrong))
            shown.append(right_pmf @ shows @ wrong_pmf)
        assert shown[0] < 0.2
        assert shown[1] == pytest.approx(0.5, abs=0.06)
        assert shown[2] > 0.9


def test_the_least_epsilon_falls_with_the_releases():
    found = [
        smallest_detectable_epsilon(tested, 0.0, 0.95) for tested in (1, 500, 2000, 10_000, 50_000)
    ]
    assert found[0] == inf
    assert found[1:] == pytest.approx([0.180, 0.0887, 0.0394, 0.0176], rel=0.01)
    assert smallest_detectable_epsilon(2000, 0.0, 0.999) > found[2]


@pytest.mark.chance(1e-7)
def test_what_gaussian_noise_shows_is_what_is_expected_of_it():
    """Twenty audits: their mean within 8 errors of Student's law, p = 2·10⁻⁷ on both sides."""
    audits = [
        audited(Gaussian(), Budget(1.0, 0.01), 2, 1, releases=4000, seed=seed) for seed in range(20)
    ]
    shown = [found.epsilon_lower for found in audits]
    error = 8 * np.std(shown, ddof=1) / sqrt(20)
    assert error < 0.2
    assert audits[0].expected_lower_bound == pytest.approx(np.mean(shown), abs=error)
    assert any(found.is_optimal for found in audits)


def test_what_tells_all_shows_as_much_as_its_releases_allow():
    found = audited(MECHANISMS["non_private"], Budget(1.0, 0.01), releases=1000)
    assert found.expected_lower_bound == pytest.approx(found.epsilon_lower)
    assert (found.true_positive_rate, found.false_positive_rate) == (1, 0)
    assert found.epsilon_lower > 4
    assert found.guarantee.epsilon == inf
    assert not found.convicted
    refuted = audited(MECHANISMS["wishart_sn"], Budget(1.0), releases=4000)
    assert refuted.expected_lower_bound == pytest.approx(refuted.epsilon_lower, abs=0.3)
    assert expected_lower_bound(refuted.guarantee, 2000, 1.0, 0.95) == 0


# --- Who knows the seed has the table, and with everybody else the last record ---


@pytest.mark.parametrize("key", ["gaussian", "wishart_difference", "laplace"])
def test_published_less_the_noise_of_its_seed_is_the_table(key):
    problem, budget = Problem.from_moment(np.diag([9.0, 5.0, 2.0]), 20, 2), Budget(0.5, 1e-6)
    published = published_table(MECHANISMS[key], problem, budget, 7)
    exact = published - redrawn_noise(MECHANISMS[key], problem, budget, 7)
    np.testing.assert_allclose(exact, problem.moment, atol=1e-12)
    other = published - redrawn_noise(MECHANISMS[key], problem, budget, 8)
    assert np.abs(other - problem.moment).max() > 0.1


def test_the_last_record_is_what_is_left():
    rows = np.random.default_rng(0).uniform(-0.4, 0.4, (200, 5))
    table, others = rows.T @ rows, rows[:-1].T @ rows[:-1]
    towards = np.array([rows[-1, 0], 0, 0, 0, 0])
    np.testing.assert_allclose(remaining_record(table, others, towards), rows[-1], atol=1e-12)
    np.testing.assert_allclose(remaining_record(table, others, -towards), -rows[-1], atol=1e-12)


# --- In or out ---


@pytest.mark.chance(2e-8)
def test_a_player_is_right_as_often_as_can_be_computed():
    """Against Gaussian noise, a pure promise, and noise that only adds and so proves absence."""
    each, budget, right = 20_000, Budget(1.0, 1e-6), {}
    for key in ("gaussian", "wishart_difference", "wishart_sn"):
        pair = worst_pair(MECHANISMS[key], 2, 1, 5000, budget)
        rounds = play_rounds(MECHANISMS[key], pair, budget, each, 0)
        right[key] = rounds.right
        if key == "wishart_sn":
            assert (rounds.present >= rounds.threshold).all()
        else:
            bound = MECHANISMS[key].guarantee(pair.with_person, budget).guess_probability()
            assert rounds.right < bound + ERRORS * 0.5 / sqrt(2 * each)
            right[key] /= bound
    assert right["gaussian"] == pytest.approx(1, abs=ERRORS / sqrt(2 * each))
    assert right["wishart_difference"] > 0.8
    assert right["wishart_sn"] == pytest.approx(1 - exp(-1) / 2, abs=ERRORS * 0.5 / sqrt(2 * each))
    assert Rounds(np.array([0.0, 1.0]), np.array([0.0, 0.2]), 0.5).right == 0.75
