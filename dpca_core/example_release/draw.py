"""One draw from the private data, with fresh randomness: all that is private in a release."""

import secrets
from dataclasses import dataclass

import numpy as np

from dpca_core.analysis.choose_k import choose_k
from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import guarantee
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.runtime.offload import always_local

_SEED_BITS = 128


@dataclass(frozen=True, eq=False)
class Drawn:
    """What came out of one draw: a basis (d, k), or None where the mechanism refused."""

    basis: Array | None


def draw(dataset: Dataset, mechanism: Mechanism, k: int, budget: Budget) -> Drawn:
    """Draw one release of the data as they are: the only look at private rows.

    All randomness is the operating system's, that of a private mean too: a page's seed is known to
    whoever has the link. n is the real one, not a slider's.

    Raises
    ------
    InfeasibleBudget
        Where the budget cannot be met: that depends on d, k and the budget only. (The power
        methods as printed, of which nothing is promised, also refuse for the eigengap.)
    """
    mechanism_budget = dataset.mechanism_budget(budget)
    guarantee(mechanism, dataset.d, k, mechanism_budget)
    with always_local():
        problem = dataset.problem(k, None, budget, secrets.randbits(_SEED_BITS))
        release = mechanism.release(problem, mechanism_budget, _secret())
    return Drawn(None if release.refused[0] else release.bases[0])


def draw_k(dataset: Dataset, epsilon: float, most: int, adjacency: Adjacency) -> int:
    """Choose k from 1 to ``most`` by the largest noisy gap of the data as they are: ε-DP, pure.

    A private mean is drawn for it and takes its share of ε, with Laplace noise; the gaps take the
    rest. Basic composition: the whole costs ε. Every draw costs that again.

    Parameters
    ----------
    most
        A public number below d, fixed without looking at the data.
    """
    whole = Budget(epsilon, 0.0, adjacency)
    mechanism_epsilon = dataset.mechanism_budget(whole).epsilon
    with always_local():
        problem = dataset.problem(1, None, whole, secrets.randbits(_SEED_BITS))
        return choose_k(problem, mechanism_epsilon, most, adjacency, _secret())


def _secret() -> np.random.Generator:
    return np.random.default_rng(secrets.randbits(_SEED_BITS))
