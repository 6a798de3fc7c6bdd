"""Whatever a browser sends under a component's names, no handler raises in the sender's session."""

from importlib import import_module
from types import SimpleNamespace

import pytest

from dpca_core import MECHANISMS
from dpca_core.data.provenance import Unit
from ui.compare import page as compare_page
from ui.compare.query import CompareSettings
from ui.state.settings import Settings
from ui.state.slider_stops import EPSILON_STOPS, TARGETS

HOSTILE = (
    10**400, -(10**400), float("nan"), float("inf"), -float("inf"), 1e308, 5e-324, 0, -1, True,
    None, "", "off" * 10**6, "\x00", "0.1", "gaussian\n", [], [0.1], [[]], {}, {"value": 0.1},
    {"a": {"b": {}}}, "∞", "<script>", 2**63, (1, 2), b"bytes", ["epsilon"] * 10**5,
)  # fmt: skip
COMPARISON = ("axis_value", "more", "lit")
HANDLERS = [
    *(("comparison", name, getattr(compare_page, f"_{name}")) for name in COMPARISON),
]
PLACES = (
    "ui.figures.component_messages",
    "ui.compare.page",
    "ui.state.session",
    "ui.state.session_data",
    "ui.state.query_params",
)


class Query(dict):
    def to_dict(self):
        return dict(self)

    def from_dict(self, query):
        self.clear()
        self.update(query)


@pytest.fixture
def state(monkeypatch):
    """A session in which both components are mounted, without a browser."""
    chosen = {"key": "gaussian", "chosen": True}
    content = {"mechanisms": [chosen, {"key": "laplace", "chosen": False}]}
    data = SimpleNamespace(key="rand", identity="rand", public=False, unit=Unit())
    study = SimpleNamespace(dataset=data, query=None)
    session = {
        "settings": Settings(), "page-settings": {CompareSettings: CompareSettings()},
        "drawn": (content, study),
        "compare.drawn": ({}, SimpleNamespace(values=EPSILON_STOPS)),
    }  # fmt: skip
    streamlit = SimpleNamespace(session_state=session, query_params=Query())
    for place in PLACES:
        monkeypatch.setattr(import_module(place), "st", streamlit)
    return session


@pytest.mark.parametrize(("component", "name", "handler"), HANDLERS)
def test_a_hostile_message_changes_nothing_to_something_impossible(state, component, name, handler):
    sent = 0
    for value in HOSTILE:
        # As it should come, bare, and with what is not expected.
        shapes = ({"value": value, "at": 0}, {"id": value, "stage": value}, value, {name: value})
        for message in shapes:
            state[component] = SimpleNamespace(**{name: message})
            handler()
            sent += 1
            settings = state["settings"]
            assert settings.epsilon in EPSILON_STOPS
            assert settings.target in TARGETS
            assert settings.mechanism == "gaussian"
            assert len(state.get("compare.more", "")) <= 200
            assert state.get("compare.lit", "") in ("", *MECHANISMS)
    assert sent >= 100


def test_proper_messages_are_obeyed(state):
    sent = {
        "more": {"id": "a-0.9"},
        "axis_value": {"value": 3},
        "lit": {"value": "laplace"},
    }
    for component, name, handler in HANDLERS:
        state[component] = SimpleNamespace(**{name: sent[name]})
        handler()
    assert state["settings"].epsilon == 3.0
    assert state["compare.more"] == "a-0.9"
    assert state["compare.lit"] == "laplace"
