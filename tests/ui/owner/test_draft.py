"""The draft: typed text stays, its source follows from how it came, JSON gives it back."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import CategoryCoding, Combine, Recipe, RowLength, Source
from dpca_core.data.recipe_checks import require_valid
from dpca_core.data.text_file_format import TextFileFormat
from tests.ui.owner.drafts import having
from ui.owner.column import ANSWER, NAMED, PUBLIC, TYPED, Column, Entry, Use
from ui.owner.draft import CANNOT_TELL, EVERY_ROW, FORMAT, FOUND, Draft, Who, of_json, to_json
from ui.owner.draft_errors import NEEDS_VALUES

NAMES = ("age", "sex", "__proto__", "", "=cmd")
FIELDS = (*TYPED, "unit", "missing", "use", "source", f"{ANSWER}code", "nothing")
TEXTS = st.one_of(
    st.sampled_from(["", "1e", "12,5", "0", "100", "−1", "a; b", "a; a", "1e400"]),
    st.sampled_from([*Use, *Source]),
    st.text(max_size=4),
)
EDITS = st.tuples(st.sampled_from(NAMES), st.sampled_from(FIELDS), TEXTS)
FILLED = st.fixed_dictionaries(
    {"low": st.just("3"), "high": st.just("9"), "values": st.just("p; q")}
)
STEPS = st.lists(st.one_of(EDITS, st.tuples(st.sampled_from(NAMES), st.just("fill"), FILLED)))


def started(*names: str) -> Draft:
    return replace(Draft().for_header(names or NAMES), who=Who(answer=EVERY_ROW))


def ready(**columns: dict[str, str]) -> Draft:
    """Draft with these edits; two columns with a range are there already."""
    given_ones = {n: {"use": "number", "low": "0", "high": "1"} for n in ("p", "q")}
    return started(*given_ones, *columns).merge({**given_ones, **columns})


@given(STEPS)
def test_random_edits_lose_nothing_and_raise_nothing(steps: list[tuple[str, str, object]]) -> None:
    draft = started()
    last: dict[tuple[str, str], str] = {}
    for name, field, value in steps:
        if isinstance(value, dict):
            empty = {key for key in value if not last.get((name, key), "").strip()}
            last |= {(name, key): value[key] for key in empty}
            draft = draft.with_columns([draft.column(name).filled(value)])
        else:
            draft = draft.merge({name: {field: value}})
            last[name, field] = value
    for (name, field), text in last.items():
        if field in (*TYPED, "unit", "missing"):
            cell = draft.column(name)[field]
            assert cell.text == text
    recipe = draft.recipe()
    if isinstance(recipe, Recipe):
        require_valid(recipe)
    else:
        assert recipe


@given(STEPS)
def test_what_was_filled_never_becomes_public(steps: list[tuple[str, str, object]]) -> None:
    """After a look no cell that is typed, and no cell that was read, gets a public source."""
    draft = started("age")
    draft = draft.with_columns([draft.column("age").filled({"low": "3", "high": "9"})])
    for _, field, value in steps:
        if isinstance(value, dict):
            draft = draft.with_columns([draft.column("age").filled(value)])
        else:
            draft = draft.merge({"age": {field: value}})
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
def test_an_error_stands_beside_its_cell(cells: dict[str, str], field: str, sentence: str) -> None:
    draft = ready(a={"use": "number", **cells})
    error = draft.missing_answers[0]
    assert (error.column, error.field, error.sentence) == ("a", field, sentence)
    assert draft.recipe() == draft.errors


def test_a_recipe_is_made_of_what_is_typed() -> None:
    number = {"low": "−5", "typical": "1e1", "high": "40", "unit": "°C", "missing": "−1; 999"}
    recipe = ready(t={"use": "number", **number}, s={"use": "category", "values": "f; m"}).recipe()
    assert isinstance(recipe, Recipe)
    column = recipe.numbers[-1]
    assert (column.low, column.typical, column.high) == (-5, 10, 40)
    assert (column.unit, column.missing, column.source) == ("°C", ("-1", "999"), Source.GUESS)
    assert recipe.categories[0].values == ("f", "m")
    assert (recipe.row_length, recipe.category_coding) == (RowLength.ONE, CategoryCoding.CENTRED)
    assert recipe.bounds_are_public


def test_m_must_be_a_whole_number() -> None:
    several = Who(("id",), FOUND, combine=Combine.AT_MOST)
    draft = ready(id={"use": "out"})
    for text in ("", "0", "-1", "1.5", "x", "9" * 20):
        errors = replace(draft, who=replace(several, most=text)).errors
        assert [e.field for e in errors] == ["most"]
    recipe = replace(draft, who=replace(several, most=" 5 ")).recipe()
    assert (recipe.most, recipe.person) == (5, ("id",))


def test_two_columns_beside_the_persons_are_needed_and_a_category_is_two() -> None:
    one = started("id", "a").merge({"a": {"use": "number", "low": "0", "high": "1"}})
    one = replace(one, who=Who(("id",), FOUND))
    assert [e.field for e in one.errors] == ["columns"]
    assert replace(one, who=Who(answer=CANNOT_TELL)).missing_answers[0].column == "id"
    two = one.merge({"a": {"use": "category", "values": "x; y"}})
    assert isinstance(two.recipe(), Recipe)


@pytest.mark.parametrize("source", NAMED)
def test_a_named_source_holds_for_what_was_and_will_be_typed(source: Source) -> None:
    draft = ready(a={"use": "number", "low": "0"})
    assert draft.column("a")["low"].origin is Source.GUESS
    draft = draft.merge({"a": {"source": source, "high": "9"}})
    assert {draft.column("a")["low"].origin, draft.column("a")["high"].origin} == {source}
    assert draft.merge({"a": {"source": Source.FILE}}) is draft


def test_filling_takes_empty_cells_only_and_is_never_public_again() -> None:
    draft = ready(a={"use": "number", "low": "7", "source": "codebook"})
    draft = draft.with_columns([draft.column("a").filled({"low": "1", "high": "9"})])
    column = draft.column("a")
    assert (column["low"].text, column["low"].origin) == ("7", Source.CODEBOOK)
    assert (column["high"].text, column["high"].origin, column.seen) == ("9", Source.FILE, True)
    assert not draft.bounds_are_public
    assert draft.missing_answers == ()
    for source in NAMED:
        assert draft.merge({"a": {"source": source}}) is draft
    again = draft.merge({"a": {"high": ""}}).merge({"a": {"source": "law or physics", "high": "9"}})
    assert again.column("a")["high"].origin is Source.DECLARED
    assert again.bounds_are_public
    number = again.recipe().numbers[-1]
    assert (number.source, number.seen) == (Source.DECLARED, True)


def test_a_proposal_nobody_confirmed_counts_as_read_from_the_file() -> None:
    draft = having(ready(day={}), "day", use=Entry(Use.OUT, Source.FILE))
    assert (draft.missing_answers, draft.bounds_are_public) == ((), False)
    own = draft.merge({"day": {"use": "category", "values": "a; b"}})
    assert own.column("day")["use"].origin is Source.DECLARED
    typed = Column("a", {"use": Entry(Use.NUMBER, Source.FILE)}).edited("low", "1")
    assert (typed["use"].origin, typed.origin) == (Source.DECLARED, Source.GUESS)


def test_an_open_question_is_an_answer_that_is_missing() -> None:
    draft = having(ready(), "p", asked={"code": ""})
    assert [(e.column, e.field) for e in draft.missing_answers] == [("p", "asked.code")]
    assert not draft.bounds_are_public
    assert draft.merge({"p": {"asked.code": "missing"}}).bounds_are_public
    assert having(draft.merge({"p": {"use": "out"}}), "q", use=Entry(Use.OUT)).used == ()


def test_another_file_keeps_what_was_typed_and_forgets_what_was_read() -> None:
    draft = having(
        ready(a={"use": "number", "low": "7"}), "q", use=Entry(Use.NUMBER, Source.NOTICED)
    )
    draft = draft.with_columns([draft.column("a").filled({"high": "9"})])
    draft = replace(draft, who=Who(("p",), FOUND, "pupil", "pupils"), looked=True)
    other = draft.for_header(("a", "new", "q"))
    assert (other.column("a")["low"].text, other.column("a")["high"].text) == ("7", "")
    assert (other.column("a").seen, other.looked) == (True, True)
    assert (other.column("new"), other.column("q").use) == (Column("new"), None)
    assert (other.who.columns, other.who.answer, other.who.many) == ((), "", "pupils")
    back = other.for_header(("p",))
    assert back.column("p")["high"].text == "1"


ANY_TEXT = st.text(max_size=5)
ENTRIES = st.dictionaries(st.sampled_from(FIELDS), st.from_type(Entry))
ANY_COLUMN = st.builds(Column, st.sampled_from(NAMES) | ANY_TEXT, ENTRIES)
EMPTY = to_json(Draft())
ONE = json.dumps(
    json.loads(to_json(Draft(columns={"a": Column("a", {"low": Entry("1", Source.LAW)})})))
)


@given(st.lists(ANY_COLUMN, max_size=3), st.from_type(Who), ANY_TEXT, st.booleans())
def test_a_draft_survives_the_round_trip(columns, who, text, looked):
    draft = Draft(
        header=tuple(column.name for column in columns),
        columns={column.name: column for column in columns},
        who=who,
        reading=TextFileFormat(";", ",", missing=("", text)),
        people_guess=text,
        shares="60",
        looked=looked,
        asked={"encoding": text},
    )
    assert of_json(to_json(draft)) == draft


def changed(**values: Any) -> str:
    return json.dumps({**json.loads(EMPTY), **values})


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[" * 100_000, "cannot be read as JSON"),
        (changed(name="x.csv"), "unknown key, “name”"),
        (json.dumps({"format": FORMAT}), "no key “header”"),
        (json.dumps({"format": "dpca-draft/1"}), "its “format” must be"),
        (changed(header="ab"), "“header” cannot be “ab”"),
        (ONE.replace("law or physics", "hearsay"), "“origin” cannot be “hearsay”"),
        (EMPTY.replace("averaged into one row", "mixed"), "“combine” cannot be “mixed”"),
    ],
)
def test_what_is_no_draft_is_refused_in_a_sentence(text: str, word: str) -> None:
    with pytest.raises(RecipeError, match=word):
        of_json(text)
