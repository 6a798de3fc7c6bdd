"""What stands before every request: known hosts, no foreign frames, no upload without a login."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.datastructures import Headers, MutableHeaders
from starlette.formparsers import MultiPartParser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.runtime import Runtime
from streamlit.web.server.starlette import starlette_server
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from ui.server.login import login_required
from ui.server.upload_memory import most_uploaded

HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
"""Of every answer: no other site may show a page in a frame of its own and steer the clicks."""
UPLOADS = "/_stcore/upload_file/"
FULL = (
    "There is no room for this file: this server holds {held:.0f} MB of uploads for everybody and "
    "takes {most:.0f} MB together. Try again when others have left, or send fewer columns."
)
REMEMBERED = 1000

_refused: dict[str, str] = {}
BUILDER, _GUARDED = "create_starlette_app", "dpca_guarded"


def refusal(file: str) -> str | None:
    """Return the sentence with which an uploaded file was turned away, by its id."""
    return _refused.get(file)


class RequestGuard:
    """An ASGI application around Streamlit's.

    Streamlit compares the Host with ``server.allowedHosts`` for its websocket only, sends no
    header against frames, and takes an upload from every session, whether it has logged in or not.

    Parameters
    ----------
    app
        What answers when there is nothing to object to.
    most
        Bytes of uploads that all sessions may hold together, those on their way included.
    """

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most
        self._coming = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if not is_host_allowed(Headers(scope=scope).get("host")):
            await PlainTextResponse("This server has another name.", 400)(scope, receive, marked)
            return
        _, upload, rest = str(scope["path"]).partition(UPLOADS)
        if not upload or scope["method"] == "OPTIONS":
            await self._app(scope, receive, marked)
            return
        session, _, file = rest.partition("/")
        if login_required() and not _logged_in(session):
            await PlainTextResponse("Log in first.", 403)(scope, receive, marked)
            return
        async with self._place(scope) as fits:
            if not fits:
                _remember(file, FULL.format(held=_held() / 1e6, most=self._most / 1e6))
                receive = _without_content(scope, receive)
            await self._app(scope, receive, marked)

    @asynccontextmanager
    async def _place(self, scope: Scope) -> AsyncIterator[bool]:
        """Count a file while it comes; tell whether there is room for it."""
        size = _size(scope) if scope["method"] == "PUT" else 0
        fits = _held() + self._coming + size <= self._most
        self._coming += size if fits else 0
        try:
            yield fits
        finally:
            self._coming -= size if fits else 0


def install() -> None:
    """Put the guard before Streamlit's application, and keep uploads out of temporary files."""
    plain = vars(starlette_server)[BUILDER]
    if hasattr(plain, _GUARDED):
        return

    def guarded(runtime: Runtime) -> ASGIApp:
        return RequestGuard(plain(runtime), most_uploaded())

    setattr(guarded, _GUARDED, True)
    setattr(starlette_server, BUILDER, guarded)
    # 0 stands for "never": a full disk would be an error of the server's, in words of nobody's.
    MultiPartParser.spool_max_size = 0


def _logged_in(session: str) -> bool:
    found = Runtime.instance().get_app_session(session) if Runtime.exists() else None
    return found is not None and found._user_info.get("is_logged_in") is True


def _held() -> int:
    """Bytes of all uploads that sessions hold now."""
    found = Runtime.instance().uploaded_file_mgr.get_stats() if Runtime.exists() else {}
    return sum(int(getattr(s, "byte_length", 0)) for stats in found.values() for s in stats)


def _size(scope: Scope) -> int:
    """Bytes that a request announces; the most there may be where it does not say."""
    told = Headers(scope=scope).get("content-length", "")
    return int(told) if told.isdecimal() else int(config.get_option("server.maxUploadSize")) << 20


def _remember(file: str, sentence: str) -> None:
    _refused[file] = sentence
    while len(_refused) > REMEMBERED:
        del _refused[next(iter(_refused))]


def _without_content(scope: Scope, receive: Receive) -> Receive:
    """Let an upload through with its name and nothing in it: the page can then say why.

    A plain refusal would be shown by the browser as "AxiosError". What else comes is thrown away.
    """
    told = re.search(r'boundary="?([^";,]+)', Headers(scope=scope).get("content-type", ""))
    end = f"\r\n--{told.group(1) if told else ''}--\r\n".encode("latin-1", "replace")
    head, begun = b"", False

    async def emptied() -> Message:
        nonlocal head, begun
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return message
            more = bool(message.get("more_body"))
            if not begun:
                head += message.get("body", b"")
                top, found, _ = head.partition(b"\r\n\r\n")
                if found or not more or len(head) > 1 << 16:
                    begun, head = True, b""
                    return {"type": "http.request", "body": top + found, "more_body": True}
            if not more:
                return {"type": "http.request", "body": end, "more_body": False}

    return emptied
