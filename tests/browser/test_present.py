"""Present: keys alone, and a code that leads to what is shown."""

import io
from urllib.parse import parse_qs, urlsplit

import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from tests.browser.chromium import SHORT_LIVED, executable
from tests.browser.conftest import BACKGROUND, HANGING, MEASURED, at_rest, switch_scheme
from tests.browser.server import serving
from tests.browser.test_every_page import PRESENTED, presented, press_and_find

HOST = "classroom.example"
SMALL = (1280, 720)
COLOUR = "getComputedStyle(document.querySelector('.dpca-page')).backgroundColor"
COMPLETE = """before => {
    const { id, stage, complete } = document.querySelector(".dpca-page")?.dataset ?? {};
    return id && id !== before && Number(stage) > 1 && complete === "true";
}"""
"""Whether another picture than before is complete."""


def query(page):
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_keys_alone_drive_it(open_page):
    page = open_page("/?data=wine", size=SMALL)
    page.wait_for_selector('.dpca[data-ready="true"]')
    at_rest(page)
    # None is heard while a field has focus: it would be undone by the next.
    page.get_by_role("combobox", name="Mechanism").press("p")
    expect(page.locator(PRESENTED)).not_to_be_attached()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("p")
    presented(page)
    press_and_find(page, "ArrowRight", epsilon="0.15", present="1")
    press_and_find(page, "Shift+ArrowLeft", epsilon="0.05")
    press_and_find(page, "ArrowUp", k="3")
    press_and_find(page, "ArrowDown", k="2")
    before = page.locator(".dpca-page").get_attribute("data-id")
    press_and_find(page, " ", seed="1")
    page.wait_for_function(COMPLETE, arg=before, timeout=MEASURED)
    key = page.locator(".dpca-row").nth(1).get_attribute("data-value")
    assert key is not None
    press_and_find(page, "2", mechanism=key)
    for key, part in (("q", "code"), ("?", "keys"), (".", "black")):
        sheet = page.locator(f'.dpca-room [data-part="{part}"]')
        page.keyboard.press(key)
        expect(sheet).to_be_visible()
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
    for colour in (BACKGROUND["dark"], BACKGROUND["light"]):
        page.keyboard.press("d")
        page.wait_for_function(f"{COLOUR} === '{colour}'")
    page.keyboard.press("Escape")
    expect(page.locator(PRESENTED)).not_to_be_attached()
    page.wait_for_function("!new URLSearchParams(location.search).has('present')")


def decoded(page):
    """Read the one code on a picture of the screen."""
    (found,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(page.screenshot())))
    return str(found.text)


def test_the_code_on_the_screen_leads_to_the_same_settings(playwright, tmp_path):
    """On a server that answers to one more host name, which the browser takes for it."""
    hosts = {"STREAMLIT_SERVER_ALLOWED_HOSTS": f"127.0.0.1 localhost {HOST}"}
    flags = [*SHORT_LIVED, f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
    with (
        serving(tmp_path / "log.txt", **hosts) as (local, _),
        playwright.chromium.launch(executable_path=executable(), args=flags) as browser,
        browser.new_context(viewport={"width": 1280, "height": 720}) as context,
    ):
        context.set_default_timeout(HANGING)
        page, follower = context.new_page(), context.new_page()
        room = local.replace("127.0.0.1", HOST)
        page.goto(f"{room}/eigengap?epsilon=0.5&k=3&present=1")
        presented(page)
        address = decoded(page)
        assert address.startswith(f"{room}/eigengap?")
        switch_scheme(page, "dark")
        assert decoded(page) == address
        assert page.locator(".dpca-share b").inner_text() == f"{room.partition('://')[2]}/eigengap"
        shown = query(page)
        assert (shown["epsilon"], shown["k"]) == ("0.5", "3")
        follower.goto(address)
        follower.wait_for_url("**/eigengap?**epsilon=0.5**")
        follower.wait_for_function("location.search.includes('k=3')")
        assert query(follower) | {"present": "1"} == shown
        expect(follower.locator(PRESENTED)).not_to_be_attached()
