"""What is answered to whom: known hosts, no foreign frames, nothing stored before a login."""

import asyncio
import http.client
from contextlib import closing
from functools import partial
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.browser.server import serving, uploaded_bytes
from tests.paths import ROOT
from ui.server import request_guard
from ui.server.request_guard import HEADERS, RequestGuard
from ui.server.static_files import ADDRESS, STATIC, version

FORM = {"content-type": "multipart/form-data; boundary=----one"}
FILE = "/_stcore/upload_file/some-session/some-file"
MODULE, TOO_BIG = "page/page.js", 1009


def body(content):
    head = '------one\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n'
    return head.encode() + content + b"\r\n------one--\r\n"


def asked(around, path, method="GET", content=b"", **headers):
    """Send one request, in pieces, to an application around another one, which answers nothing.

    Return what is sent back, what reached the one behind, and how many pieces are left unread.
    """
    seen, sent = [], []
    left = [content[i : i + 50] for i in range(0, len(content), 50)] or [b""]

    async def reading(scope, receive, send):
        got, more = b"", True
        while more:
            message = await receive()
            got, more = got + message["body"], message["more_body"]
        seen.append(got)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def receive():
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message):
        sent.append(message)

    told = {"host": "127.0.0.1", **FORM, **{k.replace("_", "-"): v for k, v in headers.items()}}
    given = [(name.encode(), text.encode()) for name, text in told.items()]
    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": given}
    asyncio.run(around(reading)(scope, receive, send))
    found = {name.decode(): text.decode() for name, text in sent[0]["headers"]}
    answer = b"".join(m.get("body", b"") for m in sent[1:])
    status = sent[0]["status"]
    return SimpleNamespace(status=status, headers=found, body=answer, seen=seen, left=len(left))


# --- Uploads ---

CONTENT = body(b"a,b\n1,2\n" * 100)
SIZE = str(len(CONTENT))


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.delenv("DPCA_LOGIN", raising=False)
    monkeypatch.setattr(request_guard, "_refusals", {})


def put(most, size=SIZE):
    return asked(partial(RequestGuard, limit=most), FILE, "PUT", CONTENT, content_length=size)


def test_a_file_that_fits_comes_through_and_one_without_room_is_a_sentence_and_nothing_else():
    found = put(len(CONTENT))
    assert (found.status, found.seen, found.left) == (204, [CONTENT], 0)
    assert request_guard.refusal("some-file") is None
    assert {name.lower(): text for name, text in HEADERS.items()}.items() <= found.headers.items()
    # It is read and thrown away; what the form parser sees is whole and holds no row.
    for most, size in ((len(CONTENT) - 1, SIZE), (len(CONTENT), "x")):
        found = put(most, size)
        assert (found.status, found.left, len(found.seen)) == (204, 0, 1)
        assert found.seen[0].endswith(b"\r\n\r\n\r\n--x--\r\n")
        assert "no space left for this file" in request_guard.refusal("some-file")


def test_what_is_on_its_way_counts_and_is_given_back(monkeypatch):
    headers = [(b"host", b"127.0.0.1"), (b"content-length", b"60")]

    async def put(name):
        scope = {"type": "http", "method": "PUT", "path": FILE + name, "headers": headers}
        await guard(scope, ended, ended)

    async def ended(*_):
        return {"type": "http.request", "body": b""}

    async def behind(scope, *_):
        if scope["path"].endswith("first"):
            await put("second")

    guard = RequestGuard(behind, 100)
    for name in ("first", "third"):
        asyncio.run(put(name))
    monkeypatch.setattr(request_guard, "held_bytes", lambda: 50)
    asyncio.run(put("late"))
    for name, taken in {"first": True, "second": False, "third": True, "late": False}.items():
        assert (request_guard.refusal(f"some-file{name}") is None) == taken


# --- Strangers ---


class Stranger:
    """A client of a server that wants a login: it has a websocket, an XSRF cookie, and none."""

    def __init__(self, address):
        self.place = str(urlsplit(address).netloc)
        cookies = (self.ask(path)[1].get("set-cookie", "") for path in ("/_stcore/health", "/"))
        (cookie,) = [one for one in cookies if "_streamlit_xsrf=" in one][:1]
        xsrf = cookie.partition("_streamlit_xsrf=")[2].partition(";")[0].strip('"')
        self.form = {**FORM, "X-Xsrftoken": xsrf, "Cookie": f"_streamlit_xsrf={xsrf}"}

    def ask(self, path, method="GET", content=b"", **headers):
        with closing(http.client.HTTPConnection(self.place, timeout=60)) as connection:
            connection.request(method, path, content, headers)
            answer = connection.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()


@pytest.fixture(scope="module")
def stranger(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("guard") / "log.txt", DPCA_LOGIN="1") as (address, _):
        yield Stranger(address)


def test_a_client_without_a_login_can_store_nothing(stranger):
    stream = f"ws://{stranger.place}/_stcore/stream"
    with connect(stream, subprotocols=["streamlit"], open_timeout=60) as socket:
        message = BackMsg()
        message.rerun_script.query_string = ""
        socket.send(message.SerializeToString())
        session = ""
        while not session:
            told = ForwardMsg.FromString(socket.recv(timeout=60))
            session = told.new_session.initialize.session_id
        for name in ("one", "../three", "four?login=1"):
            path = f"/_stcore/upload_file/{session}/{name}"
            assert stranger.ask(path, "PUT", body(b"x" * 50_000), **stranger.form)[0] == 403
        assert uploaded_bytes(f"http://{stranger.place}") == 0
        # Values of controls that no script of his has drawn are not kept either.
        message.rerun_script.widget_states.widgets.add(id="upload", string_value="x" * 10**7)
        socket.send(message.SerializeToString())
        with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012
            while True:
                socket.recv(timeout=60)
        assert closed.value.rcvd.code == TOO_BIG


def test_a_real_server_answers_to_its_own_names_only(stranger):
    for path in ("/", "/_stcore/health", "/_stcore/metrics", "/_stcore/host-config", "/compare"):
        status, headers, _ = stranger.ask(path)
        assert status == 200, path
        for host in ("evil.example", "127.0.0.1.evil.example", "evil.example:8501"):
            refused, also, content = stranger.ask(path, Host=host)
            assert (refused, b"streamlit" in content.lower()) == (400, False), (path, host)
            for one in (headers, also):
                assert one["content-security-policy"] == "frame-ancestors 'none'"
                assert one["x-frame-options"] == "DENY"


@pytest.mark.parametrize(("wanted", "there"), [("0", True), ("1", True), ("1", False)])
def test_where_there_is_a_login_or_should_be_a_stranger_sees_nothing_else(
    wanted, there, monkeypatch
):
    monkeypatch.setenv("DPCA_LOGIN", wanted)
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    if there:
        app.secrets["auth"] = {"redirect_uri": "https://example.org/oauth2callback"}
    app.run()
    assert [*app.selectbox, *app.slider, *app.select_slider] == []
    assert ["Log in"] * there == [button.label for button in app.button]
    missing = "Login is required but not configured"
    assert any(missing in error.value for error in app.error) != there


# --- Browser code: the same for everybody, it holds no data and needs no login ---


def test_nothing_but_the_folder_is_public(stranger):
    status, _, content = stranger.ask(f"/{ADDRESS}{version()}/{MODULE}")
    assert (status, content) == (200, (STATIC / MODULE).read_bytes())
    secret = (ROOT / "app.py").read_bytes()
    for up in ("..", "%2e%2e", "..%2f..", ".%2e", "x/../..", "..\\", "//", "/etc/"):
        for start in (ADDRESS, f"{ADDRESS}{version()}/", f"{ADDRESS}page/../"):
            for goal in ("app.py", ".streamlit/config.toml", "passwd", ""):
                status, _, content = stranger.ask(f"/{start}{up}/{goal}")
                page = b"<!doctype html>" in content.lower()[:2000]
                assert status in (301, 400, 404) or page, (start, up, goal)
                assert secret not in content
