"""Lesson: a published figure that cannot be, at the setting that is printed beside it."""

from math import inf, sqrt
from typing import Any

import numpy as np

from dpca_core.metrics import random_baseline
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from papers.wang_xu_errors import PrintedErrors, printed_errors, random_errors
from ui.learn.fields import Fields, fill
from ui.learn.lesson import Choice, Control, Lesson, Picture
from ui.learn.pictures.errors_by_people import errors_by_people

_COLUMNS, _K, _PEOPLE, _BUDGET = 40, 5, 1e5, Budget(0.5, 1e-4)
"""Wang & Xu 2020, section 6.1."""
_TABLE_K, _TABLE_ERROR = 10, 4.518
"""As their Table 2 prints it (docs/errata.md)."""
_RUNS, _LARGE_EPSILON, _RANDOM_SHARE = 20, 20.0, 0.95
_PEOPLE_DRAWN = tuple(10.0 ** (e / 2) for e in range(8, 17))
_STRONGEST = "strongest"
_STRENGTHS = {"1": 1.0, "2": 2.0, "5": 5.0, "20": 20.0, _STRONGEST: inf}
_CARD = "wang-xu-fig-3"
"""The figure's card on the Papers page."""


def measure(value: Any, seed: int) -> Fields:
    """Measure the method as it is printed, and at a strength along the number of people."""
    printed, strength = _errors(1.0, seed), _STRENGTHS[value]
    sample = Problem.from_spectrum(np.ones(_COLUMNS), _COLUMNS, _K)
    low, high = random_errors(_COLUMNS, _K, _RANDOM_SHARE)
    curve = np.array([_errors(strength, seed, n).mean for n in _PEOPLE_DRAWN])
    return {
        "strength": value,
        "curve": curve,
        "here": float(curve[_PEOPLE_DRAWN.index(_PEOPLE)]),
        "n": _PEOPLE,
        "columns": _COLUMNS,
        "k": _K,
        "epsilon": _BUDGET.epsilon,
        "delta": _BUDGET.delta,
        "runs": _RUNS,
        "error": printed.mean,
        "gap": printed.gap,
        "noise": printed.noise,
        "ceiling": sqrt(2 * _K),
        "random": sqrt(2) * random_baseline(sample).sin_theta,
        "random_share": _RANDOM_SHARE,
        "random_low": low,
        "random_high": high,
        "larger_epsilon": _LARGE_EPSILON,
        "error_larger_epsilon": _errors(1.0, seed, epsilon=_LARGE_EPSILON).mean,
        "most": _PEOPLE_DRAWN[-1],
        "error_most": _errors(1.0, seed, _PEOPLE_DRAWN[-1]).mean,
        "strongest": _errors(inf, seed).mean,
        "table_k": _TABLE_K,
        "table_error": _TABLE_ERROR,
        "table_ceiling": sqrt(2 * _TABLE_K),
    }


def _errors(
    strength: float, seed: int, n: float = _PEOPLE, epsilon: float = _BUDGET.epsilon
) -> PrintedErrors:
    budget = Budget(epsilon, _BUDGET.delta)
    return printed_errors(n, _COLUMNS, _K, strength, budget, runs=_RUNS, seed=seed)


def pictures(fields: Fields, told: bool) -> tuple[Picture, ...]:
    """Draw what chance gives and the largest error there is; with the answer, what is reached."""
    title = (
        "Strength λ: {strength}. The printed method errs by {here:.2f} at {n:count} people"
        if told
        else "The error lies between nothing and {ceiling:.2f}"
    )
    caption = (
        "mean of {runs:count} runs; band below the wall: {random_share:share} of all directions "
        "drawn at random"
    )
    return (
        Picture(
            fill(title, fields),
            fill(caption, fields),
            figure=errors_by_people(np.array(_PEOPLE_DRAWN), fields, told),
        ),
    )


LESSON = Lesson(
    key="figure",
    title="A figure that cannot be",
    minutes=5,
    question="The error can be {ceiling:.2f} at most; directions drawn at random give "
    "{random:.2f}. What does the method reach?",
    choices=(
        Choice("{value:.1f}", lambda f: f["ceiling"] / 10, "a falling curve is evidence"),
        Choice("{value:.0f}", lambda f: f["ceiling"] / 3, "it works, though not very well"),
        Choice("{value:.0f}", lambda f: 2 * f["ceiling"] / 3, "better than chance, at least"),
        Choice("{value:.2f}", lambda f: float(f["error"]), "the noise is far above the gap"),
    ),
    right=3,
    truth=lambda fields: float(fields["error"]),
    control=Control("strength", "strength λ", tuple(_STRENGTHS), "1", "weak", "strong", spec="{}"),
    measure=measure,
    pictures=pictures,
    answer="**{error:.2f}**; chance gives {random:.2f}. The strongest data there can be: "
    "**{strongest:.2f}**.",
    explanation="At the printed setting the gap is {gap:people} people and the noise "
    "{noise:people}, so no fall can be seen. Before you trust a figure, ask what chance gives and "
    "what the largest possible value is.",
    notes=(
        "Purpose: a falling curve is evidence only where it could have failed to fall. Say “at "
        "the printed setting”: with stronger data the curve would fall.",
        "Most will choose something small: a published curve that falls is taken for evidence.",
        "Ask next: would a larger ε help, or more people? ε = {larger_epsilon:epsilon} still gives "
        "{error_larger_epsilon:.2f}, and {most:count} people {error_most:.2f}. An encore from the "
        "same paper’s second table: it prints an error of {table_error:.3f} for "
        "k = {table_k:count}, where {table_ceiling:.3f} is the largest there is.",
        "Not true in this picture: that these are the figure’s own points. None are on record "
        "here; the setting in its text is: {n:count} people, {columns:count} columns, "
        "k = {k:count}, ε = {epsilon:epsilon}, δ = {delta:power}.",
    ),
    page="papers",
    settings=lambda fields: {"figure": _CARD},
    further=True,
)
