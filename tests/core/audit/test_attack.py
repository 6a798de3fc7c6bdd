"""An audit: its bound, and its verdicts on what is right and what is broken.

Whoever is to be acquitted is audited at a level that convicts a correct program once in 10⁸ at
most, by the theorem of Clopper and Pearson. Whoever is to be convicted has a bound that lies five
standard deviations (over seven seeds) beyond what it must exceed. Counts are compared with exact
probabilities at six standard errors.
"""

from dataclasses import dataclass, field, replace
from itertools import product
from math import exp, inf, log, sqrt

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from dpca_core import MECHANISMS, Adjacency, Budget, Mechanism, Noise, Notion, Release, Standing
from dpca_core.audit.absence import released_remainders, sticks_out
from dpca_core.audit.attack import audit
from dpca_core.audit.epsilon_bounds import (
    clopper_pearson_lower,
    clopper_pearson_upper,
    smallest_detectable_epsilon,
)
from dpca_core.mechanisms import ppca
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.mechanisms.noise_on_s import Gaussian
from dpca_core.mechanisms.power import Power
from dpca_core.mechanisms.ppca import Ppca
from dpca_core.privacy.budget import NotDrawnInTime
from tests.cases import sampled
from tests.core.mechanisms.every_mechanism import PROBLEM, REPLACE, within
from tests.references.worst_person import any_person

D, K, N = 5, 2, 1000
SURE = 1 - 1e-8
"""An audit of this level convicts what keeps its guarantee once in 10⁸, by proof."""
PLAIN = Budget(1.0, 0.01)


def audited(mechanism, budget, d=D, k=K, n=N, **options):
    return audit(mechanism, worst_pair(mechanism, d, k, n, budget), budget, **options)


# --- What an audit says ---


def test_bound_is_of_the_limits_and_a_verdict_of_the_promise():
    found = audited(Gaussian(), PLAIN, releases=4000, level=0.9)
    right, wrong = found.true_positive_limit, found.false_positive_limit
    rates = (found.true_positive_rate, found.false_positive_rate)
    assert [right, wrong] == [f(2000 * r, 2000, 0.95) for f, r in zip(LIMITS, rates, strict=True)]
    assert found.epsilon_lower == pytest.approx(log((right - 0.01) / wrong))
    assert found.epsilon_at(0) == pytest.approx(log(right / wrong))
    assert found.epsilon_at(1) == 0
    for factor, delta in ((0.999, 0.01), (1.001, 0.01), (1, 0.0)):
        promise = replace(found.guarantee, epsilon=factor * found.epsilon_lower, delta=delta)
        assert found.convicts(promise) == (factor <= 1)


def test_progress_is_told_and_can_stop_and_the_seed_decides():
    shares, many = [], 1001
    whole = audited(Gaussian(), PLAIN, releases=many, on_progress=shares.append)
    assert whole == audited(Gaussian(), PLAIN, releases=many)
    assert whole != audited(Gaussian(), PLAIN, releases=many, seed=1)
    assert shares == sorted(set(shares))
    assert shares[0] < whole.share_done == shares[-1] == 1
    stopped = audited(Gaussian(), PLAIN, releases=many, on_progress=lambda share: share < 0.4)
    assert stopped.releases == round(stopped.share_done * many) < many
    short = audited(Gaussian(), PLAIN, releases=stopped.releases)
    assert replace(short, share_done=stopped.share_done) == stopped


def test_bad_audit_is_refused_in_one_sentence():
    pair = worst_pair(Gaussian(), D, K, N, PLAIN)
    for asked, sentence in (
        ({"releases": 1}, r"Ask for at least two releases, not 1\.$"),
        ({"level": 1.0}, r"The level must be between 0 and 1, not 1\.0\.$"),
        ({"budget": Budget(1.0, 0.01, REPLACE)}, "The pair and the budget use different neigh"),
        ({"budget": Budget(1.0)}, "Gaussian needs δ > 0"),
    ):
        with pytest.raises(ValueError, match=sentence):
            audit(Gaussian(), pair, **{"budget": PLAIN} | asked)


def test_an_audit_that_would_not_end_is_a_sentence(monkeypatch):
    """All visitors' audits take turns: a draw without an end would keep everybody out."""
    monkeypatch.setattr(ppca, "MOST_PROPOSALS", 0.0)
    with pytest.raises(NotDrawnInTime, match="Not drawn in time"):
        audited(Ppca(), Budget(1.0), releases=10)


# --- Limits, and what so many releases can show ---

LIMITS = (clopper_pearson_lower, clopper_pearson_upper)


@pytest.mark.parametrize("trials", [1, 7, 1000])
def test_limits_are_those_of_scipy(trials):
    for successes in {0, 1, trials // 3, trials - 1, trials}:
        interval = binomtest(successes, trials).proportion_ci(0.95, "exact")
        found = [limit(successes, trials, 0.975) for limit in LIMITS]
        assert found == pytest.approx([interval.low, interval.high], rel=1e-9, abs=1e-12)


def test_below_the_least_epsilon_nothing_is_to_be_expected():
    """The leakiest mechanism shows something in half of the audits there, by its binomials."""
    for tested, delta in [(200, 0.0), (2000, 1e-6), (2000, 0.05)]:
        counts = np.arange(tested + 1)
        lower, upper = (limit(counts, tested, 0.975) for limit in LIMITS)
        shows = lower[:, None] - delta > upper
        least, shown = smallest_detectable_epsilon(tested, delta, 0.95), []
        for epsilon in (least / 2, least, 2 * least):
            wrong = (1 - delta) / (1 + exp(epsilon))
            right_pmf, wrong_pmf = (binom.pmf(counts, tested, p) for p in (1 - wrong, wrong))
            shown.append(right_pmf @ shows @ wrong_pmf)
        assert shown[0] < 0.2 < shown[1] == pytest.approx(0.5, abs=0.06)
        assert shown[2] > 0.9
        assert smallest_detectable_epsilon(tested, delta, 0.999) > least
    assert smallest_detectable_epsilon(1, 0.0, 0.95) == inf


@pytest.mark.chance(1e-7)
def test_what_gaussian_noise_shows_is_what_is_expected_of_it():
    """Twenty audits: their mean within 8 errors of Student's law, p = 2·10⁻⁷ on both sides."""
    audits = [audited(Gaussian(), PLAIN, 2, 1, releases=4000, seed=seed) for seed in range(20)]
    shown = [found.epsilon_lower for found in audits]
    error = 8 * np.std(shown, ddof=1) / sqrt(20)
    assert error < 0.2
    assert audits[0].expected_lower_bound == pytest.approx(np.mean(shown), abs=error)


# --- No false convictions ---


@dataclass(frozen=True)
class Turncoat(Mechanism):
    """By releasing something or nothing it tells whether the person is there, in its first two
    calls, and lies in the next two.
    """

    key, name, family, document = "turncoat", "Turncoat", "", "conventions"
    calls: list[int] = field(default_factory=list)

    def _noise(self, problem, budget):
        return Noise(1.0, "people", "")

    def sample(self, problem, budget, rng, trials, keep):
        self.calls.append(trials)
        refused = (problem.n > N) == (len(self.calls) > 2)
        return Release(np.full((trials, problem.d, problem.k), np.nan if refused else 1.0))


def test_draws_that_are_tested_do_not_choose_and_those_that_choose_are_not_tested():
    mechanism = Turncoat()
    found = audited(mechanism, Budget(1.0), releases=500)
    assert mechanism.calls == [250] * 4
    assert found.true_positive_rate == 0
    assert found.false_positive_rate == 1
    assert found.epsilon_lower == 0


# --- Verdicts ---

REFUTED = ("wishart_sn", "wishart_jiang")
BY_LIKELIHOOD = """
gaussian analyze_gauss wishart matrix_t second_look laplace laplace_printed sulq mod_sulq
nuclear_norm wishart_sheffet wishart_sn wishart_jiang local_gaussian local_printed local_sparse"""
"""Attacked by the best statistic there is."""


@pytest.mark.chance(1e-8)
@pytest.mark.parametrize(
    ("key", "adjacency"),
    [
        *product(REFUTED, Adjacency),
        *sampled(
            [(key, of) for of in Adjacency for key in MECHANISMS if key not in REFUTED],
            8,
            "a tenth of a second and more for each",
        ),
    ],
)
def test_no_guarantee_is_broken_and_no_claim_but_those_refuted(key, adjacency):
    mechanism, budget = MECHANISMS[key], within(MECHANISMS[key], 1.0, 0.01, adjacency)
    promise = mechanism.claim(PROBLEM, budget) or mechanism.guarantee(PROBLEM, budget)
    if promise.notion is Notion.PURE:
        budget = replace(budget, delta=0.0)
    # A Gibbs chain is slow, and 100 tested of each show an ε above 1.5.
    releases = 200 if key == "ppca_gibbs" else 2000
    found = audited(mechanism, budget, releases=releases, level=SURE)
    assert not found.convicted
    assert found.claim_convicted == (key in REFUTED)
    assert found.is_optimal == (key in BY_LIKELIHOOD.split())


# --- One Wishart matrix that only adds proves absence, as often as is computed and no more ---


@pytest.mark.chance(2e-7)
@pytest.mark.parametrize("s", [0.5, 1.5])
def test_no_two_people_are_easier_to_tell_apart_than_one_from_nobody(s):
    """A hundred comparisons of E (1 − p_there/p_here)₊, the smallest δ at ε = 0.

    At any larger ε so much δ is enough; that it is needed there too is the next test.
    """
    rng, bound = np.random.default_rng(8), -np.expm1(-1 / (2 * s))
    for _ in range(25):
        d = int(rng.integers(2, 5))
        frames = rng.standard_normal((4000, d, d + 1))
        noise = s * frames @ frames.swapaxes(1, 2)
        people = [any_person(rng, d), any_person(rng, d)]
        traces = np.trace(people, axis1=1, axis2=2)
        for here, there in ((0, 1), (1, 0)):
            apart = np.linalg.eigvalsh(noise + people[here] - people[there])[:, 0]
            loss = np.where(apart > 0, (traces[here] - traces[there]) / (2 * s), inf)
            spent = np.maximum(0.0, -np.expm1(-loss))
            found = spent.mean() - 6 * max(spent.std(), 1e-3) / sqrt(len(spent))
            assert found <= 1 - exp(-traces.max() / (2 * s)) <= bound + 1e-12


@pytest.mark.chance(2e-9)
@pytest.mark.parametrize(("key", "part"), [("wishart_sn", 1), ("wishart_jiang", 3)])
def test_needles_stick_out_as_often_as_is_promised(key, part):
    """At ε = 1 of 632 in 1,000 results of Sheffet and Nissim's, and of 283 of Jiang's."""
    mechanism, budget, trials = MECHANISMS[key], Budget(1.0), 40_000
    for epsilon, adjacency in product((0.1, 3.0, 1.0), Adjacency):
        found = mechanism.guarantee(PROBLEM, Budget(epsilon, 1e-6, adjacency))
        assert (found.standing, found.exact) == (Standing.REFUTED, True)
        assert (found.epsilon, found.delta) == (0.0, pytest.approx(1 - exp(-epsilon / part)))
    share, x = found.delta, np.array([0.5, sqrt(0.75)])
    absent = released_remainders(mechanism, budget, present=False, trials=trials, seed=1)
    present = released_remainders(mechanism, budget, present=True, trials=trials, seed=1)
    error = 6 * sqrt(share * (1 - share) / trials)
    assert sticks_out(absent, x).mean() == pytest.approx(share, abs=error)
    assert not sticks_out(present, x).any()
    beyond = x @ np.linalg.solve(absent, np.tile(x[:, None], (trials, 1, 1)))[..., 0].T - 1
    clear = np.abs(beyond) > 1e-6
    np.testing.assert_array_equal(sticks_out(absent, x)[clear], beyond[clear] > 0)


# --- What is broken ---


def less(kind, factor):
    """A copy of a mechanism that claims the budget at a part of the scale that it needs."""

    @dataclass(frozen=True)
    class Less(kind):
        def calibrate(self, problem, budget):
            noise = super().calibrate(problem, budget)
            return replace(noise, scale=factor * noise.scale)

    return Less


class ThreeTimesEpsilon(Ppca):
    def sample(self, problem, budget, rng, trials, keep):
        more = replace(budget, epsilon=3 * budget.epsilon)
        return super().sample(problem, more, rng, trials, keep)


BROKEN = {
    "gaussian": (less(Gaussian, 0.5)(), PLAIN, (D, K, N), 16_000),
    "ppca": (ThreeTimesEpsilon(), Budget(2.0), (D, K, N), 20_000),
    # Forgets that noise for L rounds is √L times as large.
    "one round": (less(Power, 1 / sqrt(30))(30), Budget(1.0, 0.01, REPLACE), (D, 1, N), 6_000),
}


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("name", sampled(BROKEN, 2, "seconds each"))
def test_what_is_broken_is_convicted(name):
    mechanism, budget, size, releases = BROKEN[name]
    assert audited(mechanism, budget, *size, releases=releases).convicted
