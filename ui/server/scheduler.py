"""Which request may compute now, when many people use one server: answers before refinements.

Python executes one thread at a time. Thirty computations that share the interpreter all finish
last; one after another, most finish soon. A page measures in slices, between which others answer.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from math import inf
from threading import Condition, local
from time import perf_counter

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from dpca_core.runtime.threads import processors

PATIENCE = 1.0
"""Seconds that a refinement lets answers pass."""
LONG_WAIT, MEMORY = 0.1, 10.0
"""Seconds of waiting that a person notices, and for which the server counts as busy after it."""
MANY_ANSWERS = 60
"""Within ``MEMORY`` seconds, that the server could not give if each were refined."""
MOST_THREADS = 4
"""That compute at a time on a large machine: more only contend for the interpreter."""
WIDE = 150
"""Columns above which others notice the turns of a page."""
REFINEMENT_DELAY = 1500
"""Milliseconds that a page waits before a refinement while the server is busy: longer than people
rest between two moves of a control."""
GROWTH = 1.25
"""By how much each slice exceeds the last."""
BUSY = "The server is busy. Charts start at low resolution and refine more slowly."


class Scheduler:
    """Lets a few threads compute at a time, in the order of asking; a refinement counts as later.

    Heavy turns leave one of several ``places`` to others. ``clock`` returns seconds.
    """

    def __init__(self, places: int, clock: Callable[[], float] = perf_counter) -> None:
        self._free, self._reserved, self._clock = places, int(places > 1), clock
        self._queue: list[tuple[float, int, bool]] = []
        """When each counts as asked for, its number, and whether it is heavy."""
        self._numbers, self._thread, self._change = count(), local(), Condition()
        self._busy_until, self._answers = -inf, deque[float](maxlen=MANY_ANSWERS)

    @property
    def busy(self) -> bool:
        """Whether somebody had to wait noticeably a moment ago, and would have to again.

        A server that recovered after a fixed time would let everybody wait, just to find out.
        """
        return self._clock() < self._busy_until

    def has_waiting(self) -> bool:
        """Tell whether somebody waits for a turn; a refinement then ends early."""
        return bool(self._queue)

    @contextmanager
    def turn(self, *, urgent: bool, heavy: bool = False) -> Iterator[None]:
        """Wait for a turn and take it; turns do not nest.

        An answer to a moved control is ``urgent``. A refinement comes later, but not never: after
        ``PATIENCE`` seconds it counts as much as a control moved at that moment. ``heavy`` turns
        may take long, and never take all places.
        """
        self._enter(urgent, heavy)
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Give up this thread's turn, if it has one, while the thread waits for something else."""
        held = self._leave()
        # After an exception the turn is over, and nobody waits for another one.
        yield
        if held is not None:
            self._enter(*held)

    def yield_to_waiting(self) -> None:
        """From a thread without a turn: wait while others want theirs, ``PATIENCE`` at most."""
        with self._change:
            self._change.wait_for(lambda: not self._queue, PATIENCE)

    def _enter(self, urgent: bool, heavy: bool) -> None:
        with self._change:
            asked_at = self._clock()
            ticket = asked_at + (0.0 if urgent else PATIENCE), next(self._numbers), heavy
            self._queue.append(ticket)
            self._change.wait_for(lambda: self._next() == ticket)
            self._queue.remove(ticket)
            self._free -= 1
            now = self._clock()
            if urgent:
                self._answers.append(now)
            many = len(self._answers) == MANY_ANSWERS and now - self._answers[0] < MEMORY
            if not heavy and (now - asked_at > LONG_WAIT or (urgent and many and self.busy)):
                self._busy_until = now + MEMORY
            self._change.notify_all()
        self._thread.turn = urgent, heavy

    def _next(self) -> tuple[float, int, bool] | None:
        """Return the ticket that is served now; None where there is no place for any."""
        able = (t for t in self._queue if self._free > (self._reserved if t[2] else 0))
        return min(able, default=None)

    def _leave(self) -> tuple[bool, bool] | None:
        """Give up this thread's turn, and return how it was asked for; None without one."""
        held: tuple[bool, bool] | None = vars(self._thread).pop("turn", None)
        if held is not None:
            with self._change:
                self._free += 1
                self._change.notify_all()
        return held


PAGE_SCHEDULER = Scheduler(min(max(processors(), 2), MOST_THREADS))
"""Of this process: for whatever a page waits for."""
BACKGROUND_SCHEDULER = Scheduler(1)
"""Of this process: for audits and streamed sums, which take long, one at a time."""


def is_heavy(columns: int) -> bool:
    """Tell whether turns on so many columns may take long."""
    return columns > WIDE


def superseded() -> bool:
    """Tell whether the visitor of this run has asked for something else meanwhile."""
    context = get_script_run_ctx()
    requests = context.script_requests if context is not None else None
    return getattr(requests, "_state", None) is ScriptRequestType.RERUN


def end_if_superseded() -> None:
    """End this run of a fragment where its visitor has asked the same fragment for something else.

    Streamlit itself ends none for a control that lies in a fragment: the answer would wait until
    what nobody will see is drawn. What the fragment has drawn before stays on the screen. Raises
    RerunException with the request, which is taken, as Streamlit's own elements do.
    """
    context = get_script_run_ctx()
    if context is None or not context.fragment_ids_this_run or context.script_requests is None:
        return
    requests = context.script_requests
    with requests._lock:
        request = requests._rerun_data
        # Whatever runs now and is not asked for again would be lost.
        asked_again = {*context.fragment_ids_this_run} <= {*request.fragment_id_queue}
        if requests._state is not ScriptRequestType.RERUN or not asked_again:
            return
        requests._state = ScriptRequestType.CONTINUE
    raise RerunException(request)


def should_yield() -> bool:
    """Tell whether a refinement should end early: another visitor waits, or it is superseded."""
    return PAGE_SCHEDULER.has_waiting() or superseded()


def take_steps(
    steps: Iterable[object], seconds: float, should_yield: Callable[[], bool] = lambda: False
) -> None:
    """Take steps of work until none is left, the time is over or others wait; at least one."""
    end = perf_counter() + seconds
    for _ in steps:
        if perf_counter() >= end or should_yield():
            return


class GrowingSlices:
    """Slices of a page's work, brief after a change, then ever longer; ``stage`` counts them."""

    def __init__(self, shortest: float, longest: float) -> None:
        self._shortest, self._longest = shortest, longest
        self._query: object = None
        self._unchanged = self.stage = 0

    def take(
        self,
        query: object,
        steps: Iterable[object],
        should_yield: Callable[[], bool],
        most: float | None = None,
    ) -> None:
        """Take steps of work for a query for one slice, of ``most`` seconds or ``longest``."""
        self._unchanged = self._unchanged + 1 if query == self._query else 0
        self._query = query
        self.stage += 1
        longest = self._longest if most is None else most
        take_steps(steps, min(longest, self._shortest * GROWTH**self._unchanged), should_yield)


def refinement_delay(complete: bool) -> int:
    """Return the milliseconds after which a page may ask for a refinement."""
    return REFINEMENT_DELAY if PAGE_SCHEDULER.busy and not complete else 0


def busy_message(complete: bool, text: str = "") -> str:
    """Append to a page's progress text that the server is busy, while charts are incomplete."""
    if not PAGE_SCHEDULER.busy or complete:
        return text
    return f"{text.rstrip('.')}. {BUSY}" if text else BUSY
