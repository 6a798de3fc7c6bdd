"""Noise against the gap: the third direction is hard to tell from the fourth."""

from typing import Any

from numpy.typing import ArrayLike

from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
from ui.learn.pictures import Fields, Picture, Say, bars, fan, picture
from ui.learn.releases import DELTA, ROLE, SHOWN, median_noise, rand_problem, releases, summed_up

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
        found |= summed_up(name, rand_problem(k), published[:, :, :k])
    angle = found["few_angle"]
    found["choices"] = (angle, angle * K["few"] / K["more"], 2 * angle, RIGHT_ANGLE)
    return found | {"truth": found["more_angle"]}


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw two fans, each beside the noise and its gap; the second is empty before the answer."""
    largest = max(fields["noise"], fields["few_gap"], fields["more_gap"])

    def beside(name: str, words: str, angles: ArrayLike, median: float | None) -> Picture:
        names = ("angle", "within", "kept", "gap")
        own = {**fields, "k": K[name], **{each: fields[f"{name}_{each}"] for each in names}}
        rows = [(say("noise", own), own["noise"], ROLE), (say("gap", own), own["gap"], "ink")]
        return picture(say, words, own, fan(angles, median, ROLE), bars(rows, largest))

    def known(name: str) -> Picture:
        return beside(name, "fan", fields[f"{name}_releases"], fields[f"{name}_angle"])

    return [known("few"), known("more") if told else beside("more", "asked", (), None)]
