"""An empirical lower bound on ε: how well an attacker tells two neighbouring data sets apart.

An audit cannot prove privacy. It can disprove it: a bound above the promise convicts.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpca_core.audit.attacks import Counts, best_attack, is_likelihood_ratio_test, statistics
from dpca_core.audit.epsilon_bounds import (
    clopper_pearson_lower,
    clopper_pearson_upper,
    expected_lower_bound,
    log_ratio,
    smallest_detectable_epsilon,
)
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.neighbouring_pair import Pair
from dpca_core.privacy.budget import Adjacency, Budget, Guarantee

LEVEL = 0.95

_CHUNK, _ENTRIES = 250, 2_000_000
_CHOOSING = 0.9999
"""Confidence of the limits by which the attack is chosen: high, so that luck does not choose."""


@dataclass(frozen=True)
class Audit:
    """What an attacker achieved, on draws that did not help to choose the attack.

    Attributes
    ----------
    releases
        Releases drawn of each of the two data sets; half of them were tested.
    done
        Share of the releases asked for.
    delta
        δ of the budget, at which the attack was chosen.
    true_positive_rate, false_positive_rate
        How often the attacker accused where he was right, and where he was wrong.
    true_positive_limit, false_positive_limit
        Clopper–Pearson lower limit of the one, upper limit of the other: both hold with ``level``.
    level
        Confidence.
    statistic
        One sentence: what the attacker looked at and when he accused.
    guarantee, claim
        What really holds at the budget, and what the paper says.
    decisive
        Whether the statistic is the likelihood ratio: no other tells these data sets apart better.
    """

    releases: int
    done: float
    delta: float
    true_positive_rate: float
    false_positive_rate: float
    true_positive_limit: float
    false_positive_limit: float
    level: float
    statistic: str
    guarantee: Guarantee
    claim: Guarantee | None
    decisive: bool = False

    @property
    def tested(self) -> int:
        """Releases of each data set that did not help to choose the attack."""
        return self.releases - self.releases // 2

    @property
    def least(self) -> float:
        """Smallest ε of which any attack on so many releases can be expected to show something."""
        return smallest_detectable_epsilon(self.tested, self.delta, self.level)

    @property
    def most(self) -> float:
        """ε that so many releases would be expected to show if all of the guarantee were spent."""
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

    (ε, δ)-DP means TPR ≤ e^ε·FPR + δ for every attack, so ε ≥ ln((TPR − δ)/FPR). Half of the error
    goes to either limit. Of m audits that should all hold together, ask each for the level
    1 − 0.05/m: then all are right with 95 %.

    Parameters
    ----------
    releases
        Releases of each data set, at least 2.
    level
        Confidence of the bound.
    on_progress
        Called with the share done after every chunk; False stops and keeps what is done.

    Raises
    ------
    InfeasibleBudget
        Where the mechanism raises it; NotDrawnInTime where its draws would take too long.
    ValueError
        For fewer than 2 releases, a level outside (0, 1), or a pair of the other neighbours.
    """
    if releases < 2:
        raise ValueError(f"Ask for at least two releases, not {releases}.")
    if not 0 < level < 1:
        raise ValueError(f"The level must be between 0 and 1, not {level}.")
    replaced = budget.adjacency is Adjacency.REPLACE_ONE
    if not pair.local and (pair.stand_in is not None) != replaced:
        raise ValueError("The pair and the budget mean different neighbours; choose the same.")
    guarantee = mechanism.guarantee(pair.with_person, budget)
    claim = mechanism.claim(pair.with_person, budget)
    names, present, absent = _draw(mechanism, pair, budget, releases, seed, on_progress)
    done = present.shape[1]
    half = done // 2

    counts = np.arange(half + 1)
    lower = clopper_pearson_lower(counts, half, _CHOOSING)
    upper = clopper_pearson_upper(counts, half, _CHOOSING)

    def score(right: Counts, wrong: Counts) -> Array:
        return log_ratio(lower[right], upper[wrong], budget.delta)

    attack = best_attack(present[:, :half], absent[:, :half], score)
    right, wrong = attack.accusations(present[:, half:], absent[:, half:])
    tested, each = done - half, (1 + level) / 2
    return Audit(
        releases=done,
        done=done / releases,
        delta=budget.delta,
        true_positive_rate=right / tested,
        false_positive_rate=wrong / tested,
        true_positive_limit=float(clopper_pearson_lower(right, tested, each)),
        false_positive_limit=float(clopper_pearson_upper(wrong, tested, each)),
        level=level,
        statistic=attack.sentence(names),
        guarantee=guarantee,
        claim=claim,
        decisive=is_likelihood_ratio_test(mechanism, attack, budget.adjacency),
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
    chunk = max(2, min(_CHUNK, _ENTRIES // pair.person.size**2))
    present: list[Array] = []
    absent: list[Array] = []
    names: tuple[str, ...] = ()
    done = 0
    while done < releases:
        size = min(chunk, releases - done)
        for values, problem in ((present, pair.with_person), (absent, pair.without_person)):
            # A release on made-up data: a draw without an end would keep others out.
            release = mechanism.simulate(problem, budget, rng, size, keep="moment")
            names, found = statistics(release, pair)
            values.append(found)
        done += size
        if on_progress is not None and on_progress(done / releases) is False:
            break
    return names, np.concatenate(present, axis=1), np.concatenate(absent, axis=1)
