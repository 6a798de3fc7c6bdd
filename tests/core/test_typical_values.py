"""What typical values are for: direction 1 of the made-up clinic is no longer its mean."""

from dataclasses import replace

import numpy as np
import pytest

from dpca_core.codebooks.codebook import EntryUse
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.dataset import Dataset
from dpca_core.data.mean_direction import offset_shares
from dpca_core.data.recipe import Category, CategoryCoding, Number, Reading, Recipe, RowLength
from dpca_core.metrics import without_noise
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from sample_data.made_up_clinic import clinic_csv, codebook_csv


def bytes_of(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


TABLE = Upload("clinic.csv", bytes_of(clinic_csv()))


@pytest.fixture(scope="module")
def recipe():
    """What the codebook says, for the columns that the table has."""
    header = TABLE.content.partition(b"\n")[0].decode().strip().split(",")
    entries = read_codebook("codebook.csv", bytes_of(codebook_csv())).entries
    known = [entry for entry in entries if entry.name in header]
    return Recipe(
        tuple(
            Number(e.name, float(e.low), float(e.high), float(e.typical), e.unit, e.missing)
            for e in known
            if e.use is EntryUse.NUMBER
        ),
        tuple(Category(e.name, e.values, e.missing) for e in known if e.use is EntryUse.CATEGORY),
        person=("patient_id",),
        row_length=RowLength.ONE,
        category_coding=CategoryCoding.CENTRED,
        bounds_are_public=True,
    )


def test_the_middles_of_ranges_make_the_mean_direction_1(recipe):
    middles = replace(
        recipe,
        numbers=tuple(replace(column, typical=None) for column in recipe.numbers),
        category_coding=CategoryCoding.INDICATORS,
        row_length=RowLength.AT_MOST_R,
    )
    assert offset_shares(prepare(TABLE, middles, "t", Reading.TOTAL), 1)[0] > 0.95


def test_typical_values_leave_differences_between_patients(recipe):
    data = prepare(TABLE, recipe, "t", Reading.TOTAL)
    assert (data.people, data.d) == (900, 19)
    assert max(offset_shares(data, 3)) < 0.15
    assert without_noise(data.problem(4)).captured > 0.999


def test_a_direction_with_little_in_it_has_a_share_and_one_with_nothing_has_none():
    rows = np.array([[sign, 1e-9, 0.0] for sign in (0.5, -0.5)] * 20)
    data = Dataset("", "x", "x", rows, ("a", "b", "c"))
    np.testing.assert_allclose(offset_shares(data, 2), [0, 1], atol=1e-12)
    nothing = Dataset("", "x", "x", rows * [1, 0, 0], ("a", "b", "c"))
    assert np.isnan(offset_shares(nothing, 2)[1])
