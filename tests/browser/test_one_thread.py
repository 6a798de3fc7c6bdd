"""What a visitor does is done by one thread after the other: two would change the same session."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.conftest import HANGING
from tests.browser.server import serving

PROGRAM = """
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


def test_clicks_in_haste_are_followed_one_after_the_other(browser: Browser, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = ("streamlit", "run", str(program))
    with serving(tmp_path / "log.txt", command=command) as (address, _):
        context = browser.new_context(base_url=address)
        context.set_default_timeout(HANGING)
        page = context.new_page()
        page.goto("/")
        expect(page.get_by_role("button", name="Press 2")).to_be_visible()
        for number in range(3):
            page.get_by_role("button", name=f"Press {number}").click()
        expect(page.get_by_text("pressed 3, at once 1")).to_be_visible()
        context.close()
