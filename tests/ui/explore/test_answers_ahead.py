"""What is made ahead for the next key on k is what would be made once it is pressed."""

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.opened_page import hurry, open_page
from tests.ui.explore.answers import begun
from ui.explore import measurements, page
from ui.explore.answers_ahead import MOST_SECONDS, AnswersAhead, View, may_follow, neighbours_of
from ui.explore.measurements import Study
from ui.figures.packed_content import decode, encode
from ui.server.scheduler import Scheduler, never_yield

VIEW = View("four", 0.1, 0.9, False)


@pytest.fixture
def explore(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page at k = 3, which looks ahead at once."""
    hurry(monkeypatch)
    monkeypatch.setattr(page, "may_follow", lambda study: True)
    # On a busy machine a first answer might end early, and hold fewer points than another.
    monkeypatch.setattr(measurements, "FIRST_PAINT_SECONDS", 1e9)
    explore = open_page("explore", data="rand", k="3")
    assert len(explore.session_state["answers_ahead"]) == 2
    return explore


def shown(explore: AppTest) -> dict[str, Any]:
    """The content as the browser reads it, without what tells of time."""
    content = explore.session_state["drawn"][0]
    says = content["says"] | {"progress": ""}
    return decode(encode(content | {"says": says, "heard": None}))


def assert_same(mine: Any, theirs: Any) -> None:
    """Compare contents: numbers that come of other stacks of matrices differ by rounding."""
    if isinstance(mine, dict):
        assert mine.keys() == theirs.keys()
        for name in mine:
            assert_same(mine[name], theirs[name])
    elif isinstance(mine, list):
        for pair in zip(mine, theirs, strict=True):
            assert_same(*pair)
    else:
        assert mine == (pytest.approx(theirs, rel=1e-6) if isinstance(mine, float) else theirs)


def choose(explore: AppTest, k: int) -> None:
    slider = next(slider for slider in explore.slider if slider.label == "Directions k")
    slider.set_value(k)
    explore.run()


def test_the_page_shows_what_it_would_have_shown(
    explore: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def composed(*_: object, **__: object) -> None:
        raise AssertionError("composed when the key was pressed")

    with monkeypatch.context() as patch:
        patch.setattr(page, "page_content", composed)
        patch.setattr(Study, "_do_next", composed)
        patch.setattr(page, "_look_ahead", lambda data, query: None)
        choose(explore, 4)
        assert not explore.exception
    assert explore.session_state["drawn"][1].query.k == 4
    assert_same(shown(explore), shown(open_page("explore", data="rand", k="4")))


def test_nothing_is_made_while_the_server_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)
    monkeypatch.setattr(page, "may_follow", lambda study: True)
    monkeypatch.setattr(Scheduler, "busy", True)
    explore = open_page("explore", data="rand", k="3")
    assert not explore.session_state["answers_ahead"]


def test_it_ends_where_somebody_waits_and_gives_each_answer_once() -> None:
    ahead, work, waits = AnswersAhead(), [], iter([False, False, False, True])

    def begin(name: str) -> Study:
        work.append(f"measured {name}")
        return begun(k=4)

    def compose(view: View, study: Study) -> dict[str, Any]:
        work.append(f"composed {view.identity} at {view.epsilon}")
        return {"at": view.epsilon}

    views = {name: VIEW._replace(identity=name) for name in ("two", "four", "five")}
    ahead.make(views, begin, compose, lambda: next(waits))
    assert work == ["measured two", "composed two at 0.1", "measured four"]
    assert ahead.study("two") is not None
    assert ahead.study("four") is None
    work.clear()
    ahead.make({"two": views["two"]}, begin, compose, never_yield)
    assert work == []
    other = views["two"]._replace(epsilon=0.5)
    assert ahead.content("two", other) is None
    ahead.make({"two": other}, begin, compose, never_yield)
    assert ahead.content("two", other) == {"at": 0.5}
    assert ahead.content("two", other) is None


def test_only_quick_neighbours_on_the_slider_are_made_and_after_the_first_refinement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = begun()
    for k, neighbours in ((2, [3, 1]), (1, [2]), (6, [5])):
        assert [q.k for q in neighbours_of(replace(study.query, k=k), 6)] == neighbours
    monkeypatch.setattr(study.pace, "average", lambda mechanism: 0.0)
    study.first_paint(12)
    assert not may_follow(study)
    study.advance(0)
    assert may_follow(study)
    monkeypatch.setattr(study.pace, "average", lambda mechanism: MOST_SECONDS)
    assert not may_follow(study)
