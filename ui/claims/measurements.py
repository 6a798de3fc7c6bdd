"""What the Claims page draws at random: proofs of absence, and an audit in the background."""

from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from time import monotonic

import numpy as np

from dpca_core.analysis.claims import example
from dpca_core.audit.absence import sticks_out
from dpca_core.audit.audit import Audit, audit
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from ui.claims.query import ClaimsQuery
from ui.server.scheduler import BACKGROUND_SCHEDULER, PAGE_SCHEDULER
from ui.server.workers import BackgroundJob

AUDIT_RELEASES = (1000, 4000, 20_000, 100_000)
"""Numbers of releases of each data set to choose from."""
LONGEST_AUDIT_SECONDS = 900.0
"""Seconds after which an audit ends."""
_MOST_ENTRIES, _MOST_RELEASES = 2_000_000, 20_000


# All of it is public, and most visitors see the settings a page opens with.
@lru_cache(maxsize=64)
def count_proofs(mechanism: Mechanism, budget: Budget, d: int, seed: int) -> tuple[int, int]:
    """Count proofs of absence among many releases with d columns: (proofs, releases)."""
    trials = min(_MOST_RELEASES, _MOST_ENTRIES // d**2)
    problem = example(d, 1, 1000)
    rng = np.random.default_rng([seed, d])
    release = mechanism.release(problem, budget, rng, trials, keep="moment")
    x = np.full(d, 1 / sqrt(d))
    remainders = np.asarray(release.moment) - problem.moment
    return int(sticks_out(remainders, x).sum()), trials


@dataclass
class AuditJob(BackgroundJob):
    """One audit in a thread of its own: it can be stopped, and keeps what it has.

    It ends by itself when its session is over, or after ``LONGEST_AUDIT_SECONDS``. ``share`` of the
    releases are drawn; ``found`` is the result, or ``problem`` why there is none, in one sentence;
    ``pair`` is what the two data sets differ in.
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
        return self.query.mechanism

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
