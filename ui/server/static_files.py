"""The browser code in ``static/``, served under an address that changes whenever a file does.

Streamlit does not say how long a browser may keep a file. Under ``app/static/<version>/`` it may
for good, and modules that import each other by relative paths always come from one version.
"""

import gzip
import mimetypes
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATIC = Path(__file__).resolve().parents[2] / "static"
ADDRESS = "app/static/"
"""Where Streamlit serves the folder, below its base path."""
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css"}
KEEP = "public, max-age=31536000, immutable"

SHEETS = (
    *("app/app.css", "app/header.css", "app/controls.css"),
    *("page/page.css", "page/present.css", "page/print.css"),
    *("owner/owner.css", "owner/steps.css", "owner/columns.css", "owner/decide.css"),
    *("app/release.css", "app/learn.css", "app/papers.css"),
)
"""Style sheets of every page, in their order."""

_IMPORT = """\
const app = document.querySelector("script[type=module][src]").src;
const files = new URL("../../{address}", app);
{early}const {{ default: draw }} = await import(new URL("{module}", files).href);
"""
"""Streamlit's own script lies two folders below the base path, whatever page was opened, and
whether or not a proxy in front of the server has added to that path."""
_BASE = (
    '<script>window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href }</script>'
)
"""Where the server is: Streamlit would first look for one below the page, in vain."""


_serving = False


def serve_versions() -> None:
    """Announce that ``BrowserCode`` stands before Streamlit: pages then ask for versions."""
    global _serving
    _serving = True


def styles() -> str:
    """Return the style sheets for a page of ``streamlit run app.py``, whose head links none."""
    return "" if _serving else "".join(files()[name].decode() for name in SHEETS)


@cache
def files() -> dict[str, bytes]:
    """Return the content of every file, by its path below ``static/``, as first read."""
    found = sorted(path for path in STATIC.rglob("*") if path.is_file())
    return {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in found}


@cache
def version() -> str:
    """Return a digest of all files with their names."""
    digest = sha256()
    for name, content in files().items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def import_script(module: str, early: str = "") -> str:
    """Return the beginning of a component's script, in which ``draw`` is what a module gives.

    ``early`` is a module that takes long to load: it begins before those that need it are read.
    """
    begun = f'import(new URL("{early}", files).href);\n' if early else ""
    address = f"{ADDRESS}{version()}/" if _serving else ADDRESS
    return _IMPORT.format(address=address, module=module, early=begun)


class BrowserCode:
    """An ASGI application around Streamlit's: versioned files, and pages that link the styles.

    The files are held in memory, so that what is sent under a version is that version even if the
    folder has changed since. What a page sends as a style Streamlit applies a frame after it has
    drawn the first elements, and all of them move. Links at the end stand behind Streamlit's own
    rules.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._compressed = {
            name: gzip.compress(content, mtime=0) for name, content in files().items()
        }
        links = (f'<link rel="stylesheet" href="./{ADDRESS}{version()}/{s}">' for s in SHEETS)
        self._end = f"{_BASE}{''.join(links)}</body>".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a file, or pass the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked, _, name = str(scope["path"]).partition(f"/{ADDRESS}")[2].partition("/")
        if asked == version() and name in files() and scope["method"] in ("GET", "HEAD"):
            await self._file(scope, name)(scope, receive, send)
        elif _is_page(scope):
            await self._page(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _file(self, scope: Scope, name: str) -> Response:
        content, headers = files()[name], {"Cache-Control": KEEP, "Vary": "Accept-Encoding"}
        if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            content, headers["Content-Encoding"] = self._compressed[name], "gzip"
        kind = MEDIA_TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0]
        return Response(content, headers=headers, media_type=kind or "application/octet-stream")

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on whose answer, where it is a page, links the style sheets."""
        # Whole and plain, however the browser has it already.
        left_out = (b"accept-encoding", b"if-none-match", b"if-modified-since")
        headers = [(name, value) for name, value in scope["headers"] if name not in left_out]
        start: Message = {}
        body = b""

        async def gathered(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                return
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            if Headers(raw=start["headers"]).get("content-type", "").startswith("text/html"):
                body = body.replace(b"</body>", self._end, 1)
                MutableHeaders(scope=start)["Content-Length"] = str(len(body))
            await send(start)
            await send({**message, "body": body})

        await self._app({**scope, "headers": headers}, receive, gathered)


def _is_page(scope: Scope) -> bool:
    accepted = Headers(scope=scope).get("accept", "")
    return "text/html" in accepted and "." not in Path(scope["path"]).name
