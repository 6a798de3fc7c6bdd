"""The address of the Learn page."""

import pytest

from ui.learn.query import LearnSettings, stop_of
from ui.learn.registry import LESSONS


@pytest.mark.parametrize("key", tuple(LESSONS))
def test_every_stop_of_every_lesson_has_an_address(key):
    control = LESSONS[key].control
    for stop in range(len(control.stops)):
        settings = LearnSettings(key, stop=stop, seed=3, told=True)
        again = LearnSettings.from_query(settings.to_query())
        assert again.index == stop
        assert (again.lesson, again.seed, again.told) == (key, 3, True)


def test_a_plain_lesson_has_a_short_address():
    assert LearnSettings("gap").to_query() == {"lesson": "gap"}
    assert LearnSettings().to_query() == {}


def test_a_control_stays_at_the_question_until_the_answer_is_shown():
    asked = LearnSettings.from_query({"lesson": "gap", "epsilon": "0.5"})
    told = LearnSettings.from_query({"lesson": "gap", "epsilon": "0.5", "told": "1"})
    stops = LESSONS["gap"].control.stops
    assert stops[asked.index] == LESSONS["gap"].control.start
    assert stops[told.index] == 0.5


@pytest.mark.parametrize(("text", "stop"), [("0.6", 0.5), ("1e9", 2.0), ("-1", 0.01)])
def test_a_number_between_stops_is_the_nearest_one(text, stop):
    control = LESSONS["gap"].control
    assert control.stops[stop_of(control, text)] == stop


@pytest.mark.parametrize("text", ["", "nan", "two"])
def test_what_is_no_number_means_no_stop(text):
    assert stop_of(LESSONS["gap"].control, text) is None


def test_what_cannot_be_used_becomes_the_default():
    asked = {"lesson": "none-such", "seed": "-4", "told": "perhaps"}
    assert LearnSettings.from_query(asked) == LearnSettings()


def test_the_handout_keeps_its_parts():
    query = {"print": "1", "answers": "0", "cards": "1"}
    settings = LearnSettings.from_query(query)
    assert (settings.print, settings.answers, settings.cards) == (True, False, True)
    assert settings.to_query() == query
