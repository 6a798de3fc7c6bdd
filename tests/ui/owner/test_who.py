"""Step 1: whose rows they are is always asked, and nothing is decided by what was noticed."""

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import Combine, MissingPerson, Recipe
from dpca_core.detection.people import Finding, PersonProposal
from tests import people_tables as made_up
from tests.ui.owner.uploads import (
    PEOPLE,
    VISITS,
    again,
    draft_of,
    html,
    named,
    opened,
    owner_of,
)
from ui.owner.draft import CANNOT_TELL, EVERY_ROW, FOUND
from ui.owner.steps import who_errors
from ui.owner.text_who import evidence
from ui.owner.words_for_people import is_printable_word, proposed_words


def shown(table: pd.DataFrame) -> AppTest:
    """Upload a table."""
    return opened(table.to_csv(index=False).encode(), "table.csv")


def answer(app: AppTest, option: str) -> AppTest:
    """Answer whose rows they are."""
    named(app.radio, "who.answer").set_value(option).run()
    assert not app.exception
    return app


def recipe_of(app: AppTest) -> Recipe:
    """Return the recipe with a range for every number and values for every category."""
    draft = draft_of(app)
    for column in draft.used:
        cells = {"use": "number", "low": "0", "high": "9", "missing": ""}
        draft = draft.merge({column.name: cells})
    found = draft.recipe()
    assert isinstance(found, Recipe)
    return found


def test_nothing_is_answered_before_the_owner_answers() -> None:
    app = opened(VISITS)
    assert named(app.radio, "who.answer").value is None
    assert draft_of(app).who.person == ()
    assert who_errors(draft_of(app))
    assert "Protect one <b>patient</b>?" in html(app)
    said = "90 rows, 30 values of patient_id. Within one, age stays the same, or nearly always."
    assert said in html(app)


def test_the_column_that_was_found() -> None:
    app = answer(opened(VISITS), "candidate-0")
    who = draft_of(app).who
    assert (who.answer, who.columns, who.one, who.many) == (
        FOUND, ("patient_id",), "patient", "patients",
    )  # fmt: skip
    recipe = recipe_of(app)
    assert recipe.person == ("patient_id",)
    assert recipe.unit == Unit("patient", "patients")
    assert recipe.combine is Combine.AVERAGE
    assert "One <b>patient</b> is protected." in html(app)


def test_an_answer_after_a_notice_is_no_plain_declaration() -> None:
    assert draft_of(answer(opened(VISITS), "candidate-0")).who.noticed
    app = answer(shown(made_up.measurements(200)), EVERY_ROW)
    assert not draft_of(app).who.noticed
    app = again(answer(opened(VISITS), EVERY_ROW), PEOPLE)
    assert not draft_of(app).who.noticed, "another table starts without the notice"


def test_every_row_a_different_person() -> None:
    app = answer(opened(VISITS), EVERY_ROW)
    assert recipe_of(app).person == ()
    assert not who_errors(draft_of(app))


def test_rows_that_cannot_be_told_apart_are_protected_as_rows() -> None:
    app = answer(opened(VISITS), CANNOT_TELL)
    assert recipe_of(app).person == ()
    assert "One <b>row</b> is protected, not one patient." in html(app)
    (said,) = [one.value for one in app.warning]
    assert "one **row** is protected, not one patient" in said
    assert "five times less" in said


def test_a_table_in_which_nothing_was_found_is_asked_about_too() -> None:
    app = shown(made_up.measurements(200))
    assert named(app.radio, "who.answer").value is None
    assert "That proves nothing." in html(app)
    assert answer(app, EVERY_ROW)
    assert "Every row is a different person" in named(app.radio, "who.answer").options


def test_a_heading_of_names_is_mentioned_where_no_column_numbers_the_people() -> None:
    table = made_up.measurements(60)
    table["name"] = [f"Anna {'ABCDEFGHIJ'[n % 10]}{'klmnop'[n // 10]}er" for n in range(60)]
    app = shown(table)
    assert (
        "No column was found that numbers the people; by its heading, “name” may name them. "
        "That proves nothing."
    ) in html(app)
    # The heading is no notice of what the file holds: what is published is as before.
    assert not draft_of(answer(app, EVERY_ROW)).who.noticed
    plain = shown(made_up.measurements(60))
    assert "No column was found that numbers the people. That proves nothing." in html(plain)


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (("name", "email"), "“name” or “email”"),
        (("name", "email", "phone"), "“name”, “email” or one more"),
        (("name", "email", "phone", "address", "surname"), "“name”, “email” or one of 3 more"),
    ],
)
def test_several_headings_of_names_are_counted(header: tuple[str, ...], said: str) -> None:
    nothing = PersonProposal(finding=Finding.NONE)
    assert f"people; by their headings, {said} may name them. " in evidence(nothing, header)


def test_the_answers_say_what_they_mean() -> None:
    nothing, found = (
        named(app.radio, "who.answer").options
        for app in (shown(made_up.measurements(200)), opened(VISITS))
    )
    unknown = "One {} may have several rows, and nothing here says which"
    assert unknown.format("person") in nothing
    assert unknown.format("patient") in found
    assert "I choose the columns that name the person" in nothing
    assert "Other columns name the patient" in found
    assert not any("told apart" in option for option in (*nothing, *found))


def test_members_are_offered_with_the_whole() -> None:
    app = shown(made_up.households(60))
    assert "Protect one <b>hh</b>, or one <b>person</b> in it?" in html(app)
    answer(app, "candidate-1")
    assert draft_of(app).who.columns == ("hh", "person")
    answer(app, "candidate-0")
    assert draft_of(app).who.columns == ("hh",)


def test_columns_that_the_owner_names_together() -> None:
    table = made_up.measurements(300)
    table["town"], table["plot"] = [f"T{n % 10}" for n in range(300)], [n // 20 for n in range(300)]
    table.loc[:11, "plot"] = None
    app = answer(shown(table), "other")
    assert draft_of(app).who.answer == ""
    assert who_errors(draft_of(app))
    named(app.multiselect, "who.columns").set_value(["town", "plot"]).run()
    assert not app.exception
    assert draft_of(app).who.columns == ("town", "plot")
    assert named(app.radio, "who.answer").value == "other"
    label = named(app.radio, "who.missing_person").label
    assert label == "12 rows have no town and plot"


def test_at_most_m_rows_needs_a_number_that_the_owner_gives() -> None:
    app = answer(opened(VISITS), "candidate-0")
    named(app.radio, "who.combine").set_value(Combine.AT_MOST).run()
    field = named(app.text_input, "who.most")
    assert field.value == "", "the file's largest is never filled in"
    assert "3 rows" in field.help
    assert [e.field for e in who_errors(draft_of(app))] == ["most"]
    field.set_value("2").run()
    assert recipe_of(app).most == 2
    assert not who_errors(draft_of(app))


def test_rows_that_name_nobody_are_left_out_or_each_their_own() -> None:
    table = made_up.numeric_records(120)
    missing = int(table["MRN"].isna().sum())
    app = answer(shown(table), "candidate-0")
    question = named(app.radio, "who.missing_person")
    assert question.label == f"{missing} rows have no MRN"
    question.set_value(MissingPerson.OWN).run()
    assert recipe_of(app).missing_person is MissingPerson.OWN


def test_two_spellings_are_two_people_unless_the_owner_says_otherwise() -> None:
    table = made_up.clinic_visits(120)
    again = table.index[table["patient_id"].duplicated()][0]
    table.loc[again, "patient_id"] = f"{table.loc[again, 'patient_id'].lower()} "
    app = answer(shown(table), "candidate-0")
    assert not recipe_of(app).ids_ignore_case
    named(app.checkbox, "who.ids_ignore_case").check().run()
    assert recipe_of(app).ids_ignore_case


@pytest.mark.parametrize("word", ["=1+1", "<b>", "", "a\nb", "**p**"])
def test_a_word_that_is_none_cannot_name_who_is_protected(word: str) -> None:
    app = answer(opened(VISITS), "candidate-0")
    named(app.text_input, "who.one").set_value(word).run()
    assert not app.exception
    assert recipe_of(app).unit == Unit("patient", "patients")
    assert len(app.error) == 1


def test_words_are_used_everywhere() -> None:
    app = answer(opened(VISITS), "candidate-0")
    named(app.text_input, "who.one").set_value("Ärztin").run()
    named(app.text_input, "who.many").set_value("Ärztinnen").run()
    assert recipe_of(app).unit == Unit("Ärztin", "Ärztinnen")
    assert "Several rows of one Ärztin" in [radio.label for radio in app.radio]
    assert is_printable_word("Ärztin")


def test_other_words_leave_the_answer_as_it_is() -> None:
    """A browser returns the text it showed: that of the last words is no answer."""
    app = answer(opened(VISITS), "candidate-0")
    was = named(app.radio, "who.answer").key
    named(app.text_input, "who.one").set_value("woman").run()
    assert named(app.radio, "who.answer").key != was
    named(app.text_input, "who.many").set_value("women").run()
    assert not app.exception
    assert draft_of(app).who.answer == FOUND
    assert named(app.radio, "who.answer").value == "candidate-0"


@pytest.mark.parametrize(
    ("columns", "word"),
    [(("patientID",), "patient"), (("site", "subject_no"), "subject"), (("case",), None)],
)
def test_the_word_that_a_name_suggests(columns: tuple[str, ...], word: str | None) -> None:
    words = proposed_words(columns)
    assert (words and words[0]) == word


def test_a_new_table_is_asked_about_again() -> None:
    app = answer(opened(VISITS), "candidate-0")
    app.button(key="another").click().run()
    app.file_uploader[0].set_value(("other.csv", VISITS, "text/csv")).run()
    assert draft_of(app).who.answer == ""
    assert draft_of(app).who.one == "patient"
    assert owner_of(app).person.candidates


def test_another_column_is_counted_as_a_release_counts_it() -> None:
    lines = [f"{i % 5},{i % 7},{'0' * (i % 3)}{i % 40}" for i in range(400)]
    app = opened("\n".join(["a,b,batch", *lines]).encode(), "t.csv")
    named(app.radio, "who.answer").set_value("other").run()
    named(app.multiselect, "who.columns").set_value(["batch"]).run()
    assert draft_of(app).who.columns == ("batch",)
    assert not app.exception
    assert app.session_state["owner.counted"][2].people == len(
        {line.split(",")[2] for line in lines}
    )
