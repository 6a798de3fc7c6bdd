"""A codebook, a saved recipe or saved choices go into the draft: what is typed stays."""

from dataclasses import replace

import pytest

from dpca_core.codebooks import Codebook, CodebookEntry, read_codebook
from dpca_core.data.recipe import Combine, MissingPerson, Source
from dpca_core.data.recipe_json import dumps, loads
from dpca_core.detection import questions as ask
from sample_data.made_up_clinic import CLINIC_HEADER
from tests.ui.owner.beginnings import CLINICS, PATIENTS, codebook, having, number
from ui.owner.codebook_merge import merge_codebook, read_choices, saved_choices
from ui.owner.column import Column, Entry, Use
from ui.owner.draft import EVERY_ROW, FOUND, Draft, Who
from ui.owner.edits import with_kept
from ui.owner.proposals import CONFIRMED, IN_RECIPE, TITLES
from ui.owner.session import printed_titles

DRAFT = having(Draft(CLINIC_HEADER, who=PATIENTS), "visit_date", use=Entry(Use.OUT))


def test_what_was_typed_the_person_and_a_known_comma_stay_and_what_differs_is_named():
    book = codebook(
        "patient_id,number,0,1,2,,,,",
        "ward,person,,,,,,,",
        "hr,number,30,75,220,per min,-1,,codebook",
    )
    typed = DRAFT.merge({"hr": {"low": "40", "high": "220.0", "missing": "9"}})
    for unit, differs in (("bpm", 1), ("Per min", 0)):
        draft, said = merge_codebook(typed, book, [number("hr", unit=unit)])
        assert said.count(f"hr: per min in the codebook, {unit} in the table") == differs
        assert "; yours stays where it differs: hr (low) and hr (missing)" in said
    assert draft.column("hr")["high"] == Entry("220.0", Source.CODEBOOK), "the same number"
    assert (draft.use_of("patient_id"), draft.use_of("ward")) == (Use.PERSON, Use.OUT)
    ldl = b'{"name": "ldl", "type": "number", "decimalChar": ","}'
    schema = read_codebook("c", b'{"fields": [%s]}' % ldl)
    for asked in ("", ask.THOUSANDS_COMMA):
        draft, _ = merge_codebook(having(DRAFT, "ldl", asked={"comma": asked}), schema)
        assert draft.column("ldl").asked == {"comma": asked or ask.DECIMAL_COMMA}


def test_what_a_codebook_calls_columns_is_printed_once_its_owner_says_so():
    """An answer is about names that were there: others are asked about, a recipe's stay with it."""
    labels = (("0", "Never"), ("1", "Former"), ("2", "Current"))
    entry = CodebookEntry("smoker", Use.CATEGORY, values=("0", "1", "2"), labels=labels)
    book = Codebook((replace(entry, title="Does the patient smoke?"),))
    draft, _ = merge_codebook(Draft(("smoker", "height"), who=Who(answer=EVERY_ROW)), book)
    assert (draft.asked, printed_titles(draft, {})) == ({TITLES: ""}, {})
    draft = draft.merge({"height": {"use": "number", "low": "0", "high": "9"}})
    done = replace(draft, asked={})
    # A list keeps its labels as long as it is the codebook's.
    for values, kept in (("0; 1; 2", ("Never", "Former", "Current")), ("0; 1", ())):
        recipe = done.merge({"smoker": {"values": values}}).recipe()
        assert recipe.categories[0].labels == kept
    renamed = Codebook((replace(entry, title="Dr. Ada"),))
    of_recipe = replace(renamed, recipe=done.recipe())
    confirmed = replace(draft, asked={TITLES: CONFIRMED})
    for before, read, answer in ((confirmed, renamed, ""), (done, of_recipe, IN_RECIPE)):
        assert merge_codebook(before, read)[0].asked == {TITLES: answer}


# --- A recipe, and choices that are not finished ---

OPEN = {ask.MISSING: "", ask.CODES: "", ask.IDENTIFIER: ""}


def fresh(who=PATIENTS):
    """A draft as it is after the upload: proposals that nobody confirmed, questions open."""
    draft = Draft(CLINIC_HEADER, who=who)
    for name in CLINIC_HEADER:
        draft = having(draft, name, use=Entry(Use.NUMBER, Source.FILE), asked=OPEN)
    return having(draft, "visit_date", use=Entry(Use.OUT, Source.FILE), asked={})


LEFT_OUT = {name: {"use": "out"} for name in ("visit_date", "dbp")}
FINISHED = merge_codebook(Draft(CLINIC_HEADER, who=PATIENTS).merge(LEFT_OUT), CLINICS)[0]
AT_MOST = {"combine": Combine.AT_MOST, "most": "3", "missing_person": MissingPerson.OWN}
READ = Column("dbp", {"use": Entry(Use.NUMBER)}).filled({"low": "44", "high": "132"})
READ_FROM_FILE = FINISHED.with_columns([READ])
NOT_PUBLIC = READ_FROM_FILE, having(FINISHED, "dbp", use=Entry(Use.OUT, Source.FILE))
PUBLIC = (
    replace(FINISHED, who=replace(PATIENTS, **AT_MOST, ids_ignore_case=True)),
    FINISHED.merge({"dbp": {"use": "scale", "values": "low; high"}}),
)


def book_of(draft):
    return read_codebook("recipe.json", dumps(draft.recipe()).encode())


@pytest.mark.parametrize("draft", PUBLIC + NOT_PUBLIC)
def test_saved_and_loaded_the_recipe_is_equal(draft):
    merged, said = merge_codebook(fresh(), book_of(draft))
    assert "differs" not in said
    assert merged.recipe() == draft.recipe()
    assert draft.recipe().bounds_are_public == (draft in PUBLIC)


def test_a_recipe_confirms_no_labels_of_a_file_and_what_the_owner_said_stays_beside_it():
    """A file of this year may have other labels, and they are printed."""
    asked = having(fresh(), "died", asked={ask.LABELS: "", ask.CODES: ""})
    draft, _ = merge_codebook(asked, book_of(FINISHED))
    assert draft.column("died").asked == {ask.LABELS: "", ask.CODES: IN_RECIPE}
    other = fresh(Who(("visit_date",), FOUND)).merge({"dbp": {"use": "category"}})
    draft, said = merge_codebook(other, book_of(FINISHED))
    assert said.endswith("yours stays where it differs: dbp (use) and who is protected.")
    assert (draft.who, draft.use_of("dbp")) == (other.who, Use.CATEGORY)


def test_a_recipe_does_not_say_that_nobody_has_two_rows_nor_who_is_protected_in_another_table():
    alone = replace(FINISHED, who=Who((), EVERY_ROW, "patient", "patients"))
    book = book_of(having(alone, "patient_id", use=Entry(Use.OUT)))
    assert merge_codebook(fresh(Who()), book)[0].who.answer == ""
    others = Draft(tuple(name for name in CLINIC_HEADER if name != "patient_id"))
    draft, _ = merge_codebook(others, book_of(FINISHED))
    assert [e.field for e in draft.missing_answers] == ["who"]


EARLIER = Draft(("secret_name",)).merge({"secret_name": {"low": "1"}}).for_header(CLINIC_HEADER)
NOBODY = replace(READ_FROM_FILE, who=Who())


@pytest.mark.parametrize(
    ("draft", "file"),
    [
        (FINISHED, "recipe.json"),
        (READ_FROM_FILE, "not-private-recipe.json"),
        (EARLIER, "choices.json"),
        (NOBODY, "choices.json"),
    ],
)
def test_finished_choices_are_a_recipe_and_others_are_kept_without_anything_of_the_file(
    draft, file
):
    name, text = saved_choices(replace(draft, people_guess="900", shares="36, 12"))
    assert name == file
    assert [word for word in ("900", "36, 12", "secret_name", "csv") if word in text] == []
    assert ("132" in text) == name.startswith("not-private")
    kept = read_choices(text.encode())
    if kept is None:
        assert loads(text) == draft.recipe()
    else:
        back = with_kept(DRAFT, kept)
        assert back.column("hr") == draft.column("hr")
        assert back.column("dbp")["low"].empty
        assert back.column("dbp").seen == (draft is NOBODY)
