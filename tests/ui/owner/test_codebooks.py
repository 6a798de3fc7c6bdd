"""A codebook, a saved recipe or saved choices go into the draft: what is typed stays."""

import json
import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpca_core.codebooks import CodebookError, EntryUse, read_codebook
from dpca_core.data.provenance import ONE_ROW
from dpca_core.data.recipe import Combine, MissingPerson, Recipe, Source
from dpca_core.data.recipe_json import dumps, loads
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.detection import questions as ask
from sample_data.made_up_clinic import CLINIC_HEADER, table_schema_json
from tests.paths import ROOT
from tests.ui.owner.beginnings import CLINICS, PATIENTS, draft_of, having
from ui.owner.codebook_merge import merge_codebook, read_choices, saved_choices
from ui.owner.column import Column, Entry, Use
from ui.owner.draft import CANNOT_TELL, EVERY_ROW, FOUND, Draft, Who
from ui.owner.edits import with_kept
from ui.owner.proposals import CONFIRMED, IN_RECIPE, TITLES
from ui.owner.session import OWNER, printed_titles
from ui.owner.table_source import Owner
from ui.owner.text import say

DRAFT = having(Draft(CLINIC_HEADER, who=PATIENTS), "visit_date", use=Entry(Use.OUT))
SCHEMA = read_codebook("c", table_schema_json())


def codebook(*lines):
    head = "column,use,low,typical,high,unit,missing,values,source"
    return read_codebook("c.csv", "\n".join([head, *lines]).encode())


HR = codebook("hr,number,30,75,220,per min,,,codebook")


def origins(draft):
    return {draft.column("hr")[field].origin for field in ("low", "typical", "high")}


def texts(draft):
    return tuple(draft.column("hr")[field].text for field in ("low", "typical", "high"))


def test_a_schema_leaves_what_it_does_not_say_and_its_values_stay_whole():
    draft, _ = merge_codebook(DRAFT.merge({"hr": {"typical": "75"}}), SCHEMA)
    assert texts(draft) == ("30", "75", "220")
    assert draft.column("hr")["typical"].origin is Source.GUESS
    ward = {"name": "ward", "type": "string", "constraints": {"enum": ["a;b", "c"]}}
    book = read_codebook("c", json.dumps({"fields": [ward]}).encode())
    draft, _ = merge_codebook(DRAFT, book)
    assert draft.column("ward")["values"] == Entry('"a;b"; c', Source.CODEBOOK)


def test_what_was_typed_stays_and_is_named_and_what_is_the_same_is_the_codebooks():
    typed = DRAFT.merge({"hr": {"low": "40", "high": "220.0", "missing": "9"}})
    draft, said = merge_codebook(typed, codebook("hr,number,30,75,220,,-1,,codebook"))
    assert said.endswith("found; yours stays where it differs: hr (low) and hr (missing).")
    assert texts(draft) == ("40", "75", "220.0")
    assert draft.column("hr")["low"].origin is Source.GUESS
    assert draft.column("hr")["high"].origin is Source.CODEBOOK
    assert draft.column("hr")["missing"].text == "9"
    by_law = DRAFT.merge({"hr": {"source": "law or physics", "low": "0"}})
    assert "hr (low)" in merge_codebook(by_law, HR)[1]
    chosen, said = merge_codebook(DRAFT.merge({"hr": {"use": "out"}}), HR)
    assert (chosen.column("hr").use, "hr (use)" in said) == (Use.OUT, True)


def test_cells_of_the_file_or_of_another_codebook_are_replaced_and_a_look_is_not_forgotten():
    number = DRAFT.merge({"hr": {"use": "number"}}).column("hr")
    filled = DRAFT.with_columns([number.filled({"low": "41", "high": "180"})])
    first, said = merge_codebook(filled, HR)
    assert origins(first) == {Source.CODEBOOK}
    assert first.column("hr").seen
    second, _ = merge_codebook(first, codebook("hr,number,20,70,300,,,,law or physics"))
    assert (texts(second), origins(second)) == (("20", "70", "300"), {Source.LAW})
    assert "differs" not in said
    noticed = having(DRAFT, "hr", missing=Entry("999", Source.FILE), use=Entry("out", Source.FILE))
    column = merge_codebook(noticed, codebook("hr,number,30,75,220,,-1;-9,,"))[0].column("hr")
    assert column["missing"] == Entry("-1; -9", Source.CODEBOOK)
    assert column["use"] == Entry(Use.NUMBER, Source.CODEBOOK)


SOURCES = {"guess": Source.DECLARED, "read from the file": Source.FILE}
SOURCES |= {str(one): one for one in (Source.CODEBOOK, Source.LAW, Source.DECLARED)}
SOURCES |= {"noticed in the file": Source.NOTICED}


def test_after_a_look_a_guess_is_declared_and_a_range_from_the_file_is_a_look():
    for said, source in SOURCES.items():
        block = codebook(f"hr,number,30,75,220,,,,{said}")
        assert origins(merge_codebook(having(DRAFT, "hr", seen=True), block)[0]) == {source}
        draft, _ = merge_codebook(DRAFT, block)
        assert draft.column("hr").seen == (source is Source.FILE)


def test_the_person_stays_the_person_and_another_one_is_left_out():
    lines = codebook("patient_id,number,0,1,2,,,,", "ward,person,,,,,,,")
    draft, _ = merge_codebook(DRAFT, lines)
    assert draft.use_of("patient_id") is Use.PERSON
    assert draft.use_of("ward") is Use.OUT
    assert draft.who == PATIENTS


def test_questions_that_the_codebook_settles():
    """It fills the fields that they are about; what a comma means is asked about the file."""

    def settled(book, name, **questions):
        return merge_codebook(having(DRAFT, name, asked=questions), book)[0].column(name)

    asked = {"missing": "", "codes": "", "comma": ""}
    assert settled(CLINICS, "sbp", **asked).open_questions == ()
    assert settled(CLINICS, "dbp", missing="").open_questions == ("missing",), "it names no code"
    for name in ("ldl", "visit_date"):
        assert settled(SCHEMA, name, comma="").asked == {"comma": ask.DECIMAL_COMMA}
    own = {"comma": ask.THOUSANDS_COMMA}
    assert settled(SCHEMA, "ldl", **own).asked == own, "the owner’s own answer"


def test_ten_thousand_columns_and_problems_make_one_short_sentence():
    _, said = merge_codebook(DRAFT, codebook(*(f"c{i},number,9,,1,,,," for i in range(9_000))))
    assert said.startswith("0 of 15 columns found; c0, c1, c2 and 8,997 more are not")
    assert said.endswith("; 8,995 more like these.")
    assert len(said) < 600


# --- A recipe, and choices that are not finished ---

OPEN = {ask.MISSING: "", ask.CODES: "", ask.IDENTIFIER: ""}


def fresh(who=PATIENTS, *, commas=False):
    """A draft as it is after the upload: proposals that nobody confirmed, questions open."""
    draft = Draft(CLINIC_HEADER, who=who)
    for name in CLINIC_HEADER:
        draft = having(draft, name, use=Entry(Use.NUMBER, Source.FILE), asked=OPEN)
    if commas:
        draft = having(draft, "died", asked={**OPEN, ask.COMMA: ""})
    return having(draft, "visit_date", use=Entry(Use.OUT, Source.FILE), asked={})


LEFT_OUT = {name: {"use": "out"} for name in ("visit_date", "dbp")}
FINISHED = merge_codebook(Draft(CLINIC_HEADER, who=PATIENTS).merge(LEFT_OUT), CLINICS)[0]
AT_MOST = {"combine": Combine.AT_MOST, "most": "3", "missing_person": MissingPerson.OWN}
TYPED_LATE = {"low": "1e1", "high": " 300 ", "typical": ""}
READ = Column("dbp", {"use": Entry(Use.NUMBER)}).filled({"low": "44", "high": "132"})
NOT_PUBLIC = {
    "read from the file": FINISHED.with_columns([READ]),
    "left out unasked": having(FINISHED, "dbp", use=Entry(Use.OUT, Source.FILE)),
}
CHANGES = {
    "as it is": FINISHED,
    "at most 3 rows": replace(FINISHED, who=replace(PATIENTS, **AT_MOST, ids_ignore_case=True)),
    "a confirmed proposal": having(FINISHED, "hr", use=Entry(Use.NUMBER, Source.NOTICED)),
    "a scale": FINISHED.merge({"dbp": {"use": "scale", "values": "low; high"}}),
    "typed late": having(FINISHED, "hr", seen=True).merge({"hr": TYPED_LATE}),
    "decimal commas": replace(FINISHED, reading=TextFileFormat(",", ",", ".")),
    "thousands": replace(FINISHED, reading=TextFileFormat(",", ".", ",")),
    "either mark": replace(FINISHED, reading=TextFileFormat(decimal=EITHER)),
}


def book_of(draft):
    return read_codebook("recipe.json", dumps(draft.recipe()).encode())


@pytest.mark.parametrize("name", [*CHANGES, *NOT_PUBLIC])
def test_saved_and_loaded_the_recipe_is_equal(name):
    draft = (CHANGES | NOT_PUBLIC)[name]
    recipe = draft.recipe()
    commas = "," in recipe.number_format.decimal + recipe.number_format.thousands
    merged, said = merge_codebook(fresh(commas=commas), book_of(draft))
    assert "differs" not in said
    assert merged.recipe() == recipe
    assert recipe.bounds_are_public == (name not in NOT_PUBLIC)


def test_a_recipe_confirms_no_labels_of_values_that_a_file_has():
    """A file of this year may have others, and they are printed."""
    asked = having(fresh(), "died", asked={ask.LABELS: "", ask.CODES: ""})
    draft, _ = merge_codebook(asked, book_of(FINISHED))
    assert draft.column("died").asked == {ask.LABELS: "", ask.CODES: IN_RECIPE}
    assert draft.missing_answers == ()


def test_what_step_1_and_the_owner_said_stays_beside_a_recipe():
    other = fresh(Who(("visit_date",), FOUND)).merge({"dbp": {"use": "category"}})
    draft, said = merge_codebook(other, book_of(FINISHED))
    assert said.endswith("yours stays where it differs: dbp (use) and who is protected.")
    assert draft.who == other.who
    assert draft.use_of("dbp") is Use.CATEGORY


def test_a_recipe_says_that_rows_cannot_be_told_apart_and_not_that_nobody_has_two():
    def nameless(answer):
        alone = replace(FINISHED, who=Who((), answer, "patient", "patients"))
        return book_of(having(alone, "patient_id", use=Entry(Use.OUT)))

    pupils = Who((), "", "pupil", "pupils", noticed=True)
    draft, _ = merge_codebook(fresh(pupils), nameless(CANNOT_TELL))
    assert draft.who == replace(pupils, answer=CANNOT_TELL)
    assert draft.unit == ONE_ROW
    other, said = merge_codebook(fresh(Who(answer=EVERY_ROW)), nameless(CANNOT_TELL))
    assert (other.who.answer, "who is protected" in said) == (EVERY_ROW, True)
    assert merge_codebook(fresh(Who()), nameless(EVERY_ROW))[0].who.answer == ""


def test_a_recipe_whose_person_is_no_column_of_the_table_asks_who_is_protected():
    others = Draft(tuple(name for name in CLINIC_HEADER if name != "patient_id"))
    draft, _ = merge_codebook(others, book_of(FINISHED))
    assert [e.field for e in draft.missing_answers] == ["who"]
    assert not isinstance(draft.recipe(), Recipe)


def saved(draft):
    """The file's name, its text, and what comes back from it where it is no recipe."""
    name, text = saved_choices(draft)
    kept = read_choices(text.encode())
    assert (kept is None) == ("recipe" in name)
    return name, text, kept and with_kept(DRAFT, kept)


def test_finished_choices_are_a_recipe_and_others_are_kept_as_they_are_typed():
    name, text, back = saved(FINISHED)
    assert (name, loads(text), back) == ("recipe.json", FINISHED.recipe(), None)
    typed = DRAFT.merge({"hr": {"use": "number", "low": "1e", "high": "12,5", "unit": "per min"}})
    name, _, back = saved(typed)
    assert (name, back.column("hr")) == ("choices.json", typed.column("hr"))
    with pytest.raises(CodebookError, match="These choices cannot be read"):
        read_choices(b'{"format": "dpca-draft/1", ')


def test_no_file_of_choices_has_answers_of_decide_names_of_files_or_earlier_columns():
    earlier = Draft(("secret_name",)).merge({"secret_name": {"low": "1"}})
    for draft in (DRAFT, FINISHED, earlier.for_header(CLINIC_HEADER)):
        _, text, _ = saved(replace(draft, people_guess="900", shares="36, 12"))
        assert [word for word in ("900", "36, 12", "secret_name") if word in text] == []
        assert "csv" not in text.replace('"dpca-', "")


def test_the_name_of_a_recipe_says_that_something_was_read_and_choices_keep_none_of_it():
    filled = FINISHED.with_columns([READ])
    name, text, _ = saved(filled)
    assert (name, "132" in text) == ("not-private-recipe.json", True)
    name, text, back = saved(replace(filled, who=Who()))
    assert (name, "132" in text) == ("choices.json", False)
    assert (back.column("dbp")["low"].empty, back.column("dbp").seen) == (True, True)


# --- The controls, and the page of the documents ---

CLINIC = Draft(CLINIC_HEADER, who=PATIENTS).merge({"visit_date": {"use": "out"}})


def page() -> None:
    from ui.owner import step_columns

    step_columns._draw_toolbar()
    step_columns._draw_opened()


def opened(draft=CLINIC):
    test = AppTest.from_function(page, default_timeout=30)
    test.session_state[OWNER] = Owner(draft)
    test.run()
    return press(test, say("load"))


def press(test, label):
    next(button for button in test.button if button.label == label).click()
    test.run()
    assert not test.exception
    return test


def load(test, lines):
    """Load a codebook; return what is said of it."""
    if not test.file_uploader:
        press(test, say("load"))
    test.file_uploader[0].set_value(("codebook.csv", lines.encode(), "text/csv")).run()
    assert not test.exception
    return " ".join(element.value for element in test.markdown)


def test_the_clinics_codebook_in_two_clicks_for_the_clinic_alone():
    test = press(opened(), say("use_clinics"))
    assert draft_of(test).missing_answers == ()
    recipe = draft_of(test).recipe()
    assert (recipe.bounds_are_public, len(recipe.numbers)) == (True, 10)
    assert {c.source for c in recipe.columns} == {Source.CODEBOOK, Source.LAW}
    assert [n.missing for n in recipe.numbers[:2]] == [("-1",), ("999",)]
    assert any("13 of 15 columns found" in element.value for element in test.markdown)
    assert not test.file_uploader
    for done in (test, opened(Draft(("a", "b")))):
        assert say("use_clinics") not in [button.label for button in done.button]


def test_a_file_is_loaded_beside_what_is_there_and_one_that_cannot_be_read_is_said():
    test = opened(CLINIC.merge({"hr": {"low": "40"}}))
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
    # A list keeps its labels as long as it is the codebook's; of columns they are asked about.
    draft, _ = merge_codebook(Draft(("smoker", "height"), who=Who(answer=EVERY_ROW)), redcap)
    assert draft.asked == {TITLES: ""}
    smoker = draft.column("smoker")
    assert (smoker.title, smoker.kept_by_tab.count("Former")) == ("Does the patient smoke?", 1)
    for values, labels in (("0; 1; 2", ("Never", "Former", "Current")), ("0; 1", ())):
        recipe = replace(draft, asked={}).merge({"smoker": {"values": values}}).recipe()
        assert recipe.categories[0].labels == labels
    assert printed_titles(draft, {}) == {}
    # An answer is about labels that were there: others are asked about, a recipe's stay with it.
    renamed = replace(redcap, entries=tuple(replace(e, title="Dr. Ada") for e in redcap.entries))
    of_recipe = replace(renamed, recipe=replace(draft, asked={}).recipe())
    answered = replace(draft, asked={TITLES: CONFIRMED})
    for before, book, answer in (
        *((answered, redcap, CONFIRMED), (answered, renamed, "")),
        *((draft, of_recipe, ""), (replace(draft, asked={}), of_recipe, IN_RECIPE)),
    ):
        assert merge_codebook(before, book)[0].asked == {TITLES: answer}
    saved = read_codebook("r.json", dumps(replace(draft, asked={}).recipe()).encode())
    assert saved.entries[-1].labels == (("0", "Never"), ("1", "Former"), ("2", "Current"))
