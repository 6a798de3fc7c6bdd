"""The page "Your data" without a browser: nothing typed is lost, nothing false can be sworn."""

import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import NumberFormat, Scaling
from tests.paths import ROOT
from ui.data import server_tables
from ui.data.column_kinds import Roles
from ui.data.draft import Draft, Kind
from ui.data.person_columns import repeated_ids
from ui.data.unit_of_privacy import BEFORE, EACH, OPEN
from ui.data.upload import ANYWAY

PAGE = ROOT / "pages" / "data.py"
ELSEWHERE = f"""
from pathlib import Path
import streamlit as st
if st.session_state.get("away"):
    st.write("another page")
else:
    exec(compile(Path({str(PAGE)!r}).read_text(), "data.py", "exec"))
"""
NAMES = [f"c{i}" for i in range(10)]
RNG = np.random.default_rng(0)
NUMBERS = pd.DataFrame(RNG.normal(size=(90, 10)).round(3), columns=NAMES).to_csv(index=False)
PEOPLE = b"age,height,sex\n" + b"".join(
    b"%d,%.2f,%s\n" % (20 + i, 1.5 + i % 7 / 20, b"fm"[i % 2 : i % 2 + 1]) for i in range(60)
)


def opened(content: bytes, name: str = "people.csv", draft: Draft | None = None) -> AppTest:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        app = AppTest.from_string(ELSEWHERE, default_timeout=60)
    if draft is not None:
        app.session_state["draft"] = draft
    return again(app.run(), content, name)


def again(app: AppTest, content: bytes, name: str = "people.csv") -> AppTest:
    app.file_uploader[0].set_value((name, content, "text/csv")).run()
    assert not app.exception
    return app


@pytest.fixture(autouse=True)
def stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamlit, "switch_page", lambda page: None)


def named(controls: Any, name: str) -> Any:
    """The control of a name, whatever version of it is drawn."""
    (found,) = [control for control in controls if str(control.key).rpartition(".")[0] == name]
    return found


def draft_of(app: AppTest) -> Draft:
    found: Draft = app.session_state["draft"]
    return found


def edit(app: AppTest, which: str, cells: dict[int, dict[str, Any]]) -> AppTest:
    """Type into cells of an editor, as the browser reports it."""
    (editor,) = [one for one in app.data_editor if one.key.startswith(f"{which}-")]
    old = app.session_state[editor.key]["edited_rows"]
    rows = {row: {**old.get(row, {}), **cells.get(row, {})} for row in {*old, *cells}}
    app.session_state[editor.key] = {"edited_rows": rows, "added_rows": [], "deleted_rows": []}
    app.run()
    assert not app.exception
    return app


def editor(app: AppTest, which: str) -> pd.DataFrame:
    """What an editor was given."""
    (found,) = [one.value for one in app.data_editor if one.key.startswith(f"{which}-")]
    return found


def used(app: AppTest) -> Dataset:
    app.button(key="use").click().run()
    assert not app.exception
    assert not app.error
    return list(app.session_state["datasets"].values())[-1]


ALL = {row: {"low": -10.0 - row, "high": 10.0 + row} for row in range(10)}


def ranges(app: AppTest) -> dict[str, tuple[float, float]]:
    return {n.name: (n.low, n.high) for n in draft_of(app).recipe().numbers}


def test_typed_bounds_survive_leaving_out_another_kind_and_another_page() -> None:
    app = edit(opened(NUMBERS.encode()), "ranges", ALL)
    whole = ranges(app)
    assert whole == {name: (-10.0 - i, 10.0 + i) for i, name in enumerate(NAMES)}
    app.number_input(key="radius").set_value(4.0)
    app.selectbox(key="unit").set_value("patient")
    app.radio(key="scaling").set_value(Scaling.PRIVATE_MEAN)
    app.slider(key="mean_share").set_value(0.2) if app.slider else None
    named(app.checkbox, "bounds_are_public").check().run()
    named(app.multiselect, "leave_out").set_value(["c3"]).run()
    assert ranges(app) == {name: ends for name, ends in whole.items() if name != "c3"}
    named(app.multiselect, "categories").set_value(["c5"]).run()
    app.session_state["away"] = True
    app.run()
    assert [one.value for one in app.markdown] == ["another page"]
    app.session_state["away"] = False
    app.run()
    assert named(app.multiselect, "leave_out").value == ["c3"]
    assert named(app.multiselect, "categories").value == ["c5"]
    named(app.multiselect, "leave_out").set_value([]).run()
    named(app.multiselect, "categories").set_value([]).run()
    assert ranges(app) == whole
    frame = editor(app, "ranges")
    assert dict(
        zip(frame["column"], zip(frame["low"], frame["high"], strict=True), strict=True)
    ) == (whole)
    assert app.number_input(key="radius").value == 4.0
    assert app.selectbox(key="unit").value == "patient"
    assert app.radio(key="scaling").value == Scaling.PRIVATE_MEAN
    assert named(app.checkbox, "bounds_are_public").value
    assert draft_of(app).public


def test_what_is_typed_while_another_control_changes_is_kept() -> None:
    app = opened(NUMBERS.encode())
    (grid,) = app.data_editor
    rows = {0: {"low": 1.5}, 9: {"high": 7.0}}
    app.session_state[grid.key] = {"edited_rows": rows, "added_rows": [], "deleted_rows": []}
    named(app.multiselect, "leave_out").set_value(["c4"]).run()
    assert ranges(app)["c0"][0] == 1.5
    assert ranges(app)["c9"][1] == 7.0
    app = edit(app, "ranges", {8: {"low": -7.0}})
    assert ranges(app)["c9"] == (-7.0, 7.0)


def test_filled_then_sworn_is_not_private() -> None:
    app = opened(PEOPLE)
    app.button(key="fill").click().run()
    named(app.checkbox, "bounds_are_public").check().run()
    (said,) = [one.value for one in app.warning]
    assert "low of age, high of age, low of height, high of height, values of sex" in said
    data = used(app)
    assert not data.private
    assert not data.recipe.bounds_are_public
    assert list(editor(app, "ranges")["read from the file"]) == ["20 to 79", "1.5 to 1.8"]


def test_filled_then_each_entry_typed_then_sworn_is_private() -> None:
    app = opened(PEOPLE)
    app.button(key="fill").click().run()
    named(app.checkbox, "bounds_are_public").check().run()
    # The same number typed again is the owner's statement.
    edit(app, "ranges", {0: {"low": 20.0, "high": 79.0}, 1: {"low": 1.0}})
    edit(app, "values", {0: {"values": "f; m"}})
    (said,) = [one.value for one in app.warning]
    assert said.endswith("the law: high of height.")
    edit(app, "ranges", {1: {"high": 2.5}})
    assert not app.warning
    data = used(app)
    assert data.private
    assert data.recipe.bounds_are_public
    # Whoever looks at the file again must swear again.
    app.button(key="fill").click().run()
    assert not draft_of(app).public
    assert not named(app.checkbox, "bounds_are_public").value
    named(app.checkbox, "bounds_are_public").check().run()
    assert draft_of(app).public


def test_typed_and_sworn_is_private_and_another_file_must_be_sworn_again() -> None:
    app = opened(PEOPLE)
    edit(app, "ranges", {0: {"low": 0.0, "high": 99.0}, 1: {"low": 1.0, "high": 2.5}})
    edit(app, "values", {0: {"values": "f; m"}})
    assert any("until you declare them" in one.value for one in app.caption)
    assert not used(app).private
    named(app.checkbox, "bounds_are_public").check().run()
    assert used(app).private
    again(app, PEOPLE, "others.csv")
    assert not named(app.checkbox, "bounds_are_public").value
    assert ranges(app) == {"age": (0.0, 99.0), "height": (1.0, 2.5)}
    assert not used(app).private


def test_the_tick_names_what_it_declares() -> None:
    app = opened(PEOPLE)
    named(app.multiselect, "leave_out").set_value(["height"]).run()
    label = named(app.checkbox, "bounds_are_public").label
    for word in ("columns", "kinds", "ranges", "categories", "R,", "how numbers are written"):
        assert word in label
    declared = "\n".join(one.value for one in app.markdown)
    for line in ("Numbers: age", "Categories: sex", "Left out: height", "comma between columns"):
        assert line in declared


VISITS = b"patient_id,age,sbp\n" + b"".join(
    b"%d,%d,%d\n" % (1000 + i // 3, 20 + i // 3 * 7 % 60, 100 + i * 13 % 50) for i in range(90)
)


def visits() -> AppTest:
    app = opened(VISITS, "visits.csv")
    app.button(key="fill").click().run()
    return app


def test_whose_rows_they_are_is_asked_once_before_anything_is_drawn() -> None:
    app = visits()
    question = named(app.radio, "whose")
    assert question.value is None
    assert "has 3 rows for most values" in question.label
    assert "Does each row belong to a different person, or does patient" in question.label
    app.button(key="use").click().run()
    assert [one.value for one in app.error] == [OPEN]
    assert "datasets" not in app.session_state or not app.session_state["datasets"]
    named(app.radio, "whose").set_value("patient_id").run()
    assert named(app.selectbox, "person").value == "patient_id"
    data = used(app)
    assert data.people == 30
    assert data.columns == ("age", "sbp")
    app.session_state["away"] = True
    app.run()
    app.session_state["away"] = False
    app.run()
    assert named(app.radio, "whose").value == "patient_id"
    assert named(app.selectbox, "person").value == "patient_id"
    assert ranges(app)["age"]


def test_rows_of_different_people_are_the_owners_word() -> None:
    app = visits()
    named(app.radio, "whose").set_value(EACH).run()
    assert named(app.selectbox, "person").value is None
    assert used(app).people == 90
    named(app.selectbox, "person").set_value("patient_id").run()
    assert named(app.radio, "whose").value == "patient_id"
    assert used(app).people == 30


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
    # Kinds were proposed anew: the oath was of the ones before.
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
    app = opened(PEOPLE, draft=Draft(unit="=1+1"))
    app.button(key="fill").click().run()
    assert app.error[0].value.startswith("Name who is protected with letters")
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
    repeated_ids(table)
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
    assert app.button(key="anyway").label == ANYWAY
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


def test_a_table_on_the_server_can_only_be_of_different_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "visits.csv").write_bytes(VISITS)
    monkeypatch.setenv(server_tables.FOLDERS, str(tmp_path))
    app = AppTest.from_string(ELSEWHERE, default_timeout=60)
    app.session_state["source"] = server_tables.SERVER
    app.run()
    app.selectbox(key="server.table").set_value(f"{tmp_path.name}/visits.csv").run()
    assert not app.exception
    assert draft_of(app).recipe(streamed=True).number_format == NumberFormat()
    keys = [button.key for button in app.button]
    assert "sum.start" not in keys
    assert [one.value for one in app.info] == [OPEN]
    named(app.radio, "whose").set_value("patient_id").run()
    assert "sum.start" not in [button.key for button in app.button]
    assert BEFORE in app.error[0].value
    named(app.radio, "whose").set_value(EACH).run()
    assert "sum.start" in [button.key for button in app.button]
    assert not app.error


def test_a_cell_that_is_emptied_again_counts_no_more() -> None:
    """The grid forgets an edit that is undone: what it said before must not stay in use."""
    app = opened(PEOPLE)
    app.button(key="fill").click().run()
    edit(app, "ranges", {0: {"high": 77.0}})
    name = draft_of(app).used_as(Kind.NUMBER)[0]
    assert draft_of(app).number(name).high == 77.0
    before = draft_of(app).found[name].high
    (grid,) = [one for one in app.data_editor if one.key.startswith("ranges-")]
    app.session_state[grid.key] = {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
    app.run()
    assert draft_of(app).entries[name].high is None
    assert draft_of(app).number(name).high == before
    assert f"high of {name}" in draft_of(app).read_from_file
