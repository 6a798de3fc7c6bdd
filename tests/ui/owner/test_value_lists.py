"""Values of a category in one line, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.data.recipe import Recipe
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from ui.owner.codebook_merge import merge_codebook
from ui.owner.columns_content import table_content
from ui.owner.columns_side import coded_columns
from ui.owner.decide_answers import answers_of
from ui.owner.draft import EVERY_ROW, Draft, Who
from ui.owner.edits import Merged
from ui.owner.saved_draft import codebook_of_draft
from ui.owner.typed_numbers import POINT
from ui.owner.value_lists import join_values, list_read_otherwise, list_written_as, split_values

GERMAN = TextFileFormat(";", ",", ".")
EITHER_MARK = TextFileFormat(decimal=EITHER)


@given(
    st.lists(st.text(alphabet='a;" 12,-', max_size=5).map(str.strip)),
    st.sampled_from([POINT, GERMAN, EITHER_MARK]),
)
def test_joined_values_are_split_into_the_same(values: list[str], form: TextFileFormat) -> None:
    assert list(split_values(join_values(values, form), form)) == values


@given(st.text(alphabet='a;" 12,', max_size=9), st.permutations([POINT, GERMAN, EITHER_MARK]))
def test_a_list_in_another_file_is_of_the_same_values(
    typed: str, forms: list[TextFileFormat]
) -> None:
    before, after = forms[:2]
    written = list_written_as(typed, before, after, numbers=False)
    assert split_values(written, after) == split_values(typed, before)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", ()),
        (" ; ;", ()),
        ("F; M", ("F", "M")),
        ("yes;no;yes", ("yes", "no", "yes")),
        ('"a; b"; c', ("a; b", "c")),
        ('"";x', ("", "x")),
        ('a "b" c; d', ('a "b" c', "d")),
        ('"open; x', ('"open', "x")),
        ('"a;b", c', ("a;b", "c")),
        ('"a;b"', ("a;b",)),
        ('a, "b;c", "d;"', ("a", "b;c", "d;")),
        ("0,5; 1,5", ("0,5", "1,5")),
    ],
)
@pytest.mark.parametrize("form", [POINT, GERMAN, EITHER_MARK])
def test_values_stand_between_semicolons(
    text: str, values: tuple[str, ...], form: TextFileFormat
) -> None:
    assert split_values(text, form) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("M, F", ("M", "F")),
        ("Cardiology, Surgery, ICU", ("Cardiology", "Surgery", "ICU")),
        ('"Surgery, general", ICU', ("Surgery, general", "ICU")),
        ("Surgery, general; ICU", ("Surgery, general", "ICU")),
        ("M, F;", ("M, F",)),
        (", ,", ()),
        ("", ()),
        ("yes", ("yes",)),
        ("98, 99", ("98", "99")),
        ("1,2,3", ("1", "2", "3")),
    ],
)
@pytest.mark.parametrize("form", [POINT, GERMAN, EITHER_MARK])
def test_commas_stand_between_values_where_no_semicolon_does(
    text: str, values: tuple[str, ...], form: TextFileFormat
) -> None:
    assert split_values(text, form) == values


@pytest.mark.parametrize(
    ("text", "values", "said"),
    [
        ("0,5, 1,5", ("0,5", "1,5"), "0,5, 1,5 is read as 2 values: 0,5; 1,5"),
        ("-9,5,99,9 , a", ("-9", "5", "99", "9", "a"),
         "-9,5,99,9 , a is read as 5 values: -9; 5; 99; 9; …"),
        ("99,9", ("99,9",), "99,9 is read as one value (put ; between two)"),
        ("98, 99", ("98", "99"), ""),
        ("0,5; 1,5", ("0,5", "1,5"), ""),
        ('"0,5", a', ("0,5", "a"), ""),
    ],
)  # fmt: skip
def test_a_decimal_comma_stands_in_a_number(text: str, values: tuple[str, ...], said: str) -> None:
    for form in (GERMAN, EITHER_MARK):
        assert split_values(text, form) == values
        assert list_read_otherwise(text, form) == said
    assert list_read_otherwise(text, POINT) == ""


def test_categories_with_commas_are_a_recipe() -> None:
    draft = Draft(("sex", "ward"), who=Who((), EVERY_ROW))
    wards = {"use": "category", "values": "Cardiology, Surgery, ICU"}
    draft = draft.merge({"sex": {"use": "category", "values": "M, F"}, "ward": wards})
    recipe = draft.recipe()
    assert isinstance(recipe, Recipe)
    assert [c.values for c in recipe.categories] == [("M", "F"), ("Cardiology", "Surgery", "ICU")]
    assert answers_of(draft).columns == coded_columns(draft) == 5
    codebook = codebook_of_draft(draft)
    assert codebook.entries[0].values == ("M", "F")
    merged = merge_codebook(draft, codebook)
    assert merged.differing == ()


def test_the_cell_of_a_list_says_how_values_are_separated() -> None:
    content = table_content(Draft(("sex",)), (), Merged())
    assert content["placeholders"] == {"values": "such as F; M or F, M"}
