"""Stand-ins for the owner's table: made of public choices alone."""

import csv
import io

import numpy as np
import pytest

from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import Reading, Recipe
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from sample_data.made_up_clinic import MADE_UP
from tests.ui.owner.decide_drafts import clinic_draft, read_from_file
from ui.owner.draft import Draft
from ui.owner.stand_ins import simulated_table, synthetic_file

SHARES = (0.36, 0.12, 0.115, 0.07)


def test_a_synthetic_file_has_the_header_and_nobody_in_it() -> None:
    made = synthetic_file(clinic_draft(), 50)
    assert made is not None
    rows = list(csv.DictReader(io.StringIO(made.decode("utf-8"))))
    assert len(rows) == 50
    assert tuple(rows[0]) == clinic_draft().header
    assert {row["visit_date"] for row in rows} == {MADE_UP}
    assert all(60 <= float(row["sbp"]) <= 260 for row in rows)
    assert {row["sex"] for row in rows} == {"F", "M"}


@pytest.mark.parametrize("decimal", [".", ",", EITHER])
def test_it_is_read_as_the_draft_says(decimal: str) -> None:
    form = TextFileFormat(delimiter=";", decimal=decimal)
    draft = clinic_draft(reading=form)
    made, recipe = synthetic_file(draft, 40), draft.recipe()
    assert made is not None
    assert isinstance(recipe, Recipe)
    data = prepare(Upload("made-up.csv", made), recipe, "made up", Reading.STRICT)
    assert data.rows.shape == (40, 19)
    assert (np.abs(data.rows).max(axis=0) > 0).all()


@pytest.mark.parametrize("draft", [read_from_file(clinic_draft(), "hr"), Draft()])
def test_what_was_read_from_the_file_never_leaves_in_another(draft: Draft) -> None:
    assert synthetic_file(draft, 50) is None


def test_a_simulated_table_has_rows_of_length_one_and_the_shares() -> None:
    """Fails by chance with probability below 10⁻⁶: eigenvalues vary by about 1/√50,000."""
    data = simulated_table(50_000, SHARES, 19, Unit("patient", "patients"))
    assert data.rows.shape == (50_000, 19)
    np.testing.assert_allclose(np.linalg.norm(data.rows, axis=1), 1.0)
    assert np.abs(data.problem(4).spectrum[:4] / 50_000 - SHARES).max() < 0.01
    assert data.name.startswith("Stand-in")
    assert data.public
    assert data.synthetic


@pytest.mark.parametrize(("people", "rows"), [(7, 7), (1e12, 105_263)])
def test_a_simulated_table_fits_into_memory(people: float, rows: int) -> None:
    assert len(simulated_table(people, SHARES, 19, Unit()).rows) == rows
