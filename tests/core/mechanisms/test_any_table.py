"""What depends on public settings alone: whether a release is made, and what it promises."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Problem
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import guarantee
from tests.cases import sampled

K = 2
EXTREMES = {
    "nobody": np.zeros((0, 5)),
    "all at the origin": np.zeros((7, 5)),
    "one person": np.eye(5)[:1],
    "equal eigenvalues": np.vstack([np.eye(5)] * 40),
    "one direction": np.outer(np.ones(50), np.ones(5) / np.sqrt(5)),
    "tiny": np.full((20, 5), 1e-170),
    "many": np.vstack([np.eye(5)[:3]] * 30_000),
}
RELATIONS = [(key, adjacency) for key in MECHANISMS for adjacency in Adjacency]


def outcome(mechanism, rows, share, budget):
    """Refused with its message, or released: then as a basis, or as a refusal that is random."""
    data = Dataset("", "x", "x", rows, tuple("abcde"), mean_share=share)
    problem, left = data.point(K, None, budget)
    try:
        release = mechanism.release(problem, left, np.random.default_rng(0))
    except InfeasibleBudget as refused:
        return str(refused)
    if release.refused[0]:
        return "released" if mechanism.key == "gap_release" else "refused after looking"
    basis = release.bases[0]
    np.testing.assert_allclose(basis.T @ basis, np.eye(K), atol=1e-8)
    return "released"


@pytest.mark.parametrize(
    ("key", "adjacency"), sampled(RELATIONS, 5, "every mechanism by both relations")
)
def test_whether_something_is_released_depends_on_public_settings_only(key, adjacency):
    mechanism = MECHANISMS[key]
    for epsilon, delta in ((1e-3, 0.0), (0.1, 1e-6), (20.0, 1e-9)):
        budget = Budget(epsilon, delta, adjacency)
        try:
            if not guarantee(mechanism, 5, K, budget).proved:
                continue
        except InfeasibleBudget:
            pass  # Then no table has a release.
        for share in (0.0, 0.3):
            found = {outcome(mechanism, rows, share, budget) for rows in EXTREMES.values()}
            assert len(found) == 1, found


@pytest.mark.parametrize("key", [k for k, m in MECHANISMS.items() if m.family != "baseline"])
def test_a_guarantee_is_that_of_every_table(key):
    """The stand-in's, for tables of every size and spectrum, to rounding of the last digit."""
    mechanism, rng = MECHANISMS[key], np.random.default_rng(3)
    for budget in (Budget(0.3, 1e-6), Budget(3.0, 1e-9, Adjacency.REPLACE_ONE)):
        try:
            public = guarantee(mechanism, 5, K, budget)
        except InfeasibleBudget:
            continue
        for _ in range(4):
            values = np.sort(10 ** rng.uniform(-3, 6, 5))[::-1]
            problem = Problem.from_moment(np.diag(values), values.sum() * 2, K)
            own = mechanism.guarantee(problem, budget)
            assert own.epsilon == pytest.approx(public.epsilon, rel=1e-9)
            assert own.delta == pytest.approx(public.delta, rel=1e-9)
            assert (own.standing, own.notion, own.erratum) == (
                *(public.standing, public.notion, public.erratum),
            )
