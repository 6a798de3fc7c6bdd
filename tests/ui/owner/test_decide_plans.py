"""What Decide reads of its answers, the plans of its cards, what is said of them and handed over,
and the stand-in that is made of public choices alone.
"""

import re
from collections import deque
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.analysis.expected_spectrum import Expectation, expected_spectrum
from dpca_core.analysis.needed import ROUND_PEOPLE
from dpca_core.analysis.reliability import PlannedReleases
from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.text.release_statements import Answer, Declaration, Fact
from sample_data.made_up_clinic import MADE_UP
from tests.ui.owner.beginnings import clinic_draft, having, read_from_file
from ui.owner import text
from ui.owner.column import Entry, Use
from ui.owner.decide_answers import Card, answers_of, read_answers
from ui.owner.decide_plans import Plans
from ui.owner.draft import Draft, Who
from ui.owner.step_decide import synthetic_file
from ui.owner.steps import Step, handover
from ui.text.badges_and_odds import odds


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


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("people_guess", "nan", "is none"),
        ("people_guess", "0.800", "Write a whole number of people"),
        ("people_guess", "2,671", "an exact count of people is private"),
        ("shares", "60 50", "sum to 110"),
        ("delta", "1e-40", "or 1e-30 to below 1"),
        ("epsilon", "0.1|1e99|3", "ε must be 1e-08 to 1e+10"),
        ("epsilon", "0.1|1,500|3", "ε must be a number such as 0.5, not “1,500”"),
    ],
)
def test_what_is_no_answer_is_one_sentence(field, typed, sentence):
    (text,) = read(**{field: typed}).errors.values()
    assert sentence in text


def test_without_answers_there_are_three_budgets_a_default_and_nothing_is_chosen():
    answers = read()
    assert (answers.people, answers.chosen) == (None, None)
    assert [budget.epsilon for budget in answers.budgets.values()] == [0.1, 1.0, 3.0]
    assert (answers.expectation, answers.by_default) == (Expectation.FEW_STRONG, True)
    assert read(columns=21).expectation is Expectation.MANY_WEAK
    assert not read(shares="one strong direction").by_default
    assert (len(read(columns=2).shares), "shares" in read(columns=1).errors) == (1, True)
    # δ follows the guess until it is typed.
    for people, delta in (("1", 1e-6), ("11,000", 1e-7), ("1e12", 1e-14)):
        assert read(people_guess=people).delta == delta
    assert read(people_guess="1e7", delta="1e-5").delta == 1e-5


@given(st.tuples(*[st.text(max_size=30)] * 5))
def test_no_text_breaks_the_reading(texts):
    names = ("people_guess", "shares", "epsilon", "delta", "chosen")
    answers = read(**dict(zip(names, texts, strict=True)))
    assert all(text.endswith(".") for text in answers.errors.values())


def simulated(answers):
    plans = Plans(answers)
    deque(plans.steps(), maxlen=0)
    return plans


def planned(**changes):
    return simulated(answers_of(clinic_draft(**changes)))


def test_a_card_is_the_plan_of_its_budget():
    plans, shares = planned(people_guess="900"), answers_of(clinic_draft()).shares
    releases = PlannedReleases(DEFAULT, expected_spectrum(shares, 19), 4)

    def expected(epsilon, people):
        noise = releases.scale(Budget(epsilon, 1e-6)) / people
        deque(releases.steps_at(noise), maxlen=0)
        return releases.at(noise)

    for card, epsilon in zip(Card, (0.1, 1.0, 3.0), strict=True):
        assert plans.card(card).planned == expected(epsilon, 900)
    for goal, people in plans.card(Card.MIDDLE).needed.items():
        fewer = ROUND_PEOPLE[ROUND_PEOPLE.index(people) - 1]
        assert goal in expected(1.0, people).reached
        assert goal not in expected(1.0, fewer).reached


def test_odds_are_rounded_up_those_of_the_mechanism_named_and_of_one_epsilon_for_every_table():
    """Gaussian noise at δ = 10⁻⁶: 50.5, 54.7 and 62.3; a pure promise e^ε/(1 + e^ε): 73.1."""
    plans = Plans(answers_of(clinic_draft(people_guess="900")))
    said = [odds(plans.card(card).guarantee, "patient") for card in Card]
    assert [re.findall(r"\*\*([\d.]+)", each) for each in said] == [["50.6"], ["54.8"], ["63"]]
    pure = Plans(answers_of(clinic_draft(people_guess="900", delta="0"))).card(Card.MIDDLE)
    assert pure.mechanism.key == "wishart_difference"
    assert "**74 times in 100**" in odds(pure.guarantee, "patient")
    # On few columns noise without δ is smaller, and guesses are right more often: it is said.
    for columns in (2, 8, 60):
        plan = Plans(read(columns, people_guess="900", shares="40")).card(Card.MIDDLE)
        assert (plan.mechanism, odds(plan.guarantee, "patient")) == (DEFAULT, said[1])
        other = "at most 74 times in 100, not 54.8" in text.what_keeps_more(plan)
        assert other == (columns <= 8), columns


# --- What is handed over, or why it is not ---

DECIDED = clinic_draft(people_guess="900", chosen="middle")
LEFT_OUT = Entry(Use.OUT, Source.FILE)


def decided(draft):
    """Hand over a draft as soon as its card is chosen."""
    answers = answers_of(draft)
    chosen = Plans(answers).card(answers.chosen) if answers.chosen else None
    return handover(draft, answers, chosen)


def test_a_decision_holds_the_public_choices_and_what_the_program_knows_is_not_asked():
    plain = decided(DECIDED)
    assert (plain.epsilon, plain.delta, plain.mechanism) == (1.0, 1e-6, "gaussian")
    assert plain.neighbours is Adjacency.ADD_OR_REMOVE_ONE
    assert (plain.people_guess, plain.recipe) == (900, DECIDED.recipe())
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
    made = synthetic_file(draft, 50).decode("utf-8").splitlines()
    assert (len(made), made[0]) == (51, ";".join(draft.header))
    assert all(f";{MADE_UP};" in row for row in made[1:])
    # What was read from the file never leaves in another.
    for unfinished in (read_from_file(draft, "hr"), Draft()):
        assert synthetic_file(unfinished, 50) is None
