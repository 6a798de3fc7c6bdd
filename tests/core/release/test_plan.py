"""Plans and their exact costs: never dearer than asked, refused in a sentence, and read back.

What a part is booked to cost covers what it gives away, by brute force: no chance is in that.
Divergences are summed over all tables but for numbers beyond nine standard deviations, under 10⁻¹⁷
of all. The grid's M is made 1 to 4, so that every row and every change can be tried.
"""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import isqrt, sqrt

import mpmath
import numpy as np
import pytest
from scipy.special import log_ndtr

from dpca_core.data.recipe import Combine, Scaling
from dpca_core.privacy.budget import Adjacency
from dpca_core.privacy.gaussian import gaussian_delta
from dpca_core.release import plan as plans
from dpca_core.release.grid import GRID
from dpca_core.release.plan import MATRIX, MEANS, PlanError, Scores, above, below, dumps, loads
from dpca_core.text.release_statements import Answer, Declaration, Fact
from tests.cases import sampled
from tests.core.release.cases import ADD, NOISES, some_plan, some_recipe
from tests.references.accounting import gaussian_delta as exact_delta

REPLACED = Adjacency.REPLACE_ONE


def random_plan(rng):
    d = int(rng.integers(2, 12))
    several = {"person": ("id",), "combine": Combine.AT_MOST, "most": 4}
    scores = Scores(Fraction(int(rng.integers(1, 40)), 100), (5, 50), Fraction(1, 2))
    return some_plan(
        f"{10 ** rng.uniform(-5, 2):.6g}",
        f"{10 ** rng.uniform(-20, -1):.4g}",
        recipe=some_recipe(d, **(several if rng.random() < 0.3 else {})),
        mechanism=str(rng.choice(NOISES)),
        neighbours=Adjacency(rng.choice(list(Adjacency))),
        means=Fraction(int(rng.integers(0, 40)), 100),
        scores=scores if rng.random() < 0.5 else None,
        k=int(rng.integers(1, d)),
        declarations=(Declaration(Fact.UNIT, Answer(rng.choice(["yes", "no"]))),),
    )


@pytest.mark.parametrize("seed", sampled(range(20, 24), 4, "further random plans"))
def test_random_plans_cost_what_is_asked_and_no_more(seed):
    rng, nearest = np.random.default_rng(seed), []
    for _ in range(125):
        plan = random_plan(rng)
        assert plan.keeps_its_budget
        assert sum(plan.shares.values()) == 1
        assert plan.delta == 0 or plan.gaussian
        kept = plans.mu2_epsilon(plan.cost, plan.delta) if plan.gaussian else above(plan.cost)
        nearest.append(kept / float(plan.epsilon))
        text = dumps(plan)
        assert loads(text) == plan
        assert dumps(loads(text)) == text
    assert max(nearest) <= 1 + 1e-9
    # Scales are whole numbers: at ε = 100 the histogram's is a few hundred.
    assert np.median(nearest) > 0.99999


@pytest.mark.parametrize("neighbours", list(Adjacency))
def test_the_matrix_has_the_least_whole_scale_that_is_enough(neighbours):
    plan = some_plan("0.5", neighbours=neighbours)
    a, b = plan.scales[MATRIX].values()
    assert 2 * a**2 <= b**2 < 2 * (a + 1) ** 2
    assert not replace(plan, scales={MATRIX: {"a": a - 10, "b": b}}).keeps_its_budget
    # Scales that are stored are never computed again.
    stored = replace(plan, scales={MATRIX: {"a": a + 10, "b": b + 20}})
    assert loads(dumps(stored)).scales == {MATRIX: {"a": a + 10, "b": b + 20}}


ROOM, PUBLIC = "leaves no room in 64 bits", "choose public ranges"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"recipe": some_recipe(bounds_are_public=False)}, PUBLIC),
        ({"recipe": some_recipe(scaling=Scaling.AS_IN_PAPERS)}, PUBLIC),
        ({"d": 2001}, "at most 2,000 columns"),
        ({"d": 1, "k": 1}, "two columns|below that of columns"),
        ({"delta": "0"}, "Gaussian noise needs δ > 0"),
        ({"d": 201, "mechanism": "wishart_difference"}, "at most 200 columns"),
        ({"mechanism": "ppca"}, "drawn exactly of"),
        ({"epsilon": "1e-7"}, ROOM),
        ({"d": 2000, "epsilon": "1e-5", "mechanism": "laplace"}, ROOM),
        ({"epsilon": "1e11"}, "at most 10¹⁰"),
        ({"delta": "1e-31"}, "δ must be"),
        ({"means": Fraction("0.81")}, "at least 20 %"),
        ({"means": Fraction(-1)}, "above 0"),
        ({"scores": Scores(Fraction("0.1"), (4, 12))}, "5 to 50 bins"),
        ({"recipe": some_recipe(scaling=Scaling.PRIVATE_MEAN)}, "means need a share"),
        ({"k": 5}, "below that of columns, 5"),
        ({"reason": "x" * 501}, "why this ε"),
        ({"reason": "\ud800"}, "half of a letter"),
        ({"means": 0.05}, "give fractions"),
    ],
)
def test_a_plan_is_refused_in_one_sentence(settings, said):
    with pytest.raises(PlanError, match=said) as refusal:
        some_plan(**settings)
    assert str(refusal.value).count(". ") == 0


def test_other_text_is_no_plan():
    def written(tree):
        return json.dumps(tree, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    tree = json.loads(dumps(some_plan()))
    assert loads(written(tree)) == some_plan()
    # A key that stands twice.
    texts = ["", "[]", "{}", "[" * 100_000, dumps(some_plan()).replace('"k":2', '"k":3,"k":2')]
    for changes in (
        *({"format": "dpca-plan/1"}, {"grid": 2}, {"extra": 1}, {"scores": {"share": "0.1"}}),
        *({"epsilon": epsilon} for epsilon in (0.25, "0.250")),
        *({"scales": {"matrix": {"a": a, "b": b}}} for a, b in ((2, 2), (2**57, 2**58))),
        {"scales": {"means": {"a": 2}}},
    ):
        texts.append(written(tree | changes))
    for text in texts:
        with pytest.raises(PlanError):
            loads(text)


def test_the_preview_says_sizes_and_odds():
    plan = some_plan("0.5", d=19, means=Fraction("0.05"), scores=Scores(Fraction("0.1")))
    *rows, (what, factors), odds = plans.preview_rows(plan)
    diagonal, _, longest = (float(much.split()[0]) for _, much in rows[:3])
    assert longest == pytest.approx(diagonal * np.sqrt(2 * 19), rel=0.01)
    assert what == "times the noise that the whole budget would give"
    assert factors == "means 4.47, matrix 1.08, scores 3.16"
    assert odds == ("right guesses whether one person is in it (a coin: 50)", "at most 52.5 in 100")
    assert "50.01 in" in plans.preview_rows(some_plan("0.00001", "1e-30"))[-1][1]
    replaced = some_plan(neighbours=REPLACED)
    assert "which of two people is in it" in plans.preview_rows(replaced)[-1][0]


def test_text_gives_the_fraction_back():
    rng = np.random.default_rng(3)
    for _ in range(500):
        value = Fraction(int(rng.integers(0, 2**62)), int(rng.integers(1, 2**62)))
        decimal = Fraction(int(rng.integers(0, 2**62)), 10 ** int(rng.integers(0, 30)))
        for number in (value, decimal, value / 2**64):
            assert Fraction(plans.text_of(number)) == number
            assert Fraction(below(number)) <= number <= Fraction(above(number))
            assert above(number) - below(number) <= np.spacing(above(number))
        assert "/" not in plans.text_of(decimal)


def test_every_rounding_is_to_the_private_side():
    rng = np.random.default_rng(12)
    with mpmath.workdps(60):
        for _ in range(150):
            epsilon = Fraction(f"{10 ** rng.uniform(-6, 3):.5g}")
            delta = Fraction(f"{10 ** rng.uniform(-29, -0.01):.5g}")
            most = plans.most_mu2(epsilon, delta)
            assert 1 - 1e-9 <= exact_delta(most, epsilon) * delta.denominator / delta.numerator <= 1
            odds = (1 + exact_delta(most, 0)) / 2
            guesses = plans.chance_of_guess(most, gaussian=True)
            assert odds <= guesses <= min(1, odds * (1 + 1e-9))
            kept = exact_delta(most, plans.mu2_epsilon(most, delta))
            assert kept * delta.denominator / delta.numerator <= 1 + 1e-12


EPSILONS, FAR = (0.05, 0.5, 1.0, 2.0), 9
CASES = (
    *((ADD, *size) for size in ((2, 4), (2, 8), (3, 9), (4, 20))),
    *((REPLACED, *size) for size in ((2, 4), (2, 8), (3, 9))),
)
"""Neighbours, M and a: noise that is hardly wider than one cell, and wider."""


def changes(largest, neighbours):
    """Return |Δ₁₁|, |Δ₂₂| and |Δ₁₂| of all whole rows of two columns, in norm at most M.

    Noise is symmetric and independent in each entry, with one law on the diagonal: neither a sign
    nor the order of the columns changes a divergence.
    """
    whole = range(-largest, largest + 1)
    rows = [(x, y) for x, y in product(whole, whole) if x * x + y * y <= largest**2]
    found = set()
    for (x, y), (u, v) in product(rows, rows if neighbours is REPLACED else [(0, 0)]):
        low, high = sorted((abs(x * x - u * u), abs(y * y - v * v)))
        found.add((low, high, abs(x * y - u * v)))
    return found - {(0, 0, 0)}


def booked(monkeypatch, largest, mechanism, neighbours, **settings):
    """Return a plan of two columns whose grid is M, with the cost that the ledger would book."""
    monkeypatch.setattr(plans, "GRID", largest)
    return some_plan(d=2, k=1, mechanism=mechanism, neighbours=neighbours, **settings)


def losses(scale, change):
    """Return the chances of an entry's values, and ln of their quotient with the entry moved.

    Of ⌊scale·x + ½⌋, x standard normal, with all digits in both tails.
    """
    if change == 0:
        return np.ones(1), np.zeros(1)

    def logarithms(cells):
        inner, outer = (np.abs(cells) - 0.5) / scale, (np.abs(cells) + 0.5) / scale
        return log_ndtr(-inner) + np.log1p(-np.exp(log_ndtr(-outer) - log_ndtr(-inner)))

    cells = np.arange(-FAR * scale - change, FAR * scale + change + 1)
    mine = logarithms(cells)
    return np.exp(mine), mine - logarithms(cells + change)


def divergences(scales, change):
    """Return Σ (P − e^ε·Q)₊ over all tables for each ε; P and Q are a change apart.

    The loss of an entry grows with its value (rounded normal laws are log-concave): for each value
    of two entries, what counts of the third is the tail beyond a threshold.
    """
    (p, lost), (q, lost_too) = losses(scales["b"], change[0]), losses(scales["b"], change[1])
    third, third_loss = losses(scales["a"], change[2])
    assert (np.diff(third_loss) > -1e-9).all()
    tail = np.append(third[::-1].cumsum()[::-1], 0)
    moved = np.append((third * np.exp(-third_loss))[::-1].cumsum()[::-1], 0)
    chance, loss = np.outer(p, q), lost[:, None] + lost_too
    found = []
    for epsilon in EPSILONS:
        first = np.searchsorted(third_loss, epsilon - loss)
        found.append((chance * (tail[first] - np.exp(epsilon - loss) * moved[first])).sum())
    return np.array(found)


def profile(mu2):
    return np.array([gaussian_delta(1 / sqrt(mu2), epsilon, 1.0) for epsilon in EPSILONS])


@pytest.mark.parametrize(("neighbours", "largest", "a"), CASES)
def test_rounded_gaussian_noise_costs_no_more_than_is_booked(monkeypatch, neighbours, largest, a):
    scales = {"a": a, "b": isqrt(2 * a * a) + 1}
    halved = {name: scale // 2 for name, scale in scales.items()}
    plan = booked(monkeypatch, largest, "gaussian", neighbours, scales={MATRIX: scales})
    assert plan.cost == Fraction((2 if neighbours is REPLACED else 1) * largest**4, 2 * a * a)
    promised, worst, with_half = profile(plan.cost), 0.0, 0.0
    for change in changes(largest, neighbours):
        own = (change[0] ** 2 + change[1] ** 2) / scales["b"] ** 2 + change[2] ** 2 / a**2
        found = divergences(scales, change)
        assert (found <= profile(own) * (1 + 1e-9)).all(), change
        worst = max(worst, (found / promised).max())
        with_half = max(with_half, (divergences(halved, change) / promised).max())
    assert 0.3 < worst <= 1
    assert with_half > 1.5


def laplace_cells(s, cells):
    """Return ln P(⌊s·L + ½⌋ = z), L of Laplace's law with scale 2: Wisharts in one column."""
    outside = (0.5 - np.abs(cells)) / (2 * s) + np.log(-np.expm1(-0.5 / s) / 2)
    return np.where(cells == 0, np.log(-np.expm1(-0.25 / s)), outside)


@pytest.mark.parametrize("largest", [1, 2, 3])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "3"])
def test_wisharts_in_one_column_cost_what_is_booked(monkeypatch, largest, epsilon):
    # What one person moves in nuclear norm, and so the scale, is the same for any columns.
    plan = booked(monkeypatch, largest, "wishart_difference", ADD, epsilon=Fraction(epsilon))
    assert plan.cost <= plan.epsilon
    s, cells = plan.scales[MATRIX]["s"], np.arange(-400, 401)
    lost, with_half = (
        max(
            np.abs(laplace_cells(scale, cells) - laplace_cells(scale, cells + change)).max()
            for change in range(1, largest**2 + 1)
        )
        for scale in (s, s / 2)
    )
    # A cell's neighbour is e^{1/2s} less likely: nothing that is booked is wasted.
    assert lost == pytest.approx(float(plan.cost), rel=1e-9)
    assert with_half > plan.cost * (1 + 1e-9)


@pytest.mark.parametrize("neighbours", Adjacency)
@pytest.mark.parametrize(("largest", "epsilon"), [(2, "1"), (3, "0.5"), (4, "2")])
def test_discrete_laplace_noise_costs_what_is_booked(monkeypatch, largest, epsilon, neighbours):
    # P(z) ∝ e^{−|z|/w}: the largest quotient of two tables is e to the sum of all |Δ|/w.
    plan = booked(monkeypatch, largest, "laplace", neighbours, epsilon=Fraction(epsilon))
    worst, w = max(map(sum, changes(largest, neighbours))), plan.scales[MATRIX]["w"]
    assert Fraction(worst, w) <= plan.cost <= plan.epsilon
    assert Fraction(2 * worst, w) > plan.cost


def people(d, m, rng):
    for _ in range(60):
        rows = rng.standard_normal((rng.integers(0, m + 1), d)) * rng.choice([0, 1], d)
        norms = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        yield np.fix(rows / norms * (GRID - d)).astype(object)


@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize("d", [2, 4])
def test_no_person_moves_a_table_further(d, m):
    recipe = some_recipe(d, person=("id",), combine=Combine.AT_MOST, most=m)
    everybody, nobody = [*people(d, m, np.random.default_rng(5))], np.zeros((0, d), dtype=object)
    pairs = {ADD: [(one, nobody) for one in everybody], REPLACED: pairwise(everybody)}
    for neighbours in Adjacency:
        plan = some_plan(recipe=recipe, k=1, neighbours=neighbours)
        gaussian, wishart, laplace = (
            replace(plan, mechanism=noise, scales={}).sensitivity_squared
            for noise in ("gaussian", "wishart_difference", "laplace")
        )
        for one, other in pairs[neighbours]:
            moved = one.T @ one - other.T @ other + np.zeros((d, d), dtype=object)
            sums = np.append(one.sum(axis=0) - other.sum(axis=0), GRID * (len(one) - len(other)))
            assert (moved**2).sum() <= gaussian(MATRIX)
            nuclear = np.abs(np.linalg.eigvalsh(moved.astype(float))).sum()
            assert nuclear <= sqrt(wishart(MATRIX)) * (1 + 1e-12)
            assert abs(moved[np.triu_indices(d)]).sum() ** 2 <= laplace(MATRIX)
            assert (sums**2).sum() <= gaussian(MEANS)
            assert abs(sums).sum() ** 2 <= laplace(MEANS)
