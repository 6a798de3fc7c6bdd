"""What Present sends of a page: whether true data are shown."""

from dataclasses import replace
from types import SimpleNamespace

from sample_data import load_key
from ui.page import present
from ui.state import session, session_data
from ui.state.settings import Settings


def test_true_data_are_named_at_the_foot(monkeypatch):
    """In a session outside any page."""
    stand_in = SimpleNamespace(session_state={session.SETTINGS: Settings()}, query_params={})
    for module in (session, session_data, present):
        monkeypatch.setattr(module, "st", stand_in)
    own = replace(load_key("rand"), key="", public=False, synthetic=False, name="own.csv")

    def foot(data):
        monkeypatch.setattr(session_data, "get", lambda key: data)
        return present.markup("explore")["true_data"]

    named = [present.say("true_data"), "", ""]
    assert [foot(data) for data in (own, load_key("chaudhuri"), None)] == named
    session_data.declare_public(own, True)
    assert foot(own) == ""
