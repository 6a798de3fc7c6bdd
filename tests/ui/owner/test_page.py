"""The page without a browser: its steps, and whose rows they are, which is always asked."""

from io import BytesIO

import pandas as pd

from dpca_core.data.recipe import Combine, MissingPerson, Source, Unit
from sample_data.made_up_clinic import clinic_csv
from tests.ui.owner.beginnings import PEOPLE, VISITS, opened
from ui.owner.draft import CANNOT_TELL, EVERY_ROW, FOUND
from ui.owner.steps import who_errors


def test_whoever_looks_at_the_first_rows_guesses_no_more():
    app = opened(clinic_csv(), "visits.csv")
    assert not app.dataframe
    app.press("first-rows")
    assert len(app.dataframe[0].value) == 6
    draft = app.draft
    assert all(draft.column(name).seen for name in draft.header)
    typed = draft.merge({"age": {"low": "0", "high": "110", "source": "law or physics"}})
    assert typed.column("age")["low"].origin is Source.DECLARED
    assert not app.press("first-rows").dataframe
    assert app.draft.column("age").seen


# --- Step 1 ---


def recipe_of(app):
    cells = {"use": "number", "low": "0", "high": "9", "missing": ""}
    draft = app.draft
    return draft.merge({column.name: cells for column in draft.used}).recipe()


def test_nothing_is_answered_before_the_owner_says_it_is_the_column_that_was_found():
    app = opened(VISITS)
    assert app.named("who.answer").value is None
    assert app.draft.who.person == ()
    assert who_errors(app.draft)
    said = "90 rows, 30 values of patient_id. Within one, age stays the same, or nearly always."
    assert said in app.html
    app.answered(("patient_id",))
    assert (app.draft.who.answer, app.draft.who.noticed) == (FOUND, True)
    recipe = recipe_of(app)
    assert (recipe.person, recipe.combine) == (("patient_id",), Combine.AVERAGE)
    assert recipe.unit == Unit("patient", "patients")
    # At most m rows needs a number that the owner gives.
    app.put("who.combine", Combine.AT_MOST)
    assert app.named("who.most").value == "", "the file's largest is never filled in"
    assert [e.field for e in who_errors(app.draft)] == ["most"]
    app.put("who.most", "2")
    assert (recipe_of(app).most, who_errors(app.draft)) == (2, ())
    app.upload(VISITS, "other.csv")
    assert (app.draft.who.answer, app.draft.who.one) == ("", "patient"), "asked again"
    app.answered(EVERY_ROW).upload(PEOPLE)
    assert not app.draft.who.noticed, "another table starts without the notice"


def test_rows_are_protected_as_rows_and_what_speaks_against_different_people_is_told():
    app = opened(VISITS).answered(CANNOT_TELL)
    assert recipe_of(app).person == ()
    (said,) = [one.value for one in app.warning]
    assert "one **row** is protected, not one patient" in said
    app.answered(EVERY_ROW)
    (said,) = [one.value for one in app.warning]
    assert "90 rows and 30 values of patient\\_id, of which one has 3 rows" in said
    assert not who_errors(app.draft), "nothing is decided by it"


def test_columns_that_the_owner_names_are_the_person_and_ids_missing_or_spelt_twice_asked_about():
    table = pd.read_csv(BytesIO(VISITS))
    table["patient_id"] = "P" + table["patient_id"].astype(str)
    table.loc[1, "patient_id"] = "p1000 "
    table.loc[::30, "patient_id"] = None
    app = opened(table.to_csv(index=False).encode()).answered("other")
    assert who_errors(app.draft)
    app.put("who.columns", ["patient_id", "age"])
    assert app.draft.who.columns == ("patient_id", "age")
    app.answered(("patient_id",))
    assert app.named("who.missing_person").label == r"3 rows without patient\_id"
    assert not recipe_of(app).ids_ignore_case
    app.put("who.missing_person", MissingPerson.OWN).put("who.ids_ignore_case", True)
    found = recipe_of(app)
    assert (found.missing_person, found.ids_ignore_case) == (MissingPerson.OWN, True)
