"""Which columns name the person, in made-up tables of each way in which rows belong together.

All from fixed seeds; no person is in them.
"""

import numpy as np
import pandas as pd

from dpca_core.detection.columns import propose_columns
from dpca_core.detection.people import (
    Finding,
    PersonProposal,
    chosen_candidate,
    propose_person,
)
from dpca_core.detection.questions import CODES
from tests.made_up_tables import MADE_UP


def clinic_visits(people=900, seed=1):
    """One to five visits of each patient: two facts that stay, and measurements that do not."""
    chance = np.random.default_rng(seed)
    who = chance.permutation(np.repeat(np.arange(people), chance.integers(1, 6, people)))
    return pd.DataFrame(
        {
            "patient_id": [f"P{number:05d}" for number in who],
            "age": chance.integers(18, 95, people)[who],
            "sex": chance.choice(["F", "M"], people)[who],
            "sbp": chance.normal(125, 15, len(who)).round(),
            "ward": chance.choice(["A", "B", "C"], len(who)),
        }
    )


def members(groups, sizes, rows, region):
    """Members of groups, numbered from 1 on in each, in several rows."""
    chance = np.random.default_rng(4)
    return pd.DataFrame(
        [
            (group, member, row, where, sex, year, chance.normal())
            for group in range(groups)
            for where in [chance.choice(region) if region else f"S{group:02d}"]
            for member in range(1, chance.integers(*sizes))
            for sex, year in [(chance.choice(["F", "M"]), chance.integers(1930, 2010))]
            for row in range(1, chance.integers(*rows))
        ],
        columns=["hh", "person", "wave", "region", "sex", "born", "income"],
    )


def few_repeats(people=900, again=12):
    """One row for nearly everybody, and a second one for a few: too little evidence."""
    chance = np.random.default_rng(5)
    who = np.concatenate([np.arange(people), chance.choice(people, again, replace=False)])
    sbp, hr = chance.normal(125, 15, len(who)), chance.normal(70, 9, len(who))
    return pd.DataFrame({"patient_id": who + 10_000, "sbp": sbp, "hr": hr})


def columns_of(proposal):
    """Return the columns of each candidate."""
    return [candidate.columns for candidate in proposal.candidates]


def test_visits_of_patients():
    table = clinic_visits()
    found = propose_person(table)
    assert found.finding is Finding.FOUND
    assert columns_of(found) == [("patient_id",)]
    best, sizes = found.candidates[0], table["patient_id"].value_counts()
    assert (best.people, best.rows, best.largest) == (len(sizes), len(table), sizes.max())
    assert best.fixed == ("age", "sex")
    assert best.without_id == best.spellings == 0
    # The same by numbers of records, some of which are missing.
    numbers = np.random.default_rng(2).choice(8_000_000, 900, replace=False) + 1_000_000
    record = numbers[table.pop("patient_id").factorize()[0]].astype(float)
    record[::100] = np.nan
    found = propose_person(table.assign(MRN=record))
    assert (found.finding, columns_of(found)) == (Finding.FOUND, [("MRN",)])
    assert found.candidates[0].without_id == np.isnan(record).sum() > 0


def test_subjects_that_every_site_numbers_anew():
    table = members(30, (12, 40), (2, 5), None).rename(columns={"person": "subject"})
    table["hh"] = table.pop("region")
    table = table.rename(columns={"hh": "site"})
    found = propose_person(table)
    assert (found.finding, columns_of(found)) == (Finding.FOUND, [("site", "subject")])
    assert found.candidates[0].people == len(table.groupby(["site", "subject"]))


def test_members_of_households():
    table = members(400, (2, 6), (3, 4), ["N", "E", "S", "W"])
    found = propose_person(table)
    assert found.finding is Finding.MEMBERS
    assert columns_of(found) == [("hh",), ("hh", "person")]
    coarse, fine = found.candidates
    assert (coarse.people, fine.people) == (400, len(table.groupby(["hh", "person"])))
    assert "region" in coarse.fixed
    assert {"sex", "born"} <= {*fine.fixed} - {*coarse.fixed}
    own = propose_person(table.assign(person_id=table["hh"] * 10 + table.pop("person")))
    assert (own.finding, columns_of(own)) == (Finding.MEMBERS, [("hh",), ("person_id",)])


def test_too_little_evidence_is_asked_about():
    found = propose_person(few_repeats())
    assert found.finding is Finding.ASK
    best = found.candidates[0]
    assert (best.columns, best.people, best.rows) == (("patient_id",), 900, 912)
    rows = np.arange(5000)
    drawn = np.random.default_rng(9).normal(size=5000)
    assert propose_person(pd.DataFrame({"id": rows % 300, "y": drawn})).finding is Finding.ASK
    # A column that hardly varies stays the same within a person, and without one.
    table = few_repeats(again=400)
    table["died"] = (np.arange(len(table)) % 200 == 0).astype(int)
    assert propose_person(table).finding is Finding.ASK
    # Of a person with most of the rows, most would be averaged.
    visits = clinic_visits()
    largest = propose_person(pd.concat([visits, *[visits.iloc[:1]] * 2000], ignore_index=True))
    assert largest.finding is Finding.ASK
    assert largest.candidates[0].largest > 2000
    assert propose_person(visits.drop(columns=["age", "sex"])).finding is Finding.ASK


def test_what_stays_within_a_person_no_longer_stays_once_rows_are_shuffled():
    """In 97 % of groups, and not so for rows put into groups of the same sizes at random."""
    table = clinic_visits()
    shuffled = np.random.default_rng(3).permutation(len(table))
    mixed = table.assign(**{name: table[name].to_numpy()[shuffled] for name in ("age", "sex")})
    assert propose_person(mixed).finding is Finding.ASK
    constant = table.assign(age=50, sex="F")
    assert propose_person(constant).finding is Finding.ASK


def test_one_row_per_person_where_some_have_no_identifier():
    chance = np.random.default_rng(7)
    age, sex = chance.integers(18, 95, 5000), chance.choice(["F", "M"], 5000)
    table = pd.DataFrame({"case": chance.permutation(5000) + 1, "age": age, "sex": sex})
    found = propose_person(table)
    assert (found.finding, columns_of(found)) == (Finding.UNIQUE, [("case",)])
    table.loc[::50, "case"] = np.nan
    found = propose_person(table)
    assert found.finding is Finding.UNIQUE
    assert found.candidates[0].without_id == 100


FINDINGS = {
    **dict.fromkeys(["laboratory", "genes"], Finding.NONE),
    **dict.fromkeys(["survey", "hospital", "payroll"], Finding.UNIQUE),
    **dict.fromkeys(["schools", "housing", "trial"], Finding.ASK),
}


def test_made_up_tables():
    found = {name: propose_person(MADE_UP[name].read()[0]).finding for name in FINDINGS}
    assert found == FINDINGS


def test_spellings_and_many_other_columns():
    table = clinic_visits(people=60)
    table.loc[table.index[0], "patient_id"] = f" {table['patient_id'].iloc[0].lower()}"
    wide = pd.DataFrame(np.zeros((len(table), 2000)), columns=[f"x{n}" for n in range(2000)])
    parts = [table[["age", "sex"]], wide, table[["patient_id"]]]
    (best,) = propose_person(pd.concat(parts, axis=1)).candidates
    assert best.columns == ("patient_id",)
    assert best.people - best.spellings == table["patient_id"].str.strip().str.upper().nunique()


def test_the_person_of_a_panel_is_found_among_sites_and_years():
    """As in a health insurance trial: three to five years each, one plan and one site for good."""
    chance, people = np.random.default_rng(4), 600
    years = chance.integers(3, 6, people)
    person = np.repeat(np.arange(people), years)
    panel = pd.DataFrame(
        {
            "plan": chance.integers(1, 25, people)[person],
            "site": chance.integers(1, 7, people)[person],
            "zper": 125_000 + 7 * person,
            "year": np.concatenate([np.arange(1, many + 1) for many in years]),
            "female": chance.integers(0, 2, people)[person],
            "xage": np.round(chance.uniform(0, 62, people)[person], 2),
            "mdvis": chance.poisson(3, len(person)),
            "meddol": np.round(chance.lognormal(3, 1.5, len(person)), 2),
        }
    )
    found = propose_person(panel)
    assert found.finding is Finding.FOUND
    assert (columns_of(found)[0], found.candidates[0].people) == (("zper",), people)
    assert {"plan", "site"} <= {*found.candidates[0].fixed}
    # A column that does not say what it is needs two facts that stay.
    assert propose_person(panel[["zper", "plan", "year", "meddol"]]) == PersonProposal()
    # Only a codebook knows that 24 whole numbers are codes, unless their counts are uneven.
    columns = {found.name: found for found in propose_columns(panel)}
    for name in ("site", "year"):
        assert [question.key for question in columns[name].questions] == [CODES]
    assert {columns[name].use for name in ("plan", "mdvis", "meddol")} == {"number"}


def test_hostile_tables_are_looked_at_without_an_error():
    for columns in (
        {},
        {"id": []},
        {"id": [1]},
        {"id": [None] * 50},
        {"id": [[1], [2]] * 30, "a": range(60)},
        {"patient_id": [1.0, np.inf, -np.inf, np.nan] * 30, "a": range(120)},
        {"id": pd.to_datetime(["2020-01-01"] * 60), "x": range(60)},
        {"": range(60), "<img>": ["=cmd"] * 60, "__proto__": [True] * 60},
        {"id": [1, "a", None] * 30, "subject": ["a", 1, 2.5] * 30},
    ):
        table = pd.DataFrame(columns)
        for hostile in (table, pd.concat([table, table], axis=1)):
            found = propose_person(hostile)
            assert isinstance(found.finding, Finding)
            assert all(c.rows == len(table) for c in found.candidates)
            for name in columns:
                assert chosen_candidate(hostile, [name]).rows == len(table)
