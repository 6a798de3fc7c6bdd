"""What one session uploads: in no file, in no other session, and gone when the session is over."""

import os
import random
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.chromium import SHORT_LIVED, executable
from tests.browser.server import ROOT, serving, uploaded_bytes
from tests.browser.table_upload import answer_who, decide, load_codebook, look, upload
from tests.ui.server.conftest import until

ROWS = 16_000
PROC = Path("/proc")
AT_REST = '[data-test-script-state="notRunning"]'
pytestmark = pytest.mark.skipif(not PROC.is_dir(), reason="needs Linux’s /proc")


class Visitor:
    """A browser context of its own, with all that the server sends to it."""

    def __init__(self, browser, address):
        self.page = browser.new_context(base_url=address).new_page()
        self.frames, self.uploads = [], []
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._frame))
        self.page.on("request", self._request)

    def _frame(self, payload):
        self.frames.append(payload.encode() if isinstance(payload, str) else payload)

    def _request(self, request):
        if request.method == "PUT":
            self.uploads.append(request.url)

    def visit(self, path):
        self.page.goto(path)
        self.page.wait_for_selector(AT_REST)

    def received(self, marker):
        return any(marker in text for text in (*self.frames, self.page.content().encode()))


def table(marker):
    """More than the MiB up to which the server would keep it out of temporary files anyway."""
    rows = "".join(f"{20 + i % 50},{i % 7},{marker}{'ab'[i % 2]}\n" for i in range(ROWS))
    return f"age{marker},visits,group\n{rows}".encode()


def explore(owner, marker):
    """Upload a table and explore it; return the link, which holds a random name of it."""
    page = owner.page
    upload(page, "people.csv", table(marker))
    expect(page.get_by_text(f"{ROWS:,} rows, 3 columns")).to_be_visible(timeout=60_000)
    answer_who(page)
    lines = f"column,use,low,high\nage{marker},number,0,120\nvisits,number,0,9\ngroup,out,,\n"
    load_codebook(page, lines.encode())
    assert owner.received(marker.encode()), "a column’s name"
    decide(page)
    look(page)
    # For a moment the address of the page just left has the new settings.
    page.wait_for_function(
        "location.search.includes('upload') && !location.pathname.endsWith('/data')"
    )
    return page.url


def answer_to(address, method="GET"):
    try:
        with urllib.request.urlopen(urllib.request.Request(address, method=method)) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read()


def holds(path, marker):
    try:
        return path.is_file() and marker in path.read_bytes()
    except OSError:
        return False


def named_files(folder, marker, since):
    found = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".git", ".venv")]
        for path in (Path(parent) / name for name in names):
            with suppress(OSError):
                if path.stat().st_mtime >= since and holds(path, marker):
                    found.append(str(path))
    return found


def test_an_upload_is_in_no_file_no_log_and_no_other_session_and_goes_with_its_own(tmp_path):
    # Digits alone: letters between digits can be a word, such as "cd", that says something.
    marker = f"{random.Random(117).randrange(10**63, 10**64)}"
    wanted, started, log = marker.encode(), time.time() - 1, tmp_path / "log.txt"
    places = {"TMPDIR": tmp_path / "temporary", "HOME": tmp_path / "home"}
    for folder in places.values():
        folder.mkdir()
    environment = {name: str(folder) for name, folder in places.items()} | {"DPCA_PATIENCE": "1"}
    with (
        serving(log, **environment) as (server, pid),
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=executable(), args=list(SHORT_LIVED)) as browser,
    ):
        owner, other = Visitor(browser, server), Visitor(browser, server)
        owner.visit("/data")
        link = explore(owner, marker)
        assert uploaded_bytes(server) >= len(table(marker))

        address, _ = owner.uploads
        file = address.rpartition("/")[2]
        attempts = [f"/media/{file}", f"/media/{file}.csv", f"/app/static/{file}"]
        attempts += [f"/component/dpca/{file}", "/_stcore/metrics", quote(f"/media/../{address}")]
        for asked in (address, *(f"{server}{path}" for path in attempts)):
            for method in ("GET", "HEAD", "POST", "OPTIONS"):
                assert wanted not in answer_to(asked, method)[1], (method, asked)
        assert answer_to(address) == answer_to(f"{server}/")
        assert [answer_to(address, method)[0] for method in ("PUT", "DELETE")] == [403, 403]

        for path in ("/", "/compare", "/data"):
            other.visit(f"{path}?{link.partition('?')[2]}")
        assert other.frames
        assert not other.received(wanted)
        assert not other.received(b"people.csv")
        folders = {tmp_path, ROOT, Path(tempfile.gettempdir()), Path("/dev/shm"), Path("/var/tmp")}
        assert [f for folder in folders for f in named_files(folder, wanted, started)] == []
        assert [at for at in (PROC / f"{pid}/fd").iterdir() if holds(at, wanted)] == []
        assert marker not in log.read_text()

        owner.page.context.close()
        until(lambda: not uploaded_bytes(server))
