"""Cards of the Papers page that are at hand: when they are shown, and what an answer changes."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

SETUP = """async (url) => {
  globalThis.m = await import(`${url}/papers/ahead.js`);
  globalThis.card = { figure: "b", words: "stored", complete: true };
  globalThis.before = { figure: "a", words: "mine", complete: true, trouble: "none", wall: "w" };
  globalThis.painted = [];
  globalThis.sent = [];
  const cards = [card, { ...card, figure: "c" }];
  globalThis.view = { root: { dataset: {} }, data: { ...before, cards }, stopped: true,
    paint: () => painted.push(view.data.figure),
    send: (name) => sent.push(name), say: (name, value) => sent.push(value) };
  globalThis.answer = (data) => {
    const shown = view.data;
    view.data = data;
    return m.isAnswer(view, shown);
  };
}"""
AHEAD = "m.askAhead(view)"

Play = Callable[..., Any]


@pytest.fixture
def play(page: Page, static_address: str) -> Play:
    """Take steps beside papers/ahead.js: code, or milliseconds; return what the last one gives."""
    page.evaluate(SETUP, static_address)

    def run(*steps: str | int) -> Any:
        found = None
        for step in steps:
            found = page.clock.run_for(step) if isinstance(step, int) else page.evaluate(step)
        return found

    return run


def test_a_card_at_hand_takes_the_place_of_the_one_before(play: Play) -> None:
    """But for a class that is to predict: it sees none that came before."""
    assert play("m.openAhead(view, 'b')") is False
    assert play(AHEAD, "[m.openAhead(view, 'd'), m.openAhead(view, 'b')]") == [False, True]
    data, stopped, ahead = play("[view.data, view.stopped, view.root.dataset.ahead]")
    shown = {"trouble": "", "wall": "w", "figure": "b", "words": "stored", "complete": True}
    assert {name: data[name] for name in data if name != "cards"} == shown
    assert (stopped, ahead) == (False, True)
    play("void (view.data = { ...before, veiled: true })")
    assert play("m.openAhead(view, 'c')") is False


def test_where_no_answer_comes_the_page_shows_what_the_server_shows(play: Play) -> None:
    play(AHEAD, "m.openAhead(view, 'b')", "answer({ figure: 'a' })", 1200)
    assert play("[painted, view.data]") == [["a"], {"figure": "a"}]
    assert play("answer({ figure: 'c' })") is True
