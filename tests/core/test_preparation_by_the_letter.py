"""Preparation against a naive reference: typical values, codes, persons, length; rows and sums."""

from dataclasses import replace
from io import BytesIO
from itertools import product

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Missing,
    MissingPerson,
    Number,
    Reading,
    Recipe,
    RowLength,
)
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from dpca_core.streaming.mergeable_sums import merge
from dpca_core.streaming.second_moment import second_moment
from dpca_core.streaming.summed_dataset import data_set
from tests.references.prepared_rows import prepared

AGE = Number("age", 0, 100, typical=40.0, missing=("999", "-1"))
PRESSURE = Number("pressure", 60, 220, typical=60.0)
WIDE = Number("wide", -2.5, 7.5)
SEX = Category("sex", ("f", "m", "x"), missing=("9",))
SITE = Category("site", ("north", "south"))
RECIPE = Recipe((AGE, PRESSURE, WIDE), (SEX, SITE), bounds_are_public=True)
PERSONS = {
    "each row": {},
    "averaged": {"person": ("who",)},
    "two columns": {"person": ("who", "clinic")},
    "case ignored": {"person": ("who",), "ids_ignore_case": True},
    "own": {"person": ("who",), "missing_person": MissingPerson.OWN},
    "at most 2": {"person": ("who",), "combine": Combine.AT_MOST, "most": 2},
}
LENGTHS = {
    "of length 1": {"row_length": RowLength.ONE, "category_coding": CategoryCoding.CENTRED},
    "at most R": {"category_coding": CategoryCoding.CENTRED},
    "shortened": {"radius": 0.8},
}


def table(seed: int, rows: int = 60) -> list[dict[str, object]]:
    """Rows with everything in them: missing cells and IDs, codes, values far outside."""
    rng = np.random.default_rng(seed)

    def one() -> dict[str, object]:
        return {
            "age": rng.choice([None, 999, -1, 1e9, *rng.integers(-20, 130, 6)]),
            "pressure": rng.choice([None, *rng.normal(120, 60, 6).round(1)]),
            "wide": rng.choice([None, -1e300, *rng.normal(2, 5, 6).round(2)]),
            "sex": rng.choice(np.array([None, "9", "f", "m", "x", "other"], dtype=object)),
            "site": rng.choice(np.array([None, "north", "south"], dtype=object)),
            "who": rng.choice(np.array([None, "", "P1", "p1 ", "p 1", "q", "r", "s"], object)),
            "clinic": rng.choice(np.array([None, "1", "2", "01"], dtype=object)),
        }

    return [one() for _ in range(rows)]


def csv(rows: list[dict[str, object]]) -> Upload:
    lines = [",".join("" if v is None else str(v) for v in row.values()) for row in rows]
    return Upload("t.csv", "\n".join([",".join(rows[0]), *lines, ""]).encode())


def same(found: np.ndarray, expected: np.ndarray) -> bool:
    """The same rows; those of persons without an ID may come later."""
    order = [np.lexsort(part.round(9).T) for part in (found, expected)]
    return found.shape == expected.shape and np.allclose(
        found[order[0]], expected[order[1]], atol=1e-12
    )


@pytest.mark.parametrize(("who", "length"), list(product(PERSONS, LENGTHS)))
def test_rows_are_those_of_the_reference(who, length):
    for seed, missing in product(range(2), Missing):
        recipe = replace(RECIPE, missing=missing, **PERSONS[who], **LENGTHS[length])
        rows = table(seed)
        expected = prepared(rows, recipe)
        for given in (csv(rows), pd.DataFrame(rows).convert_dtypes()):
            assert same(prepare(given, recipe, "t").rows, expected), (seed, missing)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("missing", Missing)
def test_sums_are_those_of_the_rows(length, missing):
    recipe = replace(RECIPE, missing=missing, **LENGTHS[length])
    rows = table(7, 500)
    whole = prepare(csv(rows), recipe, "t")
    for size in (1, 37, 1000):
        found = second_moment(csv(rows), recipe, chunk_rows=size, sample=20)
        assert np.allclose(found.moment, whole.moment, atol=1e-10)
        assert found.rows == len(whole.rows)
        assert np.allclose(data_set(found, "t").reference, whole.reference, atol=1e-10)
    parts = [second_moment(csv(part), recipe, sample=9) for part in (rows[:123], rows[123:])]
    assert np.allclose(merge(*parts).moment, whole.moment, atol=1e-10)
    assert np.allclose(data_set(merge(*parts), "t").reference, whole.reference, atol=1e-10)


HOSTILE = (
    "1e308,1e308,-1e308,f,north,P1,1",
    "999,999,999,9,9,999,999",
    ",,,,,,",
    'x,y,z,é,"q,P1',
    "5e-324,60,2.5,,,P1,1",
    "nan,inf,-inf,nan,inf,nan,inf",
)


@pytest.mark.parametrize("who", ["each row", "averaged", "two columns", "case ignored", "own"])
def test_a_hostile_row_changes_no_other(who):
    recipe = replace(RECIPE, **PERSONS[who], **LENGTHS["of length 1"])
    rows = [row | {"who": f"person {i % 25}", "clinic": "1"} for i, row in enumerate(table(3))]
    base = prepare(csv(rows), recipe, "t", Reading.TOTAL).rows
    for line in HOSTILE:
        content = csv(rows).content + line.encode() + b"\n"
        found = prepare(Upload("t.csv", content), recipe, "t", Reading.TOTAL).rows
        assert np.array_equal(found[: len(base)], base), line
        assert len(base) <= len(found) <= len(base) + 1


def test_one_wild_value_of_a_person_counts_as_the_end_of_the_range():
    rows = [
        {"age": age, "pressure": pressure, "wide": 2.5, "who": who}
        for age, pressure, who in ((1e300, 60, "p"), (40, 60, "p"), (10, 80, "q"))
    ]
    found = prepare(csv(rows), replace(RECIPE, person=("who",), categories=()), "t")
    assert found.rows[0] * np.sqrt(3) == pytest.approx([0.5, 0.0, 0.0])


def test_a_number_may_carry_its_unit_and_a_code_of_letters():
    ldl = Number("ldl", 0, 10, unit="%", missing=("refused", "99"))
    recipe = Recipe((ldl, Number("sbp", 0, 200, unit="mmHg")), bounds_are_public=True)
    content = b"ldl,sbp\n7.5 %,150\n2.5,50 mmHg\nrefused,100mmHg\n99 %,200\n"
    expected = np.array([[0.5, 0.5], [-0.5, -0.5], [0, 0], [0, 1]]) / np.sqrt(2)
    frame = pd.read_csv(BytesIO(content), dtype=str)
    for given in (Upload("t.csv", content), frame):
        assert prepare(given, recipe, "t").rows == pytest.approx(expected)
    with pytest.raises(ValueError, match="not a number"):
        prepare(Upload("t.csv", content.replace(b"refused", b"unwell")), recipe, "t")
    with pytest.raises(ValueError, match="does not hold numbers"):
        prepare(frame.replace("refused", "unwell"), recipe, "t")


def test_pairs_of_columns_never_run_together():
    rows = [{"a": i, "b": 2 * i, "p": p, "q": q} for i, (p, q) in enumerate(ALIKE)]
    recipe = Recipe((Number("a", 0, 9), Number("b", 0, 9)), person=("p", "q"))
    assert prepare(csv(rows), recipe, "t").people == len(ALIKE)


ALIKE = (("a", "b c"), ("a b", "c"), ("a'", "b"), ("a", "'b"), ("ab", "c"), ("a", "bc"))
