"""The Eigengap page: its numbers against brute force, the mechanisms and the documents."""

from dataclasses import replace
from math import exp, pi, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpca_core import MECHANISMS, Adjacency, Budget
from dpca_core.mechanisms.smooth_gaussian import largest_beta, smallest_factor
from dpca_core.privacy.sensitivity import gap_change, local_sensitivity, smooth_sensitivity
from dpca_core.privacy.smooth_gaussian import smooth_gaussian_delta
from sample_data import load_key
from tests.built_in_sets import QUICK_SETS, loaded
from tests.chart_figures import (
    assert_plotly_draws,
    chart_of,
    trace_of,
)
from tests.opened_page import open_page
from ui.eigengap.figures import page_content
from ui.eigengap.measurements import largest_rotation
from ui.eigengap.query import EigengapQuery


def query_of(**changes):
    data = load_key("rand")
    start = EigengapQuery(
        data,
        2,
        float(data.people),
        data.problem(2).gap,
        1.0,
        1e-6,
        Adjacency.ADD_OR_REMOVE_ONE,
        0.766,
    )
    return replace(start, **changes)


@settings(max_examples=200, deadline=None)
@given(
    gap=st.floats(0, 400),
    beta=st.floats(1e-4, 3),
    d=st.integers(2, 40),
    share=st.floats(0, 1),
    adjacency=st.sampled_from(Adjacency),
)
def test_the_smooth_bound_is_the_largest_of_all_terms(gap, beta, d, share, adjacency):
    k, step = 1 + int(share * (d - 2)), gap_change(adjacency)
    every = [
        exp(-beta * j) * local_sensitivity(gap - j * step, d, k, adjacency)
        for j in range(int(gap / step) + 30)
    ]
    assert smooth_sensitivity(gap, d, k, beta, adjacency).bound == pytest.approx(max(every))


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("adjacency", Adjacency)
def test_it_is_smooth_on_neighbouring_data(k, adjacency):
    """U(S) ≤ e^β·U(S') for 300 random data sets, half with a person who closes the gap."""
    rng = np.random.default_rng(k)
    for _ in range(300):
        d, beta = 6, 10 ** rng.uniform(-3, 0)
        spectrum = np.sort(rng.exponential(20, d))[::-1]
        q = np.linalg.qr(rng.standard_normal((d, d)))[0]
        moment = (q * spectrum) @ q.T
        x, y = (v / np.linalg.norm(v) for v in rng.standard_normal((2, d)))
        away = np.outer(q[:, k], q[:, k]) if rng.random() < 0.5 else np.outer(x, x)
        other = moment + away
        if adjacency is Adjacency.REPLACE_ONE:
            moment = moment + np.outer(y, y)
        gaps = [np.diff(np.linalg.eigvalsh(m))[d - k - 1] for m in (moment, other)]
        first, second = (smooth_sensitivity(g, d, k, beta, adjacency).bound for g in gaps)
        assert max(first / second, second / first) <= exp(beta) * (1 + 1e-9)


def test_one_person_turns_what_the_theorem_says():
    assert largest_rotation(query_of(gap=2.0)) == pytest.approx(pi / 12)
    assert largest_rotation(query_of(gap=0.5)) == pi / 2
    assert "all the way" in page_content(query_of(gap=0.5))["answer"]
    drawn = trace_of(chart_of(page_content(query_of()), "turn"), "one person, exact")
    line, gaps = drawn["y"], drawn["x"].astype(float)
    i = next(j for j, g in enumerate(gaps) if g > 100)
    assert line[i] == pytest.approx(2 * sin(np.arcsin(1 / gaps[i]) / 4), rel=1e-5)


def test_calibration_saves_a_factor_of_about_six_at_a_hundred_numbers():
    """c = 4.43 against 26.9 at m = 100, δ = 10⁻⁶, ε = 1."""
    beta = largest_beta(1.0, 1e-6, 100)
    factor = smallest_factor(1.0, 1e-6, beta, 100)
    assert factor == pytest.approx(4.43, abs=0.005)
    assert 5 * np.sqrt(2 * np.log(2e6)) / factor == pytest.approx(6.1, abs=0.05)
    assert smooth_gaussian_delta(factor, 1.0, beta, 100) <= 1e-6
    assert smooth_gaussian_delta(factor * 0.999, 1.0, beta, 100) > 1e-6


@pytest.mark.parametrize(
    ("m", "epsilon", "delta"), [(1, 1.0, 0.05), (10, 0.5, 0.05), (40, 2.0, 0.02)]
)
def test_its_delta_is_that_of_a_monte_carlo_hockey_stick(m, epsilon, delta):
    """At both ends of the scales and without change; 10⁶ draws, five standard errors."""
    beta = largest_beta(epsilon, delta, m)
    factor = smallest_factor(epsilon, delta, beta, m)
    rng = np.random.default_rng(m)
    worst = 0.0
    for log_ratio in (-beta, 0.0, beta):
        shift, r = min(1.0, exp(log_ratio)) / factor, exp(log_ratio)
        z = rng.standard_normal((1_000_000 // m, m))
        z[:, 0] -= 0.0
        from_zero = -0.5 * np.square(z).sum(axis=1)
        z[:, 0] -= shift
        from_shift = -0.5 * np.square(z).sum(axis=1) / r**2 - m * log_ratio
        stick = np.maximum(0, 1 - np.exp(epsilon + from_shift - from_zero))
        error = 5 * stick.std() / np.sqrt(len(stick))
        assert stick.mean() <= delta + error
        worst = max(worst, stick.mean() + error)
    assert worst >= delta * 0.98


@pytest.mark.parametrize("key", QUICK_SETS)
@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("adjacency", Adjacency)
def test_every_sentence_is_whole(key, delta, adjacency):
    data = loaded(key)
    problem = data.problem(1)
    content = page_content(
        EigengapQuery(
            data, 1, float(data.people), max(problem.gap, 0.05), 0.1, delta, adjacency, 1.0
        )
    )
    texts = [content["answer"], content["under"], content["footer"]]
    texts += [text for c in content["charts"] for text in (c["title"], c["sub"])]
    assert all(text and "nan" not in text and "inf" not in text.split() for text in texts)
    if delta and adjacency is Adjacency.REPLACE_ONE:
        assert_plotly_draws(content)


def page(**query):
    return open_page("eigengap", **query)


def test_a_link_sets_the_page():
    opened = page(data="digits", k="4", epsilon="0.1", delta="0", gap="3", constant="2")
    assert not opened.exception
    content = opened.session_state["eigengap.drawn"]
    assert "[[3\u00a0images]]" in content["answer"]
    assert trace_of(chart_of(content, "turn"), "the paper’s C/g, C = 2")
    assert opened.query_params["gap"] in ("3", ["3"])


def test_the_gap_follows_the_directions():
    opened = page()
    assert "[[129\u00a0people]]" in opened.session_state["eigengap.drawn"]["answer"]
    opened.slider(key="k").set_value(3).run()
    assert "[[17.4\u00a0people]]" in opened.session_state["eigengap.drawn"]["answer"]


def test_a_private_mean_moves_the_gap_and_takes_its_part():
    data = replace(load_key("wine"), mean_share=0.2)
    now = EigengapQuery(
        data, 1, float(data.people), 5.0, 1.0, 1e-6, Adjacency.ADD_OR_REMOVE_ONE, 1.0
    )
    assert now.mechanism_budget.epsilon == pytest.approx(0.8)
    centred = data.problem(1, None, Budget(1.0, 1e-6))
    np.testing.assert_allclose(now.problem.moment, centred.moment)
    content = page_content(now)
    assert "20\u00a0% of the budget" in content["footer"]
    stub = now.problem_at_gap(5.0)
    scale = MECHANISMS["smooth_cauchy"].calibrate(stub, Budget(0.8, 8e-7)).scale
    line = trace_of(chart_of(content, "by-epsilon"), MECHANISMS["smooth_cauchy"].name)
    at = line["x"].tolist().index(pytest.approx(1.0))
    assert line["y"][at] == pytest.approx(scale, rel=1e-5)


def test_k_can_be_chosen_privately():
    opened = page(choice="100")
    draw = "Choose k privately"
    next(button for button in opened.button if button.label == draw).click().run()
    assert not opened.exception
    (said,) = [
        box.value for box in opened.caption if "was drawn from the actual table" in box.value
    ]
    k = int(said.split("k = ")[1].split("*")[0])
    assert [slider.value for slider in opened.slider] == [k]
    assert "5,912 people" in said
    assert "cost ε = 100 (pure)" in said
    next(button for button in opened.button if button.label == draw).click().run()
    said = " ".join(box.value for box in opened.caption)
    assert "The 2 draws of this session cost ε = 200 in total" in said
    assert "Each further draw spends ε again." in said
