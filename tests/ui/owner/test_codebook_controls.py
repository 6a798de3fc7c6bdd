"""The controls for codebooks, and the page of the documents about them."""

import re

from streamlit.testing.v1 import AppTest

from dpca_core.codebooks import EntryUse, read_codebook
from dpca_core.data.recipe import Source
from sample_data.made_up_clinic import CLINIC_HEADER
from tests.paths import ROOT
from tests.ui.owner.drafts import PATIENTS
from tests.ui.owner.uploads import draft_of
from ui.owner import text
from ui.owner.codebook_merge import saved_choices
from ui.owner.column import Entry
from ui.owner.draft import Draft
from ui.owner.session import OWNER
from ui.owner.table_source import Owner

DRAFT = Draft(CLINIC_HEADER, who=PATIENTS).merge({"visit_date": {"use": "out"}})


def page() -> None:
    from ui.owner import step_columns

    step_columns._draw_toolbar()
    step_columns._draw_opened()


def opened(draft=DRAFT):
    test = AppTest.from_function(page, default_timeout=30)
    test.session_state[OWNER] = Owner(draft)
    test.run()
    return press(test, text.LOAD)


def press(test, label):
    next(button for button in test.button if button.label == label).click()
    test.run()
    assert not test.exception
    return test


def load(test, lines):
    """Load a codebook; return what is said of it."""
    if not test.file_uploader:
        press(test, text.LOAD)
    test.file_uploader[0].set_value(("codebook.csv", lines.encode(), "text/csv")).run()
    assert not test.exception
    return " ".join(element.value for element in test.markdown)


def test_the_clinics_codebook_in_two_clicks_for_the_clinic_alone():
    test = press(opened(), text.USE_CLINICS)
    assert draft_of(test).missing_answers == ()
    recipe = draft_of(test).recipe()
    assert (recipe.bounds_are_public, len(recipe.numbers)) == (True, 10)
    assert {c.source for c in recipe.columns} == {Source.CODEBOOK, Source.LAW}
    assert [n.missing for n in recipe.numbers[:2]] == [("-1",), ("999",)]
    assert any("13 of 15 columns found" in element.value for element in test.markdown)
    assert not test.file_uploader
    for done in (test, opened(Draft(("a", "b")))):
        assert text.USE_CLINICS not in [button.label for button in done.button]


def test_a_file_is_loaded_beside_what_is_there_and_one_that_cannot_be_read_is_said():
    test = opened(DRAFT.merge({"hr": {"low": "40"}}))
    load(test, "30 75 220")
    assert "not a codebook" in test.error[0].value
    load(test, "column,low,typical,high\nhr,30,75,220\nsbp,60,125,260\n")
    assert len(test.error) == 0
    assert draft_of(test).column("sbp")["high"] == Entry("260", Source.CODEBOOK)
    saved = Draft(("hr", "other")).merge({"hr": {"low": "1", "unit": "m"}, "other": {"low": "2"}})
    said = load(test, saved_choices(saved)[1])
    assert "1 of 15 columns found; other is not in your table." in said
    column = draft_of(test).column("hr")
    assert (column["low"].text, column["unit"].text) == ("40", "m")
    said = load(test, "column,low,high\n<img src=x>,0,1\n**bold** [a](b),0,1\n")
    assert r"\<img src=x\>" in said, "names are shown as they are"
    assert r"bold \[a\](b)" in said


def test_choices_to_be_saved_are_stored_when_they_are_asked_for():
    """Each key changed the address of the file, which the browser then found missing."""
    (save,) = opened().get("download_button")
    assert save.proto.deferred_file_id
    assert not save.proto.url


BLOCKS = re.compile(r"^```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_document_are_read_as_it_says() -> None:
    document = (ROOT / "docs" / "codebooks.md").read_text("utf-8")
    simple, schema, redcap = (read_codebook("c", b.encode()) for b in BLOCKS.findall(document))
    assert [book.problems for book in (simple, schema, redcap)] == [(), (), ()]
    number, out = EntryUse.NUMBER, EntryUse.OUT
    assert [entry.use for entry in simple.entries] == [number, EntryUse.CATEGORY, out, number]
    assert simple.entries[3].source is Source.LAW
    assert (schema.entries[1].decimal, schema.entries[3].use) == (",", out)
    assert [entry.name for entry in redcap.entries[-2:]] == ["symptoms___1", "symptoms___2"]
    assert redcap.entries[3].values == ("0", "1", "2")
