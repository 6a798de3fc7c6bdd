"""Files of SPSS, Stata and SAS: types, missing values and labels from the file's own dictionary."""

from datetime import date, datetime
from itertools import chain

import pandas as pd
import pyreadstat
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables import statistics_files
from dpca_core.tables.files import Upload, first_rows, open_table
from dpca_core.tables.table import Labels
from tests.core.tables.reading import cells

FORM = TextFileFormat()
pytestmark = pytest.mark.usefixtures("at_once")
FRAME = pd.DataFrame(
    {"mood": [1.0, 2.0, 9.0, None], "name": ["x", "zé", "", "y"], "score": [1.5, 2.0, 1e6, -3.0]}
)
HOW_OFTEN = {1: "never", 2: "often", 9: "refused"}
WRITERS = {
    ".sav": pyreadstat.write_sav,
    ".zsav": lambda frame, path: pyreadstat.write_sav(frame, path, compress=True),
    ".dta": pyreadstat.write_dta,
    ".xpt": pyreadstat.write_xport,
}


def saved(path, frame=FRAME, **options):
    WRITERS[path.suffix](frame, str(path), **options)
    return path


@pytest.mark.parametrize("ending", WRITERS)
def test_numbers_and_texts_are_read(ending, tmp_path):
    path = saved(tmp_path / f"t{ending}")
    numbers = {"mood": [1.0, 2.0, 9.0, None], "score": [1.5, 2.0, 1e6, -3.0]}
    texts = {"mood": ["1", "2", "9", None], "score": ["1.5", "2", "1000000", "-3"]}
    assert cells(path, [*numbers], ["name"]) == {**numbers, "name": ["x", "zé", None, "y"]}
    assert cells(path, [], [*texts]) == texts


def test_a_portable_file_of_spss_is_read(tmp_path):
    pyreadstat.write_por(FRAME[["mood", "score"]], str(tmp_path / "t.por"))
    assert cells(tmp_path / "t.por", ["MOOD"])["MOOD"] == [1.0, 2.0, 9.0, None]


def test_labels_and_missing_values_of_spss_are_shown_and_missing_is_missing(tmp_path):
    path = saved(
        tmp_path / "t.sav",
        column_labels={"mood": "How often?"},
        variable_value_labels={"mood": HOW_OFTEN, "name": {"x": "an ex"}},
        missing_ranges={"mood": [9], "score": [{"lo": 1000, "hi": 1e7}]},
    )
    assert cells(path, ["mood", "score"]) == {
        "mood": [1.0, 2.0, None, None],
        "score": [1.5, 2.0, None, -3.0],
    }
    values = (("1", "never"), ("2", "often"), ("9", "refused"))
    assert open_table(path, FORM).labels == {
        "mood": Labels("How often?", values, ("9",)),
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
    table = open_table(path, FORM)
    for name in ("day", "when"):
        with pytest.raises(TableError, match=f"“{name}” of t{ending} holds values of type date"):
            table.batches([name], [])
    shown = first_rows(path, FORM, 3)
    assert shown["day"].tolist() == ["2020-01-02"] * 3
    assert shown["when"].tolist() == ["2020-01-02 03:04:00"] * 3
    assert shown["mood"].tolist() == [1.0, 2.0, 9.0]


def test_a_byte_that_is_no_letter_changes_its_own_cell_alone(tmp_path):
    path = saved(tmp_path / "t.sav")
    content = path.read_bytes().replace("zé".encode(), b"z\xff\xfe")
    assert cells(Upload("t.sav", content), [], ["name"])["name"] == [
        "x",
        "z\ufffd\ufffd",
        None,
        "y",
    ]


@pytest.mark.parametrize("ending", WRITERS)
def test_a_file_is_read_a_part_at_a_time(ending, tmp_path, monkeypatch):
    frame = pd.DataFrame({"a": [float(i) for i in range(25)], "b": ["x"] * 25})
    with saved(tmp_path / f"t{ending}", frame).open("rb") as file:
        for most_rows in (5, 7, 25, 30):
            monkeypatch.setattr(statistics_files, "_MOST_ROWS", most_rows)
            _, batches = statistics_files.statistics_batches(
                file, name="t", ending=ending, places=[0], most=0
            )
            parts = [batch.column("a").to_pylist() for batch in batches]
            assert max(map(len, parts)) <= most_rows
            assert list(chain(*parts)) == list(range(25))


@pytest.mark.parametrize("ending", [*WRITERS, ".por", ".sas7bdat"])
def test_a_file_that_is_none_is_refused_in_a_sentence(ending, tmp_path):
    for content in (b"x" * 500, b"$FL2" + b"\xff" * 500):
        with pytest.raises(TableError, match=f"t{ending} cannot be read as a {ending} file"):
            open_table(Upload(f"t{ending}", content), FORM)
