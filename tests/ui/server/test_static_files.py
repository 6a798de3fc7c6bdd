"""The browser code: kept for good under its version, asked for anew otherwise, and nothing else."""

import asyncio
import gzip
import http.client
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.server import serving
from tests.paths import ROOT
from ui.figures.component import mount_script
from ui.server import static_files
from ui.server.static_files import ADDRESS, STATIC, VersionedFiles, files, version

MODULE = "explore/main.js"


def answer(path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and content; 204 where the request was passed on."""
    sent: list[Any] = []

    async def behind(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    given = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": given}
    asyncio.run(VersionedFiles(behind)(scope, receive, send))
    found = {name.decode(): text.decode() for name, text in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(m.get("body", b"") for m in sent[1:])


@pytest.mark.parametrize("base", ["", "/workbench", "/a/b"])
@pytest.mark.parametrize("name", [MODULE, "charts/charts.css", "charts/dom.js"])
def test_a_file_is_kept_for_good_under_its_version(name: str, base: str) -> None:
    status, headers, content = answer(f"{base}/{ADDRESS}{version()}/{name}")
    assert (status, content) == (200, (STATIC / name).read_bytes())
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    kind = "text/css" if name.endswith("css") else "text/javascript"
    assert headers["content-type"] == f"{kind}; charset=utf-8"


def test_who_takes_it_compressed_gets_it_compressed() -> None:
    path = f"/{ADDRESS}{version()}/{MODULE}"
    _, headers, content = answer(path, accept_encoding="br, gzip")
    assert headers["content-encoding"] == "gzip"
    assert headers["vary"] == "Accept-Encoding"
    assert int(headers["content-length"]) == len(content)
    assert gzip.decompress(content) == (STATIC / MODULE).read_bytes()
    assert "content-encoding" not in answer(path)[1]


@pytest.mark.parametrize(
    ("path", "method"),
    [
        (f"/{ADDRESS}0123456789abcdef/{MODULE}", "GET"),
        (f"/{ADDRESS}{MODULE}", "GET"),
        (f"/{ADDRESS}{version()}/no/such.js", "GET"),
        (f"/{ADDRESS}{version()}/../app.py", "GET"),
        (f"/{ADDRESS}{version()}/", "GET"),
        (f"/{ADDRESS}{version()}/{MODULE}", "POST"),
    ],
)
def test_anything_else_is_passed_on_and_never_kept(path: str, method: str) -> None:
    status, headers, _ = answer(path, method)
    assert (status, headers) == (204, {"cache-control": "no-cache"})
    assert answer("/compare") == (204, {}, b"")


@pytest.fixture
def other_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that stands for ``static/``; what was read of the real one is forgotten."""
    monkeypatch.setattr(static_files, "STATIC", tmp_path)
    (tmp_path / "one.js").write_text("1;")
    (tmp_path / "two.js").write_text("2;")
    yield tmp_path
    _forget()


def _forget() -> None:
    files.cache_clear()
    version.cache_clear()


def test_the_version_changes_with_every_file_and_its_name(other_folder: Path) -> None:
    found = set()
    for change in (
        lambda: None,
        lambda: (other_folder / "two.js").write_text("3;"),
        lambda: (other_folder / "two.js").rename(other_folder / "three.js"),
        lambda: (other_folder / "empty.js").write_text(""),
        lambda: (other_folder / "one.js").unlink(),
    ):
        change()
        _forget()
        found.add(version())
    assert len(found) == 5


def test_what_is_sent_under_a_version_is_that_version(other_folder: Path) -> None:
    _forget()
    path = f"/{ADDRESS}{version()}/one.js"
    (other_folder / "one.js").write_text("changed;")
    assert answer(path)[2] == b"1;"


def test_a_page_asks_for_versions_where_they_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_files, "_versioned", False)
    plain = mount_script("explore")
    static_files.serve_versions()
    script = mount_script("explore")
    assert f"{ADDRESS}{version()}/" in script
    head, _, rest = script.partition("const palette = ")
    assert len(head) < 300
    reason = "palettes of screen and dark room and Plotly's settings come with the script, once"
    assert len(rest) < 2300, reason
    assert version() not in plain
    # Plotly's bundle has its version in its name.
    assert all(name in plain for name in files() if not name.startswith("plotly/"))
    assert 'cache: "no-cache"' in plain


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that wants a login."""
    log = tmp_path_factory.mktemp("static") / "log.txt"
    with serving(log, DPCA_LOGIN="1") as (address, _):
        yield str(urlsplit(address).netloc)


def get(server: str, path: str) -> tuple[int, str, bytes]:
    connection = http.client.HTTPConnection(server, timeout=10)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.getheader("Content-Type", ""), response.read()
    finally:
        connection.close()


def test_nothing_but_the_folder_is_public(server: str) -> None:
    """Browser code is the same for everybody and holds no data: it needs no login."""
    for path in (f"/{ADDRESS}{version()}/{MODULE}", f"/{ADDRESS}{MODULE}"):
        status, kind, content = get(server, path)
        assert (status, content) == (200, (STATIC / MODULE).read_bytes())
        assert "javascript" in kind
    secret = (ROOT / "app.py").read_bytes()
    for up in ("..", "%2e%2e", "..%2f..", ".%2e", "x/../..", "..\\", "//", "/etc/"):
        for start in (ADDRESS, f"{ADDRESS}{version()}/", f"{ADDRESS}explore/../"):
            for goal in ("app.py", ".streamlit/config.toml", "passwd", ""):
                status, kind, content = get(server, f"/{start}{up}/{goal}")
                page = b"<!doctype html>" in content.lower()[:2000]
                assert status in (400, 404) or page, (start, up, goal, kind)
                assert secret not in content
    for folder in (ADDRESS, f"{ADDRESS}explore", f"{ADDRESS}explore/"):
        assert get(server, f"/{folder}")[0] in (400, 404)
