"""What holds on every page: any width, paper, keyboard, readers of screens, shown to a room.

A page is opened once, as on a phone, and then looked at in every way: opening costs most.
"""

from importlib.resources import files

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FRAMES, PHONE, SCHEMES, WIDE, resize, settled, switch_scheme
from tests.browser.saved_pdf import ADDRESS, SavedPdf
from ui.text.navigation import PAGES
from ui.text.product import HELP_LABEL, PRODUCT_NAME, PURPOSE

WITH_CHARTS = ("/explore", "/eigengap", "/sample_size", "/local", "/claims")
QUICK = {"/sample_size": "?d=10"}
"""Settings at which a page is measured sooner; it looks the same."""
WIDTHS = (360, 720, 1024, 1920)
"""In pixels, beside those of a phone and a window; 720 is 1440 at 200 %."""
PAPER = 718
"""Width of A4 without margins, in pixels."""
TAB_STOPS = 8
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")

# What stands out at the right, or is cut there, unless it scrolls by itself.
OUTSIDE = """() => [...document.querySelectorAll('.dpca *')].filter(node => {
  const place = node.getBoundingClientRect();
  if (!place.width || place.right <= innerWidth + 1) return false;
  for (let up = node; up; up = up.parentElement) {
    if (['auto', 'scroll'].includes(getComputedStyle(up).overflowX)
        && up.getBoundingClientRect().right <= innerWidth + 1) return false;
  }
  return true;
}).map(node => `${node.tagName}.${node.getAttribute('class')}`)"""
ON_EPSILON = """() => {
  const node = document.activeElement;
  return node.matches('[role="slider"], input[type="range"]')
    && /ε/.test(node.ariaLabel || node.ariaLabelledByElements?.[0]?.textContent || '');
}"""
VIOLATIONS = """() => axe.run({resultTypes: ['violations']}).then(found => found.violations
  .filter(({impact}) => impact !== 'minor')
  .map(({id, nodes}) => `${id}: ${nodes[0].target} (${nodes.length})`))"""


def drawn(page, path):
    """Wait until a page shows its component, or its text where it has none."""
    if path in WITH_CHARTS:
        settled(page)
        if path == "/explore":
            page.locator(".dpca .scatterlayer path.js-line").first.wait_for()
        # Streamlit fetches a control's code when it is first drawn, and that may come last.
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    else:
        expect(page.locator(".stMain p:visible").first).to_be_visible()


ROOM_SIZES = ((1920, 1080), (1280, 720))
SCROLLED = """
() => [document.scrollingElement, ...document.querySelectorAll("body, .stApp, .stMain")].some(
  (node) => node.scrollHeight > node.clientHeight + 1
    && getComputedStyle(node).overflowY !== "hidden" && node.scrollTop >= 0)
"""
PRESENTED = "body.dpca-present"


@pytest.mark.parametrize("path", [f"/{name}" for group in PAGES.values() for name in group])
def test_page(open_page, path):
    requested = list[str]()
    page = open_page(
        path + QUICK.get(path, ""),
        size=PHONE,
        listen=lambda p: p.on("request", lambda r: requested.append(r.url)),
    )
    drawn(page, path)
    product_is_named(page)
    host = page.url.split("/")[2]
    is_read_aloud(page)
    for width in WIDTHS:
        resize(page, (width, 900))
        assert scroll_width(page) <= width
        assert page.evaluate(OUTSIDE) == [], width
    resize(page, WIDE)
    if path in WITH_CHARTS:
        epsilon_is_near_for_the_keyboard(page)
    if page.locator(".dpca:not(.dpca-room)").count():
        settled(page)
        pdf = SavedPdf(page)
        assert pdf.headings
        assert pdf.without([*pdf.headings, ADDRESS]) == []
    on_paper(page, path)
    if path in WITH_CHARTS:
        a_room_sees_one_screen(page, path)
    foreign = [url for url in requested if not url.startswith(("data:", "blob:"))]
    assert [url for url in foreign if url.split("/")[2] != host] == []


def is_read_aloud(page):
    """Check with axe, in both schemes, that readers of screens can say what is there."""
    page.evaluate(AXE)
    for scheme in SCHEMES:
        switch_scheme(page, scheme)
        assert page.evaluate(VIOLATIONS) == [], scheme


def scroll_width(page):
    found: int = page.evaluate("document.documentElement.scrollWidth")
    return found


def product_is_named(page):
    """Check name and help of the product on a phone, then its purpose in a wide window."""
    page.wait_for_function(
        "document.querySelector('[data-testid=stMainBlockContainer]')?.innerText.trim()"
    )
    assert scroll_width(page) <= PHONE[0]
    expect(page.locator(".st-key-product")).to_contain_text(PRODUCT_NAME)
    tools = page.locator(".st-key-tools")
    expect(tools.get_by_role("button", name=HELP_LABEL)).to_be_in_viewport()
    resize(page, WIDE)
    expect(page.get_by_text(PURPOSE, exact=True)).to_be_in_viewport()


def epsilon_is_near_for_the_keyboard(page):
    """Check that a few steps from the start of a page lead to ε."""
    for _ in range(TAB_STOPS):
        page.keyboard.press("Tab")
        if page.locator(".dpca-skip:focus").count():
            page.keyboard.press("Enter")
        if page.evaluate(ON_EPSILON):
            return
    pytest.fail(f"{TAB_STOPS} steps do not lead to ε")


def on_paper(page, path):
    """Check that a page in print is as wide as paper, whole, and says its address."""
    page.emulate_media(media="print")
    scrolling = page.evaluate("getComputedStyle(document.querySelector('.stMain')).overflowY")
    assert scrolling == "visible"
    if path not in WITH_CHARTS:
        return
    root = page.locator(".dpca:not(.dpca-room)").first
    page.wait_for_function("document.querySelector('.dpca').classList.contains('dpca-print')")
    widths = page.locator(".js-plotly-plot").evaluate_all("all => all.map(one => one.clientWidth)")
    assert widths
    assert max(widths) <= PAPER
    undrawn = page.locator(
        ":is(.dpca-chart:not(section), .dpca-lower figure, .drawn .dpca-frame) "
        "> div:not(.js-plotly-plot, .dpca-over)"
    )
    assert undrawn.count() == 0
    address = root.evaluate("one => getComputedStyle(one, '::after').content")
    assert path in address or path == "/explore"
    assert page.url.partition("?")[2].partition("&")[0] in address


def presented(page):
    """Wait until a room sees the page, and what it sees is drawn."""
    expect(page.locator(PRESENTED)).to_be_attached()
    page.wait_for_selector('.dpca-room [data-part="keys"] table', state="attached")
    page.wait_for_selector('.dpca[data-ready="true"]', state="attached")
    page.evaluate(FRAMES)


def press_and_find(page, key, **settings):
    """Press a key, and wait until the address says what it has changed."""
    page.keyboard.press(key)
    page.wait_for_function(
        "all => Object.entries(all).every(([name, value]) => "
        "new URLSearchParams(location.search).get(name) === value)",
        arg=settings,
    )


def a_room_sees_one_screen(page, path):
    page.emulate_media(media="screen")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("p")
    for size in ROOM_SIZES:
        resize(page, size)
        for scheme in SCHEMES:
            switch_scheme(page, scheme)
            presented(page)
            assert not page.evaluate(SCROLLED), (size, scheme)
    if page.locator(".dpca-page:visible").count():
        a_room_turns_the_pages_charts(page)
    page.keyboard.press("Escape")
    # The server knows it too, whose answer comes with an address of its own.
    page.wait_for_function("!new URLSearchParams(location.search).has('present')")
    expect(page.locator(PRESENTED)).not_to_be_attached()


def a_room_turns_the_pages_charts(page):
    """Check that the page keys lead from chart to chart, and that what has a figure is drawn."""
    shown = page.locator(".dpca-chart.dpca-shown")
    charts = page.locator("section.dpca-chart").count()
    for key in (*["PageDown"] * (charts - 1), "PageUp"):
        before = shown.get_attribute("data-key")
        page.keyboard.press(key)
        expect(shown).not_to_have_attribute("data-key", str(before))
        if shown.locator(".drawn .dpca-frame").count():
            expect(shown.locator(".js-plotly-plot")).to_be_visible()
    assert page.evaluate(VIOLATIONS) == []
