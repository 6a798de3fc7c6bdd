"""Sessions that have left for good: what they kept in memory is let go."""

import ctypes
import gc
import os
import sys
from collections.abc import Callable
from threading import Lock, Thread
from time import monotonic, sleep

from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SessionState

from ui.server.built_in_cache import BUILT_IN

PATIENCE = float(os.environ.get("DPCA_PATIENCE", "20"))
ROUND = 5.0
"""Seconds in which a lost connection may come back, and between two looks."""


class Visits:
    """The ids of sessions, and when each was last connected.

    Streamlit keeps the state and the files of a closed tab until somebody else comes, and of the
    last one even then. Here they go once ``PATIENCE`` is over.
    """

    def __init__(self) -> None:
        self._seen: dict[str, float] = {}
        self._states: dict[str, SessionState] = {}
        self._lock = Lock()
        self.tidy: list[Callable[[], None]] = []
        """What else is done at every look."""

    def greet(self) -> None:
        """Remember the session that runs this."""
        session = own_session()
        if session is None:
            return
        running = Runtime.instance().get_app_session(session) if Runtime.exists() else None
        with self._lock:
            self._seen[session] = monotonic()
            if running is not None:
                self._states[session] = running.session_state

    def left(self, session: str) -> bool:
        """Tell whether a session is no more."""
        with self._lock:
            return session not in self._seen

    def look(self, runtime: Runtime, now: float) -> list[str]:
        """Return the sessions that are over at this time, and forget them."""
        with self._lock:
            for session in self._seen:
                if runtime.is_active_session(session):
                    self._seen[session] = now
            over = [s for s, last in self._seen.items() if now - last > PATIENCE]
            for session in over:
                del self._seen[session]
        return over

    def watch(self) -> None:
        """Begin to look, in a thread of its own."""
        Thread(target=self._watch, daemon=True, name="visits").start()

    def _watch(self) -> None:
        while True:
            sleep(ROUND)
            for tidy in self.tidy:
                tidy()
            if Runtime.exists() and (over := self.look(Runtime.instance(), monotonic())):
                for session in over:
                    # Closes what is not connected, on the server's own thread.
                    Runtime.instance().clear_user_info_for_session(session)
                sleep(1)
                for session in over:
                    self.forget(session, Runtime.instance())
                if not self._seen:
                    BUILT_IN.forget()
                release_memory()

    def forget(self, session: str, runtime: Runtime) -> None:
        """Empty what a session remembered: Streamlit's main loop holds on to the last one."""
        with self._lock:
            state = self._states.pop(session, None)
        if state is not None and not runtime.is_active_session(session):
            state.clear()


VISITS = Visits()
"""Those of this process."""


def own_session() -> str | None:
    """Return the id of the session that runs this; None outside a server."""
    context = get_script_run_ctx()
    return context.session_id if context is not None else None


def release_memory() -> None:
    """Collect what nobody refers to and give free memory back to the system."""
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
