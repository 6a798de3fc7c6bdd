"""The Claims page: verdicts, what a guarantee means for one person, and the attack."""

from dataclasses import replace

import pytest

from dpca_core import MECHANISMS, Adjacency, Budget
from dpca_core.analysis.claims import claim_of, claims, example
from dpca_core.audit.attack import audit
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from tests.opened_page import open_page
from tests.page_charts import assert_charts, chart_of
from ui.claims import text
from ui.claims.text import Verdict, verdict_of

ADDED, REPLACED = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
BOTH = pytest.mark.parametrize("adjacency", Adjacency)
EXAMPLE = example(10, 2, 60_000)


def row(key, epsilon, delta, d=10, k=2, n=60_000, adjacency=ADDED):
    return claim_of(MECHANISMS[key], example(d, k, n), Budget(epsilon, delta, adjacency))


@BOTH
def test_a_claim_holds_unless_its_verdict_says_otherwise(adjacency):
    budget = Budget(0.5, 1e-6, adjacency)
    failing = {Verdict.REFUTED, Verdict.UNPROVED, Verdict.WEAKER, Verdict.NO_RELEASE}
    for found in claims(example(20, 3, 10_000), budget):
        if found.claim is not None and verdict_of(found, budget) not in failing:
            assert found.guarantee.epsilon <= found.claim.epsilon * (1 + 1e-9)
            assert found.guarantee.delta <= max(found.claim.delta, budget.delta)
    printed = row("analyze_gauss", 1.0, 1e-6, adjacency=adjacency)
    assert (verdict_of(printed, budget) is Verdict.WEAKER) is (adjacency is REPLACED)


def test_every_mechanism_has_one_row_with_its_noise_and_why():
    budget = Budget(1.0, 1e-6)
    rows = claims(EXAMPLE, budget)
    shown = [claim.mechanism.key for some in text.grouped(rows, budget).values() for claim in some]
    assert sorted(shown) == sorted(MECHANISMS)
    table = {each["mechanism"]: each for each in text.claims_table(rows, budget)}
    assert len(table) == len(MECHANISMS)
    assert "s\u00a0=\u00a00.5 people; 1.66 a cell" in table["Wishart SN, printed"]["noise"]
    assert "per entry of a direction" in table["Smooth Gaussian"]["noise"].replace("\u00a0", " ")
    assert "](proofs?document=wishart-refutation)" in table["Wishart SN, printed"]["why"]


def test_draws_in_turn_waste_the_same_for_any_number_of_directions_and_bounds_are_no_equalities():
    """A quarter of half of ε for each direction of the printed draw, and ε/k for one of ours."""
    for k in (1, 4):
        assert row("eigenvector_sampling", 1.0, 0.0, k=k).excess == pytest.approx(8)
    said = [text.guess_explanation(row(key, 1.0, 1e-6).guarantee) for key in ("gaussian", "power")]
    assert ["exactly" in one for one in said] == [True, False]


def test_a_verdict_stands_only_under_what_was_attacked():
    """Under the next mechanism, or at another ε, it would call proved what promises nothing."""
    page = open_page("claims", mechanism="gaussian", epsilon="1")
    page.button(key="audit.start").click().run()
    job = page.session_state["audit"]
    job.thread.join()
    page.run()
    content = page.session_state["claims.drawn"]
    assert chart_of(content, "audit").title == text.audit_verdict(job.found, "Gaussian")
    assert_charts(content)
    menu = next(box for box in page.selectbox if box.value == "gaussian")
    menu.set_value("non_private").run()
    assert not page.exception
    chart = chart_of(page.session_state["claims.drawn"], "audit")
    assert chart.title == "Attack PCA without privacy"
    assert "not on what is chosen now, but on Gaussian;" in chart.sub
    assert "ε\u00a0=\u00a01," in chart.sub


@pytest.mark.chance(2e-8)
def test_what_an_attack_could_not_show_is_said_beside_the_verdict():
    """Cauchy noise shows nothing at 4,000 releases; no number shows anything at two."""

    def said(key, budget, releases=4000):
        pair = worst_pair(MECHANISMS[key], 5, 2, 1000, budget)
        found = audit(MECHANISMS[key], pair, budget, releases=releases, level=1 - 1e-8)
        found = replace(found, level=0.95)
        return text.audit_power(found), text.audit_verdict(found, "x")

    power, verdict = said("smooth_cauchy", Budget(1.0))
    assert "an ε below 0.0888 cannot be expected to show" in power
    assert "easiest to attack among all with this guarantee shows about 0.9" in power
    assert "the attack shows nothing, and ε\u00a0=\u00a01 is proved" in verdict
    assert said("matrix_t", Budget(1.0, 0.01))[1].startswith("Consistent")
    assert "no attack can show anything" in said("gaussian", Budget(1.0, 0.01), releases=2)[0]
