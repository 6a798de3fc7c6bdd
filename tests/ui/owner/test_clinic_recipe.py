"""The made-up clinic with its codebook becomes rows, whole: every column holds what it should."""

from dataclasses import replace

import numpy as np
import pytest

from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.recipe import Reading, Recipe
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from sample_data.made_up_clinic import CLINIC_HEADER, FILE_NAME, clinic_csv, codebook_csv
from tests.sample_data.test_made_up_clinic import coded
from ui.owner.codebook_merge import merge_codebook
from ui.owner.draft import FOUND, Draft, Who


def recipe() -> Recipe:
    who = Who(("patient_id",), FOUND, "patient", "patients")
    draft = Draft(CLINIC_HEADER, who=who, reading=TextFileFormat(decimal=EITHER))
    draft = draft.merge({"visit_date": {"use": "out"}})
    found = merge_codebook(draft, read_codebook("c", codebook_csv())).draft.recipe()
    assert isinstance(found, Recipe)
    return found


@pytest.mark.parametrize("reading", Reading)
def test_the_clinic_is_prepared_as_a_naive_reading_has_it(reading: Reading):
    data = prepare(Upload(FILE_NAME, clinic_csv()), recipe(), "clinic", reading)
    assert data.rows.shape == (900, 19)
    numbers = [n.name for n in recipe().numbers]
    categories = [f"{c.name}: {value}" for c in recipe().categories for value in c.values]
    assert list(data.columns) == [*numbers, *categories]
    naive = coded()
    assert np.linalg.norm(data.rows, axis=1) == pytest.approx(np.ones(900))
    spectrum = np.linalg.eigvalsh(naive.T @ naive)[::-1]
    assert data.problem(4).spectrum == pytest.approx(spectrum, abs=1e-9 * spectrum[0])


def test_with_points_alone_the_column_with_commas_would_be_lost():
    points = replace(recipe(), number_format=TextFileFormat())
    data = prepare(Upload(FILE_NAME, clinic_csv()), points, "clinic", Reading.TOTAL)
    assert not data.rows[:, list(data.columns).index("ldl")].any()
