"""Step 2: what it shows follows from the draft, and what is typed is read as the file writes it."""

from dataclasses import replace
from itertools import product

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.codebooks import Codebook, CodebookEntry
from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import EITHER, TextFileFormat, parsed
from dpca_core.detection.columns import propose_columns
from dpca_core.detection.questions import ColumnQuestion
from tests.ui.owner.beginnings import PATIENTS, every_row, having, number
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import Use
from ui.owner.columns_table import headline, private_lines, table_content
from ui.owner.draft import FOUND, Draft, Who
from ui.owner.fill_from_file import fill_from_file
from ui.owner.proposals import with_proposals
from ui.owner.steps import needing
from ui.owner.typed_values import POINT, join_values, split_values

NUMBER = {"use": "number", "low": "0", "typical": "5", "high": "10"}
COMMA_ASKED = ColumnQuestion("comma", "comma in ldl: is it a decimal comma?", ("Yes", "No"))
PROPOSALS = (number("ldl", COMMA_ASKED),)
EDITS = {
    "patient_id": {},
    "age": {**NUMBER, "source": "codebook"},
    "ldl": NUMBER,
    "hr": {**NUMBER, "low": "220", "typical": "abc"},
    "ward": {"use": "category"},
}
STATES = {
    "patient_id": ("person", "names the patient: used to group rows, never in the PCA", []),
    "age": ("ready", "", []),
    "ldl": ("question", COMMA_ASKED.sentence, ["Yes", "No"]),
    "hr": ("wrong", "low must be below high; not a number: abc", []),
    "ward": ("file", "a rare value may name someone", ["Type it again"]),
}


def rows(draft, proposals=PROPOSALS):
    return {row["name"]: row for row in table_content(draft, proposals, {})["rows"]}


def test_each_column_has_its_state_and_what_needs_an_answer_is_counted():
    draft = having(replace(every_row(EDITS, **EDITS), who=PATIENTS), "ldl", asked={"comma": ""})
    draft = draft.with_columns([draft.column("ward").filled({"values": "A1; B1"})])
    content, found = table_content(draft, PROPOSALS, {}), rows(draft)
    for name, row in found.items():
        labels = [one["label"] for one in row["actions"]]
        assert (row["state"], row["message"], labels) == STATES[name]
    assert found["hr"]["bad"] == ["low", "high", "typical"]
    assert needing(draft) == content["needed"] == ("ldl", "hr", "ward")
    assert content["first"] == ["ldl", "asked.comma"]
    assert "With the 1 [[read from the file]] nothing can be released." in headline(draft)
    # Only the truth is offered as a source after a look.
    again = draft.merge({"ward": {"values": "A; B"}})
    for shown, name, offered in (
        (draft, "age", ["codebook", "law or physics", "guess"]),
        (draft, "ward", ["file"]),
        (again, "ward", ["declared by you"]),
    ):
        assert [key for key, _ in rows(shown)[name]["options"]["source"]] == offered
    lines = [(source, subject) for source, subject, _ in private_lines(draft)]
    read, guess, codebook = Source.FILE, Source.GUESS, Source.CODEBOOK
    assert lines == [(read, "ward"), (guess, "ldl and hr"), (codebook, "1 column")]


def test_a_scale_says_beside_the_choice_what_it_costs_as_a_category():
    cells = pd.DataFrame({"tired": ["never", "sometimes", "always"] * 9})
    found = propose_columns(cells, TextFileFormat())
    draft = with_proposals(every_row(("tired",)), found)

    def row(**edits):
        return rows(draft.merge({"tired": edits}), found)["tired"]

    assert row()["message"].endswith(" A scale takes one column, a category 3.")
    ordered, unordered = (dict(action["cells"]) for action in row()["actions"])
    assert [value for value, _ in row(**ordered)["steps"]] == ["never", "sometimes", "always"]
    assert row(**ordered)["message"] == "takes one column"
    assert row(**unordered)["message"] == "takes 3 columns, as a scale one"
    # Whoever chooses the use himself is still offered the list.
    (offered,) = row(use="scale")["actions"]
    assert dict(offered["cells"]) == {"values": "never; sometimes; always"}


# --- What is typed: numbers, lists, codes, ranges ---

GERMAN, COMMA = TextFileFormat(";", ",", "."), TextFileFormat(";", ",", "")
ENGLISH, BOTH = TextFileFormat(",", ".", ","), TextFileFormat(decimal=EITHER)
FORMATS = st.sampled_from([GERMAN, COMMA, ENGLISH, POINT, BOTH])


def german(**typed):
    draft = Draft(("id", "income", "rate"), who=Who(("id",), FOUND), reading=GERMAN)
    rate = {"use": "number", "low": "0", "high": "2,5"}
    return draft.merge({"income": {"use": "number", **typed}, "rate": rate})


def numbers(draft):
    return {n.name: (n.low, n.typical, n.high) for n in draft.recipe().numbers}


TYPED = german(low="1.000", typical="2.500", high="10.000")
READ = {"income": (1_000, 2_500, 10_000), "rate": (0, None, 2.5)}
CODES = {GERMAN: "99,9; -9,5; 1.234", COMMA: "99,9; -9,5; 1234"}


def test_another_way_to_read_the_file_changes_no_range_and_no_code_and_is_said():
    assert numbers(TYPED) == READ
    for before, after in product((GERMAN, COMMA, ENGLISH, POINT, BOTH), repeat=2):
        typed = {"low": "-10", "missing": CODES.get(before, "99.9; -9.5; 1234")}
        draft = TYPED.read_as(before).merge({"rate": typed}).read_as(after)
        assert numbers(draft) == {**READ, "rate": (-10, None, 2.5)}
        found = [parsed(code, after) for code in draft.recipe().numbers[1].missing]
        assert found == [99.9, -9.5, 1234]
    coded = TYPED.merge({"rate": {"missing": "98,99, 10.000"}})
    for draft, name, said in (
        (TYPED, "income", "1.000 is read as 1000; 2.500 is read as 2500; 10.000 is"),
        (coded, "rate", "98,99, 10.000 is read as 98,99; 10.000: put ; between"),
    ):
        assert said in rows(draft)[name]["message"]
    assert rows(TYPED)["rate"]["message"] == ""


def test_what_a_codebook_and_the_file_say_is_written_as_the_file_is():
    income = CodebookEntry("income", Use.NUMBER, "1000", "1500.5", "10000")
    rate = CodebookEntry("rate", Use.NUMBER, "1.125", high="2.5")
    empty = german(low="", high="").merge({"rate": {"low": "", "high": ""}})
    merged = merge_codebook(empty, Codebook((income, rate)))[0]
    assert numbers(merged) == {"income": (1_000, 1_500.5, 10_000), "rate": (1.125, None, 2.5)}
    table = pd.DataFrame({"id": [1, 2], "income": [1_000.0, 9_000.0], "rate": [1.125, 1.375]})
    low, _, high = numbers(fill_from_file(empty, table))["rate"]
    assert low <= 1.125 < 1.375 <= high < 10


@given(st.lists(st.text(alphabet='a;" 12,-', max_size=5).map(str.strip)), FORMATS)
def test_joined_values_are_split_into_the_same(values, form):
    assert list(split_values(join_values(values, form), form)) == values
