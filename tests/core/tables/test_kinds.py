"""A table gives the same cells and rows from every kind of file, and an odd row only its own."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

from dpca_core.data.recipe import Category, Number, Recipe
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.files import Upload
from tests.core.tables.text_tables import cells, rows_of
from tests.core.tables.workbook_files import ods, ods_row, saved

pytestmark = pytest.mark.usefixtures("at_once")
RECIPE = Recipe(
    (Number("AGE", 0, 100),),
    (Category("SEX", ("f", "m")), Category("CODE", ("0", "1", "2"))),
    radius=2.0,
    bounds_are_public=True,
)


def people(count=30):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "AGE": rng.normal(50, 15, count).round(1),
            "SEX": rng.choice(["f", "m", "x, Jr."], count),
            "CODE": rng.integers(0, 3, count).astype(float),
        }
    )
    frame.loc[5, "AGE"] = frame.loc[9, "CODE"] = np.nan
    frame.loc[11, "SEX"] = None
    return frame


def as_csv(frame, path):
    frame.astype({"CODE": "Int64"}).to_csv(path, index=False)


def as_ods(frame, path):
    filled = ([[1] if pd.isna(cell) else cell for cell in row] for row in frame.to_numpy())
    rows = [ods_row(*row) for row in (frame.columns, *filled)]
    path.write_bytes(ods(*rows).content)


WRITERS = {
    "csv": as_csv,
    "csv.gz": as_csv,
    "parquet": pd.DataFrame.to_parquet,
    "xlsx": partial(pd.DataFrame.to_excel, index=False),
    "XLSX": partial(pd.DataFrame.to_excel, index=False, engine="xlsxwriter"),
    "ods": as_ods,
    "sav": pyreadstat.write_sav,
    "zsav": partial(pyreadstat.write_sav, compress=True),
    "por": pyreadstat.write_por,
    "dta": pyreadstat.write_dta,
    "xpt": pyreadstat.write_xport,
}
FRAMES = {
    "frame": lambda frame: frame,
    "of objects": lambda frame: frame.astype(object),
    "of Arrow": lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
    "Arrow": pa.Table.from_pandas,
}


@pytest.mark.parametrize("kind", [*WRITERS, *FRAMES])
def test_cells_and_rows_are_the_same_from_every_kind(kind, tmp_path):
    frame, path = people(), tmp_path / f"t.{kind}"
    if kind in WRITERS:
        WRITERS[kind](frame, path)
    given = path if kind in WRITERS else FRAMES[kind](frame)
    uploads = [Upload(path.name, path.read_bytes())] if kind in WRITERS else []
    age, sex, code = ([None if pd.isna(v) else v for v in frame[name]] for name in frame)
    labels = [None if v is None else str(int(v)) for v in code]
    for one in (given, *uploads):
        found = cells(one, ["AGE", "CODE"])
        assert [[v and float(v) for v in column] for column in found.values()] == [age, code]
        found = cells(one, [], ["SEX", "CODE"])
        assert [[v or None for v in column] for column in found.values()] == [sex, labels]
        assert np.array_equal(rows_of(one, RECIPE), rows_of(frame, RECIPE))


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
    alone, filled = rows_of(frame, recipe), frame.astype(object).where(frame.notna(), None)
    for place in (0, 7, 20):
        rows = filled.to_numpy().tolist()
        found = rows_of(saved(frame.columns, *rows[:place], odd, *rows[place:]), recipe)
        assert np.array_equal(np.delete(found, place, axis=0), alone)


@pytest.mark.parametrize("odd", ["text", True, 10**400, None, 1.5])
def test_an_odd_value_of_a_data_frame_changes_no_other(odd):
    frame = people(20)
    for name in frame.columns:
        changed = frame.astype({name: object})
        changed.loc[20] = [50.0, "f", 1.0]
        changed.at[20, name] = odd
        assert np.array_equal(rows_of(changed, RECIPE)[:20], rows_of(frame, RECIPE))
