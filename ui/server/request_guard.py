"""Checks before every request: known hosts, no foreign frames, no upload without a login."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import Runtime
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from ui.server.login import login_required
from ui.server.upload_limit import UploadLimit, without_content

HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
"""Of every response: no other site may show a page in its own frame and steer the clicks."""

UPLOAD_PATH = "/_stcore/upload_file/"


class RequestGuard:
    """An ASGI application around Streamlit's.

    Streamlit compares the Host with ``server.allowedHosts`` for its websocket only, sends no
    header against frames, and accepts uploads from every session, logged in or not.

    Parameters
    ----------
    app
        Answers the requests that pass.
    limit
        Bytes of uploads that all sessions may hold together, those arriving included.
    """

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._uploads = UploadLimit(limit)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if not is_host_allowed(Headers(scope=scope).get("host")):
            refused = PlainTextResponse("This server does not answer to this host name.", 400)
            await refused(scope, receive, send_with_headers)
            return
        _, is_upload, rest = str(scope["path"]).partition(UPLOAD_PATH)
        if not is_upload or scope["method"] == "OPTIONS":
            await self._app(scope, receive, send_with_headers)
            return
        session, _, file = rest.partition("/")
        if login_required() and not _logged_in(session):
            await PlainTextResponse("Log in first.", 403)(scope, receive, send_with_headers)
            return
        async with self._uploads.counted(scope) as fits:
            if not fits:
                self._uploads.refuse(file)
                receive = without_content(scope, receive)
            await self._app(scope, receive, send_with_headers)


def _logged_in(session: str) -> bool:
    found = Runtime.instance().get_app_session(session) if Runtime.exists() else None
    return found is not None and found._user_info.get("is_logged_in") is True
