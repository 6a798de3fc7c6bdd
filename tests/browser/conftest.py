"""A page factory that fails a test on anything the browser or Streamlit complains about."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.chromium import SHORT_LIVED, executable
from tests.browser.server import serving
from tests.paths import ROOT
from ui.text.navigation import PAGES

WIDE = (1440, 900)
PHONE = (390, 844)
READY = '.dpca[data-ready="true"]'
# A comparison asks for more as long as it lives: its page may never be seen at rest.
FIRST_RUN_DONE = (
    '[data-testid="stApp"][data-test-script-state="notRunning"], '
    '[data-testid="stApp"]:has(.dpca[data-complete][data-ready="true"])'
)
EXCEPTION = '[data-testid="stException"]'
MENUS = {title: menu for menu, group in PAGES.items() if menu for title in group.values()}
"""Pages in the navigation by their title, with the menu that holds them; others stand alone."""

HANGING = 60_000
"""Milliseconds after which nothing is waited for any more: far more than a busy machine needs."""
MEASURED = 3 * HANGING
"""The same where all of a page's measurements are waited for."""
expect.set_options(timeout=HANGING)
BACKGROUND = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 28)"}
"""Of the whole page, by .streamlit/config.toml."""

FOLLOW = (ROOT / "tests/browser/follow.js").read_text("utf-8")
"""Watches what Streamlit's protocol says: whether a page waits for a run that it has asked for."""
AT_REST = """() => !window.dpcaRuns.open && !document.querySelector('[data-pending="true"]')
  && document.querySelector('[data-testid="stApp"]').dataset.testScriptState === 'notRunning'"""
FOLLOWS = """([scheme, background]) => {
  const pages = ["explore", "papers", "page"];
  const all = pages.map((one) => `.dpca.dpca-${one}`);
  const moving = document.getAnimations().filter((one) => one instanceof CSSTransition);
  for (const one of moving) one.finish();
  return moving.length === 0
    && getComputedStyle(document.querySelector('.stApp')).backgroundColor === background
    && [...document.querySelectorAll(all)].every(
      ({ classList }) => classList.contains("dpca-dark") === (scheme === "dark"));
}"""
"""Transitions are brought to their end: what is not drawn at the moment would stay at its begin."""
FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("dark", "light")
OpenPage = Callable[..., Page]


def settled(page):
    """Wait until the instrument says that everything is drawn; fail at once on an error box."""
    page.wait_for_selector(f"{READY}, {EXCEPTION}", state="attached")
    assert page.locator(EXCEPTION).count() == 0


def at_rest(page):
    """Wait until what was done has been sent and answered by a whole run, and this is drawn."""
    page.evaluate(FOLLOW)
    page.evaluate(FRAMES)
    page.wait_for_function(AT_REST)
    page.evaluate(FRAMES)


def switch_scheme(page, scheme):
    """Change the system's colour scheme under an open page, and wait until all of it follows."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(FOLLOWS, arg=[scheme, BACKGROUND[scheme]])
    page.evaluate(FRAMES)


def go_to(page, title, *, delay=0):
    """Click a page in the navigation, in the menu that holds it; ``delay`` as in ``click``."""
    if title in MENUS:
        page.get_by_role("button", name=MENUS[title], exact=True).click()
        page.get_by_role("menuitem", name=title, exact=True).click()
    else:
        navigation = page.get_by_test_id("stTopNav")
        navigation.get_by_role("link", name=title, exact=True).click(delay=delay)


def resize(page, size):
    """Change the size of the window, and wait until the browser has laid the page out in it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(FRAMES)


@pytest.fixture(scope="package")
def server_log(tmp_path_factory):
    return tmp_path_factory.mktemp("server") / "log.txt"


@pytest.fixture(scope="package")
def address(server_log):
    with serving(server_log) as (url, _):
        yield url


@pytest.fixture(scope="package")
def playwright():
    with sync_playwright() as instance:
        yield instance


@pytest.fixture(scope="package")
def browser(playwright):
    # With one process for all pages of a context, those after the first find Streamlit's modules
    # loaded and compiled: opening one costs less than half.
    flags = [*SHORT_LIVED, "--process-per-site"]
    with playwright.chromium.launch(executable_path=executable(), args=flags) as instance:
        yield instance


@pytest.fixture(scope="package")
def resident_page(browser, address):
    """A page outside the workbench, which keeps the process of a shared context alive."""
    context = browser.new_context(base_url=address)
    context.set_default_timeout(HANGING)
    page = context.new_page()
    page.goto("/_stcore/health")
    yield page
    context.close()


@pytest.fixture
def shared_context(resident_page):
    """The context in which tests open their pages; cookies and stored settings end with a test."""
    yield resident_page.context
    resident_page.context.clear_cookies()
    resident_page.evaluate("localStorage.clear()")


@pytest.fixture
def open_page(browser, shared_context, address, server_log):
    """Factory: `open_page("/data?k=2", size=PHONE, scheme="dark")` loads it and watches it.

    Each page is a session of its own; with ``stranger=True`` in a browser context of its own too.
    """
    complaints: list[str] = []
    logged = server_log.stat().st_size
    opened = []

    def on_console(message):
        if message.type == "error":
            complaints.append(f"console: {message.text} ({message.location.get('url', '')})")

    def open_one(path="/", *, size=WIDE, scheme="light", listen=None, stranger=False):
        context = browser.new_context(base_url=address) if stranger else shared_context
        page = context.new_page()
        page.set_default_timeout(HANGING)
        opened.append(page)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme=scheme)
        page.on("console", on_console)
        page.on("pageerror", lambda error: complaints.append(f"page: {error}"))
        page.add_init_script(FOLLOW)
        if listen is not None:
            listen(page)
        page.goto(path)
        page.wait_for_selector(FIRST_RUN_DONE)
        return page

    yield open_one
    for page in opened:
        boxes = page.locator(EXCEPTION).all_inner_texts()
        complaints += [f"exception on {page.url}: {text}" for text in boxes]
        if page.context is shared_context:
            page.close()
        else:
            page.context.close()
    if complaints:
        log = server_log.read_bytes()[logged:].decode(errors="replace")
        pytest.fail("\n".join([*complaints, "server log:", log]), pytrace=False)
