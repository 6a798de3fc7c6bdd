"""Claims in a browser, and what is measured stopped."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, OpenPage, at_rest, settled


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
