"""An empirical lower bound on ε: how well an attacker tells two neighbouring data sets apart.

An audit cannot prove privacy, but it can disprove it: a bound above the guarantee refutes it. The
attacker knows everybody but the person, and the stand-in if there is one. No statistic of what is
published tells two data sets apart better than its likelihood ratio (Neyman and Pearson).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpca_core.audit import epsilon_bounds as bounds
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism, Release
from dpca_core.mechanisms.neighbouring_pairs import Pair
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.second_look import Looks
from dpca_core.privacy.budget import Adjacency, Budget, Guarantee

LEVEL = 0.95
"""Confidence of a bound."""
LIKELIHOOD = "the log-likelihood ratio of what was published"
BOUND_OF_LIKELIHOOD = "what the guarantee bounds of the log-likelihood ratio"
CHANGE_INSIDE = "the part of the person’s change of S that lies in the published directions"

_CHUNK_RELEASES, _CHUNK_ENTRIES, _THRESHOLDS = 250, 2_000_000, 400
_SELECTION_LEVEL = 0.9999
"""Confidence of the limits by which the attack is chosen: high, so as not to reward luck."""
_CERTAIN = 1e9
"""The statistic where only one of the two data sets can have been."""


@dataclass(frozen=True)
class Audit:
    """What an attacker achieved, on draws that were not used to choose the attack."""

    releases: int
    """Drawn from each of the two data sets; half of them were tested."""
    share_done: float
    """Of the releases asked for."""
    delta: float
    """δ of the budget, at which the attack was chosen."""
    true_positive_rate: float
    false_positive_rate: float
    true_positive_limit: float
    false_positive_limit: float
    """A lower and an upper one by Clopper and Pearson: both hold with confidence ``level``."""
    level: float
    statistic: str
    """One sentence: what the attack looked at and when it accused."""
    guarantee: Guarantee
    claim: Guarantee | None
    is_optimal: bool
    """Whether the statistic is the likelihood ratio: no other tells the data sets apart better."""

    @property
    def tested(self) -> int:
        """Releases of each data set that were not used to choose the attack."""
        return self.releases - self.releases // 2

    @property
    def smallest_detectable_epsilon(self) -> float:
        """Smallest ε that any attack on so many releases can be expected to detect."""
        return bounds.smallest_detectable_epsilon(self.tested, self.delta, self.level)

    @property
    def expected_lower_bound(self) -> float:
        """Lower bound that so many releases would give on average if all of ε were spent."""
        return bounds.expected_lower_bound(self.guarantee, self.tested, self.delta, self.level)

    @property
    def epsilon_lower(self) -> float:
        """Lower bound on ε at ``delta``."""
        return self.epsilon_at(self.delta)

    def epsilon_at(self, delta: float) -> float:
        """Lower bound on ε at a δ, 0 where nothing is shown; with ``level`` all hold together."""
        right, wrong = np.array(self.true_positive_limit), np.array(self.false_positive_limit)
        return max(0.0, float(bounds.log_ratio(right, wrong, delta)))

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
    1 − 0.05/m. ``on_progress`` is called with the share done after every chunk; where it returns
    False, the audit ends with what it has drawn. InfeasibleBudget and NotDrawnInTime where the
    mechanism raises them.
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
    chunk = max(2, min(_CHUNK_RELEASES, _CHUNK_ENTRIES // pair.person.size**2))
    rng, name, done = np.random.default_rng(seed), "", 0
    seen: tuple[list[Array], list[Array]] = ([], [])
    while done < releases:
        size = min(chunk, releases - done)
        for values, problem in zip(seen, (pair.with_person, pair.without_person), strict=True):
            # Simulated data need no unbounded draw, which would block everybody else.
            release = mechanism.simulate(problem, budget, rng, size, keep="moment")
            name, found = statistic(mechanism, release, pair, budget)
            values.append(found)
        done += size
        if on_progress is not None and on_progress(done / releases) is False:
            break
    present, absent = np.concatenate(seen[0]), np.concatenate(seen[1])
    # Small values accuse of absence as large ones accuse of presence.
    accusations = {"present": (present, absent), "absent": (-absent, -present)}
    half = done // 2
    attacks = [
        (*best_threshold(right[:half], wrong[:half], budget.delta), called)
        for called, (right, wrong) in accusations.items()
    ]
    _, threshold, called = max(attacks, key=lambda attack: attack[0])
    right, wrong = (int((values[half:] >= threshold).sum()) for values in accusations[called])
    tested, each = done - half, (1 + level) / 2
    return Audit(
        releases=done,
        share_done=done / releases,
        delta=budget.delta,
        true_positive_rate=right / tested,
        false_positive_rate=wrong / tested,
        true_positive_limit=float(bounds.clopper_pearson_lower(right, tested, each)),
        false_positive_limit=float(bounds.clopper_pearson_upper(wrong, tested, each)),
        level=level,
        statistic=_sentence(name, called, threshold),
        guarantee=guarantee,
        claim=claim,
        is_optimal=name == LIKELIHOOD,
    )


def statistic(
    mechanism: Mechanism, release: Release, pair: Pair, budget: Budget
) -> tuple[str, Array]:
    """Name of what the attacker computes, and its values (trials,): large if the person is there.

    Of directions alone it is the ratio of the exponential mechanism; a refusal speaks of absence.
    """
    present = mechanism.log_likelihood(pair.with_person, budget, release)
    absent = mechanism.log_likelihood(pair.without_person, budget, release)
    if present is not None and absent is not None:
        with np.errstate(invalid="ignore"):
            ratio = np.nan_to_num(present - absent, nan=0.0, posinf=_CERTAIN, neginf=-_CERTAIN)
        bounded = isinstance(mechanism, NoiseOnS | Looks) and not mechanism.law.density_is_exact
        return BOUND_OF_LIKELIHOOD if bounded else LIKELIHOOD, ratio
    change = pair.with_person.moment - pair.without_person.moment
    inside = (release.bases * (change @ release.bases)).sum(axis=(1, 2))
    return CHANGE_INSIDE, np.where(release.refused, -_CERTAIN, inside)


def best_threshold(right: Array, wrong: Array, delta: float) -> tuple[float, float]:
    """Largest lower bound on ε that accusing from a threshold on promises, and that threshold."""
    trials, values = len(right), np.sort(np.concatenate([right, wrong]))
    thresholds = values[np.linspace(0, len(values) - 1, _THRESHOLDS).astype(int)]
    hits, misses = (trials - np.searchsorted(np.sort(each), thresholds) for each in (right, wrong))
    scores = bounds.log_ratio(
        bounds.clopper_pearson_lower(hits, trials, _SELECTION_LEVEL),
        bounds.clopper_pearson_upper(misses, trials, _SELECTION_LEVEL),
        delta,
    )
    best = int(scores.argmax())
    return float(scores[best]), float(thresholds[best])


def _sentence(name: str, called: str, threshold: float) -> str:
    if threshold == _CERTAIN and name == CHANGE_INSIDE:
        where = "nothing was released"
    elif threshold == _CERTAIN:
        other = "with" if called == "absent" else "without"
        where = f"no data {other} the person could have given what was published"
    elif called == "present":
        where = f"{name} is at least {threshold:.4g}"
    else:
        where = f"{name} is at most {-threshold:.4g}"
    return f"The attacker calls the person {called} where {where}."
