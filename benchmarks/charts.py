"""What charts cost in the browser, beside those of an earlier checkout, in turn and in one run.

For both versions: opening Explore, a key on k until curves are drawn and until the right column is,
and dragging ε. For the present one also Plotly's share of it. Every visit is a new session with a
seed of its own, so that nothing is cached.

    git worktree add ../before v0.2.0
    python -m benchmarks.charts --before ../before --visits 30
"""

import argparse
import tempfile
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, WebSocket, sync_playwright

from benchmarks.latency import ARM, FIRST_PAINT, PAINTED, ROOT, THUMB, eigh_milliseconds, line
from tests.browser.chromium import FLAGS, executable
from tests.browser.server import serving
from tests.paths import ROOT as PRESENT

MOVES = 120
QUIET_MS = 1500
COMPLETE = '.dpca[data-ready="true"]:has(.dpca-idle)'

BESIDE = """() => {
  const painted = performance.getEntriesByName('dpca-painted').at(-1);
  const beside = performance.getEntriesByName('dpca-beside').at(-1);
  if (!beside || beside.detail !== painted.detail) return null;
  const [from, to] = [painted.startTime, beside.startTime];
  const frames = window.frames_begun.filter((at) => from < at && at < to);
  return {after: to - from, frames: frames.length};
}"""
# Notes when the browser begins a frame: curves without the right column are seen where one lies
# between the two.
WATCH_FRAMES = """() => {
  window.frames_begun = [];
  const begun = () => {
    window.frames_begun.push(performance.now());
    requestAnimationFrame(begun);
  };
  requestAnimationFrame(begun);
}"""
REACTS = "performance.getEntriesByName('dpca-react').map(m => m.duration)"

# Plotly's own cost of the same three panels with nothing in them: milliseconds of each of a few
# calls that change the range of an axis.
EMPTY = """async (calls) => {
  const Plotly = await window.dpcaPlotly;
  const {layout} = document.querySelector('[data-part="curves"]');
  const node = document.createElement('div'), costs = [];
  document.body.append(node);
  for (let i = 0; i <= calls; i += 1) {
    const range = [layout.xaxis.range[0], layout.xaxis.range[1] + i / 100];
    const bare = {...layout, xaxis: {...layout.xaxis, range}, uirevision: i, shapes: []};
    await new Promise((done) => setTimeout(done, 300));
    const start = performance.now();
    Plotly.react(node, [], bare, {displayModeBar: false});
    if (i > 0) costs.push(performance.now() - start);
  }
  Plotly.purge(node);
  node.remove();
  return costs;
}"""

# One move of the rule in each frame, with the layout that it causes: milliseconds of the main
# thread for each, and how many frames there were in a second.
DRAG = """async (moves) => {
  const track = document.querySelector('.dpca-track'), root = document.querySelector('.dpca');
  const place = document.querySelector('.dpca-handle').getBoundingClientRect();
  const from = place.left + place.width / 2;
  const send = (type, x) => track.dispatchEvent(new PointerEvent(type,
    {clientX: x, clientY: place.top + 5, pointerId: 1, button: 0, bubbles: true}));
  track.setPointerCapture = () => {};
  const frame = () => new Promise(requestAnimationFrame), costs = [];
  send('pointerdown', from);
  const begun = await frame();
  let now = begun;
  for (let i = 1; i <= moves; i += 1) {
    const start = performance.now();
    send('pointermove', from + 0.15 * root.clientWidth * Math.sin(2 * Math.PI * i / moves));
    root.offsetHeight;
    costs.push(performance.now() - start);
    now = await frame();
  }
  send('pointerup', from);
  return {costs, frames: moves / (now - begun) * 1000};
}"""


def one_visit(browser: Browser, address: str, seed: int, found: dict[str, list[float]]) -> None:
    """Open Explore, press a key on k, drag ε, and note what each took."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    sent: list[str | bytes] = []

    def watch(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(frame))

    page.on("websocket", watch)
    page.goto(f"{address}/?seed={seed}")
    page.wait_for_selector(ROOT)
    found["opening Explore until its first chart"].append(page.evaluate(FIRST_PAINT))
    page.wait_for_timeout(QUIET_MS)
    page.locator(THUMB.format("k")).focus()
    page.evaluate(ARM)
    page.evaluate(WATCH_FRAMES)
    page.evaluate("performance.clearMeasures('dpca-react')")
    page.keyboard.press("ArrowRight")
    painted = page.wait_for_function(PAINTED, polling="raf").json_value()
    found["key on k until the curves are drawn"].append(painted)
    beside = page.evaluate(BESIDE)
    if beside is not None:
        found["  from then until the right column is"].append(beside["after"])
        found["  frames with curves alone"].append(beside["frames"])
    if reacts := page.evaluate(REACTS):
        found["  of it Plotly.react of the curves"].append(reacts[0])
    page.wait_for_timeout(QUIET_MS)
    note_drag(page, sent, found)
    context.close()


def note_drag(page: Page, sent: list[str | bytes], found: dict[str, list[float]]) -> None:
    """Drag ε there and back, one move a frame."""
    before = len(sent)
    drag = page.evaluate(DRAG, MOVES)
    found["dragging ε: main thread for a move"].extend(drag["costs"])
    found["dragging ε: frames a second"].append(drag["frames"])
    found["dragging ε: messages to the server"].append(len(sent) - before)


def complete_curves(browser: Browser, address: str, found: dict[str, list[float]]) -> None:
    """Wait until all is measured, and note how long the last drawing of the curves took."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{address}/?seed=77")
    page.wait_for_selector(COMPLETE, timeout=120_000)
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(QUIET_MS)
    for scheme in ("light", "dark") * 5:
        page.evaluate("performance.clearMeasures('dpca-react')")
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(QUIET_MS)
        if reacts := page.evaluate(REACTS):
            found["Plotly.react of the complete curves"].append(reacts[0])
    found["Plotly.react of the same panels, empty"] = page.evaluate(EMPTY, 10)
    page.close()


def main() -> None:
    """Run the benchmark and print its report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--before", type=Path, help="checkout of the version to compare with")
    parser.add_argument("--visits", type=int, default=30)
    options = parser.parse_args()
    roots = {"now": PRESENT} | ({"before": options.before.resolve()} if options.before else {})
    found: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in roots}
    print(f"{'np.linalg.eigh at d = 100':<46} median {eigh_milliseconds():7.2f} ms")
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        ExitStack() as servers,
    ):
        browser = playwright.chromium.launch(executable_path=executable(), args=list(FLAGS))
        addresses = {
            name: servers.enter_context(serving(Path(folder) / name, root))[0]
            for name, root in roots.items()
        }
        for address in addresses.values():
            # The first visitor pays for the server's imports: not counted.
            one_visit(browser, address, 999, defaultdict(list))
        for visit in range(options.visits):
            for name, address in addresses.items():
                one_visit(browser, address, 1000 + visit, found[name])
        complete_curves(browser, addresses["now"], found["now"])
        browser.close()
    for name, values in found.items():
        print(f"\n{name}: {roots[name].name}")
        for label, numbers in values.items():
            print(line(label, numbers, "" if "messages" in label or "frames" in label else "ms"))


if __name__ == "__main__":
    main()
