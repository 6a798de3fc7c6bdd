"""Which columns name the person, in made-up tables of each way in which rows belong together."""

import time

import numpy as np
import pandas as pd
import pytest

from dpca_core.detection.people import Finding, PersonProposal, propose_person
from tests import people_tables as made_up
from tests.made_up_tables import MADE_UP
from tests.real_data import path_of


def columns_of(proposal):
    """Return the columns of each candidate."""
    return [candidate.columns for candidate in proposal.candidates]


def test_visits_of_patients():
    table = made_up.clinic_visits()
    found = propose_person(table)
    assert found.finding is Finding.FOUND
    assert columns_of(found) == [("patient_id",)]
    best = found.candidates[0]
    sizes = table["patient_id"].value_counts()
    assert (best.people, best.rows, best.largest) == (len(sizes), len(table), sizes.max())
    assert best.fixed == ("age", "sex")
    assert best.without_id == best.spellings == 0


def test_a_numeric_record_number_with_missing_ones():
    table = made_up.numeric_records()
    found = propose_person(table)
    assert found.finding is Finding.FOUND
    assert columns_of(found) == [("MRN",)]
    assert found.candidates[0].without_id == table["MRN"].isna().sum() > 0


def test_subjects_that_every_site_numbers_anew():
    table = made_up.sites()
    found = propose_person(table)
    assert found.finding is Finding.FOUND
    assert columns_of(found) == [("site", "subject")]
    assert found.candidates[0].people == len(table.groupby(["site", "subject"]))


def test_members_of_households():
    table = made_up.households()
    found = propose_person(table)
    assert found.finding is Finding.MEMBERS
    assert columns_of(found) == [("hh",), ("hh", "person")]
    coarse, fine = found.candidates
    assert (coarse.people, fine.people) == (400, len(table.groupby(["hh", "person"])))
    assert "region" in coarse.fixed
    assert {"sex", "born"} <= {*fine.fixed} - {*coarse.fixed}


def test_persons_and_households_with_numbers_of_their_own():
    table = made_up.households()
    person = table["hh"] * 10 + table.pop("person")
    found = propose_person(table.assign(person_id=person))
    assert found.finding is Finding.MEMBERS
    assert columns_of(found) == [("hh",), ("person_id",)]


def test_too_few_repeats_are_asked_about():
    found = propose_person(made_up.few_repeats())
    assert found.finding is Finding.ASK
    best = found.candidates[0]
    assert (best.columns, best.people, best.rows) == (("patient_id",), 900, 912)


def test_an_identifier_of_few_people_without_evidence_is_asked_about():
    chance = np.random.default_rng(9)
    table = pd.DataFrame({"patient_id": np.arange(5000) % 300, "y": chance.normal(size=5000)})
    assert propose_person(table).finding is Finding.ASK


def test_a_column_that_does_not_say_what_it_is():
    found = propose_person(made_up.feeding_trial())
    assert found.finding is Finding.FOUND
    assert columns_of(found) == [("Pig",)]
    assert {"Litter", "Start", "Cu"} <= {*found.candidates[0].fixed}


def test_such_a_column_needs_two_facts_that_stay():
    trial = made_up.feeding_trial()
    assert propose_person(trial[["Pig", "Litter", "Week", "Weight"]]) == PersonProposal()


def test_one_row_per_person():
    found = propose_person(made_up.one_row_each())
    assert found.finding is Finding.UNIQUE
    assert columns_of(found) == [("case",)]


def test_one_row_per_person_where_some_have_no_identifier():
    table = made_up.one_row_each()
    table.loc[::50, "case"] = np.nan
    found = propose_person(table)
    assert found.finding is Finding.UNIQUE
    assert found.candidates[0].without_id == 100


def test_nothing_is_found_where_nothing_names_a_person():
    assert propose_person(made_up.measurements()) == PersonProposal()


def test_a_column_that_hardly_varies_is_no_evidence():
    table = made_up.few_repeats(people=900, again=400)
    table["died"] = (np.arange(len(table)) % 200 == 0).astype(int)
    assert propose_person(table).finding is Finding.ASK


def test_a_long_table_is_no_evidence_for_a_number_that_changes_seldom():
    visits = made_up.clinic_visits().drop(columns=["age", "sex"])
    assert propose_person(visits).finding is Finding.ASK


@pytest.mark.parametrize(
    ("table", "finding"),
    [
        ("laboratory", Finding.NONE),
        ("survey", Finding.UNIQUE),
        ("hospital", Finding.UNIQUE),
        ("payroll", Finding.UNIQUE),
        ("schools", Finding.ASK),
        ("mass", Finding.UNIQUE),
        ("bank", Finding.NONE),
        ("genes", Finding.NONE),
        ("housing", Finding.ASK),
        ("trial", Finding.ASK),
    ],
)
def test_made_up_tables(table, finding):
    from dpca_core.readers.file_access import Upload
    from dpca_core.readers.table import proposed_format, read_table

    made = next(made for made in (make() for make in MADE_UP) if made.name == table)
    upload = Upload(f"{made.name}.csv", made.content)
    read = read_table(upload.name, upload.content, proposed_format(upload))
    assert propose_person(read).finding is finding


@pytest.mark.parametrize(
    "name",
    ["adult", "german_credit", "coil2000_insurance", "covtype", "kddcup99_10pct",
     "census_income_kdd_nominal_full"],
)  # fmt: skip
def test_real_tables_of_one_row_per_person(name):
    path = path_of(f"{name}.parquet")
    if path is None:
        pytest.skip(f"{name}.parquet is no part of the project: name its folder in DPCA_DATA")
    assert propose_person(pd.read_parquet(path).head(99_762)) == PersonProposal()


@pytest.mark.parametrize("name", ["diabetes", "breast_cancer", "wine", "iris"])
def test_tables_of_scikit_learn(name):
    datasets = pytest.importorskip("sklearn.datasets")
    table = getattr(datasets, f"load_{name}")(as_frame=True).frame
    assert propose_person(table) == PersonProposal()


def test_spellings_of_one_identifier():
    table = made_up.clinic_visits()
    table.loc[table.index[0], "patient_id"] = f" {table['patient_id'].iloc[0].lower()}"
    other_rows = (table["patient_id"].str.strip().str.upper()).nunique()
    best = propose_person(table).candidates[0]
    assert best.people - best.spellings == other_rows


def test_one_person_with_most_rows_is_still_asked_about():
    visits = made_up.clinic_visits()
    extra = pd.concat([visits.iloc[:1]] * 2000)
    found = propose_person(pd.concat([visits, extra], ignore_index=True))
    assert found.finding is Finding.ASK
    assert found.candidates[0].largest > 2000


def test_a_name_counts_behind_many_other_columns():
    visits = made_up.clinic_visits(people=60)
    wide = pd.DataFrame(np.zeros((len(visits), 2000)), columns=[f"x{n}" for n in range(2000)])
    found = propose_person(
        pd.concat([visits[["age", "sex"]], wide, visits[["patient_id"]]], axis=1)
    )
    assert columns_of(found) == [("patient_id",)]


HOSTILE = [
    pd.DataFrame(),
    pd.DataFrame({"id": []}),
    pd.DataFrame({"id": [1]}),
    pd.DataFrame({"id": [None] * 50}),
    pd.DataFrame({"id": [[1], [2]] * 30, "a": range(60)}),
    pd.DataFrame({"patient_id": [1.0, np.inf, -np.inf, np.nan] * 30, "a": range(120)}),
    pd.DataFrame({"id": pd.to_datetime(["2020-01-01"] * 60), "x": range(60)}),
    pd.DataFrame({"": range(60), "<img>": ["=cmd"] * 60, "__proto__": [True] * 60}),
    pd.DataFrame([[1, "a"], ["a", 1], [None, 2.5]] * 30, columns=["id", "subject"]),
    pd.DataFrame(np.arange(120).reshape(60, 2), columns=["id", "id"]),
]


@pytest.mark.parametrize("place", range(len(HOSTILE)))
def test_hostile_tables_are_looked_at_without_an_error(place):
    found = propose_person(HOSTILE[place])
    assert isinstance(found.finding, Finding)
    assert all(c.rows == len(HOSTILE[place]) for c in found.candidates)


def test_a_second_is_enough():
    """The processor's time, not the clock's: other tests may run beside this one."""
    chance, rows = np.random.default_rng(10), 99_762
    columns = {f"c{n}": chance.integers(0, 20_000, rows) for n in range(12)}
    columns |= {f"patient_{n}_id": chance.integers(0, 30_000, rows) for n in range(8)}
    columns |= {f"a{n}": chance.integers(0, 4_000, rows) for n in range(22)}
    table = pd.DataFrame(columns)
    began = time.process_time()
    assert propose_person(table).finding is Finding.ASK
    assert time.process_time() - began < 3, "0.6 s where nothing else runs"
