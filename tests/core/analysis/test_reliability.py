"""Which directions can be relied on: against brute force, laws, and simulations apart."""

from dataclasses import replace
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.analysis.expected_spectrum import expected_spectrum
from dpca_core.analysis.order_statistics import lower_bound
from dpca_core.analysis.reliability import (
    MOST_PLANNED_COLUMNS,
    RELEASES_JUDGED,
    Goal,
    PlannedReleases,
    PlannedReliability,
    Reliabilities,
    Reliability,
    agreement,
    judged,
    judged_plan,
    simulated,
)
from dpca_core.data.mean_direction import MOSTLY, offset_shares
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal, top_basis
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT, PURE_DEFAULT
from dpca_core.metrics import principal_angles
from dpca_core.simulation.draws import TrialDraws
from sample_data import load_key

RELIABLE, RECOGNISABLE, TOGETHER, LOST, UNKNOWN = Reliability
BOTH = pytest.mark.parametrize("ordered", [True, False])
SPECTRA = {
    "pairs": [900.0, 890.0, 500.0, 495.0, 100.0, 50.0, 0.0],
    "triple": [900.0, 897.0, 893.0, 300.0, 100.0, 50.0, 0.0],
    "apart": [900.0, 700.0, 500.0, 300.0, 100.0, 50.0, 0.0],
    "last": [900.0, 600.0, 410.0, 400.0, 395.0, 50.0, 0.0],
}


def turned(values: list[float], k: int, seed: int = 0) -> Problem:
    """A problem with these eigenvalues and directions of no special kind."""
    axes = orthonormal(np.random.default_rng(seed).standard_normal((len(values),) * 2))
    return Problem.from_moment((axes * values) @ axes.T, 1e4, k)


def noisy(problem: Problem, noise: float, trials: int, seed: int = 1) -> Array:
    """Bases of S + noise, each with signs at random."""
    rng = np.random.default_rng(seed)
    e = rng.standard_normal((trials, problem.d, problem.d))
    bases = top_basis(problem.moment + noise * (e + e.swapaxes(1, 2)), problem.k)
    return bases * rng.choice([-1.0, 1.0], size=(trials, 1, problem.k))


def reliability(problem: Problem, bases: Array, *, ordered: bool) -> Reliabilities:
    return judged(problem, agreement(problem, bases), ordered=ordered)


def levels(found: Reliabilities) -> list[Reliability]:
    return [direction.level for direction in found.directions]


def naive(problem: Problem, bases: Array) -> list[tuple[Reliability, tuple[int, int] | None]]:
    """The definition in words, for directions without ties: subsets, angles, one at a time."""

    def bound(first: int, last: int) -> float:
        block = slice(first, last + 1)
        angles = principal_angles(problem.eigenvectors[:, block], bases[:, :, block])
        return lower_bound(np.cos(angles[:, -1]), 0.9) or 0.0

    alone = [bound(j, j) for j in range(problem.k)]
    lost = {j for j, value in enumerate(alone) if value < 0.85}
    block: dict[int, tuple[int, int]] = {}
    for size in range(2, problem.k + 1):
        for numbers in combinations(range(problem.k), size):
            neighbours = numbers[-1] - numbers[0] == size - 1
            free = lost.issuperset(numbers) and not block.keys() & set(numbers)
            if neighbours and free and bound(numbers[0], numbers[-1]) >= 0.95:
                block |= dict.fromkeys(numbers, (numbers[0] + 1, numbers[-1] + 1))
    return [
        (TOGETHER, block[j])
        if j in block
        else (LOST if j in lost else RELIABLE if value >= 0.95 else RECOGNISABLE, None)
        for j, value in enumerate(alone)
    ]


def test_levels_and_blocks_are_those_of_the_definition() -> None:
    seen = set()
    for values, noise, k in product(SPECTRA.values(), (0.3, 2.0, 8.0, 20.0, 60.0), (1, 2, 4, 5)):
        problem = turned(values, k)
        bases = noisy(problem, noise, 60)
        found = reliability(problem, bases, ordered=True)
        assert [(d.level, d.block) for d in found.directions] == naive(problem, bases)
        assert [d.number for d in found.directions] == list(range(1, k + 1))
        scaled = reliability(problem.scaled(10 * problem.n), bases, ordered=True)
        assert scaled == found, "people do not count but by the noise"
        seen |= set(levels(found))
    assert seen == set(Reliability) - {UNKNOWN}


@pytest.mark.parametrize(
    ("cosine", "level"),
    [(0.9501, RELIABLE), (0.9499, RECOGNISABLE), (0.8501, RECOGNISABLE), (0.8499, LOST)],
)
def test_the_levels_begin_at_95_and_85_hundredths(cosine: float, level: Reliability) -> None:
    problem = Problem.from_moment(np.diag([9.0, 5.0, 1.0]), 100, 1)
    basis = np.array([[cosine], [0.0], [-np.sqrt(1 - cosine**2)]])
    found = reliability(problem, np.repeat(basis[None], 29, axis=0), ordered=True)
    assert levels(found) == [level]
    assert found.span is level
    assert found.span_bound == pytest.approx(cosine, rel=1e-12)


def test_without_an_order_any_basis_of_the_span_is_the_same() -> None:
    problem = turned(SPECTRA["apart"], 3)
    bases = noisy(problem, 8.0, 60)
    mixed = bases @ orthonormal(np.random.default_rng(4).standard_normal((60, 3, 3)))
    flipped = bases * np.random.default_rng(3).choice([-1.0, 1.0], size=(60, 1, 3))
    signs = [levels(reliability(problem, b, ordered=True)) for b in (bases, flipped)]
    assert signs[0] == signs[1], "signs never count"
    one, other = (reliability(problem, b, ordered=False) for b in (bases, mixed))
    assert levels(one) == levels(other) == [TOGETHER] * 3
    assert {d.block for d in other.directions} == {(1, 3)}
    assert one.span_bound == pytest.approx(other.span_bound, rel=1e-12)
    assert levels(reliability(problem, mixed, ordered=True)) != [RELIABLE] * 3
    assert levels(reliability(problem, noisy(problem, 100.0, 60), ordered=False)) == [LOST] * 3
    single = turned(SPECTRA["apart"], 1)
    first = noisy(single, 20.0, 60)
    one, other = (reliability(single, first, ordered=o) for o in (True, False))
    assert one.directions == other.directions, "one direction needs no order"


# --- Few, refused, tied ---


def test_with_few_releases_nothing_is_known() -> None:
    problem = turned(SPECTRA["apart"], 3)
    bases = noisy(problem, 0.01, 29)
    assert levels(reliability(problem, bases[:28], ordered=True)) == [UNKNOWN] * 3
    assert reliability(problem, bases[:28], ordered=False).span is UNKNOWN
    assert levels(reliability(problem, bases, ordered=True)) == [RELIABLE] * 3


@BOTH
def test_a_refused_release_misses(ordered: bool) -> None:
    """Of 200 twelve may miss."""
    problem = turned(SPECTRA["apart"], 3)
    bases = noisy(problem, 0.01, 200)
    bases[:12] = np.nan
    assert reliability(problem, bases, ordered=ordered).span is RELIABLE
    for refused in (13, 200):
        bases[:refused] = np.nan
        found = reliability(problem, bases, ordered=ordered)
        assert found.span is LOST
        assert found.span_bound is None
        assert levels(found) == [LOST] * 3


def test_directions_of_a_tie_are_not_defined_one_by_one() -> None:
    """PCA without privacy repeats the solver's choice: the same every time, and still arbitrary."""
    problem = Problem.from_moment(np.diag([9.0, 5.0, 5.0, 5.0, 1.0]), 100, 4)
    found = reliability(problem, np.repeat(problem.basis[None], 40, axis=0), ordered=True)
    assert levels(found) == [RELIABLE, TOGETHER, TOGETHER, TOGETHER]
    assert {d.block for d in found.directions[1:]} == {(2, 4)}
    assert [d.bound for d in found.directions[1:]] == [None] * 3
    assert found.span is RELIABLE


@BOTH
def test_a_tie_past_k_leaves_not_even_a_span(ordered: bool) -> None:
    problem = Problem.from_moment(np.diag([9.0, 5.0, 5.0, 5.0, 1.0]), 100, 3)
    found = reliability(problem, np.repeat(problem.basis[None], 40, axis=0), ordered=ordered)
    assert found.span is LOST
    assert levels(found) == ([RELIABLE, LOST, LOST] if ordered else [LOST] * 3)
    nothing = Problem.from_moment(np.zeros((4, 4)), 10, 2)
    same = np.repeat(nothing.basis[None], 40, axis=0)
    assert levels(reliability(nothing, same, ordered=ordered)) == [LOST] * 2


# --- Simulated ---


@pytest.mark.parametrize("key", ["gaussian", "gap_release", "power"])
def test_simulated_parts_are_the_releases_of_the_streams(key: str) -> None:
    problem, mechanism, budget = turned(SPECTRA["apart"], 2), MECHANISMS[key], Budget(1.0, 1e-6)
    parts = [
        simulated(mechanism, problem, budget, 5, some) for some in (range(130), range(130, 150))
    ]
    bases = TrialDraws(mechanism, 5, range(150)).release(problem, budget).bases
    np.testing.assert_allclose(np.concatenate(parts), agreement(problem, bases), atol=1e-12)


# --- The average ---


def test_what_the_average_makes_of_a_direction() -> None:
    """By the mean and the eigenvalues of S, and as measured apart."""
    for key, shares in (("rand", (0.0, 0.21, 0.09, 0.02)), ("digits", (0.99,)), ("wine", (0.67,))):
        data, k = load_key(key), len(shares)
        found, problem = offset_shares(data, k), data.problem(k)
        means = problem.basis.T @ data.rows.mean(axis=0)
        expected = len(data.rows) * means**2 / problem.spectrum[:k]
        np.testing.assert_allclose(found, expected, rtol=1e-9)
        np.testing.assert_allclose(found, shares, atol=0.006)
        assert (found[0] >= MOSTLY) == (key != "rand")
    several = replace(data, rows_per_person=3, people=len(data.rows) // 3)
    np.testing.assert_allclose(offset_shares(several, 1), found, rtol=1e-9)
    assert offset_shares(replace(data, summed=data.moment, rows=data.rows[:0]), 1) is None
    assert offset_shares(replace(data, mean_share=0.1), 1) is None
    flat = replace(data, rows=np.outer(np.linspace(0.1, 0.9, 50), np.eye(13)[0]), people=50)
    assert np.isnan(offset_shares(flat, 2)[1])


# --- Plans, against a dense simulation that shares no code with them ---

BUDGET, FEW_STRONG, RELEASES = Budget(1.0, 1e-6), (0.36, 0.12, 0.115, 0.07), 1500
TAU = 4.2246788893
"""Of Gaussian noise at ε = 1, δ = 10⁻⁶: docs/gaussian.md's formula solved by another program."""


def plan(
    spectrum: Array, k: int, budget: Budget = BUDGET, mechanism: Mechanism = DEFAULT
) -> PlannedReliability:
    """What to expect of people with this spectrum, which sums to their number."""
    people = spectrum.sum()
    releases = PlannedReleases(mechanism, spectrum / people, k)
    noise = releases.scale(budget) / people
    assert list(releases.steps_at(noise))
    found = releases.at(noise)
    assert found is not None
    return found


def dense_cosines(spectrum: Array, scale: float, pure: bool) -> Array:
    """Return |⟨v̂_i, v_i⟩| (T, d) of releases of a full matrix whose eigenvectors are random."""
    rng, d = np.random.default_rng(20), len(spectrum)
    axes = np.linalg.qr(rng.standard_normal((d, d)))[0]
    found = []
    for _ in range(RELEASES):
        if pure:
            first, second = (rng.standard_normal((d, d + 1)) for _ in range(2))
            noise = first @ first.T - second @ second.T
        else:
            upper = np.triu(rng.normal(scale=0.5**0.5, size=(d, d)), 1)
            noise = upper + upper.T + np.diag(rng.standard_normal(d))
        values, vectors = np.linalg.eigh(axes @ np.diag(spectrum) @ axes.T + scale * noise)
        vectors = vectors[:, np.argsort(-values)]
        found.append(np.abs((axes * vectors).sum(axis=0)))
    return np.array(found)


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("pure", [False, True], ids=["gaussian", "pure"])
def test_as_many_releases_hold_a_direction_as_of_a_dense_simulation(pure: bool) -> None:
    """Within 6 standard errors in each of four directions: 10⁻⁸ by chance, and a tail's skew."""
    spectrum, k = 900 * expected_spectrum(FEW_STRONG, 12), 4
    dense = (dense_cosines(spectrum, 0.5 if pure else TAU, pure)[:, :k] >= 0.95).mean(axis=0)
    budget, mechanism = (Budget(1.0), PURE_DEFAULT) if pure else (BUDGET, DEFAULT)
    found = plan(spectrum, k, budget, mechanism)
    error = np.sqrt(np.maximum(dense * (1 - dense), 0.002) * (1 / RELEASES + 1 / RELEASES_JUDGED))
    assert found.reliabilities.trials == RELEASES_JUDGED
    assert np.abs(np.array(found.held) - dense).max() > 0
    assert (np.abs(np.array(found.held) - dense) <= 6 * error).all()


@pytest.mark.chance(1e-7)
def test_levels_follow_the_shares_and_the_gaps() -> None:
    spectrum = 900 * expected_spectrum(FEW_STRONG, 19)
    found = plan(spectrum, 4)
    assert levels(found.reliabilities) == [RELIABLE, TOGETHER, TOGETHER, RECOGNISABLE]
    assert found.reached == {Goal.FIRST}
    more = plan(spectrum, 4, Budget(3.0, 1e-6))
    assert more.reliabilities.directions[1].level is RECOGNISABLE
    assert more.reached == {*Goal}, "neighbours that mix only with each other hold together"


def test_all_directions_hold_where_they_can_be_parted_into_blocks_that_do() -> None:
    """Of all ways to part k directions some are reliable ones and blocks of others that hold."""
    seen = set()
    for values, noise, k in product(SPECTRA.values(), (0.3, 2.0, 8.0, 20.0), (1, 2, 4, 5)):
        problem = turned(values, k)
        cosines = agreement(problem, noisy(problem, noise, 60))
        found = judged_plan(problem, cosines, ordered=True)
        alone = [level is RELIABLE for level in levels(found.reliabilities)]

        def holds(start: int, stop: int, alone=alone, cosines=cosines) -> bool:
            if stop - start == 1 or any(alone[start:stop]):
                return stop - start == 1 and alone[start]
            inside = cosines[:, start:stop, start:stop]
            smallest = np.linalg.svd(inside, compute_uv=False)[:, -1]
            return (lower_bound(smallest, 0.9) or 0.0) >= 0.95

        first = any(holds(0, stop) for stop in range(1, k + 1))
        ways = [(0, *cuts, k) for n in range(k) for cuts in combinations(range(1, k), n)]
        every = any(all(holds(*part) for part in pairwise(way)) for way in ways)
        assert found.reached == {g for g, h in ((Goal.FIRST, first), (Goal.ALL, every)) if h}
        seen.add(found.reached)
    assert len(seen) == 3


def test_only_noise_over_people_counts() -> None:
    shares, people = expected_spectrum(FEW_STRONG, 10), 553.63
    few, many = Budget(2.0, 1e-6), Budget(0.5, 1e-6)
    scale = PlannedReleases(DEFAULT, shares, 4).scale
    assert scale(few) / people == pytest.approx(scale(many) / 2000, rel=1e-4)
    plans = [plan(shares * n, 4, b) for n, b in ((people, few), (2000.0, many))]
    np.testing.assert_allclose(plans[0].held, plans[1].held, atol=0.01)


def test_whoever_breaks_off_goes_on_where_it_ended() -> None:
    shares = expected_spectrum((0.5, 0.2), 60)
    whole = PlannedReleases(DEFAULT, shares, 2)
    steps = sum(1 for _ in whole.steps_at(0.005))
    broken, taken = PlannedReleases(DEFAULT, shares, 2), 0
    while broken.at(0.005) is None:
        taken += sum(1 for _ in zip(range(1), broken.steps_at(0.005), strict=False))
    assert taken == steps > 1
    assert whole.at(0.004) is None
    assert broken.at(0.005) == whole.at(0.005)
    assert sum(1 for _ in whole.steps_at(0.005)) == 0


def test_less_noise_than_held_holds_and_more_than_failed_fails() -> None:
    releases = PlannedReleases(DEFAULT, expected_spectrum((0.5, 0.2), 5), 2)
    for noise in (0.0001, 0.1):
        assert list(releases.steps_at(noise))
    shown = [releases.holds(noise, Goal.ALL) for noise in (5e-5, 1e-4, 0.01, 0.1, 0.2)]
    assert shown == [True, True, None, False, False]


def test_what_cannot_be_planned_is_refused_and_wide_tables_get_fewer_releases() -> None:
    wide = PlannedReleases(DEFAULT, np.full(500, 1 / 500), 2)
    assert 29 <= wide.trials < RELEASES_JUDGED
    with pytest.raises(ValueError, match="at most 2,000 columns"):
        PlannedReleases(DEFAULT, np.full(MOST_PLANNED_COLUMNS + 1, 1e-4), 2)
    with pytest.raises(ValueError, match="grows with the people"):
        PlannedReleases(MECHANISMS["local_gaussian"], np.full(20, 0.05), 2)
