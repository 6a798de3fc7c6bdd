"""Audits: right limits, no false convictions, and convictions of what is broken.

Seeds are fixed. For fresh ones, the chance that a correct program fails a test here:

- False convictions, counted over 200 audits of a mechanism: 10⁻⁶ for as many as the level allows.
- All certified mechanisms acquitted: at most 5 % over all of them together. Each of the m audits
  runs at the level 1 − 0.05/m (Bonferroni). In truth much less: few pairs spend all of ε.
- Convictions, and bounds that must be reached: none failed with 60 other seeds (30 for the power
  method), so below 5 % each (10 %), with 95 % confidence.
"""

from dataclasses import dataclass, field, replace
from math import exp, inf, log, sqrt

import numpy as np
import pytest
from scipy.stats import binom, binomtest, norm, wishart
from scipy.stats import laplace as laplace_law

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
from dpca_core.audit.attacks import LIKELIHOOD, OF_MATRIX, Attack, best_attack, statistics
from dpca_core.audit.audit import audit
from dpca_core.audit.epsilon_bounds import (
    clopper_pearson_lower,
    clopper_pearson_upper,
    least_shown,
    most_shown,
)
from dpca_core.audit.worst_pair import worst_pair
from dpca_core.mechanisms import exponential
from dpca_core.mechanisms.exponential import Ppca
from dpca_core.mechanisms.gaussian import Gaussian
from dpca_core.mechanisms.power import Power
from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.privacy.sensitivity import frobenius, upper_triangle_l1
from ui.claims.audit import power, verdict

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
BOTH = pytest.mark.parametrize("adjacency", Adjacency)
CENTRAL = pytest.mark.parametrize(
    "key", [key for key, mechanism in MECHANISMS.items() if mechanism.family != "local"]
)
CERTAIN = 1e-6
D, K, N = 5, 2, 1000


def budget_of(key, epsilon=1.0, adjacency=ADD):
    """The budget that a mechanism is made for: δ = 0 where it is, or claims to be, pure."""
    mechanism = MECHANISMS[key]
    problem = Problem.from_moment(np.diag([400.0, 250.0, 120.0, 90.0, 40.0]), N, K)
    budget = Budget(min(epsilon, 0.9) if key == "wishart_sheffet" else epsilon, 0.01, adjacency)
    promise = mechanism.claim(problem, budget) or mechanism.guarantee(problem, budget)
    return replace(budget, delta=0.0) if promise.notion is Notion.PURE else budget


def audited(mechanism, budget, d=D, k=K, n=N, **options):
    return audit(mechanism, worst_pair(mechanism, d, k, n, budget), budget, **options)


# --- Clopper–Pearson limits ---


@pytest.mark.parametrize("trials", [1, 7, 1000])
def test_limits_are_those_of_scipy(trials):
    for successes in {0, 1, trials // 3, trials - 1, trials}:
        interval = binomtest(successes, trials).proportion_ci(0.95, "exact")
        limits = (
            clopper_pearson_lower(successes, trials, 0.975),
            clopper_pearson_upper(successes, trials, 0.975),
        )
        assert limits == pytest.approx((interval.low, interval.high), rel=1e-9, abs=1e-12)


def test_limits_hold_with_their_level_at_every_probability():
    trials, level = 40, 0.95
    counts = np.arange(trials + 1)
    lower = clopper_pearson_lower(counts, trials, level)
    upper = clopper_pearson_upper(counts, trials, level)
    for p in np.linspace(0.001, 0.999, 499):
        chances = binom.pmf(counts, trials, p)
        assert chances[lower > p].sum() <= 1 - level
        assert chances[upper < p].sum() <= 1 - level


# --- No false convictions ---


@dataclass(frozen=True)
class Coin(Mechanism):
    """Randomised response, by releasing something or nothing: it spends (ε, δ) to the last bit."""

    key = "coin"
    name = "Coin"
    family = "coin"

    def guarantee(self, problem, budget):
        return Guarantee(
            budget.epsilon, budget.delta, Notion.APPROXIMATE, Standing.PROVED, budget.adjacency, ""
        )

    def calibrate(self, problem, budget):
        return Noise(1.0, "people", "")

    def sample(self, problem, budget, rng, trials, keep):
        present = problem.n > N
        honest = budget.delta + (1 - budget.delta) / (1 + exp(-budget.epsilon))
        refused = (rng.random(trials) < honest) != present
        bases = np.repeat(np.eye(problem.d)[None, :, : problem.k], trials, axis=0)
        bases[refused] = np.nan
        return Release(bases, refused)


@pytest.mark.parametrize("level", [0.5, 0.95])
@pytest.mark.parametrize(
    ("mechanism", "budget", "d"),
    [
        (Coin(), Budget(1.0), 3),
        (Coin(), Budget(0.3, 0.05), 3),
        (Gaussian(), Budget(0.1, 0.01), 3),
        (MECHANISMS["laplace"], Budget(0.1), 2),
    ],
    ids=["coin", "coin with delta", "gaussian", "laplace"],
)
def test_few_of_many_audits_convict_what_spends_exactly_its_budget(mechanism, budget, d, level):
    audits = 200
    pair = worst_pair(mechanism, d, 1, N, budget)
    convicted = sum(
        audit(mechanism, pair, budget, releases=100, seed=seed, level=level).convicted
        for seed in range(audits)
    )
    assert convicted <= binom.isf(CERTAIN, audits, 1 - level)


@dataclass(frozen=True)
class Turncoat(Coin):
    """Tells whether the person is there in its first two calls, and lies in the next two."""

    calls: list[int] = field(default_factory=list)

    def sample(self, problem, budget, rng, trials, keep):
        self.calls.append(trials)
        refused = np.full(trials, (problem.n > N) == (len(self.calls) > 2))
        bases = np.repeat(np.eye(problem.d)[None, :, : problem.k], trials, axis=0)
        return Release(bases, refused)


def test_draws_that_are_tested_do_not_choose_and_those_that_choose_are_not_tested():
    mechanism = Turncoat()
    found = audited(mechanism, Budget(1.0), releases=500)
    assert mechanism.calls == [250] * 4
    assert found.true_positive_rate == 0
    assert found.false_positive_rate == 1
    assert found.epsilon_lower == 0


def certified():
    for key in MECHANISMS:
        for adjacency in Adjacency:
            budget = budget_of(key, adjacency=adjacency)
            pair = worst_pair(MECHANISMS[key], D, K, N, budget)
            promise = MECHANISMS[key].guarantee(pair.with_person, budget)
            if promise.notion is not Notion.NONE and promise.standing is not Standing.REFUTED:
                yield pytest.param(key, budget, pair, id=f"{key}-{adjacency}")


CERTIFIED = list(certified())


@pytest.mark.parametrize(("key", "budget", "pair"), CERTIFIED)
def test_every_certified_mechanism_is_acquitted(key, budget, pair):
    level = 1 - 0.05 / len(CERTIFIED)
    found = audit(MECHANISMS[key], pair, budget, releases=2000, level=level)
    assert not found.convicted
    assert found.level == level


# --- Convictions ---


@BOTH
@pytest.mark.parametrize("key", ["wishart_sn", "wishart_jiang"])
def test_one_wishart_matrix_breaks_its_claim(key, adjacency):
    """No accusation is ever wrong: the bound grows as ln(releases), 5.8 and 5.0 if one is added."""
    found = audited(MECHANISMS[key], Budget(1.0, 0.0, adjacency), releases=4000)
    assert found.claim_convicted
    assert found.false_positive_rate <= 0.01
    if adjacency is ADD:
        proofs, none = 1 - exp(-1 if key == "wishart_sn" else -1 / 3), 1 - 0.025 ** (1 / 2000)
        assert found.false_positive_rate == 0
        assert found.true_positive_rate == pytest.approx(proofs, abs=5 * sqrt(0.25 / 2000))
        assert found.epsilon_lower == pytest.approx(log(proofs / none), abs=0.2)
        assert found.statistic == (
            "The person is called absent where the smallest eigenvalue of the published matrix "
            "less the others and less the person is below 0."
        )


class HalfTheNoise(Gaussian):
    def calibrate(self, problem, budget):
        noise = super().calibrate(problem, budget)
        return replace(noise, scale=noise.scale / 2)


class TwiceEpsilon(Ppca):
    def sample(self, problem, budget, rng, trials, keep):
        doubled = replace(budget, epsilon=2 * budget.epsilon)
        return super().sample(problem, doubled, rng, trials, keep)


class OneRoundsNoise(Power):
    """Forgets that noise for L rounds is √L times as large."""

    def guarantee(self, problem, budget):
        return Coin().guarantee(problem, budget)

    def calibrate(self, problem, budget):
        one = gaussian_sigma(budget.epsilon, budget.delta, self.sensitivity(problem, budget))
        return Noise(one, "people", "σ")


@pytest.mark.parametrize(
    ("broken", "right", "budget", "k"),
    [
        (HalfTheNoise(), Gaussian(), Budget(1.0, 0.01), K),
        (HalfTheNoise(), Gaussian(), Budget(1.0, 0.01, REPLACE), K),
        (TwiceEpsilon(), Ppca(), Budget(2.0), K),
        (OneRoundsNoise(30), Power(30), Budget(1.0, 0.01, REPLACE), 1),
    ],
    ids=["gaussian", "gaussian, replaced", "ppca", "power"],
)
def test_what_is_broken_is_convicted(broken, right, budget, k):
    releases = 20_000 if right.key == "ppca" else 6_000
    assert audited(broken, budget, k=k, releases=releases).convicted
    assert not audited(right, budget, k=k, releases=releases).convicted


@pytest.mark.parametrize(
    ("key", "delta", "n", "least"),
    [
        ("gaussian", 0.01, N, 0.6),
        ("wishart_difference", 0.0, N, 0.33),
        ("ppca", 0.0, N, 0.3),
        ("laplace", 0.0, N, 0.15),
        ("gap_release", 0.01, 3000, 0.35),
        ("smooth_gaussian", 0.01, 3000, 0.5),
        ("power", 0.01, N, 0.05),
    ],
)
def test_attack_reaches_a_share_of_epsilon(key, delta, n, least):
    """With 20,000 releases at ε = 1; Gaussian noise allows 0.78 at the best threshold there is."""
    found = audited(MECHANISMS[key], Budget(1.0, delta), n=n, releases=20_000)
    assert least < found.epsilon_lower <= 1


def test_no_privacy_is_seen_at_once():
    found = audited(MECHANISMS["non_private"], Budget(1.0, 0.01), releases=1000)
    assert found.true_positive_rate == 1
    assert found.false_positive_rate == 0
    assert found.epsilon_lower > 4
    assert found.guarantee.epsilon == inf
    assert not found.convicted


# --- What so many releases can show ---


def coin(epsilon, delta, tested, rng, audits):
    """How often the leakiest mechanism shows something, and what on average: binomial counts."""
    wrong = (1 - delta) / (1 + exp(epsilon))
    accusations = rng.binomial(tested, [[1 - wrong], [wrong]], (2, audits))
    lower = clopper_pearson_lower(accusations[0], tested, 0.975)
    upper = clopper_pearson_upper(accusations[1], tested, 0.975)
    return (lower - delta > upper).mean()


@pytest.mark.parametrize(
    ("tested", "delta"), [(200, 0.0), (2000, 1e-6), (2000, 0.05), (50_000, 0.0)]
)
def test_below_the_least_epsilon_nothing_is_to_be_expected(tested, delta):
    """10,000 audits: half show something there, few at half of it, most at twice."""
    least, rng = least_shown(tested, delta, 0.95), np.random.default_rng(3)
    assert coin(least, delta, tested, rng, 10_000) == pytest.approx(0.5, abs=0.06)
    assert coin(least / 2, delta, tested, rng, 10_000) < 0.2
    assert coin(2 * least, delta, tested, rng, 10_000) > 0.9


def test_the_least_epsilon_falls_with_the_releases():
    found = [least_shown(tested, 0.0, 0.95) for tested in (1, 500, 2000, 10_000, 50_000)]
    assert found[0] == inf
    assert found[1:] == pytest.approx([0.180, 0.0887, 0.0394, 0.0176], rel=0.01)
    assert least_shown(2000, 0.0, 0.999) > found[2]


def test_what_gaussian_noise_shows_is_what_is_expected_of_it():
    """Ten audits at either δ: their mean within four standard errors."""
    for delta in (0.01, 1e-6):
        budget = Budget(1.0, delta)
        audits = [audited(Gaussian(), budget, 2, 1, releases=4000, seed=seed) for seed in range(10)]
        shown = [found.epsilon_lower for found in audits]
        error = 4 * np.std(shown, ddof=1) / sqrt(10)
        assert error < 0.2
        assert audits[0].most == pytest.approx(np.mean(shown), abs=error)
        assert any(found.decisive for found in audits)


def test_what_tells_all_shows_as_much_as_its_releases_allow():
    found = audited(MECHANISMS["non_private"], Budget(1.0, 0.01), releases=1000)
    assert found.most == pytest.approx(found.epsilon_lower)
    refuted = audited(MECHANISMS["wishart_sn"], Budget(1.0), releases=4000)
    assert refuted.most == pytest.approx(refuted.epsilon_lower, abs=0.2)
    assert most_shown(refuted.guarantee, 2000, 1.0, 0.95) == 0


def log_densities(key, moments, scale):
    """Of S + noise given S = 0, entry by entry where entries are independent, from SciPy."""
    upper = np.triu_indices(moments.shape[1])
    if key in ("laplace", "laplace_printed"):
        return laplace_law.logpdf(moments[:, *upper], scale=scale).sum(axis=1)
    spread = np.where(upper[0] == upper[1], *MECHANISMS[key].deviations(moments.shape[1])) * scale
    return norm.logpdf(moments[:, *upper], scale=spread).sum(axis=1)


@BOTH
@pytest.mark.parametrize(
    "key", ["gaussian", "analyze_gauss", "sulq", "mod_sulq", "laplace", "laplace_printed"]
)
def test_the_decisive_statistic_grows_with_the_likelihood_ratio(key, adjacency):
    budget = budget_of(key, 1.0, adjacency)
    pair = worst_pair(MECHANISMS[key], 4, 2, N, budget)
    release = MECHANISMS[key].release(
        pair.with_person, budget, np.random.default_rng(6), 300, keep="moment"
    )
    scale = MECHANISMS[key].calibrate(pair.with_person, budget).scale
    ratio = log_densities(key, release.moment - pair.with_person.moment, scale) - log_densities(
        key, release.moment - pair.without_person.moment, scale
    )
    _, found = statistics(release, pair)
    order = found[LIKELIHOOD[key]].argsort()
    assert (np.diff(ratio[order]) > -1e-7).all()


def test_what_an_attack_could_not_show_is_said_beside_the_verdict():
    """The findings: one Wishart matrix and Cauchy noise show nothing at 4,000 releases."""
    budget = Budget(1.0, 1e-6)
    for key, decisive in (("wishart", True), ("smooth_cauchy", False)):
        found = audited(MECHANISMS[key], budget, releases=4000)
        assert found.epsilon_lower == 0
        said = power(replace(found, decisive=decisive))
        assert said.startswith(
            "With 2,000 tested releases of each no attack can be expected to show less than "
            "ε\u00a0=\u00a00.0888; the mechanism easiest to attack of all that keep "
            "this promise shows about 0.9 on average. "
        )
        assert ("only more releases can show more" in said) == decisive
        assert ("A better attack than this one may show more" in said) != decisive
        assert verdict(found, "x") == (
            "Not convicted: the attack shows nothing, and ε\u00a0=\u00a01 is proved."
        )
    assert found.decisive is False
    assert "; Gaussian noise seen whole shows about 0.16 on average." in power(
        audited(Power(), budget, releases=4000)
    )
    few = audited(Gaussian(), Budget(1.0, 0.01), releases=2)
    assert power(few) == "With 1 tested releases of each no attack can show anything: take more."
    assert "Acquitted" in verdict(audited(Gaussian(), Budget(1.0, 0.01), releases=4000), "x")


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


def test_same_seed_same_audit():
    first, again, other = (
        audited(Gaussian(), Budget(1.0, 0.01), releases=600, seed=seed) for seed in (3, 3, 4)
    )
    assert first == again
    assert first != other


def test_progress_is_told_and_can_stop():
    shares = []
    whole = audited(Gaussian(), Budget(1.0, 0.01), releases=1001, on_progress=shares.append)
    assert whole.done == shares[-1] == 1
    assert len(shares) > 1
    assert shares == sorted(set(shares))
    stopped = audited(
        Gaussian(), Budget(1.0, 0.01), releases=1001, on_progress=lambda share: share < 0.4
    )
    assert stopped.done == min(share for share in shares if share >= 0.4)
    assert stopped.releases == round(stopped.done * 1001)
    short = audited(Gaussian(), Budget(1.0, 0.01), releases=stopped.releases)
    assert replace(short, done=stopped.done) == stopped


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"releases": 1}, "Ask for at least two releases, not 1."),
        ({"level": 1.0}, "The level must be between 0 and 1, not 1.0."),
        ({"budget": Budget(1.0, 0.01, REPLACE)}, "The pair and the budget mean different neigh"),
        ({"budget": Budget(1.0)}, "Gaussian noise needs δ > 0"),
    ],
)
def test_bad_audit_is_refused_in_one_sentence(asked, sentence):
    budget = Budget(1.0, 0.01)
    pair = worst_pair(Gaussian(), D, K, N, budget)
    with pytest.raises(ValueError, match=sentence) as caught:
        audit(Gaussian(), pair, **{"budget": budget, **asked})
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("d", "k", "n", "sentence"),
    [
        (5, 2, 12, "12 people are too few to audit k = 2 of d = 5; take 13 or more."),
        (5, 5, N, "k must be a whole number from 1 to 4, not 5."),
        (5, 0, N, "k must be a whole number from 1 to 4, not 0."),
    ],
)
def test_bad_pair_is_refused_in_one_sentence(d, k, n, sentence):
    with pytest.raises(ValueError, match=sentence):
        worst_pair(Gaussian(), d, k, n, Budget(1.0, 0.01))


# --- The data sets and the attack ---


@CENTRAL
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


def test_joint_ppca_can_be_audited_where_a_tie_would_stop_it():
    budget = Budget(1.0)
    pair = worst_pair(Ppca(), 20, 5, 2000, budget)
    assert Ppca().calibrate(pair.with_person, budget) == Ppca().calibrate(
        pair.without_person, budget
    )


@BOTH
@pytest.mark.parametrize("d", [2, 5, 12, 50])
def test_the_pair_for_laplace_moves_the_triangle_far(d, adjacency):
    pair = worst_pair(MECHANISMS["laplace"], d, 1, N, Budget(1.0, 0.0, adjacency))
    moved = np.abs(np.triu(pair.with_person.moment - pair.without_person.moment)).sum()
    least = 1 if adjacency is ADD else 0.95
    assert least <= moved / upper_triangle_l1(d, adjacency) * (1 + 1e-9) <= 1 + 1e-6


@BOTH
def test_likelihood_ratios_are_those_of_scipy(adjacency):
    """Up to a factor and a constant, which do not matter to a threshold."""
    mechanism = MECHANISMS["laplace"]  # any: only its pair is used
    pair = worst_pair(mechanism, 3, 1, N, Budget(1.0, 0.0, adjacency))
    noise = wishart(9, np.eye(3)).rvs(50, random_state=np.random.default_rng(1)) + 2 * np.eye(3)
    release = Release(np.empty(0), np.empty(0), moment=pair.with_person.moment + noise)
    names, found = statistics(release, pair)
    assert names == OF_MATRIX
    present, absent = noise, release.moment - pair.without_person.moment
    upper = np.triu_indices(3)

    def laplace_density(matrices):
        return laplace_law.logpdf(matrices[:, *upper]).sum(axis=1)

    np.testing.assert_allclose(
        found[1], laplace_density(present) - laplace_density(absent), atol=1e-9
    )
    density = wishart(9, np.eye(3)).logpdf
    ratio = density(np.moveaxis(present, 0, -1)) - density(np.moveaxis(absent, 0, -1))
    fit = np.polynomial.Polynomial.fit(found[4], ratio, 1)
    np.testing.assert_allclose(fit(found[4]), ratio, atol=1e-8)
    np.testing.assert_allclose(found[2], np.linalg.eigvalsh(present)[:, 0], atol=1e-9)


def test_a_refusal_is_something_to_look_at():
    pair = worst_pair(MECHANISMS["gap_release"], D, K, N, Budget(1.0, 0.01))
    bases = np.stack([pair.with_person.basis, np.full((D, K), np.nan)])
    _, values = statistics(Release(bases, np.array([False, True])), pair)
    np.testing.assert_array_equal(values[2], [1, 0])
    assert np.isfinite(values[:, 0]).all()
    assert (values[:2, 1] == -inf).all()


@pytest.mark.parametrize("of_presence", [True, False])
@pytest.mark.parametrize("above", [True, False])
def test_the_best_attack_is_found(above, of_presence):
    """Of two statistics the second tells: one data set is at 2, the other at 1."""
    rng = np.random.default_rng(2)
    two, one = (np.stack([rng.random(100), np.full(100, at)]) for at in (2.0, 1.0))
    present, absent = (two, one) if above == of_presence else (one, two)
    attack = best_attack(present, absent, lambda right, wrong: right - wrong)
    assert attack.index == 1
    assert attack.accusations(present, absent) == (100, 0)
    wanted = Attack(1, 2.0, above, of_presence)
    assert wanted.accusations(present, absent) == (100, 0)
    assert wanted.accusations(absent, present) == (0, 100)


def test_an_audit_that_would_not_end_is_a_sentence(monkeypatch):
    """All visitors' audits take turns: a draw without an end would keep everybody out."""
    monkeypatch.setattr(exponential, "MOST_PROPOSALS", 0.0)
    budget = Budget(1.0)
    pair = worst_pair(MECHANISMS["ppca"], 6, 2, 100, budget)
    with pytest.raises(NotDrawnInTime, match="Not drawn in time"):
        audit(MECHANISMS["ppca"], pair, budget, releases=10, seed=0)
