"""The Compare page in a real browser: lines appear, are read anywhere, and can be taken away."""

import pytest
from playwright.sync_api import Locator, Page, expect

from dpca_core.example_release.csv_file import NOT_PRIVATE
from dpca_core.mechanisms.registry import shown_by_default
from tests.browser.conftest import PHONE, SCHEMES, WIDE, OpenPage, resize, switch_scheme
from ui.compare.text import TITLES
from ui.state.slider_stops import EPSILON_STOPS

READY = '.dpca-compare[data-ready="true"]'
FIGURE = ".dpca-compare .dpca-figure"


def complete(page: Page) -> None:
    page.wait_for_selector('.dpca-compare[data-complete="true"]')


def colours(page: Page) -> list[str]:
    """Colours of the curves, as Plotly has drawn them."""
    return page.locator(f"{FIGURE} .scatterlayer path.js-line").evaluate_all(
        "lines => lines.map((line) => getComputedStyle(line).stroke)"
    )


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


def test_lines_are_drawn(open_page: OpenPage) -> None:
    page = open_page("/compare?data=wine&k=1", size=PHONE, scheme="dark")
    page.wait_for_selector(READY)
    complete(page)
    for size in (PHONE, WIDE):
        resize(page, size)
        seen = []
        for shown in SCHEMES:
            switch_scheme(page, shown)
            page.wait_for_function(
                "([figure, seen]) => String([...document.querySelectorAll(figure)].map((line) =>"
                " getComputedStyle(line).stroke)) !== seen",
                arg=[f"{FIGURE} .scatterlayer path.js-line", str(seen and ",".join(seen[-1]))],
            )
            assert page.locator(f"{FIGURE}.js-plotly-plot").count() == 1
            seen.append(colours(page))
            assert len(seen[-1]) >= 2 * 10
            assert page.locator("button.dpca-row").count() == len(shown_by_default())
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert seen[0] != seen[1]


def test_nothing_is_wider_than_the_window_and_type_grows_with_it(open_page: OpenPage) -> None:
    page = open_page("/compare?data=wine&k=1&mechanisms=laplace,laplace_printed", size=PHONE)
    page.wait_for_selector(READY)
    sizes = {}
    for width in (360, 768, 1024, 1440, 1920, 2560):
        resize(page, (width, 1080))
        wide = page.evaluate(
            "[...document.querySelectorAll('.dpca-compare *')].filter((one) =>"
            " one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.className)"
        )
        assert wide == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
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


def test_a_phone_names_every_number_of_the_ranking(open_page: OpenPage) -> None:
    page = open_page("/compare?data=wine&k=1&mechanisms=laplace&trials=20", size=PHONE)
    complete(page)
    row = page.locator("button.dpca-row").inner_text()
    for name in (
        "variation kept",
        "‖sin Θ‖F",
        "holds",
        "95\u00a0% of releases",
        "noise per entry",
        "ε for 90\u00a0% in 9 of 10",
        "ms per release",
    ):
        assert name in row
    assert page.locator(".dpca-columns").is_hidden()


def test_the_rule_is_dragged_without_the_server(open_page: OpenPage) -> None:
    sent: list[str | bytes] = []

    def listen(page: Page) -> None:
        page.on(
            "websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame))
        )

    page = open_page("/compare?data=wine&k=1&mechanisms=gaussian,laplace&trials=20", listen=listen)
    complete(page)
    page.wait_for_timeout(1500)
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
    slider = page.get_by_role("slider", name="Where the charts are read")
    assert slider.get_attribute("aria-valuetext") == "ε\u00a0=\u00a010"
    numbers = [slider.get_attribute(f"aria-value{name}") for name in ("min", "now", "max")]
    assert numbers == ["0", "24", "30"]
    slider.press("ArrowLeft")
    assert "ε\u00a0=\u00a07" in answer.inner_text()
    slider.press("End")
    expect(answer).to_contain_text("ε\u00a0=\u00a0100")
    page.wait_for_url("**epsilon=100&**")


def test_a_zoom_keeps_rule_and_curves_together(open_page: OpenPage) -> None:
    page = open_page("/compare?data=wine&k=1&epsilon=1&mechanisms=gaussian,laplace&trials=20")
    complete(page)
    rule = page.locator(".dpca-rule")
    for panel in (".xy", ".xy2"):
        plot = page.locator(f"{FIGURE} .draglayer {panel} .nsewdrag").bounding_box()
        assert plot is not None
        page.mouse.move(plot["x"] + 0.4 * plot["width"], plot["y"] + 10)
        page.mouse.down()
        page.mouse.move(plot["x"] + 0.9 * plot["width"], plot["y"] + plot["height"] - 10, steps=6)
        page.mouse.up()
        page.wait_for_function(
            f"document.querySelector('{FIGURE}').layout.xaxis.range[0] > -2.5",
        )
        page.wait_for_timeout(300)
        assert middle(rule)[0] == pytest.approx(place_of(page, 18), abs=1)
        page.get_by_role("button", name="All values").click()  # painted again, still zoomed
        assert page.evaluate(f"document.querySelector('{FIGURE}').layout.xaxis.range[0]") > -2.5
        page.mouse.dblclick(plot["x"] + 40, plot["y"] + plot["height"] / 2)
        page.wait_for_function(f"document.querySelector('{FIGURE}').layout.xaxis.range[0] === -3")
        assert middle(rule)[0] == pytest.approx(place_of(page, 18), abs=1)


def test_the_chart_is_read_and_taken_away(open_page: OpenPage) -> None:
    """One page for all of it: opening it takes longest."""
    page = open_page("/compare?data=wine&k=1&mechanisms=gaussian,laplace&trials=20")
    complete(page)
    all_values_are_shown_on_request(page)
    a_row_or_a_name_lights_its_line(page)
    a_click_in_the_chart_reads_it_there(page)
    the_page_can_be_downloaded(page)
    for chart in TITLES.values():
        a_chart_can_be_downloaded(page, chart)
    files_that_are_asked_for_at_once_all_arrive(page)


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


def the_page_can_be_downloaded(page: Page) -> None:
    for button, start in (
        ("Numbers (CSV)", f"# {NOT_PRIVATE}\nmechanism,epsilon"),
        ("Python script", f'# {NOT_PRIVATE}\n"""'),
        ("Page (HTML)", f"<!-- {NOT_PRIVATE} -->\n<!doctype"),
    ):
        expect(page.get_by_role("button", name=button)).to_be_enabled(timeout=10_000)
        with page.expect_download() as download:
            page.get_by_role("button", name=button).click()
        text = download.value.path().read_text("utf-8")
        assert text.startswith(start)
    assert page.get_by_role("button", name="Numbers (CSV)").is_enabled()


def a_chart_can_be_downloaded(page: Page, chart: str) -> None:
    page.locator(FIGURE).hover()
    starts = {
        "CSV": b"# Not private",
        "SVG": b"<svg",
        "PNG": b"\x89PNG",
        "HTML": b"<!-- Not private",
    }
    for kind, start in starts.items():
        with page.expect_download() as download:
            page.get_by_label(f"Download {chart} as {kind}").click()
        assert download.value.path().read_bytes().startswith(start)


def files_that_are_asked_for_at_once_all_arrive(page: Page) -> None:
    """Each once, though answers may overtake each other; the address stays as it was."""
    names, entries = list[str](), page.evaluate("[history.length, location.href]")
    page.on("download", lambda download: names.append(download.suggested_filename))
    page.evaluate(
        "for (const one of document.querySelectorAll('.dpca-compare [data-format]')) one.click()"
    )
    page.wait_for_timeout(3000)
    assert len(names) == len(set(names)) == 8
    assert page.evaluate("[history.length, location.href]") == entries


def test_measuring_can_be_stopped(open_page: OpenPage) -> None:
    page = open_page("/compare?data=digits&k=4&trials=200")
    page.wait_for_selector(READY)
    expect(page.locator(".dpca-moving")).to_contain_text("may still change")
    expect(page.get_by_role("progressbar", name="Measured so far")).to_be_visible()
    page.get_by_role("button", name="Stop", exact=True).last.click()
    stages = [""]
    while stages[-1] not in stages[:-1]:  # what was asked for before the click may still arrive
        assert len(stages) < 8
        page.wait_for_timeout(2000)
        stages.append(page.locator(".dpca-compare").get_attribute("data-stage") or "")
    stage = stages[-1]
    page.get_by_role("button", name="Resume").click()
    page.wait_for_function(
        "stage => document.querySelector('.dpca-compare').dataset.stage !== stage", arg=stage
    )
