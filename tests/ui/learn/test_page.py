"""The Learn page without a browser: its address, what is sent of a lesson, and the handout."""

import pytest

from dpca_core.text.glossary import TERMS
from tests.opened_page import open_page
from ui.learn import handout
from ui.learn.lesson import LESSONS, PATHS, measured
from ui.learn.page import HIDES
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


def press(page, **which):
    """Press the button of this ``key`` or ``label``."""
    ((name, value),) = which.items()
    next(button for button in page.button if getattr(button, name) == value).click().run()


def test_it_opens_on_the_contents_and_names_a_lesson_that_does_not_exist():
    page = open_page("learn", lesson="none-such")
    assert [one.title for one in LESSONS.values() if one.title not in words(page)] == []
    assert any("none-such" in caption.value for caption in page.caption)
    listed = [button.key for button in open_page("learn", path="45").button]
    assert listed == [*(f"learn.{key}" for key in PATHS["45"]), "learn.print"]


def test_a_link_opens_a_lesson_with_its_answer_and_a_number_that_is_replaced_is_named():
    """k and ε in it are a lesson's: they do not change what other pages show."""
    page = open_page("learn", lesson="gap", told="1", epsilon="0.3", seed="2", k="3")
    assert any("ε = 0.3 is not possible\\: using 0.1" in box.value for box in page.caption)
    fields = measured("gap", LESSONS["gap"].control.first, 2)
    assert fill(LESSONS["gap"].answer, fields) in words(page)
    assert page.checkbox[0].value is True
    assert page.session_state[SETTINGS] == Settings()


@pytest.mark.parametrize("key", LESSONS)
def test_nothing_of_the_answer_is_sent_before_the_browser_hides_it(key):
    lesson, page = LESSONS[key], open_page("learn", lesson=key)
    fields = measured(key, lesson.control.first, 0)
    notes = [fill(note, fields) for note in lesson.notes]
    texts = [fill(text, fields) for text in (lesson.answer, lesson.why, lesson.more[1])]
    texts += [reason for _, reason in lesson.said(fields)]
    assert [text for text in [*texts, *notes] if text in words(page)] == []
    page.session_state[HIDES] = True
    said = words(page.run())
    assert [text for text in texts if text not in said] == []
    assert [note for note in notes if note in said] == []


def test_somebody_plays_and_publishes_by_hand():
    page = open_page("learn", lesson="attack")
    for played in range(20):
        assert f"Round {played + 1} of 20" in words(page)
        press(page, label="In")
    assert "You were right in 10 of 20 rounds" in words(page), "half have the person in"
    press(page, label="Play again")
    assert "Round 1 of 20" in words(page)
    page = open_page("learn", lesson="again")
    for times in (2, 3):
        press(page, label="Publish again")
        assert f"Averages of {times} publications" in words(page)


# --- The handout ---


def test_it_has_the_parts_that_are_asked_for_and_no_answer_on_its_first_sheet():
    asked, found = {"print": "1", "answers": "0", "cards": "1"}, handout.numbers(0)
    exercises, answers = (
        [fill(line, found) for line in handout.WORDS[name].splitlines()]
        for name in ("Exercises", "Answers")
    )
    assert len(exercises) == len(answers) == 7
    page = open_page("learn", **asked)
    first = words(page)
    assert page.query_params == asked
    assert [box.value for box in page.checkbox] == [False, True, False]
    assert [html.proto.body for html in page.get("html")] == ["<p>A</p><p>B</p><p>C</p><p>D</p>"]
    assert [line for line in exercises if line not in first] == []
    assert [line for line in answers if line.partition("** ")[2] in first] == []
    assert "This address works on this computer only" not in first
    page = open_page("learn", print="1", notes="1")
    whole = words(page)
    assert page.get("html") == []
    assert [line for line in answers if line not in whole] == []
    assert [key for key in handout.HEAD["terms"] if TERMS[key].name not in whole] == []
    assert whole.count("Purpose: ") == len(LESSONS)
    assert words(open_page("learn", print="1", notes="1", path="45")).count("Purpose: ") == 5
