"""Lesson: why δ must be far below one in the number of people."""

from typing import Any

import numpy as np

from dpca_core.text.privacy_numbers import GUESSES
from ui.learn.fields import Fields, fill
from ui.learn.lesson import Choice, Control, Lesson, Picture
from ui.learn.lessons.common import PEOPLE_A_ROW, rand_data
from ui.learn.pictures.people import hundred, people
from ui.state.settings import Settings

RUNS = 100
"""Runs of the program that are drawn."""
_RUNS_A_ROW = 25
_RULE = "the program keeps the rule for ε = {zero:.0f} and δ = one in {n:count}"
_SMALLER = (1e-3, 1e-4, 1e-5, 1e-6)
_PEOPLE = 5912
"""Of RAND: the control needs them before the data are read, and a test compares."""


def measure(value: Any, seed: int) -> Fields:
    """Run a program that prints each record with probability δ, and compute how often it prints."""
    delta, n = float(value), rand_data().people
    rng = np.random.default_rng(seed)
    printed = rng.random((RUNS, n)) < delta
    asked = 1 / n
    return {
        "n": n,
        "delta": delta,
        "asked": asked,
        "zero": 0.0,
        "runs": RUNS,
        "one_run": np.flatnonzero(printed[int(printed.any(axis=1).argmax())]),
        "failed": np.flatnonzero(printed.any(axis=1)),
        "failed_count": int(printed.any(axis=1).sum()),
        "chance": RUNS * chance(delta, n),
        "chance_asked": RUNS * chance(asked, n),
        "usual": Settings().delta,
        "chance_usual": RUNS * chance(Settings().delta, n),
        "others": ", ".join(
            fill("{c:.1f} at {d:power}", {"c": RUNS * chance(d, n), "d": d}) for d in _SMALLER
        ),
    }


def chance(delta: float, n: float) -> float:
    """Return how likely a run is that prints at least one of n records: 1 − (1 − δ)ⁿ."""
    return float(-np.expm1(n * np.log1p(-delta)))


def pictures(fields: Fields, told: bool) -> tuple[Picture, ...]:
    """Draw everybody in one run; with the answer also all runs, each of them a dot."""
    n = fields["n"]
    if not told:
        asked = fill("{runs:count} runs: which print somebody’s record?", fields)
        title = fill("{n:count} people, one dot each", fields)
        return (
            Picture(asked, fill(_RULE, fields), hundred(0, 0, asked)),
            Picture(
                title,
                "one run prints the record of each with the same small chance",
                people(n, (), title, columns=PEOPLE_A_ROW),
            ),
        )
    runs = fill("{failed_count:count} of {runs:count} runs print somebody’s record", fields)
    one = fill("One of these runs: {printed:count} of {n:count} records printed in full",
               {**fields, "printed": len(fields["one_run"])})  # fmt: skip
    everybody = people(n, fields["one_run"], one, columns=PEOPLE_A_ROW)
    each = people(RUNS, fields["failed"], runs, columns=_RUNS_A_ROW)
    return (
        Picture(runs, fill("one dot: one run at δ = {delta:delta}", fields), each),
        Picture(one, "one dot: one person", everybody),
    )


LESSON = Lesson(
    key="delta",
    title="Why δ must be tiny",
    minutes=4,
    question="A program prints each record in full with probability one in {n:count}. In how many "
    "of {runs:count} runs does it print somebody’s?",
    choices=(
        Choice("None", lambda f: 0.0, "δ is a small error of the result"),
        Choice("{value:.0f}", lambda f: RUNS / GUESSES, "one in thousands is small"),
        Choice("{value:.0f}", lambda f: RUNS - f["chance_asked"], "it happens now and then"),
        Choice("{value:.0f}", lambda f: float(f["chance_asked"]), "it may fail for any of them"),
    ),
    right=3,
    truth=lambda fields: float(fields["chance_asked"]),
    control=Control(
        "delta", "δ", (1e-6, 1e-5, 1e-4, 1 / _PEOPLE, 1e-3), 1 / _PEOPLE, "more private",
        "less private", spec="delta",
    ),
    measure=measure,
    pictures=pictures,
    answer="At δ = {asked:delta}, **{chance_asked:.0f} of {runs:count}** runs on average.",
    explanation="δ is a chance that all protection fails, and it may fail for any of {n:count} "
    "people. So it must be far below one in the number of people: {usual:power} leaves a "
    "{chance_usual:.1f} % chance that this program names anybody.",
    notes=(
        "Purpose: δ is not an error of the result, and one in the number of people is not small.",
        "Most will say none or one: one in thousands looks small.",
        "Ask next: and at other δ? Of {runs:count} runs {others} print somebody.",
        "Not true in this picture: that Gaussian noise fails in this way. Its δ measures a gradual "
        "tail. The definition can’t tell the two apart; that is the point.",
    ),
    page="explore",
    settings=lambda fields: Settings(delta=fields["usual"]).to_query(),
)  # fmt: skip
