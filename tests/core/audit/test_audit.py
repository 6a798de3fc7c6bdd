"""An audit: repeatable, stoppable, and refused in one sentence where it cannot be."""

from dataclasses import replace
from math import inf, log

import numpy as np
import pytest
from scipy.stats import binomtest

from dpca_core import (
    MECHANISMS,
    Budget,
    Release,
)
from dpca_core.audit.attacks import statistics
from dpca_core.audit.audit import audit
from dpca_core.audit.audited_pair import worst_pair
from dpca_core.mechanisms import exponential
from dpca_core.mechanisms.gaussian import Gaussian
from dpca_core.privacy.budget import NotDrawnInTime
from tests.core.audit.audited import REPLACE, D, K, N, audited

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
        ({"budget": Budget(1.0)}, "Gaussian noise needs δ > 0"),
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
    monkeypatch.setattr(exponential, "MOST_PROPOSALS", 0.0)
    budget = Budget(1.0)
    pair = worst_pair(MECHANISMS["ppca"], 6, 2, 100, budget)
    with pytest.raises(NotDrawnInTime, match="Not drawn in time"):
        audit(MECHANISMS["ppca"], pair, budget, releases=10, seed=0)
