"""A researcher with Papers: tiles lead to cards, predict first, a figure is run again."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from papers.registry import CARDS
from tests.browser.conftest import OpenPage, at_rest

QUICK = next(one for one in CARDS if one.key == "chaudhuri-fig-5")
OTHER = next(one for one in CARDS if one.key != QUICK.key)


def question(page: Page) -> Locator:
    """Return what the card asks."""
    return page.locator(".st-key-papers-question h2")


def test_a_researcher_opens_predicts_and_runs_a_figure_again(open_page: OpenPage) -> None:
    page = open_page(f"/papers?figure={OTHER.key}&reveal=false")
    expect(question(page)).to_have_text(OTHER.asks)
    page.evaluate("window.stays = true")
    page.locator(f".st-key-papers-open-{QUICK.key} button:visible").first.press("Enter")
    expect(question(page)).to_have_text(QUICK.asks)
    expect(page.locator(".st-key-papers-card")).to_be_focused()
    page.go_back()
    expect(question(page)).to_have_text(OTHER.asks)
    page.go_forward()
    expect(question(page)).to_have_text(QUICK.asks)
    assert page.evaluate("window.stays"), "the page was not loaded again"
    # A lecturer's arrows lead to the cards beside this one.
    after = CARDS[CARDS.index(QUICK) + 1]
    at_rest(page)
    page.keyboard.press("ArrowRight")
    expect(question(page)).to_have_text(after.asks)
    at_rest(page)
    page.keyboard.press("ArrowLeft")
    expect(question(page)).to_have_text(QUICK.asks)
    expect(page.locator(".st-key-papers-card .js-plotly-plot")).to_have_count(len(QUICK.panels))
    # A class predicts, then sees.
    expect(page.locator(".dpca-tell")).to_have_count(0)
    at_rest(page)
    page.keyboard.press(" ")
    expect(page.locator(".dpca-tell")).not_to_be_empty()
    expect(page.locator(".dpca-judged")).to_contain_text(str(QUICK.verdict))
    page.get_by_role("button", name="Run it now").click()
    expect(page).to_have_url(re.compile("seed=1"))
    expect(page.get_by_text("Your run, seed 1")).to_be_visible()
    page.get_by_role("button", name="Back to the stored run").click()
    expect(page.get_by_text("Stored run")).to_be_visible()
    expect(page).not_to_have_url(re.compile("seed"))
    at_rest(page)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Numbers").click()
    text = Path(saving.value.path()).read_text("utf-8")
    assert text.startswith("# Not private")
    assert "series,x,trial,value,printed,source" in text
