"""The Sample size page in a real browser: it is measured, can be stopped, and taken away."""

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, READY, SCHEMES, WIDE, OpenPage, resize, switch_scheme

COMPLETE = '.dpca-sheets[data-complete="true"]'
FEW = "/sample_size?epsilon=1&d=10&mechanisms=gaussian,ppca,wishart_jiang,smooth_gaussian_printed"
PAPER = 718
TWO = "/sample_size?epsilon=1&d=10&mechanisms=gaussian,ppca"


def test_rows_are_measured(open_page: OpenPage) -> None:
    page = open_page(FEW, size=PHONE, scheme="dark")
    page.wait_for_selector(COMPLETE)
    rows = page.locator(".dpca-sheet-people")
    for size in (PHONE, WIDE):
        resize(page, size)
        for shown in SCHEMES:
            switch_scheme(page, shown)
            page.wait_for_selector(COMPLETE)
            rows.scroll_into_view_if_needed()
            expect(rows.locator(".js-plotly-plot .errorbar")).to_have_count(4)
            assert "needs about" in page.locator(".dpca-answer").inner_text()
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_row_lights_its_lines_and_its_numbers_can_be_taken_away(open_page: OpenPage) -> None:
    page = open_page(TWO)
    page.wait_for_selector(COMPLETE)
    with page.expect_download() as download:
        page.locator(".dpca-sheet-people").get_by_text("CSV").click()
    text = download.value.path().read_text("utf-8")
    assert "Gaussian,,measured," in text
    assert 'PPCA,,"enough: Thm' in text
    widths = """() => Object.fromEntries(document.querySelector(
      '.dpca-sheet-people-epsilon .js-plotly-plot').data.map(t => [t.name, t.line.width]))"""
    page.locator(".dpca-sheet-people-epsilon").scroll_into_view_if_needed()
    page.wait_for_selector(".dpca-sheet-people-epsilon .main-svg")
    before = page.evaluate(widths)
    assert before["Gaussian"] > before["PPCA"]
    name = page.locator(".dpca-sheet-people text", has_text="PPCA").first
    name.scroll_into_view_if_needed()
    box = name.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 4, box["y"] + 4)
    page.locator(".dpca-sheet-people-epsilon").scroll_into_view_if_needed()
    page.wait_for_function(f"() => {{ const now = ({widths})(); return now.PPCA > now.Gaussian; }}")


def test_a_name_below_a_chart_sets_its_line_apart(open_page: OpenPage) -> None:
    """Nothing is faint before a name is chosen, and nothing after it was chosen again."""
    page = open_page(FEW)
    page.wait_for_selector(COMPLETE)
    chart = page.locator(".dpca-sheet-people-epsilon")
    chart.scroll_into_view_if_needed()
    faint = """() => document.querySelector('.dpca-sheet-people-epsilon .js-plotly-plot').data
      .filter(t => t.opacity < 1).map(t => t.name)"""
    key = chart.locator(".annotation text", has_text="PPCA’s Theorem 7")
    page.wait_for_timeout(300)
    assert page.evaluate(faint) == []
    box = key.bounding_box()
    assert box is not None
    place = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(*place)
    page.wait_for_function(f"() => ({faint})().length > 1")
    assert "PPCA’s Theorem 7" not in page.evaluate(faint)
    page.mouse.click(*place)
    page.wait_for_function(f"() => ({faint})().length === 0")


def test_measuring_can_be_stopped(open_page: OpenPage) -> None:
    page = open_page("/sample_size?d=200")
    page.get_by_role("button", name="Stop", exact=True).last.click()
    page.wait_for_timeout(1500)
    sheets = page.locator(".dpca-sheets")
    stage = sheets.get_attribute("data-stage")
    page.wait_for_timeout(1000)
    assert sheets.get_attribute("data-stage") == stage
    page.get_by_role("button", name="Resume").click()
    page.wait_for_function(
        "stage => document.querySelector('.dpca-sheets').dataset.stage !== stage", arg=stage
    )


def test_what_is_mounted_while_a_page_is_printed_is_as_wide_as_paper(open_page: OpenPage) -> None:
    """A measurement that ends meanwhile may put a new component in the old one's place."""
    page = open_page(FEW)
    page.wait_for_selector(READY)
    page.emulate_media(media="print")
    page.reload()
    page.wait_for_selector(READY, state="attached")
    widths = page.locator(".js-plotly-plot").evaluate_all("all => all.map(one => one.clientWidth)")
    assert widths
    assert max(widths) <= PAPER
