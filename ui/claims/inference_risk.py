"""What a guarantee means to one person: belief after a release, and tests for membership."""

from math import ceil
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from dpca_core.analysis.claims import claim_of
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Guarantee, Notion, Standing
from dpca_core.privacy.inference_risk import (
    gaussian_beyond,
    gaussian_roc,
    membership_roc,
    posterior_bounds,
)
from dpca_core.text.privacy_numbers import delta_text, power
from ui.claims.query import Asked
from ui.figures.palette import colour
from ui.text.guarantees import attacker_question, short_guarantee

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


HEIGHT = 330
RATES = np.concatenate([[0.0], np.geomspace(1e-6, 0.01, 60), np.linspace(0.012, 1, 200)])


def draw(asked: Asked) -> None:
    """Draw the section for the mechanism asked for."""
    mechanism = MECHANISMS[asked.mechanism]
    found = claim_of(mechanism, asked.problem, asked.budget)
    guarantee = found.guarantee
    if guarantee is None:
        st.info(found.infeasible)
        return
    st.html(
        f'<div class="claims"><p class="answer">{_answer(guarantee)}</p>'
        f'<p class="under">{_explained(guarantee)}</p></div>'
    )
    if guarantee.notion is Notion.NONE:
        return
    shade = colour(mechanism.family)[st.context.theme.type == "dark"]
    left, right = st.columns(2, gap="large")
    with left:
        _titled("A test for membership", _of_tests(guarantee))
        st.plotly_chart(
            _roc(guarantee, shade), key="roc", config={"displayModeBar": False}, height=HEIGHT
        )
    with right:
        if guarantee.delta == 0:
            _titled("Belief before and after", "whatever is released; shaded: what may be believed")
            st.plotly_chart(
                _belief(guarantee, shade),
                key="belief",
                config={"displayModeBar": False},
                height=HEIGHT,
            )
        else:
            _titled("Belief before and after", "no such picture for δ > 0")
            st.html(f'<div class="claims"><p>{_no_belief(guarantee)}</p></div>')


def _titled(title: str, subtitle: str) -> None:
    st.html(f'<div class="claims"><h3>{title}</h3><p class="sub">{subtitle}</p></div>')


def _answer(guarantee: Guarantee) -> str:
    asked = attacker_question(guarantee, "person")
    times = ceil(guarantee.guess_probability() * 100 - 1e-9)
    if guarantee.standing is Standing.UNCERTIFIED:
        return f"No bound on a guess {asked} is proved."
    if guarantee.notion is Notion.NONE:
        return f"Nothing bounds a guess {asked}: it may always be right."
    if times == 100:
        return f"Almost no protection: a guess {asked} may be right 100 times in 100."
    return f"Someone guessing {asked} is right at most <b>{times} times in 100</b> (a coin: 50)."


def _explained(guarantee: Guarantee) -> str:
    exact = guarantee.noise_multiplier is not None
    bound = "(e<sup>ε</sup> + δ)/(1 + e<sup>ε</sup>)"
    how = "exactly Φ(Δ/2σ), as the noise is Gaussian" if exact else bound
    if guarantee.standing is Standing.REFUTED:
        how = f"{bound} at ε = 0, which is (1 + δ)/2"
    if guarantee.notion is Notion.NONE:
        return "The guesser knows everybody else’s record and sees what is published."
    seen = (
        "The guesser sees the report that the person sends."
        if guarantee.notion is Notion.LOCAL
        else "The guesser knows everybody else’s record and sees what is published."
    )
    return f"{seen} What holds is {short_guarantee(guarantee)}; the largest chance is {how}."


def _of_tests(guarantee: Guarantee) -> str:
    if guarantee.noise_multiplier is not None:
        return "line: the best test there is; shaded: what ε and δ alone would allow"
    return "shaded: what ε and δ allow; no test gets above it"


def _no_belief(guarantee: Guarantee) -> str:
    text = (
        "With δ > 0 a rare output may give a person away, so no bound on belief holds for every "
        f"output. It can fail, and with a probability that may be more than "
        f"δ\u00a0=\u00a0{delta_text(guarantee.delta)}."
    )
    if guarantee.noise_multiplier is not None:
        chance = float(f"{gaussian_beyond(guarantee.noise_multiplier, guarantee.epsilon):.2g}")
        text += (
            f" Here an output that changes the odds by more than e<sup>ε</sup> has probability "
            f"<b>{power(chance)}</b>, exactly Φ(Δ/2σ − εσ/Δ)."
        )
    return f"{text} Judge by the test on the left, or by the odds of a guess."


def _roc(guarantee: Guarantee, shade: str) -> "Figure":
    import plotly.graph_objects as go

    bound = membership_roc(RATES, guarantee.epsilon, guarantee.delta)
    figure = go.Figure()
    figure.add_scatter(
        x=[0, 1], y=[0, 1], line={"color": "#8A9099", "width": 1, "dash": "dash"},
        hoverinfo="skip",
    )  # fmt: skip
    figure.add_scatter(
        x=RATES, y=bound, fill="tonexty", fillcolor=_faint(shade),
        line={"color": shade, "width": 0.8},
        hovertemplate="allowed by ε and δ: %{y:.1%}<extra></extra>",
    )  # fmt: skip
    if guarantee.noise_multiplier is not None:
        figure.add_scatter(
            x=RATES, y=gaussian_roc(RATES, guarantee.noise_multiplier),
            line={"color": shade, "width": 2.75},
            hovertemplate="best test: %{y:.1%}<extra></extra>",
        )  # fmt: skip
    return _laid_out(
        figure, "false alarms: people accused who are not there", "found: people there"
    )


def _belief(guarantee: Guarantee, shade: str) -> "Figure":
    import plotly.graph_objects as go

    prior = np.linspace(0, 1, 201)
    low, high = posterior_bounds(prior, min(guarantee.epsilon, 700.0))
    figure = go.Figure()
    figure.add_scatter(
        x=prior, y=low, line={"color": shade, "width": 2},
        hovertemplate="least: %{y:.1%}<extra></extra>",
    )  # fmt: skip
    figure.add_scatter(
        x=prior, y=high, line={"color": shade, "width": 2}, fill="tonexty", fillcolor=_faint(shade),
        hovertemplate="most: %{y:.1%}<extra></extra>",
    )  # fmt: skip
    figure.add_scatter(
        x=[0, 1], y=[0, 1], line={"color": "#8A9099", "width": 1, "dash": "dash"}, hoverinfo="skip"
    )
    return _laid_out(figure, "belief before the release", "belief after it")


def _faint(shade: str) -> str:
    red, green, blue = (int(shade[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},.14)"


def _laid_out(figure: "Figure", x: str, y: str) -> "Figure":
    axis = {
        "range": [0, 1.02],
        "tickformat": ".0%",
        "tickvals": [0, 0.2, 0.4, 0.6, 0.8, 1],
        "zeroline": False,
    }
    figure.update_layout(
        height=HEIGHT, margin={"l": 0, "r": 12, "t": 6, "b": 0}, showlegend=False,
        hovermode="x unified", xaxis={**axis, "title": x}, yaxis={**axis, "title": y},
    )  # fmt: skip
    return figure
