"""What an owner has said about a table: kept by column name, and told from what was read."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.number_format import NumberFormat
from dpca_core.data.recipe import Category, Combine, Number, Scaling
from ui.data.category_lists import join_values, split_values
from ui.data.column_kinds import DATES, EMPTY, FIRST_ROWS, MANY, SAME, Roles
from ui.data.fill_from_file import fill_from_file
from ui.data.id_columns import RepeatedColumn, id_candidates
from ui.data.recipe_draft import ColumnKind, RecipeDraft, unit_problem
from ui.data.text import rows_per_value

PEOPLE = pd.DataFrame(
    {
        "age": np.arange(20, 80),
        "height": np.linspace(1.5, 2, 60),
        "sex": ["f", "m"] * 30,
        "ward": ["A;1", 'the "old" one', "C"] * 20,
        "who": [f"p{i}" for i in range(60)],
        "site": 7,
        "nothing": np.nan,
        "visit": pd.date_range("2020-01-01", periods=60),
    }
)


def draft_of(table: pd.DataFrame = PEOPLE) -> RecipeDraft:
    names = tuple(table.columns)
    return RecipeDraft().of_table(names, Roles.of(table), id_candidates(table), NumberFormat())


def typed(draft: RecipeDraft) -> RecipeDraft:
    for name in ("age", "height"):
        draft = draft.with_entry(name, low=0.0, high=100.0)
    return draft.with_entry("sex", values="f; m").with_entry("ward", values='"A;1"; C')


def test_every_column_is_used_or_named_as_left_out() -> None:
    draft = draft_of()
    assert draft.used_as(ColumnKind.NUMBER) == ("age", "height")
    assert draft.used_as(ColumnKind.CATEGORY) == ("sex", "ward")
    assert dict(draft.roles.left_out) == {
        "who": MANY,
        "site": SAME,
        "nothing": EMPTY,
        "visit": DATES,
    }
    assert {*draft.used, *draft.left_out} == set(PEOPLE)
    back = draft.leaving_out([])
    assert back.used == tuple(PEOPLE)
    assert back.used_as(ColumnKind.NUMBER) == ("age", "height", "site", "nothing")


def test_a_text_that_changes_late_is_not_called_the_same_in_every_row() -> None:
    late = pd.DataFrame({"split": ["train"] * FIRST_ROWS + ["test"] * 9, "x": 1.0})
    late["x"] = late["x"].where(late.index < FIRST_ROWS + 3, 2.0)
    assert Roles.of(late).categories == ("split",)
    assert Roles.of(late).numbers == ("x",)


def test_leaving_out_and_changing_kind_and_back_lose_nothing() -> None:
    draft = typed(draft_of())
    before = draft.recipe()
    other = draft.leaving_out([*draft.left_out, "age", "sex"]).as_categories(["height", "ward"])
    assert [c.name for c in other.recipe().columns] == ["height", "ward"]
    back = other.leaving_out(list(draft.left_out)).as_categories(["sex", "ward"])
    assert back.recipe() == before
    assert before.numbers == (Number("age", 0, 100), Number("height", 0, 100))
    assert before.categories == (Category("sex", ("f", "m")), Category("ward", ("A;1", "C")))


def test_another_file_keeps_what_was_typed_and_nothing_that_was_read_or_sworn() -> None:
    draft = replace(fill_from_file(typed(draft_of()), PEOPLE), declared_public=True)
    other = PEOPLE[["age", "sex"]].assign(weight=np.arange(60.0))
    found = draft.of_table(tuple(other), Roles.of(other), (), NumberFormat(";"))
    assert (found.declared_public, dict(found.from_file), found.number_format.delimiter) == (
        False,
        {},
        ";",
    )
    assert found.number("age") == Number("age", 0, 100)
    assert found.category("sex").values == ("f", "m")
    assert found.number("weight").low != found.number("weight").low


@pytest.mark.parametrize("scaling", [Scaling.BOUNDED, Scaling.PRIVATE_MEAN])
def test_what_was_filled_cannot_be_sworn_until_each_entry_is_typed(scaling: Scaling) -> None:
    draft = replace(fill_from_file(draft_of(), PEOPLE), declared_public=True, scaling=scaling)
    assert draft.recipe().numbers[0] == Number("age", 20, 79)
    assert not draft.recipe().bounds_are_public
    assert draft.read_from_file == (
        "low of age",
        "high of age",
        "low of height",
        "high of height",
        "values of sex",
        "values of ward",
    )
    # The same value, typed, is the owner's statement.
    steps: list[tuple[str, dict[str, object]]] = [
        ("age", {"low": 20.0}), ("age", {"high": 79.0}), ("height", {"low": 1.0}),
        ("height", {"high": 2.0}), ("sex", {"values": "f; m"}), ("ward", {"values": "C; D"}),
    ]  # fmt: skip
    for left, (name, values) in zip(range(5, -1, -1), steps, strict=True):
        assert not draft.recipe().bounds_are_public
        draft = draft.with_entry(name, **values)
        assert len(draft.read_from_file) == left
    assert draft.recipe().bounds_are_public
    assert not replace(draft, declared_public=False).recipe().bounds_are_public
    # Emptied and filled in again, it counts as read again.
    assert not fill_from_file(draft.with_entry("age", low=None), PEOPLE).recipe().bounds_are_public


def test_what_was_filled_and_is_not_used_does_not_count() -> None:
    draft = replace(fill_from_file(draft_of(), PEOPLE), declared_public=True)
    assert draft.leaving_out([*PEOPLE.columns]).read_from_file == ()
    free = replace(draft, scaling=Scaling.NORM_ONLY)
    assert free.read_from_file == ("values of sex", "values of ward")
    assert replace(draft_of(), declared_public=True).with_entry("age", low=0.0).read_from_file == ()


def test_typed_and_declared_is_public_and_filling_in_changes_nothing_typed() -> None:
    draft = replace(typed(draft_of()), declared_public=True)
    assert draft.recipe().bounds_are_public
    again = fill_from_file(draft, PEOPLE)
    assert not again.declared_public
    assert replace(again, declared_public=True).recipe() == draft.recipe()


def test_a_recipe_holds_format_people_and_whom_it_protects() -> None:
    form = NumberFormat(";", ",", ".")
    draft = replace(
        typed(draft_of()),
        number_format=form,
        person="sex",
        combine=Combine.AT_MOST,
        rows_per_person=3,
        unit="village",
    )
    recipe = draft.recipe()
    assert (recipe.number_format, recipe.person, recipe.most) == (form, ("sex",), 3)
    assert [c.name for c in recipe.columns] == ["age", "height", "ward"]
    assert (recipe.unit.one, recipe.unit.many) == ("village", "villages")
    assert draft.recipe(streamed=True).person == ()


@pytest.mark.parametrize(
    "values",
    [("a", "b"), ("a;b", "c"), ('say "x"', ";", '"'), ("a, b", "c; d; ", "é"), ("'", '";"', "x")],
)
def test_lists_of_categories_survive_being_written(values: tuple[str, ...]) -> None:
    stripped = tuple(value.strip() for value in values)
    assert split_values(join_values(stripped)) == stripped


def test_lists_as_people_type_them() -> None:
    assert split_values(" a ;b;; a; ") == ("a", "b")
    assert split_values('"a;b" ; c') == ("a;b", "c")
    assert split_values('"open; c') == ('"open', "c")
    assert split_values('5" pipe; x"y') == ('5" pipe', 'x"y')
    assert split_values("") == ()


def test_categories_filled_from_the_file_survive_separators() -> None:
    draft = fill_from_file(draft_of(), PEOPLE)
    assert draft.category("ward").values == ("A;1", "C", 'the "old" one')
    copied = draft.with_entry("ward", values=join_values(draft.from_file["ward"].values))
    assert copied.category("ward") == draft.category("ward")
    assert "values of ward" not in copied.read_from_file


@pytest.mark.parametrize("unit", ["person", "sick child", "Mädchen", "co-worker", "रोगी"])
def test_words_for_who_is_protected(unit: str) -> None:
    assert unit_problem(unit) is None


@pytest.mark.parametrize(
    "unit",
    ["", "=1+1", "-1+1", "a,b", "a;b", "a\nb", "a\u2028b", "<b>", "[x](http://x)", "*x*", "$x$",
     ":red[x]", "@sum", "+1", "a" * 31, " x", "a\tb", "x|y", "`x`", "a\u202eb", "1st"],
)  # fmt: skip
def test_nothing_that_a_program_obeys_can_name_who_is_protected(unit: str) -> None:
    assert unit_problem(unit).endswith(".")
    assert replace(draft_of(), unit=unit).recipe().unit.one == "person"


def visits(rows: int = 3, people: int = 100) -> pd.DataFrame:
    rng, who = np.random.default_rng(0), np.repeat(np.arange(people), rows)
    return pd.DataFrame(
        {
            "patient_id": 1000 + who,
            "age": rng.integers(20, 90, people)[who],
            "sex": rng.choice(["f", "m"], people)[who],
            "sbp": rng.normal(120, 9, rows * people),
        }
    )


def test_repeated_ids_are_found_by_name_or_by_how_they_repeat() -> None:
    assert id_candidates(visits()) == (RepeatedColumn("patient_id", 3, 3),)
    assert rows_per_value(3, 3) == "3 rows for most values"
    quiet = visits().rename(columns={"patient_id": "zper"}).sample(frac=1, random_state=0)
    assert [one.name for one in id_candidates(quiet)] == ["zper"]
    texts = visits()[["patient_id", "sbp"]].astype({"patient_id": str})
    assert [one.name for one in id_candidates(texts.rename(columns={"patient_id": "x"}))] == ["x"]
    some = visits().drop(index=range(0, 120, 2))
    assert [one.name for one in id_candidates(some)] == ["patient_id"]


@pytest.mark.parametrize("name", ["MRN", "subjid", "USUBJID", "personId", "Patient Nr", "hh"])
def test_names_that_say_whose(name: str) -> None:
    assert [one.name for one in id_candidates(visits().rename(columns={"patient_id": name}))]


@pytest.mark.parametrize(
    "table",
    [
        PEOPLE, visits(1), visits()[["age", "sex", "sbp"]],
        visits()[["age", "sex", "sbp"]].rename(columns={"age": "fluid", "sex": "age_group"}),
    ],
    ids=["people", "one row each", "no id", "names that sound alike"],
)  # fmt: skip
def test_nothing_is_asked_of_tables_of_one_row_a_person(table: pd.DataFrame) -> None:
    assert id_candidates(table) == ()
