"""An audit in the background: it reports progress, can be stopped, and keeps what it has.

It ends by itself when its session is over, or after a quarter of an hour.
"""

from dataclasses import dataclass, field
from time import monotonic

from dpca_core.audit.audit import Audit, audit
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.privacy.budget import InfeasibleBudget
from ui.claims.query import ClaimsQuery
from ui.server.jobs import BackgroundJob
from ui.server.scheduler import BACKGROUND_SCHEDULER, PAGE_SCHEDULER

AUDIT_RELEASES = (1000, 4000, 20_000, 100_000)
"""Numbers of releases of each data set to choose from."""
LONGEST_AUDIT_SECONDS = 900.0
"""Seconds after which an audit ends."""


@dataclass
class AuditJob(BackgroundJob):
    """One audit in a thread of its own.

    Attributes
    ----------
    releases, seed
        As for ``audit``.
    share
        Share of the releases that are drawn.
    found
        The result, once there is one.
    problem
        Why there is none, in one sentence.
    pair
        What the two data sets differ in.
    begun
        When it began, by the monotonic clock.
    """

    query: ClaimsQuery
    releases: int
    seed: int
    share: float = 0.0
    found: Audit | None = None
    problem: str | None = None
    pair: str = ""
    begun: float = field(default_factory=monotonic)

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism attacked."""
        return self.query.chosen_mechanism

    def _work(self) -> None:
        query = self.query
        try:
            with BACKGROUND_SCHEDULER.turn(urgent=False):
                if not self._progress(0.0):
                    return
                self.waiting = False
                pair = worst_pair(self.mechanism, query.d, query.k, query.n, query.budget)
                self.pair = pair.name
                self.found = audit(
                    self.mechanism,
                    pair,
                    query.budget,
                    releases=self.releases,
                    seed=self.seed,
                    on_progress=self._progress,
                )
        except (InfeasibleBudget, ValueError) as error:
            self.problem = str(error)

    def _progress(self, share: float) -> bool:
        """Note the share that is drawn, and return whether to go on."""
        self.share = share
        PAGE_SCHEDULER.yield_to_waiting()
        return not (self.should_stop or monotonic() - self.begun > LONGEST_AUDIT_SECONDS)
