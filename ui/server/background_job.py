"""Work in a thread beside a page: it can be stopped, and it ends with its session."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from threading import Event, Thread

from ui.server.session_expiry import SESSIONS, own_session

WAITING_MESSAGE = "Another long calculation is running on this server: this one waits for it."


@dataclass(kw_only=True)
class BackgroundJob(ABC):
    """One piece of work: ``_work``, which asks ``should_stop`` from time to time."""

    waiting: bool = True
    stop: Event = field(default_factory=Event)
    session: str | None = field(default_factory=own_session)
    thread: Thread | None = None

    def start(self) -> None:
        """Begin."""
        self.thread = Thread(target=self._work, daemon=True)
        self.thread.start()

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.thread is not None and self.thread.is_alive()

    @property
    def should_stop(self) -> bool:
        """Whether it should end: it was stopped, or its session has left."""
        return self.stop.is_set() or (self.session is not None and SESSIONS.has_ended(self.session))

    @abstractmethod
    def _work(self) -> None:
        """Do it."""
