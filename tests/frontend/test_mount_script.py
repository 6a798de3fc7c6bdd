"""The script with which a page begins: it finds the files below any path, and no old ones."""

import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.frontend.conftest import file_server
from ui.page.component import script_of
from ui.server import static_files
from ui.server.static_files import ADDRESS, STATIC, version

PAGE = '<!doctype html><script type="module" crossorigin src="./static/js/index.js"></script>'
"""Streamlit's page, whatever path it was opened by."""
IMPORT = """async (script) => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  return (await import(address)).default;
}"""
CALLED = "(async (draw) => { try { return String(await draw({})); } catch { return 'a page'; } })"
"""Draws with no content: what a page answers to that, or that it is one."""
CHANGED = 'export default () => "changed";\n'
LONG_AGO = 1_600_000_000
"""A file as old as this is kept for weeks by a browser that is not told otherwise."""


def build(folder: Path, address: str) -> Path:
    """Lay out what a server shows below its base path; return where the browser code lies."""
    (folder / "static" / "js").mkdir(parents=True)
    (folder / "static" / "js" / "index.js").write_text("")
    (folder / "compare").write_text(PAGE)
    static = folder / address
    shutil.copytree(STATIC, static)
    for path in static.rglob("*.js"):
        os.utime(path, (LONG_AGO, LONG_AGO))
    return static


@pytest.fixture
def browser(browser_page: Page) -> Browser:
    found = browser_page.context.browser
    assert found is not None
    return found


@pytest.mark.parametrize(("versions", "base"), [(False, ""), (True, "work/bench")])
def test_files_are_found_below_any_base_path(
    versions: bool, base: str, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static_files, "_versioned", versions)
    build(tmp_path / base, f"{ADDRESS}{version()}" if versions else ADDRESS)
    with file_server(tmp_path) as address, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}/{base + '/' if base else ''}compare")
        found = page.evaluate(f"async (s) => typeof await ({IMPORT})(s)", script_of("page/page.js"))
        assert found == "function"


def test_without_versions_a_changed_file_is_seen_at_the_next_visit(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files say nothing of how long they are good for, and a browser would keep them."""
    monkeypatch.setattr(static_files, "_versioned", False)
    main = build(tmp_path, ADDRESS) / "page" / "page.js"
    with file_server(tmp_path) as address, browser.new_context() as context:

        def drawn(script: str) -> str:
            page = context.new_page()
            page.goto(f"{address}/compare")
            found: str = page.evaluate(f"async (s) => {CALLED}(await ({IMPORT})(s))", script)
            page.close()
            return found

        plain = script_of("page/page.js")
        unchecked = "\n".join(line for line in plain.splitlines() if "fetch(" not in line)
        assert "changed" not in drawn(plain)
        main.write_text(CHANGED)
        os.utime(main, (LONG_AGO + 1000, LONG_AGO + 1000))
        assert "changed" not in drawn(unchecked), "the browser does keep it: the check is needed"
        assert "changed" in drawn(plain)
