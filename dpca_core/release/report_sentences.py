"""Sentences of a report, for readers who do not read formulas."""

from math import isfinite

from dpca_core.data.recipe import Missing, Scaling
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.release.ledger_rows import Row
from dpca_core.release.matrix_reading import Interval
from dpca_core.release.plan import PartName, Plan
from dpca_core.release.report_preparation import protected
from dpca_core.release.report_reading import ReportReading
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import (
    delta_text,
    epsilon_text,
    right_guesses,
    upward,
    whole_right_guesses,
)

FILES = {
    "matrix.csv": "the noisy second-moment matrix, in whole grid units: all else is read off it",
    "directions.csv": "the directions",
    "spectrum.csv": "the eigenvalues with their intervals",
    "means.csv": "noisy sums and means of the columns",
    "scores.csv": "noisy counts of the first two scores",
    "certificate.json": "settings, noise and guarantee, for programs to check",
    "certificate.html": "the same, for people",
}
"""What each file of a release is."""
CERTIFICATES = ("certificate.json", "certificate.html")
"""Files that hold this page's digest, so that it holds none of theirs."""
REPORT_FILE = ("report.html", "this page")
OTHER_EPSILONS = (
    "How far the released directions are expected to be turned from the true ones, had the same "
    "tables been drawn with another ε. It is computed from the release itself, so it costs nothing "
    "and is an estimate."
)
OTHER_EPSILONS_UNKNOWN = (
    "Nothing can be said about other ε: at ten times the ε spent, the released eigenvalues would "
    "still lie too close to each other to tell the directions apart."
)
_WORDS = {
    PartName.MATRIX: "a matrix, {0} × {0}",
    PartName.MEANS: "sums of {0} columns with the number of rows",
    PartName.SCORES: "a histogram of scores, {1} × {2}",
}


def tables(plan: Plan) -> str:
    """Name the tables that are published."""
    bins = (0, 0) if plan.scores is None else plan.scores.bins
    order = (PartName.MATRIX, PartName.MEANS, PartName.SCORES)
    named = [_WORDS[name].format(plan.d, *bins) for name in order if name in plan.shares]
    return listed(named)


def budget(plan: Plan) -> str:
    """Say what was asked: ε, and δ where it is used."""
    delta = f", δ = {delta_text(float(plan.delta))}" if plan.delta > 0 else ", pure"
    return f"ε = {epsilon_text(float(plan.epsilon))}{delta}"


def asked(row: Row) -> tuple[str, ...]:
    """Say in three sentences what this is."""
    plan, name = row.plan, MECHANISMS[row.plan.mechanism].name
    return (
        f"This is release {row.number} about “{row.account.name}”: {row.account.people}.",
        f"It holds {tables(plan)}, each with random noise ({name}), and the {_directions(plan.k)} "
        "along which the columns vary together.",
        f"It was paid for with {budget(plan)} on {row.spent_on}, and the files below may be given "
        "to anybody.",
    )


def odds(row: Row) -> tuple[str, int]:
    """Say what the best guess gains, and how many of a hundred dots are right, rounded up."""
    chance = row.cost.guess_probability()
    one = row.plan.recipe.unit.one
    return (
        f"From even odds, somebody who knows everybody else in the data guesses right whether one "
        f"{one} is in it at most {right_guesses(chance)} times in 100. A coin is right 50 times.",
        whole_right_guesses(chance),
    )


def guarantee(row: Row) -> tuple[tuple[str, str], ...]:
    """Return the guarantee as rows of a table: what, and how much."""
    plan, cost = row.plan, row.cost
    found = [
        ("What is protected", protected(plan)),
        ("ε of this release", epsilon_text(float(plan.epsilon))),
        ("δ of this release", delta_text(float(plan.delta)) if plan.delta else "0"),
    ]
    if cost.mu2 > 0:
        found.append(("μ of its Gaussian noise", upward(float(cost.mu2) ** 0.5)))
    if cost.pure > 0:
        found.append(("ε of its pure noise", upward(float(cost.pure))))
    found.append(
        ("All releases of this account so far", _spent(row)),
    )
    promised = row.promised
    delta = f", δ = {delta_text(float(promised.delta))}" if promised.delta else ""
    found.append(
        (
            "What all of them together stay within",
            f"ε = {epsilon_text(float(promised.epsilon))}{delta}: also where a budget was chosen "
            "after seeing earlier releases",
        )
    )
    return tuple(found)


def _spent(row: Row) -> str:
    """Write what was spent up to this release, at the limit's δ."""
    delta = row.limit.delta
    pure = row.total.mu2 == 0
    epsilon = row.total.epsilon(delta)
    if not isfinite(epsilon):
        return "more than a limit without δ can say"
    at = "" if pure else f", δ = {delta_text(float(delta))}"
    return f"ε = {upward(epsilon)}{at}, if their budgets were fixed beforehand"


def not_published(plan: Plan) -> str:
    """Say what was read from the data and is not here, and what says about as much."""
    said = (
        "Read from the data, and not part of this release: the exact number of rows, how many rows "
        "and values were cut, how many were missing, the run time."
    )
    if PartName.MEANS in plan.shares:
        said += " A noisy number of rows is: it stands with the means."
    return said + what_the_trace_tells(plan)


def what_the_trace_tells(plan: Plan) -> str:
    """Say what the trace of the matrix counts; "" where rows are not made of length 1."""
    if not plan.length_one:
        return ""
    recipe = plan.recipe
    counted = f"number of {recipe.unit.many} whose row is not all zeros"
    if plan.rows_per_person > 1:
        counted = "number of rows that were kept and are not all zeros"
    about = " after the released means were subtracted" if plan.private_mean else ""
    said = (
        f" Every row that is not all zeros{about} was made of length 1, so the trace of the matrix "
        f"is, up to rounding, the {counted}, plus noise."
    )
    dropped = recipe.missing is Missing.DROP
    if recipe.scaling is Scaling.BOUNDED:
        missing = "" if dropped else " or missing"
        said += f" A row is all zeros where every value is typical{missing}."
    if recipe.selects_rows:
        said += " Rows that were left out do not count."
    return said


def held(reading: ReportReading, k: int) -> str:
    """Say how much the directions hold, with the interval."""
    found = reading.held
    text = (
        f"The {_directions(k)} hold{'s' if k == 1 else ''} {people(found.value)} of the variation: "
        f"with 95 % confidence between {people(found.low)} and {people(found.high)}."
    )
    if reading.explained is not None:
        text += f" That is {_share(reading.explained)} of all there is."
    return text


def _share(found: Interval) -> str:
    low, high = max(0.0, found.low), min(1.0, found.high)
    return f"{100 * low:.0f}–{100 * high:.0f} %"


def people(value: float) -> str:
    """Write a number of people to three digits."""
    if abs(value) < 1000:
        return f"{float(f'{value:.3g}'):g} people"
    return f"{float(f'{value:.3g}'):,.0f} people"


def more(times: int) -> str:
    """Say how many more releases like this one fit."""
    if times == 0:
        return "Another release like this one does not fit."
    count = "once more" if times == 1 else f"{times:,} more times"
    return f"Another release like this one fits {count}."


def and_more(count: int, what: str, file: str) -> str:
    """Say how many more there are, and where; "" where there are none."""
    return f"{count:,} more {what} are in {file}." if count > 0 else ""


def practice(name: str) -> str:
    """Say that nothing is protected."""
    return f"PRACTICE on {name}: public data, and nothing was spent of anybody’s budget."


def _directions(k: int) -> str:
    return "direction" if k == 1 else f"{k} directions"
