"""Lesson: what it costs to trust nobody."""

from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np

from dpca_core.figures.colours import CHANCE, family_role
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT, LOCAL_DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.gaussian import gaussian_epsilon
from ui.learn.fields import Fields, fill
from ui.learn.lesson import Choice, Control, Lesson, Picture
from ui.learn.lessons.common import angles_degrees, kept_shares, rand_problem, releases, sample_of
from ui.learn.pictures.fan import fan
from ui.state.settings import Settings

_OFFICE = Budget(Settings().epsilon, Settings().delta)
_STOPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
_GUESSED = (1, 5, 20)
"""Times the office's ε that the wrong choices take for enough."""


def measure(value: Any, seed: int) -> Fields:
    """Measure an office's releases, and those of reports with noise of their own at an ε."""
    problem, epsilon = rand_problem(2), float(value)
    office = DEFAULT.calibrate(problem, _OFFICE).scale
    exact = gaussian_epsilon(office / sqrt(problem.n), _OFFICE.delta, sqrt(2))
    enough = min(stop for stop in _STOPS if stop >= exact)
    report = LOCAL_DEFAULT.calibrate(problem.scaled(1.0), _OFFICE).scale
    guarantee = LOCAL_DEFAULT.guarantee(problem, Budget(enough, _OFFICE.delta))
    found: dict[str, Any] = {
        "n": problem.n,
        "office_epsilon": _OFFICE.epsilon,
        "epsilon": epsilon,
        "exact": exact,
        "enough": enough,
        "odds": guarantee.guess_probability(),
        "people": (report * problem.n / office) ** 2,
        "random": float(np.median(_measured(MECHANISMS["random_projection"], 1.0, 0)[0])),
    }
    for name, mechanism, each in (
        ("office", DEFAULT, _OFFICE.epsilon),
        ("home", LOCAL_DEFAULT, epsilon),
        ("enough", LOCAL_DEFAULT, enough),
    ):
        angles, kept = _measured(mechanism, each, seed)
        found |= {
            f"{name}_angle": float(np.median(angles)),
            f"{name}_kept": float(np.median(kept)),
            f"{name}_releases": sample_of(angles),
        }
    return found | {"shown": len(found["office_releases"])}


@lru_cache(maxsize=64)
def _measured(mechanism: Mechanism, epsilon: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    problem = rand_problem(2)
    bases = releases(mechanism, problem, Budget(epsilon, _OFFICE.delta), seed)
    return angles_degrees(problem, bases), kept_shares(problem, bases)


def pictures(fields: Fields, told: bool) -> tuple[Picture, ...]:
    """Draw the office's fan and an empty one; with the answer those of reports from home."""
    office, home = family_role(DEFAULT.family), family_role(LOCAL_DEFAULT.family)
    found = [_fan(fields, "office", "A trusted office, ε = {office_epsilon:epsilon}", office)]
    if not told:
        title = "At home: the same, at which ε?"
        empty = fan([], None, title, family_role=CHANCE)
        return (*found, Picture(title, "everybody sends a report with noise of their own", empty))
    found.append(_fan(fields, "home", "Noise added at home, ε = {epsilon:epsilon}", home))
    if fields["epsilon"] != fields["enough"]:
        found.append(_fan(fields, "enough", "Noise added at home, ε = {enough:epsilon}", home))
    return tuple(found)


def _fan(fields: Fields, name: str, title: str, role: str) -> Picture:
    shown = {**fields, "angle": fields[f"{name}_angle"], "kept": fields[f"{name}_kept"]}
    text = fill(title + ": within {angle:degrees_ceil}", shown)
    caption = "so are half of the releases; kept: {kept:share}"
    needles = fan(fields[f"{name}_releases"], shown["angle"], text, family_role=role)
    return Picture(text, fill(caption, shown), needles)


LESSON = Lesson(
    key="local",
    title="Nobody is trusted",
    minutes=5,
    question="A trusted office reaches {office_angle:degrees_ceil} with "
    "ε = {office_epsilon:epsilon}. Without it, which ε must each person accept for the same "
    "picture?",
    choices=(
        Choice(
            "{value:epsilon}",
            lambda f: _GUESSED[0] * f["office_epsilon"],
            "the same promise, office or not",
        ),
        Choice("{value:epsilon}", lambda f: _GUESSED[1] * f["office_epsilon"], "a little more"),
        Choice("{value:epsilon}", lambda f: _GUESSED[2] * f["office_epsilon"], "much more"),
        Choice("{value:epsilon}", lambda f: float(f["enough"]), "everybody’s noise stays in"),
    ),
    right=3,
    truth=lambda fields: float(fields["exact"]),
    control=Control("epsilon", "ε of each report", _STOPS, 1.0, "more private", "more exact"),
    measure=measure,
    pictures=pictures,
    answer="**{enough:epsilon}**. At ε = {epsilon:epsilon} the releases are off by "
    "**{home_angle:degrees}**, where chance gives {random:degrees}.",
    explanation="Everybody’s noise stays in, where the office adds noise once. At "
    "ε = {enough:epsilon} whoever sees your report tells it from another’s up to {odds:odds} times "
    "in a hundred, which is hardly a protection.",
    notes=(
        "Purpose: the local and the central model make different promises, and the price of the "
        "local one is large.",
        "Most will say {office_epsilon:epsilon}: the symbol is the same, so the promise must be.",
        "Ask next: how many people would make up for it? At ε = {office_epsilon:epsilon} it takes "
        "{people:people}, twice the square of the {n:count} here.",
        "Not true in this picture: that the office is free. It has to be trusted with every "
        "record, and reports from home need no trust at all.",
    ),
    page="local",
    settings=lambda fields: {
        **Settings(epsilon=fields["epsilon"], k=2).to_query(),
        "source": "data",
    },
    further=True,
)
