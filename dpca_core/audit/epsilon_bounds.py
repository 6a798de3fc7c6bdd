"""Bounds on ε from counts of correct and false accusations, and the best these can be."""

from math import exp, inf

import numpy as np
import scipy
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Guarantee
from dpca_core.privacy.inference_risk import gaussian_roc, membership_roc
from dpca_core.privacy.roots import bisect

_LARGEST_DETECTABLE = 50.0
_RATES = 500

Successes = float | NDArray[np.intp] | Array
"""How many accusations succeeded: one number, or an array of them."""


def clopper_pearson_lower(successes: Successes, trials: float, level: float) -> Array:
    """Lower confidence limits of probabilities, each at the one-sided ``level``; exact."""
    found = scipy.special.betaincinv(np.maximum(successes, 1), trials - successes + 1, 1 - level)
    return np.where(np.greater(successes, 0), found, 0.0)


def clopper_pearson_upper(successes: Successes, trials: float, level: float) -> Array:
    """Upper confidence limits of probabilities, each at the one-sided ``level``; exact."""
    found = scipy.special.betaincinv(successes + 1, np.maximum(trials - successes, 1), level)
    return np.where(np.less(successes, trials), found, 1.0)


def log_ratio(right: Array, wrong: Array, delta: float) -> Array:
    """ln((TPR − δ)/FPR), −∞ where TPR is at most δ."""
    excess = np.maximum(right - delta, 0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(excess / wrong))


def smallest_detectable_epsilon(tested: int, delta: float, level: float) -> float:
    """Smallest ε that any attack can be expected to detect; ∞ if there is none.

    No (ε, δ)-DP mechanism is easier to attack than the one that reveals the truth with probability
    δ and otherwise answers truthfully with probability e^ε/(1 + e^ε): nothing can be detected if
    the limits of an audit overlap even at its expected counts.
    """
    each = (1 + level) / 2

    def shows(epsilon: float) -> bool:
        wrong = (1 - delta) / (1 + exp(epsilon))
        right = 1 - wrong
        lowest = clopper_pearson_lower(tested * right, tested, each)
        return bool(lowest - delta > clopper_pearson_upper(tested * wrong, tested, each))

    if not shows(_LARGEST_DETECTABLE):
        return inf
    return bisect(shows, 0.0, _LARGEST_DETECTABLE, relative=1e-6)


def expected_lower_bound(guarantee: Guarantee, tested: int, delta: float, level: float) -> float:
    """Lower bound that the best attack is expected to give if these data spend all of a guarantee.

    Along the largest true-positive rates that it allows; the exact ones for Gaussian noise.
    """
    each = (1 + level) / 2
    wrong = np.unique(np.geomspace(1, tested + 1, _RATES).astype(int)) - 1
    if guarantee.noise_multiplier is not None:
        rates = gaussian_roc(wrong / tested, guarantee.noise_multiplier)
    elif guarantee.epsilon == inf:
        rates = np.ones(len(wrong))
    else:
        rates = membership_roc(wrong / tested, guarantee.epsilon, guarantee.delta)
    right = clopper_pearson_lower(tested * rates, tested, each)
    shown = log_ratio(right, clopper_pearson_upper(wrong, tested, each), delta)
    return max(0.0, float(shown.max()))
