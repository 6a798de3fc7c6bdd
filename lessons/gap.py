"""Noise against the gap: the third direction is hard to tell from the fourth."""

from ui.learn.pictures import Fields, Figure, Picture, Say, bars, fan
from ui.learn.releases import ROLE, median_noise, rand_problem, releases, summed_up

K = {"few": 2, "more": 3, "most": 4}
RIGHT_ANGLE, ASKED = 90.0, 0.1
"""Degrees, and ε of the second question."""


def measure(epsilon: float, seed: int) -> Fields:
    """Measure how far two, three and four directions are off, and the noise beside their gaps."""
    published = releases(rand_problem(K["most"]), epsilon, seed)
    # One noisy table gives them all: fewer directions are the first of more.
    found = {name: summed_up(rand_problem(k), published[:, :, :k]) for name, k in K.items()}
    angle, problem = found["few"]["angle"], rand_problem(K["most"])
    return {
        **found,
        "asked": ASKED,
        "people": problem.n,
        "most_asked": summed_up(problem, releases(problem, ASKED, seed))["angle"],
        "noise": median_noise(epsilon, seed),
        "choices": (angle, angle * K["few"] / K["more"], 2 * angle, RIGHT_ANGLE),
        "truth": found["more"]["angle"],
    }


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw two fans, each beside the noise and its gap; the second is empty before the answer."""
    few, more, noise = fields["few"], fields["more"], fields["noise"]
    largest = max(noise, few["gap"], more["gap"])

    def beside(words: str, own: Fields, needles: Figure) -> Picture:
        rows = [(say("noise"), noise, ROLE), (say("gap", **own), own["gap"], "ink")]
        return say.picture(words, needles, bars(rows, largest), **own)

    def known(own: Fields) -> Picture:
        return beside("fan", own, fan(own["releases"], own["angle"], ROLE))

    return [known(few), known(more) if told else beside("asked", more, fan((), None, ROLE))]
