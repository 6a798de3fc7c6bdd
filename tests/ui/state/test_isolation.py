"""What one session uploads: in no file, in no other session, and gone when the session is over."""

import os
import secrets
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, Request, WebSocket, expect, sync_playwright

from tests.browser.chromium import SHORT_LIVED, executable
from tests.browser.server import ROOT, serving
from tests.browser.table_upload import answer_who, at_rest, decide, upload

ROWS, CHUNK = 30_000, 1 << 20
SECONDS = 60
"""What is waited for at most: without an end a page that is stuck would stop all tests."""
PROC = Path("/proc")

pytestmark = pytest.mark.skipif(not PROC.is_dir(), reason="needs Linux’s /proc")


@dataclass(frozen=True)
class Server:
    address: str
    pid: int
    log: Path
    folder: Path
    started: float

    def get(self, path: str, method: str = "GET") -> tuple[int, bytes]:
        request = urllib.request.Request(f"{self.address}{path}", method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read()


@dataclass
class Visitor:
    """A browser context of its own, with all that the server sends to it."""

    page: Page
    frames: list[bytes] = field(default_factory=list)
    uploads: list[str] = field(default_factory=list)

    def received(self, marker: bytes) -> bool:
        seen = (*self.frames, self.page.content().encode())
        return any(marker in text for text in seen)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("isolation")
    temporary, home = folder / "temporary", folder / "home"
    temporary.mkdir()
    home.mkdir()
    log, started = folder / "log.txt", time.time() - 1
    surroundings = {"TMPDIR": str(temporary), "HOME": str(home), "DPCA_PATIENCE": "1"}
    with serving(log, **surroundings) as (address, pid):
        yield Server(address, pid, log, folder, started)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        instance = playwright.chromium.launch(executable_path=executable(), args=list(SHORT_LIVED))
        yield instance
        instance.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Callable[[str], Visitor]]:
    contexts = []

    def one(path: str) -> Visitor:
        context = browser.new_context(base_url=server.address)
        contexts.append(context)
        visitor = Visitor(context.new_page())

        def frame(payload: str | bytes) -> None:
            visitor.frames.append(payload.encode() if isinstance(payload, str) else payload)

        def listen(socket: WebSocket) -> None:
            socket.on("framereceived", frame)

        def sent(request: Request) -> None:
            if request.method == "PUT":
                visitor.uploads.append(request.url.removeprefix(server.address))

        visitor.page.on("websocket", listen)
        visitor.page.on("request", sent)
        visitor.page.goto(path)
        visitor.page.wait_for_selector('[data-test-script-state="notRunning"]')
        return visitor

    yield one
    for context in contexts:
        context.close()


def new_marker() -> str:
    """Return digits alone: letters between digits can be a word, such as "cd", that says something.

    A column whose name has that word is taken for codes, and is asked after in another way.
    """
    return f"{secrets.randbelow(10**64):064d}"


def table(marker: str) -> bytes:
    """More than the MiB up to which the server would keep it out of temporary files anyway."""
    rows = "".join(f"{20 + i % 50},{i % 7},{marker}{'ab'[i % 2]}\n" for i in range(ROWS))
    return f"age{marker},visits,group\n{rows}".encode()


def prepare(visitor: Visitor, content: bytes) -> str:
    """Upload a table and explore it; the address then holds a random name of it."""
    page = visitor.page
    upload(page, "people.csv", content)
    expect(page.get_by_text(f"{ROWS:,} rows, 3 columns")).to_be_visible(timeout=30_000)
    answer_who(page)
    page.get_by_role("button", name="Fill empty cells from the file").click()
    at_rest(page)
    decide_with_the_file(page)
    page.get_by_role("button", name="Look, and note it").click()
    page.wait_for_selector('.dpca[data-ready="true"]', timeout=60_000)
    # For a moment the address of the page just left has the new settings.
    page.wait_for_function(
        "location.search.includes('upload') && !location.pathname.endsWith('/data')"
    )
    return page.url


def decide_with_the_file(page: Page) -> None:
    """Keep what was read from the file, and answer what it raised, until Decide opens.

    On a busy server an answer is drawn late, and while it is drawn the button can be missing: only
    a button that is there and open ends the answers, and only the time ends the waiting.
    """
    keep = page.get_by_role("button", name="Keep: not private")
    answers = page.locator(".dpca-owner [data-cells]").filter(has_not_text="Type it again")
    opened = page.locator(".dpca-way-on [data-part=decide][aria-disabled=false]")
    end = time.monotonic() + SECONDS
    while not opened.count():
        assert time.monotonic() < end, page.locator(".dpca-owner").inner_text()
        if keep.count() or answers.count():
            (keep if keep.count() else answers).first.click()
        at_rest(page)
    decide(page)


def holds(path: Path, marker: bytes) -> bool:
    """Tell whether a regular file holds the marker, also across the border of two pieces."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            kept = b""
            while piece := file.read(CHUNK):
                if marker in kept + piece:
                    return True
                kept = piece[-len(marker) :]
    except OSError:
        return False
    return False


def open_files(pid: int, marker: bytes) -> list[str]:
    """Names of a process's open files that hold the marker, deleted ones and memory files too."""
    return [os.readlink(at) for at in (PROC / f"{pid}/fd").iterdir() if holds(at, marker)]


def named_files(folder: Path, marker: bytes, since: float) -> list[str]:
    """Files in a folder, changed since then, that hold the marker."""
    found = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".git", ".venv", ".venv-peers")]
        for path in (Path(parent) / name for name in names):
            try:
                young = path.stat().st_mtime >= since
            except OSError:
                continue
            if young and holds(path, marker):
                found.append(str(path))
    return found


def everywhere(server: Server, marker: str) -> list[str]:
    wanted, system = marker.encode(), Path(tempfile.gettempdir())
    folders = {server.folder, ROOT, system, Path("/dev/shm"), Path("/var/tmp")}
    named = [f for folder in folders for f in named_files(folder, wanted, server.started)]
    return [*open_files(server.pid, wanted), *named]


def test_the_search_finds_a_marker_in_deleted_and_in_named_files(tmp_path: Path) -> None:
    marker = new_marker().encode()
    with tempfile.TemporaryFile() as deleted:
        deleted.write(b"x" * (CHUNK - 10) + marker)
        deleted.flush()
        assert len(open_files(os.getpid(), marker)) == 1
    (tmp_path / "named").write_bytes(b"x" * (CHUNK - 10) + marker)
    assert named_files(tmp_path, marker, 0.0) == [str(tmp_path / "named")]
    assert open_files(os.getpid(), marker) == []


def test_an_upload_is_in_no_file_and_reaches_no_other_session(
    server: Server, visit: Callable[[str], Visitor]
) -> None:
    marker = new_marker()
    owner = visit("/data")
    link = prepare(owner, table(marker))
    assert owner.received(marker.encode())
    assert everywhere(server, marker) == []
    assert marker not in server.log.read_text()

    (upload,) = owner.uploads
    file = upload.rpartition("/")[2]
    attempts = [upload, f"/media/{file}", f"/media/{file}.csv", f"/app/static/{file}"]
    attempts += [f"/component/dpca/{file}", "/_stcore/metrics", quote(f"/media/../{upload}")]
    for path in attempts:
        for method in ("GET", "HEAD", "POST", "OPTIONS"):
            assert marker.encode() not in server.get(path, method)[1], (method, path)
    assert server.get(upload) == server.get("/")
    assert server.get(upload, "PUT")[0] == 403
    assert server.get(upload, "DELETE")[0] == 403

    other = visit(link.removeprefix(server.address))
    expect(other.page.get_by_text("a table uploaded in another session")).to_be_visible()
    for path in ("/compare", "/eigengap", "/sample_size", "/local", "/data"):
        other.page.goto(f"{path}?{link.partition('?')[2]}")
        other.page.wait_for_selector('[data-testid="stApp"]')
        other.page.wait_for_timeout(500)
    assert other.frames
    assert not other.received(marker.encode())
    assert owner.page.locator(".dpca footer").inner_text().startswith("people.csv")
    assert everywhere(server, marker) == []


def test_what_a_session_uploaded_is_gone_soon_after_it_left(
    server: Server, visit: Callable[[str], Visitor]
) -> None:
    def uploaded() -> int:
        text = server.get("/_stcore/metrics?families=cache_memory_bytes")[1].decode()
        lines = [line for line in text.splitlines() if "UploadedFile" in line]
        return sum(int(float(line.rpartition(" ")[2])) for line in lines)

    def wait_until(true: Callable[[], bool]) -> None:
        end = time.monotonic() + SECONDS
        while not true():
            assert time.monotonic() < end, server.get("/_stcore/metrics")[1].decode()
            time.sleep(0.5)

    wait_until(lambda: uploaded() == 0)
    content = table(new_marker())
    owner = visit("/data")
    prepare(owner, content)
    wait_until(lambda: uploaded() >= len(content))
    owner.page.context.close()
    wait_until(lambda: uploaded() == 0)
