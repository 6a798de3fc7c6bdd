"""A page's content: what goes to the browser is escaped, finite and known; its words are said, and
whether true data are shown.
"""

import json
import re
import tomllib
import zlib
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sample_data import load_key
from tests.page_charts import texts_in
from tests.paths import ROOT
from ui.page import component, present
from ui.page.content import Chart, Content, Marks, Row, Rule
from ui.page.markup import element, sentence
from ui.state import session, session_data
from ui.state.settings import Settings

HOSTILE = (
    10**400, -(10**400), float("nan"), float("inf"), -float("inf"), 1e308, 5e-324, 0, -1, True,
    None, "", "off" * 10**6, "\x00", "0.1", "gaussian\n", [], [0.1], [[]], {}, {"value": 0.1},
    {"a": {"b": {}}}, "∞", "<script>", 2**63, (1, 2), b"bytes", ["epsilon"] * 10**5,
)  # fmt: skip
"""What a browser can say in place of a message."""

EVIL = '<img src=x onerror="hit()"> **bold <b>x</b>** [[red]] & "q"'
FIGURE = {
    "data": [{"meta": "gaussian", "y": np.array([0.5, np.nan, np.inf])}],
    "layout": {"height": 200},
}
RULE = Rule("epsilon", "ε", (0.1, 1.0, 10.0), ("ε = .1", "ε = 1", "ε = 10"), 1)
CHART = Chart("kept", FIGURE, [EVIL, None, ""], EVIL, EVIL, over=[Marks("band", "ink", np.eye(2))])
ROW = Row("laplace", EVIL, "laplace", cells=[EVIL, [EVIL, None, "x"]])
CONTENT = Content(
    "id", [CHART], {"answer": EVIL}, RULE, [ROW], [EVIL], [[0]], progress=EVIL, complete=False
)


def sent(content, **more):
    return json.loads(zlib.decompress(content.packed(**more)))


def test_nothing_that_is_said_is_markup_of_its_own():
    found = [text for text in texts_in(sent(CONTENT)) if "onerror" in text]
    assert len(found) == 9
    assert set(found) == {sentence(EVIL)}
    assert "<img" not in sentence(EVIL)
    assert sentence("**‖x‖_F** [[b]]") == "<b>‖x‖<sub>F</sub></b> <em>b</em>"
    assert element("i", title='"', data_part="x") == '<i title="&quot;" data-part="x"></i>'


def test_arrays_go_in_single_precision_and_what_is_not_finite_is_no_number():
    packed = sent(CONTENT)["charts"][0]["figure"]["data"][0]["y"]
    assert packed["bdata"] == "AAAAPwAAwH8AAMB/"
    assert sent(CONTENT)["charts"][0]["over"][0]["y"]["shape"] == "2, 2"
    assert sent(CONTENT, pause=np.float64(2))["pause"] == 2
    for value, kind in (({1, 2}, TypeError), (b"raw", TypeError), (float("nan"), ValueError)):
        with pytest.raises(kind):
            CONTENT.packed(a=value)


@pytest.mark.parametrize("name", ["rule", "row", "more", "other"])
def test_a_hostile_message_says_nothing_impossible(name, monkeypatch):
    state = {}
    monkeypatch.setattr(component, "st", SimpleNamespace(session_state=state))
    for value in HOSTILE:
        found = component.checked(name, value, CONTENT)
        if name == "rule":
            assert found in (None, *RULE.values)
        elif name == "row":
            assert found in (None, "gaussian", "laplace")
        else:
            assert found is None or isinstance(found, float | bool) or len(found) <= 200
        state["page"] = SimpleNamespace(**{name: value})
        assert component.time_of_last("page", name) == 0.0


FILES = sorted(ROOT.glob("ui/*/text.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_every_sentence_is_said_and_every_one_said_is_there(file):
    code = "".join(each.read_text("utf-8") for each in sorted(file.parent.glob("*.py")))
    found = tomllib.loads(file.read_text("utf-8"))
    names = {*found, *found.get("charts", {})} - {"charts"}
    assert set(re.findall(r'\bsay(?:\.\w+)?\(\s*"([\w-]+)"', code)) <= names
    assert [name for name in names if f'"{name}"' not in code] == []


def test_true_data_are_named_at_the_foot(monkeypatch):
    """By Present, in a session outside any page."""
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
