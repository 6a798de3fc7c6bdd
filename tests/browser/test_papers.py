"""A researcher with Papers: tiles lead to cards, predict first, a figure is run again."""

import re
from collections import deque
from pathlib import Path

from playwright.sync_api import Page, WebSocketRoute, expect

from papers.registry import EXPERIMENTS
from tests.browser.conftest import OpenPage, settled
from ui.papers.parts import parts_of

WATCH_QUESTIONS = """() => {
  const question = document.querySelector('.dpca-papers [data-part="question"]');
  window.questions = [];
  new MutationObserver(() => window.questions.push(question.textContent))
    .observe(question, {childList: true});
}"""
QUICK = next(one for one in EXPERIMENTS if one.key == "chaudhuri-fig-5")
OTHER = next(one for one in EXPERIMENTS if one.key != QUICK.key)
TABLE = next(one for one in EXPERIMENTS if "table" in one.key)
PATIENCE = 1200
"""Milliseconds after which the page tells the server of another card, though no answer has come."""


class HeldAnswers:
    """What the server sends to a page, in order, which can be held back for a while."""

    def __init__(self) -> None:
        self.holding = False
        self._waiting: deque[tuple[WebSocketRoute, str | bytes]] = deque()

    def listen(self, page: Page) -> None:
        """Stand between a page and the server."""
        page.route_web_socket(re.compile("/_stcore/stream"), self._connect)

    def release(self) -> None:
        """Send what was held back, before what comes meanwhile."""
        self.holding = False
        self._send()

    def _connect(self, to_page: WebSocketRoute) -> None:
        def take(said: str | bytes) -> None:
            self._waiting.append((to_page, said))
            if not self.holding:
                self._send()

        to_page.connect_to_server().on_message(take)

    def _send(self) -> None:
        while self._waiting:
            to_page, said = self._waiting.popleft()
            to_page.send(said)


def part(page: Page, name: str):
    """Return a part of the page."""
    return page.locator(f'.dpca-papers [data-part="{name}"]').first


def open_tile(page: Page, key: str) -> None:
    page.locator(f'.dpca-wall [data-figure="{key}"]').click()


def test_a_researcher_opens_predicts_and_runs_a_figure_again(open_page: OpenPage) -> None:
    page = open_page(f"/papers?figure={OTHER.key}&reveal=0")
    settled(page)
    page.evaluate("window.stays = true")
    open_tile(page, QUICK.key)
    expect(part(page, "question")).to_have_text(QUICK.asks)
    page.go_back()
    expect(part(page, "question")).to_have_text(OTHER.asks)
    page.go_forward()
    expect(part(page, "question")).to_have_text(QUICK.asks)
    expect(page).to_have_url(re.compile(f"figure={QUICK.key}"))
    expect(page.locator(".dpca-tile[aria-current]")).to_have_count(1)
    assert page.evaluate("window.stays"), "the page was not loaded again"
    expect(page.locator(".dpca-panels .js-plotly-plot")).to_have_count(len(QUICK.panels))
    # A class predicts, then sees.
    expect(page.locator(".dpca-tell")).to_have_count(0)
    page.keyboard.press(" ")
    expect(page.locator(".dpca-tell")).not_to_be_empty()
    expect(page.locator(".dpca-judged")).to_contain_text(str(QUICK.verdict))
    page.get_by_role("button", name="Run it now").click()
    expect(page).to_have_url(re.compile("seed=1"))
    expect(part(page, "notes")).to_contain_text("Your run, seed 1")
    page.get_by_role("button", name="Back to the stored run").click()
    expect(part(page, "notes")).to_contain_text("Stored run")
    expect(page).not_to_have_url(re.compile("seed"))
    with page.expect_download() as saving:
        page.get_by_role("button", name="Numbers").click()
    text = Path(saving.value.path()).read_text("utf-8")
    assert text.startswith("# Not private")
    assert "series,x,trial,value,printed,source" in text
    chart = page.locator(".dpca-panels section").first
    chart.hover()
    with page.expect_download() as saving:
        chart.get_by_role("button", name=re.compile("as PNG")).click()
    assert Path(saving.value.path()).read_bytes().startswith(b"\x89PNG")
    page.get_by_text("Cite", exact=True).click()
    expect(page.locator(".dpca-cite pre")).to_contain_text("author = ")
    page.get_by_role("button", name=re.compile("a statement fails")).click()
    expect(page).to_have_url(re.compile("verdict=a(%20|\\+)statement(%20|\\+)fails"))
    shown = [one for one in EXPERIMENTS if one.verdict == "a statement fails"]
    expect(page.locator(".dpca-tile:not(.dpca-out)")).to_have_count(len(shown))


def with_cards_ahead(open_page: OpenPage, answers: HeldAnswers) -> Page:
    page = open_page(f"/papers?figure={OTHER.key}", listen=answers.listen)
    settled(page)
    expect(page.locator(".dpca-papers")).to_have_attribute("data-ahead", "true")
    answers.holding = True
    return page


def test_cards_that_came_ahead_open_before_the_server_answers(open_page: OpenPage) -> None:
    """Of two opened in a moment the later stays, though what answers the first comes after it."""
    answers = HeldAnswers()
    page = with_cards_ahead(open_page, answers)
    page.evaluate(WATCH_QUESTIONS)
    for one in (QUICK, TABLE):
        open_tile(page, one.key)
        expect(part(page, "question")).to_have_text(one.asks)
        tile = page.locator(f'.dpca-tile[data-figure="{one.key}"]')
        expect(tile).to_have_attribute("aria-current", "true")
        expect(page.locator(".dpca-panels .js-plotly-plot")).to_have_count(len(parts_of(one)))
        assert page.url.endswith(OTHER.key), "no answer has come"
    answers.release()
    expect(page).to_have_url(re.compile(f"figure={TABLE.key}"))
    settled(page)
    assert page.evaluate("window.questions") == [QUICK.asks, TABLE.asks]


def test_answers_that_come_late_all_at_once_are_drawn(open_page: OpenPage) -> None:
    """A card asked for again is sent as a reference to what the browser had when it asked.

    Streamlit's front end forgets it after two answers more, and ends with a fatal error: they may
    come before that reference where the connection or the machine is slow.
    """
    answers = HeldAnswers()
    page = with_cards_ahead(open_page, answers)
    page.clock.install()
    for one in (QUICK, TABLE, QUICK, OTHER):
        open_tile(page, one.key)
        page.clock.run_for(PATIENCE)
    answers.release()
    expect(page).to_have_url(re.compile(f"figure={OTHER.key}"))
    settled(page)
    expect(part(page, "question")).to_have_text(OTHER.asks)
