"""What stands outside the promise, beginning with the seed of the noise."""

from math import sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_on_s import Gaussian
from dpca_core.privacy.budget import Budget
from sample_data.real_sets import RAND_RADIUS, RAND_RANGES
from ui.learn.pictures import Fields, Picture, Say, cells
from ui.learn.releases import DELTA, EPSILON, rand_data, rand_problem
from ui.text.numbers import significant

KNOWN = "known"
NOISE, BUDGET = Gaussian(), Budget(EPSILON, DELTA)
TOLD = ("xage", "female", "child", "num", "educdec", "income", "disea", "mhi", "mdvis", "totadm")
"""Columns that say most about a person."""
EXACT = 1e-6
"""Error, in people, up to which a number counts as found out."""


def measure(seed_is: str, seed: int) -> Fields:
    """Release with a seed, subtract the noise as a reader does, and read off the last record."""
    problem, rows = rand_problem(2), rand_data().rows
    published = np.asarray(NOISE.release(problem, BUDGET, seed, keep="moment").moment)[0]
    noise = redrawn_noise(seed)
    tried = noise if seed_is == KNOWN else redrawn_noise(seed + 1)
    wrong = np.abs(published - noise - problem.moment)[np.triu_indices(problem.d)]
    wrong_record = np.abs(last_record(published - noise) - rows[-1])
    return {
        "published": published,
        "noise": tried,
        "table": published - tried,
        "record": last_record(published - tried),
        "columns_shown": len(TOLD),
        "table_error": float(f"{wrong.max():.0e}"),
        "record_error": float(f"{wrong_record.max():.0e}"),
        "tried_error": np.abs(published - tried - problem.moment).max(),
        # How many numbers each choice says can be worked out.
        "choices": (0, 1, problem.n, len(wrong) + problem.d),
        "truth": (wrong <= EXACT).sum() + (wrong_record <= EXACT).sum(),
    }


def redrawn_noise(seed: int) -> Array:
    """Return the noise (d, d) that a release with this seed adds to S, in people.

    It follows from d, the budget and the seed alone, which anybody may know.
    """
    problem = rand_problem(2)
    unit = NOISE.unit(problem.d, problem.k, np.random.default_rng(seed), 1)[0][0]
    return np.asarray(NOISE.calibrate(problem, BUDGET).scale * unit)


def last_record(table: Array) -> Array:
    """Return the last person's record x (d,) from a table (d, d), as who knows all others does.

    x and −x have the same table: the person's sex, which is known, decides.
    """
    others, record = rand_data().rows[:-1], rand_data().rows[-1]
    values, vectors = np.linalg.eigh(table - others.T @ others)
    found = sqrt(max(float(values[-1]), 0.0)) * vectors[:, -1]
    sex = list(RAND_RANGES).index("female")
    return np.asarray(found * np.sign(found[sex] * record[sex]))


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw the published table; with the answer the noise, what is left, and the record."""
    if not told:
        return [say.picture("asked", cells([("published", fields["published"])]))]
    seed_is = fields["seed_is"]
    names = say(f"names {seed_is}").split(", ")
    tables = (fields[name] for name in ("published", "noise", "table"))
    drawn = cells([*zip(names, tables, strict=True)])
    lines = [say("heads").split(", "), ["---", "---"], *record_in_units(fields["record"]).items()]
    record = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return [
        say.picture(seed_is, drawn, below="told, below"),
        say.picture(f"record {seed_is}", below="record, below", table=record),
    ]


def record_in_units(record: Array) -> dict[str, str]:
    """Return some columns' values of a record by name, in the units of the questionnaire."""
    found, told = dict(zip(RAND_RANGES, record, strict=True)), dict[str, str]()
    for key in TOLD:
        name, middle, half = RAND_RANGES[key]
        told[name] = significant(round(middle + half * RAND_RADIUS * float(found[key]), 6), 4)
    return told
