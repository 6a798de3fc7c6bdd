"""Noise against the gap: the third direction is hard to tell from the fourth."""

from typing import Any

import numpy as np

from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
from ui.learn.fields import Fields
from ui.learn.lesson import Picture, Say
from ui.learn.pictures import bars, fan
from ui.learn.releases import (
    DELTA,
    NOISE_ROLE,
    SHOWN,
    angles_degrees,
    kept_shares,
    median_noise,
    rand_problem,
    releases,
)

K = {"few": 2, "more": 3, "most": 4}
RIGHT_ANGLE = 90.0


def measure(value: Any, seed: int) -> Fields:
    """Measure how far two, three and four directions are off, and the noise beside their gaps."""
    budget = Budget(float(value), DELTA)
    found: dict[str, Any] = {
        **K,
        "epsilon": budget.epsilon,
        "shown": SHOWN,
        "noise": median_noise(budget, seed),
    }
    published = releases(DEFAULT, rand_problem(K["most"]), budget, seed)
    for name, k in K.items():
        # One noisy table gives them all: fewer directions are the first of more.
        problem, bases = rand_problem(k), published[:, :, :k]
        angles = angles_degrees(problem, bases)
        found |= {
            f"{name}_angles": angles[:SHOWN],
            f"{name}_angle": float(np.median(angles)),
            f"{name}_within": float(np.quantile(angles, 0.9)),
            f"{name}_kept": float(np.median(kept_shares(problem, bases))),
            f"{name}_gap": problem.gap,
        }
    angle = found["few_angle"]
    found["choices"] = (angle, angle * K["few"] / K["more"], 2 * angle, RIGHT_ANGLE)
    return found | {"truth": found["more_angle"]}


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw two fans, each beside the noise and its gap; the second is empty before the answer."""
    largest = max(fields["noise"], fields["few_gap"], fields["more_gap"])

    def picture(name: str, words: str, angles: Any, median: float | None) -> Picture:
        names = ("angle", "within", "kept", "gap")
        own = {**fields, "k": K[name], **{each: fields[f"{name}_{each}"] for each in names}}
        rows = [
            (say("noise", own), own["noise"], NOISE_ROLE),
            (say("gap", own), own["gap"], "ink"),
        ]
        drawn = (fan(angles, median, NOISE_ROLE), bars(rows, largest))
        return Picture(say(words, own), say(f"{words}, below", own), drawn)

    def known(name: str) -> Picture:
        return picture(name, "fan", fields[f"{name}_angles"], fields[f"{name}_angle"])

    return [known("few"), known("more") if told else picture("more", "asked", (), None)]
