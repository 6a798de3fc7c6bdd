"""What every lesson keeps to: its texts, its links, and nothing of the answer before it."""

import re
from collections import Counter
from string import Formatter
from urllib.parse import parse_qsl

import numpy as np
import pytest

from tests.cases import sampled
from tests.paths import page_file
from tests.ui.taken_settings import not_taken
from ui.learn.lesson import LESSONS, PATHS, fill
from ui.learn.query import LearnSettings

EVERY = pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
ASKED = {
    "cloud": ("people", "cloud", "angle"),
    "count": ("epsilon", "without", "with_you", "x", "curve_without", "curve_with"),
    "person": ("n",),
    "epsilon": ("small", "asked", "odds_small", "guesses"),
    "delta": ("n", "zero", "runs"),
    "noise": ("d", "cell", "tau", "table", "spectrum"),
    "gap": ("few", "more", "shown", "noise", "few_releases", "few_angle", "few_within", "few_kept",
            "few_gap", "more_gap"),
    "mechanism": ("epsilon", "shaped", "shaped_releases", "shown"),
    "people": ("n", "times", "epsilon", "target", "trials", "curve_epsilons", "curve", "kept",
               "needed", "random"),
    "again": ("times", "averaged", "averaged_releases", "shown"),
    "attack": (),
    "local": ("office_epsilon", "office_angle", "office_kept", "office_releases"),
    "outside": ("epsilon", "columns", "published"),
}  # fmt: skip
"""What a lesson has measured that its pictures may show before the answer."""
ON_AVERAGE = {"attack": lambda fields: fields["rounds"] * fields["bound"] / 100}
"""Truths that at one seed of some thousand rounds are nearer to another choice."""


def at_start(lesson, seed=0):
    return lesson.measure(lesson.control.start, seed)


def another(value):
    """Return a number or array of the same kind, as if something else had been measured."""
    if isinstance(value, np.ndarray):
        return np.ones_like(value)
    if isinstance(value, int | float | np.number) and not isinstance(value, bool):
        return type(value)(value / 2 + 1)
    return value


def texts_of(lesson):
    return [lesson.question, lesson.answer, lesson.why, *lesson.more, *lesson.notes,
            *(text for choice in lesson.choices for text in choice)]  # fmt: skip


@EVERY
def test_no_number_is_typed(lesson):
    texts = [*texts_of(lesson), *lesson.words.values(), lesson.title, lesson.summary]
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
    assert len(LESSONS) == 13
    assert max(Counter(lesson.right for lesson in LESSONS.values()).values()) <= 5


@EVERY
def test_its_texts_fill_and_its_link_is_taken_at_every_stop(lesson):
    """The page takes each setting as it is written: no slider moves it to a stop beside it."""
    for stop in lesson.control.stops:
        found = lesson.measure(stop, 0)
        pictures = [*lesson.pictures(found, False), *lesson.pictures(found, True)]
        filled = [text for choice in lesson.said(found) for text in choice]
        filled += [text for picture in pictures for text in (picture.title, picture.caption)]
        filled += [fill(text, found) for text in texts_of(lesson)[:-8]]
        assert not [text for text in filled if "{" in text or "nan" in text.split()]
        page, _, query = lesson.opens.format(**found).partition("?")
        assert page_file(page).exists()
        assert not_taken(page, dict(parse_qsl(query))) == {}


@EVERY
def test_before_the_answer_its_pictures_do_not_depend_on_it(lesson):
    """Whatever else is measured may be another value, and the same is drawn."""
    found = at_start(lesson)
    answer = {
        name: another(value) for name, value in found.items() if name not in ASKED[lesson.key]
    }
    before, after = (lesson.pictures(found, told) for told in (False, True))
    assert repr(lesson.pictures({**found, **answer}, False)) == repr(before)
    assert [(one.title, one.caption) for one in after] != [
        (one.title, one.caption) for one in before
    ]


@EVERY
def test_every_stop_has_an_address(lesson):
    for stop in range(len(lesson.control.stops)):
        settings = LearnSettings(lesson.key, stop=stop, seed=3, told=True)
        again = LearnSettings.from_query(settings.to_query())
        assert again.index == stop
        assert (again.lesson, again.seed, again.told) == (lesson.key, 3, True)


def test_paths_lead_through_lessons_in_their_order():
    for path, keys in PATHS.items():
        assert {*keys} <= LESSONS.keys()
        at, seen = LearnSettings(keys[0], path=path), [keys[0]]
        while following := at.around[1]:
            at = at.opened(following)
            seen.append(following)
        assert seen == [*PATHS[path]]
    assert LearnSettings("delta", path="45").around == ("epsilon", "noise"), "off the path"
