"""Proposals for public tables of people, where they are on this machine."""

from collections import Counter

import pandas as pd
import pytest

from dpca_core.detection import column_questions as ask
from dpca_core.detection.column_proposal import CATEGORY, NUMBER, OUT, Recognised
from dpca_core.detection.kinds import propose_columns
from tests.real_data import path_of


def proposals_for(name):
    """Return proposals by column of a table that may not be here."""
    path = path_of(f"{name}.parquet")
    if path is None:
        pytest.skip(f"{name}.parquet is no part of the project: name its folder in DPCA_DATA")
    return {found.name: found for found in propose_columns(pd.read_parquet(path))}


def asked(found):
    """Return keys of a proposal's questions."""
    return [question.key for question in found.questions]


def test_adult():
    found = proposals_for("adult")
    assert found["fnlwgt"].recognised is Recognised.SURVEY_WEIGHT
    assert {name for name, one in found.items() if one.use == OUT} == {"fnlwgt"}
    numbers = {"age", "education-num", "capital-gain", "capital-loss", "hours-per-week"}
    assert {name for name, one in found.items() if one.use == NUMBER} == numbers
    assert {name: asked(one) for name, one in found.items() if one.questions} == {
        "education-num": [ask.CODES],
        # A top code: asked, and rightly answered with "a real value".
        "capital-gain": [ask.MISSING],
    }
    assert found["capital-gain"].missing_code == "99999"


def test_german_credit():
    found = proposals_for("german_credit")
    assert {one.use for one in found.values()} == {NUMBER, CATEGORY}
    assert {name for name, one in found.items() if one.questions} == {
        "duration_months", "installment_rate", "residence_since", "existing_credits",
    }  # fmt: skip
    assert found["credit_amount"].questions == found["age"].questions == ()


def test_insurance_with_85_coded_columns():
    found = proposals_for("coil2000_insurance")
    kinds = Counter(one.recognised for one in found.values())
    # Of two values: as a number or as a category they are the same, and nothing is asked.
    assert kinds == {
        Recognised.STEPS: 79,
        Recognised.MAY_BE_CODES: 1,
        Recognised.NUMBERS: 6,
        Recognised.TEXTS: 1,
    }
    assert all(asked(one)[0] == ask.CODES for one in found.values() if one.questions)
    assert asked(found["MOSTYPE"]) == [ask.CODES]


def test_census_asks_about_recodes():
    found = proposals_for("census_income_kdd_nominal_full")
    for name in ("detailed industry recode", "detailed occupation recode"):
        assert (found[name].use, asked(found[name])) == (NUMBER, [ask.CODES])
    assert {one.use for one in found.values()} == {NUMBER, CATEGORY}


@pytest.mark.parametrize("name", ["load_breast_cancer", "load_diabetes", "load_wine"])
def test_measurements_are_numbers_without_a_question(name):
    import sklearn.datasets

    table = getattr(sklearn.datasets, name)(as_frame=True).frame
    found = {one.name: one for one in propose_columns(table)}
    assert {one.use for one in found.values()} == {NUMBER}
    wrong = {column for column, one in found.items() if one.questions}
    assert wrong == ({"target"} if name == "load_wine" else set())
