"""What Decide hands over, why it does not, and the stand-in it makes of public choices alone."""

import csv
import io
from collections import deque
from dataclasses import replace

import pytest

from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.privacy.budget import Adjacency
from dpca_core.text.release_statements import Answer, Declaration, Fact
from sample_data.made_up_clinic import MADE_UP
from tests.ui.owner.drafts import clinic_draft, having, read_from_file
from ui.owner.column import Entry, Use
from ui.owner.decide_answers import answers_of
from ui.owner.decide_plans import Plans
from ui.owner.draft import Draft, Who
from ui.owner.step_decide import synthetic_file
from ui.owner.steps import Step, handover

DECIDED = clinic_draft(people_guess="900", chosen="middle")
LEFT_OUT = Entry(Use.OUT, Source.FILE)


def decided(draft):
    """Hand over a draft; its plans are simulated where they can be."""
    answers = answers_of(draft)
    plans = Plans(answers)
    deque(plans.steps(), maxlen=0)
    return handover(draft, answers, None if answers.chosen is None else plans.card(answers.chosen))


def test_a_decision_holds_the_public_choices():
    found = decided(DECIDED)
    assert (found.epsilon, found.delta, found.mechanism) == (1.0, 1e-6, "gaussian")
    assert found.neighbours is Adjacency.ADD_OR_REMOVE_ONE
    assert found.people_guess == 900
    assert found.recipe == DECIDED.recipe()
    assert (found.recipe.unit.one, found.recipe.unit.many) == ("patient", "patients")


def test_what_the_program_knows_is_recorded_and_not_asked():
    plain = decided(DECIDED)
    assert plain.asked == (Fact.UNREAD, Fact.UNIT, Fact.ACCOUNTS)
    assert plain.recorded == (Declaration(Fact.NOTHING_SHOWN, Answer.RECORDED),)
    looked = decided(replace(DECIDED, looked=True))
    seen = having(DECIDED, "sbp", low=Entry("50", Source.DECLARED), seen=True)
    shown = decided(seen)
    assert looked.asked == shown.asked == (Fact.UNIT, Fact.ACCOUNTS)
    assert [of.fact for of in (*looked.recorded, *shown.recorded)] == [Fact.CURVES, Fact.VALUES]
    # A look after it was decided changed nothing: how ranges were fixed is still to be asked.
    after = replace(plain, looked_after=True)
    assert after.asked == plain.asked
    assert [of.fact for of in after.recorded] == [Fact.CURVES_AFTER]


@pytest.mark.parametrize(
    ("draft", "step", "words"),
    [
        (replace(DECIDED, chosen=""), Step.DECIDE, "Choose one"),
        (replace(DECIDED, people_guess=""), Step.DECIDE, "about how many patients"),
        (replace(DECIDED, shares="60 50"), Step.DECIDE, "110"),
        (replace(DECIDED, who=Who()), Step.WHO, "who is protected"),
        (read_from_file(DECIDED, "hr"), Step.COLUMNS, "hr was read from the file"),
        (having(DECIDED, "hr", asked={"q": ""}), Step.COLUMNS, "hr: a question"),
        (having(DECIDED, "hr", missing=Entry("9", Source.FILE)), Step.COLUMNS, "codes of hr"),
        (having(DECIDED, "visit_date", use=LEFT_OUT), Step.COLUMNS, "visit_date"),
    ],
)
def test_without_a_decision_there_is_a_reason_and_the_step_to_mend_it(draft, step, words):
    missing = decided(draft)
    assert any(words in sentence and where is step for sentence, where in missing)


def test_a_synthetic_file_is_written_as_the_draft_says_with_nobody_in_it():
    draft = clinic_draft(reading=TextFileFormat(";", ","))
    made = synthetic_file(draft, 50).decode("utf-8")
    rows = list(csv.DictReader(io.StringIO(made), delimiter=";"))
    assert (len(rows), tuple(rows[0])) == (50, draft.header)
    assert {row["visit_date"] for row in rows} == {MADE_UP}
    assert all(60 <= float(row["sbp"].replace(",", ".")) <= 260 for row in rows)
    assert {row["sex"] for row in rows} == {"F", "M"}
    # What was read from the file never leaves in another.
    for unfinished in (read_from_file(draft, "hr"), Draft()):
        assert synthetic_file(unfinished, 50) is None
