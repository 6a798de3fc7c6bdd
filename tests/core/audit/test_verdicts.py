"""Verdicts: no false convictions, and convictions of what is broken.

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
from scipy.stats import binom

from dpca_core import (
    MECHANISMS,
    Adjacency,
    Budget,
    Guarantee,
    Mechanism,
    Noise,
    Notion,
    Release,
    Standing,
)
from dpca_core.audit.audit import audit
from dpca_core.audit.audited_pair import worst_pair
from dpca_core.mechanisms.exponential import Ppca
from dpca_core.mechanisms.gaussian import Gaussian
from dpca_core.mechanisms.power import Power
from dpca_core.privacy.gaussian import gaussian_sigma
from tests.core.audit.audited import ADD, BOTH, REPLACE, D, K, N, audited, budget_of

CERTAIN = 1e-6


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
            "The attacker calls the person absent where the smallest eigenvalue of the published "
            "matrix minus the others and the person is below 0."
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
