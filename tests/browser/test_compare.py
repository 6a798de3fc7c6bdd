"""The Compare page in a real browser: its lines are read anywhere, and can be taken away."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import MEASURED, PHONE, WIDE, OpenPage, at_rest, resize
from tests.browser.test_every_page import scroll_width
from ui.compare.text import TITLES
from ui.figures.downloads import NOT_PRIVATE
from ui.state.slider_stops import EPSILON_STOPS

FIGURE = ".dpca-compare .dpca-figure"
STOP = 18
"""Of ε, in the middle of the axis."""


def complete(page: Page) -> None:
    page.wait_for_selector('.dpca-compare[data-complete="true"]', timeout=MEASURED)


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def place_of(page: Page, index: int) -> float:
    """Where a stop of ε is drawn, in pixels of the window."""
    return float(
        page.evaluate(
            """([figure, epsilon]) => {
              const node = document.querySelector(figure);
              const { l, r } = node.layout.margin;
              const [low, high] = node.layout.xaxis.range;
              const share = (Math.log10(epsilon) - low) / (high - low);
              return node.getBoundingClientRect().left + l + share * (node.clientWidth - l - r);
            }""",
            [FIGURE, EPSILON_STOPS[index]],
        )
    )


def test_a_comparison_is_read_and_taken_away(open_page: OpenPage, tmp_path: Path) -> None:
    """One page for all of it: opening it takes longest."""
    sent: list[str | bytes] = []

    def listen(page: Page) -> None:
        page.on("websocket", lambda socket: socket.on("framesent", lambda x: sent.append(x)))

    page = open_page("/compare?data=wine&k=1&mechanisms=gaussian,laplace&trials=20", listen=listen)
    complete(page)
    at_rest(page)
    the_rule_is_dragged_without_the_server(page, sent)
    the_rule_answers_keys(page)
    for panel in (".xy", ".xy2"):
        a_zoom_keeps_rule_and_curves_together(page, panel)
    page.get_by_role("slider", name="Where the charts are read").press("Home")
    all_values_are_shown_on_request(page)
    a_row_or_a_name_lights_its_line(page)
    a_click_in_the_chart_reads_it_there(page)
    page_and_charts_can_be_downloaded(page)
    the_page_in_one_file_draws_without_a_network(page, tmp_path)
    files_that_are_asked_for_at_once_all_arrive(page)
    type_grows_with_the_window_and_a_phone_names_every_number(page)


def the_rule_is_dragged_without_the_server(page: Page, sent: list[str | bytes]) -> None:
    answer, rule = page.locator(".dpca-compare .dpca-answer"), page.locator(".dpca-rule")
    assert "ε\u00a0=\u00a00.1" in answer.inner_text()
    _, y = middle(rule)
    page.mouse.move(place_of(page, 12), y)
    page.mouse.down()
    before, answers = len(sent), set()
    for index in range(13, 25):
        page.mouse.move(place_of(page, index), y)
        assert middle(rule)[0] == pytest.approx(place_of(page, index), abs=1)
        answers.add(answer.inner_text())
    assert len(sent) == before
    assert len(answers) == 12
    page.mouse.up()
    page.wait_for_url("**epsilon=10&**")


def the_rule_answers_keys(page: Page) -> None:
    answer = page.locator(".dpca-compare .dpca-answer")
    slider = page.get_by_role("slider", name="Where the charts are read")
    assert slider.get_attribute("aria-valuetext") == "ε\u00a0=\u00a010"
    numbers = [slider.get_attribute(f"aria-value{name}") for name in ("min", "now", "max")]
    assert numbers == ["0", "24", "30"]
    slider.press("ArrowLeft")
    assert "ε\u00a0=\u00a07" in answer.inner_text()
    slider.press("End")
    expect(answer).to_contain_text("ε\u00a0=\u00a0100")
    page.wait_for_url("**epsilon=100&**")
    for _ in range(2):
        slider.press("PageDown")
    expect(slider).to_have_attribute("aria-valuenow", str(STOP))


def a_zoom_keeps_rule_and_curves_together(page: Page, panel: str) -> None:
    rule, low = page.locator(".dpca-rule"), f"document.querySelector('{FIGURE}').layout.xaxis.range"

    def together() -> None:
        expect(rule).to_be_visible()
        at_rest(page)
        assert middle(rule)[0] == pytest.approx(place_of(page, STOP), abs=1)

    plot = page.locator(f"{FIGURE} .draglayer {panel} .nsewdrag").bounding_box()
    assert plot is not None
    page.mouse.move(plot["x"] + 0.3 * plot["width"], plot["y"] + 10)
    page.mouse.down()
    page.mouse.move(plot["x"] + 0.9 * plot["width"], plot["y"] + plot["height"] - 10, steps=6)
    page.mouse.up()
    page.wait_for_function(f"{low}[0] > -2.5")
    together()
    page.get_by_role("button", name="All values").click()  # painted again, still zoomed
    assert page.evaluate(f"{low}[0]") > -2.5
    page.get_by_role("button", name="All values").click()
    page.mouse.dblclick(plot["x"] + 40, plot["y"] + plot["height"] / 2)
    page.wait_for_function(f"{low}[0] === -3")
    together()


def all_values_are_shown_on_request(page: Page) -> None:
    button = page.get_by_role("button", name="All values at the pointer")
    for mode, pressed in (("closest", "false"), ("x unified", "true"), ("closest", "false")):
        expect(button).to_have_attribute("aria-pressed", pressed)
        assert page.evaluate(f"document.querySelector('{FIGURE}').layout.hovermode") == mode
        if mode == "x unified":
            plot = page.locator(f"{FIGURE} .draglayer .xy .nsewdrag").bounding_box()
            assert plot is not None
            page.mouse.move(place_of(page, 20), plot["y"] + plot["height"] / 2)
            expect(page.locator(".hoverlayer")).to_contain_text("Laplace, ε = 2")
            expect(page.locator(".hoverlayer")).to_contain_text("Gaussian, ε = 2")
        button.click()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")


def a_row_or_a_name_lights_its_line(page: Page) -> None:
    bands = page.locator(f"{FIGURE} .xy .scatterlayer path.js-fill")
    expect(bands).to_have_count(3)
    row = page.locator('button.dpca-row[data-key="laplace"]')
    row.focus()
    page.keyboard.press("Enter")
    expect(row).to_have_attribute("aria-pressed", "true")
    expect(row).to_be_focused()
    bold = page.locator(f'{FIGURE} .annotation-text:has-text("Laplace") tspan[style*="bold"]')
    expect(bold.first).to_be_attached()
    row.click()
    expect(bands).to_have_count(0)
    page.locator(f"{FIGURE} .annotation", has_text="Gaussian").first.click()
    expect(page.locator('button.dpca-row[data-key="gaussian"]')).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(bands).to_have_count(3)


def a_click_in_the_chart_reads_it_there(page: Page) -> None:
    plot = page.locator(f"{FIGURE} .draglayer .xy .nsewdrag").bounding_box()
    assert plot is not None
    page.mouse.click(place_of(page, 27), plot["y"] + plot["height"] / 2)
    expect(page.locator(".dpca-compare .dpca-answer")).to_contain_text("ε\u00a0=\u00a030")


def page_and_charts_can_be_downloaded(page: Page) -> None:
    chart = next(iter(TITLES.values()))
    page.locator(FIGURE).hover()
    for name, start in (
        ("Numbers (CSV)", f"# {NOT_PRIVATE}\nmechanism,epsilon"),
        ("Python script", f'# {NOT_PRIVATE}\n"""'),
        (f"Download {chart} as CSV", "# Not private"),
        (f"Download {chart} as SVG", "<svg"),
        (f"Download {chart} as PNG", "\x89PNG"),
        (f"Download {chart} as HTML", "<!-- Not private"),
    ):
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).click()
        assert download.value.path().read_bytes().decode("latin-1").startswith(start)


def the_page_in_one_file_draws_without_a_network(page: Page, folder: Path) -> None:
    """Its tables hold what is drawn, and nothing in it leads out."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Page (HTML)", exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    asked, complaints = list[str](), list[str]()
    browser = page.context.browser
    assert browser is not None
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        expect(page.get_by_text(NOT_PRIVATE, exact=True)).to_be_visible()
        page.locator(".js-plotly-plot .scatterlayer").first.wait_for()
        drawn = page.evaluate(
            "document.querySelector('.js-plotly-plot').data.filter(t => t.meta === 'gaussian')"
            ".map(t => [...t.y])"
        )
        _, *tables = page.locator("table").all()
        for table, medians in zip(tables, drawn, strict=True):
            cells = table.locator("tr td:nth-child(2)").all_inner_texts()
            assert [float(cell) for cell in cells] == pytest.approx(medians, rel=1e-3)
        for width in (360, 1440):
            resize(page, (width, 800))
            assert scroll_width(page) <= width
        assert page.locator("[data-title*=hare], [data-title*=loud], a[href^=http]").count() == 0
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def files_that_are_asked_for_at_once_all_arrive(page: Page) -> None:
    """Each once, though answers may overtake each other; the address stays as it was."""
    names, entries = list[str](), page.evaluate("[history.length, location.href]")
    page.on("download", lambda download: names.append(download.suggested_filename))
    with page.expect_event("download", lambda _: len(set(names)) == 8):
        page.evaluate(
            "for (const one of document.querySelectorAll('.dpca-compare [data-format]'))"
            " one.click()"
        )
    at_rest(page)
    assert len(names) == 8
    assert page.evaluate("[history.length, location.href]") == entries


def type_grows_with_the_window_and_a_phone_names_every_number(page: Page) -> None:
    sizes = {}
    for width in (1440, 1920):
        resize(page, (width, 1080))
        sizes[width] = page.evaluate(
            "[parseFloat(getComputedStyle(document.querySelector('.dpca-row')).fontSize),"
            f" document.querySelector('{FIGURE}').layout.font.size]"
        )
    assert sizes[1920][0] > 1.15 * sizes[1440][0]
    assert sizes[1920][1] == 15
    # Along k the row of controls is longest.
    resize(page, WIDE)
    page.get_by_role("radio", name="k", exact=True).click()
    page.wait_for_url("**axis=k**")
    places = [page.get_by_role("button", name=n, exact=True) for n in ("Mechanisms", "Reset")]
    assert middle(places[0])[1] == middle(places[1])[1]
    resize(page, PHONE)
    row = page.locator("button.dpca-row").first
    for name in ("variation kept", "‖sin Θ‖F", "holds", "noise per entry", "ms per release"):
        expect(row).to_contain_text(name)
    expect(page.locator(".dpca-columns")).to_be_hidden()
