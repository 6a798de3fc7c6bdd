"""Long work in separate processes of low priority, ended when nobody waits for the result.

A release on hundreds of columns may take minutes. The page of whoever asked for it shows how long
it has taken so far, while everybody else is served. When its visitor moves a control or leaves, the
process is ended.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Pipe
from pathlib import Path
from threading import Lock, local
from time import monotonic
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.runtime.offload import set_executor
from dpca_core.runtime.threads import processors
from ui.server.scheduler import PAGE_SCHEDULER, Scheduler, superseded
from ui.server.sessions import SESSIONS, own_session

R = TypeVar("R")
ROOT = Path(__file__).resolve().parents[2]

TIME_LIMIT = float(os.environ.get("DPCA_LONGEST", "120"))
"""Seconds that one piece of work may take."""

POLL_SECONDS = 0.1
"""Seconds between two checks for the result."""

NOTICE_SECONDS = 1.0
"""Seconds between two updates of the notice on the page, and before the first."""

IDLE_SECONDS = 60.0
"""Seconds for which an idle process is kept."""

TOO_LONG = (
    f"One step of this computation takes more than {TIME_LIMIT:.0f} seconds on this server. Choose "
    "a faster mechanism or data with fewer columns."
)
RUNNING = "This takes a while: running in the background for {seconds} s so far."
QUEUED = "This takes a while, and others are computing: waiting for {seconds} s so far."
LOST = "The process that computed this was lost, perhaps because memory ran out. Try fewer columns."


class Abandoned(StopException):
    """Nobody waits for this work any more: Streamlit ends the run, and nothing else catches it."""


class Worker:
    """One process that does one piece of work after another."""

    def __init__(self) -> None:
        self._pipe, child_end = Pipe()
        handle = child_end.fileno()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ui.server.worker_main", str(handle)],
            cwd=ROOT,
            pass_fds=[handle],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        child_end.close()
        self.idle_since = monotonic()

    def send(self, work: Callable[..., Any], args: tuple[Any, ...]) -> None:
        """Start some work."""
        self._pipe.send_bytes(pickle.dumps((work, args), pickle.HIGHEST_PROTOCOL))

    def finished(self, seconds: float) -> bool:
        """Wait for at most so many seconds; tell whether the work is done."""
        return self._pipe.poll(seconds)

    def result(self) -> Any:
        """Return what the work returned, or raise what it raised."""
        succeeded, found = pickle.loads(self._pipe.recv_bytes())
        self.idle_since = monotonic()
        if succeeded:
            return found
        raise found

    def end(self) -> None:
        """Kill the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self._pipe.close()


class WorkerPool:
    """A few processes for everybody, started when first needed and ended when idle.

    Parameters
    ----------
    most
        Processes at a time.
    time_limit
        Seconds that one piece of work may take.
    """

    def __init__(self, most: int, time_limit: float = TIME_LIMIT) -> None:
        self._scheduler = Scheduler(most)
        self._lock = Lock()
        self._time_limit = time_limit
        self._idle: list[Worker] = []

    def run(
        self, work: Callable[..., Any], *args: Any, on_wait: Callable[[bool, float], None]
    ) -> Any:
        """Do some work in one of the processes.

        Parameters
        ----------
        on_wait
            Called repeatedly with whether the work has begun, and the seconds since it was asked
            for. Where nobody wants it any more it raises, and the work is ended.

        Raises
        ------
        NotDrawnInTime
            Where the work takes longer than the time limit, or its process is lost.
        """
        asked_at = monotonic()

        def still_waiting() -> bool:
            on_wait(False, monotonic() - asked_at)
            return False

        with self._scheduler.turn(urgent=True, gone=still_waiting):
            worker = self._idle_or_new()
            try:
                begun_at = monotonic()
                worker.send(work, args)
                while not worker.finished(POLL_SECONDS):
                    on_wait(True, monotonic() - asked_at)
                    if monotonic() - begun_at > self._time_limit:
                        raise NotDrawnInTime(TOO_LONG)
                found = worker.result()
            except (NotDrawnInTime, EOFError, OSError) as error:
                worker.end()
                raise error if isinstance(error, NotDrawnInTime) else NotDrawnInTime(LOST) from None
            except BaseException:
                worker.end()
                raise
            with self._lock:
                self._idle.append(worker)
            return found

    def end_idle(self, idle: float = IDLE_SECONDS) -> None:
        """End the processes that have been idle for so many seconds, which frees their memory."""
        with self._lock:
            expired = [w for w in self._idle if monotonic() - w.idle_since >= idle]
            self._idle = [w for w in self._idle if w not in expired]
        for worker in expired:
            worker.end()

    def _idle_or_new(self) -> Worker:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return Worker()


PAGE_WORKERS = WorkerPool(max(1, min(processors() - 1, 2)))
"""Of this server: for what pages show."""

_page = local()


@contextmanager
def progress_notice() -> Iterator[None]:
    """Reserve this place on the page for a notice while what follows waits for long work."""
    _page.notice = st.empty()
    try:
        yield
    finally:
        _page.notice = None


def run_in_worker(work: Callable[..., Any], *args: Any) -> Any:
    """Do long work for the visitor whose script runs here, and give up the turn meanwhile.

    Outside a script the work is done here and now: audits and sums have threads of their own.
    """
    if get_script_run_ctx() is None or os.name == "nt":
        return work(*args)
    notice, session = getattr(_page, "notice", None), own_session()
    next_notice = NOTICE_SECONDS

    def on_wait(begun: bool, seconds: float) -> None:
        nonlocal next_notice
        # Streamlit itself ends no run of a page for a control that lies in a fragment.
        if superseded():
            raise Abandoned
        if session is not None and SESSIONS.has_ended(session):
            raise Abandoned
        if notice is not None and seconds >= next_notice:
            next_notice = seconds + NOTICE_SECONDS
            # Where the visitor has left, Streamlit ends this run here.
            notice.info((RUNNING if begun else QUEUED).format(seconds=int(seconds)))

    with PAGE_SCHEDULER.suspended():
        found = PAGE_WORKERS.run(work, *args, on_wait=on_wait)
        if notice is not None and next_notice > NOTICE_SECONDS:
            notice.empty()
    return found


def install() -> None:
    """Send long work of ``dpca_core`` to these processes."""
    set_executor(run_in_worker)
    SESSIONS.on_check.append(PAGE_WORKERS.end_idle)
