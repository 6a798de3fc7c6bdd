"""How a file is read: questions asked once, and what their answers lead to."""

import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.readers.file_access import Upload
from dpca_core.readers.table import read_table
from ui.owner.reading import (
    AS_WESTERN,
    ENCODING,
    HEADER,
    NAMES_COLUMNS,
    NOT_WESTERN,
    ROW_ALREADY,
    first_format,
)

GERMAN = "Größe;Gewicht\n171;70,5\n180;80,25\n".encode("cp1252")
ROWS = b"39, State-gov, 77516\n50, Private, 83311\n38, Private, 215646\n"


def test_a_plain_file_is_asked_nothing():
    assert first_format(Upload("t.csv", b"a;b\n1,5;2\n"), {}) == TextFileFormat(";", ",")
    assert first_format(Upload("t.csv", b"a,b\n1.5,2\n"), {}) == TextFileFormat()


def test_another_encoding_is_asked_with_the_line_as_it_would_read():
    question = first_format(Upload("t.csv", GERMAN), {})
    assert question.key == ENCODING
    assert question.example == "Größe;Gewicht"
    assert question.answers[0] == AS_WESTERN
    form = first_format(Upload("t.csv", GERMAN), {ENCODING: AS_WESTERN})
    assert form == TextFileFormat(";", ",", encoding="cp1252")
    assert [*read_table("t.csv", GERMAN, form).columns] == ["Größe", "Gewicht"]


def test_whoever_says_no_is_told_what_to_do():
    with pytest.raises(TableError, match="save it as “CSV UTF-8”"):
        first_format(Upload("t.csv", GERMAN), {ENCODING: NOT_WESTERN})


def test_a_missing_header_is_asked_and_columns_are_named():
    question = first_format(Upload("t.csv", ROWS), {})
    assert question.key == HEADER
    assert "c1…c3" in question.sentence
    form = first_format(Upload("t.csv", ROWS), {HEADER: ROW_ALREADY})
    assert form.unnamed == 3
    table = read_table("t.csv", ROWS, form)
    assert [*table.columns] == ["c1", "c2", "c3"]
    assert table["c1"].tolist() == [39, 50, 38]
    assert first_format(Upload("t.csv", ROWS), {HEADER: NAMES_COLUMNS}) == TextFileFormat()


def test_one_question_comes_after_the_other():
    content = "39;Köln;1\n40;Bonn;2\n".encode("cp1252")
    asked, answers = [], {}
    while not isinstance(found := first_format(Upload("t.csv", content), answers), TextFileFormat):
        asked.append(found.key)
        answers[found.key] = found.answers[0]
    assert asked == [ENCODING, HEADER]
    assert found == TextFileFormat(";", encoding="cp1252", unnamed=3)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04abc", b"\n\n", "a;b\n1;2".encode("utf-16")])
def test_what_is_no_table_is_refused_in_one_sentence(content):
    with pytest.raises(TableError) as error:
        first_format(Upload("t.csv", content), {})
    assert str(error.value).endswith(".")
