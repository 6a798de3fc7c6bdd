"""What every lesson of the registry keeps to, whoever wrote it."""

from urllib.parse import parse_qs

import pytest

from tests.opened_page import open_page
from tests.ui.learn.lessons.predicted import (
    at_start,
    fills_at_every_stop,
    missed_seeds,
    typed_digits,
)
from ui.learn.content import open_address
from ui.learn.registry import LESSONS, neighbours_of, number_of
from ui.text.page_titles import PAGE_TITLES

KEYS = tuple(LESSONS)
EXPECTED = (
    "person",
    "epsilon",
    "delta",
    "noise",
    "gap",
    "mechanism",
    "people",
    "again",
    "needles",
    "attack",
    "local",
    "figure",
    "outside",
)
FURTHER = ("local", "figure", "outside")


def test_all_thirteen_are_there_in_their_order():
    assert KEYS == EXPECTED
    assert tuple(key for key in KEYS if LESSONS[key].further) == FURTHER
    assert [number_of(key) for key in KEYS] == list(range(1, 14))
    assert neighbours_of("person") == (None, "epsilon")
    assert neighbours_of("outside") == ("figure", None)


@pytest.mark.parametrize("key", KEYS)
def test_no_number_is_typed(key):
    assert typed_digits(LESSONS[key]) == []


@pytest.mark.parametrize("key", KEYS)
def test_its_right_choice_is_the_nearest(key):
    """At seeds 0 to 19, which are fixed: it fails for a change of the program only."""
    assert missed_seeds(LESSONS[key]) == []


@pytest.mark.parametrize("key", KEYS)
def test_its_texts_can_be_filled_at_every_stop(key):
    filled = fills_at_every_stop(LESSONS[key])
    assert len(filled) > len(LESSONS[key].control.stops)
    assert not [text for text in filled if "{" in text or "nan" in text.split()]


@pytest.mark.parametrize("key", KEYS)
def test_its_link_opens_a_page_at_its_settings(key):
    """The page writes its settings into its address again: what it did not take is not there."""
    lesson = LESSONS[key]
    page, _, query = open_address(lesson, at_start(lesson)).partition("?")
    assert page in PAGE_TITLES
    asked = {name: values[0] for name, values in parse_qs(query).items()}
    opened = open_page(page, **asked)
    assert not opened.exception
    kept = {
        name: value if isinstance(value, str) else value[0]
        for name, value in opened.query_params.items()
    }
    # What is at its default may be left out of an address.
    assert {name: kept.get(name, value) for name, value in asked.items()} == asked
