"""Present: one screen a page, large type, keys alone, a code that leads to what is shown."""

import io
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.chromium import SHORT_LIVED, executable
from tests.browser.conftest import HANGING, SCHEMES, OpenPage, Scheme, resize
from tests.browser.server import serving
from ui.learn.registry import LESSONS

HOST = "classroom.example"
PATHS = ("/", "/compare", "/eigengap", "/sample_size", "/local", "/claims", "/papers")
SIZES = {(1920, 1080): 24, (1280, 720): 16}
"""Windows, and the smallest type in each, in pixels."""
SMALL_TEXT = """
least => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { textContent: text, parentElement: node } = texts.currentNode;
    if (!text.trim() || !node.checkVisibility({ visibilityProperty: true })) continue;
    if (["SCRIPT", "STYLE", "NOSCRIPT"].includes(node.tagName)) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const { width, height, left, top } = range.getBoundingClientRect();
    if (!(width > 1 && height > 1) || left > innerWidth || top > innerHeight) continue;
    const scale = node.getScreenCTM?.().a ?? 1;
    const size = parseFloat(getComputedStyle(node).fontSize) * scale;
    if (size < least - 0.01) found.push(`${text.trim().slice(0, 40)}: ${size}`);
  }
  return found;
}
"""
SCROLLED = """
() => [document.scrollingElement, ...document.querySelectorAll("body, .stApp, .stMain")].some(
  (node) => node.scrollHeight > node.clientHeight + 1
    && getComputedStyle(node).overflowY !== "hidden" && node.scrollTop >= 0)
"""
PRESENTED = "body.dpca-present"
ROOM = {"light": "rgb(255, 255, 255)", "dark": "rgb(14, 16, 19)"}
"""Background of a page that is shown to a room."""


def query(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def presented(page: Page) -> None:
    """Wait until a room sees the page, and what it sees is drawn."""
    expect(page.locator(PRESENTED)).to_be_attached()
    page.wait_for_selector(".dpca-share p", state="visible")
    page.wait_for_selector('.dpca[data-ready="true"], .claims .ellipses', state="attached")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def darken(page: Page, scheme: Scheme) -> None:
    """Change the system's colour scheme, and wait until the room's page follows."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(
        "color => getComputedStyle(document.querySelector('.stApp')).backgroundColor === color",
        arg=ROOM[scheme],
    )


@pytest.mark.parametrize("path", PATHS)
def test_every_page_is_one_screen_of_large_type(
    open_page: OpenPage, path: str, pictures: Path
) -> None:
    page = open_page(f"{path}?present=1", size=next(iter(SIZES)))
    presented(page)
    for size, least in SIZES.items():
        resize(page, size)
        for scheme in SCHEMES:
            darken(page, scheme)
            presented(page)
            page.screenshot(path=pictures / f"{size[0]}-{scheme}.png")
            assert page.evaluate(SMALL_TEXT, least) == [], (size, scheme)
            assert not page.evaluate(SCROLLED), (size, scheme)
    page.keyboard.press("Escape")
    expect(page.locator(PRESENTED)).not_to_be_attached()


CUT_OFF = """
() => [
  ...[".dpca-tell", ".dpca-why"].filter((part) => {
    const node = document.querySelector(`.dpca-learn ${part}`);
    const { bottom } = node.getBoundingClientRect();
    return !node.textContent.trim() || bottom > innerHeight
      || bottom > node.closest(".dpca-told").getBoundingClientRect().bottom + 1;
  }),
  ...[...document.querySelectorAll(
    ".dpca-pictures svg:not(.main-svg), .dpca-pictures :is(.xtitle, .xtick)",
  )].filter((drawn) => {
    const room = drawn.closest(".dpca-pictures").getBoundingClientRect();
    return drawn.getBoundingClientRect().bottom > room.bottom + 1;
  }).map((drawn) => drawn.outerHTML.slice(0, 80)),
]
"""


def test_the_whole_answer_of_a_lesson_is_on_the_screen(open_page: OpenPage) -> None:
    page = open_page("/learn?present=1")
    for key in LESSONS:
        page.goto(urljoin(page.url, f"/learn?lesson={key}&present=1"))
        presented(page)
        page.keyboard.press("Space")
        expect(page.locator(".dpca-learn .dpca-why")).to_be_visible()
        for size in SIZES:
            resize(page, size)
            assert page.evaluate(CUT_OFF) == [], (key, size)


COMPLETE = """before => {
    const { id, stage, complete } = document.querySelector(".dpca-explore").dataset;
    return id !== before && Number(stage) > 1 && complete === "true";
}"""
"""Whether another picture than before is complete."""


def test_keys_alone_drive_it(open_page: OpenPage) -> None:
    page = open_page("/", size=(1280, 720))
    page.wait_for_selector('.dpca[data-ready="true"]')
    page.keyboard.press("p")
    presented(page)
    press_and_find(page, "ArrowRight", epsilon="0.15", present="1")
    press_and_find(page, "Shift+ArrowLeft", epsilon="0.05")
    press_and_find(page, "ArrowUp", k="3")
    press_and_find(page, "ArrowDown", k="2")
    before = page.locator(".dpca-explore").get_attribute("data-id")
    press_and_find(page, " ", seed="1")
    # Until all is measured rows change places, or are not there yet.
    page.wait_for_function(COMPLETE, arg=before)
    second = page.locator(".dpca-row[data-room]").nth(1)
    key = second.get_attribute("data-value")
    assert key is not None
    press_and_find(page, "2", mechanism=key)
    overlays_come_and_go(page)
    page.keyboard.press("Escape")
    expect(page.locator(PRESENTED)).not_to_be_attached()
    page.wait_for_function("!new URLSearchParams(location.search).has('present')")


def press_and_find(page: Page, key: str, **settings: str) -> None:
    """Press a key, and wait until the address says what it has changed."""
    page.keyboard.press(key)
    page.wait_for_function(
        "all => Object.entries(all).every(([name, value]) => "
        "new URLSearchParams(location.search).get(name) === value)",
        arg=settings,
    )


def overlays_come_and_go(page: Page) -> None:
    for key, part in (("q", "code"), ("?", "keys"), (".", "black")):
        sheet = page.locator(f'.dpca-room [data-part="{part}"]')
        page.keyboard.press(key)
        expect(sheet).to_be_visible()
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
    background = "getComputedStyle(document.querySelector('.dpca-explore')).backgroundColor"
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    page.keyboard.press("d")
    page.wait_for_function(f"{background} === 'rgb(14, 16, 19)'")
    page.keyboard.press("d")
    page.wait_for_function(f"{background} === 'rgb(255, 255, 255)'")


def test_no_key_works_while_a_field_has_focus(open_page: OpenPage) -> None:
    page = open_page("/", size=(1280, 720))
    page.wait_for_selector('.dpca[data-ready="true"]')
    page.get_by_role("combobox", name="Mechanism").focus()
    page.keyboard.press("p")
    page.wait_for_timeout(300)
    expect(page.locator(PRESENTED)).not_to_be_attached()


def test_a_loopback_address_has_a_sentence_and_no_code(open_page: OpenPage) -> None:
    page = open_page("/?present=1", size=(1280, 720))
    presented(page)
    expect(page.locator(".dpca-share")).to_contain_text("This address works on this computer only")
    expect(page.locator(".dpca-share a")).to_have_attribute("href", "proofs?document=deploy")
    assert page.locator(".dpca-qr").count() == 0


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a server that answers to one more host name, which the browser takes for it."""
    log = tmp_path_factory.mktemp("room") / "log.txt"
    hosts = f"127.0.0.1 localhost {HOST}"
    with serving(log, STREAMLIT_SERVER_ALLOWED_HOSTS=hosts) as (address, _):
        yield address.replace("127.0.0.1", HOST)


@pytest.fixture(scope="module")
def visitor(playwright: Playwright) -> Iterator[Browser]:
    flags = [*SHORT_LIVED, f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
    browser = playwright.chromium.launch(executable_path=executable(), args=flags)
    yield browser
    browser.close()


def decoded(page: Page) -> str:
    """Read the one code on a picture of the screen."""
    (found,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(page.screenshot())))
    return str(found.text)


def opened(visitor: Browser, address: str) -> Page:
    page = visitor.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(HANGING)
    page.goto(address)
    return page


def test_the_code_on_the_screen_leads_to_the_same_settings(room: str, visitor: Browser) -> None:
    page = opened(visitor, f"{room}/compare?epsilon=0.5&k=3&present=1")
    presented(page)
    address = decoded(page)
    assert address.startswith(f"{room}/?s=")
    darken(page, "dark")
    assert decoded(page) == address
    assert page.locator(".dpca-share b").inner_text() == address.partition("://")[2]
    shown = query(page)
    assert (shown["epsilon"], shown["k"]) == ("0.5", "3")
    follower = opened(visitor, address)
    follower.wait_for_url("**/compare?**epsilon=0.5**")
    del shown["present"]
    follower.wait_for_function("location.search.includes('k=3')")
    assert query(follower) == shown
    expect(follower.locator(PRESENTED)).not_to_be_attached()
    follower.close()
    page.close()


def test_an_unknown_key_is_one_sentence_on_the_start_page(room: str, visitor: Browser) -> None:
    page = opened(visitor, f"{room}/?s=zzzzzz")
    expect(page.get_by_text("no longer known")).to_be_visible()
    page.wait_for_selector('.dpca-explore[data-ready="true"]')
    assert "s" not in query(page)
    page.close()
