"""The browser code in ``static/``, served under an address that changes whenever a file does.

Under ``app/static/<version>/`` a browser may keep a file for good, and modules that import each
other by relative paths always come from one version.
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
"""Of all versions, below the server's base path."""
SHEETS = (
    *("app/app.css", "app/header.css", "app/controls.css"),
    *("page/page.css", "page/present.css", "page/print.css"),
    *("owner/table.css", "owner/steps.css", "owner/beside_table.css", "owner/decide.css"),
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
    return _IMPORT.format(address=f"{ADDRESS}{version()}/", module=module, early=begun)


class BrowserCode:
    """An ASGI application around Streamlit's: versioned files, and pages that link the styles.

    Files are held in memory: under a version comes that version, even if the folder has changed.
    What a page sends as a style Streamlit applies a frame after it has drawn the first elements,
    and all of them move. Links at the end stand behind Streamlit's own rules.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._small = {name: gzip.compress(content, mtime=0) for name, content in files().items()}
        links = (f'<link rel="stylesheet" href="./{ADDRESS}{version()}/{s}">' for s in SHEETS)
        self._end = f"{_BASE}{''.join(links)}</body>".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a file, or pass the request on."""
        path, headers = str(scope.get("path", "")), Headers(raw=scope.get("headers", []))
        asked, _, name = path.partition(f"/{ADDRESS}")[2].partition("/")
        is_read = scope.get("method") in ("GET", "HEAD")
        if is_read and asked == version() and name in files():
            await self._file(name, headers)(scope, receive, send)
        elif is_read and "text/html" in headers.get("accept", "") and "." not in Path(path).name:
            await self._page(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _file(self, name: str, asked: Headers) -> Response:
        content = files()[name]
        told = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
        if "gzip" in asked.get("accept-encoding", ""):
            content, told["Content-Encoding"] = self._small[name], "gzip"
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Response(content, headers=told, media_type=kind)

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on whose answer, where it is a page, links the style sheets."""
        # Whole and plain, however the browser has it already.
        left_out = (b"accept-encoding", b"if-none-match", b"if-modified-since")
        headers = [(name, value) for name, value in scope["headers"] if name not in left_out]
        sent: list[Message] = []

        async def gather(message: Message) -> None:
            sent.append(message)

        await self._app({**scope, "headers": headers}, receive, gather)
        start, body = sent[0], b"".join(part.get("body", b"") for part in sent[1:])
        if Headers(raw=start["headers"]).get("content-type", "").startswith("text/html"):
            body = body.replace(b"</body>", self._end, 1)
            MutableHeaders(scope=start)["Content-Length"] = str(len(body))
        await send(start)
        await send({"type": "http.response.body", "body": body})
