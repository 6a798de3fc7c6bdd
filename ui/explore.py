"""The Explore page below its controls: the instrument, refined while one looks, and a release."""

from typing import Any

import streamlit as st

from dpca_core.budget import Budget, InfeasibleBudget
from dpca_core.dataset import Dataset
from ui import session
from ui.format import power
from ui.instrument import instrument
from ui.leaks import clipping
from ui.payload import payload
from ui.releases import Pictures
from ui.settings import TARGETS, nearest
from ui.study import EPSILONS, View
from ui.take_away import CAVEAT, release_csv

SLICE, WIDE_SLICE, WIDE = 0.05, 0.2, 40
"""Seconds of measuring before the page may answer again, and the same above 40 columns."""

STYLE = """<style>
.stMainBlockContainer {padding-top: 4.2rem; padding-bottom: 3rem; max-width: 1368px}
.st-key-controls {gap: .25rem}
.st-key-controls [data-testid="stWidgetLabel"] {min-height: 1.1rem; margin-bottom: 0}
@media (max-width: 640px) {
  .st-key-controls {display: none}
  body.dpca-controls-open .st-key-controls {display: flex}
  .stMainBlockContainer {padding-left: 1rem; padding-right: 1rem; padding-bottom: 7rem}
}
</style>"""


def draw_instrument(data: Dataset, view: View) -> None:
    """Draw the instrument and answer what is done in it."""
    settings = session.settings()
    identity, study = session.study(data, view, settings.target)
    if study.stage == 0:
        study.first_paint(EPSILONS.index(settings.epsilon))
    content = payload(
        identity, data, study,
        epsilon=settings.epsilon, target=settings.target,
        pictures=Pictures(data, study, EPSILONS.index(settings.epsilon)),
        public=settings.public, ghost=st.session_state.get("ghost"),
    )  # fmt: skip
    st.session_state["drawn"] = (content, study)
    instrument(
        content,
        key="instrument",
        on_change={
            "epsilon": _epsilon,
            "more": _more,
            "mechanism": _mechanism,
            "target": _target,
            "public": _public,
            "pin": _pin,
        },
    )
    session.write_link()


def _value(name: str) -> Any:
    return getattr(st.session_state.get("instrument"), name, None)


def _epsilon() -> None:
    value = _value("epsilon")
    if isinstance(value, int | float):
        session.change(epsilon=nearest(float(value), EPSILONS))


def _more() -> None:
    asked, (content, study) = _value("more"), st.session_state["drawn"]
    if isinstance(asked, dict) and asked.get("id") == content["id"]:
        study.advance(WIDE_SLICE if study.problem.d > WIDE else SLICE)


def _mechanism() -> None:
    key = _value("mechanism")
    if key in {m["key"] for m in st.session_state["drawn"][0]["mechanisms"]}:
        st.session_state["mechanism"] = key


def _target() -> None:
    value = _value("target")
    if value in TARGETS:
        session.change(target=float(value))


def _public() -> None:
    session.change(public=bool(_value("public")))


def _pin() -> None:
    """Keep the present curves as a ghost to compare with, or let it go."""
    if _value("pin") == "off":
        st.session_state["ghost"] = None
        return
    content = st.session_state["drawn"][0]
    chosen = next(m for m in content["mechanisms"] if m["chosen"])
    label = content["phone"].replace("**", "")
    st.session_state["ghost"] = {
        "label": label, "captured": chosen["captured"], "sin": chosen["sin"]
    }  # fmt: skip


def below(data: Dataset, view: View) -> None:
    """Offer one release to take away, and say what clipping did."""
    effect = clipping(data, data.problem(view.k)) if data.mean_share == 0 else None
    if effect:
        st.caption(effect)
    left, right = st.columns((1, 2), vertical_alignment="center")

    def drawn() -> str:
        epsilon = session.settings().epsilon
        budget = Budget(epsilon, view.delta, view.adjacency)
        try:
            return release_csv(data, view.mechanism, view.k, budget)
        except InfeasibleBudget as infeasible:
            return f"# {infeasible}\n"

    with left:
        st.download_button(
            "Draw and download one release (CSV)",
            data=drawn,
            file_name=f"dpca-release-{view.mechanism.key}.csv",
            mime="text/csv",
            on_click="ignore",
            key="release",
        )
    with right:
        st.caption(
            "A fresh draw from the real data at the ε of the rule and "
            f"δ\u00a0=\u00a0{power(view.delta)}, with its guarantee written in the file. {CAVEAT}"
        )
