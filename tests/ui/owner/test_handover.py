"""What Decide hands over, and why it does not."""

from collections import deque
from dataclasses import FrozenInstanceError, replace

import pytest

from dpca_core.data.disclosures import disclosures
from dpca_core.data.handover import PRINTED_SOURCES, WHOSE_ROWS, Handover, confirmations
from dpca_core.data.provenance import ONE_ROW
from dpca_core.data.recipe import Source
from dpca_core.privacy.budget import Adjacency
from tests.ui.owner.decide_drafts import clinic_draft, read_from_file
from ui.owner.decide_answers import answers_of
from ui.owner.decide_plans import Plans
from ui.owner.draft import CANNOT_TELL, EVERY_ROW, Cell, Column, Draft, Use, Who
from ui.owner.handover import Missing, handover
from ui.owner.steps import Step

DECIDED = clinic_draft(people_guess="900", chosen="middle")


def decided(draft: Draft) -> Handover | tuple[Missing, ...]:
    """Hand over a draft; its plans are simulated where they can be."""
    answers = answers_of(draft)
    plans = Plans(answers)
    deque(plans.steps(), maxlen=0)
    return handover(draft, answers, None if answers.chosen is None else plans.card(answers.chosen))


def test_a_decision_holds_the_public_choices_and_is_frozen() -> None:
    answered = DECIDED.with_columns([DECIDED.column("sbp").answered("999", "missing")])
    found = decided(replace(answered, asked={"comma": "decimal"}))
    assert (found.epsilon, found.delta, found.mechanism) == (1.0, 1e-6, "gaussian")
    assert found.neighbours is Adjacency.ADD_OR_REMOVE_ONE
    assert found.people_guess == 900
    assert (found.unit.one, found.unit.many) == ("patient", "patients")
    assert found.recipe == DECIDED.recipe()
    assert {*found.sources} == {*DECIDED.header}
    assert found.sources["sbp"] is Source.CODEBOOK
    assert found.sources["visit_date"] is Source.NOTICED
    assert (found.asked["sbp: 999"], found.asked["comma"]) == ("missing", "decimal")
    assert "direction\u00a01 is reliable; 2 and 3 only together" in found.reason
    assert "900" not in found.reason
    with pytest.raises(FrozenInstanceError):
        found.epsilon = 2.0


def test_what_the_program_knows_is_not_asked() -> None:
    asked = confirmations(decided(DECIDED))
    assert [c.key for c in asked] == ["unread", "unit", "accounts"]
    assert asked[1].sentence == "One patient is one value of patient_id."
    looked = confirmations(decided(replace(DECIDED, looked=True)))
    seen = replace(DECIDED.column("sbp"), low=Cell("50", Source.DECLARED), seen=True)
    shown = decided(DECIDED.with_columns([seen]))
    assert shown.seen == ("sbp",)
    assert [c.key for c in looked] == [c.key for c in confirmations(shown)] == ["unit", "accounts"]
    # A look after it was decided changed nothing: how ranges were fixed is still to be asked.
    assert confirmations(replace(decided(DECIDED), looked_after=True)) == asked


def test_rows_that_cannot_be_told_apart_are_what_is_protected() -> None:
    ids = Column("patient_id", Use.OUT, use_origin=Source.DECLARED)
    unnamed = DECIDED.with_columns([ids])
    rows = decided(replace(unnamed, who=Who((), CANNOT_TELL, "patient", "patients")))
    assert (rows.unit, rows.recipe.unit) == (ONE_ROW, ONE_ROW)
    assert "as many rows as the owner guessed" in rows.reason
    assert any("one row is protected" in d.public_text for d in disclosures(rows.recipe))
    assert rows.asked[WHOSE_ROWS] == CANNOT_TELL
    assert [c.key for c in confirmations(rows)] == ["unread", "accounts"]
    single = decided(replace(unnamed, who=Who((), EVERY_ROW, "patient", "patients")))
    assert confirmations(single)[1].sentence == "One patient is one row."


def test_who_is_protected_is_declared_after_a_notice_where_there_was_one() -> None:
    noticed = replace(DECIDED, who=replace(DECIDED.who, noticed=True))
    for draft, source, printed in (
        (DECIDED, Source.DECLARED, "declared by you"),
        (noticed, Source.NOTICED, "declared by you after a notice"),
    ):
        found = decided(draft)
        assert found.whose_rows is found.sources["patient_id"] is source
        assert PRINTED_SOURCES[found.whose_rows] == printed
    ids = Column("patient_id", Use.OUT, use_origin=Source.DECLARED)
    single = replace(noticed.with_columns([ids]), who=Who((), EVERY_ROW, noticed=True))
    assert decided(single).whose_rows is Source.NOTICED
    assert decided(single).sources["patient_id"] is Source.DECLARED


def test_a_column_left_out_for_what_the_file_holds_waits_for_its_owner() -> None:
    draft = DECIDED.with_column("visit_date", use_origin=Source.FILE)
    (one,) = decided(draft)
    assert (one.step, one.column) == (Step.COLUMNS, "visit_date")
    assert "confirm that it stays out" in one.sentence
    confirmed = decided(draft.merge({"visit_date": {"use": "out"}}))
    assert confirmed.sources["visit_date"] is Source.NOTICED


@pytest.mark.parametrize(
    ("draft", "step", "words"),
    [
        (replace(DECIDED, chosen=""), Step.DECIDE, "Choose one"),
        (replace(DECIDED, people_guess=""), Step.DECIDE, "about how many patients"),
        (replace(DECIDED, shares="60 50"), Step.DECIDE, "110"),
        (replace(DECIDED, who=Who()), Step.WHO, "who is protected"),
        (read_from_file(DECIDED, "hr"), Step.COLUMNS, "hr was read from the file"),
        (DECIDED.with_column("hr", asked={"q": ""}), Step.COLUMNS, "hr: a question"),
        (
            DECIDED.with_column("hr", missing="9", missing_origin=Source.FILE),
            Step.COLUMNS,
            "codes of hr",
        ),
    ],
)
def test_without_a_decision_there_is_a_reason_and_the_step_to_mend_it(draft, step, words):
    missing = decided(draft)
    assert any(words in one.sentence and one.step is step for one in missing)
    assert all(one.sentence for one in missing)
