"""Made-up tables of people in several rows each, one for each way in which rows belong together.

All from fixed seeds; no person is in them.
"""

import numpy as np
import pandas as pd

MOST_VISITS = 5


def _repeated(people, seed, most=MOST_VISITS):
    """Return the person (n,) of each row: 1 to ``most`` rows each, in an order of its own."""
    chance = np.random.default_rng(seed)
    rows = np.repeat(np.arange(people), chance.integers(1, most + 1, people))
    return chance.permutation(rows)


def clinic_visits(people=900, seed=1):
    """Visits of patients: two facts about each that stay, and measurements that do not."""
    chance = np.random.default_rng(seed)
    who = _repeated(people, seed)
    return pd.DataFrame(
        {
            "patient_id": [f"P{number:05d}" for number in who],
            "age": chance.integers(18, 95, people)[who],
            "sex": chance.choice(["F", "M"], people)[who],
            "sbp": chance.normal(125, 15, len(who)).round(),
            "ward": chance.choice(["A", "B", "C"], len(who)),
        }
    )


def numeric_records(people=700, seed=2):
    """Return the same with a seven-digit medical record number, as floats with some missing."""
    visits = clinic_visits(people, seed)
    codes = visits.pop("patient_id").factorize()[0]
    numbers = np.random.default_rng(seed).choice(8_000_000, people, replace=False) + 1_000_000
    record = numbers[codes].astype(float)
    record[::100] = np.nan
    return visits.assign(MRN=record)


def sites(count=30, seed=3):
    """Return subjects that every site numbers from 1 on: only both columns name a person."""
    chance = np.random.default_rng(seed)
    rows = [
        (f"S{site:02d}", subject, sex, year, visit, chance.normal())
        for site in range(count)
        for subject in range(1, chance.integers(12, 40))
        for sex, year in [(chance.choice(["F", "M"]), chance.integers(1930, 2000))]
        for visit in range(1, chance.integers(2, 5))
    ]
    return pd.DataFrame(rows, columns=["site", "subject", "sex", "born", "visit", "score"])


def households(count=400, seed=4):
    """Return members of households, asked in three waves."""
    chance = np.random.default_rng(seed)
    rows = [
        (household, member, wave, region, sex, year, chance.normal())
        for household in range(count)
        for region in [chance.choice(["N", "E", "S", "W"])]
        for member in range(1, chance.integers(2, 6))
        for sex, year in [(chance.choice(["F", "M"]), chance.integers(1930, 2010))]
        for wave in (1, 2, 3)
    ]
    header = ["hh", "person", "wave", "region", "sex", "born", "income"]
    return pd.DataFrame(rows, columns=header)


def few_repeats(people=900, again=12, seed=5):
    """Return one row for nearly everybody, and a second one for a few: too little evidence."""
    chance = np.random.default_rng(seed)
    who = np.concatenate([np.arange(people), chance.choice(people, again, replace=False)])
    return pd.DataFrame(
        {
            "patient_id": who + 10_000,
            "sbp": chance.normal(125, 15, len(who)),
            "hr": chance.normal(70, 9, len(who)),
        }
    )


def feeding_trial(pigs=72, seed=6):
    """Return weights of pigs week by week: the column that names the pig does not say so."""
    chance = np.random.default_rng(seed)
    return pd.DataFrame(
        [
            (4601 + 3 * pig, litter, start, dose, week, 25 + 6 * week + chance.normal())
            for pig in range(pigs)
            for litter, start, dose in [
                (chance.integers(1, 25), chance.integers(20, 30), chance.choice(["0", "1", "2"]))
            ]
            for week in range(1, 13)
        ],
        columns=["Pig", "Litter", "Start", "Cu", "Week", "Weight"],
    )


def one_row_each(people=5000, seed=7):
    """Return one row per person, numbered in an order of its own."""
    chance = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "case": chance.permutation(people) + 1,
            "age": chance.integers(18, 95, people),
            "sex": chance.choice(["F", "M"], people),
        }
    )


def measurements(rows=4000, seed=8):
    """Return numbers and categories, none of which names anybody."""
    chance = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": chance.integers(18, 95, rows),
            "sex": chance.choice(["F", "M"], rows),
            "hours": chance.integers(0, 1500, rows),
            "income": chance.lognormal(10, 1, rows).round(),
            "region": chance.choice([f"R{n}" for n in range(40)], rows),
        }
    )
