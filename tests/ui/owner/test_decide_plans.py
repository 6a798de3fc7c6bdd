"""What Decide reads of its answers, the plans of its cards, what is said of them and handed over,
and the stand-in that is made of public choices alone.
"""

import csv
import io
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
from dpca_core.text.release_statements import MEAN_STAYS, Answer, Declaration, Fact
from sample_data.made_up_clinic import MADE_UP
from tests.ui.owner.beginnings import clinic_draft, having, read_from_file
from ui.owner import text
from ui.owner.column import Entry, Use
from ui.owner.decide_answers import Card, answers_of, read_answers
from ui.owner.decide_plans import Needed, Plans
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
    for typed, people in (("1", 1), ("1.000.000.000.000", 1e12)):
        assert read(people_guess=typed).people == people
    assert read(epsilon="0,1|1,5|3").budgets[Card.MIDDLE].epsilon == 1.5
    for typed in ("36 12 11,5 7", "36; 12; 11,5; 7", "36 · 12 · 11.5 · 7 %"):
        assert read(shares=typed).shares == (0.36, 0.12, 0.115, 0.07), typed
    assert read(shares="40,20,10").shares == read(shares="40 20 10").shares == (0.4, 0.2, 0.1)


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("people_guess", "0", "from 1 to 1,000,000,000,000"),
        ("people_guess", "nan", "is none"),
        ("people_guess", "912", "Write a round number"),
        ("people_guess", "0.800", "Write a whole number of people"),
        ("people_guess", "2,671", "an exact count of people is private"),
        ("shares", "60 50", "sum to 110"),
        ("shares", "12 36", "largest share first"),
        ("delta", "1e-40", "or 1e-30 to below 1"),
        ("epsilon", "0.1|x|3", "ε must be a number such as 0.5, not “x”"),
        ("epsilon", "0.1|1e99|3", "ε must be 1e-08 to 1e+10"),
        ("epsilon", "0.1|1,500|3", "ε must be a number such as 0.5, not “1,500”"),
    ],
)
def test_what_is_no_answer_is_one_sentence(field, typed, sentence):
    (text,) = read(**{field: typed}).errors.values()
    assert sentence in text
    assert text.endswith(".")
    assert len(text) < 250


def test_without_answers_there_are_three_budgets_and_nothing_is_chosen():
    answers = read()
    assert answers.people is None
    assert [budget.epsilon for budget in answers.budgets.values()] == [0.1, 1.0, 3.0]
    assert {budget.delta for budget in answers.budgets.values()} == {1e-6}
    assert (answers.expectation, answers.by_default) == (Expectation.FEW_STRONG, True)
    assert read(columns=21).expectation is Expectation.MANY_WEAK
    assert not read(shares="one strong direction").by_default
    assert (len(read(columns=2).shares), "shares" in read(columns=1).errors) == (1, True)
    assert answers.chosen is None
    # δ follows the guess until it is typed.
    for people, delta in (("1", 1e-6), ("11,000", 1e-7), ("1e7", 1e-9), ("1e12", 1e-14)):
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
    assert plans.left == 0
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


def test_the_page_answers_before_anything_is_simulated_and_the_chosen_card_comes_first():
    answers = answers_of(clinic_draft(people_guess="770", shares="31 20 6", chosen="loose"))
    plans = Plans(answers)
    found = plans.card(Card.LOOSE)
    assert found.planned is None
    assert {*found.needed.values()} == {Needed.NOT_KNOWN_YET}
    assert "**63 times in 100**" in odds(found.guarantee, "patient")
    assert text.decide_headline(found) == "You chose [[ε\u00a0=\u00a03]]."
    steps, left = plans.steps(), plans.left
    while plans.left == left:
        next(steps)
    assert plans.left > 0
    assert plans.card(Card.LOOSE).planned is not None
    assert plans.card(Card.CAREFUL).planned is None


def test_odds_are_rounded_up_and_those_of_the_mechanism_named():
    """Gaussian noise at δ = 10⁻⁶: 50.5, 54.7 and 62.3; a pure promise e^ε/(1 + e^ε): 73.1."""
    plans = planned(people_guess="900")
    said = [odds(plans.card(card).guarantee, "patient") for card in Card]
    assert [re.findall(r"\*\*([\d.]+)", each) for each in said] == [["50.6"], ["54.8"], ["63"]]
    pure = planned(people_guess="900", delta="0").card(Card.MIDDLE)
    assert "**74 times in 100**" in odds(pure.guarantee, "patient")
    how = text.steps_of_release(pure, 201, "patients")
    assert "Wishart difference noise" in how[0][0]
    assert "at most 200 columns" in how[0][1]


def test_one_epsilon_is_one_protection_whatever_the_table():
    """On few columns noise without δ is smaller, and guesses are right more often: it is said."""
    said = set()
    for columns in (2, 5, 8, 19, 60):
        plans = Plans(read(columns, people_guess="900", shares="40"))
        plan = plans.card(Card.MIDDLE)
        said.add((plan.mechanism.key, odds(plan.guarantee, "patient")))
        smaller = plan.recommendation.mechanism is not DEFAULT
        assert smaller == (columns <= 8), columns
        other = "at most 74 times in 100, not 54.8" in text.what_keeps_more(plan)
        assert other == smaller
    assert len(said) == 1
    pure = Plans(read(3, people_guess="900", shares="40", delta="0")).card(Card.MIDDLE)
    assert pure.mechanism.key == "wishart_difference"
    assert text.what_keeps_more(pure).startswith("Nuclear norm would usually keep more.")


def test_what_a_direction_may_show_that_is_no_finding_is_said_before_anything_is_spent():
    values = "A direction may show how common the values of sex, smoker or ward are"
    clinic = clinic_draft()
    assert text.no_findings(clinic, clinic.recipe()).startswith(values)
    draft = clinic.merge({"hr": {"typical": ""}})
    mean = f"No typical value: hr. A direction may show {MEAN_STAYS}. {values}"
    assert text.no_findings(draft, draft.recipe()).startswith(mean)


def test_what_is_said_of_directions_people_and_odds():
    plans = planned(people_guess="900", chosen="middle")
    careful, middle, loose = (plans.card(card) for card in Card)
    said = "direction\u00a01 reliable; 4 recognisable; 2 and 3 only together."
    assert text.decide_headline(middle).endswith(f"if your data are as you expect: {said}")
    assert "if the default below fits them" in text.decide_headline(middle, by_default=True)
    assert "54.8 times in 100" in text.subheading(middle, "patient")
    assert "one patient added or removed" in text.subheading(middle, "patient")
    needed = "The first needs about **1,500 patients**, all four about **15,000 patients**"
    assert text.people_sentence(careful, 4, "patients") == needed
    enough = "There are **enough patients** for all four"
    assert text.people_sentence(loose, 4, "patients") == enough
    more = planned(people_guess="2000", chosen="middle").card(Card.MIDDLE)
    assert text.people_sentence(more, 4, "patients") == f"{enough}, some of them only together"
    assert planned().card(Card.MIDDLE).planned is None
    assert "how many patients" in text.no_levels(answers_of(clinic_draft()), "patients")


def test_too_many_columns_are_one_sentence():
    answers = replace(answers_of(clinic_draft(people_guess="900")), columns=2001)
    with pytest.raises(ValueError, match="at most 2,000 columns"):
        Plans(answers)


# --- What is handed over, or why it is not ---

DECIDED = clinic_draft(people_guess="900", chosen="middle")
LEFT_OUT = Entry(Use.OUT, Source.FILE)


def decided(draft):
    """Hand over a draft; its plans are simulated where they can be."""
    answers = answers_of(draft)
    chosen = simulated(answers).card(answers.chosen) if answers.chosen else None
    return handover(draft, answers, chosen)


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
