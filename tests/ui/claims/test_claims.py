"""Claims beside guarantees: the numbers that the papers get wrong, and the page that shows them.

Counts of random releases are compared with exact probabilities at six standard errors: each fails
by chance twice in 10⁹ runs.
"""

from dataclasses import replace
from math import exp, inf, log, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem, Standing
from dpca_core.analysis.claims import claim_of, claims, example
from dpca_core.audit.absence import released_remainders, sticks_out
from dpca_core.audit.audit import audit
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.privacy.inference_risk import gaussian_roc, membership_roc, posterior_bounds
from dpca_core.text.guarantee_sentences import short_guarantee
from tests.opened_page import open_page
from tests.page_charts import assert_charts, chart_of
from ui.claims.figures import claims_table, meaning_charts
from ui.claims.measurements import AuditJob
from ui.claims.query import ClaimsQuery
from ui.claims.text import (
    attacked_before,
    audit_power,
    audit_verdict,
    headline,
    noise_cell,
)
from ui.claims.verdicts import Verdict, grouped, verdict_of
from ui.page.content import Content

ADDED, REPLACED = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
BOTH = pytest.mark.parametrize("adjacency", Adjacency)
EXAMPLE = example(10, 2, 60_000)
QUERY = ClaimsQuery(mechanism="gaussian")


def row(key, epsilon, delta, d=10, k=2, n=60_000, adjacency=ADDED):
    return claim_of(MECHANISMS[key], example(d, k, n), Budget(epsilon, delta, adjacency))


def guarantee_of(key, epsilon, delta):
    return row(key, epsilon, delta).guarantee


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_one_wishart_is_refuted_by_as_much_as_is_computed(epsilon):
    """At ε = 1 and d = 10: 632 in 1,000 results of Sheffet and Nissim's."""
    for key, part in (("wishart_sn", 1), ("wishart_jiang", 3)):
        found = row(key, epsilon, 1e-6)
        assert found.claim.epsilon == epsilon
        assert found.guarantee.delta == pytest.approx(1 - exp(-epsilon / part), rel=1e-12)
        assert found.guarantee.standing is Standing.REFUTED


@BOTH
def test_a_refuted_delta_is_the_same_whether_a_person_is_added_or_replaced(adjacency):
    problem = Problem.from_moment(np.diag([5.0, 3.0, 1.0]), 20, 1)
    for key, delta in (("wishart_sn", 0.6321), ("wishart_jiang", 0.2835)):
        found = MECHANISMS[key].guarantee(problem, Budget(1.0, 0.0, adjacency))
        assert (found.epsilon, found.exact) == (0.0, True)
        assert found.delta == pytest.approx(delta, abs=5e-5)


def person(rng, d):
    """One to three rows of any length: positive semi-definite, of trace at most 1."""
    rows = rng.standard_normal((rng.integers(1, 4), d))
    moment = rows.T @ rows
    return moment / np.trace(moment) * rng.choice([0.0, 0.3, 1.0])


def spent(noise, here, there, s, epsilon):
    """Smallest δ at ε of one data set against another, E (1 − e^ε p_there/p_here)₊; its error."""
    apart = np.linalg.eigvalsh(noise + here - there)[:, 0]
    loss = np.where(apart > 0, (np.trace(here) - np.trace(there)) / (2 * s), inf)
    values = np.maximum(0.0, -np.expm1(epsilon - loss))
    return values.mean(), 6 * max(values.std(), 1e-3) / sqrt(len(values))


def noise_of(rng, draws, d, s):
    frames = rng.standard_normal((draws, d, d + 1))
    return s * frames @ frames.swapaxes(1, 2)


@pytest.mark.chance(2e-7)
@pytest.mark.parametrize("s", [0.5, 1.5])
def test_no_two_people_are_easier_to_tell_apart_than_one_from_nobody(s):
    """A hundred comparisons."""
    rng, bound = np.random.default_rng(8), -np.expm1(-1 / (2 * s))
    for _ in range(25):
        d = int(rng.integers(2, 5))
        noise = noise_of(rng, 4000, d, s)
        first, second = person(rng, d), person(rng, d)
        traces = max(np.trace(first), np.trace(second))
        for pair in ((first, second), (second, first)):
            found, error = spent(noise, *pair, s, 0.0)
            assert found - error <= 1 - exp(-traces / (2 * s)) <= bound + 1e-12


@pytest.mark.chance(2e-9)
@pytest.mark.parametrize("s", [0.5, 1.5])
@pytest.mark.parametrize("epsilon", [0.0, 1.0, 10.0])
def test_a_person_in_the_place_of_a_row_of_zeros_attains_it_at_every_epsilon(s, epsilon):
    noise = noise_of(np.random.default_rng(9), 40_000, 3, s)
    x = np.array([0.6, 0.0, 0.8])
    found, error = spent(noise, np.zeros((3, 3)), np.outer(x, x), s, epsilon)
    assert found == pytest.approx(1 - exp(-1 / (2 * s)), abs=error)


@pytest.mark.chance(2e-9)
@pytest.mark.parametrize("key", ["wishart_sn", "wishart_jiang"])
def test_needles_stick_out_as_often_as_proved(key):
    mechanism, budget, trials = MECHANISMS[key], Budget(1.0), 40_000
    share = 1 - exp(-1 / (2 * mechanism.printed_scale(2, budget)))
    x = np.array([0.5, sqrt(0.75)])
    absent = released_remainders(mechanism, budget, present=False, trials=trials, seed=1)
    present = released_remainders(mechanism, budget, present=True, trials=trials, seed=1)
    error = 6 * sqrt(share * (1 - share) / trials)
    assert sticks_out(absent, x).mean() == pytest.approx(share, abs=error)
    assert not sticks_out(present, x).any()
    beyond = x @ np.linalg.solve(absent, np.tile(x[:, None], (trials, 1, 1)))[..., 0].T - 1
    clear = np.abs(beyond) > 1e-6
    np.testing.assert_array_equal(sticks_out(absent, x)[clear], beyond[clear] > 0)


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("key", ["analyze_gauss", "mod_sulq", "local_printed"])
def test_excess_is_what_turns_directions(key):
    """Standard deviations off the diagonal of 1,000 matrices: 3 % is six standard errors."""
    spreads, above, budget = [], np.triu_indices(10, 1), Budget(1.0, 1e-6)
    for mechanism in (MECHANISMS[key], MECHANISMS[MECHANISMS[key].counterpart]):
        release = mechanism.release(EXAMPLE, budget, np.random.default_rng(5), 1000, keep="moment")
        spreads.append((release.moment - EXAMPLE.moment)[:, *above].std())
    assert row(key, 1.0, 1e-6).excess == pytest.approx(spreads[0] / spreads[1], rel=0.03)


@pytest.mark.parametrize(("delta", "edge"), [(1e-2, 6.8), (1e-5, 8.4), (1e-9, 9.6)])
def test_the_classic_formula_is_flagged_beyond_its_range(delta, edge):
    inside, outside = (row("analyze_gauss", edge + by, delta) for by in (-0.1, 0.1))
    assert inside.guarantee.standing is Standing.PROVED
    assert outside.guarantee.standing is Standing.WEAKER
    assert outside.guarantee.epsilon > edge + 0.1


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


def test_only_a_formula_that_asks_for_far_too_much_noise_is_said_to():
    wasteful = {"sulq", "mod_sulq", "laplace_printed"}
    for key in (*wasteful, "analyze_gauss", "local_printed"):
        found = guarantee_of(key, 0.1, 0.01)
        assert found.standing is Standing.PROVED
        assert ("times the noise" in (found.erratum or "")) == (key in wasteful)


def test_every_mechanism_has_one_row_with_its_noise():
    budget = Budget(1.0, 1e-6)
    rows = claims(EXAMPLE, budget)
    shown = [claim.mechanism.key for some in grouped(rows, budget).values() for claim in some]
    assert sorted(shown) == sorted(MECHANISMS)
    table = {each["mechanism"]: each for each in claims_table(rows, budget)}
    noise = {name: cells["noise"].replace("\u00a0", " ") for name, cells in table.items()}
    assert len(table) == len(MECHANISMS)
    assert noise["Gaussian"] == "τ = 4.22 people; 2.99 a cell"
    assert noise["Wishart SN, printed"] == "s = 0.5 people; 1.66 a cell"
    assert "per entry of a direction" in noise["Smooth Gaussian"]
    assert "](proofs?document=wishart-refutation)" in table["Wishart SN, printed"]["why"]
    refuted = short_guarantee(row("wishart_sn", 1.0, 0.0).guarantee)
    assert refuted == "δ\u00a0=\u00a00.633 at every\u00a0ε"


def test_the_headline_counts_apart_what_is_refuted_unproved_and_wasteful():
    budget = Budget(0.1, 1e-6)
    said = headline(claims(example(19, 2, 5912), budget), budget)
    assert "**2** refuted, **3** unproved for a person, **8** proved but wasting noise" in said
    assert said.startswith("Of 13 printed mechanisms")


def test_waste_is_what_the_table_counts_in_one_kind_of_cell():
    """53 over 25.7 people, both in a cell off the diagonal; τ = 36.3 is the diagonal’s."""
    printed, ours = (row(key, 0.1, 1e-6, d=19) for key in ("analyze_gauss", "gaussian"))
    assert printed.excess == pytest.approx(printed.cell / ours.cell)
    assert ours.cell == pytest.approx(ours.noise.scale / sqrt(2))
    assert noise_cell(printed) == "σ\u00a0=\u00a053 people a cell **2.06\u00a0×**"
    assert noise_cell(ours) == "τ\u00a0=\u00a036.3 people; 25.7 a cell"


@BOTH
def test_exactly_is_said_only_of_what_is_attained(adjacency):
    budget = Budget(0.5, 1e-6, adjacency)
    groups = grouped(claims(EXAMPLE, budget), budget)
    assert all(claim.guarantee.exact for claim in groups[Verdict.EXACT])
    bounds = groups[Verdict.BOUND]
    assert not any(claim.guarantee.exact for claim in bounds)
    keys = {claim.mechanism.key for claim in bounds}
    assert {"gap_release", "smooth_gaussian", "power"} <= keys


@pytest.mark.parametrize("epsilon", [0.05, 0.1, 0.5, 1.0, 2.0])
def test_waste_is_rounded_alike_in_the_headline_and_the_table(epsilon):
    budget = Budget(epsilon, 1e-6)
    found = claims(EXAMPLE, budget)
    times = headline(found, budget).rpartition(" times**")[0].rpartition("**")[2]
    assert any(f"**{times}\u00a0×**" in noise_cell(claim) for claim in found)


def test_posterior_bounds_are_bayes_with_the_largest_likelihood_ratio():
    prior = np.array([0.01, 0.5, 0.9])
    low, high = posterior_bounds(prior, log(3))
    np.testing.assert_allclose(high, 3 * prior / (3 * prior + 1 - prior), rtol=1e-12)
    np.testing.assert_allclose(low, prior / (prior + 3 * (1 - prior)), rtol=1e-12)
    np.testing.assert_allclose(posterior_bounds(np.array([0.0, 1.0]), 1e9), [[0, 1], [0, 1]])


def test_no_gaussian_test_beats_the_bound_and_one_touches_it():
    """The exact Gaussian curve lies below the (ε, δ) one at every ε of its profile, and touches."""
    rates = np.linspace(1e-6, 1 - 1e-6, 20_001)
    promise = guarantee_of("gaussian", 1.0, 1e-3)
    exact = gaussian_roc(rates, promise.noise_multiplier)
    bound = membership_roc(rates, promise.epsilon, promise.delta)
    assert (exact <= bound + 1e-9).all()
    assert (bound - exact).min() < 1e-6
    np.testing.assert_allclose(membership_roc(rates, 0.0, 0.0), rates, rtol=1e-12)
    assert membership_roc(np.array([0.0]), 1.0, 0.25)[0] == 0.25


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 5.0])
@pytest.mark.parametrize(
    ("key", "delta", "drawn"), [("gaussian", 1e-6, 1), ("laplace", 0.0, 2), ("non_private", 0.0, 0)]
)
def test_beliefs_are_drawn_only_where_they_are_bounded(key, delta, drawn, epsilon):
    charts = meaning_charts(row(key, epsilon, delta), "gaussian")
    assert sum(chart.figure is not None for chart in charts) == drawn
    assert_charts(Content("", charts))


def page_at(**link):
    opened = open_page("claims", **link)
    assert not opened.exception
    return opened


def drawn(opened):
    return opened.session_state["claims.drawn"]


def table(opened):
    return opened.table[0].value.to_string()


def test_a_link_sets_the_page():
    link = {"epsilon": "0.1", "delta": "0.01", "d": "100", "k": "10", "adjacency": "replace_one"}
    opened = page_at(**link)
    assert "β·n\u00a0=\u00a04,995 people" in table(opened)
    assert "523\u00a0×" in table(opened)
    assert opened.query_params["d"] in ("100", ["100"])


def test_a_link_that_makes_no_sense_falls_back():
    content = drawn(page_at(d="1", epsilon="x", n="-4", k="99"))
    assert_charts(content)
    assert chart_of(content, "claims").title.startswith("Of 13 printed mechanisms")


def test_the_record_can_be_put_into_the_data():
    opened = page_at()
    assert "[[prove]]" in drawn(opened).says["answer"]
    opened.toggle(key="refutation.present").set_value(True)
    assert "**0 of 100**" in drawn(opened.run()).says["answer"]


def test_a_verdict_stands_only_under_what_was_attacked():
    """Under the next mechanism, or at another ε, it would call proved what promises nothing."""
    page = page_at(mechanism="gaussian", epsilon="1")
    page.button(key="audit.start").click().run()
    job = page.session_state["audit"]
    job.thread.join()
    page.run()
    verdict = audit_verdict(job.found, "Gaussian")
    assert chart_of(drawn(page), "audit").title == verdict
    assert_charts(drawn(page))
    menu = next(box for box in page.selectbox if box.value == "gaussian")
    menu.set_value("non_private").run()
    chart = chart_of(drawn(page), "audit")
    assert chart.title == "Attack PCA without privacy"
    assert chart.sub.startswith("The last attack was on Gaussian at ε\u00a0=\u00a01, not on")


@pytest.mark.chance(2e-8)
def test_what_an_attack_could_not_show_is_said_beside_the_verdict():
    """Cauchy noise shows nothing at 4,000 releases; Gaussian noise observed directly would."""

    def said(key, budget, releases=4000):
        pair = worst_pair(MECHANISMS[key], 5, 2, 1000, budget)
        found = audit(MECHANISMS[key], pair, budget, releases=releases, level=1 - 1e-8)
        found = replace(found, level=0.95)
        return audit_power(found), audit_verdict(found, "x")

    power, verdict = said("smooth_cauchy", Budget(1.0))
    assert "an ε below 0.0888 cannot be expected to show" in power
    assert "easiest to attack among all with this guarantee shows about 0.9" in power
    assert power.endswith("A better attack than this one may show more.")
    assert "the attack shows nothing, and ε\u00a0=\u00a01 is proved" in verdict
    assert "Gaussian noise observed directly shows" in said("power", Budget(1.0, 1e-6))[0]
    power, verdict = said("matrix_t", Budget(1.0, 0.01))
    assert power.endswith("uses the likelihood ratio: only more releases can show more.")
    assert verdict.startswith("Consistent")
    few, _ = said("gaussian", Budget(1.0, 0.01), releases=2)
    assert "no attack can show anything: choose more releases" in few


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"mechanism": "laplace"}, "ε = 1, not on"),
        ({"delta": 1e-5}, "ε = 1, δ = 10⁻⁶, not on"),
        ({"k": 3}, "ε = 1, k = 2, not on"),
        ({"n": 5, "d": 20}, f"10 columns, {QUERY.n:,} people, not on"),
        ({"adjacency": str(REPLACED)}, "one person added or removed, not on"),
    ],
)
def test_what_was_attacked_before_is_told_by_what_differs(changed, said):
    found = attacked_before(AuditJob(QUERY, 100, 1), replace(QUERY, **changed))
    assert said in found.replace("\u00a0", " ")
