"""REDCap's data dictionary: field types, choices, limits, identifiers, both sets of headings."""

import csv
import io

import pytest

from dpca_core.codebooks.codebook import Codebook, CodebookEntry, EntryUse
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.recipe import Source

DOWNLOADED = (
    "Variable / Field Name|Form Name|Section Header|Field Type|Field Label|"
    "Choices, Calculations, OR Slider Labels|Field Note|"
    "Text Validation Type OR Show Slider Number|Text Validation Min|Text Validation Max|"
    "Identifier?|Branching Logic (Show field only if...)|Required Field?|Custom Alignment|"
    "Question Number (surveys only)|Matrix Group Name|Matrix Ranking?|Field Annotation"
)
OF_PROGRAMS = (
    "field_name|form_name|section_header|field_type|field_label|select_choices_or_calculations|"
    "field_note|text_validation_type_or_show_slider_number|text_validation_min|"
    "text_validation_max|identifier|branching_logic|required_field|custom_alignment|"
    "question_number|matrix_group_name|matrix_ranking|field_annotation"
)
PLACES = (0, 3, 5, 7, 8, 9, 10)
"""Of name, type, choices, validation, minimum, maximum and identifier."""


def dictionary(*fields: tuple[str, ...], header: str = DOWNLOADED, empty: str = "") -> Codebook:
    lines = [header.split("|")]
    for told in (("record_id", "text"), *fields):
        cells = [empty] * len(lines[0])
        for place, text in zip(PLACES, told, strict=False):
            cells[place] = text or empty
        lines.append(cells)
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(lines)
    return read_codebook("dictionary.csv", text.getvalue().encode("utf-8-sig"))


def only(*told: str) -> CodebookEntry:
    return dictionary(told).entries[1]


def test_the_first_field_is_proposed_as_the_person():
    found = dictionary(("age", "text", "", "integer", "18", "99"))
    assert found.person == ("record_id",)
    expected = CodebookEntry("age", EntryUse.NUMBER, "18", high="99", source=Source.CODEBOOK)
    assert (found.entries[1], found.problems) == (expected, ())


@pytest.mark.parametrize(
    ("kind", "choices", "values"),
    [
        ("radio", "0, Never | 1, Former, quit | 2, Current |-9,Refused", ("0", "1", "2", "-9")),
        ("dropdown", "0, Never | 1, Former, quit", ("0", "1")),
        ("yesno", "", ("0", "1")),
    ],
)
def test_choices_are_their_codes(kind: str, choices: str, values: tuple[str, ...]):
    entry = only("smoker", kind, choices)
    assert (entry.use, entry.values) == (EntryUse.CATEGORY, values)


def test_a_checkbox_is_a_column_for_each_choice():
    found = dictionary(("race", "checkbox", "1, A | B2, B | -1, C"))
    assert [e.name for e in found.entries[1:]] == ["race___1", "race___b2", "race____1"]
    assert {e.values for e in found.entries[1:]} == {("0", "1")}


@pytest.mark.parametrize(
    ("told", "low", "high", "decimal"),
    [
        (("slider",), "0", "100", ""),
        (("slider", "none | some | much", "number", "-1", "101"), "-1", "101", ""),
        (("text", "", "number", "0", "3"), "0", "3", ""),
        (("text", "", "number_2dp_comma_decimal", "0,5", "2.5"), "0.5", "2.5", ","),
        (("text", "", "number_comma_decimal", "0", "10.000"), "0", "", ","),
        (("text", "", "number_comma_decimal", "0", "10.000,5"), "0", "10000.5", ","),
        (("calc", "round([weight]/[height],1)"), "", "", ""),
    ],
)
def test_numbers_and_their_limits_in_either_notation(told, low, high, decimal):
    """A limit that could be one of thousands is left empty."""
    entry = only("h", *told)
    assert (entry.use, entry.low, entry.high) == (EntryUse.NUMBER, low, high)
    assert entry.decimal == decimal


def test_limits_that_are_formulas_are_left_out_and_said():
    found = dictionary(("weight", "text", "", "number", "[height]", "200"))
    assert found.entries[1].low == ""
    assert found.problems == ("weight: [height] is not a number, left empty",)


@pytest.mark.parametrize(
    "kind",
    ["date_ymd", "datetime_seconds_dmy", "time", "email", "phone", "zipcode", "mrn_10d", "ssn"],
)
def test_what_is_no_quantity_is_left_out(kind: str):
    assert only("x", "text", "", kind, "2020-01-01", "today").use is EntryUse.OUT


def test_what_holds_no_numbers_or_names_a_person_is_left_out():
    assert {only("x", kind).use for kind in ("notes", "file", "sql")} == {EntryUse.OUT}
    assert only("zip_age", "text", "", "integer", "0", "99", "y").use is EntryUse.OUT
    assert only("free", "text") == CodebookEntry("free")
    assert len(dictionary(("intro", "descriptive")).entries) == 1


def test_headings_of_the_interface_for_programs_with_na_in_empty_cells():
    fields = [("height", "text", "", "number", "130", "215"), ("sex", "radio", "0, F | 1, M")]
    found = dictionary(*fields, header=OF_PROGRAMS, empty="NA")
    assert [e.use for e in found.entries[1:]] == [EntryUse.NUMBER, EntryUse.CATEGORY]
    assert found.problems == ()
