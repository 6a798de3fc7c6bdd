"""Decide: what it reads of its answers and never of the table, its cards, what a look does, and
what is handed over.
"""

import re
from collections import deque
from dataclasses import replace

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.analysis.expected_spectrum import Expectation, expected_spectrum
from dpca_core.analysis.needed import ROUND_PEOPLE
from dpca_core.analysis.reliability import PlannedReleases
from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.tables.files import Upload
from dpca_core.text.release_statements import Answer, Declaration, Fact
from tests.ui.owner.beginnings import OwnerPage, clinic_draft, having, read_from_file
from ui.owner import text
from ui.owner.column import Entry, Use
from ui.owner.decide_answers import Card, answers_of, read_answers
from ui.owner.decide_plans import Plans
from ui.owner.draft import Draft, Who
from ui.owner.step_decide import synthetic_file
from ui.owner.steps import Step, handover
from ui.owner.table_source import SourceTable
from ui.state.decision import DECISION
from ui.text.badges_and_odds import odds

CLINIC = clinic_draft()
DRAFT = replace(CLINIC, people_guess="900", chosen="middle")


def read(columns=19, **texts):
    """Read answers, for as many columns as the clinic has; what is not given was not typed."""
    return read_answers(Draft(**texts), columns)


def test_people_are_read_as_people_write_them_and_a_decimal_comma_where_it_can_be_nothing_else():
    for typed in ("1,800", "1.800", "1’800", " 1\u202f800 ", "1.8e3"):
        assert read(people_guess=typed).people == 1_800, typed
    assert read(epsilon="0,1|1,5|3").budgets[Card.MIDDLE].epsilon == 1.5
    for typed in ("36 12 11,5 7", "36; 12; 11,5; 7", "36 · 12 · 11.5 · 7 %"):
        assert read(shares=typed).shares == (0.36, 0.12, 0.115, 0.07), typed
    assert read(shares="40,20,10").shares == (0.4, 0.2, 0.1)


def test_what_is_no_answer_is_one_sentence():
    for field, typed, sentence in (
        ("people_guess", "0.800", "Write a whole number"),
        ("people_guess", "2,671", "an exact count is private"),
        ("shares", "60 50", "sum to 110"),
        ("delta", "1e-40", "or 1e-30 to below 1"),
        ("epsilon", "0.1|1e99|3", "ε must be 1e-08 to 1e+10"),
        ("epsilon", "0.1|1,500|3", "ε must be a number such as 0.5, not “1,500”"),
    ):
        (said,) = read(**{field: typed}).errors.values()
        assert sentence in said


def test_without_answers_there_are_three_budgets_a_default_and_nothing_is_chosen():
    answers = read()
    assert (answers.people, answers.chosen) == (None, None)
    assert [budget.epsilon for budget in answers.budgets.values()] == [0.1, 1.0, 3.0]
    assert (answers.expectation, answers.by_default) == (Expectation.FEW_STRONG, True)
    assert read(columns=21).expectation is Expectation.MANY_WEAK
    assert not read(shares="one strong direction").by_default
    # δ follows the guess until it is typed.
    for people, delta in (("1", 1e-6), ("11,000", 1e-7), ("1e12", 1e-14)):
        assert read(people_guess=people).delta == delta
    assert read(people_guess="1e7", delta="1e-5").delta == 1e-5


@given(st.tuples(*[st.text(max_size=30)] * 5))
def test_no_text_breaks_the_reading(texts):
    names = ("people_guess", "shares", "epsilon", "delta", "chosen")
    answers = read(**dict(zip(names, texts, strict=True)))
    assert all(said.endswith(".") for said in answers.errors.values())


# --- Cards ---


def planned(draft):
    """Return the plans of a draft, simulated; results are kept, by their arguments."""
    plans = Plans(answers_of(draft))
    deque(plans.steps(), maxlen=0)
    return plans


def test_a_card_is_the_plan_of_its_budget():
    plans, shares = planned(DRAFT), answers_of(DRAFT).shares
    releases = PlannedReleases(DEFAULT, expected_spectrum(shares, 19), 4)

    def expected(epsilon, people):
        noise = releases.scale(Budget(epsilon, 1e-6)) / people
        deque(releases.steps_at(noise), maxlen=0)
        return releases.at(noise)

    assert plans.card(Card.LOOSE).planned == expected(3.0, 900)
    for goal, people in plans.card(Card.MIDDLE).needed.items():
        fewer = ROUND_PEOPLE[ROUND_PEOPLE.index(people) - 1]
        assert goal in expected(1.0, people).reached
        assert goal not in expected(1.0, fewer).reached


def test_odds_are_rounded_up_those_of_the_mechanism_named_and_of_one_epsilon_for_every_table():
    """Gaussian noise at δ = 10⁻⁶: 50.5, 54.7 and 62.3; a pure promise e^ε/(1 + e^ε): 73.1."""
    plans = Plans(answers_of(DRAFT))
    said = [odds(plans.card(card).guarantee, "patient") for card in Card]
    assert [re.findall(r"\*\*([\d.]+)", each) for each in said] == [["50.6"], ["54.8"], ["63"]]
    pure = Plans(answers_of(replace(DRAFT, delta="0"))).card(Card.MIDDLE)
    assert pure.mechanism.key == "wishart_difference"
    assert "**74 times in 100**" in odds(pure.guarantee, "patient")
    # On few columns noise without δ is smaller, and guesses are right more often: it is said.
    for columns in (2, 8, 60):
        plan = Plans(read(columns, people_guess="900", shares="40")).card(Card.MIDDLE)
        assert (plan.mechanism, odds(plan.guarantee, "patient")) == (DEFAULT, said[1])
        other = "at most 74 times in 100, not 54.8" in text.what_keeps_more(plan, "people")
        assert other == (columns <= 8), columns


# --- What is handed over, or why it is not ---


def decided(draft):
    """Hand over a draft as soon as its card is chosen."""
    answers = answers_of(draft)
    chosen = Plans(answers).card(answers.chosen) if answers.chosen else None
    return handover(draft, answers, chosen)


def test_a_decision_holds_the_public_choices_and_what_the_program_knows_is_not_asked():
    plain = decided(DRAFT)
    assert (plain.epsilon, plain.delta, plain.mechanism) == (1.0, 1e-6, "gaussian")
    assert plain.neighbours is Adjacency.ADD_OR_REMOVE_ONE
    assert (plain.people_guess, plain.recipe) == (900, DRAFT.recipe())
    assert plain.asked == (Fact.UNREAD, Fact.UNIT, Fact.ACCOUNTS)
    assert plain.recorded == (Declaration(Fact.NOTHING_SHOWN, Answer.RECORDED),)
    looked = decided(replace(DRAFT, looked=True))
    shown = decided(having(DRAFT, "sbp", low=Entry("50", Source.DECLARED), seen=True))
    assert looked.asked == shown.asked == (Fact.UNIT, Fact.ACCOUNTS)
    assert [of.fact for of in (*looked.recorded, *shown.recorded)] == [Fact.CURVES, Fact.VALUES]
    # A look after it was decided changed nothing: how ranges were fixed is still to be asked.
    after = replace(plain, looked_after=True)
    assert after.asked == plain.asked
    assert [of.fact for of in after.recorded] == [Fact.CURVES_AFTER]


def test_without_a_decision_there_is_a_reason_and_the_step_to_mend_it():
    out = Entry(Use.OUT, Source.FILE)
    for draft, step, words in (
        (replace(DRAFT, chosen=""), Step.DECIDE, "Choose one"),
        (replace(DRAFT, people_guess=""), Step.DECIDE, "about how many patients"),
        (replace(DRAFT, who=Who()), Step.WHO, "who is protected"),
        (read_from_file(DRAFT, "hr"), Step.COLUMNS, "hr was read from the file"),
        (having(DRAFT, "hr", asked={"q": ""}), Step.COLUMNS, "hr: a question"),
        (having(DRAFT, "hr", missing=Entry("9", Source.FILE)), Step.COLUMNS, "codes of hr"),
        (having(DRAFT, "visit_date", use=out), Step.COLUMNS, "visit_date"),
    ):
        assert any(words in said and where is step for said, where in decided(draft)), words


def test_a_synthetic_file_is_written_as_the_draft_says_with_nothing_of_the_file():
    made = synthetic_file(replace(CLINIC, reading=TextFileFormat(";", ",")), 50).decode("utf-8")
    assert made.splitlines()[0] == ";".join(CLINIC.header)
    assert made.count("\n") == 51
    for unfinished in (read_from_file(CLINIC, "hr"), Draft()):
        assert synthetic_file(unfinished, 50) is None


# --- The page ---

MIDDLE = "decide-epsilon-middle"


def table(rows=5):
    frame = pd.DataFrame({name: [str(rows)] * rows for name in DRAFT.header})
    file = Upload(f"secret-{rows}.csv", frame.to_csv(index=False).encode())
    return SourceTable(file.name, frame, file, TextFileFormat())


def opened(draft=DRAFT, source=None):
    """Return the page with a draft and a table, once all that it shows is simulated."""
    planned(draft)
    return OwnerPage().keep(draft=draft, source=source or table(), step=Step.DECIDE)


def drawn(page):
    """Return what the page sends, element by element, in order."""
    protos = [proto for node in page.main if (proto := getattr(node, "proto", None)) is not None]
    for proto in protos:
        # Where a file that is stored when it is asked for will be found: drawn at random.
        if hasattr(proto, "deferred_file_id"):
            proto.deferred_file_id = ""
    assert len(protos) > 40
    return b"".join(proto.SerializeToString() for proto in protos)


def decision(page):
    return page.session_state[DECISION].handover


def test_two_files_with_one_draft_give_the_same_bytes():
    small, large = (opened(DRAFT, table(rows)) for rows in (3, 50))
    assert drawn(small) == drawn(large)
    assert decision(small) == decision(large)
    assert "secret" not in str(decision(large))
    assert b"secret" not in drawn(large)
    assert {*small.query_params} == {*large.query_params} == {"step"}
    # Once anything was read from the file it says so.
    page = opened(read_from_file(DRAFT, "hr"))
    assert ("Not private." in page.html, "Not private." in large.html) == (True, False)


def test_a_look_is_noted_before_anything_is_read_and_kept_apart_until_a_change(monkeypatch):
    page, noted = opened(), []
    before = decision(page)
    assert (before.looked, before.looked_after) == (False, False)

    def prepare(*_, **__):
        noted.append(page.draft.looked)
        raise ValueError("This table has a defect.")

    monkeypatch.setattr("ui.owner.step_decide.prepare", prepare)
    page.press("decide-look")
    assert noted == [True]
    assert [error.value for error in page.error] == ["This table has a defect."]
    assert page.run().draft.looked
    assert decision(page) == replace(before, looked_after=True)
    for epsilon in ("0.5", "1"):
        changed = decision(page.put(MIDDLE, epsilon))
        assert (changed.looked, changed.looked_after) == (True, False)
    assert replace(changed, looked=False) == before
    # Where nothing was decided yet, a look is one before.
    page = opened(replace(DRAFT, people_guess=""))
    assert DECISION not in page.session_state
    page.press("decide-look").keep(draft=replace(DRAFT, looked=True)).press("decide-look")
    assert (decision(page).looked, decision(page).looked_after) == (True, False)


def test_a_decision_is_kept_with_the_whole_table_until_something_changes():
    source = table()
    page = opened(DRAFT, source)
    assert (decision(page).epsilon, page.session_state[DECISION].table) == (1.0, source.place)
    for name, typed, sentence in (
        ("decide-shares", "<script>", "&lt;script&gt;"),
        (MIDDLE, "1e", "ε must be a number"),
    ):
        assert sentence in page.put(name, typed).html
        assert DECISION not in page.session_state
        page.put("decide-people_guess", "910")
        assert page.named(name).value == typed, "what is no answer is kept and said"
        assert page.button(key="decide-release").disabled
    page.put("decide-shares", "").put(MIDDLE, "0.5").press("open-columns")
    assert decision(page).epsilon == 0.5
