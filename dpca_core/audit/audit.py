"""An empirical lower bound on ε: how well an attacker tells two neighbouring data sets apart.

An audit cannot prove privacy, but it can disprove it: a bound above the guarantee refutes it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpca_core.audit.attacks import (
    Counts,
    all_statistics,
    best_attack,
    is_likelihood_ratio_test,
)
from dpca_core.audit.epsilon_bounds import (
    clopper_pearson_lower,
    clopper_pearson_upper,
    expected_lower_bound,
    log_ratio,
    smallest_detectable_epsilon,
)
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.neighbouring_pairs import Pair
from dpca_core.privacy.budget import Adjacency, Budget, Guarantee

LEVEL = 0.95
"""Confidence of a bound."""

_CHUNK_RELEASES = 250
_CHUNK_ENTRIES = 2_000_000
_SELECTION_LEVEL = 0.9999
"""Confidence of the limits by which the attack is chosen: high, so as not to reward luck."""


@dataclass(frozen=True)
class Audit:
    """What an attacker achieved, on draws that were not used to choose the attack.

    Attributes
    ----------
    releases
        Releases drawn from each of the two data sets; half of them were tested.
    share_done
        Share of the requested releases that was drawn.
    delta
        δ of the budget, at which the attack was chosen.
    true_positive_rate, false_positive_rate
        How often the attack accused correctly, and how often wrongly.
    true_positive_limit, false_positive_limit
        Clopper–Pearson lower limit of the first, upper limit of the second; with confidence
        ``level`` both hold.
    level
        Confidence.
    statistic
        One sentence: what the attack looked at and when it accused.
    guarantee, claim
        What really holds at the budget, and what the paper says.
    is_optimal
        Whether the statistic is the likelihood ratio: no other tells these data sets apart better.
    """

    releases: int
    share_done: float
    delta: float
    true_positive_rate: float
    false_positive_rate: float
    true_positive_limit: float
    false_positive_limit: float
    level: float
    statistic: str
    guarantee: Guarantee
    claim: Guarantee | None
    is_optimal: bool = False

    @property
    def tested(self) -> int:
        """Releases of each data set that were not used to choose the attack."""
        return self.releases - self.releases // 2

    @property
    def smallest_detectable_epsilon(self) -> float:
        """Smallest ε that any attack on so many releases can be expected to detect."""
        return smallest_detectable_epsilon(self.tested, self.delta, self.level)

    @property
    def expected_lower_bound(self) -> float:
        """Lower bound that so many releases would give on average if all of ε were spent."""
        return expected_lower_bound(self.guarantee, self.tested, self.delta, self.level)

    @property
    def epsilon_lower(self) -> float:
        """Lower bound on ε at ``delta``."""
        return self.epsilon_at(self.delta)

    def epsilon_at(self, delta: float) -> float:
        """Lower bound on ε at a δ, 0 where nothing is shown; with ``level`` all hold together."""
        right, wrong = np.array(self.true_positive_limit), np.array(self.false_positive_limit)
        return max(0.0, float(log_ratio(right, wrong, delta)))

    def convicts(self, promise: Guarantee | None) -> bool:
        """Whether a promise is broken: the bound at its δ is above its ε."""
        return promise is not None and self.epsilon_at(promise.delta) > promise.epsilon

    @property
    def convicted(self) -> bool:
        """Whether the true guarantee is broken: if so, a proof or the code is wrong."""
        return self.convicts(self.guarantee)

    @property
    def claim_convicted(self) -> bool:
        """Whether the paper's claim is broken."""
        return self.convicts(self.claim)


def audit(
    mechanism: Mechanism,
    pair: Pair,
    budget: Budget,
    *,
    releases: int = 4000,
    seed: int = 0,
    level: float = LEVEL,
    on_progress: Callable[[float], bool | None] | None = None,
) -> Audit:
    """Bound ε from below: choose an attack on half of the draws, test it on the other half.

    (ε, δ)-DP means TPR ≤ e^ε·FPR + δ for every attack, so ε ≥ ln((TPR − δ)/FPR). Each limit gets
    half of the error. For m audits to hold together with 95 % confidence, run each at the level
    1 − 0.05/m.

    Parameters
    ----------
    releases
        Releases of each data set, at least 2.
    level
        Confidence of the bound.
    on_progress
        Called with the share done after every chunk; False stops the audit and keeps its draws.

    Raises
    ------
    InfeasibleBudget
        If the mechanism raises it; NotDrawnInTime if its draws would take too long.
    ValueError
        For fewer than 2 releases, a level outside (0, 1), or a pair of the other neighbours.
    """
    if releases < 2:
        raise ValueError(f"Ask for at least two releases, not {releases}.")
    if not 0 < level < 1:
        raise ValueError(f"The level must be between 0 and 1, not {level}.")
    replaced = budget.adjacency is Adjacency.REPLACE_ONE
    if not pair.local and (pair.stand_in is not None) != replaced:
        raise ValueError("The pair and the budget use different neighbours; choose the same.")
    guarantee = mechanism.guarantee(pair.with_person, budget)
    claim = mechanism.claim(pair.with_person, budget)
    names, present, absent = _draw(mechanism, pair, budget, releases, seed, on_progress)
    done = present.shape[1]
    half = done // 2

    counts = np.arange(half + 1)
    lower = clopper_pearson_lower(counts, half, _SELECTION_LEVEL)
    upper = clopper_pearson_upper(counts, half, _SELECTION_LEVEL)

    def score(right: Counts, wrong: Counts) -> Array:
        return log_ratio(lower[right], upper[wrong], budget.delta)

    attack = best_attack(present[:, :half], absent[:, :half], score)
    right, wrong = attack.accusations(present[:, half:], absent[:, half:])
    tested, each = done - half, (1 + level) / 2
    return Audit(
        releases=done,
        share_done=done / releases,
        delta=budget.delta,
        true_positive_rate=right / tested,
        false_positive_rate=wrong / tested,
        true_positive_limit=float(clopper_pearson_lower(right, tested, each)),
        false_positive_limit=float(clopper_pearson_upper(wrong, tested, each)),
        level=level,
        statistic=attack.sentence(names),
        guarantee=guarantee,
        claim=claim,
        is_optimal=is_likelihood_ratio_test(mechanism, attack, budget.adjacency),
    )


def _draw(
    mechanism: Mechanism,
    pair: Pair,
    budget: Budget,
    releases: int,
    seed: int,
    on_progress: Callable[[float], bool | None] | None,
) -> tuple[tuple[str, ...], Array, Array]:
    """Names of the statistics, and their values (statistics, releases) with and without."""
    rng = np.random.default_rng(seed)
    chunk = max(2, min(_CHUNK_RELEASES, _CHUNK_ENTRIES // pair.person.size**2))
    present: list[Array] = []
    absent: list[Array] = []
    names: tuple[str, ...] = ()
    done = 0
    while done < releases:
        size = min(chunk, releases - done)
        for values, problem in ((present, pair.with_person), (absent, pair.without_person)):
            # Simulated data need no unbounded draw, which would block everybody else.
            release = mechanism.simulate(problem, budget, rng, size, keep="moment")
            names, found = all_statistics(mechanism, release, pair, budget)
            values.append(found)
        done += size
        if on_progress is not None and on_progress(done / releases) is False:
            break
    return names, np.concatenate(present, axis=1), np.concatenate(absent, axis=1)
