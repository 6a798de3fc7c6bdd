"""How much memory the uploads of all sessions may take together, and what happens beyond that."""

import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from cachetools import FIFOCache
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope
from streamlit import config
from streamlit.runtime import Runtime

UPLOADS_VARIABLE = "DPCA_UPLOADS"
"""Environment variable with the limit in MB."""

SHARE_OF_MEMORY = 8
"""Without that variable: the limit is one part in so many of the machine's memory."""

LEAST_BYTES = 64 << 20
"""The limit is never lower than this."""

ASSUMED_MEMORY = 4 << 30
"""Bytes of memory of a machine that does not report them."""

FULL = (
    "There is no space left for this file: this server holds {held:.0f} MB of uploads for all "
    "users, and the limit is {limit:.0f} MB. Try again when others have left, or upload fewer "
    "columns."
)
MOST_REMEMBERED = 1000
"""Refusals that are remembered; the oldest go first."""

_refusals: FIFOCache[str, str] = FIFOCache(MOST_REMEMBERED)


def total_memory(root: Path = Path("/")) -> int | None:
    """Return the bytes of memory of this machine, or of the container it is in, if that is less.

    None where neither is known, as on systems other than Linux.
    """
    found = []
    with suppress(OSError, ValueError, IndexError):
        found.append(1024 * int((root / "proc/meminfo").read_text().split()[1]))
    with suppress(OSError, ValueError):
        found.append(int((root / "sys/fs/cgroup/memory.max").read_text()))
    return min(found, default=None)


def upload_limit() -> int:
    """Return how many bytes of uploads all sessions together may hold."""
    megabytes = os.environ.get(UPLOADS_VARIABLE, "")
    if megabytes.isdecimal():
        return int(megabytes) * 1_000_000
    return max((total_memory() or ASSUMED_MEMORY) // SHARE_OF_MEMORY, LEAST_BYTES)


def refusal(file: str) -> str | None:
    """Return the message with which an uploaded file was refused, by its id."""
    return _refusals.get(file)


class UploadLimit:
    """Counts uploads that sessions hold and those that are arriving.

    Parameters
    ----------
    limit
        Bytes for both together.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._arriving = 0

    @asynccontextmanager
    async def counted(self, scope: Scope) -> AsyncIterator[bool]:
        """Count a request's file while it arrives; yield whether it fits."""
        size = _announced_bytes(scope) if scope["method"] == "PUT" else 0
        fits = held_bytes() + self._arriving + size <= self._limit
        self._arriving += size if fits else 0
        try:
            yield fits
        finally:
            self._arriving -= size if fits else 0

    def refuse(self, file: str) -> None:
        """Remember that a file was refused, so that the page can say why."""
        remember_refusal(file, FULL.format(held=held_bytes() / 1e6, limit=self._limit / 1e6))


def remember_refusal(file: str, message: str) -> None:
    """Keep the message for a refused file."""
    _refusals[file] = message


def held_bytes() -> int:
    """Return the bytes of all uploads that sessions hold now."""
    found = Runtime.instance().uploaded_file_mgr.get_stats() if Runtime.exists() else {}
    return sum(int(getattr(s, "byte_length", 0)) for stats in found.values() for s in stats)


def _announced_bytes(scope: Scope) -> int:
    """Return the bytes that a request announces; the most there may be where it does not."""
    length = Headers(scope=scope).get("content-length", "")
    if length.isdecimal():
        return int(length)
    return int(config.get_option("server.maxUploadSize")) << 20


def without_content(scope: Scope, receive: Receive) -> Receive:
    """Let an upload pass with its name and no content, so that the page can say why.

    The browser would show a plain refusal as "AxiosError". The rest of the upload is discarded.
    """
    content_type = Headers(scope=scope).get("content-type", "")
    boundary = re.search(r'boundary="?([^";,]+)', content_type)
    end = f"\r\n--{boundary.group(1) if boundary else ''}--\r\n".encode("latin-1", "replace")
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
