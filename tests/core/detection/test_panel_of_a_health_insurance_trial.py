"""A made-up panel with the structure of a health insurance trial: people, years, plans, sites."""

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.column_questions import CODES
from dpca_core.detection.kinds import propose_columns
from dpca_core.detection.people import Finding, propose_person

PEOPLE, SEED = 600, 4


@pytest.fixture(scope="module")
def panel() -> pd.DataFrame:
    """A row for each person and year: three to five years each, one plan and one site for good."""
    chance = np.random.default_rng(SEED)
    years = chance.integers(3, 6, PEOPLE)
    person = np.repeat(np.arange(PEOPLE), years)
    rows = len(person)
    return pd.DataFrame(
        {
            "plan": chance.integers(1, 25, PEOPLE)[person],
            "site": chance.integers(1, 7, PEOPLE)[person],
            "zper": 125_000 + 7 * person,
            "year": np.concatenate([np.arange(1, many + 1) for many in years]),
            "female": chance.integers(0, 2, PEOPLE)[person],
            "xage": np.round(chance.uniform(0, 62, PEOPLE)[person], 2),
            "mdvis": chance.poisson(3, rows),
            "meddol": np.round(chance.lognormal(3, 1.5, rows), 2),
        }
    )


def test_the_person_is_found_among_sites_and_years(panel: pd.DataFrame) -> None:
    found = propose_person(panel)
    assert found.finding is Finding.FOUND
    assert found.candidates[0].columns == ("zper",)
    assert found.candidates[0].people == PEOPLE
    assert {"plan", "site"} <= {*found.candidates[0].fixed}


def test_site_and_year_are_asked_about_and_many_plans_pass_as_a_number(panel: pd.DataFrame) -> None:
    """Only a codebook knows that 24 whole numbers are codes, unless their counts are uneven."""
    proposals = {found.name: found for found in propose_columns(panel, TextFileFormat())}
    asked = {name: [question.key for question in p.questions] for name, p in proposals.items()}
    assert asked["site"] == asked["year"] == [CODES]
    assert proposals["plan"].use == "number"
    assert proposals["mdvis"].use == proposals["meddol"].use == "number"
