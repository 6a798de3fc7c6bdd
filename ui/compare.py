"""The Compare page: its controls, and the component that draws what is measured so far."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import streamlit as st

from dpca_core.budget import Adjacency
from dpca_core.dataset import Dataset
from dpca_core.registry import MECHANISMS
from ui import compare_settings, messages, session
from ui.compare_settings import CompareSettings
from ui.compare_words import Compared
from ui.comparison import AXES, MOST_DIRECTIONS, Asked, Comparison, Memory
from ui.controls import people_stops
from ui.downloads import Download
from ui.format import count, epsilon_text, power
from ui.instrument import COMPARE_PARTS, COMPARE_SHEETS, component_of
from ui.link import nearest
from ui.load import GATE, heavy, moved, pause, said, wanted
from ui.long_work import told_here
from ui.promises import neighbours
from ui.settings import DELTAS, TARGETS
from ui.study import EPSILONS
from ui.take_comparison import csv_of, page_of, script_of

SLICE, FIRST_SLICE, LONG_SLICE, QUICK = 0.25, 0.3, 1.0, 4
TRIALS = (20, 40, 100, 200)
_component = component_of("dpca_compare", COMPARE_PARTS, COMPARE_SHEETS)
HERE = Path(__file__).parent


def choose_asked(key: str, data: Dataset) -> Asked:
    """Draw the controls and return what they ask for."""
    now = compare_settings.current()
    axes = list(AXES)
    axis = st.segmented_control(
        "Along", axes, default=now.axis, required=True, format_func=lambda a: AXES[a],
        key="compare.axis",
    )  # fmt: skip
    top = min(MOST_DIRECTIONS, data.d - 1)
    wanted = now.k or session.default_k(key, data)
    stops = people_stops(data.people)
    epsilon, delta, k, n = now.epsilon, now.delta, min(wanted, top), now.n or float(data.people)
    if axis != "epsilon":
        epsilon = st.select_slider(
            "ε", EPSILONS, epsilon, format_func=epsilon_text, key="compare.epsilon", width=140
        )
    if axis != "delta":
        delta = st.select_slider(
            "δ", DELTAS, nearest(delta, DELTAS), format_func=power, key="compare.delta", width=130
        )
    if axis != "k" and top > 1:
        k = int(st.slider("Directions k", 1, top, k, key=f"compare.k.{key}", width=100))
    if axis != "n":
        n = st.select_slider(
            data.unit.many.capitalize(), stops, nearest(n, stops), format_func=count,
            key=f"compare.n.{key}", width=120,
        )  # fmt: skip
    adjacency = st.selectbox(
        "Neighbours", [str(a) for a in Adjacency], list(Adjacency).index(Adjacency(now.adjacency)),
        format_func=lambda a: neighbours(Adjacency(a), data.unit.one), key="compare.adjacency",
        width=225,
    )  # fmt: skip
    with st.popover("Mechanisms"):
        chosen = st.multiselect(
            "Mechanisms", list(MECHANISMS), default=list(now.keys), key="compare.mechanisms",
            format_func=lambda m: MECHANISMS[m].name, width=520,
        )  # fmt: skip
        equalise = st.checkbox(
            "Equalise true ε: ask printed mechanisms for the ε at which they really spend this one",
            now.equalise, key="compare.equalise",
        )  # fmt: skip
        target = st.segmented_control(
            "Target", TARGETS, default=now.target, required=True, key="compare.target",
            format_func=lambda t: f"{t * 100:.0f}\u00a0%",
        )  # fmt: skip
        trials = st.segmented_control(
            "Releases a point", TRIALS, default=now.trials, required=True, key="compare.trials"
        )
        seed = st.number_input("Seed", 0, 2**32 - 1, now.seed, key="compare.seed")
    now = compare_settings.change(
        axis=str(axis), epsilon=epsilon, delta=delta, k=k, n=0.0 if n == data.people else n,
        adjacency=str(adjacency), mechanisms=",".join(chosen), equalise=equalise,
        target=float(target or 0.9), trials=int(trials or 40), seed=int(seed),
    )  # fmt: skip
    return asked_of(now, data)


def asked_of(now: CompareSettings, data: Dataset) -> Asked:
    """Return what the settings ask of a data set."""
    return Asked(
        tuple(MECHANISMS[m] for m in now.keys), now.axis, now.epsilon, now.delta,
        now.n or float(data.people), now.k, Adjacency(now.adjacency), now.seed, now.trials,
        now.equalise,
    )  # fmt: skip


def draw_comparison(data: Dataset, asked: Asked) -> None:
    """Mount the component with what is known, and go on where it asks."""
    if not asked.mechanisms:
        st.info("Choose at least one mechanism.")
        return
    session.say_not_private(data)
    refined = st.session_state.pop("compare.more", None)
    with told_here(), GATE.turn(urgent=refined is None, heavy=heavy(data.d)):
        content, comparison = _measured(data, asked, refined)
    st.session_state["compare.drawn"] = (content, comparison)
    _component(
        key="comparison", data=content,
        on_more_change=_more, on_at_change=_at,
    )  # fmt: skip
    with st.container(horizontal=True, key="take"):
        for label, make in (
            ("Numbers (CSV)", csv_of), ("Python script", script_of), ("Page (HTML)", page_of),
        ):  # fmt: skip
            st.button(label, on_click=_take, args=(make,), disabled=not comparison.complete,
                      key=f"take.{make.__name__}")  # fmt: skip


def _measured(
    data: Dataset, asked: Asked, refined: str | None
) -> tuple[dict[str, Any], Comparison]:
    """Begin or refine the comparison that is asked for, and compose it.

    Parameters
    ----------
    refined
        The picture of which more was asked for; it may not be the one on the screen any more.
    """
    name, comparison = _comparison(data, asked)
    now = compare_settings.current()
    identity = f"{name}-{now.target:g}"
    if comparison.stage == 0:
        comparison.advance(SLICE if GATE.busy else FIRST_SLICE, wanted)
    elif identity == refined:
        comparison.advance(SLICE if comparison.stage < QUICK else LONG_SLICE, wanted)
        if moved():
            drawn: tuple[dict[str, Any], Comparison] = st.session_state["compare.drawn"]
            return drawn
    content = Compared(comparison, now.target).payload(
        identity, now.at or asked.here, st.session_state.get("compare.file")
    )
    content["progress"] = said(comparison.complete, content["progress"])
    return content | {"pause": pause(comparison.complete)}, comparison


def _take(make: Callable[[Comparison, dict[str, Any]], Download]) -> None:
    content, comparison = st.session_state["compare.drawn"]
    number = (st.session_state.get("compare.file") or {}).get("number", 0) + 1
    st.session_state["compare.file"] = make(comparison, content).numbered(number)


def _comparison(data: Dataset, asked: Asked) -> tuple[str, Comparison]:
    """Return the measurements, begun or taken up again; what is known of a point is kept."""
    memory: Memory = st.session_state.setdefault("compare.memory", Memory())
    name = sha256(repr((data.identity, asked)).encode()).hexdigest()[:12]
    kept: tuple[str, Comparison] | None = st.session_state.get("compare.kept")
    if kept is None or kept[0] != name:
        kept = name, Comparison(data, asked, memory)
        st.session_state["compare.kept"] = kept
    return kept


def _more() -> None:
    identity = messages.text(messages.sent("comparison", "more").get("id"))
    if identity is not None:
        st.session_state["compare.more"] = identity


def _at() -> None:
    value = messages.number(messages.sent("comparison", "at").get("value"))
    values = st.session_state["compare.drawn"][1].values
    if value is not None:
        compare_settings.change(at=float(min(values, key=lambda v: abs(v - value))))
