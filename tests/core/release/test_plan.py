"""Plans: never dearer than asked, refused in a sentence, and the same again from their text."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpca_core.data.recipe import Combine, Number, Scaling, Source
from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.privacy.budget import Adjacency
from dpca_core.release import plan_json
from dpca_core.release.plan import Declaration, Part, PartName, Plan, PlanError, Scores
from dpca_core.release.preview import preview
from dpca_core.text.privacy_numbers import right_guesses
from tests.core.release.plans import pure_plan, some_plan, some_recipe


def random_plan(rng: np.random.Generator) -> Plan:
    """A plan with settings of every kind."""
    d = int(rng.integers(2, 12))
    mechanism = str(rng.choice(["gaussian", "laplace", "wishart_difference"]))
    recipe = some_recipe(d)
    if rng.random() < 0.3:
        recipe = replace(recipe, person=("id",), combine=Combine.AT_MOST, most=4)
    scores = None
    if rng.random() < 0.5:
        scores = Scores(Fraction(int(rng.integers(1, 40)), 100), (5, 50), Fraction(1, 2))
    return some_plan(
        f"{10 ** rng.uniform(-5, 2):.6g}",
        "0" if mechanism != "gaussian" else f"{10 ** rng.uniform(-20, -1):.4g}",
        d=d,
        recipe=recipe,
        mechanism=mechanism,
        adjacency=Adjacency(rng.choice(list(Adjacency))),
        means=Fraction(int(rng.integers(0, 40)), 100),
        scores=scores,
        k=int(rng.integers(1, d)),
        declarations=(Declaration("One person is one row.", bool(rng.random() < 0.5)),),
    )


def test_random_plans_cost_what_is_asked_and_no_more():
    rng = np.random.default_rng(20)
    nearest = []
    for _ in range(500):
        plan = random_plan(rng)
        assert plan.cost.fits(plan.epsilon, plan.delta)
        assert sum(part.share for part in plan.parts) == 1
        assert plan.cost.epsilon(plan.delta) <= float(plan.epsilon) * (1 + 1e-9)
        nearest.append(plan.cost.epsilon(plan.delta) / float(plan.epsilon))
        text = plan_json.dumps(plan)
        assert plan_json.loads(text) == plan
        assert plan_json.dumps(plan_json.loads(text)) == text
    # Scales are whole numbers: at ε = 100 the histogram's is a few hundred.
    assert np.median(nearest) > 0.99999


def part_of(plan: Plan, name: PartName) -> Part:
    return next(part for part in plan.parts if part.name is name)


@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_the_matrix_has_the_least_whole_scale_that_is_enough(adjacency):
    plan = some_plan("0.5", adjacency=adjacency)
    part = part_of(plan, PartName.MATRIX)
    a, b = part.scales["a"], part.scales["b"]
    assert 2 * a**2 <= b**2 < 2 * (a + 1) ** 2
    squares = 2**64 * (2 if adjacency is Adjacency.REPLACE_ONE else 1)
    assert part.cost.mu2 == Fraction(squares, 2 * a**2)
    finer = replace(plan, scales={PartName.MATRIX: {"a": a - 10, "b": b}})
    assert not finer.cost.fits(plan.epsilon, plan.delta)


def test_pure_scales_at_d_2():
    wishart = some_plan("0.5", "0", d=2, k=1, mechanism="wishart_difference")
    assert wishart.parts[0].scales == {"s": 2**32}
    assert wishart.cost.pure == Fraction(1, 2)
    laplace = pure_plan("0.5", d=2, k=1)
    assert laplace.parts[0].scales == {"w": 3 * 2**32}
    assert [part.noise for part in laplace.parts] == [ExactNoise.LAPLACE]


def test_drawing_order_units_and_laws():
    plan = some_plan(
        "0.5",
        "0",
        mechanism="wishart_difference",
        means=Fraction("0.05"),
        scores=Scores(Fraction("0.1")),
    )
    assert [part.name for part in plan.parts] == list(PartName)
    laplace, wishart = ExactNoise.LAPLACE, ExactNoise.WISHART_DIFFERENCE
    assert [part.noise for part in plan.parts] == [laplace, wishart, laplace]
    assert [part.grid_unit for part in plan.parts] == [
        Fraction(1, 2**16),
        Fraction(1, 2**32),
        Fraction(1, 2**16),
    ]


def test_the_least_delta_that_is_said_to_be_allowed_is():
    assert some_plan("0.5", "1e-30").delta == Fraction(1, 10**30)


def test_delta_is_not_booked_for_a_pure_mechanism():
    plan = some_plan("0.5", "1e-6", mechanism="laplace")
    assert plan.delta == 0
    assert plan.cost.mu2 == 0


def test_more_rows_a_person_mean_more_noise():
    m = some_recipe(person=("id",), combine=Combine.AT_MOST, most=3)
    one, three = some_plan(), some_plan(recipe=m)
    assert three.parts[0].scales["a"] == pytest.approx(3 * one.parts[0].scales["a"])
    assert preview(three).diagonal == pytest.approx(preview(one).diagonal)


FILE = tuple(Number(f"c{i}", 0.0, 1.0, source=Source.FILE) for i in range(5))
REFUSED = {
    "not public": ({"recipe": some_recipe(bounds_are_public=False)}, "choose public ranges"),
    "from the file": ({"recipe": some_recipe(numbers=FILE)}, "choose public ranges"),
    "papers": ({"recipe": some_recipe(scaling=Scaling.AS_IN_PAPERS)}, "choose public ranges"),
    "wide": ({"d": 2001}, "at most 2,000 columns"),
    "other columns": ({"columns": ("a", "b")}, "other columns"),
    "no range": ({"recipe": some_recipe(1)}, "other columns|two columns"),
    "no delta": ({"delta": "0"}, "Gaussian noise needs δ > 0"),
    "wide Wishart": (
        {"d": 201, "delta": "0", "mechanism": "wishart_difference"},
        "at most 200 columns",
    ),
    "inexact": ({"mechanism": "ppca"}, "cannot be drawn exactly"),
    "unknown": ({"mechanism": "none such"}, "cannot be drawn exactly"),
    "tiny": ({"epsilon": "1e-7"}, "leaves no room in 64 bits"),
    "long": ({"d": 2000, "epsilon": "1e-5", "mechanism": "laplace"}, "leaves no room in 64 bits"),
    "huge": ({"epsilon": "1e11"}, "at most 10¹⁰"),
    "delta": ({"delta": "1"}, "δ must be"),
    "tiny delta": ({"delta": "1e-31"}, "δ must be"),
    "shares": ({"means": Fraction("0.81")}, "at least 20 %"),
    "negative": ({"means": Fraction(-1)}, "above 0"),
    "no share": ({"scores": Scores(Fraction(0))}, "above 0"),
    "bins": ({"scores": Scores(Fraction("0.1"), (4, 12))}, "5 to 50 bins"),
    "reach": ({"scores": Scores(Fraction("0.1"), reach=Fraction(2))}, "reach"),
    "mean": ({"recipe": some_recipe(scaling=Scaling.PRIVATE_MEAN)}, "means need a share"),
    "k": ({"k": 5}, "below that of columns, 5"),
    "no reason": ({"reason": " "}, "why this ε"),
    "long reason": ({"reason": "x" * 501}, "1 to 500 characters"),
    "half a letter": ({"reason": "\ud800"}, "half of a letter"),
    "a float": ({"means": 0.05}, "give fractions"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_plan_is_refused_in_one_sentence(case):
    settings, said = REFUSED[case]
    with pytest.raises(PlanError, match=said) as refusal:
        some_plan(**settings)
    assert str(refusal.value).count(". ") == 0


def test_a_private_mean_is_drawn_first():
    recipe = some_recipe(scaling=Scaling.PRIVATE_MEAN)
    plan = some_plan(recipe=recipe, means=Fraction("0.05"))
    assert plan.private_mean
    assert plan.parts[0].name is PartName.MEANS


def test_a_source_of_other_columns_is_refused():
    plan = some_plan(d=2, k=1)
    plan.require_columns(["c0", "c1"])
    with pytest.raises(PlanError, match="other columns"):
        plan.require_columns(["c1", "c0"])


def changed(**changes: object) -> str:
    return json.dumps(json.loads(plan_json.dumps(some_plan())) | changes)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        changed(format="dpca-plan/2"),
        changed(grid=2),
        changed(epsilon=0.25),
        changed(epsilon="0.250"),
        changed(extra=1),
        changed(scales={"matrix": {"a": 1}}),
        changed(scales={"matrix": {"a": 2, "b": 2}}),
        changed(scales={"means": {"a": 2}}),
        changed(scales={"matrix": {"a": 2**57, "b": 2**58}}),
        changed(scores={"share": "0.1"}),
        "[" * 100_000,
    ],
)
def test_other_text_is_no_plan(text):
    with pytest.raises(PlanError):
        plan_json.loads(text)


def test_the_preview_says_sizes_and_odds():
    plan = some_plan("0.5", d=19, means=Fraction("0.05"), scores=Scores(Fraction("0.1")))
    found = preview(plan)
    tau = found.diagonal
    assert found.off_diagonal == pytest.approx(tau / np.sqrt(2))
    assert found.spectral_norm == pytest.approx(tau * np.sqrt(2 * 19))
    assert found.smallest_gap == pytest.approx(tau * np.sqrt(2 * 17 / 2) / 0.3)
    assert found.factors[PartName.MEANS] == pytest.approx(np.sqrt(20))
    assert found.guess == pytest.approx(0.5247, abs=1e-4)
    assert len(found.lines()) == 8
    assert found.lines()[-1].endswith(f"right at most {right_guesses(found.guess)} times in 100.")


def test_a_preview_never_rounds_a_bound_down():
    said = preview(some_plan("0.00001", d=19)).lines()[-1]
    assert said.endswith("right at most 50.01 times in 100.")


def test_the_preview_of_wishart_noise_is_that_of_its_proof():
    found = preview(some_plan("0.5", "0", d=150, mechanism="wishart_difference"))
    rng = np.random.default_rng(1)
    g = rng.standard_normal((2, 150, 151))
    unit = g[0] @ g[0].T - g[1] @ g[1].T
    assert found.spectral_norm == pytest.approx(np.abs(np.linalg.eigvalsh(unit)).max(), rel=0.05)
    assert found.off_diagonal == pytest.approx(np.sqrt(2 * 151))
