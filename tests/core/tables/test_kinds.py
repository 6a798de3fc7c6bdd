"""A table gives the same cells and rows from every kind of file; an odd cell changes its own alone.

Each value of a file that has types is read by itself, by a fixed rule, whatever its column holds.
"""

import io
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Category, Number, Recipe
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables import table as typed_table
from dpca_core.tables import workbooks
from dpca_core.tables.files import Upload, open_table
from dpca_core.tables.table import Labels
from tests.core.tables.text_tables import cells, rows_of
from tests.core.tables.workbook_files import AB, ods, ods_row, saved, xlsx

pytestmark = pytest.mark.usefixtures("at_once")
FORM, GERMAN = TextFileFormat(), TextFileFormat(decimal=",", delimiter=";")
SEX, CODE = Category("SEX", ("f", "m")), Category("CODE", ("0", "1", "2"))
RECIPE = Recipe((Number("AGE", 0, 100),), (SEX, CODE))


def people(count):
    rng = np.random.default_rng(0)
    columns = {
        "AGE": rng.normal(50, 15, count).round(1),
        "SEX": rng.choice(["f", "m", "x, Jr."], count),
        "CODE": rng.integers(0, 3, count).astype(float),
    }
    frame = pd.DataFrame(columns)
    frame.loc[5, "AGE"] = frame.loc[9, "CODE"] = np.nan
    frame.loc[11, "SEX"] = None
    return frame


def as_csv(frame, path):
    frame.astype({"CODE": "Int64"}).to_csv(path, index=False)


def as_ods(frame, path):
    filled = ([[1] if pd.isna(cell) else cell for cell in row] for row in frame.to_numpy())
    path.write_bytes(ods(*(ods_row(*row) for row in (frame.columns, *filled))).content)


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
    frame, path = people(30), tmp_path / f"t.{kind}"
    if kind in WRITERS:
        WRITERS[kind](frame, path)
        both = path, Upload(path.name, path.read_bytes())
    age, sex, code = ([None if pd.isna(v) else v for v in frame[name]] for name in frame)
    labels = [None if v is None else str(int(v)) for v in code]
    for given in both if kind in WRITERS else [FRAMES[kind](frame)]:
        found = cells(given, ["AGE", "CODE"])
        assert [[v and float(v) for v in column] for column in found.values()] == [age, code]
        found = cells(given, [], ["SEX", "CODE"])
        assert [[v or None for v in column] for column in found.values()] == [sex, labels]
        assert np.array_equal(rows_of(given, RECIPE), rows_of(frame, RECIPE))


ODD_ROWS = (
    *(["n/a", "f", 1], ["1,5", 7, "2"], [True, "=1/0", 1e300], [None, None, "x" * 40_000]),
    [20, "f", 1, "beside"],
)
ODD_VALUES = ("text", True, 10**400, None, 1.5)


def test_what_is_odd_in_a_workbook_or_a_frame_changes_no_other_row():
    """It may make texts of columns of numbers: the numbers in them are read as before."""
    frame = people(20)
    recipes = (RECIPE, replace(RECIPE, number_format=GERMAN))
    filled = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    for odd, recipe in ((odd, recipe) for odd in ODD_ROWS for recipe in recipes):
        for place in (0, 7, 20):
            given = saved(frame.columns, *filled[:place], odd, *filled[place:])
            others = np.delete(rows_of(given, recipe), place, axis=0)
            assert np.array_equal(others, rows_of(frame, recipe)), odd
    for odd, name in ((odd, name) for odd in ODD_VALUES for name in frame.columns):
        changed = frame.astype({name: object})
        changed.loc[20] = [50.0, "f", 1.0]
        changed.at[20, name] = odd
        assert np.array_equal(rows_of(changed, RECIPE)[:20], rows_of(frame, RECIPE)), odd
    # Pandas makes floats of whole numbers, and objects of booleans, beside a missing value.
    for values in ([1, 2], [True, False], ["x", "y"], [1.5, 2.0]):
        alone, beside = (pd.DataFrame({"a": [*values, *more]}) for more in ((), [None]))
        for columns in ((["a"], []), ([], ["a"])):
            assert cells(beside, *columns)["a"][:2] == cells(alone, *columns)["a"]


# --- Parquet files, Arrow tables and data frames ---

TEXT = ["x", None, " y", "", "NA"]
COLUMNS = {
    "whole": (pa.array([1, None, 3, 4, 5], pa.int32()), [1.0, None, 3.0, 4.0, 5.0]),
    "real": (pa.array([1.0, 2.5, None, None, 1e30]), [1.0, 2.5, None, None, 1e30]),
    "price": (pa.array([Decimal("1.50"), None] * 2 + [Decimal(2)]), [1.5, None, 1.5, None, 2.0]),
    "text": (pa.array(TEXT), TEXT),
    "view": (pa.array(TEXT, pa.string_view()), TEXT),
    "flag": (pa.array([True, None, False, True, True]), ["True", None, "False", "True", "True"]),
    "kinds": (pa.array(["p", None, *"qpp"]).dictionary_encode(), ["p", None, *"qpp"]),
}
LABELS = {"whole": ["1", None, "3", "4", "5"], "real": ["1", "2.5", None, None, "1e+30"]}


def sources(columns):
    """A table of these Arrow columns in each form that keeps their types."""
    table, out = pa.table(columns), io.BytesIO()
    pq.write_table(table, out)
    return [table, Upload("t.parquet", out.getvalue()), table.to_pandas(types_mapper=pd.ArrowDtype)]


def test_numbers_and_texts_are_the_same_in_every_source_that_has_types(monkeypatch):
    monkeypatch.setattr(typed_table, "_ROWS", 2)
    expected, names = {name: values for name, (_, values) in COLUMNS.items()}, [*COLUMNS]
    for given in sources({name: column for name, (column, _) in COLUMNS.items()}):
        assert cells(given, names[:3], names[3:]) == expected
        assert cells(given, [], LABELS) == LABELS
        assert open_table(given, FORM).first_rows(3)["whole"].tolist() == [1, pd.NA, 3]


def test_in_a_column_of_objects_each_value_is_read_by_itself():
    odd = [np.longdouble(1) / 3, Decimal("1.5"), pd.Timedelta("1s"), [1], None, pd.NA, np.nan, b"x"]
    values = ["x", True, 1, 2.0, 1.5, 10**400, 1e300, float("inf"), "\ud800", 10**17 + 1, *odd]
    frame = pd.DataFrame({"a": pd.Series(values, dtype=object)})
    texts = ["x", "True", "1", "2", "1.5", None, "1e+300", None, "?", f"{10**17 + 1}"]
    assert cells(frame, [], ["a"])["a"] == [*texts, *[None] * len(odd)]
    assert cells(frame, ["a"], form=GERMAN)["a"][:5] == [None, None, 1, 2, 1.5]
    for kinds in (["x", "y"], [1, 2], [1.0, 2.5], ["x", 1]):
        frame = pd.DataFrame({"a": pd.Categorical([*kinds, None])})
        texts = [str(v).removesuffix(".0") for v in kinds]
        assert cells(frame, [], ["a"])["a"] == [*texts, None]
    half = pd.DataFrame({"a": pd.array(["x", None, "\ud800"], "string[python]")})
    assert cells(half, [], ["a"]) == {"a": ["x", None, "?"]}
    infinite = pd.DataFrame({"a": [1.0, float("inf"), -float("inf")]})
    assert cells(infinite, [], ["a"]) == {"a": ["1", None, None]}


REFUSED = {"when": pa.array([date(2020, 1, 1)]), "list": pa.array([[1]]), "raw": pa.array([b"x"])}
FRAME_TYPES = [
    *(np.array([1.5], np.longdouble), np.array([1j]), pd.interval_range(0, 1)),
    *(pd.to_datetime(["2020-01-01"]), pd.to_timedelta(["1s"]), pd.period_range("2020", periods=1)),
]


def test_other_types_are_refused_by_the_schema_alone():
    """They are shown as texts even so: in tests/hostile/files.py."""
    price = pa.table({"price": [Decimal("1.5")]})
    wanted = [(table, name) for table in sources(REFUSED)[:2] for name in REFUSED]
    wanted += [(price, "price"), *((pd.DataFrame({"a": column}), "a") for column in FRAME_TYPES)]
    for given, name in wanted:
        assert len(open_table(given, FORM).first_rows(5000)) == 1
        for columns in (([name], []), ([], [name]))[given is price :]:
            with pytest.raises(TableError, match=f"The column “{name}” .* leave the column out"):
                open_table(given, FORM).batches(*columns)


def test_what_others_wrote_about_fields_refuses_nothing():
    fields = [
        pa.field("AGE", pa.float64(), metadata={"type": "quantitative"}),
        pa.field("CODE", pa.string(), metadata={"type": b"\xff"}),
    ]
    table, out = pa.table([[1.0], ["0"]], schema=pa.schema(fields)), io.BytesIO()
    pq.write_table(table, out)
    for given in (table, Upload("t.parquet", out.getvalue())):
        assert cells(given, ["AGE"], ["CODE"]) == {"AGE": [1.0], "CODE": ["0"]}


def test_a_text_that_many_rows_share_is_not_written_out_for_each():
    """Written out this file of 4 kB takes 3 GB, which no Arrow array of texts holds."""
    ages = pa.DictionaryArray.from_arrays(pa.array([0] * 2**16), pa.array(["0" * 50_000 + "7"]))
    out = io.BytesIO()
    pq.write_table(pa.table({"AGE": ages, "SEX": ["f"] * len(ages)}), out)
    found = rows_of(Upload("t.parquet", out.getvalue()), Recipe((Number("AGE", 0, 14),), (SEX,)))
    assert len(found) == len(ages)
    assert not found[:, 0].any()


# --- Workbooks ---

TEXTS = {
    **{"text": "text", "1": 1, "2.5": 2.5, "1e+21": 1e21, "TRUE": True, "FALSE": False},
    **{"2020-01-02": date(2020, 1, 2), "2020-01-02 03:04:05": datetime(2020, 1, 2, 3, 4, 5)},
    **{"03:04:00": time(3, 4), "1 day, 6:00:00": timedelta(hours=30)},
}


def wrong_rows(given):
    return [row for batch in open_table(given, FORM).batches(["a"], []) for row in batch.wrong]


def test_each_kind_of_cell_has_a_fixed_text_and_one_that_is_a_code_is_missing():
    given = saved("ab", *([value, 1] for value in (*TEXTS.values(), "=1/0", "#N/A")))
    assert cells(given, [], ["a"])["a"] == [*TEXTS, None, None]
    given, form = saved("ab", [1.5, "999"], [True, 7]), TextFileFormat(missing=("999", "1.50"))
    assert cells(given, ["b"], ["a"], form=form) == {"a": ["1.5", "TRUE"], "b": [None, 7.0]}


@pytest.mark.parametrize("size", [1, 7, 64, workbooks._AT_A_TIME])
def test_what_has_no_value_is_missing_with_errors_of_any_age(size, monkeypatch):
    """Excel's own newer errors are unknown to the reader, which refuses a whole file for them."""
    monkeypatch.setattr(workbooks, "_AT_A_TIME", size)
    errors = ["#DIV/0!", "#N/A", "#SPILL!", "#CALC!", "#GETTING_DATA"]
    odd = [*(f'"e"><v>{error}</v>' for error in errors), '"n"><f>B9</f>', '"n"><v>NaN</v>']
    odd.append('"str"><v>say t="e" here</v>')
    rows = "".join(
        f'<row r="{row}"><c r="A{row}" t={cell}</c><c r="B{row}"><v>{row}</v></c></row>'
        for row, cell in enumerate(odd, 3)
    )
    expected = {"a": ["1", *[None] * 7, 'say t="e" here'], "b": [2.0, *map(float, range(3, 11))]}
    assert cells(xlsx(AB + rows), ["b"], ["a"]) == expected


def test_rows_with_a_stray_cell_are_missing_and_no_other_row_moves():
    rows = [[None, None, row, row + 1, None, row + 3] for row in range(30)]
    rows[3][0], rows[5], rows[7][2] = "left", [*rows[5], *[None] * 40, "right"], "not a number"
    given = saved([], [None, None, "a", "b", None, "d"], *rows, *([],) * 900, [None] * 3 + [7])
    assert open_table(given, FORM).columns == ("column 1", "column 2", "a", "b", "column 5", "d")
    assert wrong_rows(given) == [5]
    assert cells(given, ["b"], ["column 1"]) == {
        "b": [*(None if row == 5 else row + 1 for row in range(30)), 7],
        "column 1": ["left" if row == 3 else None for row in range(31)],
    }
    given = ods(
        *(ods_row([16384], times=2), ods_row("a", "b", [16382]), ods_row(1, "x", times=3)),
        *(ods_row([2], times=1000), ods_row(2.5, [30], "far"), ods_row(4, "&lt;p&gt;", [16382])),
        ods_row([16384], times=1_047_000),
    )
    assert cells(given, ["a"], ["b"]) == {"a": [1, 1, 1, None, 4], "b": [*"xxx", None, "<p>"]}
    assert wrong_rows(given) == [3]


def test_rows_above_the_header_are_skipped_and_a_sheet_can_be_chosen():
    other = [["Title"], [None, "x", "y", "z", "!"], ["a", "b"], [1, "p"], [2, "q"]]
    given, read = saved("c", [7], second=other), {"a": [1.0, 2.0], "b": ["p", "q"]}
    assert cells(given, ["a"], ["b"], form=TextFileFormat(skip=2, sheet="Second")) == read
    form = TextFileFormat(skip=3, sheet="Second", unnamed=2)
    assert cells(given, ["c1"], ["c2"], form=form) == {"c1": read["a"], "c2": read["b"]}
    assert cells(given, ["c"]) == {"c": [7.0]}
    assert open_table(given, FORM).sheets == ("Sheet", "Second")
    with pytest.raises(TableError, match="no sheet “Third”; it has Sheet, Second"):
        open_table(given, TextFileFormat(sheet="Third"))


DAMAGED = "cannot be read as a (workbook: it may be damaged, or be text|table; it may)"
NONE = [
    ("larger than a workbook may be", xlsx(AB, **{"xl/worksheets/sheet2.xml": "0" * 2**24})),
    ("2,001 columns; the limit is 2,000", xlsx(f"<row>{'<c><v>1</v></c>' * 2001}</row>")),
    ("has no row that names columns", xlsx('<row r="1"><c r="A1" t="str"><v> </v></c></row>')),
    ("is empty: its sheet", xlsx("")),
    (DAMAGED, Upload("t.xlsx", b"PK\x03\x04" + b"x" * 99)),
    (DAMAGED, Upload("t.xls", b"\xd0\xcf\x11\xe0" + b"x" * 999)),
    (DAMAGED, xlsx(AB, **{"xl/workbook.xml": "<workbook/>"})),
    (DAMAGED, xlsx(AB + '<row r="3"><c r="A3" t="s"><v>7</v></c></row>')),
    (DAMAGED, Upload("t.xlsx", xlsx(AB).content[:-40])),
    (DAMAGED, Upload("t.xls", b"a\tb\n1\t2\n")),
    (DAMAGED, Upload("t.ods", b"<html><table><tr><td>a</td></tr></table></html>")),
    *(
        (f"t{ending} cannot be read as a {ending} file", Upload(f"t{ending}", content))
        for ending in (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt")
        for content in (b"x" * 500, b"$FL2" + b"\xff" * 500)
    ),
]


def test_a_file_that_is_none_or_beyond_its_bounds_is_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr(workbooks, "MOST_UNPACKED", 2**23)
    for says, given in NONE:
        with pytest.raises(TableError, match=says):
            open_table(given, FORM)


# --- Files of statistics programs: missing values, labels and dates are in their dictionary ---

SCORES = pd.DataFrame(
    {"mood": [1.0, 2.0, 9.0, None], "name": ["x", "zé", "", "y"], "score": [1.5, 2.0, 1e6, -3.0]}
)


def test_labels_and_missing_values_of_spss_are_shown_and_missing_is_missing(tmp_path):
    path = tmp_path / "t.sav"
    pyreadstat.write_sav(
        SCORES,
        str(path),
        column_labels={"mood": "How often?"},
        variable_value_labels={"mood": {1: "never", 9: "refused"}, "name": {"x": "an ex"}},
        missing_ranges={"mood": [9], "score": [{"lo": 1000, "hi": 1e7}]},
    )
    mood, score = [1.0, 2.0, None, None], [1.5, 2.0, None, -3.0]
    assert cells(path, ["mood", "score"]) == {"mood": mood, "score": score}
    assert open_table(path, FORM).labels == {
        "mood": Labels("How often?", (("1", "never"), ("9", "refused")), ("9",)),
        "name": Labels("", (("x", "an ex"),)),
        "score": Labels("", (), ("1000 to 10000000",)),
    }
    for letters, expected in (("zé".encode(), "zé"), (b"z\xff\xfe", "z\ufffd\ufffd")):
        given = Upload("t.sav", path.read_bytes().replace("zé".encode(), letters))
        assert cells(given, [], ["name"])["name"] == ["x", expected, None, "y"]


@pytest.mark.parametrize("write", [pyreadstat.write_sav, pyreadstat.write_dta])
def test_dates_are_refused_by_the_dictionary_and_shown_as_texts(write, tmp_path):
    path = tmp_path / f"t.{write.__name__[-3:]}"
    dates = {"day": [date(2020, 1, 2)] * 4, "when": [datetime(2020, 1, 2, 3, 4)] * 3 + [pd.NaT]}
    write(SCORES.assign(**dates), str(path))
    table = open_table(path, FORM)
    for name in ("day", "when"):
        with pytest.raises(TableError, match=f"“{name}” of {path.name} holds values of type date"):
            table.batches([name], [])
    shown = {name: [*column] for name, column in table.first_rows(3).items()}
    assert shown["day"] == ["2020-01-02"] * 3
    assert shown["when"] == ["2020-01-02 03:04:00"] * 3
    assert shown["mood"] == [1.0, 2.0, 9.0]
