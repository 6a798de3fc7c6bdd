"""Long work, ended when nobody waits for the result: in processes of low priority, or in a thread.

When a visitor moves a control or leaves, the process is ended: Pebble's pool can do that, the
standard library's cannot.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from threading import Event, Lock, Thread, local
from time import monotonic
from typing import Any, TypeVar

import streamlit as st
from pebble import ProcessExpired, ProcessPool
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.runtime.threads import processors
from ui.server.scheduler import PAGE_SCHEDULER, superseded
from ui.server.sessions import SESSIONS, own_session

R = TypeVar("R")
TIME_LIMIT = float(os.environ.get("DPCA_LONGEST", "120"))
"""Seconds that one piece of work may take."""
POLL_SECONDS, IDLE_SECONDS, NICENESS = 0.1, 60.0, 15
TOO_LONG = (
    f"One step of this computation takes more than {TIME_LIMIT:.0f} seconds on this server. Choose "
    "a faster mechanism or data with fewer columns."
)
RUNNING = "This takes a while: running in the background for {seconds} s so far."
QUEUED = "This takes a while, and others are computing: waiting for {seconds} s so far."
WAITING_MESSAGE = "Waiting: another long computation is running on this server."
LOST = "The process that computed this was lost, perhaps because memory ran out. Try fewer columns."


class Abandoned(StopException):
    """Nobody waits for this work any more: Streamlit ends the run, and nothing else catches it."""


class Workers:
    """At ``most`` a few processes for everybody, started when first needed and ended when idle."""

    def __init__(self, most: int) -> None:
        self._most, self._using, self._idle_since = most, 0, 0.0
        self._pool: ProcessPool | None = None
        self._lock = Lock()

    def run(self, work: Callable[..., R], *args: Any, on_wait: Callable[[bool, float], None]) -> R:
        """Do some work in one of the processes, and return its result or raise what it raised.

        ``on_wait`` is called repeatedly with whether the work has begun, and the seconds since it
        was asked for. Where nobody wants it any more it raises, and the work is ended. Raises
        NotDrawnInTime where the work takes longer than the time limit, or its process is lost.
        """
        asked_at = monotonic()
        with self._lock:
            # A process that was killed while it waited for work leaves a pool that takes none.
            if self._pool is None or not self._pool.active:
                nice, spawn = getattr(os, "nice", None), get_context("spawn")
                self._pool = ProcessPool(self._most, 0, nice, (NICENESS,), spawn)
            future = self._pool.schedule(work, args=args, timeout=TIME_LIMIT)
            self._using += 1
        try:
            while wait([future], POLL_SECONDS).not_done:
                on_wait(future.running(), monotonic() - asked_at)
            found: R = future.result()
            return found
        except TimeoutError:
            raise NotDrawnInTime(TOO_LONG) from None
        except (ProcessExpired, BrokenExecutor):
            raise NotDrawnInTime(LOST) from None
        finally:
            future.cancel()  # type: ignore[no-untyped-call]
            with self._lock:
                self._using, self._idle_since = self._using - 1, monotonic()

    def end_idle(self, idle: float = IDLE_SECONDS) -> None:
        """End the processes where none was used for so many seconds, which frees their memory."""
        with self._lock:
            unused = not self._using and monotonic() - self._idle_since >= idle
            if self._pool is not None and unused:
                self._pool.stop()  # type: ignore[no-untyped-call]
                self._pool.join()
                self._pool = None


PAGE_WORKERS, _page = Workers(max(1, min(processors() - 1, 2))), local()


@contextmanager
def progress_notice() -> Iterator[None]:
    """Reserve this place on the page for a notice while what follows waits for long work."""
    _page.notice = st.empty()
    try:
        yield
    finally:
        _page.notice = None


def run_in_worker(work: Callable[..., R], *args: Any) -> R:
    """Do long work for the visitor whose script runs here, and give up the turn meanwhile.

    Outside a script, as in the thread of an audit, it is done here and now.
    """
    if get_script_run_ctx() is None:
        return work(*args)
    notice, session = getattr(_page, "notice", None), own_session()
    told = 0

    def on_wait(begun: bool, seconds: float) -> None:
        nonlocal told
        # Streamlit itself ends no run of a page for a control that lies in a fragment.
        if superseded() or SESSIONS.has_ended(session):
            raise Abandoned
        if notice is not None and int(seconds) > told:
            told = int(seconds)
            # Where the visitor has left, Streamlit ends this run here.
            notice.info((RUNNING if begun else QUEUED).format(seconds=told))

    with PAGE_SCHEDULER.suspended():
        found = PAGE_WORKERS.run(work, *args, on_wait=on_wait)
        if notice is not None and told:
            notice.empty()
    return found


@dataclass(kw_only=True)
class BackgroundJob(ABC):
    """One piece of work in a thread: ``_work``, which checks ``should_stop`` from time to time.

    It is ``waiting`` until its turn comes, and ends with the session that started it.
    """

    waiting: bool = True
    stop: Event = field(default_factory=Event)
    session: str | None = field(default_factory=own_session)
    thread: Thread | None = None

    def start(self) -> None:
        """Start the work."""
        self.thread = Thread(target=self._work, daemon=True)
        self.thread.start()

    @property
    def running(self) -> bool:
        """Whether the work is still running."""
        return self.thread is not None and self.thread.is_alive()

    @property
    def should_stop(self) -> bool:
        """Whether the work should end: it was stopped, or its session has ended."""
        return self.stop.is_set() or SESSIONS.has_ended(self.session)

    @abstractmethod
    def _work(self) -> None:
        """Do the work."""
