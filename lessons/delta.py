"""Why δ must be far below one in the number of people."""

import numpy as np

from dpca_core.text.privacy_numbers import GUESSES, power
from ui.learn.pictures import Fields, Picture, Say, people
from ui.learn.releases import DELTA, rand_data

RUNS, A_ROW = 100, 20
SMALLER = (1e-3, 1e-4, 1e-5, 1e-6)


def measure(delta: float, seed: int) -> Fields:
    """Run a program that prints each record with probability δ, and compute how often it prints."""
    n = rand_data().people
    printed = np.random.default_rng(seed).random((RUNS, n)) < delta
    failed = np.flatnonzero(printed.any(axis=1))
    one_run = np.flatnonzero(printed[failed[0] if len(failed) else 0])
    asked = RUNS * chance(1 / n, n)
    return {
        "asked": 1 / n,
        "zero": 0.0,
        "runs": RUNS,
        "one_run": one_run,
        "printed": len(one_run),
        "failed": failed,
        "failed_count": len(failed),
        "chance_asked": asked,
        "usual": DELTA,
        "chance_usual": RUNS * chance(DELTA, n),
        "others": ", ".join(f"{RUNS * chance(d, n):.1f} at {power(d)}" for d in SMALLER),
        "choices": (asked, RUNS - asked, RUNS / GUESSES, 0.0),
        "truth": asked,
    }


def chance(delta: float, n: float) -> float:
    """Return how likely a run is that prints at least one of n records: 1 − (1 − δ)ⁿ."""
    return float(-np.expm1(n * np.log1p(-delta)))


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw all runs and everybody in one run; with the answer those that are printed."""
    runs, one = ("told", "one") if told else ("asked", "everybody")
    failed, printed = (fields["failed"], fields["one_run"]) if told else ((), ())
    return [
        say.picture(runs, people(RUNS, failed, A_ROW)),
        say.picture(one, people(fields["n"], printed)),
    ]
