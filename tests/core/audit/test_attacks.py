"""Attacks: the decisive statistic of each mechanism, and the choice of the best."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import laplace as laplace_law
from scipy.stats import norm, wishart

from dpca_core import (
    MECHANISMS,
    Budget,
    Release,
)
from dpca_core.audit.attacks import (
    OF_MATRIX,
    Attack,
    _likelihood_ratio,
    best_attack,
    statistics,
)
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.mechanisms.noise_on_s import Gaussian
from dpca_core.mechanisms.power import Power
from tests.core.audit.audited import BOTH, SURE, N, audited, budget_of
from ui.claims.audit_text import audit_power, audit_verdict


def log_densities(key, moments, scale):
    """Of S + noise given S = 0, entry by entry where entries are independent, from SciPy."""
    upper = np.triu_indices(moments.shape[1])
    if key == "laplace":
        return laplace_law.logpdf(moments[:, *upper], scale=scale).sum(axis=1)
    spread = np.where(upper[0] == upper[1], *MECHANISMS[key].law.std(moments.shape[1])) * scale
    return norm.logpdf(moments[:, *upper], scale=spread).sum(axis=1)


@BOTH
@pytest.mark.parametrize("key", ["gaussian", "analyze_gauss", "laplace"])
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
    statistic = _likelihood_ratio(MECHANISMS[key], adjacency)
    order = found[OF_MATRIX.index(statistic)].argsort()
    assert (np.diff(ratio[order]) > -1e-7).all()


@pytest.mark.chance(2e-8)
def test_what_an_attack_could_not_show_is_said_beside_the_verdict():
    """The findings: one Wishart matrix and Cauchy noise show nothing at 4,000 releases."""
    budget = Budget(1.0, 1e-6)
    for key, decisive in (("wishart", True), ("smooth_cauchy", False)):
        found = audited(MECHANISMS[key], budget, releases=4000, level=SURE)
        assert found.epsilon_lower == 0
        said = audit_power(replace(found, level=0.95, is_optimal=decisive))
        assert "an ε below 0.0888 cannot be expected to show" in said
        assert "easiest to attack among all with this guarantee shows about 0.9" in said
        assert ("only more releases can show more" in said) == decisive
        assert ("A better attack than this one may show more" in said) != decisive
        assert "the attack shows nothing, and ε\u00a0=\u00a01 is proved" in audit_verdict(
            found, "x"
        )
    assert found.is_optimal is False
    power = audit_power(audited(Power(), budget, releases=4000))
    assert "Gaussian noise observed directly shows about 0.16 on average" in power
    few = audited(Gaussian(), Budget(1.0, 0.01), releases=2)
    assert "no attack can show anything: choose more releases" in audit_power(few)
    assert "Consistent" in audit_verdict(audited(Gaussian(), Budget(1.0, 0.01), releases=4000), "x")


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
