"""A guarantee once the rows that it sees have been prepared."""

from dataclasses import replace
from math import inf

import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Notion, Problem, Standing
from dpca_core.privacy.budget import with_preparation

PROBLEM = Problem.from_spectrum([40.0, 20.0, 5.0], 100, 1)


def promised(key, budget, share, **options):
    """The mechanism's guarantee at what the mean leaves, and both together."""
    left = budget.split(share)[1] if share else budget
    alone = MECHANISMS[key].guarantee(PROBLEM, left)
    return alone, with_preparation(alone, budget, mean_share=share, **options)


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("key", ["gaussian", "wishart_difference", "wishart_sn"])
def test_a_private_mean_adds_its_part_of_epsilon_and_of_delta(key, adjacency):
    budget = Budget(0.8, 1e-4, adjacency)
    alone, both = promised(key, budget, 0.05)
    assert both.epsilon == pytest.approx(alone.epsilon + 0.05 * 0.8)
    assert both.delta == pytest.approx(alone.delta + 0.05 * 1e-4)
    assert (both.notion, both.adjacency) == (Notion.APPROXIMATE, adjacency)
    assert (both.standing, both.erratum) == (alone.standing, alone.erratum)
    assert "private mean" in both.source
    if key == "gaussian":
        assert both.meets(budget)
        assert not both.meets(replace(budget, delta=0.975e-4))


def test_without_a_mean_or_a_promise_nothing_is_added():
    for key, share in (("gaussian", 0.0), ("non_private", 0.3)):
        alone, both = promised(key, Budget(0.8, 1e-4), share, selects_rows=True)
        assert both == alone


@pytest.mark.parametrize(("share", "selects"), [(0.2, False), (0.0, True)])
def test_a_local_promise_is_lost_to_a_mean_or_to_who_reports(share, selects):
    _, both = promised("local_gaussian", Budget(2.0, 1e-3), share, selects_rows=selects)
    assert (both.epsilon, both.notion, both.standing) == (inf, Notion.NONE, Standing.NONE)
    assert ("public ranges" if share else "keep rows with missing values") in both.erratum
