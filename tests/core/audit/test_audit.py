"""An audit: its statistic, its bound, and its verdicts on what is right and what is broken.

Whoever is to be acquitted is audited at a level that convicts a correct program once in 10⁸ at
most, by the theorem of Clopper and Pearson. Whoever is to be convicted has a bound that lies five
standard deviations (over seven seeds) beyond what it must exceed.
"""

from dataclasses import dataclass, field, replace
from math import exp, inf, log, sqrt

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from dpca_core import (
    MECHANISMS,
    Adjacency,
    Budget,
    Guarantee,
    Mechanism,
    Noise,
    Notion,
    Problem,
    Release,
    Standing,
)
from dpca_core.audit.audit import LIKELIHOOD, audit, best_threshold, statistic
from dpca_core.audit.epsilon_bounds import (
    clopper_pearson_lower,
    clopper_pearson_upper,
    expected_lower_bound,
    smallest_detectable_epsilon,
)
from dpca_core.mechanisms import ppca
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.mechanisms.noise_on_s import Gaussian, MatrixT
from dpca_core.mechanisms.power import Power
from dpca_core.mechanisms.ppca import Ppca
from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.privacy.gaussian import gaussian_sigma
from tests.cases import sampled
from tests.core.sampling.laws import CERTAIN, ERRORS

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
BOTH = pytest.mark.parametrize("adjacency", Adjacency)
D, K, N = 5, 2, 1000
SURE = 1 - 1e-8
"""An audit of this level convicts what keeps its guarantee once in 10⁸, by proof."""
PLAIN = Budget(1.0, 0.01)


def budget_of(key, epsilon=1.0, adjacency=ADD):
    """The budget that a mechanism is made for: δ = 0 where it is, or claims to be, pure."""
    mechanism = MECHANISMS[key]
    problem = Problem.from_moment(np.diag([400.0, 250.0, 120.0, 90.0, 40.0]), N, K)
    budget = Budget(min(epsilon, 0.9) if key == "wishart_sheffet" else epsilon, 0.01, adjacency)
    promise = mechanism.claim(problem, budget) or mechanism.guarantee(problem, budget)
    return replace(budget, delta=0.0) if promise.notion is Notion.PURE else budget


def audited(mechanism, budget, d=D, k=K, n=N, **options):
    return audit(mechanism, worst_pair(mechanism, d, k, n, budget), budget, **options)


# --- The statistic ---


LIKELIHOODS = (
    "gaussian", "analyze_gauss", "wishart", "matrix_t", "second_look", "laplace",
    "laplace_printed", "sulq", "mod_sulq", "wishart_sheffet", "wishart_sn", "wishart_jiang",
    "local_gaussian", "local_printed", "local_sparse",
)  # fmt: skip
"""Of these an attack uses the best statistic there is."""


def ratios(key, budget, releases, present):
    """Of releases with the person or without."""
    mechanism, pair = MECHANISMS[key], worst_pair(MECHANISMS[key], 4, 1, 200, budget)
    problem = pair.with_person if present else pair.without_person
    drawn = mechanism.simulate(problem, budget, 3, releases, keep="moment")
    name, values = statistic(mechanism, drawn, pair, budget)
    assert name == LIKELIHOOD
    return values


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("key", LIKELIHOODS)
def test_a_likelihood_ratio_has_mean_one_where_the_person_is_absent(key):
    """∫ p/q·q = 1, and of its inverse the support that p leaves: within 6 standard errors."""
    absent, present = (ratios(key, budget_of(key), 1000, there) for there in (False, True))
    proofs = (absent < -1e8).mean()
    for values, mean in ((np.exp(absent), 1), (np.exp(-present), 1 - proofs)):
        error = sqrt(values.var() + 0.25 * (proofs > 0)) / sqrt(len(values))
        assert values.mean() == pytest.approx(mean, abs=6 * error + 1e-9)


def test_a_refusal_is_something_to_look_at():
    mechanism, budget = MECHANISMS["gap_release"], Budget(1.0, 0.01)
    pair = worst_pair(mechanism, D, K, N, budget)
    bases = np.stack([pair.with_person.basis, np.full((D, K), np.nan)])
    _, values = statistic(mechanism, Release(bases), pair, budget)
    assert values[0] > 0 > values[1]
    assert np.isfinite(values).all()


def test_the_best_threshold_is_found():
    rng = np.random.default_rng(2)
    wrong, right = rng.uniform(0, 1, 1000), rng.uniform(0.5, 1.5, 1000)
    score, threshold = best_threshold(right, wrong, 0.01)
    assert threshold == pytest.approx(1, abs=0.01)
    assert score > 3
    assert best_threshold(wrong, wrong, 0.01)[0] < 0


# --- What an audit says ---


def test_bound_is_of_the_limits_and_a_verdict_of_the_promise():
    found = audited(Gaussian(), PLAIN, releases=4000, level=0.9)
    right, wrong = found.true_positive_limit, found.false_positive_limit
    assert right == clopper_pearson_lower(2000 * found.true_positive_rate, 2000, 0.95)
    assert wrong == clopper_pearson_upper(2000 * found.false_positive_rate, 2000, 0.95)
    assert found.epsilon_lower == pytest.approx(log((right - 0.01) / wrong))
    assert found.epsilon_at(0) == pytest.approx(log(right / wrong))
    assert found.epsilon_at(1) == 0
    assert found.convicts(replace(found.guarantee, epsilon=0.999 * found.epsilon_lower))
    assert not found.convicts(replace(found.guarantee, epsilon=1.001 * found.epsilon_lower))
    assert found.convicts(replace(found.guarantee, epsilon=found.epsilon_lower, delta=0.0))
    assert not found.claim_convicted


def test_progress_is_told_and_can_stop_and_the_seed_decides():
    shares = []
    whole = audited(Gaussian(), PLAIN, releases=1001, on_progress=shares.append)
    assert whole == audited(Gaussian(), PLAIN, releases=1001)
    assert whole != audited(Gaussian(), PLAIN, releases=1001, seed=1)
    assert len(shares) > 1
    assert shares == sorted(set(shares))
    assert whole.share_done == shares[-1] == 1
    stopped = audited(Gaussian(), PLAIN, releases=1001, on_progress=lambda share: share < 0.4)
    assert stopped.releases == round(stopped.share_done * 1001) < 1001
    short = audited(Gaussian(), PLAIN, releases=stopped.releases)
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
    pair = worst_pair(Gaussian(), D, K, N, PLAIN)
    with pytest.raises(ValueError, match=sentence) as caught:
        audit(Gaussian(), pair, **{"budget": PLAIN, **asked})
    assert str(caught.value).endswith(".")


def test_an_audit_that_would_not_end_is_a_sentence(monkeypatch):
    """All visitors' audits take turns: a draw without an end would keep everybody out."""
    monkeypatch.setattr(ppca, "MOST_PROPOSALS", 0.0)
    budget = Budget(1.0)
    pair = worst_pair(MECHANISMS["ppca"], 6, 2, 100, budget)
    with pytest.raises(NotDrawnInTime, match="Not drawn in time"):
        audit(MECHANISMS["ppca"], pair, budget, releases=10, seed=0)


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
    assert smallest_detectable_epsilon(1, 0.0, 0.95) == inf
    assert smallest_detectable_epsilon(2000, 0.0, 0.999) > smallest_detectable_epsilon(
        2000, 0.0, 0.95
    )


@pytest.mark.chance(1e-7)
def test_what_gaussian_noise_shows_is_what_is_expected_of_it():
    """Twenty audits: their mean within 8 errors of Student's law, p = 2·10⁻⁷ on both sides."""
    audits = [audited(Gaussian(), PLAIN, 2, 1, releases=4000, seed=seed) for seed in range(20)]
    shown = [found.epsilon_lower for found in audits]
    error = 8 * np.std(shown, ddof=1) / sqrt(20)
    assert error < 0.2
    assert audits[0].expected_lower_bound == pytest.approx(np.mean(shown), abs=error)


def test_what_tells_all_shows_as_much_as_its_releases_allow():
    found = audited(MECHANISMS["non_private"], PLAIN, releases=1000)
    assert found.expected_lower_bound == pytest.approx(found.epsilon_lower)
    assert found.epsilon_lower > 4
    assert found.guarantee.epsilon == inf
    assert not found.convicted
    assert expected_lower_bound(found.guarantee, 2000, 1.0, 0.95) == 0


# --- No false convictions ---


@dataclass(frozen=True)
class Coin(Mechanism):
    """Randomised response, by releasing something or nothing: it spends (ε, δ) to the last bit."""

    key, name, family = "coin", "Coin", "coin"

    def guarantee(self, problem, budget):
        return Guarantee(
            budget.epsilon, budget.delta, Notion.APPROXIMATE, Standing.PROVED, budget.adjacency, ""
        )

    def _noise(self, problem, budget):
        return Noise(1.0, "people", "")

    def refused(self, present, budget, rng, trials):
        honest = budget.delta + (1 - budget.delta) / (1 + exp(-budget.epsilon))
        return (rng.random(trials) < honest) != present

    def sample(self, problem, budget, rng, trials, keep):
        refused = self.refused(problem.n > N, budget, rng, trials)
        basis = np.eye(problem.d, problem.k)
        return Release(np.where(refused[:, None, None], np.nan, basis))


@pytest.mark.chance(1e-8)
@pytest.mark.parametrize("level", [0.5, 0.95])
@pytest.mark.parametrize("budget", [Budget(1.0), Budget(0.3, 0.05)])
def test_few_of_many_audits_convict_what_spends_exactly_its_budget(budget, level):
    audits = [audited(Coin(), budget, releases=100, seed=at, level=level) for at in range(100)]
    convicted = sum(found.convicted for found in audits)
    assert convicted <= binom.isf(CERTAIN, 100, 1 - level)


@dataclass(frozen=True)
class Turncoat(Coin):
    """Tells whether the person is there in its first two calls, and lies in the next two."""

    calls: list[int] = field(default_factory=list)

    def refused(self, present, budget, rng, trials):
        self.calls.append(trials)
        return np.full(trials, present == (len(self.calls) > 2))


def test_draws_that_are_tested_do_not_choose_and_those_that_choose_are_not_tested():
    mechanism = Turncoat()
    found = audited(mechanism, Budget(1.0), releases=500)
    assert mechanism.calls == [250] * 4
    assert found.true_positive_rate == 0
    assert found.false_positive_rate == 1
    assert found.epsilon_lower == 0


# --- Verdicts ---

REFUTED = ("wishart_sn", "wishart_jiang")


@pytest.mark.chance(1e-8)
@pytest.mark.parametrize(
    ("key", "adjacency"),
    sampled(
        [(key, adjacency) for adjacency in Adjacency for key in MECHANISMS],
        8,
        "a tenth of a second and more for each",
    ),
)
def test_no_guarantee_is_broken_and_no_claim_but_those_refuted(key, adjacency):
    found = audited(MECHANISMS[key], budget_of(key, adjacency=adjacency), releases=2000, level=SURE)
    assert not found.convicted
    assert found.claim_convicted == (key in REFUTED)


@BOTH
@pytest.mark.chance(1e-8)
@pytest.mark.parametrize("key", REFUTED)
def test_one_wishart_matrix_breaks_its_claim(key, adjacency):
    """No accusation is ever wrong: the bound grows as ln(releases), 5.8 and 5.0 if one is added."""
    found = audited(MECHANISMS[key], Budget(1.0, 0.0, adjacency), releases=4000)
    assert found.claim_convicted
    assert found.false_positive_rate == 0
    assert "could have given what was published" in found.statistic
    if adjacency is ADD:
        proofs, none = 1 - exp(-1 if key == "wishart_sn" else -1 / 3), 1 - 0.025 ** (1 / 2000)
        assert found.true_positive_rate == pytest.approx(proofs, abs=ERRORS * sqrt(0.25 / 2000))
        assert found.epsilon_lower == pytest.approx(log(proofs / none), abs=0.3)
        assert "calls the person absent where no data with the person" in found.statistic


def less(kind, factor):
    """A copy of a mechanism that claims the budget at a part of the scale that it needs."""

    @dataclass(frozen=True)
    class Less(kind):
        def calibrate(self, problem, budget):
            noise = super().calibrate(problem, budget)
            return replace(noise, scale=factor * noise.scale)

    return Less()


class ThreeTimesEpsilon(Ppca):
    def sample(self, problem, budget, rng, trials, keep):
        more = replace(budget, epsilon=3 * budget.epsilon)
        return super().sample(problem, more, rng, trials, keep)


class OneRoundsNoise(Power):
    """Forgets that noise for L rounds is √L times as large."""

    def guarantee(self, problem, budget):
        return Coin().guarantee(problem, budget)

    def calibrate(self, problem, budget):
        one = gaussian_sigma(budget.epsilon, budget.delta, self.sensitivity(problem, budget))
        return Noise(one, "people", "σ")


BROKEN = {
    "gaussian": (less(Gaussian, 0.5), Gaussian(), PLAIN, (D, K, N), 16_000),
    "ppca": (ThreeTimesEpsilon(), Ppca(), Budget(2.0), (D, K, N), 20_000),
    "power": (OneRoundsNoise(30), Power(30), Budget(1.0, 0.01, REPLACE), (D, 1, N), 6_000),
    "matrix-t": (less(MatrixT, 0.8), MatrixT(), Budget(1.0, 0.05), (3, 1, 40), 30_000),
}


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("name", sampled(BROKEN, 2, "seconds each"))
def test_what_is_broken_is_convicted_and_what_is_right_is_not(name):
    broken, right, budget, (d, k, n), releases = BROKEN[name]
    assert audited(broken, budget, d, k, n, releases=releases).convicted
    assert not audited(right, budget, d, k, n, releases=releases, level=SURE).convicted


@pytest.mark.chance(1e-7)
def test_an_attacker_who_sees_a_report_convicts_the_printed_claim_of_the_local_model():
    """ε = 3 is claimed at δ = 0.5, 3.94 holds."""
    budget, mechanism = Budget(3.0, 0.5), MECHANISMS["local_printed"]
    assert audited(mechanism, budget, 4, 1, 100, releases=20_000).claim_convicted
    assert not audited(mechanism, budget, 4, 1, 100, releases=20_000, level=SURE).convicted


@pytest.mark.chance(2e-8)
@pytest.mark.parametrize(
    ("key", "delta", "n", "least"),
    sampled(
        [
            ("gaussian", 0.01, N, 0.6),
            ("gap_release", 0.01, 3000, 0.35),
            ("wishart_difference", 0.0, N, 0.33),
            ("ppca", 0.0, N, 0.3),
            ("smooth_gaussian", 0.01, 3000, 0.5),
        ],
        2,
        "20,000 releases each",
    ),
)
def test_attack_reaches_a_share_of_epsilon(key, delta, n, least):
    """At ε = 1; Gaussian noise allows 0.78 at the best threshold there is."""
    found = audited(MECHANISMS[key], Budget(1.0, delta), n=n, releases=20_000)
    assert found.epsilon_lower > least
