"""What is typed of a column is read as its file writes it: numbers, lists, codes, ranges."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.codebooks import Codebook, CodebookEntry, EntryUse
from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import EITHER, TextFileFormat, parsed
from dpca_core.tables.files import Upload, open_table
from dpca_core.tables.rows import read_numbers
from ui.owner.codebook_merge import merge_codebook
from ui.owner.columns_table import table_content
from ui.owner.draft import EVERY_ROW, FOUND, Draft, Who
from ui.owner.edits import Merged
from ui.owner.fill_from_file import fill_from_file
from ui.owner.typed_values import (
    POINT,
    join_values,
    list_read_otherwise,
    list_written_as,
    parsed_number,
    split_values,
    written_as,
)

GERMAN = TextFileFormat(";", ",", ".")
COMMA = TextFileFormat(";", ",", "")
ENGLISH = TextFileFormat(",", ".", ",")
BOTH = TextFileFormat(decimal=EITHER)
FORMATS = {"German": GERMAN, "comma": COMMA, "English": ENGLISH, "point": POINT, "either": BOTH}


@pytest.mark.parametrize(
    ("text", "form", "number"),
    [
        ("10.000", GERMAN, 10_000),
        ("10.000", POINT, 10),
        ("2,5", POINT, None),
        ("2,500", GERMAN, 2.5),
        ("2,500", ENGLISH, 2_500),
        ("1.234.567,5", GERMAN, 1_234_567.5),
        ("\u22121.234", GERMAN, -1_234),
        ("1.23.456", GERMAN, None),
        ("10 000", TextFileFormat(";", ",", " "), 10_000),
    ],
)
def test_a_number_is_read_as_its_file_writes_it(text, form, number):
    assert parsed_number(text, form) == number


@given(
    st.floats(allow_nan=False, allow_infinity=False, width=32) | st.integers(-(10**7), 10**7),
    st.sampled_from([*FORMATS.values()]),
    st.sampled_from([*FORMATS.values()]),
)
def test_a_number_written_as_in_another_file_stays_the_same(number, before, form):
    text = written_as(f"{number:.15g}", POINT, before)
    assert parsed_number(text, before) == float(f"{number:.15g}")
    again = written_as(text, before, form)
    assert parsed_number(again, form) == parsed_number(text, before)


def german(**typed: str) -> Draft:
    draft = Draft(("id", "income", "rate"), who=Who(("id",), FOUND), reading=GERMAN)
    rate = {"use": "number", "low": "0", "high": "2,5"}
    return draft.merge({"income": {"use": "number", **typed}, "rate": rate})


def numbers(draft: Draft) -> dict[str, tuple[float, float | None, float]]:
    return {n.name: (n.low, n.typical, n.high) for n in draft.recipe().numbers}


def row_of(draft: Draft, name: str) -> dict[str, Any]:
    rows = table_content(draft, (), Merged())["rows"]
    return next(dict(row) for row in rows if row["name"] == name)


TYPED = german(low="1.000", typical="2.500", high="10.000")
READ = {"income": (1_000, 2_500, 10_000), "rate": (0, None, 2.5)}


def test_a_range_in_a_german_file_is_a_german_one_and_said_beside_it() -> None:
    assert numbers(TYPED) == READ
    assert TYPED.column("income")["high"].text == "10.000"
    said = row_of(TYPED.merge({"rate": {"missing": "98,99, 10.000"}}), "income")
    assert said["state"] == "ready"
    assert said["message"].startswith("1.000 is read as 1000; 2.500 is read as 2500; 10.000 is")
    assert row_of(TYPED, "rate")["message"] == ""
    coded = row_of(TYPED.merge({"rate": {"missing": "98,99, 10.000"}}), "rate")
    assert "98,99, 10.000 is read as 98,99; 10.000: put ; between" in coded["message"]
    points = replace(german(low="1", high="10.000"), reading=POINT)
    assert row_of(points, "income")["message"] == "10.000 is read as 10"


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
def test_another_way_to_read_the_file_changes_no_number(form: TextFileFormat) -> None:
    other = TYPED.read_as(form)
    assert other.reading == form
    assert numbers(other) == READ
    assert numbers(other.read_as(GERMAN)) == READ


def test_a_codebook_has_decimal_points_and_its_cells_are_written_as_the_file_is() -> None:
    entries = (
        CodebookEntry("income", EntryUse.NUMBER, "1000", "1500.5", "10000"),
        CodebookEntry("rate", EntryUse.NUMBER, "1.125", high="2.5"),
    )
    draft = Draft(("id", "income", "rate"), who=Who(("id",), FOUND), reading=GERMAN)
    merged = merge_codebook(draft, Codebook(entries))[0]
    assert numbers(merged) == {"income": (1_000, 1_500.5, 10_000), "rate": (1.125, None, 2.5)}
    assert merged.column("rate")["low"].text == "1,125"
    assert merged.column("rate")["low"].origin is Source.CODEBOOK
    again, said = merge_codebook(TYPED, Codebook((replace(entries[0], typical="2500"),)))
    assert "differs" not in said
    assert again.column("income")["high"].text == "10.000"


def test_cells_filled_from_the_file_are_written_as_the_file_is() -> None:
    table = pd.DataFrame({"id": [1, 2], "income": [1_000.0, 9_000.0], "rate": [1.125, 1.375]})
    empty = german(low="", high="").merge({"rate": {"low": "", "high": ""}})
    filled = fill_from_file(empty, table)
    low, _, high = numbers(filled)["rate"]
    assert low <= 1.125 < 1.375 <= high < 10
    assert numbers(filled)["income"][2] < 100_000


def drafted(missing: str, form: TextFileFormat, low: str = "-10", high: str = "2000") -> Draft:
    number = {"use": "number", "low": low, "high": high}
    draft = Draft(("a", "b"), who=Who((), EVERY_ROW), reading=form)
    return draft.merge({"a": {**number, "missing": missing}, "b": number})


def codes_of(draft: Draft) -> tuple[str, ...]:
    return draft.recipe().numbers[0].missing


@pytest.mark.parametrize("after", FORMATS)
@pytest.mark.parametrize("before", FORMATS)
def test_codes_stay_the_same_numbers_when_the_file_is_read_otherwise(before, after):
    written = {"German": "99,9; -9,5; 1.234", "comma": "99,9; -9,5; 1234"}
    typed = written.get(before, "99.9; -9.5; 1234")
    draft = drafted(typed, FORMATS[before]).read_as(FORMATS[after])
    found = [parsed(code, FORMATS[after]) for code in codes_of(draft)]
    assert found == [99.9, -9.5, 1234]


def test_real_values_of_a_german_file_are_no_missing_ones() -> None:
    recipe = drafted("99.9; -9.5", POINT).read_as(GERMAN).recipe()
    content = b"a;b\n999;1\n99,9;1\n-95;1\n-9,5;1\n5;1\n"
    table = open_table(Upload("x.csv", content), GERMAN)
    (batch,) = table.batches([recipe.numbers[0].name], [])
    found = read_numbers(batch.columns[recipe.numbers[0].name], recipe.numbers[0], GERMAN)
    found[np.isinf(found)] = np.nan
    np.testing.assert_array_equal(found, [999, np.nan, -95, np.nan, 5])


@given(
    st.lists(st.text(alphabet='a;" 12,-', max_size=5).map(str.strip)),
    st.sampled_from([POINT, GERMAN, BOTH]),
)
def test_joined_values_are_split_into_the_same(values: list[str], form: TextFileFormat) -> None:
    assert list(split_values(join_values(values, form), form)) == values


@given(st.text(alphabet='a;" 12,', max_size=9), st.permutations([POINT, GERMAN, BOTH]))
def test_a_list_in_another_file_is_of_the_same_values(typed, forms):
    before, after = forms[:2]
    written = list_written_as(typed, before, after, numbers=False)
    assert split_values(written, after) == split_values(typed, before)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("yes;no;yes", ("yes", "no", "yes")),
        ('"a; b"; c', ("a; b", "c")),
        ('"open; x', ('"open', "x")),
        ('a, "b;c", "d;"', ("a", "b;c", "d;")),
        ('"Surgery, general", ICU', ("Surgery, general", "ICU")),
        ("M, F;", ("M, F",)),
    ],
)
def test_values_stand_between_semicolons_or_else_between_commas(text, values):
    for form in (POINT, GERMAN, BOTH):
        assert split_values(text, form) == values


@pytest.mark.parametrize(
    ("text", "values", "said"),
    [
        ("0,5, 1,5", ("0,5", "1,5"), "0,5, 1,5 is read as 0,5; 1,5: put ; between values"),
        ("-9,5,99,9 , a", ("-9,5,99,9", "a"), "is read as -9,5,99,9; a: put ; between values"),
        ("99,9", ("99,9",), "99,9 is read as 99,9: put ; between values"),
        ('"0,5", a', ("0,5", "a"), ""),
    ],
)
def test_a_decimal_comma_stands_in_a_number(text: str, values: tuple[str, ...], said: str) -> None:
    for form in (GERMAN, BOTH):
        assert split_values(text, form) == values
        assert list_read_otherwise(text, form).endswith(said)
        assert bool(list_read_otherwise(text, form)) == bool(said)
    assert list_read_otherwise(text, POINT) == ""
