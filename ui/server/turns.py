"""Who may compute now, when many people use one server: answers before refinements.

Python computes in one thread at a time. Thirty who share it all finish last; one after another,
most finish soon.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from heapq import heapify, heappush
from itertools import count
from threading import Condition, local
from time import perf_counter

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from dpca_core.runtime.threads import processors

PATIENCE, LONG, MEMORY, MANY = 1.0, 0.1, 10.0, 60
"""Seconds that a refinement lets answers pass; a wait that is felt; how long that is remembered.
Answers in that time of which there would be too much to do, if none were coarse."""
MOST, WIDE = 4, 150
"""Threads at a time on a large machine: more only take the interpreter from one another. Columns
above which a turn is heavy."""
PAUSE, LOOK = 1500, 0.02
"""Milliseconds that a page is asked to wait before a refinement while the server is busy: longer
than people rest between two moves. Seconds between two looks whether a turn is still wanted."""
BUSY = "Many people are measuring on this server: pictures start coarse and take longer to refine."

Ticket = tuple[float, int, bool]


class Gate:
    """Lets few threads compute at a time, and the one that has waited longest for an answer first.

    Heavy turns leave one place to others, where there are several.

    Parameters
    ----------
    places
        Threads at a time.
    clock
        Seconds; for tests.
    """

    def __init__(self, places: int, clock: Callable[[], float] = perf_counter) -> None:
        self._free, self._clock = places, clock
        self._light = 1 if places > 1 else 0
        self._queue: list[Ticket] = []
        self._own = local()
        self._numbers = count()
        self._change = Condition()
        self._felt = -MEMORY
        self._lately: deque[float] = deque(maxlen=MANY)

    @property
    def busy(self) -> bool:
        """Whether somebody had to wait for long a moment ago: time for fewer releases.

        It stays so while many ask, or everybody would have to wait again to find it out.
        """
        return self._clock() - self._felt < MEMORY

    def wanted(self) -> bool:
        """Tell whether somebody waits for a turn: then a refinement makes it short."""
        return bool(self._queue)

    @contextmanager
    def turn(
        self, *, urgent: bool, heavy: bool = False, gone: Callable[[], bool] | None = None
    ) -> Iterator[bool]:
        """Wait for a turn and take it. Turns do not nest: finish one before asking for another.

        Yields False where the turn was given up.

        Parameters
        ----------
        urgent
            Somebody moved a control. A refinement comes later, but not never: after ``PATIENCE``
            seconds it counts as much as a move of that moment.
        heavy
            It may take long: never all places are taken by such.
        gone
            Whether nobody wants this turn any more; looked at while it is waited for.
        """
        if not self._enter(urgent, heavy, gone):
            yield False
            return
        self._own.turn = urgent, heavy
        try:
            yield True
        finally:
            if self._held():
                self._own.turn = None
                self._leave()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Let others have this thread's turn, if it has one, while it waits for something else."""
        held = self._held()
        if held is None:
            yield
            return
        self._own.turn = None
        self._leave()
        # Where this ends with an exception the turn is over, and nobody waits for another.
        yield
        self._enter(*held, None)
        self._own.turn = held

    def _held(self) -> tuple[bool, bool] | None:
        held: tuple[bool, bool] | None = getattr(self._own, "turn", None)
        return held

    def let_pass(self) -> None:
        """Without a turn of one's own: wait while others want theirs, ``PATIENCE`` at most."""
        with self._change:
            self._change.wait_for(lambda: not self._queue, PATIENCE)

    def _enter(self, urgent: bool, heavy: bool, gone: Callable[[], bool] | None) -> bool:
        with self._change:
            begun = self._clock()
            ticket = (begun + (0.0 if urgent else PATIENCE), next(self._numbers), heavy)
            heappush(self._queue, ticket)
            taken = False
            try:
                while not self._change.wait_for(
                    lambda: self._next() == ticket, LOOK if gone else None
                ):
                    if gone is not None and gone():
                        return False
                self._free -= 1
                taken = True
            finally:
                self._queue.remove(ticket)
                heapify(self._queue)
                self._change.notify_all()
            now = self._clock()
            if not heavy and (now - begun > LONG or (urgent and self._many(now))):
                self._felt = now
            return taken

    def _next(self) -> Ticket | None:
        """Whose turn it is now, if anybody's."""
        able = (t for t in self._queue if self._free > (self._light if t[2] else 0))
        return min(able, default=None)

    def _many(self, now: float) -> bool:
        """Count an answer; tell whether there are as many on a busy server as need coarse ones."""
        self._lately.append(now)
        return self.busy and len(self._lately) == MANY and now - self._lately[0] < MEMORY

    def _leave(self) -> None:
        with self._change:
            self._free += 1
            self._change.notify_all()


GATE, AUDITS = Gate(min(max(processors(), 2), MOST)), Gate(1)
"""Those of this process: for what a page waits for, and for audits, which are long."""


def heavy(d: int) -> bool:
    """Tell whether pages of data with so many columns take turns that are felt by others."""
    return d > WIDE


def moved() -> bool:
    """Tell whether the visitor who waits for this run has asked for something else meanwhile."""
    context = get_script_run_ctx()
    requests = context.script_requests if context is not None else None
    return getattr(requests, "_state", None) is ScriptRequestType.RERUN


def wanted() -> bool:
    """Tell whether a refinement should be short: another visitor waits, or one's own has moved."""
    return GATE.wanted() or moved()


def nobody() -> bool:
    """Tell that nobody waits, where there is one user only."""
    return False


def pause(complete: bool) -> int:
    """Milliseconds after which a page may ask for more."""
    return PAUSE if GATE.busy and not complete else 0


def said(complete: bool, text: str = "") -> str:
    """Add to what a page says that it waits for others, while it does."""
    return " ".join(filter(None, [text, BUSY])) if GATE.busy and not complete else text
