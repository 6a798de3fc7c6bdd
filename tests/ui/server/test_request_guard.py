"""What is answered to whom: known hosts, no foreign frames, no upload before a login."""

import asyncio
import http.client
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from streamlit import config
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.browser.server import serving
from ui.server import upload_limit
from ui.server.request_guard import HEADERS, RequestGuard
from ui.server.upload_limit import UploadLimit

BOUNDARY, TOO_BIG = "----one", 1009
FILE = "/_stcore/upload_file/some-session/some-file"


def body(content: bytes) -> bytes:
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n'
    return head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()


class Behind:
    """An application that keeps what reaches it."""

    def __init__(self) -> None:
        self.seen: list[bytes] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        got, more = b"", True
        while more:
            message = await receive()
            got, more = got + message["body"], message["more_body"]
        self.seen.append(got)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def asked(
    most: int, content: bytes = b"", path: str = FILE, method: str = "PUT", **headers: str
) -> tuple[int, dict[str, str], list[bytes], int]:
    """Send one request in pieces; return status, headers, what got through, pieces left over."""
    sent: list[Any] = []
    pieces = [content[i : i + 50] for i in range(0, len(content), 50)] or [b""]
    left = [
        {"type": "http.request", "body": piece, "more_body": i < len(pieces) - 1}
        for i, piece in enumerate(pieces)
    ]
    told = {"host": "127.0.0.1", "content-type": f"multipart/form-data; boundary={BOUNDARY}"}
    told |= {"content-length": str(len(content))} | headers
    scope = {
        "type": "http", "method": method, "path": path, "query_string": b"",
        "headers": [(name.encode(), text.encode()) for name, text in told.items()],
    }  # fmt: skip

    async def receive() -> Any:
        return left.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    behind = Behind()
    asyncio.run(RequestGuard(behind, most)(scope, receive, send))
    answered = {k.decode(): v.decode() for k, v in sent[0]["headers"]}
    return sent[0]["status"], answered, behind.seen, len(left)


@pytest.fixture(autouse=True)
def without_login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DPCA_LOGIN", raising=False)


def test_a_file_that_fits_comes_through_as_it_is() -> None:
    content = body(b"a,b\n1,2\n" * 100)
    status, _, seen, left = asked(len(content), content)
    assert (status, seen, left) == (204, [content], 0)
    assert upload_limit.refusal("some-file") is None


@pytest.mark.parametrize("told", ["true", "too short", "none"])
def test_a_file_for_which_there_is_no_room_is_a_sentence_and_nothing_else(
    told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest is read and thrown away; what the form parser sees is whole and holds no row."""
    monkeypatch.setattr(upload_limit, "_refusals", {})
    content = body(b"a,b\n1,2\n" * 100)
    size = {"true": str(len(content)), "too short": "x", "none": ""}[told]
    status, _, seen, left = asked(len(content) - 1, content, **{"content-length": size})
    assert (status, left) == (204, 0)
    assert seen == [body(b"")]
    sentence = upload_limit.refusal("some-file")
    assert sentence is not None
    assert "no space left for this file" in sentence


def test_what_is_on_its_way_counts_and_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    held = [0]
    monkeypatch.setattr(upload_limit, "held_bytes", lambda: held[0])
    found: list[bool] = []

    async def two() -> None:
        one = UploadLimit(100)
        scope = {"type": "http", "method": "PUT", "headers": [(b"content-length", b"60")]}
        async with one.counted(scope) as first, one.counted(scope) as second:
            found.extend([first, second])
        async with one.counted(scope) as again:
            found.append(again)
        held[0] = 50
        async with one.counted(scope) as late:
            found.append(late)

    asyncio.run(two())
    assert found == [True, False, True, False]


def test_nobody_is_remembered_for_ever() -> None:
    upload_limit._refusals.clear()
    for i in range(upload_limit.MOST_REMEMBERED + 5):
        upload_limit.remember_refusal(str(i), "no")
    assert len(upload_limit._refusals) == upload_limit.MOST_REMEMBERED
    assert upload_limit.refusal("4") is None


@pytest.mark.parametrize("path", ["/", "/_stcore/metrics", "/_stcore/health", "/compare", FILE])
def test_a_foreign_name_is_answered_with_nothing(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(config._config_options, "server.allowedHosts", _allowed(["127.0.0.1"]))
    content = body(b"x" * 200)
    for host in ("evil.example", "127.0.0.1.evil.example", "evil.example:8501"):
        status, headers, seen, _ = asked(10**6, content, path, "GET", host=host)
        assert (status, seen) == (400, [])
        assert headers["x-frame-options"] == "DENY"
    assert asked(10**6, content, path, "GET")[0] == 204


def _allowed(hosts: list[str]) -> Any:
    option = config.ConfigOption("server.allowedHosts", default_val=hosts)
    option.set_value(hosts, "a test")
    return option


def test_every_answer_forbids_foreign_frames() -> None:
    headers = asked(10**6, path="/", method="GET")[1]
    assert {name.lower(): text for name, text in HEADERS.items()}.items() <= headers.items()


def test_without_a_session_nobody_has_logged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPCA_LOGIN", "1")
    content = body(b"a,b\n")
    for method in ("PUT", "DELETE", "POST"):
        status, _, seen, _ = asked(10**6, content, method=method)
        assert (status, seen) == (403, [])
    assert asked(10**6, content, method="OPTIONS")[0] == 204


@pytest.mark.parametrize(
    ("there", "most"),
    [
        (8 << 30, 1 << 30),
        (1 << 20, upload_limit.LEAST_BYTES),
        (None, upload_limit.ASSUMED_MEMORY // upload_limit.SHARE_OF_MEMORY),
    ],
)
def test_the_room_for_uploads_follows_the_machine(
    there: int | None, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(upload_limit.UPLOADS_VARIABLE, raising=False)
    monkeypatch.setattr(upload_limit, "total_memory", lambda: there)
    assert upload_limit.upload_limit() == most
    monkeypatch.setenv(upload_limit.UPLOADS_VARIABLE, "300")
    assert upload_limit.upload_limit() == 300_000_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that wants a login."""
    log = tmp_path_factory.mktemp("guard") / "log.txt"
    with serving(log, DPCA_LOGIN="1") as (address, _):
        yield address


class Stranger:
    """A client that has a websocket, an XSRF cookie, and no login."""

    def __init__(self, address: str) -> None:
        self.place = str(urlsplit(address).netloc)
        self.xsrf = self._xsrf()

    def ask(
        self, path: str, method: str = "GET", content: bytes = b"", **headers: str
    ) -> tuple[int, dict[str, str], str]:
        connection = http.client.HTTPConnection(self.place, timeout=10)
        try:
            connection.request(method, path, content, headers)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, text
        finally:
            connection.close()

    def _xsrf(self) -> str:
        for path in ("/_stcore/health", "/_stcore/host-config", "/"):
            cookie = self.ask(path)[1].get("set-cookie", "")
            if "_streamlit_xsrf=" in cookie:
                return cookie.partition("_streamlit_xsrf=")[2].partition(";")[0].strip('"')
        raise AssertionError("no XSRF cookie")

    def put(self, path: str, content: bytes) -> int:
        headers = {
            "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
            "X-Xsrftoken": self.xsrf,
            "Cookie": f"_streamlit_xsrf={self.xsrf}",
        }
        return self.ask(path, "PUT", body(content), **headers)[0]

    def uploaded(self) -> int:
        text = self.ask("/_stcore/metrics?families=cache_memory_bytes")[2]
        lines = [line for line in text.splitlines() if "UploadedFile" in line]
        return sum(int(float(line.rpartition(" ")[2])) for line in lines)


def test_a_client_without_a_login_can_store_nothing(server: str) -> None:
    stranger = Stranger(server)
    with connect(f"ws://{stranger.place}/_stcore/stream", subprotocols=["streamlit"]) as socket:  # type: ignore[list-item]
        message = BackMsg()
        message.rerun_script.query_string = ""
        socket.send(message.SerializeToString())
        session = ""
        while not session:
            told = ForwardMsg.FromString(socket.recv(timeout=30))  # type: ignore[arg-type]
            session = told.new_session.initialize.session_id
        statuses = [
            stranger.put(f"/_stcore/upload_file/{session}/{name}", b"x" * 50_000)
            for name in ("one", "two", "../three", "four?login=1")
        ]
        assert statuses == [403] * 4
        assert stranger.uploaded() == 0
        # Values of controls that no script of his has drawn are not kept either.
        message.rerun_script.widget_states.widgets.add(id="upload", string_value="x" * 10**7)
        socket.send(message.SerializeToString())
        with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012
            while True:
                socket.recv(timeout=20)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == TOO_BIG


def test_a_real_server_answers_to_its_own_names_only(server: str) -> None:
    stranger = Stranger(server)
    for path in ("/", "/_stcore/health", "/_stcore/metrics", "/_stcore/host-config", "/compare"):
        status, headers, _ = stranger.ask(path)
        assert status == 200, path
        assert headers["content-security-policy"] == "frame-ancestors 'none'"
        assert headers["x-frame-options"] == "DENY"
        assert stranger.ask(path, Host="evil.example")[0] == 400, path
