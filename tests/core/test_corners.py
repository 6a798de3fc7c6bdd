"""What is published by whom, and the corners of what may be asked: on ordinary data and on none.

Nothing here is statistical. Warnings are errors in this suite, so none of it overflows unseen.
"""

from itertools import product

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Notion, Problem
from dpca_core.linalg.symmetric import rows_with_sum
from dpca_core.privacy.budget import LEAST_DELTA, LEAST_EPSILON, MOST_EPSILON, NotDrawnInTime

EVERY = pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=MECHANISMS)
SLOW = ("ppca_gibbs", "local_sparse", "smooth_gaussian")
_S = np.diag([400.0, 250.0, 120.0, 90.0, 40.0])
ORDINARY = Problem.from_moment(_S, 1000, 2).with_rows(rows_with_sum(_S))
ODD = {
    "nobody there": ([0.0, 0.0, 0.0, 0.0], 10), "one row": ([1.0, 0.0, 0.0], 1),
    "ties": ([100.0, 100.0, 100.0, 100.0], 1000), "rank one": ([500.0, 0.0, 0.0], 1000),
    "two columns": ([30.0, 20.0], 100), "many people": ([3e8, 2e8, 1e5], 1e9),
}  # fmt: skip
PROMISING = pytest.mark.parametrize(
    "mechanism",
    [
        m
        for m in MECHANISMS.values()
        if m.guarantee(ORDINARY, Budget(0.5, 1e-6)).notion is not Notion.NONE
    ],
    ids=lambda m: m.key,
)
CORNERS = list(product((LEAST_EPSILON, MOST_EPSILON), (0.0, float(LEAST_DELTA), 1 - 1e-9)))


def problems():
    """Degenerate data at k = 1 and k = d − 1, beside ordinary ones."""
    yield ORDINARY
    for values, n in ODD.values():
        for k in sorted({1, len(values) - 1}):
            yield Problem.from_moment(np.diag(values), n, k)


def outcome(mechanism, problem, budget):
    """Refusal, or that all is as it should be."""
    try:
        guarantee = mechanism.guarantee(problem, budget)
        noise = mechanism.calibrate(problem, budget)
        few = 1 if mechanism.key in SLOW else 2
        release = mechanism.release(problem, budget, np.random.default_rng(1), few)
    except NotDrawnInTime:
        raise AssertionError("A release is no simulation.") from None
    except InfeasibleBudget as refusal:
        return str(refusal)
    assert guarantee.epsilon >= 0
    assert 0 <= guarantee.delta <= 1
    assert noise.scale >= 0
    bases = release.bases[~release.refused]
    gram = bases.swapaxes(1, 2) @ bases
    np.testing.assert_allclose(gram, np.broadcast_to(np.eye(problem.k), gram.shape), atol=1e-9)
    return "released"


@EVERY
@pytest.mark.parametrize("adjacency", Adjacency)
def test_every_mechanism_serves_or_refuses_the_corners_of_what_may_be_asked(mechanism, adjacency):
    for epsilon, delta in CORNERS:
        budget = Budget(epsilon, delta, adjacency)
        for problem in problems():
            outcome(mechanism, problem, budget)


@PROMISING
def test_a_refusal_is_decided_by_columns_directions_and_budget_alone(mechanism):
    """The same d and k, quite other data: the same answer, to the letter.

    Of what promises something: a printed power method counts its rounds on the eigengap.
    """
    data = [np.zeros(4), np.full(4, 100.0), np.array([500.0, 0, 0, 0]), np.array([9.0, 8, 2, 1])]
    for (epsilon, delta), k in product([*CORNERS, (0.5, 0.0), (0.5, 1e-6), (3.0, 1e-6)], (1, 3)):
        outcomes = {
            outcome(
                mechanism, Problem.from_moment(np.diag(values), 1000, k), Budget(epsilon, delta)
            )
            for values in data
        }
        assert len(outcomes) == 1


@pytest.mark.parametrize("epsilon", [5e-324, LEAST_EPSILON / 2, 2 * MOST_EPSILON, 1e300, 0.0, -1.0])
def test_an_absurd_epsilon_is_refused_in_one_sentence(epsilon):
    with pytest.raises(ValueError, match=r"^ε must be ") as said:
        Budget(epsilon)
    assert str(said.value).endswith(".")
    assert "\n" not in str(said.value)


@pytest.mark.parametrize("delta", [5e-324, float(LEAST_DELTA) / 2, 1.0, -1e-9, float("nan")])
def test_an_absurd_delta_is_refused_in_one_sentence(delta):
    with pytest.raises(ValueError, match=r"^δ must be ") as said:
        Budget(1.0, delta)
    assert str(said.value).endswith(".")


@EVERY
def test_who_publishes_a_matrix_says_so(mechanism):
    budget = Budget(0.5, 1e-3)
    release = mechanism.release(ORDINARY, budget, np.random.default_rng(2), 1, keep="moment")
    assert mechanism.publishes_matrix == (release.moment is not None)


@EVERY
def test_a_simulation_is_a_release_where_it_is_drawn(mechanism):
    budget = Budget(0.5, 1e-3)
    first, second = (
        draw(ORDINARY, budget, np.random.default_rng(3), 1).bases
        for draw in (mechanism.simulate, mechanism.release)
    )
    np.testing.assert_array_equal(first, second)
