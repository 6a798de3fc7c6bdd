"""Lesson: noise goes on the table, and acts on a direction with a part of its whole."""

from typing import Any

import numpy as np

from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.simulation.trials import noise_norms
from ui.learn.fields import Fields, fill
from ui.learn.lesson import Choice, Control, Guess, Lesson, Picture
from ui.learn.lessons.common import (
    LESSON_EPSILONS,
    NOISE_ROLE,
    rand_problem,
    releases,
    shared_draws,
)
from ui.learn.pictures.bars import bars
from ui.learn.pictures.cells import cells
from ui.state.settings import Settings

_SHOWN = 5


def measure(value: Any, seed: int) -> Fields:
    """Measure the noise on cells and on directions, and by how far the first direction is off."""
    epsilon, problem = float(value), rand_problem(1)
    budget = Budget(epsilon, Settings().delta)
    tau, d = DEFAULT.calibrate(problem, budget).scale, problem.d
    draws = shared_draws(DEFAULT, seed)
    norms = noise_norms(draws, d)
    assert norms is not None
    noise = tau * draws.unit(d, 1)[0][0]
    first = releases(DEFAULT, problem, budget, seed)[:, :, 0]
    angles = np.degrees(np.arccos(np.minimum(1.0, np.abs(first @ problem.basis[:, 0]))))
    return {
        "epsilon": epsilon,
        "d": d,
        "tau": tau,
        "norm": tau * float(np.median(norms)),
        "rule": tau * float(np.sqrt(2 * d)),
        "table": problem.moment,
        "noise": noise,
        "spectrum": problem.spectrum[:_SHOWN],
        "first": problem.spectrum[0],
        "second": problem.spectrum[1],
        "third": problem.spectrum[2],
        "angle": float(np.median(angles)),
        "angle_most": float(np.quantile(angles, 0.9)),
    }


def pictures(fields: Fields, told: bool) -> tuple[Picture, ...]:
    """Draw the table and the spectrum; with the answer also the noise, on cells and directions."""
    table, noise = fields["table"], fields["noise"]
    spectrum = [
        (f"direction {i + 1}: **{{weight:people}}** people", weight)
        for i, weight in enumerate(fields["spectrum"])
    ]
    rows = [(fill(name, {"weight": weight}), float(weight), "ink") for name, weight in spectrum]
    largest = float(fields["first"])
    title = fill("The table of {d} × {d} cells", fields)
    heights = "Weights of directions, in people"
    if not told:
        guess = Guess("bar", 0.0, largest, float(fields["tau"]), " people")
        hidden = [(name, None) for name in ("noise", "published")]
        asked = ("noise on a direction: your guess", 0.0, NOISE_ROLE)
        return (
            Picture(
                title, "blue: positive, orange: negative", cells([("true", table), *hidden], title)
            ),
            _bars(heights, "drag the end of the last bar", [*rows, asked], largest, guess),
        )
    shown = [("true", table), ("noise", noise), ("published", table + noise)]
    moved = fill("One release: each cell is moved by some {tau:people} people", fields)
    added = (
        fill("noise on a direction: **{norm:people}** people", fields),
        fields["norm"],
        NOISE_ROLE,
    )
    return (
        Picture(moved, fill("the table of {d} × {d} cells", fields), cells(shown, moved)),
        _bars(
            heights,
            "and the most by which noise moves any, in a typical release",
            [*rows, added],
            largest,
        ),
    )


def _bars(
    title: str,
    caption: str,
    rows: list[tuple[str, float, str]],
    largest: float,
    guess: Guess | None = None,
) -> Picture:
    wide, narrow = (bars(rows, title, largest=largest, wide=wide) for wide in (True, False))
    return Picture(title, caption, wide, narrow, guess=guess)


LESSON = Lesson(
    key="noise",
    title="Noise goes on the table",
    minutes=5,
    question="Each cell of the table is moved by some {tau:people} people. By how much can that "
    "move the weight of a direction?",
    choices=(
        Choice("{value:people} people", lambda f: float(f["tau"]), "the largest cell counts"),
        Choice("About {value:people}", lambda f: float(f["norm"]), "noise partly cancels"),
        Choice("{value:people}", lambda f: f["d"] * f["tau"], "it adds up along a row"),
        Choice("{value:people}", lambda f: f["d"] ** 2 * f["tau"], "it adds up over all cells"),
    ),
    right=1,
    truth=lambda fields: float(fields["norm"]),
    control=Control(
        "epsilon", "ε", LESSON_EPSILONS, Settings().epsilon, "more private", "more exact"
    ),
    measure=measure,
    pictures=pictures,
    answer="In half of the releases by at most **{norm:people} people**.",
    explanation="Noise in many cells partly cancels: its largest effect on a direction is about "
    "{tau:people} times the root of twice the number of columns, {rule:people}. Directions are "
    "then computed from the noisy table, and whatever is computed from it costs no more privacy.",
    notes=(
        "Purpose: noise is added once, to the table of products; directions are computed "
        "afterwards. The {tau:people} people are its standard deviation, τ, in each cell. A "
        "direction’s weight is its eigenvalue: counted in people, as nobody adds more than one.",
        "Most will add up the noise of all cells, or look at the largest cell only.",
        "Ask next: the first directions weigh {first:people}, {second:people} and {third:people} "
        "people. Which survive? Half of the releases have direction one within "
        "{angle:degrees_ceil}, nine of ten within {angle_most:degrees_ceil}.",
        "Not true in this picture: that noise only moves weights. It also turns directions, as the "
        "next lesson shows.",
    ),
    page="explore",
    settings=lambda fields: Settings(epsilon=fields["epsilon"]).to_query(),
)
