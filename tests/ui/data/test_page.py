"""The page "Your data" without a browser: nothing typed is lost, nothing false can be declared."""

import numpy as np
import pandas as pd
import pytest
import streamlit

from dpca_core.data.recipe import Scaling
from tests.ui.data.uploads import PEOPLE, again, draft_of, edit, editor, named, opened, ranges, used
from ui.data.recipe_draft import ColumnKind

NAMES = [f"c{i}" for i in range(10)]
RNG = np.random.default_rng(0)
NUMBERS = pd.DataFrame(RNG.normal(size=(90, 10)).round(3), columns=NAMES).to_csv(index=False)


@pytest.fixture(autouse=True)
def stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamlit, "switch_page", lambda page: None)


ALL = {row: {"low": -10.0 - row, "high": 10.0 + row} for row in range(10)}


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


def test_a_cell_that_is_emptied_again_counts_no_more() -> None:
    """The grid forgets an edit that is undone: what it said before must not stay in use."""
    app = opened(PEOPLE)
    app.button(key="fill").click().run()
    edit(app, "ranges", {0: {"high": 77.0}})
    name = draft_of(app).used_as(ColumnKind.NUMBER)[0]
    assert draft_of(app).number(name).high == 77.0
    before = draft_of(app).from_file[name].high
    (grid,) = [one for one in app.data_editor if one.key.startswith("ranges-")]
    app.session_state[grid.key] = {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
    app.run()
    assert draft_of(app).entries[name].high is None
    assert draft_of(app).number(name).high == before
    assert f"high of {name}" in draft_of(app).read_from_file
