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
    assert play("m.openAhead(view, 'b')") is False
    assert play(AHEAD, "[m.openAhead(view, 'd'), m.openAhead(view, 'b')]") == [False, True]
    data, stopped, ahead = play("[view.data, view.stopped, view.root.dataset.ahead]")
    card = {"figure": "b", "words": "stored", "complete": True}
    assert {name: data[name] for name in data if name != "cards"} == {
        "trouble": "",
        "wall": "w",
        **card,
    }
    assert (stopped, ahead) == (False, True)


def test_a_class_that_is_to_predict_sees_none_that_came_before(play: Play) -> None:
    play(AHEAD, "void (view.data = { ...before, veiled: true })")
    assert play("m.openAhead(view, 'b')") is False


def test_cards_are_asked_for_once_all_is_calm_and_measured(play: Play) -> None:
    play("void (view.data = { ...before, complete: false })", AHEAD)
    play("void (view.data = before)", AHEAD, 100, "void (view.touched = performance.now())")
    assert play(200, "sent") == []
    assert play(500, "sent") == ["ahead"]


def test_a_server_that_is_not_ready_is_asked_again(play: Play) -> None:
    play("void (view.data = before)", AHEAD, 1600)
    play("void (view.data = { ...before, cards: [card] })", AHEAD)
    assert play(1200, "sent") == ["ahead", "ahead"]


def test_what_answers_an_earlier_question_waits_for_the_answer(play: Play) -> None:
    play(AHEAD, "m.openAhead(view, 'b')", 200)
    taken = play("[answer({ figure: 'a' }), view.data.words, answer({ figure: 'b' })]")
    assert taken == [False, "stored", True]
    assert play(1200, "[painted, sent]") == [[], ["b"]]


def test_of_cards_opened_in_a_moment_the_last_is_asked_for_after_the_first(play: Play) -> None:
    """Back to the card that was there before, too: its older answers are not taken for one."""
    play("void view.data.cards.push({ ...card, figure: 'a' })", AHEAD)
    play(*(f"m.openAhead(view, '{figure}')" for figure in "bca"), 200)
    assert play("['a', 'b'].map((figure) => answer({ figure }))") == [False, False]
    assert play("sent") == ["b"]
    assert play(400, "['a', 'c'].map((figure) => answer({ figure }))") == [True, True]
    assert play(1200, "[sent, painted]") == [["b", "a"], []]


def test_a_server_that_was_silent_for_long_hears_of_the_next_card_at_once(play: Play) -> None:
    play(AHEAD, "m.openAhead(view, 'b')", 1200, "m.openAhead(view, 'c')", 200)
    assert play("sent") == ["b", "c"]
    assert play("['b', 'c'].map((figure) => answer({ figure }))") == [False, True]


def test_where_no_answer_comes_the_page_shows_what_the_server_shows(play: Play) -> None:
    play(AHEAD, "m.openAhead(view, 'b')", "answer({ figure: 'a' })", 1200)
    assert play("[painted, view.data]") == [["a"], {"figure": "a"}]
    assert play("answer({ figure: 'c' })") is True
