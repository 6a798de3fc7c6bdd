"""Load test with thirty sessions on one server: response times, isolation, memory.

Starts the real server on this machine and opens sessions over websockets, each with a data set of
its own. Each changes a control once a second, asks for refinement in between as the browser does,
and checks that every answer is computed from its own data.

    python -m benchmarks.load --sessions 30 --seconds 120
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from ui import LIBRARY_DEFAULTS

# Made-up data are compared with the server's to the last bit, which depends on BLAS's threads.
os.environ.update({**LIBRARY_DEFAULTS, **os.environ})

import numpy as np

from benchmarks.latency import line
from benchmarks.visitor import Payload, Visitor
from dpca_core import MECHANISMS, Adjacency
from dpca_core.data.dataset import Dataset
from dpca_core.text.privacy_numbers import power
from sample_data import load_key
from tests.browser.server import serving
from ui.explore.query import Along, identity_of
from ui.server.scheduler import BUSY
from ui.server.sessions import RECONNECT_SECONDS
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS

T = TypeVar("T")
TARGET = 0.9
"""Share of variation asked for."""
DELAY_AFTER_CHANGE, DELAY_AFTER_REFINEMENT, TIMEOUT = 0.25, 0.03, 30.0
"""Seconds until the browser asks for a refinement, and the longest wait for an answer."""
SETTLED = 30.0 + RECONNECT_SECONDS
"""Seconds between the last disconnection and a reading of the server's memory."""
COLUMNS, DIRECTIONS, PEOPLE = 20, 5, 2000


@dataclass
class Tally:
    """What all sessions saw; times in milliseconds, sizes in kilobytes as sent."""

    opening: list[float] = field(default_factory=list)
    changes: list[float] = field(default_factory=list)
    sizes: list[float] = field(default_factory=list)
    refined: int = 0
    while_busy: int = 0
    wrong: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    peak: float = 0.0


class Session:
    """One simulated session with its own data: its settings, and checks of the answers."""

    def __init__(self, number: int, address: str, tally: Tally) -> None:
        self.key = f"wangxu?n={PEOPLE + number}&p={COLUMNS}&k={DIRECTIONS}&seed={number}"
        self.data: Dataset = load_key(self.key)
        self.spectrum = self.data.problem(1, float(self.data.people)).spectrum
        self.k, self.delta, self.epsilon = DIRECTIONS, 1e-6, 0.1
        self.rng, self.tally = np.random.default_rng(number), tally
        self.visitor = Visitor(address)

    @property
    def identity(self) -> str:
        """The identity of the charts for the current settings."""
        neighbours, people = Adjacency.ADD_OR_REMOVE_ONE, float(self.data.people)
        asked = Along(self.epsilon, self.delta, people, self.k, neighbours)
        return identity_of(self.data, asked, MECHANISMS["gaussian"], TARGET)

    async def open(self) -> None:
        """Open the page."""
        started = time.perf_counter()
        query = {"data": self.key, "k": str(self.k), "epsilon": f"{self.epsilon:g}"}
        await self.visitor.open(query)
        await self._await_answer(lambda p: True, self.tally.opening, started)

    async def work(self, start: float, seconds: float) -> None:
        """Change a control every second until the time is over; refine in between."""
        await asyncio.sleep(max(0.0, start - time.perf_counter()))
        while (now := time.perf_counter()) < start + seconds:
            await self._change()
            await self._refine(now + 1)
            await asyncio.sleep(max(0.0, now + 1 - time.perf_counter()))

    async def _change(self) -> None:
        control = str(self.rng.choice(["k", "delta", "epsilon"], p=[0.6, 0.2, 0.2]))
        started = time.perf_counter()
        if control == "k":
            self.k = self._other([*range(1, COLUMNS)], self.k)
            await self.visitor.slide("k", self.k)
        elif control == "delta":
            self.delta = self._other(list(DELTA_STOPS[1:]), self.delta)
            await self.visitor.slide("delta", power(self.delta))
        else:
            self.epsilon = self._other(list(EPSILON_STOPS), self.epsilon)
            await self.visitor.choose("rule", self.epsilon)
        start = EPSILON_STOPS.index(self.epsilon)

        def matches(p: Payload) -> bool:
            asked = p["id"] == self.identity and p["rule"]["index"] == start
            return bool(asked and p["says"]["answer"][start])

        await self._await_answer(matches, self.tally.changes, started)

    def _other(self, stops: list[T], current: T) -> T:
        """Return a neighbouring stop, or the next but one."""
        at = stops.index(current) + int(self.rng.choice([-2, -1, 1, 2]))
        return stops[abs(at) if at < len(stops) else 2 * len(stops) - 2 - at]

    async def _await_answer(
        self, matches: Callable[[Payload], bool], times: list[float], started: float
    ) -> None:
        try:
            found = await self.visitor.answer(matches, TIMEOUT)
        except TimeoutError:
            self.tally.faults["no answer"] += 1
            return
        times.append(1000 * (time.perf_counter() - started))
        self.tally.while_busy += BUSY in found["progress"]
        self._check(found)

    def _check(self, found: Payload) -> None:
        """Check that footer, identity and spectrum are of this session's data."""
        self.tally.sizes.append(self.visitor.latest_bytes / 1000)
        chart = next(each for each in found["charts"] if each["key"] == "spectrum")
        shown = next(t for t in chart["figure"]["data"] if t.get("name") == "eigenvalue of S")
        x, y = (np.array(shown[name], dtype=float) for name in "xy")
        known = np.isfinite(y)
        own = self.spectrum[x[known].astype(int) - 1]
        if (
            found["id"] != self.identity
            or f"{self.data.people:,} people × {COLUMNS} columns" not in found["says"]["footer"]
            or not np.allclose(y[known], own, rtol=1e-6)
        ):
            self.tally.wrong.append(f"{self.key}: {found['id']} {found['says']['footer'][:60]}")

    async def _refine(self, until: float) -> None:
        """Ask for more as the browser does, while there is time."""
        delay = max(DELAY_AFTER_CHANGE, self.visitor.latest["pause"] / 1000)
        while not self.visitor.latest["complete"] and time.perf_counter() + delay < until:
            await asyncio.sleep(delay)
            seen = self.visitor.latest["stage"]
            await self.visitor.choose("more", self.visitor.latest["id"])
            try:
                left = max(0.0, until - time.perf_counter())
                await self.visitor.answer(lambda p, seen=seen: p["stage"] > seen, left)  # type: ignore[misc]
            except TimeoutError:
                return
            self.tally.refined += 1
            self._check(self.visitor.latest)
            delay = max(DELAY_AFTER_REFINEMENT, self.visitor.latest["pause"] / 1000)


def processor_seconds(pid: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    """Memory that a process has in RAM (VmRSS)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


async def visit(address: str, pid: int, sessions: int, seconds: float, tally: Tally) -> None:
    """Open all sessions, let them work, and close them; watch the server's memory meanwhile."""

    async def watch() -> None:
        while True:
            tally.peak = max(tally.peak, megabytes(pid))
            await asyncio.sleep(0.25)

    simulated = [Session(i, address, tally) for i in range(sessions)]
    watching = asyncio.create_task(watch())
    await asyncio.gather(*(session.open() for session in simulated))
    start = time.perf_counter() + 1
    await asyncio.gather(
        *(session.work(start + i / sessions, seconds) for i, session in enumerate(simulated))
    )
    for session in simulated:
        tally.faults.update(session.visitor.faults)
    await asyncio.gather(*(session.visitor.close() for session in simulated))
    watching.cancel()


def main() -> None:
    """Run the benchmark and print times, errors and answers from other sessions' data."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=120)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log.txt") as served:
        address, pid = served
        # The first visitor pays for the server's imports: not counted.
        asyncio.run(visit(address, pid, 1, 2, Tally()))
        tally, warm, used = Tally(), megabytes(pid), processor_seconds(pid)
        asyncio.run(visit(address, pid, asked.sessions, asked.seconds, tally))
        used = processor_seconds(pid) - used
        answers = max(1, len(tally.changes) + tally.refined)
        print(line("opening, all at once", tally.opening))
        print(line("change until its answer", tally.changes))
        print(line("size of an answer", tally.sizes, "kB"))
        print(f"{'largest answer':<46} {max(tally.sizes, default=0):.1f} kB")
        print(f"{'refinements':<46} {tally.refined}")
        print(f"{'changes answered while the server is busy':<46} {tally.while_busy}")
        print(f"{'answers of another session':<46} {len(tally.wrong)}  {tally.wrong[:3]}")
        print(f"{'errors':<46} {sum(tally.faults.values())}  {dict(tally.faults)}")
        print(f"{'processor time an answer':<46} {1000 * used / answers:.0f} ms")
        print(f"{'memory, warm and at the peak':<46} {warm:.0f} MB, {tally.peak:.0f} MB")
        time.sleep(SETTLED)
        print(f"{'memory, after all left':<46} {megabytes(pid):.0f} MB")
        if tally.faults:
            print((Path(folder) / "log.txt").read_text(errors="replace")[-3000:])


if __name__ == "__main__":
    main()
