"""The Explore page driven as a person would: by mouse, by keyboard, on a phone."""

import csv
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Download, Page, expect

from tests.browser.conftest import MEASURED, PHONE, OpenPage, at_rest, go_to, settled
from ui.page.files import NOT_PRIVATE

ANSWER = ".dpca-answer"
ROOT = ".dpca-page"
HANDLE = f"{ROOT} [role=slider]"
KEPT = "[data-key=variation-kept]"
REACTS = "performance.getEntriesByName('dpca-react').length"


def query(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def complete(page: Page) -> None:
    expect(page.locator(ROOT)).to_have_attribute("data-complete", "true", timeout=MEASURED)


def rows_of(download: Download, folder: Path) -> list[list[str]]:
    path = folder / download.suggested_filename
    download.save_as(path)
    assert path.read_text("utf-8").startswith(f"# {NOT_PRIVATE}\n")
    lines = [x for x in path.read_text("utf-8").splitlines() if not x.startswith("#")]
    return list(csv.reader(lines))


def test_explore_is_read_and_set_by_hand(open_page: OpenPage) -> None:
    """One page for all of it: opening it and waiting until it is complete takes longest."""
    sent: list[str | bytes] = []

    def listen(page: Page) -> None:
        page.on("websocket", lambda socket: socket.on("framesent", lambda x: sent.append(x)))

    page = open_page("/?data=wine", listen=listen)
    settled(page)
    complete(page)
    a_curve_tells_its_value_under_the_pointer(page)
    dragging_redraws_without_the_server(page, sent)
    what_is_read_on_demand_stands_below(page)
    sliders_change_the_picture_and_the_link(page)
    the_rule_answers_the_keyboard(page)
    a_row_or_a_name_chooses_the_mechanism(page)
    go_to(page, "Proofs")
    page.wait_for_url("**/proofs*")
    go_to(page, "Explore")
    settled(page)
    chosen = query(page)
    assert chosen | {"k": "3", "epsilon": "0.001", "mechanism": "laplace"} == chosen


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
    page.wait_for_function("new URLSearchParams(location.search).get('epsilon') !== '0.1'")
    expect(page.locator(HANDLE)).to_have_text(f"ε = {query(page)['epsilon']}")
    assert len(sent) > before


def what_is_read_on_demand_stands_below(page: Page) -> None:
    page.get_by_text("What a release looks like").click()
    below = page.locator('[data-testid="stPlotlyChart"]')
    expect(below).to_have_count(3)
    page.get_by_text("What else could reveal private data").click()
    expect(below).to_have_count(0)
    expect(page.get_by_text("You decide")).to_be_visible()


def sliders_change_the_picture_and_the_link(page: Page) -> None:
    title = page.locator('[data-key="spectrum"] h2')
    before = title.inner_text()
    page.locator(".st-key-k input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    expect(title).not_to_have_text(before)
    page.locator(".st-key-delta input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("new URLSearchParams(location.search).get('delta') === '3e-06'")
    assert query(page)["k"] == "3"


def the_rule_answers_the_keyboard(page: Page) -> None:
    handle = page.locator(HANDLE)
    handle.focus()
    for key, epsilon in (
        ("Home", "0.001"),
        ("PageUp", "0.01"),
        ("ArrowRight", "0.015"),
        ("ArrowLeft", "0.01"),
        ("Home", "0.001"),
    ):
        page.keyboard.press(key)
        expect(handle).to_have_attribute("aria-valuetext", f"ε = {epsilon}")
    page.wait_for_function("new URLSearchParams(location.search).get('epsilon') === '0.001'")


def a_row_or_a_name_chooses_the_mechanism(page: Page) -> None:
    page.locator(".dpca-row", has_text="Wishart difference").click()
    page.wait_for_function(
        "new URLSearchParams(location.search).get('mechanism') === 'wishart_difference'"
    )
    settled(page)
    page.locator(".dpca-row", has_text=re.compile("^Laplace")).click()
    page.wait_for_function("new URLSearchParams(location.search).get('mechanism') === 'laplace'")


def test_a_link_shows_the_same_screen_whose_numbers_can_be_taken_away(
    open_page: OpenPage, tmp_path: Path
) -> None:
    link = "/?data=wine&mechanism=wishart_difference&epsilon=3&delta=0&k=2&seed=4&target=0.8"
    seen, page = [], open_page(link)
    for again in (True, False):
        settled(page)
        complete(page)
        seen.append(page.locator(ANSWER).inner_text())
        if again:
            page.goto(page.url)
    assert seen[0] == seen[1]
    assert query(page)["seed"] == "4"
    page.locator(KEPT).hover()
    with page.expect_download() as waiting:
        page.get_by_label("Download variation-kept as CSV").click()
    head, *rows = rows_of(waiting.value, tmp_path)
    assert "Wishart difference (median)" in ",".join(head)
    assert len(rows) >= 13


def test_a_phone_has_all_controls_in_one_row_and_no_sideways_scrolling(
    open_page: OpenPage,
) -> None:
    page = open_page("/?k=11", size=PHONE)
    settled(page)
    expect(page.locator(".st-key-controls")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    box = page.locator(HANDLE).bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE[0]
    assert re.search(r"right at most [\d.]+ in 100", page.locator(".dpca-with").inner_text())
