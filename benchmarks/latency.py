"""Latency of Explore in a browser: a slider moved by keyboard, the ε handle dragged by mouse.

Starts the real server and a headless Chromium. Times are taken by the page's own clock, from the
key press to the mark that the page sets once its charts are painted. Every run opens a new session
with its own seed, so that the first visit to a value is computed and not cached.

    python -m benchmarks.latency --runs 5 --moves 30
"""

import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.report import line, options
from tests.browser.chromium import FLAGS, executable
from tests.browser.server import serving

ROOT, HANDLE = '.dpca[data-ready="true"]', ".dpca:not(.dpca-room) [role=slider]"
THUMB = '.st-key-{} [data-testid="stSlider"] input[type=range]'
DRAG_STEPS = 120
PAUSE_MS = (100, 1000)
"""Pauses between two keys are uniform in this range: before and after charts are complete."""

ARM = """() => {
  window.armed = {id: document.querySelector('.dpca').dataset.id, pressed: null};
  addEventListener('keydown', () => { window.armed.pressed = performance.now(); },
                   {capture: true, once: true});
}"""
"""Remembers when the next key goes down and which drawing is on the screen then."""
PAINTED = """() => {
  const root = document.querySelector('.dpca');
  const {id, pressed} = window.armed;
  if (!root || pressed === null || root.dataset.id === id || root.dataset.ready !== 'true')
    return false;
  const mark = performance.getEntriesByName('dpca-painted')
    .find(({startTime, detail}) => startTime > pressed && detail !== id);
  return mark ? mark.startTime - pressed : false;
}"""
"""Milliseconds from that key to the first paint of another drawing; false until it is there."""
FIRST_PAINT = "performance.getEntriesByName('dpca-painted')[0].startTime"


def move_by_key(page: Page, key: str, moves: int, rng: np.random.Generator) -> list[float]:
    """Press arrows on a slider, back and forth between its ends; return milliseconds."""
    thumb, step, times = page.locator(THUMB.format(key)), 1, []
    first, last = (int(thumb.get_attribute(end) or 0) for end in ("min", "max"))
    value = int(thumb.input_value())
    for _ in range(moves):
        step = step if first <= value + step <= last else -step
        value += step
        thumb.focus()
        page.evaluate(ARM)
        page.keyboard.press("ArrowRight" if step > 0 else "ArrowLeft")
        times.append(page.wait_for_function(PAINTED, polling="raf").json_value())
        page.wait_for_timeout(float(rng.uniform(*PAUSE_MS)))
    return times


def drag_the_rule(page: Page, sent: list[object]) -> tuple[float, int]:
    """Drag the ε handle right and back; return milliseconds a move, and messages to the server."""
    box, root = (page.locator(each).first.bounding_box() for each in (HANDLE, ROOT))
    assert box is not None
    assert root is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    before, start = len(sent), page.evaluate("performance.now()")
    for angle in np.linspace(0, 2 * np.pi, DRAG_STEPS):
        page.mouse.move(x + 0.15 * root["width"] * float(np.sin(angle)), y)
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    lasted, messages = page.evaluate("performance.now()") - start, len(sent) - before
    page.mouse.up()
    return lasted / DRAG_STEPS, messages


def opened(browser: Browser, address: str, sent: list[object]) -> Page:
    """Open a page in a session of its own, and wait until its charts are there."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.goto(address)
    page.wait_for_selector(ROOT)
    page.wait_for_timeout(PAUSE_MS[1])
    return page


def main() -> None:
    """Measure Explore with a seed a run; print the report."""
    asked, times = options(__doc__, runs=5, moves=30), defaultdict[str, list[float]](list)
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=executable(), args=list(FLAGS)) as browser,
        serving(Path(folder) / "log.txt") as (address, _),
    ):
        # The first visitor pays for the server's imports: not counted.
        opened(browser, address, []).close()
        for seed in range(1000, 1000 + asked.runs):
            rng, sent = np.random.default_rng(seed), list[object]()
            page = opened(browser, f"{address}/?seed={seed}", sent)
            times["opening Explore until its first chart"].append(page.evaluate(FIRST_PAINT))
            times["key on k until the new charts"] += move_by_key(page, "k", asked.moves, rng)
            page.wait_for_timeout(PAUSE_MS[1])
            lasted, messages = drag_the_rule(page, sent)
            times["dragging ε, a move"].append(lasted)
            times["dragging ε, messages to the server"].append(messages)
            page.close()
    for name, found in times.items():
        print(line(name, found, "" if "messages" in name else "ms"))


if __name__ == "__main__":
    main()
