"""The Learn page without a browser: its address, and what is sent of a lesson and of the list."""

import re
from dataclasses import replace

import pytest

from tests.opened_page import open_page
from ui.learn import content
from ui.learn.content import contents_content, lesson_content
from ui.learn.fields import fill
from ui.learn.figures import guess, named_stop
from ui.learn.lesson import Choice, Control, Guess, Lesson, Picture
from ui.learn.measurements import MeasuredLessons
from ui.learn.page import TOLD
from ui.learn.query import LearnSettings, start_of, stop_of
from ui.learn.registry import LESSONS
from ui.state.session import SETTINGS
from ui.state.settings import Settings
from ui.state.shared_address import SharedAddress

TOY = Lesson(
    key="toy",
    title="A toy",
    minutes=1,
    question="Twice {n:word}?",
    choices=(
        Choice("{value:count}", lambda f: 0.0),
        Choice("{value:count}", lambda f: f["twice"], "counted <twice>"),
        Choice("{value:count}", lambda f: 7.0),
        Choice("{value:count}", lambda f: 9.0),
    ),
    right=1,
    truth=lambda f: f["twice"],
    control=Control("n", "n", (1, 2, 3), 2, spec="count"),
    measure=lambda value, seed: {"n": value, "twice": 2 * value, "seed": seed},
    pictures=lambda f, told: (Picture(fill("{twice:count}" if told else "?", f), markup="<svg/>"),),
    answer="**{twice:count}**.",
    explanation="Twice {n:word} is {twice:word}.",
    notes=("Ask about <{n:word}>.",),
    page="explore",
    settings=lambda f: {"k": str(f["n"])},
)


@pytest.fixture
def toy(monkeypatch):
    lessons = {**LESSONS, "toy": TOY}
    for module in ("content", "query", "measurements", "registry"):
        monkeypatch.setattr(f"ui.learn.{module}.LESSONS", lessons)
    nowhere = SharedAddress(None, "This address works on this computer only", "")
    yield lambda **settings: lesson_content(replace(LearnSettings("toy"), **settings), (), nowhere)
    content._drawn.cache_clear()


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
    assert page.session_state[SETTINGS] == Settings()


def test_a_question_is_no_tick():
    page = open_page("learn", lesson="gap")
    assert drawn(page)["told"] is False
    assert page.session_state[TOLD] == set()


def test_the_handout_has_its_parts_to_choose():
    page = open_page("learn", print="1", answers="0")
    assert not page.exception
    assert [box.value for box in page.checkbox] == [False, False, False]
    query = {"print": "1", "answers": "0", "cards": "1"}
    settings = LearnSettings.from_query(query)
    assert (settings.print, settings.answers, settings.cards) == (True, False, True)
    assert settings.to_query() == query


def test_a_plain_lesson_has_a_short_address():
    assert LearnSettings("gap").to_query() == {"lesson": "gap"}
    assert LearnSettings().to_query() == {}


def test_a_control_stays_at_the_question_until_the_answer_is_shown():
    asked = LearnSettings.from_query({"lesson": "gap", "epsilon": "0.5"})
    told = LearnSettings.from_query({"lesson": "gap", "epsilon": "0.5", "told": "1"})
    stops = LESSONS["gap"].control.stops
    assert stops[asked.index] == LESSONS["gap"].control.start
    assert stops[told.index] == 0.5


def test_a_number_between_stops_is_the_nearest_one_and_nonsense_the_default():
    control = LESSONS["gap"].control
    for text, stop in (("0.6", 0.5), ("1e9", 2.0), ("-1", 0.01)):
        assert control.stops[stop_of(control, text)] == stop
    assert [stop_of(control, text) for text in ("", "nan", "two")] == [None] * 3
    asked = {"lesson": "none-such", "seed": "-4", "told": "perhaps"}
    assert LearnSettings.from_query(asked) == LearnSettings()
    assert LearnSettings.from_query({"lesson": "5"}) == LearnSettings("gap")


def test_question_and_choices_stay_where_the_prediction_was_made(toy):
    """The control moves the pictures and what is said of them."""
    moved = toy(stop=2, told=True)
    assert (moved["question"], moved["choices"][1]) == ("Twice two?", "4")
    assert moved["answered"][0]["title"] == "6"
    assert moved["answer"] == "**6**."
    assert moved["control"]["named"][moved["control"]["index"]] == "n = 3"


def test_what_a_lesson_says_is_escaped_where_it_is_markup(toy):
    assert "&lt;two&gt;" in toy()["notes"]
    assert 'href="explore?k=2"' in toy()["open"]


def test_only_so_many_measurements_are_kept(toy):
    kept = MeasuredLessons(most=2)
    for seed in range(3):
        kept.at("toy", start_of(TOY.control), seed)
    assert kept.known("toy", 1, 0) is None
    assert kept.known("toy", 1, 2)["seed"] == 2


def test_a_share_is_said_in_per_cent():
    assert guess(Guess("dot", 0.0, 1.0, 0.5, " %"), "")["factor"] == 100
    assert guess(Guess("needle", 0.0, 90.0, 18.0, "°"), "")["step"] == 1
    assert named_stop(Control("m", "noise", ("a", "b"), "a", spec="{}"), 1) == "noise: b"


def test_contents_have_a_row_for_each_lesson_and_questions_once_they_are_measured(monkeypatch):
    monkeypatch.setattr(content, "MEASURED", MeasuredLessons())
    empty = contents_content(())
    assert (empty["stage"], empty["complete"]) == (0, False)
    content.measure_next_question()
    first = contents_content({"gap"})
    assert first["stage"] == 1
    assert re.findall(r'data-value="(\w+)"', first["hour"] + first["further"]) == list(LESSONS)
    assert first["hour"].count("✓") == 1
