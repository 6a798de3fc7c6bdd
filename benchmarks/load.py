"""A class of thirty on one server: how long each waits, whose numbers come, and what memory takes.

Starts the real server on this machine and opens sessions over websockets, each with a data set of
its own. Each moves a control once a second, asks for refinement while nobody moves, as the browser
does, and checks that what comes back is computed from its own data.

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

import numpy as np

from benchmarks.latency import eigh_milliseconds, line
from benchmarks.visitor import Payload, Visitor
from dpca_core import MECHANISMS, Adjacency
from dpca_core.data.dataset import Dataset
from dpca_core.text.privacy_numbers import power
from sample_data import load_key
from tests.browser.server import serving
from ui.explore.query import ExploreQuery
from ui.server.session_expiry import RECONNECT_SECONDS
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS

T = TypeVar("T")
TARGET, CALM, PAINTING = 0.9, 0.25, 0.03
"""Share asked for; seconds until the browser asks for more: after a move, after a refinement."""
WAIT, LEFT = 30.0, 30.0
"""Seconds: longest wait for an answer; between the last visitor's leaving and a look at memory."""
SOAK, MOST_LOG = 1200.0, 3000
COLUMNS, DIRECTIONS, PEOPLE = 20, 5, 2000


@dataclass
class Tally:
    """What all sessions saw; times in milliseconds."""

    opening: list[float] = field(default_factory=list)
    moves: dict[str, list[float]] = field(default_factory=dict)
    refined: int = 0
    coarser: int = 0
    wrong: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def all(self) -> list[float]:
        """All moves."""
        return [t for times in self.moves.values() for t in times]


class Pupil:
    """One session with its own data: what it has chosen, and what must come back."""

    def __init__(self, number: int, address: str, tally: Tally) -> None:
        self.key = f"wangxu?n={PEOPLE + number}&p={COLUMNS}&k={DIRECTIONS}&seed={number}"
        self.data: Dataset = load_key(self.key)
        self.spectrum = self.data.problem(1, float(self.data.people)).spectrum
        self.k, self.delta, self.epsilon = DIRECTIONS, 1e-6, 0.1
        self.rng, self.tally = np.random.default_rng(number), tally
        self.visitor = Visitor(address)

    @property
    def identity(self) -> str:
        """What the picture of the present choice is called."""
        view = ExploreQuery(
            MECHANISMS["gaussian"], self.k, self.delta, float(self.data.people),
            Adjacency.ADD_OR_REMOVE_ONE, 0,
        )  # fmt: skip
        return f"{view.digest(self.data)}-{TARGET:g}"

    async def open(self) -> None:
        """Open the page."""
        begun = time.perf_counter()
        query = {"data": self.key, "k": str(self.k), "epsilon": f"{self.epsilon:g}"}
        await self.visitor.open(query)
        await self._answered(lambda p: True, self.tally.opening, begun)

    async def work(self, start: float, seconds: float, every: float) -> None:
        """Move every so many seconds until the time is over; refine in between."""
        await asyncio.sleep(max(0.0, start - time.perf_counter()))
        while (now := time.perf_counter()) < start + seconds:
            await self._move()
            following = now + every
            await self._refine(following)
            await asyncio.sleep(max(0.0, following - time.perf_counter()))

    async def _move(self) -> None:
        what = str(self.rng.choice(["k", "delta", "epsilon"], p=[0.6, 0.2, 0.2]))
        begun = time.perf_counter()
        if what == "k":
            self.k = self._other([*range(1, COLUMNS)], self.k)
            await self.visitor.slide("k", self.k)
        elif what == "delta":
            self.delta = self._other(list(DELTA_STOPS[1:]), self.delta)
            await self.visitor.slide("delta", power(self.delta))
        else:
            self.epsilon = self._other(list(EPSILON_STOPS), self.epsilon)
            await self.visitor.say("epsilon", self.epsilon, time.time() * 1000)
        start = EPSILON_STOPS.index(self.epsilon)

        def suits(p: Payload) -> bool:
            here = p["dots"]["captured"][start]
            return bool(p["id"] == self.identity and p["start"] == start and here is not None)

        await self._answered(suits, self.tally.moves.setdefault(what, []), begun)

    def _other(self, stops: list[T], present: T) -> T:
        """Return a stop beside the present one, or two away."""
        at = stops.index(present) + int(self.rng.choice([-2, -1, 1, 2]))
        return stops[abs(at) if at < len(stops) else 2 * len(stops) - 2 - at]

    async def _answered(
        self, suits: Callable[[Payload], bool], times: list[float], begun: float
    ) -> None:
        try:
            found = await self.visitor.answer(suits, WAIT)
        except TimeoutError:
            self.tally.faults["no answer"] += 1
            return
        times.append(1000 * (time.perf_counter() - begun))
        self.tally.coarser += bool(found["busy"])
        self._check(found)

    def _check(self, found: Payload) -> None:
        """The footer, the identity and the spectrum are of this session's own data."""
        own = self.spectrum[: len(found["spectrum"]["values"])]
        if (
            found["id"] != self.identity
            or f"{self.data.people:,} people × {COLUMNS} columns" not in found["footer"]
            or not np.allclose(found["spectrum"]["values"], own, rtol=1e-6)
        ):
            self.tally.wrong.append(f"{self.key}: {found['id']} {found['footer'][:60]}")

    async def _refine(self, until: float) -> None:
        """Ask for more as the browser does, while there is time."""
        calm = max(CALM, self.visitor.latest["pause"] / 1000)
        while not self.visitor.latest["complete"] and time.perf_counter() + calm < until:
            await asyncio.sleep(calm)
            seen = self.visitor.latest["stage"]
            await self.visitor.more()
            try:
                left = max(0.0, until - time.perf_counter())
                await self.visitor.answer(lambda p, seen=seen: p["stage"] > seen, left)  # type: ignore[misc]
            except TimeoutError:
                return
            self.tally.refined += 1
            self._check(self.visitor.latest)
            calm = max(PAINTING, self.visitor.latest["pause"] / 1000)


def processor_seconds(pid: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def taken_seconds() -> float:
    """Processor time that this machine's host has given to others: none of it can be helped."""
    fields = Path("/proc/stat").read_text().partition("\n")[0].split()
    return int(fields[8]) / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    """Memory that a process has in RAM (VmRSS)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@dataclass
class Memory:
    """The server's memory while it is watched; printed every so many seconds, where wanted."""

    every: float | None = None
    peak: float = 0.0

    async def watch(self, pid: int) -> None:
        """Look four times a second, for ever."""
        begun = printed = time.perf_counter()
        while True:
            now, here = time.perf_counter(), megabytes(pid)
            self.peak = max(self.peak, here)
            if self.every is not None and now - printed >= self.every:
                printed = now
                print(f"  after {now - begun:5.0f} s  {here:.0f} MB", flush=True)
            await asyncio.sleep(0.25)


async def visit(
    address: str,
    pid: int,
    sessions: int,
    seconds: float,
    tally: Tally,
    memory: Memory,
    every: float = 1.0,
) -> None:
    """Let all sessions come, work and leave."""
    pupils = [Pupil(i, address, tally) for i in range(sessions)]
    watching = asyncio.create_task(memory.watch(pid))
    await asyncio.gather(*(pupil.open() for pupil in pupils))
    start = time.perf_counter() + 1
    await asyncio.gather(
        *(p.work(start + i * every / sessions, seconds, every) for i, p in enumerate(pupils))
    )
    for pupil in pupils:
        tally.faults.update(pupil.visitor.faults)
    await asyncio.gather(*(pupil.visitor.close() for pupil in pupils))
    watching.cancel()


def report(tally: Tally, used: float, seconds: float) -> None:
    """Print times, errors and whose numbers came."""
    answers = max(1, len(tally.all) + tally.refined)
    print(line("opening, all at once", tally.opening))
    print(line("move until its answer", tally.all))
    print(f"{'  longest':<46} {max(tally.all, default=0):.0f} ms")
    for what, times in sorted(tally.moves.items()):
        print(line(f"  {what}", times))
    print(f"{'refinements':<46} {tally.refined}")
    print(f"{'moves answered while the server says it is busy':<46} {tally.coarser}")
    print(f"{'answers of another session':<46} {len(tally.wrong)}  {tally.wrong[:3]}")
    print(f"{'errors':<46} {sum(tally.faults.values())}  {dict(tally.faults)}")
    print(f"{'processors kept busy by the server':<46} {used / seconds:.2f}")
    print(f"{'processor time an answer':<46} {1000 * used / answers:.0f} ms")


def main() -> None:
    """Run the benchmark and print its report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two moves")
    parser.add_argument("--soak", action="store_true", help="twenty minutes, memory each minute")
    options = parser.parse_args()
    seconds = SOAK if options.soak else options.seconds
    print(f"{'processors, load before':<46} {os.cpu_count()}, {os.getloadavg()[0]:.2f}")
    print(f"{'np.linalg.eigh at d = 100':<46} median {eigh_milliseconds():7.2f} ms")
    tally, memory = Tally(), Memory(every=60 if options.soak else None)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log.txt") as (at, pid):
        asyncio.run(visit(at, pid, 1, 3, Tally(), Memory()))
        warm, begun, used = megabytes(pid), time.perf_counter(), processor_seconds(pid)
        taken = taken_seconds()
        asyncio.run(visit(at, pid, options.sessions, seconds, tally, memory, options.every))
        lasted = time.perf_counter() - begun
        report(tally, processor_seconds(pid) - used, lasted)
        taken = (taken_seconds() - taken) / lasted
        print(f"{'processors that the host gave to others':<46} {taken:.2f}")
        print(f"{'load after':<46} {os.getloadavg()[0]:.2f}")
        print(f"{'memory, warm':<46} {warm:.0f} MB")
        print(f"{'memory, at the peak':<46} {memory.peak:.0f} MB")
        for later in (LEFT, LEFT + RECONNECT_SECONDS):
            time.sleep(LEFT if later == LEFT else RECONNECT_SECONDS)
            print(f"{f'memory, {later:.0f} s after they left':<46} {megabytes(pid):.0f} MB")
        if tally.faults:
            print((Path(folder) / "log.txt").read_text(errors="replace")[-MOST_LOG:])


if __name__ == "__main__":
    main()
