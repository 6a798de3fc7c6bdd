"""The Learn page without a browser."""

from tests.opened_page import open_page
from ui.learn.page import TOLD
from ui.state.session import SETTINGS
from ui.state.settings import Settings


def drawn(page):
    assert not page.exception
    return page.session_state["learn.drawn"]


def test_it_opens_on_the_contents():
    assert drawn(open_page("learn"))["view"] == "contents"


def test_a_link_opens_a_lesson_with_its_answer():
    page = open_page("learn", lesson="gap", told="1", epsilon="0.5", seed="2")
    content = drawn(page)
    assert (content["lesson"], content["told"]) == ("gap", True)
    assert content["control"]["named"][content["control"]["index"]] == "ε = 0.5"
    assert content["id"].endswith("-2")
    assert page.session_state[TOLD] == {"gap"}


def test_a_question_is_no_tick():
    page = open_page("learn", lesson="gap")
    assert drawn(page)["told"] is False
    assert page.session_state[TOLD] == set()


def test_its_address_does_not_change_what_other_pages_show():
    """k and ε in it are a lesson's."""
    page = open_page("learn", lesson="person", told="1", k="3")
    drawn(page)
    assert page.session_state[SETTINGS] == Settings()


def test_a_lesson_that_does_not_exist_is_named():
    page = open_page("learn", lesson="none-such")
    assert drawn(page)["view"] == "contents"
    assert any("none-such" in caption.value for caption in page.caption)


def test_the_handout_has_its_parts_to_choose():
    page = open_page("learn", print="1", answers="0")
    assert not page.exception
    assert [box.value for box in page.checkbox] == [False, False, False]
