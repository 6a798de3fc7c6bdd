"""Two mechanisms with the same promise, and what each of them keeps."""

from typing import Any

import numpy as np

from dpca_core.figures.colours import family_role
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS, PURE_DEFAULT, PURE_WIDE_DEFAULT
from dpca_core.metrics import random_baseline
from dpca_core.privacy.budget import Budget
from dpca_core.runtime.threads import thread_pool
from dpca_core.simulation.trials import median_norm
from ui.learn.pictures import Fields, Picture, Say, picture, piles
from ui.learn.releases import DELTA, SHOWN, TRIALS, kept_shares, rand_problem, releases

SHAPED, PLAIN, DRAWN = PURE_DEFAULT, PURE_WIDE_DEFAULT, MECHANISMS["ppca"]
FEW = 25
"""Releases of the mechanisms that only the second question mentions."""
TICKS = tuple((share / 4, f"{share * 25} %") for share in range(5))


def measure(value: Any, seed: int) -> Fields:
    """Measure what releases keep at an ε, with two pure mechanisms and two more."""
    epsilon, problem = float(value), rand_problem(2)
    with thread_pool() as pool:
        shaped, plain = pool.map(lambda m: _kept(m, epsilon, 0.0, seed), (SHAPED, PLAIN))
    low, high, chance = np.median(plain), np.median(shaped), random_baseline(problem).captured
    return {
        "epsilon": epsilon,
        "delta": DELTA,
        "first": SHAPED.name,
        "second": PLAIN.name,
        "third": DRAWN.name,
        "keys": f"{SHAPED.key},{PLAIN.key}",
        "shaped": float(high),
        "plain": float(low),
        "shaped_releases": shaped[:SHOWN],
        "plain_releases": plain[:SHOWN],
        "shown": SHOWN,
        "shaped_noise": median_norm(SHAPED, problem.d, Budget(epsilon)),
        "plain_noise": median_norm(PLAIN, problem.d, Budget(epsilon)),
        "random": chance,
        "gaussian": float(np.median(_kept(DEFAULT, epsilon, DELTA, seed, FEW))),
        "drawn": float(np.median(_kept(DRAWN, epsilon, 0.0, seed, FEW))),
        "choices": (chance, float(low), float(low + high) / 2, float(high)),
        "truth": float(low),
    }


def _kept(
    mechanism: Mechanism, epsilon: float, delta: float, seed: int, trials: int = TRIALS
) -> Array:
    problem = rand_problem(2)
    bases = releases(mechanism, problem, Budget(epsilon, delta), seed, trials)
    return kept_shares(problem, bases)


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw what releases of one mechanism keep, and with the answer those of both."""
    groups = [
        (mechanism.name, fields[f"{name}_releases"], family_role(mechanism.family))
        for name, mechanism in (("shaped", SHAPED), ("plain", PLAIN))[: 1 + told]
    ]
    return [picture(say, "told" if told else "asked", fields, piles(groups, 0.0, 1.0, TICKS))]
