"""Plans and their exact costs: never dearer than asked, refused in a sentence, and read back."""

import json
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpca_core.data.recipe import Combine, Scaling
from dpca_core.privacy.budget import Adjacency
from dpca_core.release import plan as plans
from dpca_core.release.plan import MATRIX, PlanError, Scores, above, below, dumps, loads
from dpca_core.text.release_statements import Answer, Declaration, Fact
from tests.cases import sampled
from tests.core.release.cases import NOISES, some_plan, some_recipe


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
    squares = 2**64 * (2 if neighbours is Adjacency.REPLACE_ONE else 1)
    assert plan.cost == Fraction(squares, 2 * a**2)
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
    diagonal, _, longest, gap = (float(much.split()[0]) for _, much in rows[:4])
    assert longest == pytest.approx(diagonal * np.sqrt(2 * 19), rel=0.01)
    assert gap == pytest.approx(diagonal * np.sqrt(2 * 17 / 2) / 0.3, rel=0.01)
    assert what == "times the noise that the whole budget would give"
    assert factors == "means 4.47, matrix 1.08, scores 3.16"
    assert odds == ("right guesses whether one person is in it (a coin: 50)", "at most 52.5 in 100")
    # A bound is never rounded down.
    assert "50.01 in" in plans.preview_rows(some_plan("0.00001", "1e-30", 19))[-1][1]
    replaced = some_plan(neighbours=Adjacency.REPLACE_ONE)
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


def exact(number):
    return mpmath.mpf(number.numerator) / number.denominator


def exact_delta(mu2, epsilon):
    mu, at = mpmath.sqrt(exact(mu2)), exact(epsilon)
    return mpmath.ncdf(mu / 2 - at / mu) - mpmath.exp(at) * mpmath.ncdf(-mu / 2 - at / mu)


def test_every_rounding_is_to_the_private_side():
    rng = np.random.default_rng(12)
    with mpmath.workdps(60):
        for _ in range(150):
            epsilon = Fraction(f"{10 ** rng.uniform(-6, 3):.5g}")
            delta = Fraction(f"{10 ** rng.uniform(-29, -0.01):.5g}")
            most, allowed = plans.most_mu2(epsilon, delta), exact(delta)
            assert allowed * (1 - 1e-9) <= exact_delta(most, epsilon) <= allowed
            odds = (1 + exact_delta(most, Fraction(0))) / 2
            guesses = plans.right_guesses(most, gaussian=True)
            assert odds <= guesses <= min(1, odds * (1 + 1e-9))
            kept = Fraction(plans.mu2_epsilon(most, delta))
            assert exact_delta(most, kept) <= allowed * (1 + 1e-12)
