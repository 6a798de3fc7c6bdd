"""Claims and Sample size in a browser: what is measured, stopped, lit and taken away."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import MEASURED, PHONE, OpenPage, at_rest, settled

COMPLETE = '.dpca-page[data-complete="true"]'
FEW = "/sample_size?epsilon=1&d=10&mechanisms=gaussian,ppca,wishart_jiang,smooth_gaussian_printed"
WIDTHS = """() => Object.fromEntries(
  [...document.querySelector('[data-key="people-epsilon"] .js-plotly-plot').data]
    .map((line) => [line.name, line.line?.width]))"""


def test_claims_are_published_again_drawn_and_attacked(open_page: OpenPage) -> None:
    page = open_page("/claims?mechanism=wishart_sn&epsilon=1&n=60000", size=PHONE)
    expect(page.locator("tr", has_text="SULQ, printed").first).to_contain_text("claims ε")
    cells, proofs = page.locator(".dpca-absence svg"), page.locator(".dpca-proof")
    expect(cells).to_have_count(100)
    before = page.locator(".dpca-absence").inner_html()
    page.get_by_role("button", name="Publish 100 again").click()
    page.wait_for_function(
        "before => document.querySelector('.dpca-absence').innerHTML !== before", arg=before
    )
    assert 40 <= proofs.count() <= 85
    page.get_by_text("The record is in the data", exact=True).click()
    expect(proofs).to_have_count(0)
    page.get_by_role("button", name="Attack Wishart SN").click()
    page.get_by_role("button", name="Attack", exact=True).click()
    verdict = page.locator('[data-key="audit"] h2')
    expect(verdict).to_contain_text(
        re.compile(r"Claim disproved: Wishart SN[\s\S]* at least ε\s=\s\d")
    )


def test_sample_sizes_are_taken_away_and_a_name_sets_a_mechanism_apart(
    open_page: OpenPage,
) -> None:
    page = open_page(FEW)
    page.wait_for_selector(COMPLETE, timeout=MEASURED)
    people = page.locator('[data-key="people"]')
    people.hover()
    with page.expect_download() as download:
        people.locator('[data-value="CSV"]').click()
    text = download.value.path().read_text("utf-8")
    assert "Gaussian,,measured," in text
    assert "PPCA,,enough: Thm" in text
    page.locator('[data-key="people-epsilon"]').scroll_into_view_if_needed()
    page.wait_for_selector('[data-key="people-epsilon"] .js-plotly-plot')
    before = page.evaluate(WIDTHS)
    assert before["Gaussian"] >= before["PPCA"]
    people.locator('.dpca-words [data-value="PPCA"]').click()
    page.wait_for_function(f"() => {{ const now = ({WIDTHS})(); return now.PPCA > now.Gaussian; }}")


@pytest.mark.long("of two hundred columns, measured")
@pytest.mark.parametrize("path", ["/sample_size?d=200", "/?view=all&data=digits&k=4&trials=200"])
def test_measuring_can_be_stopped(open_page: OpenPage, path: str) -> None:
    page = open_page(path)
    settled(page)
    expect(page.get_by_role("progressbar", name="Measured so far")).to_be_visible()
    page.get_by_role("button", name="Stop", exact=True).last.click()
    resume = page.get_by_role("button", name="Resume")
    expect(resume).to_be_visible()
    # Nothing is asked for any more.
    at_rest(page)
    stage = page.locator("[data-stage]").get_attribute("data-stage")
    resume.click()
    page.wait_for_function(
        "stage => document.querySelector('[data-stage]').dataset.stage !== stage", arg=stage
    )
