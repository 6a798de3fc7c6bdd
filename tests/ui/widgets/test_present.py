"""What Present sends of a page: whether true data are shown, and which messages it follows."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from sample_data import load_key
from ui.figures import component_messages
from ui.figures.presentation_scene import Scene, SceneRow, list_markup, scene_content
from ui.state import session, session_data
from ui.state.settings import Settings
from ui.text.present import TRUE_DATA
from ui.widgets import present


@pytest.fixture
def state(monkeypatch):
    """A session outside any page, with a data set of which k = 2 is usual."""
    found = {session.SETTINGS: Settings()}
    stand_in = SimpleNamespace(session_state=found, query_params={})
    for module in (session, session_data, component_messages, present):
        monkeypatch.setattr(module, "st", stand_in)
    monkeypatch.setattr(session_data, "get", lambda key: load_key("rand"))
    monkeypatch.setattr(session, "default_k", lambda key, data: 2)
    return found


def test_true_data_are_named_at_the_foot(state, monkeypatch):
    own = replace(load_key("rand"), key="", public=False, synthetic=False, name="own.csv")

    def foot(data):
        monkeypatch.setattr(session_data, "get", lambda key: data)
        return present._markup("explore", None)["true_data"]

    assert [foot(data) for data in (own, load_key("chaudhuri"), None)] == [TRUE_DATA, "", ""]
    session_data.declare_public(own, True)
    assert foot(own) == ""


@pytest.mark.parametrize(
    ("message", "epsilon", "k"),
    [
        ({"name": "epsilon", "by": 1}, 0.15, 0),
        ({"name": "epsilon", "by": -3}, 0.03, 0),
        ({"name": "epsilon", "to": 0.21}, 0.2, 0),
        ({"name": "epsilon", "to": 1e9}, 100.0, 0),
        ({"name": "epsilon", "by": 4}, 0.1, 0),
        ({"name": "epsilon", "to": "nan"}, 0.1, 0),
        ({"name": "k", "by": 1}, 0.1, 3),
        ("epsilon", 0.1, 0),
    ],
)
def test_a_message_moves_one_setting(state, message, epsilon, k):
    present._move_setting(message)
    assert session.settings() == replace(Settings(), epsilon=epsilon, k=k)


def test_an_unknown_theme_is_none(state):
    for asked, kept in (("pink", None), ("dark", "dark"), ("", "dark"), ("light", "light")):
        present.st.query_params["theme"] = asked
        present.read_present()
        assert state.get("theme") == kept


def test_a_scene_has_a_row_for_each_choice_and_its_handle_at_the_stop():
    rows = tuple(SceneRow(str(i), f"<{i}>", "1", chosen=i == 2) for i in range(9))
    scene = Scene("a list", rows, (0.1, 0.2, 0.5))
    markup = list_markup(scene)
    assert markup.count("<button") == 6
    assert markup.count('aria-pressed="true"') == 1
    assert "&lt;3&gt;" in markup
    assert scene_content(scene, 0.2)["index"] == 1
    assert list_markup(Scene("none", (), (1.0,))) == ""
