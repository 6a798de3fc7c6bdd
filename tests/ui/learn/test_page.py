"""The Learn page without a browser: its address, what is sent of a lesson, and the handout."""

import re

import pytest

from dpca_core.text.glossary import TERMS
from lessons.again import joint_epsilon
from tests.opened_page import open_page
from ui.learn import handout
from ui.learn.lesson import LESSONS, measured
from ui.learn.page import HIDES, TOLD
from ui.learn.query import LearnSettings
from ui.page.words import fill
from ui.state.session import SETTINGS
from ui.state.settings import Settings


def words(page):
    """Return everything that the page says."""
    assert not page.exception
    parts = (*page.markdown, *page.caption, *page.title, *page.header)
    labels = (*page.button, *page.checkbox, *page.radio)
    said = [part.value for part in parts] + [part.label for part in labels]
    return "\n".join([*said, *(option for radio in page.radio for option in radio.options)])


def test_it_opens_on_the_contents_and_names_a_lesson_that_does_not_exist():
    page = open_page("learn", lesson="none-such")
    said = words(page)
    assert [title for title in (one.title for one in LESSONS.values()) if title not in said] == []
    assert any("none-such" in caption.value for caption in page.caption)
    listed = [button.key for button in open_page("learn", path="45").button]
    assert listed[:5] == [f"learn.{key}" for key in ("cloud", "count", "epsilon", "gap", "again")]


def test_a_link_opens_a_lesson_with_its_answer_and_a_number_that_is_replaced_is_named():
    """k and ε in it are a lesson's: they do not change what other pages show."""
    page = open_page("learn", lesson="gap", told="1", epsilon="0.3", seed="2", k="3")
    assert any("ε = 0.3 is not possible\\: using 0.2" in box.value for box in page.caption)
    fields = measured("gap", 4, 2)
    assert fields["epsilon"] == 0.2
    assert fill(LESSONS["gap"].answer, fields) in words(page)
    assert page.checkbox[0].value is True
    assert page.session_state[SETTINGS] == Settings()


@pytest.mark.parametrize("key", LESSONS)
def test_nothing_of_the_answer_is_sent_before_the_browser_hides_it(key):
    lesson, page = LESSONS[key], open_page("learn", lesson=key)
    fields = measured(key, lesson.control.first, 0)
    texts = [lesson.answer, lesson.why, lesson.more[1], *lesson.notes]
    texts = [fill(text, fields) for text in texts] + [reason for _, reason in lesson.said(fields)]
    assert [text for text in texts if text in words(page)] == []
    page.session_state[HIDES] = True
    page.run()
    assert fill(lesson.answer, fields) in words(page)
    assert [fill(note, fields) for note in lesson.notes if fill(note, fields) in words(page)] == []


def test_a_box_tells_and_the_contents_remember_it():
    page = open_page("learn", lesson="gap")
    assert TOLD not in page.session_state, "a question is no tick"
    page.checkbox[0].check().run()
    assert page.query_params["told"] == "1"
    assert page.session_state[TOLD] == {"gap"}
    next(button for button in page.button if button.key == "learn.after").click().run()
    assert page.query_params == {"lesson": "mechanism"}
    assert page.checkbox[0].value is False
    next(button for button in page.button if button.key == "learn.all").click().run()
    assert words(page).count(":material/check: told") == 1


def test_somebody_plays_and_publishes_by_hand():
    page = open_page("learn", lesson="attack")
    for _ in range(20):
        next(button for button in page.button if button.label == "In").click().run()
    assert "You were right in 10 of 20 rounds" in words(page), "half have the person in"
    page = open_page("learn", lesson="again")
    for times in (2, 3):
        next(button for button in page.button if button.label == "Publish again").click().run()
        assert f"Averages of {times} publications" in words(page)


# --- The handout ---


@pytest.mark.chance(1e-7)
def test_its_numbers_are_those_of_the_lessons_and_of_the_core():
    found = handout.numbers(0)
    assert found["people"]["gaussian"] == pytest.approx(0.0615, abs=0.0141)
    assert fill("{gaussian_odds:odds} {pure_odds:odds}", found) == "59 89"
    assert found["small_delta"] == pytest.approx(1e-8)
    assert found["named"] < 1 / found["runs"]
    assert (found["worst"]["k"], f"{found['worst']['gap']:.0f}") == (3, "17")
    kept = re.findall(r"([\w ]+?) (\d+)\s%", found["ordered"])
    assert [name.strip() for name, _ in kept] == ["Wishart difference", "PPCA", "Laplace"]
    assert [int(share) for _, share in kept] == pytest.approx([96, 90, 61], abs=5)
    assert found["twice"] == pytest.approx(found["epsilon"] / 2)
    assert found["joint"] == joint_epsilon(2, 0.5)
    assert fill("{joint:two_up} {added:epsilon} {joint_odds:odds}", found) == "0.73 1 53.5"


def test_it_has_the_parts_that_are_asked_for_and_no_answer_on_its_first_sheet():
    asked = {"print": "1", "answers": "0", "cards": "1"}
    settings = LearnSettings.from_query(asked)
    assert settings.to_query() == asked
    page = open_page("learn", **asked)
    assert [box.value for box in page.checkbox] == [False, True, False]
    found, first = handout.numbers(0), words(page)
    exercises, answers = (handout.WORDS[name].splitlines() for name in ("Exercises", "Answers"))
    assert len(exercises) == len(answers) == 8
    assert fill("\n".join(exercises), found) in first
    assert [line for line in answers if fill(line.partition("** ")[2], found) in first] == []
    assert "This address works on this computer only" not in first
    whole = words(open_page("learn", print="1", notes="1"))
    assert fill("\n".join(answers), found) in whole
    assert [key for key in handout.HEAD["terms"] if TERMS[key].name not in whole] == []
    assert whole.count("Purpose: ") == len(LESSONS)
    assert words(open_page("learn", print="1", notes="1", path="45")).count("Purpose: ") == 5
