"""Load test with thirty sessions on one server: response times, isolation, memory.

Starts the real server on this machine and opens sessions by Streamlit's own protocol over a
websocket, each with a data set of its own. Each changes a control once a second, asks for
refinement in between as the browser does, and checks that every answer is of its own data.

    python -m benchmarks.load --sessions 30 --seconds 120
"""

import asyncio
import json
import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, time
from typing import Any
from urllib.parse import urlencode, urlsplit

from ui import LIBRARY_DEFAULTS

# Made-up data are compared with the server's to the last bit, which depends on BLAS's threads.
os.environ.update({**LIBRARY_DEFAULTS, **os.environ})

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.report import line, megabytes, options
from dpca_core import MECHANISMS, Adjacency
from sample_data import load_key
from tests.browser.server import serving
from ui.explore.query import Along, identity_of
from ui.page.content import unpacked
from ui.state.slider_stops import EPSILON_STOPS

Payload = dict[str, Any]
COMPONENT, TARGET = "explore", 0.9
"""Key of the component that draws the page, and the share of variation asked for."""
DELAY_AFTER_CHANGE, DELAY_AFTER_REFINEMENT, TIMEOUT = 0.25, 0.03, 30.0
"""Seconds until the browser asks for a refinement, and the longest wait for an answer."""
COLUMNS, DIRECTIONS, PEOPLE, DELTA = 20, 5, 2000, 1e-6
STOPS: dict[str, list[Any]] = {"k": [*range(1, COLUMNS)], "epsilon": [*EPSILON_STOPS]}
CHANGED = (0.75, 0.25)
"""Controls with their stops, and how often each is the one that is changed."""
OPENING, CHANGE = "opening, all at once", "change until its answer"


class Tally:
    """What all sessions saw: times in milliseconds, sizes in kilobytes as sent, and counts."""

    def __init__(self) -> None:
        self.times, self.counts = defaultdict[str, list[float]](list), Counter[str]()
        self.sizes, self.faults = list[float](), list[str]()


class Session:
    """A visitor of Explore without a browser, with its own data: its settings, and checks."""

    def __init__(self, number: int, address: str, tally: Tally) -> None:
        self.key = f"wangxu?n={PEOPLE + number}&p={COLUMNS}&k={DIRECTIONS}&seed={number}"
        self.data = load_key(self.key)
        self.spectrum = self.data.problem(1).spectrum
        self.at: dict[str, Any] = {"k": DIRECTIONS, "epsilon": 0.1}
        self.rng, self.tally = np.random.default_rng(number), tally
        self.address = f"ws://{urlsplit(address).netloc}/_stcore/stream"
        self.latest: Payload = {}
        self._ids, self._values, self._said = dict[str, str](), dict[str, Any](), dict[str, Any]()
        self._size, self._fragment, self._drawn = 0, "", asyncio.Condition()
        self._socket: ClientConnection
        self._listener: asyncio.Task[None]

    async def open(self) -> None:
        """Connect, and ask for the page."""
        started, message = perf_counter(), BackMsg()
        self._socket = await connect(self.address, subprotocols=["streamlit"], max_size=None)  # type: ignore[list-item]
        self._listener = asyncio.create_task(self._listen())
        query = {"data": self.key, "k": self.at["k"], "epsilon": self.at["epsilon"]}
        message.rerun_script.query_string = urlencode(query)
        await self._socket.send(message.SerializeToString())
        await self._answer(lambda p: True, OPENING, started)

    async def close(self) -> None:
        """Disconnect, as a closed tab does."""
        await self._socket.close()
        await asyncio.wait([self._listener])

    async def work(self, start: float, seconds: float) -> None:
        """Change a control every second until the time is over; refine in between."""
        await asyncio.sleep(max(0.0, start - perf_counter()))
        while (now := perf_counter()) < start + seconds:
            await self._change()
            await self._refine(now + 1)
            await asyncio.sleep(max(0.0, now + 1 - perf_counter()))

    async def _change(self) -> None:
        """Move a control to a neighbouring stop, or to the next but one."""
        started, name = perf_counter(), str(self.rng.choice([*STOPS], p=CHANGED))
        stops = STOPS[name]
        to = abs(stops.index(self.at[name]) + int(self.rng.choice([-2, -1, 1, 2])))
        value = self.at[name] = stops[min(to, 2 * len(stops) - 2 - to)]
        if name == "epsilon":
            self._choose("rule", value)
        else:
            self._values[name] = value
        await self._send()
        rule = EPSILON_STOPS.index(self.at["epsilon"])

        def matches(p: Payload) -> bool:
            asked = p["id"] == self._identity and p["rule"]["index"] == rule
            return bool(asked and p["says"]["answer"][rule])

        await self._answer(matches, CHANGE, started)

    @property
    def _identity(self) -> str:
        """The identity of the charts for the current settings."""
        at, neighbours = self.at, Adjacency.ADD_OR_REMOVE_ONE
        asked = Along(at["epsilon"], DELTA, float(self.data.people), at["k"], neighbours)
        return identity_of(self.data, asked, MECHANISMS["gaussian"], TARGET)

    async def _refine(self, until: float) -> None:
        """Ask for more as the browser does, while there is time."""
        delay = max(DELAY_AFTER_CHANGE, self.latest["pause"] / 1000)
        while not self.latest["complete"] and perf_counter() + delay < until:
            await asyncio.sleep(delay)
            seen = self.latest["stage"]
            self._choose("more", self.latest["id"])
            await self._send()
            try:
                await self._wait(lambda p, seen=seen: p["stage"] > seen, until)  # type: ignore[misc]
            except TimeoutError:
                return
            self.tally.counts["refinements"] += 1
            self._check()
            delay = max(DELAY_AFTER_REFINEMENT, self.latest["pause"] / 1000)

    async def _answer(self, matches: Callable[[Payload], bool], what: str, started: float) -> None:
        try:
            await self._wait(matches, perf_counter() + TIMEOUT)
        except TimeoutError:
            self.tally.faults.append("no answer")
            return
        self.tally.times[what].append(1000 * (perf_counter() - started))
        self._check()

    async def _wait(self, matches: Callable[[Payload], bool], until: float) -> None:
        """Wait for charts that match; TimeoutError where none arrive."""
        async with asyncio.timeout(max(0.0, until - perf_counter())), self._drawn:
            await self._drawn.wait_for(lambda: bool(self.latest) and matches(self.latest))

    def _check(self) -> None:
        """Check that footer, identity and spectrum are of this session's data."""
        found = self.latest
        self.tally.sizes.append(self._size / 1000)
        chart = next(each for each in found["charts"] if each["key"] == "spectrum")
        shown = next(t for t in chart["figure"]["data"] if t.get("name") == "eigenvalue of S")
        x, y = (np.array(shown[name], dtype=float) for name in "xy")
        known = np.isfinite(y)
        own = self.spectrum[x[known].astype(int) - 1]
        self.tally.counts["answers of another session"] += (
            found["id"] != self._identity
            or f"{self.data.people:,} people × {COLUMNS} columns" not in found["says"]["footer"]
            or not np.allclose(y[known], own, rtol=1e-6)
        )

    def _choose(self, name: str, value: Any) -> None:
        """Note a choice made in the charts component."""
        self._said[name] = {"value": value, "at": time() * 1000}

    async def _send(self) -> None:
        """Send values of sliders, and choices."""
        message = BackMsg()
        message.rerun_script.fragment_id = self._fragment
        states = message.rerun_script.widget_states.widgets
        for key, value in self._values.items():
            states.add(id=self._ids[key]).double_array_value.data.append(value)
        if self._said:
            states.add(id=self._ids[COMPONENT], json_value=json.dumps(self._said))
        await self._socket.send(message.SerializeToString())

    async def _listen(self) -> None:
        """Keep the ids of widgets and the latest charts of what the server sends."""
        async for raw in self._socket:
            message = ForwardMsg.FromString(raw)
            if message.WhichOneof("type") == "session_event":
                self.tally.faults.append(str(message.session_event)[:200])
            element = message.delta.new_element
            if (kind := element.WhichOneof("type")) is None:
                continue
            if kind == "exception":
                self.tally.faults.append(element.exception.message[:200])
            widget = getattr(element, kind)
            key = getattr(widget, "id", "").rpartition("-")[2]
            if key:
                self._ids[key] = widget.id
            if key == COMPONENT:
                self._fragment = message.delta.fragment_id
                async with self._drawn:
                    self.latest, self._size = unpacked(widget.bytes), len(widget.bytes)
                    self._drawn.notify_all()


def processor_seconds(pid: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def visit(address: str, sessions: int, seconds: float) -> Tally:
    """Open all sessions, let them work, and close them."""
    tally = Tally()
    simulated = [Session(number, address, tally) for number in range(sessions)]
    await asyncio.gather(*(session.open() for session in simulated))
    start = perf_counter() + 1
    at_work = (one.work(start + i / sessions, seconds) for i, one in enumerate(simulated))
    await asyncio.gather(*at_work)
    await asyncio.gather(*(session.close() for session in simulated))
    return tally


def main() -> None:
    """Run the benchmark and print times, errors and answers from other sessions' data."""
    asked = options(__doc__, sessions=30, seconds=120.0)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log.txt") as served:
        address, pid = served
        # The first visitor pays for the server's imports: not counted.
        asyncio.run(visit(address, 1, 2))
        warm, used = megabytes("VmRSS", pid), processor_seconds(pid)
        tally = asyncio.run(visit(address, asked.sessions, asked.seconds))
        used = processor_seconds(pid) - used
        answers = max(1, len(tally.times[CHANGE]) + tally.counts["refinements"])
        for what, times in tally.times.items():
            print(line(what, times))
        print(line("size of an answer", tally.sizes, "kB"))
        said = dict[str, object](tally.counts) | {
            "errors": f"{len(tally.faults)}  {tally.faults[:3]}",
            "processor time an answer": f"{1000 * used / answers:.0f} ms",
            "memory, warm and at the peak": f"{warm:.0f} MB, {megabytes('VmHWM', pid):.0f} MB",
        }
        for what, value in said.items():
            print(f"{what:<46} {value}")
        if tally.faults:
            print((Path(folder) / "log.txt").read_text(errors="replace")[-3000:])


if __name__ == "__main__":
    main()
