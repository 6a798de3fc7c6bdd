"""What stands outside the promise, beginning with the seed of the noise."""

from math import sqrt
from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_on_s import Gaussian
from dpca_core.privacy.budget import Budget
from sample_data.real_sets import RAND_RADIUS, RAND_RANGES
from ui.learn.pictures import Fields, Picture, Say, cells, picture
from ui.learn.releases import DELTA, EPSILON, kept_shares, rand_data, rand_problem, releases
from ui.text.numbers import significant

KNOWN = "known"
NOISE, BUDGET = Gaussian(), Budget(EPSILON, DELTA)
SMALL, DRAWS = Budget(0.02, DELTA), 25
TOLD = ("xage", "female", "child", "num", "educdec", "income", "disea", "mhi", "mdvis", "totadm")
"""Columns that say most about a person."""
EXACT = 1e-6
"""Error, in people, up to which a number counts as found out."""


def measure(value: Any, seed: int) -> Fields:
    """Release with a seed, subtract the noise as a reader does, and read off the last record."""
    problem, rows = rand_problem(2), rand_data().rows
    others, record = rows[:-1].T @ rows[:-1], rows[-1]
    published = np.asarray(NOISE.release(problem, BUDGET, seed, keep="moment").moment)[0]
    noise = redrawn_noise(seed)
    tried = noise if value == KNOWN else redrawn_noise(seed + 1)
    sex = record * (np.arange(problem.d) == list(RAND_RANGES).index("female"))
    found = remaining_record(published - noise, others, sex)
    wrong = np.abs(published - noise - problem.moment)[np.triu_indices(problem.d)]
    kept = kept_shares(problem, releases(NOISE, problem, SMALL, seed))
    return {
        "epsilon": BUDGET.epsilon,
        "seed_is": value,
        "columns": problem.d,
        "published": published,
        "noise": tried,
        "table": published - tried,
        "record": remaining_record(published - tried, others, sex),
        "shown": len(TOLD),
        "table_error": _one_digit(wrong.max()),
        "record_error": _one_digit(np.abs(found - record).max()),
        "tried_error": float(np.abs(published - tried - problem.moment).max()),
        "small": SMALL.epsilon,
        "draws": DRAWS,
        "one_draw": float(np.median(kept)),
        "best_draw": float(np.quantile(kept, 0.5 ** (1 / DRAWS))),
        # How many numbers each choice says can be worked out.
        "choices": (0.0, 1.0, float(problem.n), float(len(wrong) + problem.d)),
        "truth": float((wrong <= EXACT).sum() + (np.abs(found - record) <= EXACT).sum()),
    }


def redrawn_noise(seed: int) -> Array:
    """Return the noise (d, d) that a release with this seed adds to S, in people.

    It follows from d, the budget and the seed alone, which anybody may know.
    """
    problem = rand_problem(2)
    unit = NOISE.unit(problem.d, problem.k, np.random.default_rng(seed), 1)[0][0]
    return np.asarray(NOISE.calibrate(problem, BUDGET).scale * unit)


def remaining_record(table: Array, others: Array, towards: Array) -> Array:
    """Return the record x (d,) of the one person in a table (d, d) who is not among the others.

    x and −x have the same table: ``towards`` (d,), one entry that is known, decides.
    """
    values, vectors = np.linalg.eigh(table - others)
    record = sqrt(max(float(values[-1]), 0.0)) * vectors[:, -1]
    return np.asarray(record * np.sign(record @ towards))


def _one_digit(value: float) -> float:
    return float(f"{value:.0e}")


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw the published table; with the answer the noise, what is left, and the record."""
    if not told:
        return [picture(say, "asked", fields, cells([("published", fields["published"])]))]
    seed_is = fields["seed_is"]
    names = say(f"names {seed_is}", fields).split(", ")
    tables = cells([*zip(names, (fields[n] for n in ("published", "noise", "table")), strict=True)])
    heads = " | ".join(say("heads", fields).split(", "))
    rows = [f"| {name} | {value} |" for name, value in record_in_units(fields).items()]
    record = "\n".join([f"| {heads} |", "|---|---|", *rows])
    return [
        Picture(say(seed_is, fields), say("told, below", fields), (tables,)),
        Picture(say(f"record {seed_is}", fields), say("record, below", fields), table=record),
    ]


def record_in_units(fields: Fields) -> dict[str, str]:
    """Return some columns' values of the record by name, in the units of the questionnaire."""
    found, told = dict(zip(RAND_RANGES, fields["record"], strict=True)), dict[str, str]()
    for key in TOLD:
        name, middle, half = RAND_RANGES[key]
        value = middle + half * RAND_RADIUS * float(found[key])
        told[name] = significant(round(value, 6), 4)
    return told
