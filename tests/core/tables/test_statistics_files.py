"""Files of SPSS, Stata and SAS: missing values, labels and dates from the file's own dictionary."""

from datetime import date, datetime

import pandas as pd
import pyreadstat
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.files import Upload, first_rows, open_table
from dpca_core.tables.table import Labels
from tests.core.tables.text_tables import cells

FORM = TextFileFormat()
pytestmark = pytest.mark.usefixtures("at_once")
FRAME = pd.DataFrame(
    {"mood": [1.0, 2.0, 9.0, None], "name": ["x", "zé", "", "y"], "score": [1.5, 2.0, 1e6, -3.0]}
)


def saved(path, frame=FRAME, **options):
    write = pyreadstat.write_sav if path.suffix == ".sav" else pyreadstat.write_dta
    write(frame, str(path), **options)
    return path


def test_labels_and_missing_values_of_spss_are_shown_and_missing_is_missing(tmp_path):
    values = {1: "never", 2: "often", 9: "refused"}
    path = saved(
        tmp_path / "t.sav",
        column_labels={"mood": "How often?"},
        variable_value_labels={"mood": values, "name": {"x": "an ex"}},
        missing_ranges={"mood": [9], "score": [{"lo": 1000, "hi": 1e7}]},
    )
    assert cells(path, ["mood", "score"]) == {
        "mood": [1.0, 2.0, None, None],
        "score": [1.5, 2.0, None, -3.0],
    }
    assert open_table(path, FORM).labels == {
        "mood": Labels("How often?", tuple((str(v), values[v]) for v in values), ("9",)),
        "name": Labels("", (("x", "an ex"),)),
        "score": Labels("", (), ("1000 to 10000000",)),
    }


def test_categories_of_pandas_in_a_stata_file_are_codes_with_labels(tmp_path):
    frame = pd.DataFrame({"often": pd.Categorical(["never", "often", "never"])})
    frame.to_stata(tmp_path / "t.dta", write_index=False)
    assert cells(tmp_path / "t.dta", [], ["often"])["often"] == ["0", "1", "0"]
    expected = {"often": Labels("", (("0", "never"), ("1", "often")))}
    assert open_table(tmp_path / "t.dta", FORM).labels == expected


def test_a_long_list_of_values_is_not_offered(tmp_path):
    for count in (50, 51):
        labels = {"mood": {i: f"label {i}" for i in range(count)}}
        path = saved(tmp_path / "t.sav", variable_value_labels=labels)
        assert bool(open_table(path, FORM).labels) == (count == 50)


@pytest.mark.parametrize("ending", [".sav", ".dta"])
def test_dates_are_refused_by_the_dictionary_and_shown_as_texts(ending, tmp_path):
    frame = FRAME.assign(
        day=[date(2020, 1, 2)] * 4, when=[datetime(2020, 1, 2, 3, 4)] * 3 + [pd.NaT]
    )
    path = saved(tmp_path / f"t{ending}", frame)
    for name in ("day", "when"):
        with pytest.raises(TableError, match=f"“{name}” of t{ending} holds values of type date"):
            open_table(path, FORM).batches([name], [])
    shown = first_rows(path, FORM, 3)
    assert shown["day"].tolist() == ["2020-01-02"] * 3
    assert shown["when"].tolist() == ["2020-01-02 03:04:00"] * 3
    assert shown["mood"].tolist() == [1.0, 2.0, 9.0]


def test_a_byte_that_is_no_letter_changes_its_own_cell_alone(tmp_path):
    content = saved(tmp_path / "t.sav").read_bytes()
    for letters, expected in (("zé".encode(), "zé"), (b"z\xff\xfe", "z\ufffd\ufffd")):
        given = Upload("t.sav", content.replace("zé".encode(), letters))
        assert cells(given, [], ["name"])["name"] == ["x", expected, None, "y"]


@pytest.mark.parametrize("ending", [".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"])
def test_a_file_that_is_none_is_refused_in_a_sentence(ending):
    for content in (b"x" * 500, b"$FL2" + b"\xff" * 500):
        with pytest.raises(TableError, match=f"t{ending} cannot be read as a {ending} file"):
            open_table(Upload(f"t{ending}", content), FORM)
