"""Lesson: noise against the gap; the third direction is hard to tell from the fourth."""

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
    SHOWN,
    angles_degrees,
    kept_shares,
    rand_problem,
    releases,
    sample_of,
    shared_draws,
)
from ui.learn.pictures.bars import bars
from ui.learn.pictures.fan import RIGHT_ANGLE, fan
from ui.page.markup import element
from ui.state.settings import Settings

_FEW, _MORE, _MOST = 2, 3, 4


def measure(value: Any, seed: int) -> Fields:
    """Measure how far two, three and four directions are off, and the noise beside their gaps."""
    epsilon = float(value)
    budget = Budget(epsilon, Settings().delta)
    problem = rand_problem(_FEW)
    norms = noise_norms(shared_draws(DEFAULT, seed), problem.d)
    assert norms is not None
    scale = DEFAULT.calibrate(problem, budget).scale
    found: dict[str, Any] = {
        "epsilon": epsilon,
        "few": _FEW,
        "more": _MORE,
        "most": _MOST,
        "shown": SHOWN,
        "noise": scale * float(np.median(norms)),
        "right_angle": RIGHT_ANGLE,
    }
    published = releases(DEFAULT, rand_problem(_MOST), budget, seed)
    for name, k in (("few", _FEW), ("more", _MORE), ("most", _MOST)):
        # One noisy table gives them all: fewer directions are the first of more.
        problem, bases = rand_problem(k), published[:, :, :k]
        angles = angles_degrees(problem, bases)
        found |= {
            f"{name}_angles": sample_of(angles),
            f"{name}_angle": float(np.median(angles)),
            f"{name}_within": float(np.quantile(angles, 0.9)),
            f"{name}_kept": float(np.median(kept_shares(problem, bases))),
            f"{name}_gap": problem.gap,
        }
    return found


def pictures(fields: Fields, told: bool) -> tuple[Picture, ...]:
    """Draw two fans, each beside the noise and its gap; the second is empty before the answer."""
    few = _fan(fields, "few", "Keep {few}: half of the releases are {angle:degrees} off or more")
    if told:
        title = "Keep {more}: half of the releases are {angle:degrees} off or more"
        return (few, _fan(fields, "more", title))
    title = fill("Keep {more}: what do you expect?", fields)
    caption = "set the needle where half of the releases would lie beyond it"
    empty = fan([], None, title, family_role=NOISE_ROLE)
    start = round(fields["few_angle"])
    guess = Guess("needle", 0.0, RIGHT_ANGLE, start, "°")
    return (few, Picture(title, caption, _beside(empty, _bars(fields, "more")), guess=guess))


def _fan(fields: Fields, name: str, title: str) -> Picture:
    shown = {**fields, **{key: fields[f"{name}_{key}"] for key in ("angle", "within", "kept")}}
    title = fill(title, shown)
    caption = (
        "the worst direction in {shown} releases; nine of ten within {within:degrees_ceil}; kept: "
        "{kept:share} of the variation"
    )
    needles = fan(fields[f"{name}_angles"], shown["angle"], title, family_role=NOISE_ROLE)
    return Picture(title, fill(caption, shown), _beside(needles, _bars(fields, name)))


def _bars(fields: Fields, name: str) -> str:
    gap = fields[f"{name}_gap"]
    largest = max(fields["noise"], *(fields[f"{each}_gap"] for each in ("few", "more")))
    behind = fill(
        "**gap {gap:people}** people, behind direction {k}", {"gap": gap, "k": fields[name]}
    )
    rows = [
        (fill("**noise {noise:people}** people", fields), fields["noise"], NOISE_ROLE),
        (behind, gap, "ink"),
    ]
    return bars(rows, fill("Noise and gap, {more} directions", fields), largest=largest)


def _beside(left: str, right: str) -> str:
    columns = (
        "display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15em), 1fr)); "
        "gap: 1em 1.5em; align-items: center"
    )
    return element("div", left, right, style=columns)


LESSON = Lesson(
    key="gap",
    title="Noise against the gap",
    minutes=6,
    question="Same people, same noise. Publish {more:word} directions instead of {few:word}: by "
    "how many degrees is the worst one off?",
    choices=(
        Choice(
            "About the same: {value:degrees}",
            lambda f: float(f["few_angle"]),
            "the noise has not changed",
        ),
        Choice(
            "Less: about {value:degrees}",
            lambda f: f["few_angle"] * f["few"] / f["more"],
            "more directions hold more of the data",
        ),
        Choice(
            "Twice as much: about {value:degrees}",
            lambda f: 2 * f["few_angle"],
            "the third is hard to tell from the fourth",
        ),
        Choice(
            "{value:degrees}", lambda f: float(f["right_angle"]), "nothing is left of any of them"
        ),
    ),
    right=2,
    truth=lambda fields: float(fields["more_angle"]),
    control=Control(
        "epsilon", "ε", LESSON_EPSILONS, Settings().epsilon, "more private", "more exact"
    ),
    measure=measure,
    pictures=pictures,
    answer="**{more_angle:degrees}** instead of **{few_angle:degrees}**, and either way the "
    "release keeps **{more_kept:share}** of the variation.",
    explanation="A direction is safe while the noise is small beside its **gap**: how far it "
    "stands above the first direction left out. Direction {more} stands only {more_gap:people} "
    "people above direction {most}, so the noise swaps the two; what is kept hardly changes, "
    "because each is as good as the other.",
    notes=(
        "Purpose: noise and gap together decide whether a direction can be used. The share that is "
        "kept does not show it.",
        "Most will say the same or less: more kept seems nearer to the truth.",
        "Ask next: publish {most:word}. All is well again, {most_angle:degrees}, since directions "
        "{more} and {most} are both inside and the gap behind them is {most_gap:people} people. "
        "To show it, open Eigengap from here and move k.",
        "Not true in this picture: that noise must be below the gap. The bound is cautious: with "
        "{few:word} directions the noise is larger than the gap and the plane is still found.",
    ),
    page="eigengap",
    settings=lambda fields: Settings(epsilon=fields["epsilon"], k=fields["more"]).to_query(),
)
