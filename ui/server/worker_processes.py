"""Long work beside the server: in processes of low priority, stopped when nobody wants it.

A release on hundreds of columns may take minutes. Whoever asked for it waits, with a sentence on
the page; everybody else is answered meanwhile. Whoever moves a control or leaves takes the work
back: its process is ended.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from multiprocessing.connection import Pipe
from pathlib import Path
from threading import Lock, local
from time import monotonic
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.runtime.offload import LONG, set_place
from dpca_core.runtime.threads import processors
from ui.server.session_expiry import VISITS, own_session
from ui.server.turns import GATE, Gate, moved

R = TypeVar("R")
ROOT = Path(__file__).resolve().parents[2]
LONGEST = float(os.environ.get("DPCA_LONGEST", "120"))
"""Seconds that one piece of work may take."""
LOOK, TELL, IDLE = 0.1, 1.0, 60.0
"""Seconds between two looks for the result; before the page says so; that a process is kept."""
TOO_LONG = (
    f"One step of this takes more than {LONGEST:.0f} seconds on this server: choose a quicker "
    "mechanism or data with fewer columns."
)
MEASURING = "This takes long: measuring beside the server for {seconds} s so far."
WAITING = "This takes long, and others are measuring: waiting for {seconds} s so far."


class Gone(StopException):
    """Nobody wants this work any more: Streamlit ends the run, and nothing between catches it."""


class DrawLost(Exception):
    """The process that made a draw is gone: whether it had drawn is not known."""


class Worker:
    """One process that does one piece of work after another."""

    def __init__(self) -> None:
        self._pipe, theirs = Pipe()
        handle = theirs.fileno()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ui.server.worker_main", str(handle)],
            cwd=ROOT, pass_fds=[handle], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        theirs.close()
        self.since = monotonic()

    def send(self, work: Callable[..., Any], args: tuple[Any, ...]) -> None:
        """Begin."""
        self._pipe.send_bytes(pickle.dumps((work, args), pickle.HIGHEST_PROTOCOL))

    def answered(self, seconds: float) -> bool:
        """Wait for so long; tell whether it is done."""
        return self._pipe.poll(seconds)

    def result(self) -> Any:
        """Return what was found, or raise what was raised."""
        well, found = pickle.loads(self._pipe.recv_bytes())
        self.since = monotonic()
        if well:
            return found
        raise found

    def end(self) -> None:
        """Stop it, whatever it does."""
        self._process.kill()
        self._process.wait()
        self._pipe.close()


class Workers:
    """Few processes for everybody, begun when first needed and ended when idle.

    Parameters
    ----------
    most
        Processes at a time.
    longest
        Seconds that one piece of work may take.
    """

    def __init__(self, most: int, longest: float = LONGEST) -> None:
        self._gate, self._lock, self._longest = Gate(most), Lock(), longest
        self._idle: list[Worker] = []

    def do(self, work: Callable[..., Any], *args: Any, look: Callable[[bool, float], None]) -> Any:
        """Do some work in one of them.

        Parameters
        ----------
        look
            Called from time to time with whether it has begun, and the seconds since it was asked
            for; raises where nobody wants it any more, and then it is stopped.

        Raises
        ------
        NotDrawnInTime
            Where it takes longer than ``longest``.
        """
        asked = monotonic()

        def waits() -> bool:
            look(False, monotonic() - asked)
            return False

        with self._gate.turn(urgent=True, gone=waits):
            worker = self._taken()
            try:
                begun = monotonic()
                worker.send(work, args)
                while not worker.answered(LOOK):
                    look(True, monotonic() - asked)
                    if monotonic() - begun > self._longest:
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

    def sweep(self, idle: float = IDLE) -> None:
        """End what has had nothing to do for so long: its memory is the system's again."""
        with self._lock:
            over = [w for w in self._idle if monotonic() - w.since >= idle]
            self._idle = [w for w in self._idle if w not in over]
        for worker in over:
            worker.end()

    def _taken(self) -> Worker:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return Worker()


LOST = "The process that measured this was lost, perhaps for want of memory: try fewer columns."
DRAW_LOST = (
    "The process that drew this release was lost, perhaps for want of memory. Nothing of it was "
    "shown; to be safe, count its budget as spent."
)
WORKERS = Workers(max(1, min(processors() - 1, 2)))
DRAWS = Workers(3, inf)
"""Those of this server: for what pages show, and for draws that are to be published."""
_page = local()


@contextmanager
def told_here() -> Iterator[None]:
    """Say on the page, at this place, when what follows waits for long work."""
    _page.place = st.empty()
    try:
        yield
    finally:
        _page.place = None


def beside(work: Callable[..., Any], *args: Any) -> Any:
    """Do long work for the visitor whose script runs here, and let others have the turn meanwhile.

    Outside a script it is done at once: audits and sums have threads of their own.
    """
    if get_script_run_ctx() is None or os.name == "nt":
        return work(*args)
    place, session = getattr(_page, "place", None), own_session()
    told = [TELL]

    def look(begun: bool, seconds: float) -> None:
        if place is None and moved():
            raise Gone
        if session is not None and VISITS.left(session):
            raise Gone
        if place is not None and seconds >= told[0]:
            told[0] = seconds + TELL
            # Where the visitor has moved or left, Streamlit ends this run here.
            place.info((MEASURING if begun else WAITING).format(seconds=int(seconds)))

    with GATE.aside():
        found = WORKERS.do(work, *args, look=look)
        if place is not None and told[0] > TELL:
            place.empty()
    return found


def drawn(seconds: float, work: Callable[..., R], *args: Any) -> R:
    """Make a draw that is to be published, for as long as it takes.

    Where it may take long it is made beside the server. No time ends it: that a draw was cut off
    would tell of the data. Nor does a control that moves, as a page that refines asks for more by
    itself; only whoever leaves or reloads the page takes it back, and gets nothing.

    Parameters
    ----------
    seconds
        Expected, by public settings alone.

    Raises
    ------
    DrawLost
        Where the process is gone.
    """
    if seconds < LONG or get_script_run_ctx() is None or os.name == "nt":
        return work(*args)
    session = own_session()

    def look(begun: bool, seconds: float) -> None:
        if session is not None and VISITS.left(session):
            raise Gone

    try:
        found: R = DRAWS.do(work, *args, look=look)
    except NotDrawnInTime:
        raise DrawLost(DRAW_LOST) from None
    return found


def install() -> None:
    """Make these processes the place for long work."""
    set_place(beside)
    VISITS.tidy.extend([WORKERS.sweep, DRAWS.sweep])
