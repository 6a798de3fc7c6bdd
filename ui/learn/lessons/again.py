"""Lesson: publishing again and again, and what it gives away in all."""

from functools import lru_cache
from math import ceil, sqrt
from typing import Any

import numpy as np

from dpca_core.figures.colours import family_role
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.gaussian import gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.sensitivity import frobenius
from dpca_core.text.privacy_numbers import upward
from ui.learn.fields import Fields, fill
from ui.learn.lesson import Choice, Control, Lesson, Picture
from ui.learn.lessons.common import angles_degrees, rand_problem, releases, sample_of
from ui.learn.pictures.fan import fan
from ui.learn.pictures.ledger import ledger
from ui.state.settings import Settings
from ui.text.numbers import count

_EACH = Budget(Settings().epsilon, Settings().delta)
"""Of every publication."""
_COMPARED = Budget(1.0, Settings().delta)
"""Of the one publication that the others are compared with."""
_ROLE = family_role(DEFAULT.family)
_TIMES = (1, 2, 5, 10, 20, 50, 100)


def measure(value: Any, seed: int) -> Fields:
    """Measure the average of so many publications, and account for all of them exactly."""
    times = int(value)
    single, averaged = _angles(1, seed), _angles(times, seed)
    needed = ceil((_noise(_EACH) / _noise(_COMPARED)) ** 2)
    return {
        "epsilon": _EACH.epsilon,
        "delta": _EACH.delta,
        "compared": _COMPARED.epsilon,
        "times": times,
        "joint": float(upward(joint_epsilon(times))),
        "added": times * _EACH.epsilon,
        "needed": needed,
        "needed_joint": float(upward(joint_epsilon(needed))),
        "by_adding": round(_COMPARED.epsilon / _EACH.epsilon),
        "single": float(np.median(single)),
        "averaged": float(np.median(averaged)),
        "single_releases": sample_of(single),
        "averaged_releases": sample_of(averaged),
        "shown": len(sample_of(single)),
    }


def joint_epsilon(times: int) -> float:
    """Return the exact ε of so many publications together, at the δ of one of them.

    Their average tells all that they tell, and its noise is τ/√m: the profile of docs/gaussian.md.
    """
    noise = _noise(_EACH) / sqrt(times)
    return gaussian_epsilon(noise, _EACH.delta, frobenius(_EACH.adjacency))


def _noise(budget: Budget) -> float:
    return gaussian_sigma(budget.epsilon, budget.delta, frobenius(budget.adjacency))


@lru_cache(maxsize=64)
def _angles(times: int, seed: int) -> np.ndarray:
    """Largest angles of averages: a release at the joint ε has the law of an average."""
    problem = rand_problem(2)
    budget = Budget(joint_epsilon(times), _EACH.delta)
    return angles_degrees(problem, releases(DEFAULT, problem, budget, seed))


def pictures(fields: Fields, told: bool) -> tuple[Picture, ...]:
    """Draw one publication; with the answer the average of many, and the ledger."""
    name, times = ("averaged", fields["times"]) if told else ("single", 1)
    shown = {**fields, "times": times, "angle": fields[name]}
    many = "Averages of {times:count} publications" if times > 1 else "One publication"
    label = fill(f"{many}: half are within {{angle:degrees_ceil}}", shown)
    filled = sorted(m for m in {*_TIMES, fields["needed"]} if m <= times)
    rows = [(count(m), upward(joint_epsilon(m))) for m in filled]
    caption = "{shown:count} needles: each {kind}; chance would be near a right angle"
    kind = "the average of so many" if times > 1 else "one possible publication"
    return (
        Picture(
            label,
            fill(caption, {**shown, "kind": kind}),
            fan(fields[f"{name}_releases"], fields[name], label, family_role=_ROLE),
        ),
        Picture(
            "The ledger: what all of them give away",
            fill("publications so far, and their ε together, at δ = {delta:power}", fields),
            ledger(rows, "ε so far"),
        ),
    )


LESSON = Lesson(
    key="again",
    title="Publishing again",
    minutes=5,
    question="You publish at ε = {epsilon:epsilon}, don’t like the draw, and publish again and "
    "again at that ε. After how many is as much given away as by one at ε = {compared:epsilon}?",
    choices=(
        Choice("Never", lambda f: float("inf"), "fresh noise protects afresh"),
        Choice("{value:count}", lambda f: float(f["by_adding"]), "ε added to ε: the worst case"),
        Choice("{value:count}", lambda f: float(f["needed"]), "exact, for Gaussian noise"),
        Choice("{value:count}", lambda f: float(f["by_adding"] ** 3), "noise hardly adds up"),
    ),
    right=2,
    truth=lambda fields: float(fields["needed"]),
    control=Control("times", "publications", _TIMES, _TIMES[-1], "one", "many", spec="count"),
    measure=measure,
    pictures=pictures,
    answer="After **{needed:count}**. Averages of {times:count} are off by "
    "**{averaged:degrees_ceil}**, not **{single:degrees_ceil}**, at ε = **{joint:epsilon}**.",
    explanation="Whoever averages the publications averages the noise away. Budgets add up: at "
    "worst ε by ε, for Gaussian noise more slowly, but never to nothing.",
    notes=(
        "Purpose: a second publication is never free, and a ledger has to be kept.",
        "Most will say never: the noise is fresh each time, so each one protects afresh.",
        "Ask next: what if the noise has a pure promise? Then nothing better than adding holds in "
        "general: {by_adding:count} publications.",
        "Not true in this picture: that somebody has to publish on purpose. Choosing the nicest "
        "of several draws, and showing the others to a colleague, counts as well.",
    ),
    page="release",
    settings=lambda fields: {
        "mechanism": DEFAULT.key,
        "epsilon": f"{fields['epsilon']:g}",
        "delta": f"{fields['delta']:g}",
    },
)
