"""Numbers typed as the file writes them: 10.000 is ten thousand in a file with decimal commas."""

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.codebooks.codebook import Codebook, CodebookEntry, EntryUse
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.recipe import Recipe, Source
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from tests.ui.owner.uploads import draft_of, opened
from ui.owner.codebook_merge import merge_codebook
from ui.owner.columns_content import table_content
from ui.owner.draft import FOUND, Draft, Who
from ui.owner.edits import Merged
from ui.owner.fill_from_file import fill_from_file
from ui.owner.read_as import read_as
from ui.owner.saved_draft import read_choices, saved_choices
from ui.owner.typed_numbers import POINT, parsed_number, read_otherwise, written_as

GERMAN = TextFileFormat(";", ",", ".")
COMMA = TextFileFormat(";", ",", "")
ENGLISH = TextFileFormat(",", ".", ",")
BOTH = TextFileFormat(decimal=EITHER)
FORMATS = {"German": GERMAN, "comma": COMMA, "English": ENGLISH, "point": POINT, "either": BOTH}
TABLE = "id;income;rate\n" + "".join(f"{i % 40};{i % 9 + 1}.{i:03d};0,{i}\n" for i in range(90))


@pytest.mark.parametrize(
    ("text", "form", "number"),
    [
        ("10.000", GERMAN, 10_000),
        ("10.000", COMMA, 10_000),
        ("10.000", POINT, 10),
        ("10.000", ENGLISH, 10),
        ("10.000", BOTH, 10),
        ("2,5", GERMAN, 2.5),
        ("2,5", BOTH, 2.5),
        ("2,5", POINT, None),
        ("2,5", ENGLISH, None),
        ("2,500", GERMAN, 2.5),
        ("2,500", ENGLISH, 2_500),
        ("2,500", POINT, None),
        ("1.234.567,5", GERMAN, 1_234_567.5),
        ("1,234,567.5", ENGLISH, 1_234_567.5),
        ("\u22121.234", GERMAN, -1_234),
        ("0.125", GERMAN, 0.125),
        ("10.5", GERMAN, 10.5),
        ("1234.567", GERMAN, 1_234.567),
        ("1.23.456", GERMAN, None),
        ("1.234,5,6", GERMAN, None),
        ("1e3", GERMAN, 1_000),
        ("2,5e3", GERMAN, 2_500),
        ("10 000", TextFileFormat(";", ",", " "), 10_000),
        ("10'000.5", TextFileFormat(thousands="'"), 10_000.5),
        ("ten", GERMAN, None),
        ("", GERMAN, None),
    ],
)
def test_a_number_is_read_as_its_file_writes_it(
    text: str, form: TextFileFormat, number: float | None
) -> None:
    assert parsed_number(text, form) == number


@given(
    st.floats(allow_nan=False, allow_infinity=False, width=32) | st.integers(-(10**7), 10**7),
    st.sampled_from([*FORMATS.values()]),
    st.sampled_from([*FORMATS.values()]),
)
def test_a_number_written_as_in_another_file_stays_the_same(
    number: float, before: TextFileFormat, form: TextFileFormat
) -> None:
    text = written_as(f"{number:.15g}", POINT, before)
    assert parsed_number(text, before) == float(f"{number:.15g}")
    again = written_as(text, before, form)
    assert parsed_number(again, form) == parsed_number(text, before)


@pytest.mark.parametrize(
    ("text", "form", "said"),
    [
        ("10.000", GERMAN, "10.000 is read as 10000"),
        ("2,500", GERMAN, "2,500 is read as 2.5"),
        ("10.000", POINT, "10.000 is read as 10"),
        ("10,000", ENGLISH, "10,000 is read as 10000"),
        ("2,5", GERMAN, ""),
        ("0.125", POINT, ""),
        ("1.234", POINT, ""),
        ("900", GERMAN, ""),
        ("1.2.3", GERMAN, ""),
    ],
)
def test_what_may_be_read_in_two_ways_is_said(text: str, form: TextFileFormat, said: str) -> None:
    assert read_otherwise(text, form) == said


def german(**typed: str) -> Draft:
    """Return a draft of a German file in which a range was typed."""
    draft = Draft(("id", "income", "rate"), who=Who(("id",), FOUND), reading=GERMAN)
    rate = {"use": "number", "low": "0", "high": "2,5"}
    return draft.merge({"income": {"use": "number", **typed}, "rate": rate})


def numbers(draft: Draft) -> dict[str, tuple[float, float | None, float]]:
    """Return low, typical and high of each number of a draft's recipe."""
    recipe = draft.recipe()
    assert isinstance(recipe, Recipe), recipe
    return {n.name: (n.low, n.typical, n.high) for n in recipe.numbers}


def row_of(draft: Draft, name: str) -> dict[str, Any]:
    """Return what the table of columns shows of one."""
    rows = table_content(draft, (), Merged())["rows"]
    return next(dict(row) for row in rows if row["name"] == name)


TYPED = german(low="1.000", typical="2.500", high="10.000")
READ = {"income": (1_000, 2_500, 10_000), "rate": (0, None, 2.5)}


def test_a_range_in_a_german_file_is_a_german_one() -> None:
    assert numbers(TYPED) == READ
    assert TYPED.column("income").high.text == "10.000"
    said = row_of(TYPED, "income")
    assert said["state"] == "ready"
    assert said["message"].startswith("1.000 is read as 1000; 2.500 is read as 2500; 10.000 is")
    assert row_of(TYPED, "rate")["message"] == ""


def test_in_a_file_with_points_a_point_stays_one_and_is_said() -> None:
    draft = replace(german(low="1", high="10.000"), reading=POINT)
    draft = draft.merge({"rate": {"high": "2.5"}})
    assert numbers(draft)["income"] == (1, None, 10)
    assert row_of(draft, "income")["message"] == "10.000 is read as 10"


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
def test_another_way_to_read_the_file_changes_no_number(form: TextFileFormat) -> None:
    other = read_as(TYPED, form)
    assert other.reading == form
    assert numbers(other) == READ
    assert numbers(read_as(other, GERMAN)) == READ


def test_what_was_no_number_may_become_one() -> None:
    draft = replace(german(low="0", high="9"), reading=POINT)
    assert [error.sentence for error in draft.errors] == ["not a number: 2,5 (write 2.5)"]
    assert numbers(read_as(draft, GERMAN))["rate"] == (0, None, 2.5)


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
def test_choices_that_are_saved_keep_the_numbers(complete: bool, form: TextFileFormat) -> None:
    draft = TYPED if complete else replace(TYPED, who=Who())
    name, text, whole = saved_choices(draft)
    assert (name, whole) == (("recipe.json", True) if complete else ("choices.json", False))
    codebook = read_choices(name, text.encode(), draft.header)
    fresh = Draft(draft.header, who=Who(("id",), FOUND), reading=form)
    merged = merge_codebook(fresh, codebook).draft
    if not complete:
        merged = merged.merge({name: {"use": "number"} for name in ("income", "rate")})
    assert numbers(merged) == READ


def test_a_codebook_has_decimal_points_and_its_cells_are_written_as_the_file_is() -> None:
    entries = (
        CodebookEntry("income", EntryUse.NUMBER, "1000", "1500.5", "10000"),
        CodebookEntry("rate", EntryUse.NUMBER, "1.125", high="2.5"),
    )
    draft = Draft(("id", "income", "rate"), who=Who(("id",), FOUND), reading=GERMAN)
    merged = merge_codebook(draft, Codebook(entries)).draft
    assert numbers(merged) == {"income": (1_000, 1_500.5, 10_000), "rate": (1.125, None, 2.5)}
    assert merged.column("rate").low.text == "1,125"
    assert merged.column("rate").low.origin is Source.CODEBOOK
    again = merge_codebook(TYPED, Codebook((replace(entries[0], typical="2500"),)))
    assert again.differing == ()
    assert again.draft.column("income").high.text == "10.000"


def test_cells_filled_from_the_file_are_written_as_the_file_is() -> None:
    table = pd.DataFrame({"id": [1, 2], "income": [1_000.0, 9_000.0], "rate": [1.125, 1.375]})
    empty = german(low="", high="").merge({"rate": {"low": "", "high": ""}})
    filled = fill_from_file(empty, table)
    low, _, high = numbers(filled)["rate"]
    assert low <= 1.125 < 1.375 <= high < 10
    assert numbers(filled)["income"][2] < 100_000


def test_the_hint_beside_grouped_digits_names_both_numbers() -> None:
    draft = replace(german(low="1", high="10,000"), reading=POINT).merge({"rate": {"high": "2"}})
    assert [e.sentence for e in draft.errors] == ["not a number: 10,000 (write 10000 or 10)"]
    again = draft.merge({"income": {"high": "1.234.567"}})
    assert [e.sentence for e in again.errors] == ["not a number: 1.234.567 (write 1234567)"]


def test_a_german_upload_is_read_and_typed_alike() -> None:
    app = opened(TABLE.encode(), "einkommen.csv")
    assert (draft_of(app).reading.decimal, draft_of(app).reading.thousands) == (",", ".")
    draft = draft_of(app).merge({"income": {"low": "1.000", "high": "10.000"}})
    cells = draft.column("income").used
    assert [parsed_number(cells[end].text, draft.reading) for end in ("low", "high")] == [1e3, 1e4]


def test_a_recipe_of_a_german_file_is_read_as_a_codebook() -> None:
    _, text, _ = saved_choices(TYPED)
    codebook = read_codebook("recipe.json", text.encode(), TYPED.header)
    assert {entry.name: entry.high for entry in codebook.entries}["income"] == "10000"
