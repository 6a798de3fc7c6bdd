"""REDCap's data dictionary: field types, choices, limits, identifiers, both sets of headings."""

import csv
import io

import pytest

from dpca_core.codebooks.codebook import Codebook, CodebookEntry, EntryUse
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.recipe import Source

DOWNLOADED = (
    "Variable / Field Name", "Form Name", "Section Header", "Field Type", "Field Label",
    "Choices, Calculations, OR Slider Labels", "Field Note",
    "Text Validation Type OR Show Slider Number", "Text Validation Min", "Text Validation Max",
    "Identifier?", "Branching Logic (Show field only if...)", "Required Field?",
    "Custom Alignment", "Question Number (surveys only)", "Matrix Group Name", "Matrix Ranking?",
    "Field Annotation",
)  # fmt: skip
OF_PROGRAMS = (
    "field_name", "form_name", "section_header", "field_type", "field_label",
    "select_choices_or_calculations", "field_note", "text_validation_type_or_show_slider_number",
    "text_validation_min", "text_validation_max", "identifier", "branching_logic",
    "required_field", "custom_alignment", "question_number", "matrix_group_name",
    "matrix_ranking", "field_annotation",
)  # fmt: skip
PLACES = (0, 3, 5, 7, 8, 9, 10)
"""Of name, type, choices, validation, minimum, maximum and identifier."""


def line(*told: str, empty: str = "") -> list[str]:
    cells = [empty] * len(DOWNLOADED)
    for place, text in zip(PLACES, told, strict=False):
        cells[place] = text or empty
    return cells


def dictionary(*lines: list[str], header: tuple[str, ...] = DOWNLOADED) -> Codebook:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([header, line("record_id", "text"), *lines])
    return read_codebook("dictionary.csv", text.getvalue().encode("utf-8-sig"))


def only(*told: str) -> CodebookEntry:
    return dictionary(line(*told)).entries[1]


def test_the_first_field_is_proposed_as_the_person():
    found = dictionary(line("age", "text", "", "integer", "18", "99"))
    assert found.person == ("record_id",)
    assert found.entries[1] == CodebookEntry(
        "age", EntryUse.NUMBER, "18", high="99", source=Source.CODEBOOK
    )
    assert found.problems == ()


@pytest.mark.parametrize("kind", ["radio", "dropdown"])
def test_choices_are_their_codes(kind: str):
    entry = only("smoker", kind, "0, Never | 1, Former, quit | 2, Current |-9,Refused")
    assert entry.use is EntryUse.CATEGORY
    assert entry.values == ("0", "1", "2", "-9")


def test_a_checkbox_is_a_column_for_each_choice():
    found = dictionary(line("race", "checkbox", "1, A | B2, B | -1, C"))
    names = ["race___1", "race___b2", "race____1"]
    assert [e.name for e in found.entries[1:]] == names
    assert {e.values for e in found.entries[1:]} == {("0", "1")}


@pytest.mark.parametrize("kind", ["yesno", "truefalse"])
def test_yes_and_no_are_1_and_0(kind: str):
    assert only("died", kind).values == ("0", "1")


def test_a_slider_goes_from_0_to_100_unless_it_says_otherwise():
    assert (only("pain", "slider").low, only("pain", "slider").high) == ("0", "100")
    entry = only("pain", "slider", "none | some | much", "number", "-1", "101")
    assert (entry.low, entry.high) == ("-1", "101")


@pytest.mark.parametrize("kind", ["number", "integer", "number_1dp", "number_comma_decimal"])
def test_numbers(kind: str):
    entry = only("height", "text", "", kind, "0", "3")
    assert (entry.use, entry.low, entry.high) == (EntryUse.NUMBER, "0", "3")
    assert entry.decimal == ("," if kind == "number_comma_decimal" else "")


def test_a_limit_in_either_notation_where_cells_have_decimal_commas():
    assert only("h", "text", "", "number_2dp_comma_decimal", "0,5", "2.5").high == "2.5"
    assert only("h", "text", "", "number_2dp_comma_decimal", "0,5", "2.5").low == "0.5"


def test_a_limit_that_could_be_thousands_is_left_empty():
    assert only("h", "text", "", "number_comma_decimal", "0", "10.000").high == ""
    assert only("h", "text", "", "number_comma_decimal", "0", "10.000,5").high == "10000.5"


def test_a_calculated_field_is_a_number_without_a_range():
    entry = only("bmi", "calc", "round([weight]/[height],1)")
    assert (entry.use, entry.low, entry.source) == (EntryUse.NUMBER, "", None)


def test_limits_that_are_formulas_are_left_out_and_said():
    found = dictionary(line("weight", "text", "", "number", "[height]", "200"))
    assert found.entries[1].low == ""
    assert found.problems == ("weight: [height] is not a number, left empty",)


@pytest.mark.parametrize(
    "kind",
    ["date_ymd", "datetime_seconds_dmy", "time", "email", "phone", "zipcode", "mrn_10d", "ssn"],
)
def test_what_is_no_quantity_is_left_out(kind: str):
    assert only("x", "text", "", kind, "2020-01-01", "today").use is EntryUse.OUT


@pytest.mark.parametrize("kind", ["notes", "file", "sql"])
def test_fields_that_never_hold_numbers_are_left_out(kind: str):
    assert only("x", kind).use is EntryUse.OUT


def test_an_identifier_is_left_out_whatever_it_is():
    assert only("zip_age", "text", "", "integer", "0", "99", "y").use is EntryUse.OUT


def test_text_without_a_validation_says_nothing():
    assert only("free", "text") == CodebookEntry("free")


def test_descriptive_text_is_no_column():
    assert len(dictionary(line("intro", "descriptive")).entries) == 1


def test_headings_of_the_interface_for_programs_with_na_in_empty_cells():
    found = dictionary(
        line("height", "text", "", "number", "130", "215", empty="NA"),
        line("sex", "radio", "0, F | 1, M", empty="NA"),
        header=OF_PROGRAMS,
    )
    assert [e.use for e in found.entries[1:]] == [EntryUse.NUMBER, EntryUse.CATEGORY]
    assert found.problems == ()
