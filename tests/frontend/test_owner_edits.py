"""Nothing typed into the table of columns is lost, however slow the server and hasty the owner."""

import json

import pytest

from tests.frontend.owner_table import draft_of, mounted

NAMES = [f"c{i}" for i in range(20)]
VALUES = [str(100 + i) for i in range(20)]
BETWEEN = 75
"""Milliseconds for one value: twenty take 1.5 s."""
BLUR = "document.activeElement.blur()"
STORED = "Object.values(sessionStorage)"


def offers(page):
    return page.get_by_role("button", name="Use them").count()


@pytest.mark.parametrize("leaving", [False, True])
@pytest.mark.parametrize("seconds", [0.0, 1.0])
def test_twenty_values_typed_in_haste_arrive_and_leaving_at_once_loses_none(page, seconds, leaving):
    with mounted(page, draft_of(NAMES), seconds) as table:
        table.cell("c0", "low").focus()
        for value in VALUES:
            page.keyboard.type(value)
            page.clock.run_for(BETWEEN)
            page.keyboard.press("Enter")
        assert table.shown("low") == VALUES
        if leaving:
            page.keyboard.type("7")
            page.evaluate("server.leave()")
        assert table.known("low") == [*VALUES[:-1], VALUES[-1] + "7" * leaving]
        assert leaving or table.shown("low") == VALUES


def test_what_is_typed_is_sent_before_a_press_a_click_and_the_hiding_of_the_tab(page):
    for event in (
        BLUR,
        "document.body.dispatchEvent(new Event('pointerdown', {bubbles: true}))",
        "document.dispatchEvent(new Event('visibilitychange'))",
    ):
        with mounted(page, draft_of(NAMES), 1.0) as table:
            table.cell("c3", "high").fill("9")
            page.evaluate(event)
            (message,) = page.evaluate("server.messages")
            assert message["cells"] == [["c3", [["high", "9", 1]]]]
        page.evaluate("sessionStorage.clear()")


def test_an_old_picture_takes_nothing_back(page):
    """A text that changed after it was sent stays, though the message that held it is merged."""
    with mounted(page, draft_of(NAMES)) as table:
        table.cell("c0", "low").fill("1")
        assert table.known("low")[0] == "1"
        page.evaluate("server.seconds = 1")
        table.cell("c0", "low").fill("12")
        page.clock.run_for(300)
        table.cell("c0", "low").fill("123")
        table.answers(c0={"low": "99"})
        assert table.shown("low")[0] == "123"
        assert table.known("low")[0] == "123"


def test_a_cell_is_overwritten_unless_somebody_types_in_it(page):
    with mounted(page, draft_of(NAMES)) as table:
        table.cell("c0", "low").focus()
        table.answers(c0={"low": "5"}, c1={"low": "6"})
        assert table.shown("low")[:2] == ["5", "6"]
        page.evaluate("document.activeElement.value = '57'")
        table.answers(c0={"low": "8"}, c1={"low": "9"})
        assert table.shown("low")[:2] == ["57", "9"]
        table.cell("c1", "low").focus()
        table.answers(c0={"low": "8"})
        assert table.shown("low")[0] == "8"


def test_after_a_reload_what_was_said_is_offered(page):
    described = draft_of(NAMES, c0={"low": "7"})

    def describe() -> None:
        with mounted(page, described) as table:
            table.cell("c1", "low").fill("8")
            page.evaluate(BLUR)
        page.reload()

    describe()
    for others in (draft_of(["a", "b"]), draft_of(NAMES, c0={"low": "1"})):
        with mounted(page, others):
            assert offers(page) == 0
    page.reload()
    describe()
    with mounted(page, draft_of([*NAMES, "c20"])):
        page.get_by_role("button", name="Use them").click()
        ((name, sent),) = page.evaluate("server.triggers")
        assert name == "restore"
        assert json.loads(sent["draft"])["columns"]["c0"]["entries"]["low"]["text"] == "7"
        # The last keys were not known to be merged.
        assert sent["edits"]["cells"] == [["c1", [["low", "8", 1]]]]
        assert offers(page) == 0


def test_whoever_starts_afresh_is_not_asked_again_and_other_tables_are_kept(page):
    for draft in (draft_of(["x", "y"], x={"low": "5"}), draft_of(NAMES, c0={"low": "7"})):
        with mounted(page, draft):
            pass
        page.reload()
    with mounted(page, draft_of(NAMES)):
        page.get_by_role("button", name="Start afresh").click()
    with mounted(page, draft_of(NAMES)):
        assert offers(page) == 0
    with mounted(page, draft_of(["x", "z"])):
        assert offers(page) == 1


def test_that_values_were_seen_holds_after_a_reload_used_or_not(page):
    draft = draft_of(["a", "b"])
    filled = draft.with_columns([draft.column("a").filled({"low": "27", "high": "213"})])
    with mounted(page, filled):
        assert "213" not in page.evaluate(STORED)[0]
    page.reload()
    with mounted(page, draft_of(["a", "b"])) as table:
        assert table.known("seen") == ["seen", False]
        assert offers(page) == 0
