"""Values of a category in one line, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.owner.value_lists import join_values, split_values


@given(st.lists(st.text(alphabet='ab;" x,', max_size=5).map(str.strip)))
def test_joined_values_are_split_into_the_same(values: list[str]) -> None:
    assert list(split_values(join_values(values))) == values


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
