"""A researcher with Papers: tiles lead to cards, predict first, a figure is run again."""

import re
from collections import deque
from pathlib import Path

from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from papers.registry import CARDS
from tests.browser.conftest import OpenPage, settled

QUICK = next(one for one in CARDS if one.key == "chaudhuri-fig-5")
OTHER = next(one for one in CARDS if one.key != QUICK.key)
TABLE = next(one for one in CARDS if one.key == "imtiaz-table-1")


class HeldAnswers:
    """What the server sends to a page, in order, which can be held back for a while."""

    def __init__(self) -> None:
        self.holding, self.finished = False, 0
        self._waiting: deque[tuple[WebSocketRoute, str | bytes]] = deque()

    def listen(self, page: Page) -> None:
        """Stand between a page and the server."""
        page.route_web_socket(re.compile("/_stcore/stream"), self._connect)

    def release(self) -> None:
        """Send what was held back, before what comes meanwhile."""
        self.holding = False
        self._send()

    def wait_for(self, page: Page, finished: int) -> None:
        """Wait until so many runs of the page have ended on the server."""
        while self.finished < finished:
            page.wait_for_timeout(20)

    def _connect(self, to_page: WebSocketRoute) -> None:
        def take(said: str | bytes) -> None:
            self._waiting.append((to_page, said))
            if isinstance(said, bytes):
                self.finished += ForwardMsg.FromString(said).WhichOneof("type") == "script_finished"
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
    shown = [one for one in CARDS if one.verdict == "a statement fails"]
    expect(page.locator(".dpca-tile:not(.dpca-out)")).to_have_count(len(shown))


def test_answers_that_come_late_all_at_once_are_drawn(open_page: OpenPage) -> None:
    """A card asked for again is sent as a reference to what the browser had when it asked.

    With Streamlit's own setting its front end forgets that after two answers more, and ends with a
    fatal error: they may come before the reference where the connection or the machine is slow.
    """
    answers = HeldAnswers()
    page = open_page(f"/papers?figure={OTHER.key}", listen=answers.listen)
    settled(page)
    answers.holding = True
    for one in (QUICK, TABLE, QUICK, TABLE):
        before = answers.finished
        open_tile(page, one.key)
        answers.wait_for(page, before + 1)
    answers.release()
    expect(page).to_have_url(re.compile(f"figure={TABLE.key}"))
    settled(page)
    expect(part(page, "question")).to_have_text(TABLE.asks)
