"""Explore in a browser: one mechanism by mouse, all of them taken away, one page on a sheet."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from tests.browser.conftest import MEASURED, PHONE, WIDE, at_rest, resize, settled
from tests.browser.saved_pdf import sheets
from tests.browser.test_every_page import scroll_width
from ui.page.files import NOT_PRIVATE

ANSWER = ".dpca-answer"
ROOT = ".dpca-page"
HANDLE = f"{ROOT} [role=slider]"
REACTS = "performance.getEntriesByName('dpca-react').length"


def test_dragging_the_rule_redraws_without_the_server(open_page):
    sent: list[str | bytes] = []

    def listen(page):
        page.on("websocket", lambda socket: socket.on("framesent", lambda x: sent.append(x)))

    page = open_page("/?data=wine", listen=listen)
    settled(page)
    expect(page.locator(ROOT)).to_have_attribute("data-complete", "true", timeout=MEASURED)
    at_rest(page)
    box = page.locator(HANDLE).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    before, answers, drawn = len(sent), set(), page.evaluate(REACTS)
    for step in range(1, 21):
        page.mouse.move(x + 10 * step, y)
        answers.add(page.locator(ANSWER).inner_text())
    assert len(sent) == before
    assert page.evaluate(REACTS) == drawn
    assert len(answers) >= 4
    page.mouse.up()
    page.wait_for_url(re.compile(r"[?&]epsilon=(?!0\.1(&|$))"))
    epsilon = parse_qs(urlsplit(page.url).query)["epsilon"][0]
    expect(page.locator(HANDLE)).to_have_text(f"ε = {epsilon}")
    assert len(sent) > before


def test_mechanisms_are_compared_and_taken_away(open_page, tmp_path):
    page = open_page("/compare?data=wine&k=1&mechanisms=gaussian,laplace&trials=20", stranger=True)
    expect(page.get_by_role("button", name="Numbers (CSV)")).to_be_enabled(timeout=MEASURED)
    at_rest(page)
    page.get_by_role("slider", name="Where the charts are read").press("End")
    expect(page.locator("h1").first).to_contain_text("ε\u00a0=\u00a0100")
    expect(page.locator(f"{ROOT} h2", has_text="Ranking at")).to_contain_text("100")
    page.wait_for_url("**epsilon=100&**")
    row = page.locator(".dpca-row", has_text="Laplace").first
    row.click()
    page.wait_for_url("**mechanism=laplace**")
    expect(row).to_have_attribute("aria-pressed", "true")
    with page.expect_download() as download:
        page.get_by_role("button", name="Page (HTML)", exact=True).click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    it_is_drawn_without_a_network(page.context.browser, path)


def it_is_drawn_without_a_network(browser, path):
    asked, complaints = list[str](), list[str]()
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        expect(page.get_by_text(NOT_PRIVATE, exact=True)).to_be_visible()
        page.locator(".js-plotly-plot .scatterlayer").first.wait_for()
        assert page.locator("table td").count() > 100, "the numbers that it draws"
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def test_a_stakeholder_gets_one_page(open_page, tmp_path):
    """Of RAND at k = 5: five rows of patterns, with the longest words."""
    page = open_page("/summary?data=rand&k=5&epsilon=2", size=PHONE, stranger=True)
    first = page.locator(".op-setting").first
    expect(page.locator(".one-page h1")).to_contain_text("ε\u00a0=\u00a02 all five patterns")
    assert "view=page" in page.url
    tops = "all => all.map(one => one.getBoundingClientRect().top)"
    _, chosen, _ = places = page.locator(".op-setting").evaluate_all(tops)
    assert chosen == min(places), "above the others"
    expect(first.locator(".op-dots")).to_be_hidden()
    page.wait_for_function(f"document.querySelector('.stMain').scrollWidth <= {PHONE[0]}")
    resize(page, WIDE)
    expect(first.locator(".op-dots")).to_be_visible()
    assert sheets(page) == 1
    page.evaluate("window.print = () => { window.asked = true; }")
    page.get_by_role("button", name="Print").click()
    page.wait_for_function("window.asked")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as HTML").first.click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    requested = list[str]()
    page.on("request", lambda request: requested.append(request.url))
    page.context.set_offline(True)
    page.goto(path.as_uri())
    expect(page.locator("h1")).to_contain_text("one of the 5,912 people is in the data")
    assert requested == [path.as_uri()]
    assert sheets(page) == 1
    resize(page, PHONE)
    assert scroll_width(page) <= PHONE[0]
