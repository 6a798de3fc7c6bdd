"""How an uploaded file is read: number formats, categories, endings and refused rows."""

import time

import numpy as np
import pandas as pd
import pytest
import streamlit

from dpca_core.data.number_format import NumberFormat
from tests.ui.data.uploads import PEOPLE, again, draft_of, edit, editor, named, opened, used
from ui.data.column_kinds import Roles
from ui.data.id_columns import id_candidates
from ui.data.recipe_draft import RecipeDraft
from ui.data.text import READ_ANYWAY


@pytest.fixture(autouse=True)
def stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamlit, "switch_page", lambda page: None)


def test_the_number_format_is_proposed_shown_changed_and_used() -> None:
    text = "x;y;c\n" + "".join(f"{i},5;{i % 7},25;u\n{i};1,5;none\n" for i in range(40))
    app = opened(text.encode(), "german.csv")
    assert named(app.selectbox, "format.delimiter").value == ";"
    assert named(app.selectbox, "format.decimal").value == ","
    assert draft_of(app).roles.numbers == ("x", "y")
    named(app.text_input, "format.missing").set_value("none; ?").run()
    assert not app.error
    assert "c" in draft_of(app).roles.left_out
    form = draft_of(app).recipe().number_format
    assert form == NumberFormat(";", ",", form.thousands, "utf-8", ("", "none", "?"))
    named(app.selectbox, "format.decimal").set_value(".").run()
    named(app.selectbox, "format.thousands").set_value(".").run()
    assert "must differ" in app.error[0].value
    named(app.selectbox, "format.thousands").set_value("").run()
    assert not app.exception
    # Numbers with commas are texts when the decimal sign is a point.
    assert "x" not in draft_of(app).roles.numbers
    named(app.selectbox, "format.decimal").set_value(",").run()
    assert draft_of(app).roles.numbers == ("x", "y")
    app.button(key="fill").click().run()
    assert used(app).recipe.number_format.decimal == ","
    named(app.checkbox, "bounds_are_public").check().run()
    named(app.text_input, "format.missing").set_value("none; -1").run()
    # Kinds were proposed anew: the declared_public was of the ones before.
    assert not named(app.checkbox, "bounds_are_public").value
    assert named(app.multiselect, "leave_out").value == list(draft_of(app).left_out)


def test_categories_with_a_separator_survive_filling_in() -> None:
    text = "a,b,kind\n" + "".join(f'{i},{i * i},"x;{i % 3}"\n' for i in range(60))
    app = opened(text.encode())
    app.button(key="fill").click().run()
    assert draft_of(app).recipe().categories[0].values == ("x;0", "x;1", "x;2")
    (shown,) = editor(app, "values")["read from the file"]
    edit(app, "values", {0: {"values": shown}})
    assert used(app).columns == ("a", "b", "kind: x;0", "kind: x;1", "kind: x;2")


def test_a_word_that_is_none_cannot_name_who_is_protected() -> None:
    app = opened(PEOPLE, draft=RecipeDraft(unit="=1+1"))
    app.button(key="fill").click().run()
    assert app.error[0].value.startswith("Name the unit of privacy with letters")
    app.button(key="use").click().run()
    (data,) = app.session_state["datasets"].values()
    assert (data.unit.one, data.unit.many) == ("person", "people")


def test_any_ending_reaches_the_reader_who_says_what_it_is() -> None:
    app = opened(PEOPLE)
    app.file_uploader[0].set_value(("book.xlsx", b"PK\x03\x04" + bytes(99), "x")).run()
    assert "Excel workbook" in app.error[0].value
    assert draft_of(app).names == ("age", "height", "sex")


def wide(kind: str) -> pd.DataFrame:
    rng, names = np.random.default_rng(0), [f"gene_{i}" for i in range(1990)]
    if kind == "numbers":
        return pd.DataFrame(rng.normal(size=(600, 1990)), columns=names)
    if kind == "texts":
        return pd.DataFrame(rng.choice(["a", "b"], (600, 1990)), columns=names).astype("str")
    rows = np.repeat(rng.permutation(200), 3)
    return pd.DataFrame({f"id_{i}": rows for i in range(1990)})


@pytest.mark.parametrize("kind", ["numbers", "texts", "ids"])
def test_a_wide_table_is_looked_at_in_half_a_second_of_processor(kind: str) -> None:
    """The whole look holds the interpreter; 0.5 s is asked of a quiet machine, twice that here."""
    table = wide(kind)
    start = time.thread_time()
    Roles.of(table)
    id_candidates(table)
    assert time.thread_time() - start < 1.0


@pytest.mark.parametrize(
    ("content", "words", "rows"),
    [
        (b"a,b\n1,2\n3\n4,5\n6,9\n", "Line 3", 4),
        (b'a,b\n1,"2\n3"\n4,5\n6,9\n7,7\n', "", 5),
        (b"a,b\n1,2\n3,\xff\n4,5\n6,9\n", "", 4),
    ],
    ids=["a short row", "a line end in quotes", "a wrong byte"],
)
def test_a_file_refused_for_its_rows_can_be_read_all_the_same(
    content: bytes, words: str, rows: int
) -> None:
    app = opened(PEOPLE)
    again(app, content, "odd.csv")
    (said,) = [one.value for one in app.error]
    assert words in said
    assert app.markdown[0].value == "**people.csv**: 60 rows, 3 columns"
    assert app.button(key="anyway").label == READ_ANYWAY
    app.button(key="anyway").click().run()
    assert not app.exception
    assert not app.error
    assert app.markdown[0].value == f"**odd.csv**: {rows} rows, 2 columns"
    app.button(key="fill").click().run()
    assert used(app).people == rows
    # A format that is changed reads it in the same way.
    named(app.text_input, "format.missing").set_value("none").run()
    assert not app.error
    assert app.markdown[0].value == f"**odd.csv**: {rows} rows, 2 columns"


def test_codes_are_filled_in_as_they_are_written() -> None:
    text = "code,x,y\n" + "".join(
        f"{['01', '1', '1.0', '2'][i % 4]},{i},{i * i % 17}\n" for i in range(60)
    )
    app = opened(text.encode())
    named(app.multiselect, "categories").set_value(["code"]).run()
    app.button(key="fill").click().run()
    assert draft_of(app).recipe().categories[0].values == ("01", "1", "1.0", "2")
    assert used(app).columns == ("x", "y", "code: 01", "code: 1", "code: 1.0", "code: 2")
