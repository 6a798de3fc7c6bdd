"""No page that was left comes back, and the browser's Back is not undone, however hasty a visitor.

That a click's callback is whole: tests/ui/server/test_streamlit_fixes.py. The program that is run
here waits for files: a test lets it go on, and no time has to pass.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import HANGING
from tests.browser.server import serving

PROGRAM = """
import time
from pathlib import Path
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from ui.server.streamlit_fixes import repair_streamlit

repair_streamlit()

def work():
    Path(__file__).with_name("working").touch()
    wait("worked")

def wait(name):
    while not Path(__file__).with_name(name).exists():
        time.sleep(0.01)

@st.fragment
def part():
    st.button("Ask again")

def first():
    st.button("Work", on_click=work)
    st.checkbox("Tell", on_change=lambda: st.session_state.update(told=True))
    st.text("by Back" if get_script_run_ctx().is_history_navigation else "by hand")
    part()

def slow():
    st.text("the slow page begins" + " and was told" * st.session_state.get("told", False))
    wait("drawn")
    st.text("looked at" if st.button("Look") else "the slow page")

pages = [st.Page(first, title="First", default=True), st.Page(slow, title="Slow")]
st.navigation(pages, position="top").run()
"""
"""Buttons that take their time, none of which looks for newer requests meanwhile; and while the
slow page is drawn, the page before it still stands and can ask for its part."""
NEXT_THEN_ASK = "([next, ask]) => { next.click(); ask.click(); }"
BACK_THEN_ASK = """([next, ask]) => {
    addEventListener("popstate", () => ask.click());
    history.back();
}"""
"""All before the browser hears that the next page has begun."""
FILES = ("working", "worked", "drawn")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Address of the program's server, and the folder of the files it waits for."""
    folder = tmp_path_factory.mktemp("program")
    (folder / "program.py").write_text(PROGRAM)
    command = ("streamlit", "run", str(folder / "program.py"))
    with serving(folder / "log.txt", command=command) as (address, _):
        yield address, folder


@pytest.fixture
def folder(served):
    """That folder without files; at the end all are there, and nobody waits."""
    for name in FILES:
        (served[1] / name).unlink(missing_ok=True)
    yield served[1]
    for name in FILES:
        (served[1] / name).touch()


@pytest.fixture
def page(browser, served, folder):
    with browser.new_context(base_url=served[0]) as context:
        context.set_default_timeout(HANGING)
        page = context.new_page()
        page.goto("/")
        yield page


def do(page, steps, folder=None):
    """Take steps with the link to the slow page and the button that asks; at work in a folder."""
    link, ask = page.get_by_role("link", name="Slow"), page.get_by_role("button", name="Ask again")
    handles = [one.element_handle() for one in (link, ask)]
    if folder is not None:
        page.get_by_role("button", name="Work").click()
        while not (folder / "working").exists():  # no page says whether a callback has begun
            page.wait_for_timeout(10)
    page.evaluate(steps, handles)


@pytest.mark.parametrize("at_work", [False, True])
def test_a_page_that_was_left_does_not_come_back(page, folder, at_work):
    do(page, NEXT_THEN_ASK, folder if at_work else None)
    (folder / "worked").touch()
    expect(page.get_by_text("the slow page begins")).to_be_visible()
    (folder / "drawn").touch()
    expect(page.get_by_text("the slow page", exact=True)).to_be_visible()
    # What this asks for is answered after what was asked of the page before.
    page.get_by_role("button", name="Look").click()
    expect(page.get_by_text("looked at")).to_be_visible()
    expect(page.get_by_role("button", name="Work")).to_have_count(0)


def test_back_is_not_undone_by_what_the_page_asks_for(page, folder):
    expect(page.get_by_text("by hand")).to_be_visible()
    page.evaluate("history.pushState({}, '', '?k=3')")
    do(page, BACK_THEN_ASK, folder)
    (folder / "worked").touch()
    expect(page.get_by_text("by Back")).to_be_visible()


def test_what_a_page_was_told_last_is_heard_though_it_is_left(page, folder):
    do(page, "", folder)
    page.get_by_text("Tell").click()
    page.get_by_role("link", name="Slow").dblclick()
    (folder / "worked").touch()
    expect(page.get_by_text("the slow page begins and was told")).to_be_visible()
