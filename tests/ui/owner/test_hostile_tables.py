"""Tables that nobody would make by chance: proposals come in time, and names are only names."""

import numpy as np
import pandas as pd
import pytest

from dpca_core.detection import questions as ask
from dpca_core.detection.columns import propose_columns
from tests.cases import sampled
from tests.hostile.one_sentence import bounded
from ui.owner.column import Use
from ui.owner.draft import Draft
from ui.owner.proposals import answered_for_all, shared_questions, with_proposals

NAMES = ["", " ", "__proto__", "=cmd|'/c calc'!A1", "<img src=x onerror=alert(1)>", "\u202egnp.exe"]
NAMES += ["x" * 4000, "a\nb", "[[red]] **b**", "asked.codes", "id", "שם"]
WORDS = {"texts": [*map(str, range(9))], "words": [f"w{sign}" for sign in range(9)]}


@pytest.mark.parametrize("kind", sampled([*WORDS, "numbers"], 3, "other cells, as many"))
def test_ten_thousand_columns_take_seconds(kind):
    table = pd.DataFrame(np.random.default_rng(4).integers(0, 9, (40, 10_000)))
    if kind in WORDS:
        table = pd.DataFrame(np.array(WORDS[kind])[table.to_numpy()], dtype="string")
    table = table.rename(columns=lambda i: f"c{i}")
    with bounded():
        proposals = propose_columns(table)
        draft = with_proposals(Draft().for_header(p.name for p in proposals), proposals)
        for question in shared_questions(draft, proposals):
            draft = answered_for_all(draft, proposals, question, question.answers[0])
        draft = draft.merge({c.name: {"low": "0", "high": "9"} for c in draft.used})
    assert len(draft.used) == 10_000
    assert not any(column.open_questions for column in draft.used)
    assert (kind == "words") == (draft.column("c0").use is Use.CATEGORY)


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_name_is_a_name(name):
    table = pd.DataFrame({name: [*range(5)] * 4, "y": ["1,5", "2,5"] * 10})
    proposals = propose_columns(table)
    draft = with_proposals(Draft().for_header(table.columns), proposals)
    assert [*draft.columns] == [name, "y"]
    assert draft.column(name).open_questions == (ask.CODES,)
    (question,) = proposals[0].questions
    assert len(question.sentence) < 200
    assert not {"\n", "\u202e"} & {*question.sentence}
    answered = draft.merge({name: {"asked.codes": ask.AS_CODES}})
    assert answered.column(name).use is Use.CATEGORY
    assert answered.column("y") == draft.column("y")


NEARLY = [f"{p * 4000}{t}" for p in ("1-", "1 ", "a.", "0", ",1", "(1)", "+1") for t in "!@- "]
"""Texts that make a careless expression try for ever."""
STRANGE = (
    *([float("inf")] * 30 + [1.0, 2.0], [10**400] * 30, ["٣", "٤", "5"] * 9, [b"a", b"b"] * 9),
    *([{"a": 1}, {"b": 2}] * 9, ["(((((" * 2000, ")"] * 9, ["1,234,567,890" * 900, "1,5"] * 9),
    *(NEARLY * 3, *([cell] * 30 for cell in NEARLY)),
)


def test_no_cell_is_too_strange_and_none_takes_time():
    with bounded():
        for cells in STRANGE:
            assert len(propose_columns(pd.DataFrame({"phone of": cells}))) == 1
