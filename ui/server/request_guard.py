"""Checks before every request: known hosts, no foreign frames, no upload without a login or room.

Streamlit compares the Host with ``server.allowedHosts`` for its websocket only, sends no header
against frames, and accepts uploads from every session, logged in or not, as many as there are.
"""

import os
from contextlib import suppress
from pathlib import Path

from cachetools import FIFOCache
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.runtime import Runtime
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from ui.server.login import logged_in, login_required

HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
"""Of every response: no other site may show a page in its own frame and steer the clicks."""
UPLOAD_PATH = "/_stcore/upload_file/"
UPLOADS_VARIABLE = "DPCA_UPLOADS"
"""Environment variable with the most MB that the uploads of all sessions may take together."""
SHARE_OF_MEMORY, LEAST_BYTES, ASSUMED_MEMORY = 8, 64 << 20, 4 << 30
"""Without it: one part in so many of the machine's memory, which not every machine reports."""
FULL = (
    "There is no space left for this file: this server holds {held:.0f} MB of uploads for all "
    "users, and the limit is {limit:.0f} MB. Try again when others have left, or upload fewer "
    "columns."
)
_EMPTY = b'--x\r\nContent-Disposition: form-data; name="f"; filename="refused"\r\n\r\n\r\n--x--\r\n'
_refusals: FIFOCache[str, str] = FIFOCache(1000)


class RequestGuard:
    """Passes requests on to Streamlit; uploads, those arriving too, may take ``limit`` bytes."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app, self._limit, self._arriving = app, limit, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        _, is_upload, rest = str(scope["path"]).partition(UPLOAD_PATH)
        session, _, file = rest.partition("/")
        answer = self._app
        if not is_host_allowed(Headers(scope=scope).get("host")):
            answer = PlainTextResponse("This server does not answer to this host name.", 400)
        elif is_upload and scope["method"] != "OPTIONS":
            if login_required() and not logged_in(session):
                answer = PlainTextResponse("Log in first.", 403)
            elif scope["method"] == "PUT":
                await self._upload(file, scope, receive, send_with_headers)
                return
        await answer(scope, receive, send_with_headers)

    async def _upload(self, file: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Count an upload while it arrives, and pass it on, or an empty one where it is too large.

        So the page can say why: a plain refusal the browser would show as "AxiosError".
        """
        announced, held = Headers(scope=scope).get("content-length", ""), held_bytes()
        most = int(config.get_option("server.maxUploadSize")) << 20
        size = int(announced) if announced.isdecimal() else most
        if held + self._arriving + size > self._limit:
            _refusals[file] = FULL.format(held=held / 1e6, limit=self._limit / 1e6)
            while (await receive()).get("more_body"):
                pass
            receive, size = _nothing, 0
            headers = MutableHeaders(raw=list(scope["headers"]))
            headers["content-type"] = "multipart/form-data; boundary=x"
            headers["content-length"] = str(len(_EMPTY))
            scope = {**scope, "headers": headers.raw}
        self._arriving += size
        try:
            await self._app(scope, receive, send)
        finally:
            self._arriving -= size


async def _nothing() -> Message:
    return {"type": "http.request", "body": _EMPTY, "more_body": False}


def refusal(file: str) -> str | None:
    """Return the message with which an uploaded file was refused, by its id."""
    return _refusals.get(file)


def held_bytes() -> int:
    """Return the bytes of all uploads that sessions hold now."""
    found = Runtime.instance().uploaded_file_mgr.get_stats() if Runtime.exists() else {}
    return sum(int(getattr(s, "byte_length", 0)) for stats in found.values() for s in stats)


def upload_limit() -> int:
    """Return how many bytes of uploads all sessions together may hold."""
    megabytes = os.environ.get(UPLOADS_VARIABLE, "")
    if megabytes.isdecimal():
        return int(megabytes) * 1_000_000
    return max(total_memory() // SHARE_OF_MEMORY, LEAST_BYTES)


def total_memory(root: Path = Path("/")) -> int:
    """Return the bytes of memory of this machine, or of the container it is in, if that is less."""
    found = []
    with suppress(OSError, ValueError, IndexError):
        found.append(1024 * int((root / "proc/meminfo").read_text().split()[1]))
    with suppress(OSError, ValueError):
        found.append(int((root / "sys/fs/cgroup/memory.max").read_text()))
    return min(found, default=ASSUMED_MEMORY)
