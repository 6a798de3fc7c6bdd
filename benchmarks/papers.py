"""How long each card of the Papers page takes to open, in a real browser on a fresh server.

Every round starts a server, opens the page on one of its cards and then clicks the tiles of all
others, twice. A time runs from the press of the pointer on the tile until the frame is painted in
which the card's words and its first row of charts stand; the second one until all its charts do.
The card that a round begins with has no first opening in it.

    python -m benchmarks.papers --rounds 3
"""

import argparse
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.latency import ROOT
from papers.registry import CARDS
from tests.browser.chromium import FLAGS, executable
from tests.browser.server import serve

MOST_MS = 150.0
QUIET_MS = 1000
KEYS = [one.key for one in CARDS]
ASKED = {one.key: one.asks for one in CARDS}
TILE = '.dpca-wall [data-figure="{}"]'
ROUND_STEP = 7
"""How many cards further on a round begins than the one before."""

# Milliseconds from the pointer until the first row is painted, and until the last chart is. A
# message that is posted while a frame begins arrives once that frame is painted.
ARM = """({key, asks}) => {
  const root = document.querySelector('.dpca-papers');
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const painted = (begun) => {
    const {port1, port2} = new MessageChannel();
    return new Promise((done) => {
      port1.onmessage = () => done(performance.now() - begun);
      port2.postMessage(0);
    });
  };
  const drawn = () => {
    if (!root.dataset.id.startsWith(`${key} `) || part('question').textContent !== asks) return [];
    if (!part('head').textContent || !part('words').textContent) return [];
    return [...part('grid').children].map((section) => ({
      top: section.getBoundingClientRect().top,
      there: Boolean(section.querySelector('.js-plotly-plot .scatterlayer .trace')),
    }));
  };
  window.opening = new Promise((done) => {
    addEventListener('pointerdown', ({timeStamp}) => {
      let row = null;
      const look = () => {
        const charts = drawn();
        const first = charts.filter(({top}) => top - charts[0].top < 40);
        const stand = (some) => some.length > 0 && some.every(({there}) => there);
        if (row === null && stand(first)) row = painted(timeStamp);
        if (row === null || !stand(charts)) requestAnimationFrame(look);
        else done(Promise.all([row, painted(timeStamp)]));
      };
      requestAnimationFrame(look);
    }, {capture: true, once: true});
  });
}"""


@dataclass
class Opened:
    """Milliseconds of one card's first and later openings, and of all its charts."""

    first: list[float] = field(default_factory=list)
    second: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)


def open_card(page: Page, key: str, pause: float) -> tuple[float, float]:
    """Click a card's tile; return when its first row was painted, and when all was."""
    tile = page.locator(TILE.format(key))
    tile.scroll_into_view_if_needed()
    page.wait_for_timeout(pause)
    page.evaluate(ARM, {"key": key, "asks": ASKED[key]})
    tile.click()
    row, whole = page.evaluate("window.opening")
    return row, whole


def one_round(
    browser: Browser, address: str, first: int, pause: float, found: dict[str, Opened]
) -> None:
    """Open all cards from the one with this number on, twice, in one visit."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    keys = [*KEYS[first:], *KEYS[:first]]
    page.goto(f"{address}/papers?figure={keys[0]}")
    page.wait_for_selector(ROOT)
    for key in keys[1:]:
        row, whole = open_card(page, key, pause)
        found[key].first.append(row)
        found[key].whole.append(whole)
    for key in keys:
        found[key].second.append(open_card(page, key, pause)[0])
    context.close()


def line(name: str, values: list[float]) -> str:
    """Return a row of the summary."""
    late = sum(value > MOST_MS for value in values)
    median, worst = np.median(values), max(values)
    return (
        f"{name:24} median {median:4.0f}  worst {worst:4.0f} ms   "
        f"{late} of {len(values)} above {MOST_MS:.0f}"
    )


def report(found: dict[str, Opened]) -> None:
    """Print the times of each card in the order of the rounds, and a summary."""
    print(f"{'card':24} {'first opening':24} {'second opening':24} all charts, first opening; ms")
    for key in KEYS:
        one = found[key]
        columns = (one.first, one.second, one.whole)
        print(f"{key:24}", *(f"{' '.join(f'{v:.0f}' for v in each):24}" for each in columns))
    print(line("first opening", [v for one in found.values() for v in one.first]))
    print(line("second opening", [v for one in found.values() for v in one.second]))
    print(line("all charts of a card", [v for one in found.values() for v in one.whole]))


def main() -> None:
    """Run the benchmark and print its report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3, help="servers, one after another")
    parser.add_argument("--begin", type=int, default=0, help="number of the first round")
    parser.add_argument("--pause", type=float, default=QUIET_MS, help="milliseconds before a click")
    options = parser.parse_args()
    found: dict[str, Opened] = defaultdict(Opened)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for number in range(options.begin, options.begin + options.rounds):
            with serve(Path(folder) / "log.txt") as address:
                browser = playwright.chromium.launch(executable_path=executable(), args=list(FLAGS))
                one_round(browser, address, ROUND_STEP * number % len(KEYS), options.pause, found)
                browser.close()
    report(found)


if __name__ == "__main__":
    main()
