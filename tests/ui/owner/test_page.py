"""The page “Your data” without a browser: its steps, its address, and what it keeps."""

import streamlit

from dpca_core.data.recipe import Source
from sample_data.made_up_clinic import clinic_csv
from tests.ui.owner.uploads import again, answered, begun, draft_of, html, named, opened, owner_of
from ui.owner import text
from ui.state.session import SETTINGS


def step_of(app):
    return "".join(app.query_params.get("step", []))


def are_open(app):
    return [b.label for b in app.button if str(b.key).startswith("open-") and not b.disabled]


def test_the_empty_page_offers_a_table_and_the_clinic_is_one_click_away():
    app = begun()
    assert text.EMPTY_HEADLINE.split(",")[0] in html(app)
    assert are_open(app) == []
    assert dict(app.query_params) == {}
    app.button(key="try-clinic").click().run()
    assert not app.exception
    assert owner_of(app).source is not None
    assert len(draft_of(app).header) == 15
    assert owner_of(app).person.candidates[0].columns == ("patient_id",)
    assert step_of(app) == "who"


def test_a_step_opens_when_the_one_before_is_answered_and_not_by_a_link():
    app = begun()
    app.query_params["step"] = "columns"
    again(app, clinic_csv(), "visits.csv")
    assert (step_of(app), are_open(app)) == ("who", ["1 Who"])
    assert named(app.button, "who-on").disabled
    answered(app, "candidate-0")
    assert are_open(app) == ["1 Who", "2 Columns"]
    named(app.button, "who-on").click().run()
    assert not app.exception
    assert step_of(app) == "columns"
    app.button(key="open-who").click().run()
    assert step_of(app) == "who"
    assert app.button(key="open-release").disabled
    assert "spends the budget" in html(app)


def test_whoever_looks_at_the_first_rows_guesses_no_more():
    app = opened(clinic_csv(), "visits.csv")
    assert not app.dataframe
    app.button(key="first-rows").click().run()
    assert len(app.dataframe[0].value) == 6
    draft = draft_of(app)
    assert all(draft.column(name).seen for name in draft.header)
    typed = draft.merge({"age": {"low": "0", "high": "110", "source": "law or physics"}})
    assert typed.column("age")["low"].origin is Source.DECLARED
    app.button(key="first-rows").click().run()
    assert not app.dataframe
    assert draft_of(app).column("age").seen


def test_a_built_in_set_is_made_as_its_parameters_say_or_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr(streamlit, "switch_page", lambda page: None)
    app = begun()
    app.number_input(key="chaudhuri.n").set_value(2000)
    app.button(key="explore-chaudhuri").click().run()
    assert app.session_state[SETTINGS].data == "chaudhuri?n=2000"
    app.number_input(key="wangxu.n").set_value(200_000)
    app.number_input(key="wangxu.p").set_value(400)
    app.button(key="explore-wangxu").click().run()
    assert not app.exception
    (said,) = [error.value for error in app.error]
    assert "too many" in said
