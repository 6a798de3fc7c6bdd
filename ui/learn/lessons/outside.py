"""Lesson: what stands outside the promise, beginning with the seed of the noise."""

from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_on_s import Gaussian
from dpca_core.privacy.budget import Budget
from sample_data.real_sets import RAND_RADIUS, RAND_RANGES
from ui.learn.fields import Fields, fill
from ui.learn.lesson import Choice, Control, Lesson, Picture
from ui.learn.lessons.common import kept_shares, rand_data, rand_problem, releases
from ui.learn.pictures.cells import cells
from ui.learn.pictures.ledger import ledger
from ui.state.settings import Settings
from ui.text.numbers import significant

_KNOWN, _UNKNOWN = "known", "not known"
_NOISE, _BUDGET = Gaussian(), Budget(Settings().epsilon, Settings().delta)
_SMALL, _DRAWS = Budget(0.02, Settings().delta), 25
_SHOWN = ("xage", "female", "child", "num", "educdec", "income", "disea", "mhi", "mdvis", "totadm")
"""Columns that say most about a person."""
_EXACT = 1e-6
"""Error, in people, up to which a number counts as found out."""


def measure(value: Any, seed: int) -> Fields:
    """Release with a seed, subtract the noise as a reader does, and read off the last record."""
    problem, (others, record) = rand_problem(2), _records()
    published = np.asarray(_NOISE.release(problem, _BUDGET, seed, keep="moment").moment)[0]
    noise = redrawn_noise(seed)
    tried = noise if value == _KNOWN else redrawn_noise(seed + 1)
    known = record * (np.arange(problem.d) == list(RAND_RANGES).index("female"))
    found = remaining_record(published - noise, others, known)
    wrong = np.abs(published - noise - problem.moment)[np.triu_indices(problem.d)]
    kept = _kept(seed)
    return {
        "epsilon": _BUDGET.epsilon,
        "seed_is": value,
        "n": problem.n,
        "columns": problem.d,
        "published": published,
        "noise": tried,
        "table": published - tried,
        "record": remaining_record(published - tried, others, known),
        "table_error": _one_digit(wrong.max()),
        "record_error": _one_digit(np.abs(found - record).max()),
        "tried_error": float(np.abs(published - tried - problem.moment).max()),
        "found_out": int((wrong <= _EXACT).sum() + (np.abs(found - record) <= _EXACT).sum()),
        "numbers": len(wrong) + problem.d,
        "small": _SMALL.epsilon,
        "draws": _DRAWS,
        "one_draw": float(np.median(kept)),
        "best_draw": float(np.quantile(kept, 0.5 ** (1 / _DRAWS))),
    }


def redrawn_noise(seed: int) -> Array:
    """Return the noise (d, d) that a release with this seed adds to S, in people.

    It follows from d, the budget and the seed alone, which anybody may know.
    """
    problem = rand_problem(2)
    unit = _NOISE.unit(problem.d, problem.k, np.random.default_rng(seed), 1)[0][0]
    return np.asarray(_NOISE.calibrate(problem, _BUDGET).scale * unit)


def remaining_record(table: Array, others: Array, towards: Array) -> Array:
    """Return the record x (d,) of the one person in a table (d, d) who is not among the others.

    Parameters
    ----------
    towards
        (d,) What decides between x and −x, as their tables are the same: one entry that is known.
    """
    values, vectors = np.linalg.eigh(table - others)
    record = sqrt(max(float(values[-1]), 0.0)) * vectors[:, -1]
    return np.asarray(record * np.sign(record @ towards))


@lru_cache(maxsize=1)
def _records() -> tuple[Array, Array]:
    """Return the table of products of everybody but the last person, and the last record (d,)."""
    rows = rand_data().rows
    return rows[:-1].T @ rows[:-1], rows[-1]


@lru_cache(maxsize=64)
def _kept(seed: int) -> Array:
    problem = rand_problem(2)
    return kept_shares(problem, releases(_NOISE, problem, _SMALL, seed))


def _one_digit(value: float) -> float:
    return float(f"{value:.0e}")


def pictures(fields: Fields, told: bool) -> tuple[Picture, ...]:
    """Draw the published table; with the answer the noise, what is left, and the record."""
    if not told:
        title = fill("Published at ε = {epsilon:epsilon}, with the seed of its noise", fields)
        caption = fill("{columns:count} columns by {columns:count}", fields)
        return (Picture(title, caption, cells([("published", fields["published"])], title)),)
    known = fields["seed_is"] == _KNOWN
    tables = [
        ("published", fields["published"]),
        ("noise of this seed" if known else "noise of another seed", fields["noise"]),
        ("the exact table" if known else "what is left", fields["table"]),
    ]
    exact = "Published less noise is the exact table, to {table_error:power} people"
    lost = "The wrong seed: what is left is off by up to {tried_error:people} people"
    title, caption = fill(exact if known else lost, fields), "one scale; blue and orange: the signs"
    rows = record_in_units(fields)
    person = "The last person’s record" if known else "Nobody’s record"
    some = fill("{shown:count} of {columns:count} columns", {**fields, "shown": len(rows)})
    return (
        Picture(title, caption, cells(tables, title)),
        Picture(person, "what is left without everybody else", ledger(rows, some)),
    )


def record_in_units(fields: Fields) -> list[tuple[str, str]]:
    """Return names of some columns, and the record's values in the units of the questionnaire."""
    found = dict(zip(RAND_RANGES, fields["record"], strict=True))
    rows = [(*RAND_RANGES[key], float(found[key])) for key in _SHOWN]
    return [
        (name, significant(round(middle + half * RAND_RADIUS * value, 6), 4))
        for name, middle, half, value in rows
    ]


LESSON = Lesson(
    key="outside",
    title="What is not private",
    minutes=6,
    question="The office publishes its result and, so that others can check it, the random seed. "
    "What can a reader work out?",
    choices=(
        Choice("Nothing new", lambda f: 0.0, "reproducible is good, here too"),
        Choice("How large the noise was", lambda f: 1.0, "the seed is about the noise only"),
        Choice("Who was chosen", lambda f: float(f["n"]), "nobody is chosen: all are in the table"),
        Choice(
            "The exact table, and a person’s record",
            lambda f: float(f["numbers"]),
            "published less noise is the table",
        ),
    ),
    right=3,
    truth=lambda fields: float(fields["found_out"]),
    control=Control("seed_is", "seed", (_KNOWN, _UNKNOWN), _KNOWN, spec="{}"),
    measure=measure,
    pictures=pictures,
    answer="**All of it**: the table to {table_error:power} people, and a person’s record to "
    "{record_error:power}.",
    explanation="Noise protects only while it is secret. Also outside the promise: choosing k, "
    "ranges or the best of several draws by looking (best of {draws:count} at ε = {small:epsilon}: "
    "{best_draw:share} instead of {one_draw:share}), and the last digits of floating-point noise.",
    notes=(
        "Purpose: a proof speaks of a mechanism; what else is published or looked at is not in it.",
        "Most will say nothing new, or only how large the noise was, which is public anyway.",
        "Ask next: which other things on the screen that opens read private data without "
        "paying? On floating-point noise see Mironov, Casacuberta et al. and Haney et al.; the "
        "Release page uses whole numbers and the system’s random bits.",
        "Not true in this picture: that the record comes with its sign. A table of products has "
        "none; one column that is known, such as the sex, settles it.",
    ),
    page="explore",
    settings=lambda fields: Settings(epsilon=fields["epsilon"], k=2).to_query(),
    further=True,
)
