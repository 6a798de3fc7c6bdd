"""Claims beside guarantees: the numbers that the papers get wrong, and the page that shows them.

Counts of random releases are compared with exact probabilities at 4.9 standard errors: each fails
by chance once in a million runs.
"""

from math import exp, log, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Standing
from dpca_core.analysis.claims import claim_of, claims, example
from dpca_core.audit.absence import released_remainders, sticks_out
from dpca_core.privacy.inference_risk import gaussian_roc, membership_roc, posterior_bounds
from tests.opened_page import open_page
from ui.claims.audit_text import audit_verdict
from ui.claims.figures import claims_table
from ui.claims.text import group_titles, headline
from ui.claims.verdicts import Verdict, grouped
from ui.text.guarantee_labels import short_guarantee


def row(key, epsilon, delta, d=10, k=2, n=60_000, adjacency=Adjacency.ADD_OR_REMOVE_ONE):
    return claim_of(MECHANISMS[key], example(d, k, n), Budget(epsilon, delta, adjacency))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_one_wishart_is_refuted_by_as_much_as_is_computed(epsilon):
    sn, jiang = row("wishart_sn", epsilon, 1e-6), row("wishart_jiang", epsilon, 1e-6)
    assert sn.claim.epsilon == jiang.claim.epsilon == epsilon
    assert sn.guarantee.delta == pytest.approx(1 - exp(-epsilon), rel=1e-12)
    assert jiang.guarantee.delta == pytest.approx(1 - exp(-epsilon / 3), rel=1e-12)
    assert sn.guarantee.standing is jiang.guarantee.standing is Standing.REFUTED


def test_the_share_at_one_is_632_in_a_thousand():
    assert f"{row('wishart_sn', 1.0, 0.0).guarantee.delta:.3f}" == "0.632"


def test_mod_sulq_against_the_exact_gaussian():
    found = row("mod_sulq", 0.1, 0.01, 100, 10, adjacency=Adjacency.REPLACE_ONE)
    needed = row("gaussian", 0.1, 0.01, 100, 10, adjacency=Adjacency.REPLACE_ONE)
    assert found.noise.scale == pytest.approx(4995, abs=1)
    assert needed.noise.scale == pytest.approx(13.5, abs=0.05)
    assert found.excess == pytest.approx(
        sqrt(2) * found.noise.scale / needed.noise.scale, rel=1e-12
    )


@pytest.mark.parametrize(
    ("key", "factor"), [("analyze_gauss", 1.77), ("mod_sulq", 21.7), ("local_printed", 1.25)]
)
def test_excess_is_what_turns_directions(key, factor):
    """ε = 1, δ = 10⁻⁶, d = 10: standard deviations off the diagonal, drawn from both mechanisms.

    4,000 matrices of 45 entries each: 1 % is more than four standard errors of the ratio.
    """
    problem, budget = example(10, 2, 60_000), Budget(1.0, 1e-6)
    found = claim_of(MECHANISMS[key], problem, budget)
    assert found.excess == pytest.approx(factor, abs=0.006 if factor < 2 else 0.06)
    spreads, above = [], np.triu_indices(10, 1)
    for mechanism in (MECHANISMS[key], MECHANISMS[MECHANISMS[key].calibrated_counterpart]):
        release = mechanism.release(problem, budget, np.random.default_rng(5), 4000, keep="moment")
        spreads.append((release.moment - problem.moment)[:, *above].std())
    assert spreads[0] / spreads[1] == pytest.approx(found.excess, rel=0.01)


@pytest.mark.parametrize(("delta", "edge"), [(1e-2, 6.8), (1e-5, 8.4), (1e-9, 9.6)])
def test_the_classic_formula_is_flagged_beyond_its_range(delta, edge):
    inside, outside = (row("analyze_gauss", edge + by, delta) for by in (-0.1, 0.1))
    assert not inside.broken
    assert outside.broken
    assert outside.guarantee.epsilon > edge + 0.1


def test_a_replaced_person_breaks_analyze_gauss_earlier():
    replaced = row("analyze_gauss", 1.0, 1e-6, adjacency=Adjacency.REPLACE_ONE)
    assert replaced.guarantee.standing is Standing.WEAKER
    assert not row("analyze_gauss", 1.0, 1e-6).broken


@pytest.mark.parametrize("adjacency", Adjacency)
def test_a_claim_holds_unless_it_is_called_broken(adjacency):
    budget = Budget(0.5, 1e-6, adjacency)
    for found in claims(example(20, 3, 10_000), budget):
        if found.claim is not None and not found.broken:
            assert found.guarantee.epsilon <= found.claim.epsilon * (1 + 1e-9)
            assert found.guarantee.delta <= max(found.claim.delta, budget.delta)


def test_excess_is_how_often_the_calibrated_noise_fits():
    found = {r.mechanism.key: r for r in claims(example(10, 2, 60_000), Budget(0.5, 1e-6))}
    assert {key for key, r in found.items() if r.excess} == {
        "analyze_gauss",
        "laplace_printed",
        "smooth_gaussian_printed",
        "smooth_cauchy_printed",
        "sulq",
        "mod_sulq",
        "wishart_sheffet",
        "local_printed",
    }
    assert found["laplace_printed"].excess == pytest.approx(2 * 10 / ((10 + 1) / 2))


def test_every_mechanism_has_one_row():
    budget = Budget(1.0, 1e-6)
    rows = claims(example(10, 2, 60_000), budget)
    shown = [r.mechanism.key for group in grouped(rows, budget) for r in group.claims]
    assert sorted(shown) == sorted(MECHANISMS)
    html = claims_table(rows, budget)
    assert html.count('<div class="row ') == 1 + len(MECHANISMS)  # and the head
    assert (
        short_guarantee(row("wishart_sn", 1.0, 0.0).guarantee)
        == "δ\u00a0=\u00a00.633 at every\u00a0ε"
    )
    assert "<b>6 of 12</b>" in headline(rows, budget)


@pytest.mark.parametrize("adjacency", Adjacency)
def test_exactly_is_said_only_of_what_is_attained(adjacency):
    budget = Budget(0.5, 1e-6, adjacency)
    groups = {g.verdict: g for g in grouped(claims(example(10, 2, 60_000), budget), budget)}
    assert all(r.guarantee.exact for r in groups[Verdict.EXACT].claims)
    assert not any(r.guarantee.exact for r in groups[Verdict.BOUND].claims)
    assert {"gap_release", "smooth_gaussian", "power"} <= {
        r.mechanism.key for r in groups[Verdict.BOUND].claims
    }
    title, _ = group_titles(groups[Verdict.BOUND])
    assert "at most" in title
    assert "exactly" not in title


def test_noise_is_written_with_its_unit_and_per_entry():
    budget = Budget(1.0, 1e-6)
    html = claims_table(claims(example(10, 2, 60_000), budget), budget)
    assert "τ\u00a0=\u00a04.22 people per entry" in html
    assert "s\u00a0=\u00a00.5 people; 3.32 per entry" in html
    assert "per entry of a direction" in html


@pytest.mark.parametrize("d", [2, 3, 10, 100, 200])
@pytest.mark.parametrize("k", [1, 20])
def test_example_data_are_people(d, k):
    problem = example(d, min(k, d - 1), 1000)
    assert problem.moment.trace() == pytest.approx(900)
    assert (np.diff(problem.spectrum) <= 0).all()
    assert problem.gap > 0 or d > 20


@pytest.mark.parametrize("key", ["wishart_sn", "wishart_jiang"])
def test_needles_stick_out_as_often_as_proved(key):
    mechanism, budget, trials = MECHANISMS[key], Budget(1.0), 40_000
    share = 1 - exp(-1 / (2 * mechanism.formula(budget)))
    x = np.array([0.5, sqrt(0.75)])
    absent = released_remainders(mechanism, budget, present=False, trials=trials, seed=1)
    present = released_remainders(mechanism, budget, present=True, trials=trials, seed=1)
    error = 4.9 * sqrt(share * (1 - share) / trials)
    assert sticks_out(absent, x).mean() == pytest.approx(share, abs=error)
    assert not sticks_out(present, x).any()
    beyond = x @ np.linalg.solve(absent, np.tile(x[:, None], (trials, 1, 1)))[..., 0].T - 1
    clear = np.abs(beyond) > 1e-6
    np.testing.assert_array_equal(sticks_out(absent, x)[clear], beyond[clear] > 0)


def test_posterior_bounds_are_bayes_with_the_largest_likelihood_ratio():
    prior = np.array([0.01, 0.5, 0.9])
    low, high = posterior_bounds(prior, log(3))
    np.testing.assert_allclose(high, 3 * prior / (3 * prior + 1 - prior), rtol=1e-12)
    np.testing.assert_allclose(low, prior / (prior + 3 * (1 - prior)), rtol=1e-12)
    np.testing.assert_allclose(posterior_bounds(np.array([0.0, 1.0]), 1e9), [[0, 1], [0, 1]])


def test_no_gaussian_test_beats_the_bound_and_one_touches_it():
    """The exact Gaussian curve lies below the (ε, δ) one at every ε of its profile, and touches."""
    rates = np.linspace(1e-6, 1 - 1e-6, 20_001)
    promise = MECHANISMS["gaussian"].guarantee(example(5, 1, 1000), Budget(1.0, 1e-3))
    exact = gaussian_roc(rates, promise.noise_multiplier)
    bound = membership_roc(rates, promise.epsilon, promise.delta)
    assert (exact <= bound + 1e-9).all()
    assert (bound - exact).min() < 1e-6
    np.testing.assert_allclose(membership_roc(rates, 0.0, 0.0), rates, rtol=1e-12)
    assert membership_roc(np.array([0.0]), 1.0, 0.25)[0] == 0.25


def page(**query):
    return open_page("claims", **query)


def shown(opened):
    assert not opened.exception
    return " ".join(block.proto.body for block in opened.get("html"))


def test_a_link_sets_the_page():
    opened = page(epsilon="0.1", delta="0.01", d="100", k="10", adjacency="replace_one")
    assert "β·n\u00a0=\u00a04,995 people" in shown(opened)
    assert "523\u00a0×" in shown(opened)
    assert opened.query_params["d"] == ["100"] or opened.query_params["d"] == "100"


@pytest.mark.parametrize("query", [{"d": "1"}, {"epsilon": "x"}, {"n": "-4", "k": "99"}])
def test_a_link_that_makes_no_sense_falls_back(query):
    assert "5 of 13</b> printed" in shown(page(**query))


def test_the_record_can_be_put_into_the_data():
    opened = page()
    assert "<em>prove</em>" in shown(opened)
    opened.session_state["refutation.present"] = True
    assert "<b>0 of 100</b>" in shown(opened.run())


def test_a_verdict_stands_only_under_what_was_attacked():
    """Under the next mechanism, or at another ε, it would call proved what promises nothing."""
    page = open_page("claims", mechanism="gaussian", epsilon="1")
    page.button(key="audit.start").click().run()
    job = page.session_state["audit"]
    job.thread.join()
    page.run()
    verdict = audit_verdict(job.found, "Gaussian")
    assert sum(verdict in html.proto.body for html in page.get("html")) == 1
    menu = next(box for box in page.selectbox if box.value == "gaussian")
    menu.set_value("non_private").run()
    assert not any(verdict in html.proto.body for html in page.get("html"))
    (note,) = [note.value for note in page.info]
    assert note == (
        "The last attack was on Gaussian at ε\u00a0=\u00a01, not on what is chosen now: attack "
        "again."
    )
