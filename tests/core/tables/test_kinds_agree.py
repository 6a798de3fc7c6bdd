"""A table gives the same rows from every kind of file, and an odd row changes its own alone."""

import io
from dataclasses import replace

import numpy as np
import openpyxl
import pandas as pd
import pyreadstat
import pytest

from dpca_core.data.recipe import Category, Number, Recipe
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.files import Upload, open_table
from dpca_core.tables.rows import unit_rows

pytestmark = pytest.mark.usefixtures("at_once")
RECIPE = Recipe(
    (Number("age", 0, 100),),
    (Category("sex", ("f", "m")), Category("code", ("0", "1", "2"))),
    radius=2.0,
    bounds_are_public=True,
)
KINDS = ("frame", "objects", "csv", "parquet", "xlsx", "sav", "dta")


def people(count=300):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.normal(50, 15, count).round(1),
            "sex": rng.choice(["f", "m"], count),
            "code": rng.integers(0, 3, count).astype(float),
        }
    )
    frame.loc[5, "age"] = frame.loc[9, "code"] = np.nan
    frame.loc[11, "sex"] = None
    return frame


def given(kind, frame, folder):
    """Return a table in a kind of file, as its own library writes it."""
    if kind in ("frame", "objects"):
        return frame.astype(object) if kind == "objects" else frame
    path = folder / f"t.{kind}"
    {
        "csv": lambda: frame.astype({"code": "Int64"}).to_csv(path, index=False),
        "parquet": lambda: frame.to_parquet(path),
        "xlsx": lambda: frame.to_excel(path, index=False),
        "sav": lambda: pyreadstat.write_sav(frame, str(path)),
        "dta": lambda: frame.to_stata(path, write_index=False),
    }[kind]()
    return path


def rows(table, recipe=RECIPE):
    return np.concatenate(list(unit_rows(open_table(table, recipe.number_format), recipe)))


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_the_same_from_every_kind(kind, tmp_path):
    assert np.array_equal(rows(given(kind, people(), tmp_path)), rows(people()))


ODD = (
    *(["n/a", "f", 1], ["1,5", 7, "2"], [True, "=1/0", 1e300], [None, None, "x" * 40_000]),
    [20, "f", 1, "beside"],
)


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: str(odd)[:20])
def test_an_odd_row_of_a_workbook_changes_no_other(odd, decimal):
    """It may make texts of columns of numbers: the numbers in them are read as before."""
    recipe = replace(RECIPE, number_format=TextFileFormat(decimal=decimal, delimiter=";"))
    frame = people(20)
    alone = rows(frame, recipe)
    for place in (0, 7, 20):
        out, book = io.BytesIO(), openpyxl.Workbook()
        cells = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
        for row in (list(frame.columns), *cells[:place], odd, *cells[place:]):
            book.active.append(row)
        book.save(out)
        found = rows(Upload("t.xlsx", out.getvalue()), recipe)
        assert np.array_equal(np.delete(found, place, axis=0), alone)


@pytest.mark.parametrize("odd", ["text", True, 10**400, None, 1.5])
def test_an_odd_value_of_a_data_frame_changes_no_other(odd):
    frame = people(20)
    for name in frame.columns:
        changed = frame.astype({name: object})
        changed.loc[20] = [50.0, "f", 1.0]
        changed.at[20, name] = odd
        assert np.array_equal(rows(changed)[:20], rows(frame))
