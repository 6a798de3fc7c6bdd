"""Cards of the Papers page that are at hand: when they are shown, and what an answer changes."""

from tests.frontend.conftest import Call

VIEW = """
  const card = { figure: "b", words: "stored", complete: true };
  const painted = [], sent = [];
  const before = { figure: "a", words: "mine", complete: true, trouble: "none", wall: "w" };
  const all = [card, { ...card, figure: "c" }];
  const view = { root: { dataset: {} }, data: { ...before, cards: all }, stopped: true,
    paint: () => painted.push(view.data.figure),
    send: (name) => sent.push(name), say: (name, value) => sent.push(value) };
  const later = (ms) => new Promise((done) => setTimeout(done, ms));
  const answer = (data) => {
    const shown = view.data;
    view.data = data;
    return m.isAnswer(view, shown);
  };
"""


def test_a_card_at_hand_takes_the_place_of_the_one_before(in_module: Call) -> None:
    code = """
      const unknown = m.openAhead(view, "b");
      m.askAhead(view);
      const known = [m.openAhead(view, "d"), m.openAhead(view, "b")];
      const { cards, ...data } = view.data;
      return { unknown, known, data, stopped: view.stopped, ahead: view.root.dataset.ahead };
    """
    found = in_module("papers/ahead.js", VIEW + code)
    card = {"figure": "b", "words": "stored", "complete": True}
    assert found["data"] == {"trouble": "", "wall": "w", **card}
    assert (found["unknown"], found["known"], found["stopped"]) == (False, [False, True], False)
    assert found["ahead"] is True


def test_a_class_that_is_to_predict_sees_none_that_came_before(in_module: Call) -> None:
    code = """
      m.askAhead(view);
      view.data = { ...before, veiled: true };
      return m.openAhead(view, "b");
    """
    assert in_module("papers/ahead.js", VIEW + code) is False


def test_cards_are_asked_for_once_all_is_calm_and_measured(in_module: Call) -> None:
    code = """
      view.data = { ...before, complete: false };
      m.askAhead(view);
      view.data = before;
      m.askAhead(view);
      await later(100);
      view.touched = performance.now();
      await later(200);
      const early = sent.length;
      await later(500);
      return [early, ...sent];
    """
    assert in_module("papers/ahead.js", VIEW + code) == [0, "ahead"]


def test_a_server_that_is_not_ready_is_asked_again(in_module: Call) -> None:
    code = """
      view.data = before;
      m.askAhead(view);
      await later(1600);
      view.data = { ...before, cards: [card] };
      m.askAhead(view);
      await later(1200);
      return sent;
    """
    assert in_module("papers/ahead.js", VIEW + code) == ["ahead", "ahead"]


def test_what_answers_an_earlier_question_waits_for_the_answer(in_module: Call) -> None:
    code = """
      m.askAhead(view);
      m.openAhead(view, "b");
      await later(200);
      const taken = [answer({ figure: "a" }), view.data.words, answer({ figure: "b" })];
      await later(1200);
      return { taken, painted, sent };
    """
    found = in_module("papers/ahead.js", VIEW + code)
    assert found == {"taken": [False, "stored", True], "painted": [], "sent": ["b"]}


def test_of_cards_opened_in_a_moment_the_last_is_asked_for_after_the_first(in_module: Call) -> None:
    """Back to the card that was there before, too: its older answers are not taken for one."""
    code = """
      view.data.cards.push({ ...card, figure: "a" });
      m.askAhead(view);
      for (const figure of ["b", "c", "a"]) m.openAhead(view, figure);
      await later(200);
      const taken = [answer({ figure: "a" }), answer({ figure: "b" })];
      const early = [...sent];
      await later(400);
      taken.push(answer({ figure: "a" }), answer({ figure: "c" }));
      await later(1200);
      return { taken, early, sent, painted };
    """
    assert in_module("papers/ahead.js", VIEW + code) == {
        "taken": [False, False, True, True],
        "early": ["b"],
        "sent": ["b", "a"],
        "painted": [],
    }


def test_a_server_that_was_silent_for_long_hears_of_the_next_card_at_once(in_module: Call) -> None:
    code = """
      m.askAhead(view);
      m.openAhead(view, "b");
      await later(1200);
      m.openAhead(view, "c");
      await later(200);
      return [...sent, answer({ figure: "b" }), answer({ figure: "c" })];
    """
    assert in_module("papers/ahead.js", VIEW + code) == ["b", "c", False, True]


def test_where_no_answer_comes_the_page_shows_what_the_server_shows(in_module: Call) -> None:
    code = """
      m.askAhead(view);
      m.openAhead(view, "b");
      answer({ figure: "a" });
      await later(1200);
      return { painted, data: view.data, after: answer({ figure: "c" }) };
    """
    found = in_module("papers/ahead.js", VIEW + code)
    assert found == {"painted": ["a"], "data": {"figure": "a"}, "after": True}
