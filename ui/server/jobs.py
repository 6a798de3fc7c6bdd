"""Work in a thread of its own: the page can stop it, and it ends with its session."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from threading import Event, Thread

from ui.server.sessions import SESSIONS, own_session

WAITING_MESSAGE = "Waiting: another long computation is running on this server."


@dataclass(kw_only=True)
class BackgroundJob(ABC):
    """One piece of work: ``_work``, which checks ``should_stop`` from time to time.

    Attributes
    ----------
    waiting
        Whether it still waits for its turn.
    stop
        Set to end it.
    session
        Id of the session that started it; it ends with that.
    thread
        Where it runs, once started.
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
        ended = self.session is not None and SESSIONS.has_ended(self.session)
        return self.stop.is_set() or ended

    @abstractmethod
    def _work(self) -> None:
        """Do the work."""
