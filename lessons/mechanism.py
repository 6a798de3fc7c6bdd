"""Two mechanisms with the same promise, and what each of them keeps."""

import numpy as np

from dpca_core.figures.colours import family_role
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS, PURE_DEFAULT, PURE_WIDE_DEFAULT
from dpca_core.metrics import random_baseline
from dpca_core.privacy.budget import Budget
from dpca_core.runtime.threads import thread_pool
from dpca_core.simulation.trials import median_norm
from ui.learn.pictures import Fields, Picture, Say, piles
from ui.learn.releases import SHOWN, TRIALS, kept_shares, rand_problem, releases

SHAPED, PLAIN, DRAWN = PURE_DEFAULT, PURE_WIDE_DEFAULT, MECHANISMS["ppca"]
FEW = 25
"""Releases of the mechanisms that only the second question mentions."""
TICKS = [(share / 4, f"{share * 25} %") for share in range(5)]


def measure(epsilon: float, seed: int) -> Fields:
    """Measure what releases keep at an ε, with two pure mechanisms and two more."""
    problem = rand_problem(2)

    def kept(mechanism: Mechanism, trials: int = TRIALS) -> Array:
        return kept_shares(problem, releases(problem, epsilon, seed, mechanism, trials))

    with thread_pool() as pool:
        shaped, plain = pool.map(kept, (SHAPED, PLAIN))
    low, high, chance = np.median(plain), np.median(shaped), random_baseline(problem).captured
    return {
        "first": SHAPED.name,
        "second": PLAIN.name,
        "third": DRAWN.name,
        "keys": f"{SHAPED.key},{PLAIN.key}",
        "shaped": high,
        "plain": low,
        "shaped_releases": shaped[:SHOWN],
        "plain_releases": plain[:SHOWN],
        "shaped_noise": median_norm(SHAPED, problem.d, Budget(epsilon)),
        "plain_noise": median_norm(PLAIN, problem.d, Budget(epsilon)),
        "random": chance,
        "gaussian": np.median(kept(DEFAULT, FEW)),
        "drawn": np.median(kept(DRAWN, FEW)),
        "choices": (chance, low, (low + high) / 2, high),
        "truth": low,
    }


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw what releases of one mechanism keep, and with the answer those of both."""
    shown = [(SHAPED, "shaped_releases"), (PLAIN, "plain_releases")][: 1 + told]
    groups = [(noise.name, fields[name], family_role(noise.family)) for noise, name in shown]
    return [say.picture("told" if told else "asked", piles(groups, 0.0, 1.0, TICKS))]
