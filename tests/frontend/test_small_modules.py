"""Small scripts: files are found below any path, Plotly is loaded once, a room has its colours."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.frontend.conftest import Call, file_server
from ui.page.component import script_of
from ui.server.static_files import ADDRESS, STATIC, version

PAGE = '<!doctype html><script type="module" crossorigin src="./static/js/index.js"></script>'
"""Streamlit's page, whatever path it was opened by."""
IMPORT = """async (script) => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  return (await import(address)).default;
}"""


@pytest.mark.parametrize("base", ["", "work/bench"])
def test_files_are_found_below_any_base_path(base: str, browser: Browser, tmp_path: Path) -> None:
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


def test_the_bundle_is_loaded_once_and_leaves_its_name_to_the_page(
    browser: Browser, static_address: str
) -> None:
    """Two callers whose addresses differ, as after a new version, share what the first loaded."""
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{static_address}/page/page.css")
    found = page.evaluate(
        """async (url) => {
          window.Plotly = "the page's own";
          const [first, second] = await Promise.all([import(url), import(`${url}?again`)]);
          const [one, other] = await Promise.all([first.plotly, second.plotly]);
          return [one === other, first === second, window.Plotly, one.version];
        }""",
        f"{static_address}/page/plotly.js",
    )
    page.close()
    assert found == [True, False, "the page's own", "4.1.1"]
    assert len([address for address in asked if "plotly-basic" in address]) == 1
    assert [address for address in asked if not address.startswith(static_address)] == []


def test_the_last_answer_colours_the_room(in_module: Call) -> None:
    """A part that was mounted anew first got an older answer, and kept its colours."""
    code = """
      const place = document.createElement("div");
      document.documentElement.append(place);
      const parts = ["code", "keys", "black"].map((part) => `<div data-part="${part}"></div>`);
      const skeleton = `<div class="dpca dpca-room">${parts.join("")}</div>`;
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
