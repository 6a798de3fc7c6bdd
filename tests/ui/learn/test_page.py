"""The Learn page without a browser: its address, what is sent of a lesson, and the handout."""

import re
from string import Formatter

import pytest

from tests.opened_page import open_page
from ui.learn import content
from ui.learn import handout_text as text
from ui.learn.content import contents_content, lesson_content
from ui.learn.fields import fill
from ui.learn.handout import handout
from ui.learn.handout_numbers import handout_numbers
from ui.learn.measurements import MeasuredLessons
from ui.learn.page import TOLD
from ui.learn.query import LearnSettings, stop_of
from ui.learn.registry import LESSONS
from ui.state.session import SETTINGS
from ui.state.settings import Settings
from ui.state.shared_address import SharedAddress
from ui.text.glossary import TERMS

SHARED = SharedAddress("https://class.example/?lesson=gap", "class.example/?lesson=gap", "<svg/>")


def drawn(page):
    assert not page.exception
    return page.session_state["learn.drawn"]


def test_it_opens_on_the_contents_and_names_a_lesson_that_does_not_exist():
    page = open_page("learn", lesson="none-such")
    assert drawn(page)["view"] == "contents"
    assert any("none-such" in caption.value for caption in page.caption)


def test_a_link_opens_a_lesson_with_its_answer():
    """k and ε in it are a lesson's: they do not change what other pages show."""
    page = open_page("learn", lesson="gap", told="1", epsilon="0.5", seed="2", k="3")
    sent = drawn(page)
    assert (sent["lesson"], sent["told"]) == ("gap", True)
    assert sent["control"]["named"][sent["control"]["index"]] == "ε = 0.5"
    assert sent["id"].endswith("-2")
    assert page.session_state[TOLD] == {"gap"}
    assert open_page("learn", lesson="gap").session_state[TOLD] == set(), "a question is no tick"
    assert page.session_state[SETTINGS] == Settings()


def test_the_handout_has_its_parts_to_choose():
    page = open_page("learn", print="1", answers="0")
    assert not page.exception
    assert [box.value for box in page.checkbox] == [False, False, False]
    query = {"print": "1", "answers": "0", "cards": "1"}
    settings = LearnSettings.from_query(query)
    assert (settings.print, settings.answers, settings.cards) == (True, False, True)
    assert settings.to_query() == query


def test_a_control_stays_at_the_question_until_the_answer_is_shown():
    asked = LearnSettings.from_query({"lesson": "gap", "epsilon": "0.5"})
    told = LearnSettings.from_query({"lesson": "gap", "epsilon": "0.5", "told": "1"})
    stops = LESSONS["gap"].control.stops
    assert (stops[asked.index], stops[told.index]) == (LESSONS["gap"].control.start, 0.5)
    assert LearnSettings("gap").to_query() == {"lesson": "gap"}


def test_a_number_between_stops_is_the_nearest_one_and_nonsense_the_default():
    control = LESSONS["gap"].control
    for asked, stop in (("0.6", 0.5), ("1e9", 2.0), ("-1", 0.01)):
        assert control.stops[stop_of(control, asked)] == stop
    assert [stop_of(control, asked) for asked in ("", "nan", "two")] == [None] * 3
    asked = {"lesson": "none-such", "seed": "-4", "told": "perhaps"}
    assert LearnSettings.from_query(asked) == LearnSettings()
    assert LearnSettings.from_query({"lesson": "5"}) == LearnSettings("gap")


def test_question_and_choices_stay_where_the_prediction_was_made():
    """The control moves the pictures and what is said of them."""
    at = LearnSettings("gap", told=True), LearnSettings("gap", stop=5, told=True)
    asked, moved = (lesson_content(settings, (), SHARED) for settings in at)
    assert (moved["question"], moved["choices"]) == (asked["question"], asked["choices"])
    assert all(moved[part] != asked[part] for part in ("answered", "answer", "control"))
    assert moved["control"]["named"][moved["control"]["index"]] == "ε = 0.5"


def test_contents_have_a_row_for_each_lesson_and_questions_once_they_are_measured(monkeypatch):
    monkeypatch.setattr(content, "MEASURED", MeasuredLessons())
    empty = contents_content(())
    assert (empty["stage"], empty["complete"]) == (0, False)
    content.measure_next_question()
    first = contents_content({"gap"})
    assert first["stage"] == 1
    assert re.findall(r'data-value="(\w+)"', first["hour"] + first["further"]) == list(LESSONS)
    assert first["hour"].count("✓") == 1


# --- The handout ---


def pages(**settings):
    return re.findall(r'<section class="handout-page', handout(LearnSettings(**settings), SHARED))


@pytest.mark.chance(1e-7)
def test_its_numbers_are_those_of_the_lessons_and_of_the_core():
    """Of five seeds the least ε is .060 with a deviation of .001; the stop after it is a sample."""
    found = handout_numbers(0)
    assert found["needed_low"] == pytest.approx(0.06, abs=0.01)
    assert 0.06 <= found["needed_high"] <= 0.08
    assert fill("{gaussian_odds:odds} {pure_odds:odds}", found) == "59 89"
    assert found["small_delta"] == pytest.approx(1e-8)
    assert found["named"] < found["runs_named"] / found["runs"]
    assert found["worst_k"] == 3
    assert fill("{worst_gap:.0f}", found) == "17"
    kept = re.findall(r"([\w ]+?) (\d+)\s%", found["ordered"])
    assert [name.strip() for name, _ in kept] == ["Wishart difference", "PPCA", "Laplace"]
    assert [int(share) for _, share in kept] == pytest.approx([96, 90, 61], abs=5)
    assert found["same_quality"] == pytest.approx(found["epsilon"] / 2)
    assert fill("{joint:spent} {added:epsilon} {joint_odds:odds}", found) == "0.73 1 53.5"


def test_no_number_is_typed():
    texts = [one for exercise in text.EXERCISES for one in exercise]
    texts += [text.LEAD, text.LEFT, text.RIGHT, text.DATA]
    literal = ["".join(part[0] for part in Formatter().parse(one)) for one in texts]
    assert not [one for one in literal if re.search(r"\d", one)]


def test_it_has_a_page_for_each_part_that_is_asked_for():
    assert len(pages()) == 2
    assert len(pages(answers=False)) == 1
    assert len(pages(cards=True)) == 3
    noted = handout(LearnSettings(notes=True), SHARED)
    assert noted.count('class="handout-note"') == len(LESSONS)
    assert [key for key in text.TERMS_SHOWN if TERMS[key].name not in noted] == []


def test_the_first_page_holds_no_answer():
    first = handout(LearnSettings(answers=False), SHARED)
    numbers = handout_numbers(0)
    answers = [fill(one.answer, numbers) for one in text.EXERCISES]
    assert not [answer for answer in answers if answer in first]
    assert first.count("<li>") == len(text.EXERCISES) == 8
    assert SHARED.text in first
    assert SHARED.qr in first
