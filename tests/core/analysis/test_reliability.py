"""Which directions can be relied on: against brute force, laws, and simulations apart."""

from itertools import combinations, pairwise, product

import numpy as np
import pytest

from dpca_core import Budget, Problem
from dpca_core.analysis import reliability
from dpca_core.analysis.expected_spectrum import expected_spectrum
from dpca_core.analysis.order_statistics import lower_bound
from dpca_core.analysis.reliability import Goal, PlannedReleases, Reliability, agreement, judged
from dpca_core.linalg.symmetric import orthonormal, top_basis
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.metrics import principal_angles
from dpca_core.simulation.trials import TrialDraws

RELIABLE, RECOGNISABLE, TOGETHER, LOST, UNKNOWN = Reliability
BOTH = pytest.mark.parametrize("ordered", [True, False])
SPECTRA = [
    [900.0, 890.0, 500.0, 495.0, 100.0, 50.0, 0.0],
    [900.0, 897.0, 893.0, 300.0, 100.0, 50.0, 0.0],
    [900.0, 700.0, 500.0, 300.0, 100.0, 50.0, 0.0],
    [900.0, 600.0, 410.0, 400.0, 395.0, 50.0, 0.0],
]


def turned(values, k):
    """A problem with these eigenvalues and directions of no special kind."""
    axes = orthonormal(np.random.default_rng(0).standard_normal((len(values),) * 2))
    return Problem.from_spectrum(np.array(values), 1e4, k, axes)


def noisy(problem, noise):
    """60 bases of S + noise, each with signs at random."""
    rng = np.random.default_rng(1)
    e = rng.standard_normal((60, problem.d, problem.d))
    bases = top_basis(problem.moment + noise * (e + e.swapaxes(1, 2)), problem.k)
    return bases * rng.choice([-1.0, 1.0], size=(60, 1, problem.k))


def levels(found):
    return [direction.level for direction in found.directions]


def naive(k, bound):
    """Levels, blocks and goals reached, as defined in words, for directions without ties."""
    alone = [bound(j, j + 1) for j in range(k)]
    found = [RELIABLE if b >= 0.95 else RECOGNISABLE if b >= 0.85 else LOST for b in alone]
    blocks = [None] * k
    for size in range(2, k + 1):
        for start in range(k - size + 1):
            some = slice(start, start + size)
            free = set(found[some]) == {LOST} and not any(blocks[some])
            if free and bound(start, start + size) >= 0.95:
                blocks[some] = [(start + 1, start + size)] * size
    together = [TOGETHER if block else level for block, level in zip(blocks, found, strict=True)]

    def holds(start, stop):
        alike = stop == start + 1 or RELIABLE not in found[start:stop]
        return alike and bound(start, stop) >= 0.95

    ways = [(0, *cuts, k) for n in range(k) for cuts in combinations(range(1, k), n)]
    first = {Goal.FIRST} if any(holds(0, stop) for stop in range(1, k + 1)) else set()
    every = any(all(holds(*part) for part in pairwise(way)) for way in ways)
    return together, blocks, first | ({Goal.ALL} if every else set())


def test_levels_blocks_and_goals_are_those_of_the_definition():
    """By angles between spans; without an order any basis of a span is the same."""
    seen, goals, rng = set(), set(), np.random.default_rng(4)
    for values, noise, k in product(SPECTRA, (0.3, 2.0, 8.0, 20.0, 60.0), (1, 2, 4, 5, 7)):
        problem = turned(values, k)
        bases = noisy(problem, noise)

        def bound(start, stop, problem=problem, bases=bases):
            angles = principal_angles(problem.eigenvectors[:, start:stop], bases[:, :, start:stop])
            return lower_bound(np.cos(angles[:, -1]), 0.9) or 0.0

        cosines = agreement(problem, bases)
        plan = reliability.judged_plan(problem, cosines, ordered=True)
        found = judged(problem, cosines, ordered=True)
        blocks = [direction.block for direction in found.directions]
        assert (levels(found), blocks, plan.reached) == naive(k, bound)
        assert plan.directions == found.directions
        assert [direction.number for direction in found.directions] == list(range(1, k + 1))
        assert judged(problem.scaled(1e5), cosines, ordered=True) == found, "people do not count"
        mixed = agreement(problem, bases @ orthonormal(rng.standard_normal((60, k, k))))
        span = judged(problem, mixed, ordered=False)
        assert span.span_bound == pytest.approx(bound(0, k), rel=1e-9)
        if k == 1:
            assert span.directions == found.directions, "one direction needs no order"
        else:
            together = span.span_bound >= 0.95
            assert levels(span) == [TOGETHER if together else LOST] * k
            assert {each.block for each in span.directions} == {(1, k) if together else None}
        seen.update(levels(found))
        goals.add(plan.reached)
    assert seen == set(Reliability) - {UNKNOWN}
    assert len(goals) == 3


@pytest.mark.parametrize(
    ("cosine", "level"),
    [(0.95, RELIABLE), (0.9499, RECOGNISABLE), (0.85, RECOGNISABLE), (0.8499, LOST)],
)
def test_the_levels_begin_at_95_and_85_hundredths_and_are_unknown_of_28_releases(cosine, level):
    problem, cosines = turned(SPECTRA[0], 1), np.full((29, 1, 1), -cosine)
    found = judged(problem, cosines, ordered=True)
    assert (levels(found), found.span, found.span_bound) == ([level], level, cosine)
    few = judged(problem, cosines[:28], ordered=True)
    assert (levels(few), few.span, few.span_bound) == ([UNKNOWN], UNKNOWN, None)


@BOTH
def test_a_refused_release_misses(ordered):
    """Of 200 twelve may miss."""
    problem, cosines = turned(SPECTRA[0], 3), np.tile(np.eye(3), (200, 1, 1))
    for refused, span, bound in ((12, RELIABLE, 1), (13, LOST, None), (200, LOST, None)):
        cosines[:refused] = np.nan
        found = judged(problem, cosines, ordered=ordered)
        assert (found.span, found.span_bound) == (span, bound)
        assert set(levels(found)) == {span if ordered or span is LOST else TOGETHER}


@BOTH
def test_directions_of_a_tie_stand_or_fall_together(ordered):
    """PCA without privacy repeats the solver's choice: the same every time, and still arbitrary.

    Where the tie reaches past k not even the span is defined.
    """
    spectra = [9.0, 5.0, 5.0, 5.0, 1.0], [9.0, 7.0, 5.0, 5.0, 5.0], [0.0] * 5
    problems = [Problem.from_moment(np.diag(spectrum), 100, 4) for spectrum in spectra]
    same = np.tile(np.eye(4), (40, 1, 1))
    tied, past_k, nothing = (judged(at, same, ordered=ordered) for at in problems)
    assert [each.span for each in (tied, past_k, nothing)] == [RELIABLE, LOST, LOST]
    assert levels(tied) == ([RELIABLE] if ordered else [TOGETHER]) + [TOGETHER] * 3
    assert {each.block for each in tied.directions[1:]} == {(2, 4) if ordered else (1, 4)}
    assert {each.bound for each in tied.directions[1:]} == {None}
    assert levels(past_k) == [RELIABLE if ordered else LOST] * 2 + [LOST] * 2
    assert levels(nothing) == [LOST] * 4


def test_a_plan_is_what_releases_at_any_budget_show_with_that_noise_over_people():
    shares, people = expected_spectrum((0.36, 0.12, 0.115, 0.07), 12), 4000
    budget, plan = Budget(0.3, 1e-9), PlannedReleases(DEFAULT, shares, 4)
    problem = Problem.from_spectrum(shares * people, people, 4, np.eye(12))
    noise = DEFAULT.calibrate(problem, budget).scale / people
    assert noise == plan.scale(budget) / people
    assert list(plan.steps_at(noise))
    draws = TrialDraws(DEFAULT, 0, range(reliability.RELEASES_JUDGED))
    cosines = agreement(problem, draws.release(problem, budget).bases)
    found, expected = plan.at(noise), judged(problem, cosines, ordered=True)
    assert levels(found) == levels(expected)
    assert found.span_bound == pytest.approx(expected.span_bound)
    own = np.abs(np.diagonal(cosines, axis1=1, axis2=2))
    for direction, cosine in zip(found.directions, own.T, strict=True):
        shares = direction.held, direction.recognised
        assert shares == pytest.approx(((cosine >= 0.95).mean(), (cosine >= 0.85).mean()))
