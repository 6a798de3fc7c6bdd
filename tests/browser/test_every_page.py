"""What holds on every page: charts by Plotly, any width, paper, keyboard, readers of screens."""

import re
from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PAGE_PATHS, OpenPage, resize, settled, switch_scheme

WITH_CHARTS = ("/explore", "/compare", "/eigengap", "/sample_size", "/local", "/claims")
WIDTHS = (360, 390, 640, 700, 720, 768, 1024, 1440, 1920, 2560)
"""In pixels; 720 is 1440 at 200 %."""
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
# Figures that cover each other.
OVERLAPPING = """() => {
  const drawn = [...document.querySelectorAll('.js-plotly-plot')];
  const places = drawn.map(one => one.getBoundingClientRect().toJSON());
  return places.flatMap((a, i) => places.slice(0, i).filter(b =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1).map(b => [a, b]));
}"""
SETTINGS = {
    "epsilon": r"ε\s?=\s?0\.1",
    "delta": r"δ\s?=\s?10⁻⁶",
    "k": r"k\s?=\s?\d",
    "neighbours": "one person added or removed|between any two records",
    "size": r"\d (people|columns)",
}
"""What a printed page says, each as a pattern."""
ON_EPSILON = """() => {
  const node = document.activeElement;
  return node.matches('[role="slider"], input[type="range"]')
    && /ε/.test(node.ariaLabel || node.ariaLabelledByElements?.[0]?.textContent || '');
}"""
VIOLATIONS = """() => axe.run().then(found => found.violations
  .filter(({impact}) => impact !== 'minor')
  .map(({id, nodes}) => `${id}: ${nodes[0].target} (${nodes.length})`))"""


def drawn(page: Page, path: str) -> None:
    """Wait until a page shows its component, or its text where it has none."""
    if path in WITH_CHARTS:
        settled(page)
    else:
        expect(page.locator(".stMain p").first).to_be_visible()


@pytest.mark.parametrize("path", PAGE_PATHS)
def test_page(open_page: OpenPage, path: str) -> None:
    requested = list[str]()
    page = open_page(path, listen=lambda p: p.on("request", lambda r: requested.append(r.url)))
    drawn(page, path)
    host = page.url.split("/")[2]
    for scheme in ("light", "dark"):
        switch_scheme(page, scheme)
        page.evaluate(AXE)
        assert page.evaluate(VIOLATIONS) == [], scheme
    for width in WIDTHS:
        resize(page, (width, 900))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(OUTSIDE) == [], width
    on_paper(page, path)
    foreign = [url for url in requested if not url.startswith(("data:", "blob:"))]
    assert [url for url in foreign if url.split("/")[2] != host] == []
    assert page.locator("[data-title*='hare'], [data-title*='loud']").count() == 0


def on_paper(page: Page, path: str) -> None:
    """Check that a page in print is as wide as paper, whole, and says its address."""
    page.emulate_media(media="print")
    scrolling = page.evaluate("getComputedStyle(document.querySelector('.stMain')).overflowY")
    assert scrolling == "visible"
    if path not in WITH_CHARTS:
        return
    root = page.locator(".dpca").first
    page.wait_for_function("document.querySelector('.dpca').classList.contains('dpca-print')")
    widths = page.locator(".js-plotly-plot").evaluate_all("all => all.map(one => one.clientWidth)")
    assert widths
    assert max(widths) <= PAPER
    undrawn = page.locator(".dpca-chart > div:not(.js-plotly-plot)")
    assert undrawn.count() == 0
    assert page.evaluate(OVERLAPPING) == []
    text = page.locator("body").inner_text()
    assert [name for name, said in SETTINGS.items() if not re.search(said, text)] == [], text
    address = root.evaluate("one => getComputedStyle(one, '::after').content")
    assert path in address or path == "/explore"
    assert page.url.partition("?")[2].partition("&")[0] in address


@pytest.mark.parametrize("path", WITH_CHARTS)
def test_epsilon_is_near_for_the_keyboard(open_page: OpenPage, path: str) -> None:
    page = open_page(path)
    drawn(page, path)
    for _ in range(TAB_STOPS):
        page.keyboard.press("Tab")
        if page.locator(".dpca-skip:focus").count():
            page.keyboard.press("Enter")
        if page.evaluate(ON_EPSILON):
            return
    pytest.fail(f"{TAB_STOPS} steps do not lead to ε")


@pytest.mark.parametrize("name", ["Proofs", "Your data"])
def test_no_way_to_epsilon_where_there_is_none(open_page: OpenPage, name: str) -> None:
    page = open_page("/explore")
    settled(page)
    button = page.locator(".dpca-skip")
    expect(button).to_be_visible()
    page.get_by_role("link", name=name).first.click()
    expect(page.locator(".dpca")).to_have_count(0)
    expect(button).to_be_hidden()
