"""Charts of what a guarantee means: their traces are the bounds, in both themes, with names."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget
from dpca_core.analysis.claims import claim_of, claims, example
from dpca_core.privacy.budget import Guarantee
from dpca_core.privacy.inference_risk import gaussian_roc, membership_roc, posterior_bounds
from tests.chart_figures import assert_names_are_apart, assert_plotly_draws, trace_of
from tests.opened_page import open_page
from ui.claims import text
from ui.claims.inference_risk_figures import FALSE_POSITIVE_RATES, belief_chart, membership_chart
from ui.claims.text import headline, noise_cell


def guarantee_of(key: str, epsilon: float, delta: float) -> Guarantee:
    found = claim_of(MECHANISMS[key], example(10, 2, 60_000), Budget(epsilon, delta))
    assert found.guarantee is not None
    return found.guarantee


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_the_membership_test_is_the_bound_and_the_best_test(epsilon: float) -> None:
    guarantee = guarantee_of("gaussian", epsilon, 1e-6)
    chart = membership_chart(guarantee, "gaussian")
    rates = FALSE_POSITIVE_RATES
    bound, best = (trace_of(chart, name) for name in (text.ALLOWED, text.BEST_TEST))
    np.testing.assert_allclose(bound["x"], rates, rtol=1e-6)
    allowed = membership_roc(rates, guarantee.epsilon, guarantee.delta)
    np.testing.assert_allclose(bound["y"], allowed, rtol=1e-6)
    assert guarantee.noise_multiplier is not None
    exact = gaussian_roc(rates, guarantee.noise_multiplier)
    np.testing.assert_allclose(best["y"], exact, rtol=1e-6, atol=1e-7)
    coin = trace_of(chart, text.COIN)
    np.testing.assert_array_equal(coin["x"], coin["y"])


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 900.0])
def test_beliefs_are_those_that_the_guarantee_allows(epsilon: float) -> None:
    guarantee = guarantee_of("laplace", epsilon, 0.0)
    chart = belief_chart(guarantee, "laplace")
    low, high = posterior_bounds(np.linspace(0, 1, 201), min(guarantee.epsilon, 700.0))
    for name, expected in ((text.LOWEST_BELIEF, low), (text.HIGHEST_BELIEF, high)):
        np.testing.assert_allclose(trace_of(chart, name)["y"], expected, rtol=1e-6, atol=1e-30)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 5.0])
@pytest.mark.parametrize(("key", "delta"), [("gaussian", 1e-6), ("laplace", 0.0)])
def test_plotly_draws_the_charts_and_names_the_lines(
    key: str, delta: float, epsilon: float
) -> None:
    guarantee, role = guarantee_of(key, epsilon, delta), str(MECHANISMS[key].family)
    charts = [membership_chart(guarantee, role)]
    if delta == 0:
        charts.append(belief_chart(guarantee, role))
    assert_plotly_draws({"charts": charts})
    assert_names_are_apart({"charts": charts})


@pytest.mark.parametrize("epsilon", [0.05, 0.1, 0.5, 1.0, 2.0])
def test_how_much_noise_is_wasted_is_rounded_alike_in_the_headline_and_the_table(
    epsilon: float,
) -> None:
    budget = Budget(epsilon, 1e-6)
    found = claims(example(10, 2, 60_000), budget)
    said = headline(found, budget)
    assert " times</b>" in said
    times = said.rpartition(" times</b>")[0].rpartition("<b>")[2]
    assert any(f"<b>{times}\u00a0×</b>" in noise_cell(claim) for claim in found)


@pytest.mark.parametrize(("key", "drawn"), [("laplace", True), ("gaussian", False)])
def test_the_page_draws_beliefs_only_where_they_are_bounded(key: str, drawn: bool) -> None:
    opened = open_page("claims", mechanism=key, delta="1e-6")
    assert not opened.exception
    shown = " ".join(block.proto.body for block in opened.get("html"))
    explained = text.NO_BELIEF_SUBTITLE in shown
    assert explained != drawn
