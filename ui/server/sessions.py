"""When a session has ended for good, the data it kept in memory are let go."""

import ctypes
import gc
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from time import monotonic, sleep

from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SessionState

from ui.server.built_in import built_in

RECONNECT_SECONDS = float(os.environ.get("DPCA_PATIENCE", "20"))
"""Seconds in which a lost connection may come back."""
CHECK_SECONDS = 5.0
"""Between two checks for ended sessions."""


class SessionRegistry:
    """The sessions of this process, and when each was last connected.

    Streamlit keeps the state and the files of a closed tab until somebody else connects, and those
    of the last session even then. Here they go once ``RECONNECT_SECONDS`` are over.
    """

    def __init__(self) -> None:
        self._last_seen: dict[str, float] = {}
        self._states: dict[str, SessionState] = {}
        self._lock = Lock()
        self.on_check: list[Callable[[], None]] = []

    def register(self) -> None:
        """Remember the session that runs this."""
        session = own_session()
        if session is None:
            return
        running = Runtime.instance().get_app_session(session) if Runtime.exists() else None
        with self._lock:
            self._last_seen[session] = monotonic()
            if running is not None:
                self._states[session] = running.session_state

    def has_ended(self, session: str | None) -> bool:
        """Tell whether a session has ended, or never was registered; None ends never."""
        with self._lock:
            return session is not None and session not in self._last_seen

    def expire(self, runtime: Runtime, now: float) -> list[str]:
        """Return the sessions that have ended by this time, and forget them."""
        with self._lock:
            for session in self._last_seen:
                if runtime.is_active_session(session):
                    self._last_seen[session] = now
            ended = [s for s, last in self._last_seen.items() if now - last > RECONNECT_SECONDS]
            for session in ended:
                del self._last_seen[session]
        return ended

    def start_checking(self) -> None:
        """Check for ended sessions from now on, in a thread of its own."""
        Thread(target=self._check_forever, daemon=True, name="session expiry").start()

    def _check_forever(self) -> None:
        while True:
            sleep(CHECK_SECONDS)
            # One fault may not keep everybody's uploads from then on.
            try:
                self.check()
            except Exception:
                logging.exception("A check for ended sessions failed; the next one comes.")

    def check(self) -> None:
        """Let go of what ended sessions held, and do what else is due."""
        for callback in self.on_check:
            callback()
        if not Runtime.exists() or not (ended := self.expire(Runtime.instance(), monotonic())):
            return
        for session in ended:
            # Closes what is not connected, on the server's own thread.
            Runtime.instance().clear_user_info_for_session(session)
        sleep(1)
        for session in ended:
            self.clear_state(session, Runtime.instance())
        if not self._last_seen:
            built_in.cache_clear()
        gc.collect()
        # Free memory goes back to the operating system.
        if sys.platform == "linux":
            with suppress(AttributeError):
                ctypes.CDLL(None).malloc_trim(0)

    def clear_state(self, session: str, runtime: Runtime) -> None:
        """Empty a session's state: Streamlit's main loop holds on to the last one."""
        with self._lock:
            state = self._states.pop(session, None)
        if state is not None and not runtime.is_active_session(session):
            state.clear()


SESSIONS = SessionRegistry()


def own_session() -> str | None:
    """Return the id of the session that runs this; None outside a server."""
    context = get_script_run_ctx()
    return context.session_id if context is not None else None
