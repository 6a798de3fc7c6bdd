"""The Explore page below its controls: the instrument, refined while one looks, and a release."""

from typing import Any

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from ui.explore.figures import payload
from ui.explore.kept_studies import kept_study
from ui.explore.measurements import Study
from ui.explore.query import ExploreQuery
from ui.explore.release_file import create_release_file
from ui.explore.sample_releases import SampleReleases
from ui.figures.component import instrument
from ui.server.scheduler import (
    PAGE_SCHEDULER,
    busy_message,
    is_heavy,
    refinement_delay,
    should_yield,
    superseded,
)
from ui.server.worker_pool import DrawLost, progress_notice
from ui.state import session
from ui.state.slider_stops import EPSILON_STOPS, TARGETS, nearest_stop
from ui.widgets import component_messages

NEAR = 2
"""Stops on both sides of the rule whose sentences come at once; a refinement brings the others."""
SLICE, WIDE_SLICE, WIDE = 0.05, 0.2, 40
"""Seconds of measuring before the page may answer again, and the same above 40 columns."""


def draw_instrument(data: Dataset, query: ExploreQuery) -> None:
    """Draw the instrument and answer what is done in it."""
    refined = st.session_state.pop("more", None)
    with (
        progress_notice(),
        PAGE_SCHEDULER.turn(
            urgent=refined is None, heavy=is_heavy(data.d), gone=superseded if refined else None
        ) as taken,
    ):
        if taken:
            st.session_state["drawn"] = _measured(data, query, refined)
    content = st.session_state["drawn"][0]
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
            "release": _release,
        },
    )
    session.write_address()


def _measured(
    data: Dataset, query: ExploreQuery, refined: str | None
) -> tuple[dict[str, Any], Study]:
    """Begin or refine the picture that is asked for, and compose it.

    Parameters
    ----------
    refined
        The picture of which more was asked for; it may not be the one on the screen any more.
    """
    settings = session.settings()
    start = EPSILON_STOPS.index(settings.epsilon)
    identity, study = kept_study(data, query, settings.target)
    if study.stage == 0 or identity != refined:
        study.first_paint(start, PAGE_SCHEDULER.busy)
    else:
        study.advance(WIDE_SLICE if study.problem.d > WIDE else SLICE, should_yield)
        if superseded():
            drawn: tuple[dict[str, Any], Study] = st.session_state["drawn"]
            return drawn
    busy = PAGE_SCHEDULER.busy and refined is None
    more_follows = not study.complete and (study.stage == 1 or busy)
    content = payload(
        identity, data, study,
        epsilon=settings.epsilon, target=settings.target, words=NEAR if more_follows else None,
        pictures=None if more_follows and busy else SampleReleases(data, study, start),
        public=settings.public, ghost=st.session_state.get("ghost"),
        notice=st.session_state.pop("notice", None),
    )  # fmt: skip
    content |= {"busy": busy_message(study.complete), "pause": refinement_delay(study.complete)}
    content["file"] = st.session_state.get("downloads", {}).get("released")
    return content, study


def _value(name: str) -> Any:
    """Return what the instrument said last by this name; every saying is stamped with its time."""
    return component_messages.last_message("instrument", name).get("value")


def _epsilon() -> None:
    value = component_messages.finite_number(_value("epsilon"))
    if value is not None:
        session.change_settings(epsilon=nearest_stop(value, EPSILON_STOPS))


def _more() -> None:
    identity = component_messages.short_text(
        component_messages.last_message("instrument", "more").get("id")
    )
    if identity is not None:
        st.session_state["more"] = identity


def _mechanism() -> None:
    key = component_messages.short_text(_value("mechanism"))
    if key in {m["key"] for m in st.session_state["drawn"][0]["mechanisms"]}:
        st.session_state["mechanism"] = key


def _target() -> None:
    value = component_messages.finite_number(_value("target"))
    if value in TARGETS:
        session.change_settings(target=value)


def _public() -> None:
    session.change_settings(public=_value("public") is True)


def _pin() -> None:
    """Keep the present curves as a ghost to compare with, or let it go."""
    if component_messages.short_text(_value("pin")) == "off":
        st.session_state["ghost"] = None
        return
    content, study = st.session_state["drawn"]
    chosen = next(m for m in content["mechanisms"] if m["chosen"])
    # SampleReleases can be saved: the name of somebody's file stays out of them.
    label = content["phone"].removeprefix(f"{study.dataset.short}, ").replace("**", "")
    st.session_state["ghost"] = {
        "label": label, "captured": chosen["captured"], "sin": chosen["sin"]
    }  # fmt: skip


def _release() -> None:
    """Draw one real release; the instrument saves it as a file when the picture comes back."""
    study = st.session_state["drawn"][1]
    query, epsilon = study.query, session.settings().epsilon
    # Found before the draw and filled after it: where the page asks for more meanwhile, Streamlit
    # ends this run at the next look at the session's state.
    place: dict[str, Any] = st.session_state.setdefault("downloads", {})
    try:
        file = create_release_file(
            study.dataset, query.mechanism, query.k, Budget(epsilon, query.delta, query.adjacency)
        )
    except (InfeasibleBudget, DrawLost) as error:
        st.session_state["notice"] = str(error)
        return
    number = place.get("released", {}).get("number", 0) + 1
    place["released"] = file.to_message(number)
