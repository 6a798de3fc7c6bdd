"""What every lesson keeps to: texts, links, pictures, nothing of the answer before it; and paths.

What a picture shows is read back from its figure: places, sizes, and how many of each kind.
"""

import re
from collections import Counter
from string import Formatter
from urllib.parse import parse_qsl

import numpy as np
import plotly.graph_objects as go
import pytest

from dpca_core.figures.colours import resolve
from tests.cases import sampled
from tests.paths import page_file
from tests.ui.taken_settings import not_taken
from ui.learn import handout, pictures
from ui.learn.lesson import LESSONS
from ui.learn.query import LearnSettings
from ui.page.words import fill

EVERY = pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
ASKED = {
    "cloud": "people cloud angle",
    "count": "epsilon without with_you x curve_without curve_with",
    "person": "n",
    "epsilon": "small asked odds_small guesses",
    "delta": "n zero runs",
    "noise": "d table weights",
    "gap": "shown noise few more.k more.gap",
    "mechanism": "shaped shaped_releases shown",
    "people": "n epsilon mechanism target trials curve_epsilons curve kept needed random",
    "again": "times averaged averaged_releases shown",
    "attack": "",
    "local": "office",
    "outside": "epsilon d published",
}
"""Fields that the pictures of a lesson may show before the answer; "more.k" is a part of one."""
ON_AVERAGE = {"attack": lambda fields: fields["rounds"] * fields["bound"] / 100}
"""Truths that at one seed of some thousand rounds are nearer to another choice."""


def at_start(lesson, seed=0):
    return lesson.measure(lesson.control.start, seed)


def alone(fields, names):
    """Return these fields without the others."""
    found = {}
    for outer, _, inner in (name.partition(".") for name in names.split()):
        part = found.get(outer, {}) | {inner: fields[outer][inner]} if inner else fields[outer]
        found[outer] = part
    return found


def texts_of(lesson):
    choices = (text for choice in lesson.choices for text in choice)
    return [lesson.question, lesson.answer, lesson.why, *lesson.more, *lesson.notes, *choices]


def test_no_number_is_typed():
    texts = [re.sub(r"^\d\. ", "", text, flags=re.MULTILINE) for text in handout.WORDS.values()]
    for lesson in LESSONS.values():
        texts += [*texts_of(lesson), *lesson.words.values(), lesson.title, lesson.summary]
    literal = ("".join(part[0] for part in Formatter().parse(text)) for text in texts)
    assert [text for text in literal if re.search("[0-9⁰¹²³⁴-⁹]", text)] == []


@pytest.mark.parametrize("seed", sampled(range(20), 10, "ten times what two seeds measure"))
@EVERY
def test_its_right_choice_is_the_nearest(lesson, seed):
    """All others by 14 standard deviations and more: a fresh seed changes nothing."""
    found = at_start(lesson, seed)
    truth = ON_AVERAGE.get(lesson.key, lambda fields: fields["truth"])(found)
    assert np.argmin([abs(value - truth) for value in found["choices"]]) == lesson.right


def test_no_letter_is_right_more_than_five_times():
    assert [one.number for one in LESSONS.values()] == [str(number) for number in range(1, 14)]
    assert max(Counter(lesson.right for lesson in LESSONS.values()).values()) <= 5


@EVERY
def test_its_texts_fill_and_its_link_is_taken_at_every_stop(lesson):
    """The page takes each setting as it is written: no slider moves it to a stop beside it."""
    for stop in lesson.control.stops:
        found = lesson.measure(stop, 0)
        drawn = [*lesson.pictures(found, False), *lesson.pictures(found, True)]
        filled = [fill(text, {"value": 0, **found}) for text in texts_of(lesson)]
        filled += [text for one in drawn for text in (one.title, one.caption)]
        assert not [text for text in filled if "{" in text or "nan" in text.split()]
        page, _, query = lesson.opens.format(**found).partition("?")
        assert page_file(page).exists()
        assert not_taken(page, dict(parse_qsl(query))) == {}


@EVERY
def test_before_the_answer_its_pictures_need_nothing_of_it_and_plotly_takes_all(lesson):
    found = at_start(lesson)
    before, after = (lesson.pictures(found, told) for told in (False, True))
    assert repr(lesson.pictures(alone(found, ASKED[lesson.key]), False)) == repr(before)
    assert [one.title for one in before] != [one.title for one in after]
    for figure in (figure for one in (*before, *after) for figure in one.figures):
        assert all(len(go.Figure(resolve(figure, theme)).data) for theme in ("light", "dark"))


# --- What the page is asked ---


@EVERY
def test_every_stop_has_an_address_and_a_lesson_its_key_and_number(lesson):
    for stop in range(len(lesson.control.stops)):
        query = LearnSettings(lesson.key, stop=stop, seed=3, told=True).to_query()
        for name in (lesson.key, lesson.number):
            again = LearnSettings.from_query(query | {"lesson": name})
            assert (again.lesson, again.index) == (lesson.key, stop)
            assert (again.seed, again.told) == (3, True)


def test_a_control_stands_at_its_stop_or_as_asked_before_the_answer():
    control = LESSONS["gap"].control
    for asked, stands in (("0.5", 0.5), ("0.6", control.start), ("nan", control.start)):
        for told, expected in (("1", stands), ("0", control.start)):
            found = LearnSettings.from_query({"lesson": "gap", "epsilon": asked, "told": told})
            assert control.stops[found.index] == expected
    found = LearnSettings.from_query({"lesson": "again", "times": "10"})
    assert LESSONS["again"].control.stops[found.index] == 10, "it moves the question"


def test_an_address_says_what_is_not_usual_and_nonsense_is_the_default():
    assert LearnSettings("gap").to_query() == {"lesson": "gap"}
    asked = {"lesson": "none-such", "seed": "-4", "told": "perhaps", "path": "9"}
    assert LearnSettings.from_query(asked) == LearnSettings()


# --- Pictures ---


def test_cells_and_a_histogram_show_what_they_are_given():
    drawn = pictures.cells([("first", np.array([[4.0, -1.0], [0.0, 0.0]])), ("second", None)])
    (shown,) = drawn["data"]
    assert shown["z"].tolist() == [[1.0, -0.5], [0.0, 0.0]], "a cell is as strong as its root"
    assert len(drawn["layout"]["shapes"]) == 2, "what is not known yet is a frame"
    angles = np.geomspace(0.002, 0.9, 500)
    (bars,) = pictures.histogram(angles, ((0.001, ""), (1.0, "")), "accent", bins=30)["data"]
    assert np.sort(np.repeat(10 ** bars["x"], bars["y"])) == pytest.approx(angles, rel=0.13)
