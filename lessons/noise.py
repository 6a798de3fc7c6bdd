"""Noise goes on the table, and acts on a direction with a part of its whole."""

from math import sqrt
from typing import Any

import numpy as np

from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
from ui.learn.pictures import Fields, Picture, Say, bars, cells, picture
from ui.learn.releases import DELTA, ROLE, median_noise, rand_problem, releases, shared_draws

WEIGHTS = 5
"""Directions whose weights are drawn."""


def measure(value: Any, seed: int) -> Fields:
    """Measure the noise on cells and on directions, and by how far the first direction is off."""
    problem, budget = rand_problem(1), Budget(float(value), DELTA)
    tau, d = DEFAULT.calibrate(problem, budget).scale, problem.d
    first = releases(DEFAULT, problem, budget, seed)[:, :, 0]
    angles = np.degrees(np.arccos(np.minimum(1.0, np.abs(first @ problem.basis[:, 0]))))
    norm, cell = median_noise(budget, seed), tau / sqrt(2)
    return {
        "epsilon": budget.epsilon,
        "d": d,
        "tau": tau,
        "cell": cell,
        "norm": norm,
        "rule": tau * sqrt(2 * d),
        "table": problem.moment,
        "noise": tau * shared_draws(DEFAULT, seed).unit(d, 1)[0][0],
        "spectrum": problem.spectrum[:WEIGHTS],
        "first": problem.spectrum[0],
        "second": problem.spectrum[1],
        "third": problem.spectrum[2],
        "angle": float(np.median(angles)),
        "angle_most": float(np.quantile(angles, 0.9)),
        "choices": (cell, norm, d * cell, d**2 * cell),
        "truth": norm,
    }


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw the table and the spectrum; with the answer also the noise, on cells and directions."""
    table, noise = fields["table"], fields["noise"]
    known = [("noise", noise), ("published", table + noise)]
    tables = cells([("true", table), *(known if told else [(name, None) for name, _ in known])])
    rows = [
        (say("weight", {"number": i, "weight": weight}), float(weight), "ink")
        for i, weight in enumerate(fields["spectrum"], 1)
    ]
    if told:
        rows.append((say("norm", fields), fields["norm"], ROLE))
    name = "told" if told else "asked"
    return [
        picture(say, name, fields, tables),
        Picture(say("bars", fields), say(f"bars, {name}", fields), (bars(rows),)),
    ]
