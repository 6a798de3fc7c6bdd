"""Where each text of a column comes from, whatever was typed, proposed, answered, loaded or read.

A story is what happens to the column x of a table, one step after another.
"""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.codebooks import Codebook
from dpca_core.data.recipe import Number, Recipe, Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection import questions as ask
from dpca_core.detection.columns import ColumnProposal, propose_columns
from dpca_core.tables.files import Upload
from dpca_core.tables.prepare import prepare
from tests.ui.owner.beginnings import codebook, every_row, left_out, number, read_table
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import ANSWER, PUBLIC, TYPED, Entry, Use
from ui.owner.fill_from_file import fill_from_file
from ui.owner.proposals import answer_edits, answered_for_all, shared_questions, with_proposals
from ui.owner.table_source import Owner

FILE, NOTICED, DECLARED = Source.FILE, Source.NOTICED, Source.DECLARED
GUESS, LAW, BOOK = Source.GUESS, Source.LAW, Source.CODEBOOK
ANOTHER_FILE, SEEN = "another file", {"seen": "seen"}


class Filled(dict[str, str]):
    """What the file says of empty cells."""


def after(*steps):
    """Return the column x after these steps."""
    draft = every_row(["x"])
    for step in steps:
        match step:
            case ColumnProposal():
                draft = with_proposals(draft, [step])
            case Codebook():
                draft, _ = merge_codebook(draft, step)
            case Filled():
                draft = draft.with_columns([draft.column("x").filled(step)])
            case dict():
                draft = draft.merge({"x": step})
            case _:
                draft = draft.for_header(["x"])
    return draft.column("x")


RANGE, NUMBER, CATEGORY = {"low": "0", "high": "9"}, {"use": "number"}, {"use": "category"}
BY_LAW = {"source": LAW, **RANGE}
UNITS = ask.question(ask.UNITS, "", "mmHg", "kPa")
IN_MMHG, CODE_9 = number("x", UNITS, unit="mmHg"), number("x", ask.MISSING, missing_code="9")
CONFIRMED = [IN_MMHG, BY_LAW, {"asked.units": "mmHg"}]
CODES, AS_CODES = number("x", ask.CODES, missing_code="9"), {"asked.codes": ask.AS_CODES}
HR, NO_TYPICAL = codebook("x,number,30,75,220,,,,"), codebook("x,number,30,,220,,,,")
CODED, GUESSED = codebook("x,number,30,,220,,-1;-9,,"), codebook("x,number,30,,220,,,,guess")
READ = codebook("x,number,30,,220,,-9,,read from the file")
STORIES = [
    ([NUMBER, RANGE], {"low": ("0", GUESS), "of": GUESS}),
    ([NUMBER, RANGE, {"source": BOOK}], {"low": ("0", BOOK), "of": BOOK}),
    ([NUMBER, SEEN, BY_LAW], {"low": ("0", DECLARED), "of": DECLARED}),
    ([NUMBER, RANGE, SEEN, {"source": LAW}], {"low": ("0", GUESS), "of": GUESS}),
    (
        [NUMBER, {"low": "0"}, Filled(high="9"), ANOTHER_FILE],
        {"low": ("0", GUESS), "high": ("", None), "seen": True},
    ),
    # Proposals wait; what is confirmed was noticed, and what is chosen is declared.
    ([number("x"), {"low": "1"}], {"use": ("number", DECLARED), "of": GUESS}),
    ([left_out("x"), {"use": "out"}], {"use": ("out", NOTICED), "of": NOTICED}),
    ([left_out("x"), {"use": "out"}, ANOTHER_FILE], {"use": ("", None), "note": ""}),
    ([CODES], {"open": (ask.CODES,)}),
    ([CODES, AS_CODES, number("x")], {"use": ("category", DECLARED), "open": ()}),
    (
        [CATEGORY | {"values": "1; 2", "missing": "7"}, CODES],
        {"use": ("category", DECLARED), "missing": ("7", DECLARED), "open": ()},
    ),
    # Units and codes.
    (CONFIRMED, {"unit": ("mmHg", NOTICED), "of": NOTICED}),
    ([*CONFIRMED, {"unit": ""}, {"unit": "mmHg"}], {"of": NOTICED}),
    ([*CONFIRMED, ANOTHER_FILE, NUMBER], {"unit": ("", None), "of": LAW}),
    (
        [CODE_9, BY_LAW, {"missing": ""}, {"missing": "9 "}],
        {"missing": ("9 ", NOTICED), "of": NOTICED, "open": ()},
    ),
    # A codebook replaces what nobody typed, and what another one said.
    (
        [NUMBER, {"low": "40", "high": "220.0", "typical": "75"}, NO_TYPICAL],
        {"low": ("40", GUESS), "high": ("220.0", BOOK), "typical": ("75", GUESS)},
    ),
    ([NUMBER, Filled(low="41", high="180"), HR], {"low": ("30", BOOK), "of": BOOK, "seen": True}),
    ([CODE_9, CODED], {"missing": ("-1; -9", BOOK), "use": ("number", BOOK), "open": ()}),
    ([SEEN, GUESSED], {"low": ("30", DECLARED)}),
    ([READ], {"low": ("30", FILE), "missing": ("-9", BOOK), "seen": True}),
]


@pytest.mark.parametrize(("steps", "expected"), STORIES)
def test_a_text_has_the_origin_that_its_story_gives_it(steps, expected):
    column = after(*steps)
    beside = {"of": column.origin, "seen": column.seen, "note": column.note}
    beside["open"] = column.open_questions
    for name, what in expected.items():
        assert (beside.get(name, column[name])) == (what if name in beside else Entry(*what)), name


EDITS = st.tuples(
    st.sampled_from([*TYPED, "unit", "missing", "use", "source", f"{ANSWER}code", "nothing"]),
    st.sampled_from(["", "1e", "12,5", "0", "100", "a; b", *Use, *Source]) | st.text(max_size=4),
)


@given(st.lists(EDITS))
def test_what_was_filled_never_becomes_public(edits):
    """After a look no cell that is typed, and no cell that was read, gets a public source."""
    column = after(NUMBER, Filled(low="3", high="9"), *(dict([edit]) for edit in edits))
    assert column.seen
    assert all(column[name].origin not in (*PUBLIC, GUESS) for name in TYPED)


# --- What is noticed in a table, and filled from it ---


def test_a_known_scale_waits_for_one_answer_for_all_its_columns():
    order = "never; sometimes; often; always"
    cells = ["never", "often", "always", "sometimes"] * 20
    names = ("tired", "sad", "alone", "cold")
    proposals = propose_columns(pd.DataFrame(dict.fromkeys(names, cells)), TextFileFormat())
    draft = with_proposals(every_row(names), proposals)
    (((key, _, use), columns),) = shared_questions(draft, proposals).items()
    assert (key, use, columns) == (ask.SCALE, Use.SCALE, [*proposals])
    assert not isinstance(draft.recipe(), Recipe)
    recipe = answered_for_all(draft, columns, key, ask.ORDERED).recipe()
    scale = recipe.scales[0]
    assert ("; ".join(scale.values), scale.source) == (order, Source.NOTICED)
    assert (recipe.width, len(recipe.categories)) == (4, 0)
    # Texts that only the file has are shown, and never added.
    (found,) = propose_columns(pd.DataFrame({"tired": [*cells, "who knows"]}), TextFileFormat())
    assert "who knows" in found.questions[0].sentence
    edits = dict(answer_edits(found, ask.SCALE, ask.ORDERED, draft.reading))
    assert draft.merge({"tired": edits}).column("tired")["values"].text == order


def test_people_are_counted_by_the_texts_of_their_ids():
    for written in ("{:03d}", "{}.0", "{}"):
        rows = [f"{written.format(i % 90)},{i % 7},{i % 90 % 2}" for i in range(300)]
        rows += [f"{i % 90},{i % 5},{i % 90 % 2}" for i in range(200)]
        upload = Upload("t.csv", "\n".join(["patient_id,b,sex", *rows]).encode())
        (shown, *_) = Owner().with_table(read_table(upload)).person.candidates
        recipe = Recipe((Number("b", 0, 10), Number("sex", 0, 1)), person=("patient_id",))
        assert shown.columns == ("patient_id",)
        assert shown.people == prepare(upload, recipe, "t").people


LDL = ["3.1 mmol/L", "2.5 mmol/L", None, "4"]
TABLE = pd.DataFrame({"age": [20, 35, 999, 50], "sex": [*"mfm", "x; y"], "ldl": LDL, "empty": None})


def test_only_empty_cells_of_used_columns_are_filled_and_marked():
    ldl = {"use": "number", "unit": "mmol/L", "low": "1", "source": "codebook"}
    edits = {"age": {"use": "number", "missing": "999"}, "sex": {"use": "category"}, "ldl": ldl}
    to_fill = every_row(TABLE.columns, **edits, empty={"use": "number"})
    filled = fill_from_file(to_fill, TABLE)
    column = filled.column("ldl")
    assert (column["low"], column["typical"].empty) == (Entry("1", Source.CODEBOOK), True)
    assert (column["high"].origin, column.seen) == (Source.FILE, True)
    assert not filled.bounds_are_public
    # Codes of missing values are no extremes.
    assert (filled.column("age")["low"].text, filled.column("age")["high"].text) == ("20", "50")
    assert filled.column("sex")["values"].text == 'f; m; "x; y"'
    assert filled.column("empty")["low"].empty
