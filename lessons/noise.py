"""Noise goes on the table, and acts on a direction with a part of its whole."""

from math import sqrt

import numpy as np

from dpca_core.mechanisms.registry import DEFAULT
from ui.learn.pictures import Fields, Picture, Say, bars, cells
from ui.learn.releases import (
    ROLE,
    angles_degrees,
    median_noise,
    noise_scale,
    rand_problem,
    releases,
    shared_draws,
)

WEIGHTS, ASKED = 5, 0.1
"""Directions whose weights are drawn, and ε of the second question."""


def measure(epsilon: float, seed: int) -> Fields:
    """Measure the noise on cells and on directions, and by how far the first direction is off."""
    problem, tau = rand_problem(1), noise_scale(epsilon)
    norm, cell, d = median_noise(epsilon, seed), tau / sqrt(2), problem.d
    angles = angles_degrees(problem, releases(problem, ASKED, seed))
    return {
        "asked": ASKED,
        "tau": tau,
        "cell": cell,
        "norm": norm,
        "rule": tau * sqrt(2 * d),
        "table": problem.moment,
        "noise": tau * shared_draws(DEFAULT, seed).unit(d, 1)[0][0],
        "weights": problem.spectrum[:WEIGHTS],
        "angle": np.median(angles),
        "angle_most": np.quantile(angles, 0.9),
        "choices": (cell, norm, d * cell, d**2 * cell),
        "truth": norm,
    }


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw the table and the spectrum; with the answer also the noise, on cells and directions."""
    table, name = fields["table"], "told" if told else "asked"
    numbered = enumerate(fields["weights"], 1)
    rows = [(say("weight", number=i, weight=weight), weight, "ink") for i, weight in numbered]
    if told:
        noise, published = fields["noise"], table + fields["noise"]
        rows.append((say("norm"), fields["norm"], ROLE))
    else:
        noise = published = None
    tables = cells([("true", table), ("noise", noise), ("published", published)])
    return [say.picture(name, tables), say.picture("bars", bars(rows), below=f"bars, {name}")]
