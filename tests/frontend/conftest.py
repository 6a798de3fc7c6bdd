"""One Chromium that imports the real modules of ``static/`` from a server of files."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.chromium import SHORT_LIVED, executable
from ui.server.static_files import SHEETS, STATIC


class _Files(SimpleHTTPRequestHandler):
    extensions_map = {".js": "text/javascript", ".css": "text/css", "": "text/html"}  # noqa: RUF012


@contextmanager
def file_server(folder: Path) -> Iterator[str]:
    """Address at which the files of a folder are served, with no word on how long to keep them."""
    handler = partial(_Files, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="package")
def static_address():
    with file_server(STATIC) as address:
        yield address


@pytest.fixture(scope="package")
def browser():
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=executable(), args=list(SHORT_LIVED))
        yield found
        found.close()


@pytest.fixture
def page(browser, static_address):
    """A page of its own: styled, an empty store, a clock that stands until a test moves it."""
    with browser.new_context() as context:
        page = context.new_page()
        page.clock.install(time=0)
        page.goto(f"{static_address}/page/page.css")
        for name in SHEETS:
            page.add_style_tag(url=f"{static_address}/{name}")
        page.clock.pause_at(1000)
        yield page
