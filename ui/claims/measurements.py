"""What the Claims page draws at random: many releases in which a record may prove absent."""

from functools import lru_cache
from math import sqrt

import numpy as np

from dpca_core.analysis.claims import example
from dpca_core.audit.absence import sticks_out
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Budget

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
