"""A draft written as JSON and read again is the same; anything else is refused by name."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.data.recipe import Combine, MissingPerson, Source
from dpca_core.data.text_file_format import TextFileFormat
from ui.owner.draft import Cell, Column, Draft, Use, Who
from ui.owner.draft_json import DraftJsonError, of_json, to_json

TEXT = st.text(max_size=5)
ORIGINS = st.one_of(st.none(), st.sampled_from(Source))
CELLS = st.builds(Cell, TEXT, ORIGINS)
COLUMNS = st.builds(
    Column,
    name=st.one_of(st.just("__proto__"), TEXT),
    use=st.one_of(st.none(), st.sampled_from(Use)),
    low=CELLS,
    typical=CELLS,
    high=CELLS,
    values=CELLS,
    unit=TEXT,
    missing=TEXT,
    seen=st.booleans(),
    asked=st.dictionaries(TEXT, TEXT, max_size=2),
    note=TEXT,
    use_origin=ORIGINS,
    missing_origin=ORIGINS,
    source=ORIGINS,
)
WHO = st.builds(Who, st.lists(TEXT).map(tuple), TEXT, TEXT, TEXT, st.sampled_from(Combine), TEXT)
EMPTY = to_json(Draft())


@given(st.lists(COLUMNS, max_size=3), WHO, TEXT, st.booleans())
def test_a_draft_survives_the_round_trip(
    columns: list[Column], who: Who, text: str, looked: bool
) -> None:
    draft = Draft(
        header=tuple(column.name for column in columns),
        columns={column.name: column for column in columns},
        who=replace(who, missing_person=MissingPerson.OWN, noticed=looked),
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
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "must be an object"),
        (changed(name="x.csv"), "“name” of the draft is unknown"),
        (EMPTY.replace('"looked"', '"locked"'), "“locked” of the draft is unknown"),
        (json.dumps({"format": "dpca-draft/1"}), "“asked” of the draft is missing"),
        (changed(format="dpca-recipe/1"), "“format” must be"),
        (changed(epsilon=1), "“epsilon” must hold a text"),
        (changed(looked=1), "“looked” must hold true or false"),
        (changed(header="ab"), "“header” must hold a list"),
        (changed(asked=[]), "“asked” must hold an object"),
        (changed(columns=[{}]), "of a column is missing"),
        (EMPTY.replace("averaged into one row", "mixed"), "“combine” does not know “mixed”"),
    ],
)
def test_what_is_no_draft_is_refused_in_a_sentence(text: str, word: str) -> None:
    with pytest.raises(DraftJsonError, match=word):
        of_json(text)


def test_a_cell_is_a_text_and_a_source() -> None:
    text = to_json(Draft(columns={"a": Column("a", low=Cell("1", Source.LAW))}))
    content = json.loads(text)
    assert content["columns"][0]["low"] == ["1", "law or physics"]
    content["columns"][0]["low"] = ["1"]
    with pytest.raises(DraftJsonError, match="“low” must hold a text and a source"):
        of_json(json.dumps(content))
