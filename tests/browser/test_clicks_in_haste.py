"""What a visitor does in haste is done, one thing after the other, and no page is left empty."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import HANGING
from tests.browser.server import serving

SLOW_BUTTONS = """
import time
import streamlit as st

@st.cache_resource
def threads():
    return {"now": 0, "most": 0, "pressed": 0}

def press():
    known = threads()
    known["now"] += 1
    known["most"] = max(known["most"], known["now"])
    time.sleep(0.5)
    known["pressed"] += 1
    known["now"] -= 1

for number in range(3):
    st.button(f"Press {number}", on_click=press)
st.text(f"pressed {threads()['pressed']}, at once {threads()['most']}")
"""
"""Three buttons that take their time; none looks for newer requests meanwhile."""

TWO_PAGES = """
import time
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from ui.server.late_fragments import stay_on_the_next_page
from ui.server.whole_callbacks import let_callbacks_finish

let_callbacks_finish()
stay_on_the_next_page()

@st.fragment
def part():
    st.button("Ask again")

def first():
    st.button("Work", on_click=time.sleep, args=(1.5,))
    st.text("by Back" if get_script_run_ctx().is_history_navigation else "by hand")
    part()

def slow():
    time.sleep(1.5)
    st.text("the slow page")

pages = [st.Page(first, title="First", default=True), st.Page(slow, title="Slow")]
st.navigation(pages, position="top").run()
"""
"""While the slow page is drawn, the page before it still stands and can ask for its part."""

NEXT_THEN_ASK = "([work, next, ask]) => { next.click(); ask.click(); }"
WORK_NEXT_THEN_ASK = """([work, next, ask]) => {
    work.click();
    setTimeout(() => next.click(), 100);
    setTimeout(() => ask.click(), 200);
}"""
WORK_BACK_THEN_ASK = """([work, next, ask]) => {
    work.click();
    setTimeout(() => history.back(), 100);
    addEventListener("popstate", () => setTimeout(() => ask.click(), 100));
}"""
"""All before the browser hears that the next page has begun."""


@contextmanager
def opened(browser: Browser, program: str, folder: Path) -> Iterator[Page]:
    file = folder / "program.py"
    file.write_text(program)
    with serving(folder / "log.txt", command=("streamlit", "run", str(file))) as (address, _):
        context = browser.new_context(base_url=address)
        context.set_default_timeout(HANGING)
        page = context.new_page()
        page.goto("/")
        yield page
        context.close()


def test_clicks_in_haste_are_followed_one_after_the_other(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, SLOW_BUTTONS, tmp_path) as page:
        expect(page.get_by_role("button", name="Press 2")).to_be_visible()
        for number in range(3):
            page.get_by_role("button", name=f"Press {number}").click()
        expect(page.get_by_text("pressed 3, at once 1")).to_be_visible()


def do(page: Page, steps: str) -> None:
    """Take some steps with the buttons that work and ask, and with the link to the slow page."""
    buttons = [page.get_by_role("button", name=name) for name in ("Work", "Ask again")]
    link = page.get_by_role("link", name="Slow")
    work, ask, slow = (element.element_handle() for element in (*buttons, link))
    page.evaluate(steps, [work, slow, ask])


@pytest.mark.parametrize("steps", [NEXT_THEN_ASK, WORK_NEXT_THEN_ASK], ids=["idle", "at work"])
def test_a_page_that_was_left_does_not_come_back(
    browser: Browser, tmp_path: Path, steps: str
) -> None:
    with opened(browser, TWO_PAGES, tmp_path) as page:
        do(page, steps)
        expect(page.get_by_text("the slow page")).to_be_visible()
        # Long enough for what was asked of the page before to be answered.
        page.wait_for_timeout(1000)
        expect(page.get_by_text("the slow page")).to_be_visible()


def test_back_is_not_undone_by_what_the_page_asks_for(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, TWO_PAGES, tmp_path) as page:
        expect(page.get_by_text("by hand")).to_be_visible()
        page.evaluate("history.pushState({}, '', '?k=3')")
        do(page, WORK_BACK_THEN_ASK)
        expect(page.get_by_text("by Back")).to_be_visible()
