"""Latency in a browser: a slider moved by keyboard, and Explore's ε handle dragged by mouse.

Starts the real server and a headless Chromium. Times are taken by the page's own clock, from the
key press to the mark that the instrument sets once its charts are painted. Every run opens a new
session with its own seed, so that the first visit to a value is computed and not cached.

    python -m benchmarks.latency --runs 5 --moves 30
"""

import argparse
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, WebSocket, sync_playwright

from tests.browser.chromium import FLAGS, executable
from tests.browser.server import serve

ROOT = '.dpca[data-ready="true"]'
THUMB = '.st-key-{} [data-testid="stSlider"] input[type=range]'
OTHERS = (
    ("Eigengap, k", "/eigengap?data=rand", "k"),
    ("Eigengap, gap", "/eigengap?data=rand", "gap-rand-2-5912-0"),
    ("Eigengap, ε", "/eigengap?data=rand", "epsilon"),
    ("Sample size, ε", "/sample_size?epsilon=0.1", "epsilon"),
    ("Sample size, ρ", "/sample_size", "level-correlation"),
    ("Sample size, gap of the spectrum", "/sample_size", "gap"),
)
"""Other pages: name, address, key of the slider that is moved."""
HANDLE = ".dpca:not(.dpca-room) [role=slider]"
DRAG_STEPS = 120
PAUSE_MS = (100, 1000)
"""Pauses between two keys are uniform in this range: before and after charts are complete."""

# Remember when the next key goes down and which drawing is on the screen then.
ARM = """() => {
  const root = document.querySelector('.dpca');
  window.armed = {id: root.dataset.id, pressed: null};
  addEventListener('keydown', () => { window.armed.pressed = performance.now(); },
                   {capture: true, once: true});
}"""
# Milliseconds from that key to the first paint of another drawing; false until it is there.
PAINTED = """() => {
  const root = document.querySelector('.dpca');
  const {id, pressed} = window.armed;
  if (!root || pressed === null || root.dataset.id === id || root.dataset.ready !== 'true')
    return false;
  const marks = performance.getEntriesByName('dpca-painted')
    .filter(m => m.startTime > pressed && m.detail !== id);
  return marks.length ? marks[0].startTime - pressed : false;
}"""
FIRST_PAINT = "performance.getEntriesByName('dpca-painted')[0].startTime"
REDRAWS = "performance.getEntriesByName('dpca-redraw').length"


@dataclass
class Measured:
    """Milliseconds and counts of all runs."""

    opening: list[float] = field(default_factory=list)
    others: dict[str, list[float]] = field(default_factory=dict)
    new: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    redraws_per_second: list[float] = field(default_factory=list)
    moves_per_second: list[float] = field(default_factory=list)
    frames_while_dragging: list[int] = field(default_factory=list)


def move_by_key(
    page: Page,
    key: str,
    moves: int,
    rng: np.random.Generator,
    pause_ms: tuple[float, float] = PAUSE_MS,
) -> tuple[list[float], list[float]]:
    """Press arrows on a slider, back and forth between its ends; times of new and seen values."""
    thumb = page.locator(THUMB.format(key))
    new: list[float] = []
    seen: list[float] = []
    first, last = (int(thumb.get_attribute(end) or 0) for end in ("min", "max"))
    value = int(thumb.input_value())
    visited, step = {value}, 1
    for _ in range(moves):
        if not first <= value + step <= last:
            step = -step
        value += step
        thumb.focus()
        page.evaluate(ARM)
        page.keyboard.press("ArrowRight" if step > 0 else "ArrowLeft")
        milliseconds = page.wait_for_function(PAINTED, polling="raf").json_value()
        (seen if value in visited else new).append(milliseconds)
        visited.add(value)
        page.wait_for_timeout(float(rng.uniform(*pause_ms)))
    return new, seen


def drag_the_rule(page: Page, sent: list[float], measured: Measured) -> None:
    """Drag the ε handle right and back; count redraws and what is sent to the server meanwhile."""
    box = page.locator(HANDLE).first.bounding_box()
    root = page.locator(ROOT).bounding_box()
    assert box is not None
    assert root is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    reach = 0.15 * root["width"]
    page.evaluate("performance.clearMarks('dpca-redraw')")
    page.mouse.move(x, y)
    page.mouse.down()
    begun, frames = time.perf_counter(), len(sent)
    for angle in np.linspace(0, 2 * np.pi, DRAG_STEPS):
        page.mouse.move(x + reach * float(np.sin(angle)), y)
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    seconds = time.perf_counter() - begun
    measured.frames_while_dragging.append(len(sent) - frames)
    measured.redraws_per_second.append(page.evaluate(REDRAWS) / seconds)
    measured.moves_per_second.append(DRAG_STEPS / seconds)
    page.mouse.up()


def one_run(browser: Browser, address: str, seed: int, moves: int, measured: Measured) -> None:
    """Open Explore in a new session with this seed, and measure it."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    sent: list[float] = []

    def watch(socket: WebSocket) -> None:
        socket.on("framesent", lambda _: sent.append(time.perf_counter()))

    page.on("websocket", watch)
    page.goto(f"{address}/?seed={seed}")
    page.wait_for_selector(ROOT)
    measured.opening.append(page.evaluate(FIRST_PAINT))
    page.wait_for_timeout(PAUSE_MS[1])
    new, seen = move_by_key(page, "k", moves, np.random.default_rng(seed))
    measured.new += new
    measured.seen += seen
    page.wait_for_timeout(PAUSE_MS[1])
    drag_the_rule(page, sent, measured)
    context.close()


def other_pages(browser: Browser, address: str, seed: int, moves: int, measured: Measured) -> None:
    """Move one slider of each of the other pages, in a session of its own."""
    for name, path, key in OTHERS:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        page.goto(f"{address}{path}")
        page.wait_for_selector(ROOT)
        page.wait_for_timeout(PAUSE_MS[1])
        new, seen = move_by_key(page, key, moves, np.random.default_rng(seed))
        measured.others.setdefault(name, []).extend([*new, *seen])
        context.close()


def eigh_milliseconds(d: int = 100, repeats: int = 50) -> float:
    """Median time of one full eigendecomposition, to compare machines."""
    rows = np.random.default_rng(0).normal(size=(2 * d, d))
    moment, times = rows.T @ rows, []
    for _ in range(repeats):
        begun = time.perf_counter()
        np.linalg.eigh(moment)
        times.append(1000 * (time.perf_counter() - begun))
    return float(np.median(times))


def line(label: str, values: list[float], unit: str = "ms") -> str:
    """One row of the report."""
    if not values:
        return f"{label:<46} none"
    median, p95 = np.quantile(values, [0.5, 0.95])
    return f"{label:<46} median {median:7.1f} {unit}   p95 {p95:7.1f} {unit}   n = {len(values)}"


def main() -> None:
    """Run the benchmark and print its report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5, help="sessions, one after another")
    parser.add_argument("--moves", type=int, default=30, help="key presses in each of them")
    options = parser.parse_args()
    measured = Measured()
    print(f"{'np.linalg.eigh at d = 100':<46} median {eigh_milliseconds():7.2f} ms")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=list(FLAGS))
        with serve(Path(folder) / "log.txt") as address:
            # The first visitor pays for the server's imports: not counted.
            one_run(browser, address, 999, 3, Measured())
            for run in range(options.runs):
                one_run(browser, address, 1000 + run, options.moves, measured)
                other_pages(browser, address, 1000 + run, options.moves, measured)
        browser.close()
    print(line("opening Explore until its first chart", measured.opening))
    print(line("key on k until the new charts, all moves", measured.new + measured.seen))
    print(line("  a value not seen before", measured.new))
    print(line("  a value seen before", measured.seen))
    for name, times in measured.others.items():
        print(line(f"key on {name}", times))
    print(line("dragging ε: redraws", measured.redraws_per_second, "/s"))
    print(line("dragging ε: mouse moves", measured.moves_per_second, "/s"))
    print(f"{'dragging ε: messages to the server':<46} {sum(measured.frames_while_dragging)}")


if __name__ == "__main__":
    main()
