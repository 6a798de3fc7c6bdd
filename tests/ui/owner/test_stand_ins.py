"""The made-up clinic becomes rows, and stand-ins for a table are made of public choices alone."""

import csv
import io
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from dpca_core.codebooks import read_codebook
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.tables.files import Upload
from dpca_core.tables.prepare import prepare
from sample_data.made_up_clinic import CLINIC_HEADER, FILE_NAME, MADE_UP, clinic_csv, codebook_csv
from tests.clinic_columns import COLUMNS
from tests.ui.owner.drafts import clinic_draft, read_from_file
from ui.owner.codebook_merge import merge_codebook
from ui.owner.draft import FOUND, Draft, Who
from ui.owner.step_decide import synthetic_file


def test_a_synthetic_file_has_the_header_and_nobody_in_it() -> None:
    made = synthetic_file(clinic_draft(), 50).decode("utf-8")
    rows = list(csv.DictReader(io.StringIO(made)))
    assert len(rows) == 50
    assert tuple(rows[0]) == clinic_draft().header
    assert {row["visit_date"] for row in rows} == {MADE_UP}
    assert all(60 <= float(row["sbp"]) <= 260 for row in rows)
    assert {row["sex"] for row in rows} == {"F", "M"}


@pytest.mark.parametrize("decimal", [".", ",", EITHER])
def test_it_is_read_as_the_draft_says(decimal: str) -> None:
    draft = clinic_draft(reading=TextFileFormat(delimiter=";", decimal=decimal))
    upload = Upload("made-up.csv", synthetic_file(draft, 40))
    data = prepare(upload, draft.recipe(), "made up")
    assert data.rows.shape == (40, 19)
    assert (np.abs(data.rows).max(axis=0) > 0).all()


@pytest.mark.parametrize("draft", [read_from_file(clinic_draft(), "hr"), Draft()])
def test_what_was_read_from_the_file_never_leaves_in_another(draft: Draft) -> None:
    assert synthetic_file(draft, 50) is None


def naively_read() -> np.ndarray:
    """Return a row of length 1 a patient: centred at typical values, means of what is known."""
    visits = defaultdict(list)
    for row in csv.DictReader(io.StringIO(clinic_csv().decode("utf-8"))):
        entries: list[float] = []
        for column in (one for one in COLUMNS if one.name in row):
            cell, values = row[column.name], column.values
            entries += [(cell == value) - 1 / len(values) for value in values]
            if column.low:
                low, typical, high = map(float, (column.low, column.typical, column.high))
                known = cell not in ("", column.missing)
                value = float(cell.removesuffix(" %").replace(",", ".")) if known else np.nan
                entries.append((value - typical) / max(high - typical, typical - low))
        visits[row["patient_id"]].append(entries)
    rows = np.array(
        [np.nansum(v, axis=0) / (~np.isnan(v)).sum(axis=0).clip(1) for v in visits.values()]
    )
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_the_clinic_is_prepared_as_a_naive_reading_has_it():
    """Every column holds what it should."""
    who = Who(("patient_id",), FOUND, "patient", "patients")
    draft = Draft(CLINIC_HEADER, who=who, reading=TextFileFormat(decimal=EITHER))
    draft = draft.merge({"visit_date": {"use": "out"}})
    recipe = merge_codebook(draft, read_codebook("c", codebook_csv()))[0].recipe()
    upload, naive = Upload(FILE_NAME, clinic_csv()), naively_read()
    spectrum = np.linalg.eigvalsh(naive.T @ naive)[::-1]
    data = prepare(upload, recipe, "clinic")
    assert data.rows.shape == (900, 19)
    categories = [f"{c.name}: {value}" for c in recipe.categories for value in c.values]
    assert list(data.columns) == [*(n.name for n in recipe.numbers), *categories]
    assert np.linalg.norm(data.rows, axis=1) == pytest.approx(np.ones(900))
    assert data.problem(4).spectrum == pytest.approx(spectrum, abs=1e-9 * spectrum[0])
    points = replace(recipe, number_format=TextFileFormat())
    data = prepare(upload, points, "clinic")
    assert not data.rows[:, list(data.columns).index("ldl")].any(), "the column with commas"
