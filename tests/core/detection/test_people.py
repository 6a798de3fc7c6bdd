"""Which columns name the person, in made-up tables of each way in which rows belong together.

All from fixed seeds; no person is in them.
"""

import io

import numpy as np
import pandas as pd

from dpca_core.detection.columns import propose_columns
from dpca_core.detection.people import Finding, PersonProposal, chosen_candidate, propose_person
from dpca_core.detection.questions import CODES
from sample_data.made_up_clinic import clinic_csv

CLINIC = pd.read_csv(io.BytesIO(clinic_csv()))[["patient_id", "age", "sex", "sbp", "ward"]]
"""One to five visits of each of 900 patients: two facts that stay, and two that do not."""


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


def found_in(table):
    """Return what was found, and the columns of each candidate."""
    proposal = propose_person(table)
    return proposal.finding, [candidate.columns for candidate in proposal.candidates]


def test_visits_of_patients():
    assert found_in(CLINIC) == (Finding.FOUND, [("patient_id",)])
    (best,) = propose_person(CLINIC).candidates
    assert (best.people, best.rows, best.largest) == (900, 2671, 5)
    assert best.fixed == ("age", "sex")
    assert best.without_id == best.spellings == 0
    # The same by numbers of records, some of which are missing.
    numbers = np.random.default_rng(2).choice(8_000_000, 900, replace=False) + 1_000_000
    record = numbers[CLINIC["patient_id"].factorize()[0]].astype(float)
    record[::100] = np.nan
    table = CLINIC.drop(columns="patient_id").assign(MRN=record)
    assert found_in(table) == (Finding.FOUND, [("MRN",)])
    assert propose_person(table).candidates[0].without_id == np.isnan(record).sum() > 0


def test_subjects_that_every_site_numbers_anew():
    table = members(30, (12, 40), (2, 5), None).drop(columns="hh")
    table = table.rename(columns={"person": "subject", "region": "site"})
    assert found_in(table) == (Finding.FOUND, [("subject", "site")])
    people = propose_person(table).candidates[0].people
    assert people == len(table.groupby(["site", "subject"]))


def test_members_of_households():
    table = members(400, (2, 6), (3, 4), ["N", "E", "S", "W"])
    assert found_in(table) == (Finding.MEMBERS, [("hh",), ("hh", "person")])
    coarse, fine = propose_person(table).candidates
    assert (coarse.people, fine.people) == (400, len(table.groupby(["hh", "person"])))
    assert "region" in coarse.fixed
    assert {"sex", "born"} <= {*fine.fixed} - {*coarse.fixed}
    own = table.assign(person_id=table["hh"] * 10 + table.pop("person"))
    assert found_in(own) == (Finding.MEMBERS, [("hh",), ("person_id",)])


def test_people_are_enough_of_them_with_several_rows_and_a_fact_that_stays():
    """Two visits of each, but for some with one; sex is another one at some second visits."""
    for people, once, other, finding in (
        (21, 0, 0, Finding.FOUND),
        (20, 0, 0, Finding.NONE),
        (100, 90, 0, Finding.FOUND),
        (100, 91, 0, Finding.ASK),
        (100, 0, 3, Finding.FOUND),
        (100, 0, 4, Finding.ASK),
    ):
        who, there = np.array([*range(people), *range(once, people)]), np.arange(2 * people - once)
        sex = who % 2 ^ ((people <= there) & (there < people + other))
        table = pd.DataFrame({"patient_id": who + 10_000, "sex": sex, "y": there / 7})
        assert propose_person(table).finding is finding, (people, once, other)


def test_too_little_evidence_is_asked_about():
    """Noise; a fact that hardly varies; a person with most rows; no facts at all."""
    chance, rows = np.random.default_rng(5), np.arange(5000)
    many = np.append(rows[:900], chance.choice(900, 400, replace=False))
    for table in (
        pd.DataFrame({"id": rows % 300, "y": chance.normal(size=len(rows))}),
        pd.DataFrame({"id": many, "died": np.arange(len(many)) % 200 == 0}),
        pd.concat([CLINIC, *[CLINIC.iloc[:1]] * 2000], ignore_index=True),
        CLINIC.drop(columns=["age", "sex"]),
        CLINIC.assign(age=50, sex="F"),
    ):
        found = propose_person(table)
        assert (found.finding, len(found.candidates)) == (Finding.ASK, 1)
        assert found.candidates[0].largest > 1


def test_what_stays_within_a_person_no_longer_stays_once_rows_are_shuffled():
    """In 97 % of groups, and not so for rows put into groups of the same sizes at random."""
    shuffled = np.random.default_rng(3).permutation(len(CLINIC))
    mixed = CLINIC.assign(**{name: CLINIC[name].to_numpy()[shuffled] for name in ("age", "sex")})
    assert propose_person(mixed).finding is Finding.ASK


def test_one_row_per_person_where_some_have_no_identifier():
    chance = np.random.default_rng(7)
    cases, ages = chance.permutation(5000) + 1.0, chance.integers(18, 95, 5000)
    for without in (0, 100):
        cases[:without] = np.nan
        table = pd.DataFrame({"case": cases, "age": ages})
        (found,) = propose_person(table).candidates
        assert found_in(table) == (Finding.UNIQUE, [("case",)])
        assert (found.without_id, found.is_plain) == (without, without == 0)


def test_spellings_zeros_and_many_other_columns():
    table = CLINIC.iloc[:200].copy()
    table.loc[0, "patient_id"] = f" {table.loc[0, 'patient_id'].lower()}"
    wide = pd.DataFrame(np.zeros((len(table), 2000)), columns=[f"x{n}" for n in range(2000)])
    parts = [table[["age", "sex"]], wide, table[["patient_id"]]]
    (best,) = propose_person(pd.concat(parts, axis=1)).candidates
    assert best.columns == ("patient_id",)
    assert best.people - best.spellings == table["patient_id"].str.strip().str.upper().nunique()
    written = chosen_candidate(pd.DataFrame({"id": ["001", "1", "02", "b"]}), ["id"])
    assert (written.largest, written.zeros, written.is_plain) == (1, 1, False)


def test_without_an_identifiers_name_two_facts_that_stay_are_needed():
    """As in a panel: three to five years of each, in one plan and at one site for good."""
    chance, people = np.random.default_rng(4), 600
    person = np.repeat(np.arange(people), chance.integers(3, 6, people))
    plan, site = (chance.integers(1, most, people)[person] for most in (25, 7))
    panel = pd.DataFrame({"plan": plan, "site": site, "zper": 125_000 + 7 * person})
    panel["year"] = panel.groupby("zper").cumcount() + 1
    panel["visits"] = chance.poisson(30, len(person))
    found = propose_person(panel)
    (best, *_) = found.candidates
    assert (found.finding, best.columns, best.people) == (Finding.FOUND, ("zper",), people)
    assert {"plan", "site"} <= {*best.fixed}
    assert propose_person(panel.drop(columns="site")) == PersonProposal()
    # Only a codebook knows that whole numbers are codes, unless their counts are uneven.
    asked = {one.name: [q.key for q in one.questions] for one in propose_columns(panel)}
    assert (asked["site"], asked["year"], asked["visits"]) == ([CODES], [CODES], [])


def test_hostile_tables_are_looked_at_without_an_error():
    for columns in (
        {},
        {"id": []},
        {"id": [1]},
        {"id": [None] * 50},
        {"patient_id": [1.0, np.inf, -np.inf, np.nan] * 30, "a": range(120)},
        {"<img>": ["=cmd"] * 60, "__proto__": range(60)},
    ):
        table = pd.DataFrame(columns)
        assert all(c.rows == len(table) for c in propose_person(table).candidates)
        for name in columns:
            assert chosen_candidate(table, [name]).rows == len(table)
