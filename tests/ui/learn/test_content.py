"""What is sent of a lesson: the answer stands in what is shown with it alone."""

import re
from dataclasses import replace

import pytest

from ui.figures.packed_content import decode, encode
from ui.learn import content
from ui.learn.content import contents_content, lesson_content
from ui.learn.fields import fill
from ui.learn.figures import guess, named_stop
from ui.learn.lesson import Choice, Control, Guess, Lesson, Picture
from ui.learn.measurements import MeasuredLessons
from ui.learn.query import LearnSettings, start_of
from ui.learn.registry import LESSONS
from ui.state.shared_address import SharedAddress

NOWHERE = SharedAddress(None, "This address works on this computer only", "")
BEFORE = ("question", "choices", "asked", "control", "steps", "around")
"""Parts that the browser shows before the answer."""

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
    yield TOY
    content._drawn.cache_clear()


def of(key, **settings):
    return lesson_content(replace(LearnSettings(key), **settings), (), NOWHERE)


def test_question_and_choices_stay_where_the_prediction_was_made(toy):
    """The control moves the pictures and what is said of them."""
    moved = of("toy", stop=2, told=True)
    assert (moved["question"], moved["choices"][1]) == ("Twice two?", "4")
    assert moved["answered"][0]["title"] == "6"
    assert moved["answer"] == "**6**."
    assert moved["control"]["named"][moved["control"]["index"]] == "n = 3"


def test_what_a_lesson_says_is_escaped_where_it_is_markup(toy):
    assert "&lt;two&gt;" in of("toy")["notes"]
    assert 'href="explore?k=2"' in of("toy")["open"]


@pytest.mark.parametrize("key", tuple(LESSONS))
def test_nothing_of_the_answer_is_shown_before_it(key):
    """Neither its sentence nor its reasons, and not the answer's pictures."""
    sent = decode(encode(of(key)))
    before = repr([sent[part] for part in BEFORE])
    assert not sent["told"]
    assert sent["answer"] not in before
    assert sent["explanation"] not in before
    assert not [reason for reason in sent["reasons"] if reason and reason in before]
    assert sent["asked"] != sent["answered"]


@pytest.mark.parametrize("key", tuple(LESSONS))
def test_a_guess_has_a_place_on_its_picture(key):
    sent = of(key)
    for state in ("asked", "answered"):
        for one in sent[state]:
            if "guess" in one:
                needs = "data-r=" if one["guess"]["kind"] == "needle" else "data-x0="
                assert needs in one["markup"]
                assert one["guess"]["low"] <= one["guess"]["start"] <= one["guess"]["high"]


def test_a_share_is_said_in_per_cent():
    assert guess(Guess("dot", 0.0, 1.0, 0.5, " %"), "")["factor"] == 100
    assert guess(Guess("needle", 0.0, 90.0, 18.0, "°"), "")["step"] == 1
    assert named_stop(Control("m", "noise", ("a", "b"), "a", spec="{}"), 1) == "noise: b"


def test_contents_have_a_row_for_each_lesson_and_questions_once_they_are_measured(monkeypatch):
    kept = MeasuredLessons()
    monkeypatch.setattr(content, "MEASURED", kept)
    empty = contents_content(())
    assert empty["stage"] == 0
    assert not empty["complete"]
    content.measure_next_question()
    first = contents_content({"gap"})
    assert first["stage"] == 1
    rows = re.findall(r'data-value="(\w+)"', first["hour"] + first["further"])
    assert rows == list(LESSONS)
    assert first["hour"].count("✓") == 1


def test_only_so_many_measurements_are_kept(toy):
    kept = MeasuredLessons(most=2)
    for seed in range(3):
        kept.at("toy", start_of(TOY.control), seed)
    assert kept.known("toy", 1, 0) is None
    assert kept.known("toy", 1, 2)["seed"] == 2
