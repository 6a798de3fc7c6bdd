"""What Present sends of a page: whether true data are shown, and which messages it follows."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from sample_data import load_key
from ui.page import component, present
from ui.state import session, session_data
from ui.state.settings import Settings


@pytest.fixture
def state(monkeypatch):
    """A session outside any page, with a data set of which k = 2 is usual."""
    found = {session.SETTINGS: Settings()}
    stand_in = SimpleNamespace(session_state=found, query_params={})
    for module in (session, session_data, component, present):
        monkeypatch.setattr(module, "st", stand_in)
    monkeypatch.setattr(session_data, "get", lambda key: load_key("rand"))
    monkeypatch.setattr(session, "default_k", lambda key, data: 2)
    return found


def test_true_data_are_named_at_the_foot(state, monkeypatch):
    own = replace(load_key("rand"), key="", public=False, synthetic=False, name="own.csv")

    def foot(data):
        monkeypatch.setattr(session_data, "get", lambda key: data)
        return present.markup("explore")["true_data"]

    assert [foot(data) for data in (own, load_key("chaudhuri"), None)] == [
        present.say("true_data"),
        "",
        "",
    ]
    session_data.declare_public(own, True)
    assert foot(own) == ""


@pytest.mark.parametrize(
    ("message", "epsilon", "k"),
    [
        ({"name": "epsilon", "by": -3}, 0.03, 0),
        ({"name": "epsilon", "by": 4}, 0.1, 0),
        ({"name": "k", "by": 1}, 0.1, 3),
        ("epsilon", 0.1, 0),
    ],
)
def test_a_message_moves_one_setting(state, message, epsilon, k):
    present.move_setting(message)
    assert session.settings() == replace(Settings(), epsilon=epsilon, k=k)


def test_an_unknown_theme_is_none(state):
    for asked, kept in (("pink", None), ("dark", "dark"), ("", "dark"), ("light", "light")):
        present.st.query_params.update(present="1", theme=asked)
        present.read_present(returned=True)
        assert state.get("theme") == kept


def test_the_address_of_a_message_brings_nothing_back(state):
    state[present.PRESENT] = False
    present.st.query_params.update(present="1", theme="dark")
    present.read_present(returned=False)
    assert not state[present.PRESENT]
    assert present.THEME not in state
