"""The guarantee that every mechanism states, claimed, refuted or corrected."""

from math import inf, isfinite

import numpy as np
import pytest

from dpca_core import (
    MECHANISMS,
    Budget,
    Guarantee,
    InfeasibleBudget,
    Notion,
    Standing,
)
from dpca_core.privacy.gaussian import gaussian_delta
from tests.core.mechanisms.every_mechanism import ADD, BOTH, EVERY, PROBLEM, REPLACE, within


def certified(mechanism):
    """Whether a mechanism promises anything."""
    guarantee = mechanism.guarantee(PROBLEM, within(mechanism, 1.0))
    return guarantee.notion is not Notion.NONE and guarantee.standing is not Standing.REFUTED


def is_pure(mechanism):
    return mechanism.guarantee(PROBLEM, within(mechanism, 1.0)).notion is Notion.PURE


# --- Guarantees ---


@EVERY
@BOTH
@pytest.mark.parametrize("epsilon", [0.05, 0.9, 3.0, 20.0])
def test_guarantee_is_sane(mechanism, adjacency, epsilon):
    budget = within(mechanism, epsilon, adjacency=adjacency)
    g = mechanism.guarantee(PROBLEM, budget)
    assert isinstance(g, Guarantee)
    assert g.adjacency is adjacency
    assert g.epsilon >= 0
    assert 0 <= g.delta <= 1
    assert g.source
    assert g.standing is not Standing.CLAIMED
    if g.notion is Notion.PURE:
        assert g.delta == 0
    if g.notion is Notion.NONE:
        assert (g.epsilon, g.guess_probability()) == (inf, 1.0)
        assert g.standing in (Standing.NONE, Standing.UNCERTIFIED)
    if g.standing in (Standing.PROVED, Standing.CORRECTED):
        assert g.meets(budget)
        assert isfinite(g.epsilon)
    else:
        assert not g.meets(budget)
    if g.standing in (Standing.CORRECTED, Standing.WEAKER, Standing.REFUTED):
        assert g.erratum
    if g.erratum:
        assert g.erratum.endswith(".")
    assert 0.5 <= g.guess_probability() <= 1


@EVERY
@BOTH
def test_only_printed_mechanisms_claim(mechanism, adjacency):
    budget = Budget(0.5, 1e-6, adjacency)
    claim = mechanism.claim(PROBLEM, budget)
    assert (claim is not None) == (mechanism.printed or mechanism.key == "ppca")
    if claim is not None:
        assert claim.standing is Standing.CLAIMED
        assert (claim.epsilon, claim.adjacency) == (0.5, adjacency)
        assert claim.delta in (0.0, 1e-6)
        assert claim.source
        assert not claim.meets(budget)


def test_exactly_gaussian_guarantees_are_exact():
    """(ε, δ) lies on the profile of noise of the multiplier stated, and even odds follow it."""
    for key in ("gaussian", "analyze_gauss"):
        for adjacency, root in ((ADD, 1), (REPLACE, np.sqrt(2))):
            budget = Budget(1.0, 1e-6, adjacency)
            g = MECHANISMS[key].guarantee(PROBLEM, budget)
            scale = MECHANISMS[key].calibrate(PROBLEM, budget).scale
            assert g.noise_multiplier == pytest.approx(scale / root)
            assert gaussian_delta(scale, g.epsilon, root) == pytest.approx(1e-6, rel=1e-6)
    odds = MECHANISMS["gaussian"].guarantee(PROBLEM, Budget(1.0, 1e-6)).guess_probability()
    assert 0.54 < odds < 0.55  # "at most 54.8 times in 100"


def test_pure_even_odds():
    g = MECHANISMS["laplace"].guarantee(PROBLEM, Budget(np.log(3)))
    assert g.guess_probability() == pytest.approx(0.75)
    assert (
        MECHANISMS["random_projection"].guarantee(PROBLEM, Budget(9.0)).guess_probability() == 0.5
    )


def test_printed_laplace_is_stronger_than_claimed():
    for adjacency, l1 in ((ADD, 3.0), (REPLACE, np.sqrt(20))):
        g = MECHANISMS["laplace_printed"].guarantee(PROBLEM, Budget(1.0, 0, adjacency))
        assert g.epsilon == pytest.approx(l1 / 10)
        assert g.standing is Standing.PROVED


@pytest.mark.parametrize(
    ("adjacency", "epsilon", "standing", "reason"),
    [
        (ADD, 1.0, Standing.PROVED, None),
        (ADD, 8.0, Standing.PROVED, None),
        (ADD, 9.0, Standing.WEAKER, "proved only for ε ≤ 1"),
        (REPLACE, 1.0, Standing.WEAKER, "changes S by up to √2, not by 1"),
    ],
)
def test_printed_analyze_gauss_holds_while_its_true_epsilon_does(
    adjacency, epsilon, standing, reason
):
    g = MECHANISMS["analyze_gauss"].guarantee(PROBLEM, Budget(epsilon, 1e-5, adjacency))
    assert g.standing is standing
    assert (g.epsilon <= epsilon) == (standing is Standing.PROVED)
    if reason:
        assert reason in g.erratum
        assert f"true ε = {g.epsilon:.3g}" in g.erratum


def test_printed_smooth_gaussian_beyond_its_range():
    """Stated for ε < 1; with the exact δ beyond."""
    mechanism = MECHANISMS["smooth_gaussian_printed"]
    inside = mechanism.guarantee(PROBLEM, Budget(0.5, 1e-6))
    assert (inside.standing, inside.delta) == (Standing.CORRECTED, 1e-6)
    beyond = mechanism.guarantee(PROBLEM, Budget(60.0, 1e-6))
    assert beyond.standing is Standing.WEAKER
    assert beyond.delta > 1e-6
    assert "exact δ" in beyond.erratum


def test_meets():
    def proved(epsilon, delta, adjacency=ADD, standing=Standing.PROVED):
        return Guarantee(epsilon, delta, Notion.APPROXIMATE, standing, adjacency, "test")

    budget = Budget(1.0, 1e-6)
    assert proved(1.0, 1e-6).meets(budget)
    assert proved(0.5, 0.0).meets(budget)
    assert not proved(1.001, 1e-6).meets(budget)
    assert not proved(1.0, 2e-6).meets(budget)
    assert not proved(1.0, 1e-6, REPLACE).meets(budget)
    assert not proved(1.0, 1e-6, standing=Standing.UNCERTIFIED).meets(budget)


@EVERY
@BOTH
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_without_delta_a_mechanism_is_pure_or_says_what_to_do(mechanism, adjacency, epsilon):
    budget = Budget(epsilon, 0.0, adjacency)
    # Matrix-t noise is pure at δ = 0 and smaller above.
    if is_pure(mechanism) or mechanism.key == "matrix_t":
        mechanism.calibrate(PROBLEM, budget)
        assert mechanism.guarantee(PROBLEM, budget).delta == 0
        return
    if not certified(mechanism) and mechanism.key != "power_printed":
        mechanism.calibrate(PROBLEM, budget)
        assert not mechanism.guarantee(PROBLEM, budget).meets(budget)
        return
    for ask in (
        lambda: mechanism.calibrate(PROBLEM, budget),
        lambda: mechanism.guarantee(PROBLEM, budget),
        lambda: mechanism.release(PROBLEM, budget, np.random.default_rng(0)),
    ):
        with pytest.raises(InfeasibleBudget) as caught:
            ask()
        message = str(caught.value)
        assert "δ > 0" in message
        assert "pure mechanism" in message
        assert message.endswith(".")
        assert "\n" not in message


@EVERY
def test_pure_mechanisms_do_not_use_delta(mechanism):
    if is_pure(mechanism):
        bases = [
            mechanism.release(PROBLEM, Budget(1.0, delta), np.random.default_rng(7), 5).bases
            for delta in (0.0, 1e-9, 0.5)
        ]
        np.testing.assert_array_equal(bases[0], bases[1])
        np.testing.assert_array_equal(bases[0], bases[2])
