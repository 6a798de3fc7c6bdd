"""A codebook, a saved recipe or saved choices go into the draft: what is typed stays."""

import re
from dataclasses import replace

import pytest

from dpca_core.codebooks import Codebook, CodebookEntry, read_codebook
from dpca_core.data.recipe import ONE_ROW, Combine, MissingPerson, Recipe, Source
from dpca_core.data.recipe_json import dumps, loads
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.detection import questions as ask
from sample_data.made_up_clinic import CLINIC_HEADER, clinic_csv, table_schema_json
from tests.paths import ROOT
from tests.ui.owner.beginnings import CLINICS, PATIENTS, codebook, having, number, opened
from ui.owner.codebook_merge import merge_codebook, read_choices, saved_choices
from ui.owner.column import Column, Entry, Use
from ui.owner.draft import CANNOT_TELL, EVERY_ROW, FOUND, Draft, Who
from ui.owner.edits import with_kept
from ui.owner.proposals import CONFIRMED, IN_RECIPE, TITLES
from ui.owner.session import printed_titles

DRAFT = having(Draft(CLINIC_HEADER, who=PATIENTS), "visit_date", use=Entry(Use.OUT))
SCHEMA = read_codebook("c", table_schema_json())


@pytest.mark.parametrize(
    ("typed", "stays"),
    [
        ({}, "(nothing)"),
        # The same number is the codebook's.
        ({"low": "40", "high": "220.0", "missing": "9"}, "hr (low) and hr (missing)"),
        ({"source": "law or physics", "low": "0"}, "hr (low)"),
        ({"use": "out"}, "hr (use)"),
        ({"use": "category", "missing": "1,0"}, "hr (use) and hr (missing)"),
    ],
)
def test_what_was_typed_stays_and_is_named(typed, stays):
    book = codebook("hr,number,30,75,220,,-1,,codebook")
    draft, said = merge_codebook(DRAFT.merge({"hr": typed}), book)
    assert said.partition("; yours stays where it differs: ")[2] in (f"{stays}.", "")
    assert ("differs" in said) == bool(typed)
    kept = {field: draft.column("hr")[field].text for field in typed if field != "source"}
    assert kept == {field: text for field, text in typed.items() if field != "source"}


def test_the_person_stays_the_person_and_another_one_is_left_out():
    lines = codebook("patient_id,number,0,1,2,,,,", "ward,person,,,,,,,")
    draft, _ = merge_codebook(DRAFT, lines)
    assert (draft.use_of("patient_id"), draft.use_of("ward")) == (Use.PERSON, Use.OUT)
    assert draft.who == PATIENTS


def test_what_a_comma_means_is_asked_about_the_file_unless_the_codebook_says_it():
    for name, asked in (("ldl", ""), ("visit_date", ""), ("ldl", ask.THOUSANDS_COMMA)):
        draft, _ = merge_codebook(having(DRAFT, name, asked={"comma": asked}), SCHEMA)
        assert draft.column(name).asked == {"comma": asked or ask.DECIMAL_COMMA}


def test_another_unit_in_the_table_and_thousands_of_problems_make_one_short_sentence():
    for there, unit, differs in (("per min", "bpm", 1), ("per min", "Per min", 0), ("", "bpm", 0)):
        book = codebook(f"hr,number,30,75,220,{there},,,codebook")
        _, said = merge_codebook(DRAFT, book, [number("hr", unit=unit)])
        assert said.count(f"hr: per min in the codebook, {unit} in the table") == differs
    _, said = merge_codebook(DRAFT, codebook(*(f"c{i},number,9,,1,,,," for i in range(9_000))))
    assert said.startswith("0 of 15 columns found; c0, c1, c2 and 8,997 more are not")
    assert said.endswith("; 8,995 more like these.")
    assert len(said) < 600


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
    # Labels that do not tell the values apart are none.
    twice = Codebook((replace(entry, labels=(*labels[:2], ("2", "Never"))),))
    merged = replace(merge_codebook(done, twice)[0], asked={})
    assert merged.recipe().categories[0].labels == ()
    renamed = Codebook((replace(entry, title="Dr. Ada"),))
    of_recipe = replace(renamed, recipe=done.recipe())
    confirmed = replace(draft, asked={TITLES: CONFIRMED})
    for before, read, answer in (
        (confirmed, book, CONFIRMED),
        (confirmed, renamed, ""),
        (draft, of_recipe, ""),
        (done, of_recipe, IN_RECIPE),
    ):
        assert merge_codebook(before, read)[0].asked == {TITLES: answer}


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
    "typed late": having(FINISHED, "hr", seen=True).merge({"hr": {"low": "1e1", "typical": ""}}),
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
    assert (draft.who, draft.use_of("dbp")) == (other.who, Use.CATEGORY)


@pytest.mark.parametrize(
    ("here", "there", "answer"),
    [("", CANNOT_TELL, CANNOT_TELL), (EVERY_ROW, CANNOT_TELL, EVERY_ROW), ("", EVERY_ROW, "")],
)
def test_a_recipe_says_that_rows_cannot_be_told_apart_and_not_that_nobody_has_two(
    here, there, answer
):
    alone = replace(FINISHED, who=Who((), there, "patient", "patients"))
    book = book_of(having(alone, "patient_id", use=Entry(Use.OUT)))
    draft, said = merge_codebook(fresh(Who((), here, "pupil", "pupils", noticed=True)), book)
    assert draft.who.answer == answer
    assert ("who is protected" in said) == bool(here)
    assert (draft.unit == ONE_ROW) == (answer == CANNOT_TELL)
    assert (draft.who.one, draft.who.noticed) == ("pupil" if answer else "patient", True)


def test_a_recipe_whose_person_is_no_column_of_the_table_asks_who_is_protected():
    others = Draft(tuple(name for name in CLINIC_HEADER if name != "patient_id"))
    draft, _ = merge_codebook(others, book_of(FINISHED))
    assert [e.field for e in draft.missing_answers] == ["who"]
    assert not isinstance(draft.recipe(), Recipe)


TYPED = DRAFT.merge({"hr": {"use": "number", "low": "1e", "high": "12,5", "unit": "per min"}})
EARLIER = Draft(("secret_name",)).merge({"secret_name": {"low": "1"}}).for_header(CLINIC_HEADER)
NOBODY = replace(NOT_PUBLIC["read from the file"], who=Who())


@pytest.mark.parametrize(
    ("draft", "file"),
    [
        (FINISHED, "recipe.json"),
        (NOT_PUBLIC["read from the file"], "not-private-recipe.json"),
        *((draft, "choices.json") for draft in (DRAFT, TYPED, EARLIER, NOBODY)),
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


# --- On the page, and in the documents ---


def load(page, lines):
    """Load a codebook; return what is said of it."""
    page.upload(lines.encode(), "codebook.csv", by="load-codebook")
    return " ".join(element.value for element in (*page.markdown, *page.error))


def test_codebooks_and_choices_are_loaded_beside_what_is_there():
    page = opened(clinic_csv(), "visits.csv").answered(("patient_id",))
    page.named("who-on").click().run()
    page.keep(draft=page.draft.merge({"hr": {"low": "40"}}))
    assert "not a codebook" in load(page, "30 75 220")
    assert "These choices cannot be read" in load(page, '{"format": "dpca-draft/1", ')
    load(page, "column,low,typical,high\nhr,30,75,220\nsbp,60,125,260\n")
    assert len(page.error) == 0
    assert page.draft.column("sbp")["high"] == Entry("260", Source.CODEBOOK)
    saved = Draft(("hr", "other")).merge({"hr": {"low": "1", "unit": "m"}, "other": {"low": "2"}})
    said = load(page, saved_choices(saved)[1])
    assert "1 of 15 columns found; other is not in your table." in said
    column = page.draft.column("hr")
    assert (column["low"].text, column["unit"].text) == ("40", "m")
    said = load(page, "column,low,high\n<img src=x>,0,1\n**bold** [a](b),0,1\n")
    assert r"\<img src=x\>" in said, "names are shown as they are"
    assert r"bold \[a\](b)" in said
    page.press("clinics-codebook")
    assert "13 of 15 columns found" in " ".join(element.value for element in page.markdown)
    assert not page.file_uploader
    assert page.draft.column("age")["high"].origin in (Source.CODEBOOK, Source.LAW)
    # Choices are stored when they are asked for: each key changed the address of the file, which
    # the browser then found missing.
    (save,) = page.get("download_button")
    assert (bool(save.proto.deferred_file_id), save.proto.url) == (True, "")


BLOCKS = re.compile(r"^```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_document_are_read_as_it_says():
    document = (ROOT / "docs" / "codebooks.md").read_text("utf-8")
    simple, schema, redcap = (read_codebook("c", b.encode()) for b in BLOCKS.findall(document))
    assert [book.problems for book in (simple, schema, redcap)] == [(), (), ()]
    number, out = Use.NUMBER, Use.OUT
    assert [entry.use for entry in simple.entries] == [number, Use.CATEGORY, out, number]
    assert simple.entries[3].source is Source.LAW
    assert (schema.entries[1].decimal, schema.entries[3].use) == (",", out)
    assert [entry.name for entry in redcap.entries[-2:]] == ["symptoms___1", "symptoms___2"]
    assert redcap.entries[3].values == ("0", "1", "2")
