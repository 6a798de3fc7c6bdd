"""The Claims page in a real browser: a refutation published again, an attack stopped and ended."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, WIDE, OpenPage, resize

ANSWER = ".claims .answer"


def verdict(page: Page) -> str:
    page.wait_for_selector(".strip")
    return page.locator(ANSWER).last.inner_text()


def test_a_hundred_matrices_are_published_again(open_page: OpenPage) -> None:
    page = open_page("/claims?epsilon=1", size=PHONE)
    a_phone_shows_what_is_claimed_and_leads_to_each_section(page)
    for size in (PHONE, WIDE):
        resize(page, size)
        expect(page.locator(".cell")).to_have_count(100)
        before = page.locator(".ellipses").inner_html()
        page.get_by_role("button", name="Publish 100 again").click()
        page.wait_for_function(
            "before => document.querySelector('.ellipses').innerHTML !== before", arg=before
        )
        assert 40 <= page.locator(".cell.proof").count() <= 85
    page.get_by_text("in the data", exact=True).click()
    expect(page.locator(".cell.proof")).to_have_count(0)


def a_phone_shows_what_is_claimed_and_leads_to_each_section(page: Page) -> None:
    row = page.locator(".claims .row", has_text="SULQ, printed").first
    expect(row).to_contain_text("claims ε")
    expect(row.get_by_text("claims")).to_be_visible()
    expect(page.locator("h2#attack")).not_to_be_in_viewport()
    page.get_by_role("link", name="An attack").click()
    expect(page.locator("h2#attack")).to_be_in_viewport()


def test_what_a_guarantee_means_is_drawn(open_page: OpenPage) -> None:
    page = open_page("/claims?mechanism=laplace", size=PHONE)
    for size in (PHONE, WIDE):
        resize(page, size)
        for key in ("roc", "belief"):
            chart = page.locator(f".dpca-sheet-{key}")
            chart.scroll_into_view_if_needed()
            expect(chart.locator(".js-plotly-plot .scatterlayer .trace")).to_have_count(
                4 - (key == "roc")
            )
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_audit_convicts_one_wishart(open_page: OpenPage) -> None:
    page = open_page("/claims?mechanism=wishart_sn&epsilon=1&n=60000")
    page.get_by_role("button", name="Attack", exact=True).click()
    assert re.search(
        r"Claim disproved: Wishart SN.* at least ε\s=\s\d", verdict(page).replace("\n", " ")
    )


def test_an_attack_can_be_stopped_and_keeps_what_it_has(open_page: OpenPage) -> None:
    page = open_page("/claims?mechanism=power&epsilon=1&n=60000")
    page.get_by_text("100,000", exact=True).click()
    page.get_by_role("button", name="Attack", exact=True).click()
    page.wait_for_function("document.querySelector('[data-testid=stProgress]')")
    page.get_by_role("button", name="Stop").click()
    assert "Power method" in page.locator("h2#attack").inner_text()
    page.wait_for_selector(".strip")
    assert "Stopped after" in page.locator(".claims .under").last.inner_text()
