"""Codes of missing values: read as the ends of a range are, in every way to write a file."""

import numpy as np
import pytest

from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.encoding import encode_columns
from dpca_core.data.recipe import Reading, Recipe
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import EITHER, TextFileFormat, parsed
from dpca_core.readers.table import read_table
from ui.owner.codebook_merge import merge_codebook
from ui.owner.columns_content import table_content
from ui.owner.draft import EVERY_ROW, Draft, Who
from ui.owner.edits import Merged
from ui.owner.read_as import read_as
from ui.owner.saved_draft import codebook_of_draft
from ui.owner.typed_numbers import POINT, parsed_number

GERMAN = TextFileFormat(";", ",", ".")
COMMA = TextFileFormat(";", ",")
ENGLISH = TextFileFormat(",", ".", ",")
BOTH = TextFileFormat(decimal=EITHER)
FORMATS = {"German": GERMAN, "comma": COMMA, "English": ENGLISH, "point": POINT, "either": BOTH}
TEXTS = ("99.9", "-9.5", "\u22129.5", "10.000", "1.234.567", "2,5", "10,000", "1e3", "999", "k.A.")


def drafted(missing: str, form: TextFileFormat, low: str = "-10", high: str = "2000") -> Draft:
    number = {"use": "number", "low": low, "high": high}
    draft = Draft(("a", "b"), who=Who((), EVERY_ROW), reading=form)
    return draft.merge({"a": {**number, "missing": missing}, "b": number})


def codes_of(draft: Draft) -> tuple[str, ...]:
    recipe = draft.recipe()
    assert isinstance(recipe, Recipe)
    return recipe.numbers[0].missing


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", TEXTS)
def test_a_code_is_the_number_that_an_end_would_be(text: str, name: str) -> None:
    form = FORMATS[name]
    if (number := parsed_number(text, form)) is None:
        assert codes_of(drafted(f'"{text}"; x', form))[0] == text
        return
    assert parsed(codes_of(drafted(f"{text}; x", form))[0], form) == number


@pytest.mark.parametrize("after", FORMATS)
@pytest.mark.parametrize("before", FORMATS)
def test_codes_stay_the_same_numbers_when_the_file_is_read_otherwise(
    before: str, after: str
) -> None:
    written = {"German": "99,9; -9,5; 1.234", "comma": "99,9; -9,5; 1234"}
    typed = written.get(before, "99.9; -9.5; 1234")
    draft = read_as(drafted(typed, FORMATS[before]), FORMATS[after])
    found = [parsed(code, FORMATS[after]) for code in codes_of(draft)]
    assert found == [99.9, -9.5, 1234]
    assert codebook_of_draft(draft).entries[0].missing == ("99.9", "-9.5", "1234")


def test_codes_of_a_category_stay_the_same_texts() -> None:
    draft = Draft(("a",), reading=GERMAN)
    draft = draft.merge({"a": {"use": "category", "values": "0,5, 1,5", "missing": "99,9"}})
    column = read_as(draft, POINT).column("a")
    assert (column.values.text, column.missing) == ("0,5; 1,5", '"99,9"')


def test_real_values_of_a_german_file_are_no_missing_ones() -> None:
    recipe = read_as(drafted("99.9; -9.5", POINT), GERMAN).recipe()
    assert isinstance(recipe, Recipe)
    content = b"a;b\n999;1\n99,9;1\n-95;1\n-9,5;1\n5;1\n"
    table = read_table("x.csv", content, GERMAN, reading=Reading.TOTAL)
    found = encode_columns(table, recipe, Reading.TOTAL).numbers[0]
    np.testing.assert_array_equal(found, [999, np.nan, -95, np.nan, 5])


@pytest.mark.parametrize("form", [GERMAN, COMMA, BOTH])
def test_a_saved_recipe_brings_its_codes_along(form: TextFileFormat) -> None:
    recipe = drafted("99,9; -9,5; k.A.", form).recipe()
    assert isinstance(recipe, Recipe)
    book = read_codebook("recipe.json", dumps(recipe).encode())
    assert book.entries[0].missing == ("99.9", "-9.5", "k.A.")
    for other in FORMATS.values():
        empty = Draft(("a", "b"), who=Who((), EVERY_ROW), reading=other)
        merged = merge_codebook(empty, book).draft
        found = [parsed(code, merged.reading) for code in codes_of(merged)]
        assert found == [99.9, -9.5, None]
        assert merge_codebook(merged, book).differing == ()


def test_the_page_says_what_codes_are_read_as() -> None:
    content = table_content(drafted("98,99, 10.000", GERMAN), (), Merged())
    assert "10.000 is read as 10000" in str(content)
    assert "98,99, 10.000 is read as 2 values: 98,99; 10.000" in str(content)


@pytest.mark.parametrize("form", [GERMAN, COMMA])
def test_what_is_pasted_is_read_as_what_is_typed(form: TextFileFormat) -> None:
    head = "column\tuse\tlow\thigh\tmissing\n"
    lines = "a\tnumber\t1.000\t10.000\t99.999; 2,5\nb\tnumber\t0.5\t2,5\t9,5, 8,5\n"
    book = read_codebook("pasted", (head + lines).encode(), ("a", "b"), form)
    assert book.problems == ()
    empty = Draft(("a", "b"), who=Who((), EVERY_ROW), reading=form)
    pasted = merge_codebook(empty, book, pasted=True).draft.recipe()
    typed = empty.merge(
        {
            "a": {"use": "number", "low": "1.000", "high": "10.000", "missing": "99.999; 2,5"},
            "b": {"use": "number", "low": "0.5", "high": "2,5", "missing": "9,5, 8,5"},
        }
    ).recipe()
    assert isinstance(pasted, Recipe)
    assert isinstance(typed, Recipe)
    for one, other in zip(pasted.numbers, typed.numbers, strict=True):
        assert (one.low, one.high) == (other.low, other.high)
        codes = [[parsed(code, form) for code in n.missing] for n in (one, other)]
        assert codes[0] == codes[1]
    assert (pasted.numbers[0].low, pasted.numbers[0].high) == (1000, 10_000)
