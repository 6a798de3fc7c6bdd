"""Present on pages whose charts have no handle: a list, an axis of ε, and what stays."""

from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_present import presented, press_and_find

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
VIOLATIONS = """() => axe.run('.dpca-room, .dpca:not(.dpca-room), .claims', {
  resultTypes: ['violations'], rules: {region: {enabled: false}},
}).then(found => found.violations.filter(({impact}) => impact !== 'minor')
  .map(({id, nodes}) => `${id}: ${nodes[0].target} (${nodes.length})`))"""
CHIP, ROW = ".dpca-scene-chip", ".dpca-scene-row"
ON_THE_AXIS = """
([key, epsilon]) => {
  const figure = document.querySelector(`.dpca-sheet-${key} [data-part="figure"]`);
  const { left, top, height } = figure.getBoundingClientRect();
  const { margin, xaxis } = figure.layout;
  const chip = document.querySelector(".dpca-scene-chip").getBoundingClientRect();
  const [low, high] = xaxis.range;
  const width = figure.layout.width - margin.l - margin.r;
  const x = left + margin.l + ((Math.log10(epsilon) - low) / (high - low)) * width;
  return Math.abs(chip.left + chip.width / 2 - x) < 2
    && Math.abs(chip.top + chip.height / 2 - (top + height - margin.b)) < 3;
}
"""
OUTSIDE = """
() => [...document.querySelectorAll(".dpca-row[data-room] *, .dpca-standing *")].filter(
  (node) => node.checkVisibility() && node.getBoundingClientRect().right > innerWidth
).map((node) => node.textContent)
"""
SCENES = {
    "eigengap": ("theme=dark", 6, "", {"k": "3"}),
    "sample_size": ("theme=light", 6, "people-epsilon", {}),
    "local": ("theme=dark", 6, "local-epsilon", {}),
    "claims": ("theme=dark", 2, "", {}),
}
"""Settings, rows of the list, the chart of ε, and what the third row sets."""


@pytest.mark.parametrize("name", SCENES)
def test_a_page_without_a_handle_has_a_list_and_one(open_page: OpenPage, name: str) -> None:
    asked, rows, chart, third = SCENES[name]
    page = open_page(f"/{name}?present=1&{asked}", size=(1280, 720))
    presented(page)
    expect(page.locator(ROW)).to_have_count(rows)
    expect(page.locator(CHIP)).to_have_text("ε = 0.1")
    if chart:
        page.wait_for_function(ON_THE_AXIS, arg=[chart, 0.1])
    press_and_find(page, "ArrowRight", epsilon="0.2" if chart else "0.15", **theme(asked))
    if third:
        press_and_find(page, "3", **third)
    else:
        page.keyboard.press("2")
        expect(page.locator(ROW).nth(1)).to_have_attribute("aria-pressed", "true")
    page.evaluate(AXE)
    assert page.evaluate(VIOLATIONS) == []


def theme(asked: str) -> dict[str, str]:
    return {"theme": asked.partition("=")[2]}


def background(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor"))


def test_a_room_is_as_its_address_says_and_keeps_what_somebody_chose(open_page: OpenPage) -> None:
    """What is refuted or not certified stays on the screen; what is proved needs no badge."""
    page = open_page("/?present=1&theme=dark&mechanism=wishart_sn", size=(1280, 720))
    presented(page)
    assert background(page) == "rgb(14, 16, 19)"
    expect(page.locator(".dpca-explore .dpca-is-refuted")).to_be_visible()
    assert page.evaluate(OUTSIDE) == []
    page.evaluate(AXE)
    assert page.evaluate(VIOLATIONS) == []
    press_and_find(page, "d", theme="light")
    assert background(page) == "rgb(255, 255, 255)"
    page.locator('.dpca-row[data-value="gaussian"]').click()
    page.wait_for_function("location.search.includes('mechanism=gaussian')")
    expect(page.locator(".dpca-explore .dpca-standing")).to_be_hidden()
