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


def test_labels_and_missing_values_of_spss_are_shown_and_missing_is_missing(tmp_path):
    pyreadstat.write_sav(
        FRAME,
        str(tmp_path / "t.sav"),
        column_labels={"mood": "How often?"},
        variable_value_labels={"mood": {1: "never", 9: "refused"}, "name": {"x": "an ex"}},
        missing_ranges={"mood": [9], "score": [{"lo": 1000, "hi": 1e7}]},
    )
    mood, score = [1.0, 2.0, None, None], [1.5, 2.0, None, -3.0]
    assert cells(tmp_path / "t.sav", ["mood", "score"]) == {"mood": mood, "score": score}
    assert open_table(tmp_path / "t.sav", FORM).labels == {
        "mood": Labels("How often?", (("1", "never"), ("9", "refused")), ("9",)),
        "name": Labels("", (("x", "an ex"),)),
        "score": Labels("", (), ("1000 to 10000000",)),
    }


def test_categories_in_a_stata_file_are_codes_with_labels_but_for_a_long_list(tmp_path):
    for count in (50, 51):
        often = pd.Categorical([f"label {i:02}" for i in range(count)])
        pd.DataFrame({"often": often}).to_stata(tmp_path / "t.dta", write_index=False)
        codes = [str(i) for i in range(count)]
        labels = tuple(zip(codes, often, strict=True))
        assert cells(tmp_path / "t.dta", [], ["often"])["often"] == codes
        found = open_table(tmp_path / "t.dta", FORM).labels
        assert found == ({"often": Labels("", labels)} if count == 50 else {})


@pytest.mark.parametrize("write", [pyreadstat.write_sav, pyreadstat.write_dta])
def test_dates_are_refused_by_the_dictionary_and_shown_as_texts(write, tmp_path):
    path = tmp_path / f"t.{write.__name__[-3:]}"
    dates = {"day": [date(2020, 1, 2)] * 4, "when": [datetime(2020, 1, 2, 3, 4)] * 3 + [pd.NaT]}
    write(FRAME.assign(**dates), str(path))
    for name in ("day", "when"):
        with pytest.raises(TableError, match=f"“{name}” of {path.name} holds values of type date"):
            open_table(path, FORM).batches([name], [])
    shown = first_rows(path, FORM, 3)
    assert shown["day"].tolist() == ["2020-01-02"] * 3
    assert shown["when"].tolist() == ["2020-01-02 03:04:00"] * 3
    assert shown["mood"].tolist() == [1.0, 2.0, 9.0]


def test_a_byte_that_is_no_letter_changes_its_own_cell_alone(tmp_path):
    pyreadstat.write_sav(FRAME, str(tmp_path / "t.sav"))
    content = (tmp_path / "t.sav").read_bytes()
    for letters, expected in (("zé".encode(), "zé"), (b"z\xff\xfe", "z\ufffd\ufffd")):
        given = Upload("t.sav", content.replace("zé".encode(), letters))
        assert cells(given, [], ["name"])["name"] == ["x", expected, None, "y"]


@pytest.mark.parametrize("ending", [".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"])
def test_a_file_that_is_none_is_refused_in_a_sentence(ending):
    for content in (b"x" * 500, b"$FL2" + b"\xff" * 500):
        with pytest.raises(TableError, match=f"t{ending} cannot be read as a {ending} file"):
            open_table(Upload(f"t{ending}", content), FORM)
