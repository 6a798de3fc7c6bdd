"""Files of ``static/``: small scripts, where they are found, and what style sheets cost."""

import posixpath
import re
import shutil

import pytest

from tests.frontend.conftest import file_server
from ui.page.component import script_of
from ui.server.static_files import ADDRESS, SHEETS, STATIC, version

SCRIPTS = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js")}
ENTRIES = {*(f"{of}/main.js" for of in ("owner", "history", "learn"))}
ENTRIES |= {"page/page.js", "page/present.js"}
IMPORTED = re.compile(r'^(?:import|export) .*?from "(\.{1,2}/[^"]+)";$', re.M | re.S)
PAGE = '<!doctype html><script type="module" crossorigin src="./static/js/index.js"></script>'
"""Streamlit's page, whatever path it was opened by."""
IMPORT = """async (script) => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  return (await import(address)).default;
}"""


def test_a_script_uses_its_own_folder_or_the_shared_one_and_somebody_uses_it():
    """That what it imports is there and makes no circle, browsers and the linter see."""
    used = {name for name in SCRIPTS if name.startswith("plotly/")} | ENTRIES
    for name in SCRIPTS - used | ENTRIES:
        folder = posixpath.dirname(name)
        found = IMPORTED.findall((STATIC / name).read_text("utf-8"))
        imported = {posixpath.normpath(f"{folder}/{address}") for address in found}
        assert {posixpath.dirname(other) for other in imported} <= {"page", folder}, name
        used |= imported
    assert used == SCRIPTS


@pytest.mark.parametrize("base", ["", "work/bench"])
def test_files_are_found_below_any_base_path(base, browser, tmp_path):
    below = tmp_path / base
    (below / "static" / "js").mkdir(parents=True)
    (below / "static" / "js" / "index.js").write_text("")
    (below / "compare").write_text(PAGE)
    shutil.copytree(STATIC, below / f"{ADDRESS}{version()}")
    with file_server(tmp_path) as address, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}/{base + '/' if base else ''}compare")
        found = page.evaluate(f"async (s) => typeof await ({IMPORT})(s)", script_of("page/page.js"))
        assert found == "function"


def test_the_bundle_is_loaded_once(browser, static_address):
    """Two callers whose addresses differ, as after a new version, share what the first loaded."""
    page = browser.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{static_address}/page/page.css")
    found = page.evaluate(
        """async (url) => {
          const [first, second] = await Promise.all([import(url), import(`${url}?again`)]);
          const [one, other] = await Promise.all([first.plotly, second.plotly]);
          return [one === other, first === second, one.version];
        }""",
        f"{static_address}/page/plotly.js",
    )
    page.close()
    assert found == [True, False, "4.1.1"]
    assert len([address for address in asked if "plotly-basic" in address]) == 1
    assert [address for address in asked if not address.startswith(static_address)] == []


def test_the_last_answer_colours_the_room(in_module):
    """A part that was mounted anew first got an older answer, and kept its colours."""
    code = """
      const place = document.createElement("div");
      document.documentElement.append(place);
      const skeleton = `<div class="dpca dpca-room"></div>`;
      const answer = async (heard_theme, theme) => {
        const data = { on: false, own: [], heard: 0, theme, heard_theme, markup: {} };
        const close = await m.default({ parentElement: place, data, setStateValue() {} }, skeleton);
        return [close, [...document.body.classList].find((name) => /dark|light/.test(name))];
      };
      const [close, first] = await answer(1, "dark");
      const [, second] = await answer(2, "light");
      close();
      place.remove();
      return [first, second];
    """
    assert in_module("page/present.js", code) == ["dpca-room-dark", "dpca-room-light"]


# --- The history of the browser: one entry for each change that somebody made ---

ADDRESSES = """
  const at = (path) => new URL(path, "http://127.0.0.1/");
  return x.map(([from, to, now]) => m.replaces(at(from), at(to), now));
"""
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
    "the same address once more": [
        ("/x?k=1&n=5", "/x?k=1&n=5", 0, True),
        ("/x?k=1", "/x?k=2", 9e3, False),
        ("/x?k=2", "/x?k=2", 5e4, True),
    ],
    "steps of a page of steps": [
        (WHO, COLUMNS, 0, False),
        (COLUMNS, DECIDE, 10, False),
        (DECIDE, PEOPLE, 20, True),
        (PEOPLE, CHOSEN, 9e3, True),
        (CHOSEN, COLUMNS, 9e3 + 10, False),
    ],
    "a page that a button leaves": [
        (DECIDE, "/data", 0, False),
        ("/data", "/release", 300, True),
        ("/data", "/x", 9e3, False),
    ],
}
"""From an address to another at some millisecond, and whether the entry is replaced."""


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_each_change_that_somebody_made_is_one_entry(in_module, steps):
    asked = [["/x?a=0", "/y", 0], *(step[:3] for step in steps)]
    found = in_module("history/main.js", ADDRESSES, asked)
    assert found[1:] == [replaced for *_, replaced in steps]


# --- Style sheets leave a key on any page cheap ---

WHOLE_PAGES = (
    (r"\[class[*^]=[^\]]*\].*[ >+~]([a-z:*]|\[)", "whenever any class changes"),
    (r":has.*[ >+~][a-z:*]", "whenever anything comes or goes"),
)
"""Every tag, or anything, below a part of a class or :has() is styled anew on the whole page."""


def selectors_of(css):
    """Return every selector without strings and what stands in parentheses but lists of classes."""
    css = re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", css, flags=re.S)
    css = re.sub(r":is\((\.[\w-]+(, )?)+\)", ".some", css)
    while "(" in css:
        css = re.sub(r"\([^()]*\)", "", css)
    return [each for some in re.findall(r"([^{};]+)\{", css) for each in some.split(",")]


@pytest.mark.parametrize("sheet", SHEETS)
def test_no_selector_styles_whole_pages_anew(sheet):
    for selector in selectors_of((STATIC / sheet).read_text("utf-8")):
        for pattern, when in WHOLE_PAGES:
            assert not re.search(pattern, re.sub(r"\s*([>+~])\s*", r"\1", selector)), when
