"""Claims in a browser: published again, drawn, attacked."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import PHONE


def test_claims_are_published_again_drawn_and_attacked(open_page):
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
