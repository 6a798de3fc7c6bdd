"""The handout: every number computed, the answers on their own page."""

import re
from string import Formatter

import pytest

from ui.learn import handout_text as text
from ui.learn.fields import fill
from ui.learn.handout import handout
from ui.learn.handout_numbers import handout_numbers
from ui.learn.query import LearnSettings
from ui.learn.registry import LESSONS
from ui.state.shared_address import SharedAddress
from ui.text.glossary import TERMS

SHARED = SharedAddress("https://class.example/?lesson=gap", "class.example/?lesson=gap", "<svg/>")


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


def test_the_first_page_holds_no_answer():
    first = handout(LearnSettings(answers=False), SHARED)
    numbers = handout_numbers(0)
    answers = [fill(one.answer, numbers) for one in text.EXERCISES]
    assert not [answer for answer in answers if answer in first]
    assert first.count("<li>") == len(text.EXERCISES) == 8
    assert SHARED.text in first
    assert SHARED.qr in first


def test_its_words_are_the_glossarys():
    assert len(text.TERMS_SHOWN) == 12
    sheet = handout(LearnSettings(), SHARED)
    assert [key for key in text.TERMS_SHOWN if TERMS[key].name not in sheet] == []
