"""The Explore page driven by mouse, as a person would."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import MEASURED, OpenPage, at_rest, settled

ANSWER = ".dpca-answer"
ROOT = ".dpca-page"
HANDLE = f"{ROOT} [role=slider]"
KEPT = "[data-key=variation-kept]"
REACTS = "performance.getEntriesByName('dpca-react').length"


def test_explore_is_read_and_set_by_hand(open_page: OpenPage) -> None:
    """One page for all of it: opening it and waiting until it is complete takes longest."""
    sent: list[str | bytes] = []

    def listen(page: Page) -> None:
        page.on("websocket", lambda socket: socket.on("framesent", lambda x: sent.append(x)))

    page = open_page("/?data=wine", listen=listen)
    settled(page)
    expect(page.locator(ROOT)).to_have_attribute("data-complete", "true", timeout=MEASURED)
    a_curve_tells_its_value_under_the_pointer(page)
    dragging_redraws_without_the_server(page, sent)
    page.locator(".dpca-row", has_text=re.compile("^Laplace")).click()
    page.wait_for_url("**mechanism=laplace**")


def a_curve_tells_its_value_under_the_pointer(page: Page) -> None:
    plot = page.locator(f"{KEPT} .js-plotly-plot")
    x, y = plot.evaluate("""one => {
      const { calcdata, _fullLayout: { xaxis, yaxis } } = one;
      const { x, y } = calcdata.find(([{ trace }]) => trace.meta === "gaussian")[9];
      const { left, top } = one.getBoundingClientRect();
      return [left + xaxis._offset + xaxis.c2p(x), top + yaxis._offset + yaxis.c2p(y)];
    }""")
    page.mouse.move(x, y)
    label = page.locator(f"{KEPT} .js-plotly-plot .hoverlayer")
    expect(label).to_contain_text("% at ε =")


def dragging_redraws_without_the_server(page: Page, sent: list[str | bytes]) -> None:
    """Sentences, dots and the two numbers beside the rule follow it."""
    at_rest(page)
    box = page.locator(HANDLE).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.evaluate("performance.clearMarks('dpca-redraw')")
    page.mouse.move(x, y)
    page.mouse.down()
    before = len(sent)
    answers, dots, beside, drawn = set(), set(), set(), page.evaluate(REACTS)
    for step in range(1, 21):
        page.mouse.move(x + 10 * step, y)
        answers.add(page.locator(ANSWER).inner_text())
        dots.add(page.locator('[data-key="releases"] .dpca-over').inner_html())
        beside.add(page.locator(".dpca-with").inner_text())
    assert len(sent) == before
    assert page.evaluate(REACTS) == drawn
    assert page.evaluate("performance.getEntriesByName('dpca-redraw').length") >= 20
    assert min(len(answers), len(dots), len(beside)) >= 4
    page.mouse.up()
    page.wait_for_url(re.compile(r"[?&]epsilon=(?!0\.1(&|$))"))
    epsilon = parse_qs(urlsplit(page.url).query)["epsilon"][0]
    expect(page.locator(HANDLE)).to_have_text(f"ε = {epsilon}")
    assert len(sent) > before
