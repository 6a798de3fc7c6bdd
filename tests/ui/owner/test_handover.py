"""What Decide hands over, and why it does not."""

from collections import deque
from dataclasses import FrozenInstanceError, replace

import pytest

from dpca_core.data.recipe import Source
from dpca_core.privacy.budget import Adjacency
from dpca_core.text.release_statements import Answer, Declaration, Fact
from tests.ui.owner.drafts import clinic_draft, having, read_from_file
from ui.owner.column import Entry
from ui.owner.decide_answers import answers_of
from ui.owner.decide_plans import Plans
from ui.owner.draft import Draft, Who
from ui.owner.steps import Step, handover
from ui.state.decision import Handover

DECIDED = clinic_draft(people_guess="900", chosen="middle")


def decided(draft: Draft) -> Handover | tuple[tuple[str, Step], ...]:
    """Hand over a draft; its plans are simulated where they can be."""
    answers = answers_of(draft)
    plans = Plans(answers)
    deque(plans.steps(), maxlen=0)
    return handover(draft, answers, None if answers.chosen is None else plans.card(answers.chosen))


def test_a_decision_holds_the_public_choices_and_is_frozen() -> None:
    found = decided(DECIDED)
    assert (found.epsilon, found.delta, found.mechanism) == (1.0, 1e-6, "gaussian")
    assert found.neighbours is Adjacency.ADD_OR_REMOVE_ONE
    assert found.people_guess == 900
    assert found.recipe == DECIDED.recipe()
    assert (found.recipe.unit.one, found.recipe.unit.many) == ("patient", "patients")
    with pytest.raises(FrozenInstanceError):
        found.epsilon = 2.0


def test_what_the_program_knows_is_recorded_and_not_asked() -> None:
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
        (
            having(DECIDED, "hr", missing=Entry("9", Source.FILE)),
            Step.COLUMNS,
            "codes of hr",
        ),
    ],
)
def test_without_a_decision_there_is_a_reason_and_the_step_to_mend_it(draft, step, words):
    missing = decided(draft)
    assert any(words in sentence and where is step for sentence, where in missing)
