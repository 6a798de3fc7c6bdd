"""Lesson: what more people do for privacy at the same quality."""

from functools import lru_cache
from math import exp
from typing import Any

import numpy as np
from scipy.interpolate import PchipInterpolator

from dpca_core.analysis.needed import round_up
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT, PURE_DEFAULT
from dpca_core.metrics import random_baseline
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.gaussian import gaussian_epsilon
from dpca_core.privacy.sensitivity import frobenius
from dpca_core.simulation.trials import TrialDraws, run_trials
from ui.learn.fields import Fields, fill
from ui.learn.lesson import Choice, Control, Lesson, Picture
from ui.learn.lessons.common import rand_problem
from ui.learn.pictures.kept_by_epsilon import kept_by_epsilon, smooth
from ui.state.settings import Settings

_TARGET, _TIMES, _TRIALS = Settings().target, 10, 160
_MEASURED = (0.02, 0.04, 0.065, 0.1, 0.16, 0.4, 2.0)
_NEAR_TARGET = (0.045, 0.06, 0.08)
"""Values of ε at which releases are measured, the second around what Gaussian noise needs."""


def measure(value: Any, seed: int) -> Fields:
    """Measure what 9 of 10 releases keep along ε, and scale it to n people and ten times n."""
    people, own, epsilon = float(value), rand_problem(2).n, Settings().epsilon
    delta, size = Settings().delta, frobenius(Settings().budget.adjacency)
    kept = _kept(PURE_DEFAULT, 0.0, _MEASURED, seed)
    # What is kept follows from noise over people alone, and this noise from 1/ε.
    curve = np.array(_MEASURED) * own / people
    enough = _needed(_MEASURED, kept)
    gaussian = _needed(_NEAR_TARGET, _kept(DEFAULT, delta, _NEAR_TARGET, seed))
    noise = DEFAULT.calibrate(rand_problem(2), Budget(gaussian, delta)).scale
    return {
        "n": people,
        "times": _TIMES,
        "more": _TIMES * people,
        "epsilon": epsilon,
        "delta": delta,
        "target": _TARGET,
        "trials": _TRIALS,
        "curve_epsilons": curve,
        "curve": kept,
        "kept": float(smooth(curve, kept, np.array([epsilon]))[0]),
        "same": _same_quality(epsilon),
        "needed": round_up(enough * own / people),
        "needed_more": round_up(_same_quality(enough * own / people)),
        "random": random_baseline(rand_problem(2)).captured,
        "own": own,
        "gaussian": round_up(gaussian),
        "gaussian_more": round_up(gaussian_epsilon(noise * _TIMES, delta, size)),
        "fewer": own / _TIMES,
        "gaussian_fewer": round_up(gaussian_epsilon(noise / _TIMES, delta, size)),
    }


def _same_quality(epsilon: float) -> float:
    """Return the ε at which this noise is ten times as large, so the same share of the table."""
    one = rand_problem(2)
    noise = PURE_DEFAULT.calibrate(one, Budget(epsilon)).scale
    return epsilon * noise / PURE_DEFAULT.calibrate(one, Budget(epsilon / _TIMES)).scale


@lru_cache(maxsize=64)
def _kept(mechanism: Mechanism, delta: float, epsilons: tuple[float, ...], seed: int) -> Array:
    """What 9 of 10 releases keep at each ε, at RAND's own size."""
    points = [(rand_problem(2), Budget(float(epsilon), delta)) for epsilon in epsilons]
    captured = run_trials(TrialDraws(mechanism, seed, range(_TRIALS)), points).captured
    return np.asarray(np.quantile(captured, 0.1, axis=-1))


def _needed(epsilons: tuple[float, ...], kept: Array) -> float:
    return exp(float(PchipInterpolator(kept, np.log(epsilons))(_TARGET)))


def pictures(fields: Fields, told: bool) -> tuple[Picture, ...]:
    """Draw the curve at n people, and with the answer the one at ten times as many."""
    title = (
        "With {times:word} times the people, the same curve at a tenth of ε"
        if told
        else "What nine of ten releases keep, with {n:count} people"
    )
    caption = "difference of Wisharts: {target:share} in nine of ten releases from about "
    caption += "ε = {needed:epsilon} on" + (", and from {needed_more:epsilon} on" if told else "")
    caption += " by estimate ({trials} releases per point)"
    figure = kept_by_epsilon(fields, told)
    return (Picture(fill(title, fields), fill(caption, fields), figure=figure),)


LESSON = Lesson(
    key="people",
    title="More people",
    minutes=4,
    question="With {times:word} times as many people and the same quality, what can ε be?",
    choices=(
        Choice("{value:epsilon}", lambda f: float(f["epsilon"]), "as before: ε is a promise"),
        Choice("{value:epsilon}", lambda f: f["epsilon"] / 2, "a little less"),
        Choice(
            "{value:.1g}",
            lambda f: f["epsilon"] / f["times"] ** 0.5,
            "as in a survey: the root of ten",
        ),
        Choice("{value:epsilon}", lambda f: float(f["same"]), "the noise does not grow with them"),
    ),
    right=3,
    truth=lambda fields: float(fields["same"]),
    control=Control(
        "n", "people", (591.2, 5912.0, 59_120.0, 591_200.0), 5912.0, "fewer", "more", spec="count"
    ),
    measure=measure,
    pictures=pictures,
    answer="**{same:epsilon}** instead of **{epsilon:epsilon}**: {times:word} times the people, a "
    "tenth of ε.",
    explanation="One person’s share of the table shrinks as the people grow in number, while the "
    "noise stays where it is. That is why large data can be both private and exact, and why small "
    "data can’t.",
    notes=(
        "Purpose: noise is drawn once for the whole table, so more people cost nothing and hide "
        "each of them better.",
        "Most will say {epsilon:epsilon} divided by about three: in a survey errors fall with the "
        "root of the number of people.",
        "Ask next: what of small data? With Gaussian noise {own:count} people need "
        "about ε = {gaussian:epsilon}, {fewer:count} need {gaussian_fewer:epsilon}, and "
        "{times:count} times as many need {gaussian_more:epsilon}, all by estimate; Explore and "
        "Compare also name an ε that is surely enough, as a rule a larger one. Pure mechanisms "
        "scale exactly, Gaussian noise gains a little more at a small ε, as δ stays.",
        "Not true in this picture: that these are other people. It is the same table, scaled; "
        "real new people bring new directions with them.",
    ),
    page="sample_size",
    settings=lambda fields: {
        **Settings(epsilon=fields["same"], n=fields["more"], k=2).to_query(),
        "spectrum": "data",
        "kind": "captured",
    },
)
