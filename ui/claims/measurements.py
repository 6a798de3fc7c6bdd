"""What the Claims page is asked, and its audit in the background."""

from dataclasses import dataclass, field
from time import monotonic
from typing import ClassVar

from dpca_core.analysis.claims import example
from dpca_core.audit.attack import Audit, audit
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.problem import Problem
from ui.server.scheduler import BACKGROUND_SCHEDULER, PAGE_SCHEDULER
from ui.server.workers import BackgroundJob
from ui.state.settings import Addressed

LEAST_COLUMNS, MOST_COLUMNS = 2, 200
"""Of the example data."""
LONGEST_AUDIT_SECONDS = 900.0


@dataclass(frozen=True)
class ClaimsSettings(Addressed):
    """Columns of the example data."""

    ALWAYS: ClassVar = ("d",)
    STOPS: ClassVar = {"d": tuple(range(LEAST_COLUMNS, MOST_COLUMNS + 1))}

    d: int = 10


@dataclass(frozen=True)
class ClaimsQuery:
    """The mechanism explained and attacked, the privacy asked for, the size of example data."""

    mechanism: Mechanism
    budget: Budget
    d: int
    n: int
    k: int

    @property
    def problem(self) -> Problem:
        """Example data of that size."""
        return example(self.d, self.k, self.n)


@dataclass
class AuditJob(BackgroundJob):
    """One audit in a thread of its own: it can be stopped, and keeps what it has.

    ``share`` of the releases are drawn; ``found`` is the result, or ``problem`` why there is none;
    ``pair`` is what the two data sets differ in.
    """

    query: ClaimsQuery
    releases: int
    seed: int
    share: float = 0.0
    found: Audit | None = None
    problem: str = ""
    pair: str = ""
    begun: float = field(default_factory=monotonic)

    def _work(self) -> None:
        query, mechanism = self.query, self.query.mechanism
        try:
            with BACKGROUND_SCHEDULER.turn(urgent=False):
                if not self._progress(0.0):
                    return
                self.waiting = False
                pair = worst_pair(mechanism, query.d, query.k, query.n, query.budget)
                self.pair = pair.name
                self.found = audit(
                    mechanism,
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
