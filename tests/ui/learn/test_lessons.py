"""What every lesson keeps to: its texts, its links, and nothing of the answer before it."""

import re
from string import Formatter
from urllib.parse import parse_qs

import numpy as np
import pytest

from papers.registry import BY_KEY
from tests.cases import sampled
from tests.opened_page import open_page
from tests.paths import page_file
from tests.ui.taken_settings import not_taken
from ui.figures.packed_content import decode, encode
from ui.learn.content import lesson_content, open_address
from ui.learn.fields import fill
from ui.learn.query import LearnSettings
from ui.learn.registry import LESSONS
from ui.state.shared_address import SharedAddress

EVERY = pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
ASKED = {
    "person": ("n",),
    "epsilon": ("small", "asked", "odds_small", "guesses"),
    "delta": ("n", "zero", "runs"),
    "noise": ("d", "tau", "table", "spectrum", "first"),
    "gap": ("few", "more", "shown", "noise", "few_angles", "few_angle", "few_within", "few_kept",
            "few_gap", "more_gap"),
    "mechanism": ("epsilon", "shaped", "shaped_releases", "shown"),
    "people": ("n", "times", "epsilon", "target", "trials", "curve_epsilons", "curve", "kept",
               "needed", "random"),
    "again": ("delta", "single", "single_releases", "shown"),
    "needles": ("published", "scale"),
    "attack": ("rounds", "low", "high", "present", "absent"),
    "local": ("office_epsilon", "office_angle", "office_kept", "office_releases"),
    "figure": ("n", "runs", "ceiling", "random_share", "random_low", "random_high"),
    "outside": ("epsilon", "columns", "published"),
}  # fmt: skip
"""What a lesson has measured that its pictures may show before the answer."""


def at_start(lesson, seed=0):
    return lesson.measure(lesson.control.start, seed)


def another(value):
    """Return a number or array of the same kind, as if something else had been measured."""
    if isinstance(value, np.ndarray):
        return np.ones_like(value)
    if isinstance(value, int | float | np.number) and not isinstance(value, bool):
        return type(value)(value / 2 + 1)
    return value


@EVERY
def test_no_number_is_typed(lesson):
    texts = [text for choice in lesson.choices for text in (choice.text, choice.reason)]
    texts += [lesson.title, lesson.question, lesson.answer, lesson.explanation, *lesson.notes]
    literal = ("".join(part[0] for part in Formatter().parse(text)) for text in texts)
    assert [text for text in literal if re.search("[0-9⁰¹²³⁴-⁹]", text)] == []


RIGHT_ONLY_ON_AVERAGE = {
    "attack": lambda fields: {"right": fields["rounds"] * fields["bound"] / 100},
    "needles": lambda fields: {"proofs": fields["expected"]},
}
"""Counts that at one seed of some hundred or thousand are nearer to another choice."""


@pytest.mark.parametrize("seed", sampled(range(20), 10, "ten times what two seeds measure"))
@EVERY
def test_its_right_choice_is_the_nearest(lesson, seed):
    """All others by 14 standard deviations and more: a fresh seed changes nothing."""
    found = at_start(lesson, seed)
    average = RIGHT_ONLY_ON_AVERAGE.get(lesson.key, lambda fields: {})(found)
    assert lesson.nearest({**found, **average}) == lesson.right


@EVERY
def test_its_texts_fill_and_its_link_is_taken_at_every_stop(lesson):
    """The page takes each setting as it is written: no slider moves it to a stop beside it."""
    assert page_file(lesson.page).exists()
    for stop in lesson.control.stops:
        found = lesson.measure(stop, 0)
        pictures = [*lesson.pictures(found, False), *lesson.pictures(found, True)]
        filled = [text for choice in lesson.filled_choices(found) for text in choice]
        filled += [text for picture in pictures for text in (picture.title, picture.caption)]
        filled += [fill(text, found) for text in (*lesson.notes, lesson.question, lesson.answer)]
        filled.append(fill(lesson.explanation, found))
        assert not [text for text in filled if "{" in text or "nan" in text.split()]
        assert not_taken(lesson.page, lesson.settings(found)) == {}


@pytest.mark.parametrize("key", sampled(LESSONS, 4, "opens a page for each of the lessons"))
def test_its_link_opens_a_page_at_its_settings(key):
    """The page writes its settings into its address again: what it did not take is not there."""
    page, _, query = open_address(LESSONS[key], at_start(LESSONS[key])).partition("?")
    asked = {name: values[0] for name, values in parse_qs(query).items()}
    opened = open_page(page, **asked)
    assert not opened.exception
    kept = {
        name: value if isinstance(value, str) else value[0]
        for name, value in opened.query_params.items()
    }
    # What is at its default may be left out of an address.
    assert {name: kept.get(name, value) for name, value in asked.items()} == asked


def test_links_lead_to_what_the_lesson_is_about():
    compare = LESSONS["mechanism"].settings(at_start(LESSONS["mechanism"]))
    assert (compare["mechanisms"], compare["epsilon"]) == ("wishart_difference,laplace", "0.1")
    figure = at_start(LESSONS["figure"])
    assert BY_KEY[LESSONS["figure"].settings(figure)["figure"]].key == "wang-xu-fig-3"


@EVERY
def test_before_the_answer_its_pictures_do_not_depend_on_it(lesson):
    """Whatever else is measured may be another value, and the same is drawn."""
    found = at_start(lesson)
    answer = {
        name: another(value) for name, value in found.items() if name not in ASKED[lesson.key]
    }
    if lesson.key == "attack":
        # All results are on one line, and nobody sees which of them had the person in.
        answer |= {"present": found["absent"], "absent": found["present"]}
    before, after = (lesson.pictures(found, told) for told in (False, True))
    assert repr(lesson.pictures({**found, **answer}, False)) == repr(before)
    assert [picture.title for picture in after] != [picture.title for picture in before]


@EVERY
def test_nothing_of_the_answer_is_shown_before_it(lesson):
    """Neither its sentence nor its reasons."""
    sent = lesson_content(LearnSettings(lesson.key), (), SharedAddress(None, "nowhere", ""))
    sent = decode(encode(sent))
    shown = ("question", "choices", "asked", "control", "steps", "around")
    before = repr([sent[part] for part in shown])
    said = [sent["answer"], sent["explanation"], *filter(None, sent["reasons"])]
    assert not sent["told"]
    assert [text for text in said if text in before] == []


@EVERY
def test_every_stop_has_an_address(lesson):
    for stop in range(len(lesson.control.stops)):
        settings = LearnSettings(lesson.key, stop=stop, seed=3, told=True)
        again = LearnSettings.from_query(settings.to_query())
        assert again.index == stop
        assert (again.lesson, again.seed, again.told) == (lesson.key, 3, True)
