"""What the step on columns shows: it follows from the draft, and says what is not private."""

import json
from dataclasses import replace

import pandas as pd

from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.columns import ColumnProposal
from dpca_core.detection.questions import ColumnQuestion
from tests.ui.owner.drafts import PATIENTS, every_row, having
from ui.owner import text
from ui.owner.column import Entry, Use
from ui.owner.columns_table import headline, private_lines, table_content
from ui.owner.edits import Merged
from ui.owner.proposals import column_proposals, with_proposals
from ui.owner.step_columns import sources
from ui.owner.steps import Step, answers, needing
from ui.page.content import packed, unpacked

NUMBER = {"use": "number", "low": "0", "typical": "5", "high": "10"}
QUESTION = ColumnQuestion("comma", "comma in ldl: is it a decimal comma?", ("Yes", "No"))
PROPOSALS = (ColumnProposal("ldl", "number", questions=(QUESTION,)),)


def clinic():
    """Draft like the one in the specification's picture."""
    edits = {
        "patient_id": {},
        "visit_date": {"use": "out"},
        "age": {**NUMBER, "source": "codebook"},
        "bmi": {**NUMBER, "source": "law or physics"},
        "creatinine": {"use": "number"},
        "ldl": NUMBER,
        "hr": {**NUMBER, "low": "220"},
        "ward": {"use": "category"},
    }
    draft = having(replace(every_row(edits, **edits), who=PATIENTS), "ldl", asked={"comma": ""})
    filled = draft.column("creatinine").filled({"low": "27", "high": "213"})
    return draft.with_columns([filled, draft.column("ward").filled({"values": "A1; B1"})])


def rows(draft, proposals=PROPOSALS):
    return {row["name"]: row for row in table_content(draft, proposals, Merged())["rows"]}


def test_the_headline_counts_and_says_what_is_not_private():
    assert headline(clinic()) == (
        "**2 of 6** columns are ready. With the 2 [[read from the file]] nothing can be released."
    )
    assert headline(every_row("ab", a=NUMBER, b=NUMBER)) == "**2 of 2** columns are ready."


def test_a_column_left_out_by_a_proposal_is_not_passed_over():
    draft = every_row("ab", a=NUMBER)
    draft = having(draft, "b", use=Entry(Use.OUT, Source.FILE), note="a date")
    assert "left out because of [[what is in the file]]" in headline(draft)
    row = rows(draft)["b"]
    assert (row["message"], row["state"]) == ("a date", "unconfirmed")
    confirmed = draft.merge({"b": dict(row["actions"][0]["cells"])})
    assert (draft.unconfirmed, confirmed.unconfirmed) == (("b",), ())
    assert (Source.NOTICED, "b") in [line[:2] for line in private_lines(confirmed)]


MESSAGES = {
    "patient_id": ("person", text.names_person("patient"), []),
    "visit_date": ("out", "", []),
    "age": ("ready", "", []),
    "creatinine": ("file", "its highest value may be one patient’s alone", [text.TYPE_AGAIN]),
    "ldl": ("question", QUESTION.sentence, ["Yes", "No"]),
    "hr": ("wrong", "low must be below high", []),
    "ward": ("file", "a rare value may name someone", [text.TYPE_AGAIN]),
}


def test_the_state_and_message_of_each_column_and_which_need_an_answer():
    content = table_content(clinic(), PROPOSALS, Merged())
    for row in content["rows"]:
        labels = [action["label"] for action in row["actions"]]
        said = row["state"], row["message"], labels
        assert said == MESSAGES.get(row["name"], ("ready", "", []))
    assert list(needing(clinic())) == content["needed"] == ["creatinine", "ldl", "hr", "ward"]
    assert content["tabs"] == {"all": "All 8", "need": "Need you 4", "out": "Left out 2"}
    assert content["first"] == ["ldl", "asked.comma"]
    assert answers(clinic())[Step.COLUMNS] == "4 of 8 need you"
    row = rows(clinic().merge({"hr": {"typical": "abc"}}))["hr"]
    assert row["message"] == "low must be below high; not a number: abc"
    assert row["bad"] == ["low", "high", "typical"]


def test_a_scale_says_beside_the_choice_what_it_costs_as_a_category():
    cells = pd.DataFrame({"tired": ["never", "sometimes", "always"] * 9})
    found = column_proposals(cells, TextFileFormat())
    draft = with_proposals(every_row(("tired",)), found)

    def row(**edits):
        return rows(draft.merge({"tired": edits}), found)["tired"]

    assert "never < sometimes < always" in row()["message"]
    assert row()["message"].endswith(" A scale takes one column, a category 3.")
    ordered, unordered = (dict(action["cells"]) for action in row()["actions"])
    assert [value for value, _ in row(**ordered)["steps"]] == ["never", "sometimes", "always"]
    assert row(**ordered)["message"] == "takes one column"
    assert row(**unordered)["message"] == "takes 3 columns, as a scale one"
    # Whoever chooses the use himself is still offered the list.
    (offered,) = row(use="scale")["actions"]
    assert dict(offered["cells"]) == {"values": "never; sometimes; always"}


def test_no_public_source_is_offered_after_a_look():
    again = clinic().merge({"creatinine": {"low": "1", "high": "2"}})
    for draft, name, sources_offered in (
        (clinic(), "age", ["codebook", "law or physics", "guess"]),
        (clinic(), "creatinine", ["file"]),
        (again, "creatinine", ["declared by you"]),
    ):
        assert [key for key, _ in rows(draft)[name]["sources"]] == sources_offered


def test_every_source_has_a_line_of_its_own_and_public_ones_stand_apart():
    lines = [(source, subject) for source, subject, _ in private_lines(clinic())]
    read, guess, codebook = Source.FILE, Source.GUESS, Source.CODEBOOK
    assert lines == [(read, "creatinine and ward"), (guess, "ldl and hr"), (codebook, "2 columns")]
    assert text.PRIVATE_TITLE in sources(clinic())
    public = sources(every_row("xy", **dict.fromkeys("xy", NUMBER | {"source": "codebook"})))
    assert text.PUBLIC_TITLE in public
    assert text.PRIVATE_TITLE not in public


def test_what_is_sent_survives_the_wire_whatever_columns_are_called():
    names = ["__proto__", "", "\u202e", "\ud800", "=cmd", "<img>", "x" * 4000]
    content = table_content(every_row(names), (), Merged())
    assert [row["name"] for row in content["rows"]] == names
    assert json.dumps(unpacked(packed(content))["tabs"]) == json.dumps(content["tabs"])
