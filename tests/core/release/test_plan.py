"""Plans and their exact costs: never dearer than asked, refused in a sentence, and read back."""

import json
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from dp_accounting.pld.privacy_loss_distribution import (
    from_gaussian_mechanism,
    from_laplace_mechanism,
)
from scipy.stats import norm

from dpca_core.data.recipe import Combine, Number, Scaling, Source
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.privacy.budget import Adjacency
from dpca_core.privacy.gaussian import gaussian_delta
from dpca_core.privacy.inference_risk import gaussian_guess_probability
from dpca_core.release import plan_json
from dpca_core.release.cost import Cost, most_mu2, planned_mu2
from dpca_core.release.exact_fractions import (
    above,
    below,
    fraction_text,
    read_fraction,
    short_text,
)
from dpca_core.release.plan import Declaration, PartName, Plan, PlanError, Scores
from dpca_core.release.preview import preview
from dpca_core.release.spending import Limit, Spending
from dpca_core.text.privacy_numbers import right_guesses
from tests.cases import sampled
from tests.core.release.cases import key_of, some_plan, some_recipe, with_everything


def random_plan(rng: np.random.Generator) -> Plan:
    d, noise = int(rng.integers(2, 12)), ExactNoise(rng.choice(list(ExactNoise)))
    several = {"person": ("id",), "combine": Combine.AT_MOST, "most": 4}
    scores = Scores(Fraction(int(rng.integers(1, 40)), 100), (5, 50), Fraction(1, 2))
    return some_plan(
        f"{10 ** rng.uniform(-5, 2):.6g}",
        f"{10 ** rng.uniform(-20, -1):.4g}" if noise is ExactNoise.GAUSSIAN else "0",
        d=d,
        recipe=some_recipe(d, **(several if rng.random() < 0.3 else {})),
        mechanism=key_of(noise),
        adjacency=Adjacency(rng.choice(list(Adjacency))),
        means=Fraction(int(rng.integers(0, 40)), 100),
        scores=scores if rng.random() < 0.5 else None,
        k=int(rng.integers(1, d)),
        declarations=(Declaration("One person is one row.", bool(rng.random() < 0.5)),),
    )


@pytest.mark.parametrize("seed", sampled(range(20, 24), 4, "further random plans"))
def test_random_plans_cost_what_is_asked_and_no_more(seed):
    rng, nearest = np.random.default_rng(seed), []
    for _ in range(125):
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


@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_the_matrix_has_the_least_whole_scale_that_is_enough(adjacency):
    plan = some_plan("0.5", adjacency=adjacency)
    (part,) = plan.parts
    a, b = part.scales["a"], part.scales["b"]
    assert 2 * a**2 <= b**2 < 2 * (a + 1) ** 2
    squares = 2**64 * (2 if adjacency is Adjacency.REPLACE_ONE else 1)
    assert part.cost.mu2 == Fraction(squares, 2 * a**2)
    finer = replace(plan, scales={PartName.MATRIX: {"a": a - 10, "b": b}})
    assert not finer.cost.fits(plan.epsilon, plan.delta)
    # Scales that are stored are never computed again.
    stored = replace(plan, scales={PartName.MATRIX: {"a": a + 10, "b": b + 20}})
    assert plan_json.loads(plan_json.dumps(stored)).parts[0].scales == {"a": a + 10, "b": b + 20}


def test_a_pure_plan_has_scales_of_its_own_and_books_no_delta():
    wishart = some_plan("0.5", d=2, k=1, mechanism="wishart_difference")
    laplace = some_plan("0.5", d=2, k=1, mechanism="laplace")
    assert wishart.parts[0].scales == {"s": 2**32}
    assert laplace.parts[0].scales == {"w": 3 * 2**32}
    for plan in (wishart, laplace):
        assert (plan.delta, plan.cost.mu2, plan.cost.pure) == (0, 0, Fraction(1, 2))


def test_means_are_drawn_first_then_the_matrix_then_scores():
    plan = with_everything(ExactNoise.WISHART_DIFFERENCE)
    assert [(part.name, part.noise, part.grid_unit.denominator) for part in plan.parts] == [
        (PartName.MEANS, ExactNoise.LAPLACE, 2**16),
        (PartName.MATRIX, ExactNoise.WISHART_DIFFERENCE, 2**32),
        (PartName.SCORES, ExactNoise.LAPLACE, 2**16),
    ]


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
    "tiny": ({"epsilon": "1e-7"}, "leaves no room in 64 bits"),
    "long": ({"d": 2000, "epsilon": "1e-5", "mechanism": "laplace"}, "leaves no room in 64 bits"),
    "huge": ({"epsilon": "1e11"}, "at most 10¹⁰"),
    "delta": ({"delta": "1"}, "δ must be"),
    "tiny delta": ({"delta": "1e-31"}, "δ must be"),
    "shares": ({"means": Fraction("0.81")}, "at least 20 %"),
    "negative": ({"means": Fraction(-1)}, "above 0"),
    "bins": ({"scores": Scores(Fraction("0.1"), (4, 12))}, "5 to 50 bins"),
    "reach": ({"scores": Scores(Fraction("0.1"), reach=Fraction(2))}, "reach"),
    "mean": ({"recipe": some_recipe(scaling=Scaling.PRIVATE_MEAN)}, "means need a share"),
    "k": ({"k": 5}, "below that of columns, 5"),
    "no reason": ({"reason": " "}, "why this ε"),
    "half a letter": ({"reason": "\ud800"}, "half of a letter"),
    "a float": ({"means": 0.05}, "give fractions"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_plan_is_refused_in_one_sentence(case):
    settings, said = REFUSED[case]
    with pytest.raises(PlanError, match=said) as refusal:
        some_plan(**settings)
    assert str(refusal.value).count(". ") == 0
    assert some_plan("0.5", "1e-30").delta == Fraction(1, 10**30)


def test_other_text_is_no_plan():
    texts = ["", "[]", "{}", "[" * 100_000]
    for changes in (
        {"format": "dpca-plan/2"},
        {"grid": 2},
        {"epsilon": 0.25},
        {"epsilon": "0.250"},
        {"extra": 1},
        {"scales": {"matrix": {"a": 1}}},
        {"scales": {"matrix": {"a": 2, "b": 2}}},
        {"scales": {"means": {"a": 2}}},
        {"scales": {"matrix": {"a": 2**57, "b": 2**58}}},
        {"scores": {"share": "0.1"}},
    ):
        texts.append(json.dumps(json.loads(plan_json.dumps(some_plan())) | changes))
    for text in texts:
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
    assert f"{right_guesses(found.guess)} times in 100" in found.lines()[-1]
    # A bound is never rounded down.
    assert "50.01 times" in preview(some_plan("0.00001", d=19)).lines()[-1]


def test_text_is_read_exactly_and_no_other_text():
    for text, value in (("0.5", "1/2"), ("1e-6", "1/1000000"), ("2E+2", "200"), ("3/7", "3/7")):
        assert read_fraction(text) == Fraction(value)
    texts = ("", "-1", "1e9999", " 1", "nan", "inf", "1/0", "0x1", "١", ".5", "1.", "1_0")
    for text in (*texts, 0.5, None):
        with pytest.raises(ValueError, match="number must"):
            read_fraction(text)


def test_text_gives_the_fraction_back():
    rng = np.random.default_rng(3)
    for _ in range(500):
        value = Fraction(int(rng.integers(0, 2**62)), int(rng.integers(1, 2**62)))
        decimal = Fraction(int(rng.integers(0, 2**62)), 10 ** int(rng.integers(0, 30)))
        for number in (value, decimal, value / 2**64):
            assert read_fraction(fraction_text(number)) == number
            assert Fraction(below(number)) <= number <= Fraction(above(number))
            assert above(number) - below(number) <= np.spacing(above(number))
        assert "/" not in fraction_text(decimal)


def test_a_sum_of_hundreds_of_costs_still_has_a_text():
    rng = np.random.default_rng(4)
    total = sum(Fraction(1, int(rng.integers(2**56, 2**57)) ** 2) for _ in range(300))
    text = short_text(total)
    assert len(text) < 60
    assert total <= Fraction(text) <= total + Fraction(1, 10**40)
    assert [short_text(Fraction(found)) for found in ("0.1", "1/3")] == ["0.1", "1/3"]


DELTA = Fraction("1e-6")


def of_mu(mu: float) -> Cost:
    return Cost(mu2=Fraction(mu) ** 2)


@pytest.mark.parametrize(("mu", "other"), [(0.3, 0.4), (0.05, 1.0)])
def test_two_gaussians_agree_with_numerical_composition(mu, other):
    numerical = from_gaussian_mechanism(1 / mu).compose(from_gaussian_mechanism(1 / other))
    expected = numerical.get_epsilon_for_delta(float(DELTA))
    assert (of_mu(mu) + of_mu(other)).epsilon(DELTA) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(("mu", "pure"), [(0.2, 0.3), (0.5, 0.1), (1.0, 1.0), (0.05, 0.5)])
def test_mixed_noise_costs_a_little_more_than_numerical_composition(mu, pure):
    cost = of_mu(mu) + Cost(pure=Fraction(pure))
    numerical = from_gaussian_mechanism(1 / mu).compose(from_laplace_mechanism(1 / pure))
    expected = numerical.get_epsilon_for_delta(float(DELTA))
    # The numerical value is rounded up by its grid, by 10⁻⁴ at most.
    assert expected * (1 - 1e-4) <= cost.epsilon(DELTA) <= expected * 1.04


def test_no_stopping_rule_gets_more_than_the_bound_of_two_steps():
    """All rules "stop after one step where the loss is above, or below, a threshold"."""
    grid = np.linspace(-9, 9, 4001)
    weights, worst = norm.pdf(grid) * (grid[1] - grid[0]), 0.0
    for whole, first, epsilon in [(1.0, 0.5, 1.0), (0.4, 0.2, 0.3), (2.0, 0.1, 3.0), (1, 0.9, 0)]:
        ahead = epsilon - first / 2 - np.sqrt(first) * grid
        stopped, rest = np.maximum(0, -np.expm1(ahead)), np.sqrt(whole - first)
        far = norm.cdf(-rest / 2 - ahead / rest)
        going_on = norm.cdf(rest / 2 - ahead / rest) - np.exp(ahead) * far
        bound = gaussian_delta(whole**-0.5, epsilon, 1.0)
        for threshold in np.linspace(-8, 8, 81):
            for stops in (grid > threshold, grid <= threshold):
                spent = float(weights @ np.where(stops, stopped, going_on))
                worst = max(worst, spent / bound)
    # One rule is never to stop, which spends the bound itself.
    assert worst == pytest.approx(1.0, abs=2e-5)
    assert worst <= 1 + 1e-6


def exact_delta(mu2: Fraction, epsilon: Fraction) -> mpmath.mpf:
    """δ of Gaussian noise to 60 digits."""
    mu, at = mpmath.sqrt(mpmath.mpf(mu2.numerator) / mu2.denominator), mpmath.mpf(epsilon.numerator)
    at /= epsilon.denominator
    near, far = mu / 2 - at / mu, -mu / 2 - at / mu
    return mpmath.ncdf(near) - mpmath.exp(at) * mpmath.ncdf(far)


def test_every_rounding_is_to_the_private_side():
    rng = np.random.default_rng(12)
    with mpmath.workdps(60):
        for _ in range(150):
            epsilon = Fraction(f"{10 ** rng.uniform(-6, 3):.5g}")
            delta = Fraction(f"{10 ** rng.uniform(-29, -0.01):.5g}")
            most = most_mu2(epsilon, delta)
            allowed = mpmath.mpf(delta.numerator) / delta.denominator
            assert exact_delta(most, epsilon) <= allowed
            assert exact_delta(most, epsilon) >= allowed * (1 - 1e-9)
            assert Cost(most).delta(epsilon) >= exact_delta(most, epsilon)
            assert exact_delta(most, Fraction(Cost(most).epsilon(delta))) <= allowed * (1 + 1e-12)


@pytest.mark.parametrize("pure", ["0", "0.3"])
def test_what_is_planned_fits_and_a_little_more_does_not(pure):
    epsilon = Fraction("0.8")
    most = planned_mu2(epsilon - Fraction(pure), DELTA)
    assert Cost(most, Fraction(pure)).fits(epsilon, DELTA)
    assert not Cost(most * (1 + Fraction(1, 10**9)), Fraction(pure)).fits(epsilon, DELTA)


def test_pure_limits_are_compared_as_fractions():
    tenth = Cost(pure=Fraction("0.1"))
    assert tenth + tenth == 2 * tenth
    assert (10 * tenth).fits(Fraction(1), Fraction(0))
    assert not (10 * tenth + Cost(pure=Fraction(1, 10**50))).fits(Fraction(1), Fraction(0))
    assert not of_mu(0.01).fits(Fraction(100), Fraction(0))
    # Below the pure part nothing is known.
    assert [Cost(pure=Fraction(1)).delta(at) for at in (0.5, 1)] == [1.0, 0.0]


def test_even_odds_are_those_of_the_noise():
    assert of_mu(0.5).guess_probability() == pytest.approx(gaussian_guess_probability(2.0))
    assert Cost(pure=Fraction(1)).guess_probability() == pytest.approx(1 / (1 + np.exp(-1)))
    assert Cost().guess_probability() == pytest.approx(0.5)
    mixed = Cost(Fraction(1, 4), Fraction(1)).guess_probability()
    assert of_mu(0.5).guess_probability() < mixed < 1


LIMIT = Limit(Fraction(1), Fraction("1e-6"))
PURE = Cost(pure=Fraction("0.4"))


def gaussian(epsilon: str) -> Cost:
    return Cost(mu2=planned_mu2(Fraction(epsilon), LIMIT.delta))


def test_pure_noise_may_come_first():
    spent = Spending.of([PURE, PURE])
    assert spent.fits(LIMIT)
    assert spent.pure_left(LIMIT) == Fraction("0.2")
    assert spent.after(gaussian("0.2")).fits(LIMIT)
    assert not spent.after(gaussian("0.21")).fits(LIMIT)


def test_pure_noise_after_gaussian_noise_takes_what_was_set_aside():
    spent = Spending.of([gaussian("0.1"), PURE])
    assert not spent.fits(LIMIT)
    aside = Limit(LIMIT.epsilon, LIMIT.delta, Fraction("0.4"))
    assert spent.fits(aside)
    assert not spent.after(Cost(pure=Fraction(1, 10**9))).fits(aside)
    # It is set aside whether or not it is used.
    assert not Spending.of([gaussian("0.61")]).fits(aside)
    assert Spending.of([gaussian("0.6")]).fits(aside)


@pytest.mark.parametrize("costs", [[], [PURE], [gaussian("0.3")], [PURE, gaussian("0.2")]])
def test_what_is_left_fits_and_more_does_not(costs):
    spent = Spending.of(costs)
    left = spent.mu2_left(LIMIT)
    assert left > 0
    assert spent.after(Cost(mu2=left)).fits(LIMIT)
    assert not spent.after(Cost(mu2=left * (1 + Fraction(1, 10**12)))).fits(LIMIT)
    pure = spent.pure_left(LIMIT)
    assert spent.after(Cost(pure=pure)).fits(LIMIT)
    assert not spent.after(Cost(pure=pure + Fraction(1, 10**12))).fits(LIMIT)
