"""Files of ``static/``: where they are found, and the history of the browser."""

import shutil

import pytest

from tests.frontend.conftest import file_server
from ui.page.component import script_of
from ui.server.static_files import ADDRESS, STATIC, version

PAGE = '<!doctype html><script type="module" crossorigin src="./static/js/index.js"></script>'
"""Streamlit's page, whatever path it was opened by."""
IMPORT = """async (script) => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  return (await import(address)).default;
}"""


def test_files_are_found_below_a_base_path(browser, tmp_path):
    below = tmp_path / "some" / "base"
    (below / "static" / "js").mkdir(parents=True)
    (below / "static" / "js" / "index.js").write_text("")
    (below / "compare").write_text(PAGE)
    shutil.copytree(STATIC, below / f"{ADDRESS}{version()}")
    with file_server(tmp_path) as address, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}/some/base/compare")
        found = page.evaluate(f"async (s) => typeof await ({IMPORT})(s)", script_of("page/page.js"))
        assert found == "function"


# --- The history of the browser: one entry for each change that somebody made ---

REPLACES = """async ([module, steps]) => {
  const { replaces } = await import(module);
  const at = (path) => new URL(path, "http://127.0.0.1/");
  return steps.map(([from, to, now]) => replaces(at(from), at(to), now));
}"""
WHO, COLUMNS, DECIDE = (f"/data?step={step}" for step in ("who", "columns", "decide"))
PEOPLE, CHOSEN = f"{DECIDE}&people=900", f"{DECIDE}&people=900&chosen=middle"
DRAG = [(f"/x?k={i}", f"/x?k={i + 1}", 900 * i, i > 0) for i in range(4)]
STEPS = {
    "another page, and another setting": [
        ("/x?k=1", "/y", 5e3, False),
        ("/y?k=1", "/y?k=2", 5e3, False),
        ("/y?k=2", "/y?k=2&n=5", 5e3, False),
    ],
    "settings where there were none": [("/x", "/x?k=1", 0, True), ("/x?k=1", "/x?k=2", 1, False)],
    "the steps of one drag": [*DRAG, ("/x?k=4", "/x?k=5", 9e3, False)],
    "steps of a page of steps": [
        (WHO, COLUMNS, 0, False),
        (COLUMNS, DECIDE, 10, False),
        (DECIDE, PEOPLE, 20, True),
        (PEOPLE, CHOSEN, 9e3, True),
        (CHOSEN, COLUMNS, 9e3 + 10, False),
    ],
    "a button that leaves a page of steps": [
        (DECIDE, "/data", 0, False),
        ("/data", "/release", 10, True),
        ("/release", "/data", 20, False),
        ("/data", "/release", 30, False),
    ],
    "the same change after Back": [
        ("/x?k=1", "/x?k=2", 0, False),
        ("/x?k=1", "/x?k=2", 500, False),
    ],
}
"""From an address to another at some millisecond, and whether the entry is replaced."""


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_each_change_that_somebody_made_is_one_entry(page, static_address, steps):
    asked = [["/x?a=0", "/y", 0], *(step[:3] for step in steps)]
    found = page.evaluate(REPLACES, [f"{static_address}/history/main.js", asked])
    assert found[1:] == [replaced for *_, replaced in steps]
