"""Values of a category in one line, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.data.recipe import Recipe
from ui.owner.codebook_merge import merge_codebook
from ui.owner.columns_content import table_content
from ui.owner.columns_side import coded_columns
from ui.owner.decide_answers import answers_of
from ui.owner.draft import EVERY_ROW, Draft, Who
from ui.owner.edits import Merged
from ui.owner.saved_draft import codebook_of_draft
from ui.owner.value_lists import join_values, split_categories, split_values


@given(st.lists(st.text(alphabet='ab;" x,', max_size=5).map(str.strip)))
def test_joined_values_are_split_into_the_same(values: list[str]) -> None:
    assert list(split_values(join_values(values))) == values
    assert list(split_categories(join_values(values))) == values


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
    ],
)
def test_values_stand_between_semicolons(text: str, values: tuple[str, ...]) -> None:
    assert split_values(text) == values


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
    ],
)
def test_commas_stand_between_categories_where_no_semicolon_does(
    text: str, values: tuple[str, ...]
) -> None:
    assert split_categories(text) == values


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
