"""Releases of data whose centre is paid for: every one has a private mean of its own.

A mean that is drawn once and shared by all trials is one accident: all releases may agree with each
other and with the rows as that mean left them, and none hold the true directions. Where few people
are behind a mean its error becomes direction 1.
"""

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Budget
from dpca_core.simulation.trials import trial_generator

_SEEDS = 2**63


def releases_with_means(
    dataset: Dataset,
    mechanism: Mechanism,
    k: int,
    budget: Budget,
    seed: int,
    trials: range,
    n: float | None = None,
) -> Array:
    """Simulate released bases (T, d, k), NaN where refused: for pages, nothing to publish.

    Mean and mechanism share the budget, and draw by the generators of (seed, "private mean", t) and
    (seed, mechanism, t). ``n`` is as for ``Dataset.problem``. Each release costs a pass over the
    rows. InfeasibleBudget where the mechanism cannot serve the budget, or not in a page's time.
    """
    bases = []
    for trial in trials:
        mean_seed = int(trial_generator(seed, "private mean", trial).integers(_SEEDS))
        problem, own_budget = dataset.point(k, n, budget, mean_seed)
        rng = trial_generator(seed, mechanism.key, trial)
        bases.append(mechanism.simulate(problem, own_budget, rng).bases)
    return np.concatenate([np.empty((0, dataset.d, k)), *bases])
