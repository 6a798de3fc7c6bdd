"""The draft: typed text stays, its source follows from how it came, JSON gives it back."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import CategoryCoding, Combine, Recipe, RowLength, Source
from dpca_core.data.recipe_checks import require_valid
from dpca_core.data.text_file_format import TextFileFormat
from tests.ui.owner.drafts import every_row, having
from ui.owner.column import ANSWER, NAMED, PUBLIC, TYPED, Column, Entry, Use
from ui.owner.draft import CANNOT_TELL, FORMAT, FOUND, Draft, Who, of_json, to_json
from ui.owner.draft_errors import NEEDS_VALUES

NAMES = ("age", "sex", "__proto__", "", "=cmd")
FIELDS = (*TYPED, "unit", "missing", "use", "source", f"{ANSWER}code", "nothing")
TEXTS = st.sampled_from(["", "1e", "12,5", "0", "100", "−1", "a; b", "a; a", "1e400"])
TEXTS |= st.sampled_from([*Use, *Source]) | st.text(max_size=4)
FILLED = st.just({"low": "3", "high": "9", "values": "p; q"})
NAME = st.sampled_from(NAMES)
STEPS = st.lists(
    st.tuples(NAME, st.sampled_from(FIELDS), TEXTS) | st.tuples(NAME, st.just("fill"), FILLED)
)
RANGE = {"use": "number", "low": "0", "high": "1"}


def ready(**columns):
    """Draft with these edits; two columns with a range are there already."""
    given_ones = dict.fromkeys("pq", RANGE)
    return every_row([*given_ones, *columns], **given_ones, **columns)


def changed(draft, name, field, value):
    """Take an edit, or fill a column's empty cells."""
    if field == "fill":
        return draft.with_columns([draft.column(name).filled(value)])
    return draft.merge({name: {field: value}})


@given(STEPS)
def test_random_edits_lose_nothing_and_raise_nothing(steps):
    draft, last = every_row(NAMES), {}
    for name, field, value in steps:
        draft = changed(draft, name, field, value)
        new = value if field == "fill" else {field: value}
        empty = {key for key in new if field != "fill" or not last.get((name, key), "").strip()}
        last |= {(name, key): new[key] for key in empty}
    for (name, field), text in last.items():
        if field in (*TYPED, "unit", "missing"):
            assert draft.column(name)[field].text == text
    recipe = draft.recipe()
    if isinstance(recipe, Recipe):
        require_valid(recipe)
    else:
        assert recipe


@given(STEPS)
def test_what_was_filled_never_becomes_public(steps):
    """After a look no cell that is typed, and no cell that was read, gets a public source."""
    draft = changed(every_row(["age"]), "age", "fill", {"low": "3", "high": "9"})
    for _, field, value in steps:
        draft = changed(draft, "age", field, value)
        after = draft.column("age")
        assert after.seen
        assert all(after[n].origin not in (*PUBLIC, Source.GUESS) for n in TYPED)


@pytest.mark.parametrize(
    ("cells", "field", "sentence"),
    [
        ({"low": "1"}, "high", "needs a range"),
        ({"low": "5", "high": "5"}, "low", "low must be below high"),
        ({"low": "1", "high": "5", "typical": "7"}, "typical", "typical must lie between"),
        ({"low": "1", "high": "12,5"}, "high", "not a number: 12,5 (write 12.5)"),
        ({"low": "0", "high": "1e400"}, "high", "not a number: 1e400"),
        ({"use": "category", "values": "yes; ;"}, "values", NEEDS_VALUES),
        ({"use": "category", "values": "yes, no, yes"}, "values", "“yes” is there twice"),
    ],
)
def test_an_error_stands_beside_its_cell(cells, field, sentence):
    draft = ready(a={"use": "number", **cells})
    error = draft.missing_answers[0]
    assert (error.column, error.field, error.sentence) == ("a", field, sentence)
    assert draft.recipe() == draft.errors


def test_a_recipe_is_made_of_what_is_typed():
    number = {"low": "−5", "typical": "1e1", "high": "40", "unit": "°C", "missing": "−1; 999"}
    recipe = ready(t={"use": "number", **number}, s={"use": "category", "values": "f; m"}).recipe()
    column = recipe.numbers[-1]
    assert (column.low, column.typical, column.high) == (-5, 10, 40)
    assert (column.unit, column.missing, column.source) == ("°C", ("-1", "999"), Source.GUESS)
    assert recipe.categories[0].values == ("f", "m")
    assert (recipe.row_length, recipe.category_coding) == (RowLength.ONE, CategoryCoding.CENTRED)
    assert recipe.bounds_are_public


def test_m_must_be_a_whole_number_and_two_columns_beside_the_persons_are_needed():
    several = Who(("id",), FOUND, combine=Combine.AT_MOST)
    draft = ready(id={"use": "out"})
    for text in ("", "0", "-1", "1.5", "x", "9" * 20):
        errors = replace(draft, who=replace(several, most=text)).errors
        assert [e.field for e in errors] == ["most"]
    recipe = replace(draft, who=replace(several, most=" 5 ")).recipe()
    assert (recipe.most, recipe.person) == (5, ("id",))
    one = replace(every_row(("id", "a"), a=RANGE), who=Who(("id",), FOUND))
    assert [e.field for e in one.errors] == ["columns"]
    assert replace(one, who=Who(answer=CANNOT_TELL)).missing_answers[0].column == "id"
    two = one.merge({"a": {"use": "category", "values": "x; y"}})
    assert isinstance(two.recipe(), Recipe), "a category is two"


def test_a_named_source_holds_for_what_was_and_will_be_typed():
    for source in NAMED:
        draft = ready(a={"use": "number", "low": "0"})
        assert draft.column("a")["low"].origin is Source.GUESS
        draft = draft.merge({"a": {"source": source, "high": "9"}})
        assert {draft.column("a")[end].origin for end in ("low", "high")} == {source}
        assert draft.merge({"a": {"source": Source.FILE}}) is draft


def test_another_file_keeps_what_was_typed_and_forgets_what_was_read():
    draft = having(ready(a={**RANGE, "high": ""}), "q", use=Entry(Use.NUMBER, Source.NOTICED))
    draft = changed(draft, "a", "fill", {"high": "9"})
    draft = replace(draft, who=Who(("p",), FOUND, "pupil", "pupils"), looked=True)
    other = draft.for_header(("a", "new", "q"))
    assert (other.column("a")["low"].text, other.column("a")["high"].text) == ("0", "")
    assert (other.column("a").seen, other.looked) == (True, True)
    assert (other.column("new"), other.column("q").use) == (Column("new"), None)
    assert (other.who.columns, other.who.answer, other.who.many) == ((), "", "pupils")
    assert other.for_header(("p",)).column("p")["high"].text == "1"


# --- As JSON ---

ANY_TEXT = st.text(max_size=5)
ENTRIES = st.dictionaries(st.sampled_from(FIELDS), st.from_type(Entry))
ANY_COLUMN = st.builds(Column, NAME | ANY_TEXT, ENTRIES)
EMPTY = to_json(Draft())
ONE = to_json(Draft(columns={"a": Column("a", {"low": Entry("1", Source.LAW)})}))


@given(st.lists(ANY_COLUMN, max_size=3), st.from_type(Who), ANY_TEXT, st.booleans())
def test_a_draft_survives_the_round_trip(columns, who, text, looked):
    draft = Draft(
        header=tuple(column.name for column in columns),
        columns={column.name: column for column in columns},
        who=who,
        reading=TextFileFormat(";", ",", missing=("", text)),
        people_guess=text,
        looked=looked,
        asked={"encoding": text},
    )
    assert of_json(to_json(draft)) == draft


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[" * 100_000, "cannot be read as JSON"),
        (json.dumps({**json.loads(EMPTY), "name": "x.csv"}), "unknown key, “name”"),
        (json.dumps({"format": FORMAT}), "no key “header”"),
        (json.dumps({"format": "dpca-draft/1"}), "its “format” must be"),
        (EMPTY.replace('"header": []', '"header": "ab"'), "“header” cannot be “ab”"),
        (ONE.replace("law or physics", "hearsay"), "“origin” cannot be “hearsay”"),
        (EMPTY.replace("averaged into one row", "mixed"), "“combine” cannot be “mixed”"),
    ],
)
def test_what_is_no_draft_is_refused_in_a_sentence(text, word):
    with pytest.raises(RecipeError, match=word):
        of_json(text)
