"""A visitor of the Explore page without a browser: Streamlit's own protocol over a websocket."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from ui.page.content import unpacked

COMPONENT = "explore"
"""Key of the component that draws the page."""

Payload = dict[str, Any]


class Visitor:
    """One session: sends what the browser would send and keeps what comes back."""

    def __init__(self, address: str) -> None:
        self.address = f"ws://{urlsplit(address).netloc}/_stcore/stream"
        self.ids: dict[str, str] = {}
        self.latest: Payload = {}
        self.latest_bytes = 0
        self.faults: list[str] = []
        self._values: dict[str, tuple[str, Any]] = {}
        self._said: dict[str, dict[str, Any]] = {}
        self._fragment = ""
        self._drawn = asyncio.Condition()
        self._socket: ClientConnection
        self._listener: asyncio.Task[None]

    async def open(self, query: dict[str, str]) -> None:
        """Connect and ask for the page with this query string."""
        self._socket = await connect(self.address, subprotocols=["streamlit"], max_size=None)  # type: ignore[list-item]
        self._listener = asyncio.create_task(self._listen())
        message = BackMsg()
        message.rerun_script.query_string = urlencode(query)
        await self._socket.send(message.SerializeToString())

    async def close(self) -> None:
        """Disconnect, as a closed tab does."""
        await self._socket.close()
        await asyncio.wait([self._listener])

    async def slide(self, key: str, value: float | str) -> None:
        """Move a slider to a value, or to a stop by its text."""
        kind = "string_array_value" if isinstance(value, str) else "double_array_value"
        self._values[key] = (kind, [value])
        await self._send()

    async def choose(self, name: str, value: Any) -> None:
        """Report a choice made in the charts component."""
        self._said[name] = {"value": value, "at": time.time() * 1000}
        self._values[COMPONENT] = ("json_value", self._said)
        await self._send()

    async def answer(self, matches: Callable[[Payload], bool], seconds: float) -> Payload:
        """Wait for charts that match; TimeoutError where none arrive."""
        async with self._drawn:
            await asyncio.wait_for(
                self._drawn.wait_for(lambda: bool(self.latest) and matches(self.latest)), seconds
            )
        return self.latest

    async def _send(self) -> None:
        message = BackMsg()
        message.rerun_script.fragment_id = self._fragment
        states = message.rerun_script.widget_states.widgets
        for key, (kind, value) in self._values.items():
            if kind == "json_value":
                states.add(id=self.ids[key], json_value=json.dumps(value))
            else:
                getattr(states.add(id=self.ids[key]), kind).data.extend(value)
        await self._socket.send(message.SerializeToString())

    async def _listen(self) -> None:
        async for raw in self._socket:
            message = ForwardMsg.FromString(raw)
            kind = message.WhichOneof("type")
            if kind == "session_event":
                self.faults.append(str(message.session_event)[:200])
            if kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                await self._take(message)

    async def _take(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.faults.append(element.exception.message[:200])
        widget = getattr(element, kind or "html")
        if not hasattr(widget, "id"):
            return
        key = widget.id.rpartition("-")[2]
        self.ids[key] = widget.id
        if key == COMPONENT:
            self._fragment = message.delta.fragment_id
            async with self._drawn:
                self.latest = unpacked(widget.bytes)
                self.latest_bytes = len(widget.bytes)
                self._drawn.notify_all()
