"""The script with which a page begins: it finds the files below any path."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.frontend.conftest import file_server
from ui.page.component import script_of
from ui.server import static_files
from ui.server.static_files import ADDRESS, STATIC, styles, version

PAGE = '<!doctype html><script type="module" crossorigin src="./static/js/index.js"></script>'
"""Streamlit's page, whatever path it was opened by."""
IMPORT = """async (script) => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  return (await import(address)).default;
}"""


def build(folder: Path, address: str) -> None:
    """Lay out what a server shows below its base path."""
    (folder / "static" / "js").mkdir(parents=True)
    (folder / "static" / "js" / "index.js").write_text("")
    (folder / "compare").write_text(PAGE)
    shutil.copytree(STATIC, folder / address)


@pytest.fixture
def browser(browser_page: Page) -> Browser:
    found = browser_page.context.browser
    assert found is not None
    return found


@pytest.mark.parametrize(("base", "served"), [("", True), ("work/bench", True), ("", False)])
def test_files_are_found_below_any_base_path(
    base: str, served: bool, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under their version, or where Streamlit alone serves them: ``streamlit run app.py``."""
    monkeypatch.setattr(static_files, "_serving", served)
    assert ("--" in styles()) is not served
    build(tmp_path / base, f"{ADDRESS}{version()}" if served else ADDRESS)
    with file_server(tmp_path) as address, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}/{base + '/' if base else ''}compare")
        found = page.evaluate(f"async (s) => typeof await ({IMPORT})(s)", script_of("page/page.js"))
        assert found == "function"
