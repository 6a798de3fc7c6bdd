"""Plans of the cards, what is said of them, and the pictures in the cards."""

from dataclasses import replace
from math import log10
from typing import Any

import pytest

from dpca_core.analysis.expected_spectrum import expected_spectrum
from dpca_core.analysis.people_needed import Goal, people_needed
from dpca_core.analysis.planned_reliability import planned_reliability
from dpca_core.analysis.reliability import Reliability
from dpca_core.figures.line_names import text_width
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
from tests.chart_figures import assert_names_are_apart, assert_plotly_draws
from tests.ui.owner.decide_drafts import clinic_draft
from ui.owner import decide_cards as cards
from ui.owner import decide_text as text
from ui.owner.decide_answers import Answers, Card, answers_of
from ui.owner.decide_plans import CardPlan, Needed, Plans
from ui.owner.figures import SIZES, published_chart
from ui.owner.level_text import levels_sentence
from ui.owner.published import PUBLISHED


def planned(**changes: Any) -> tuple[Answers, Plans]:
    """Return the plans of a draft, all simulated."""
    answers = answers_of(clinic_draft(**changes))
    plans = Plans(answers)
    for _ in plans.steps():
        pass
    return answers, plans


def card_plan(card: Card, **changes: Any) -> CardPlan:
    """Return the plan of one card, simulated."""
    found = planned(**changes)[1].card(card)
    assert found is not None
    return found


def test_a_card_is_the_plan_of_its_budget() -> None:
    answers, plans = planned(people_guess="900")
    assert plans.complete
    spectrum = expected_spectrum(900, answers.shares, 19)
    for card, epsilon in zip(Card, (0.1, 1.0, 3.0), strict=True):
        found, budget = plans.card(card), Budget(epsilon, 1e-6)
        assert found is not None
        assert found.planned == planned_reliability(DEFAULT, spectrum, 4, budget)
    middle = plans.card(Card.MIDDLE)
    assert middle is not None
    assert middle.needed == {
        goal: people_needed(DEFAULT, spectrum / 900, 4, Budget(1.0, 1e-6), goal) for goal in Goal
    }


def test_the_page_answers_before_anything_is_simulated() -> None:
    answers = answers_of(clinic_draft(people_guess="770", shares="31 20 6"))
    plans = Plans(answers)
    found = plans.card(Card.LOOSE)
    assert found is not None
    assert found.planned is None
    assert {*found.needed.values()} == {Needed.NOT_KNOWN_YET}
    assert text.odds(found.guarantee) == "63"
    assert text.headline(found) == "You chose [[ε\u00a0=\u00a03]]."
    assert plans.known == 0
    next(plans.steps())
    assert not plans.complete


def test_the_chosen_card_is_simulated_first() -> None:
    answers = answers_of(clinic_draft(people_guess="780", shares="33 21 7", chosen="loose"))
    plans = Plans(answers)
    steps = plans.steps()
    while plans.known == 0:
        next(steps)
    loose, careful = plans.card(Card.LOOSE), plans.card(Card.CAREFUL)
    assert loose is not None
    assert loose.planned is not None
    assert careful is not None
    assert careful.planned is None


def test_odds_are_rounded_up_and_those_of_the_mechanism_named() -> None:
    """Gaussian noise at δ = 10⁻⁶: 50.5, 54.7 and 62.3; a pure promise e^ε/(1 + e^ε): 73.1."""
    gaussian = [card_plan(card, people_guess="900") for card in Card]
    assert [text.odds(plan.guarantee) for plan in gaussian] == ["50.6", "54.8", "63"]
    pure = card_plan(Card.MIDDLE, people_guess="900", delta="0")
    assert text.odds(pure.guarantee) == "74"
    assert pure.recommendation.mechanism.key == "wishart_difference"
    assert "pure: δ is 0" in how(pure)[0][1]
    assert "Wishart difference noise" in how(pure)[0][0]


def how(plan: CardPlan, columns: int = 19, typical_missing: int = 0) -> list[tuple[str, str]]:
    """Return how the release of a card will be made."""
    return text.steps_of_release(
        plan.recommendation,
        plan.budget,
        columns,
        typical_missing=typical_missing,
        many="patients",
    )


def test_how_it_will_be_done_says_why() -> None:
    plan = card_plan(Card.MIDDLE, people_guess="900")
    first, second, third = how(plan)
    assert first == (
        "Gaussian noise on the table of products",
        "the smallest noise that can be released, for δ above 0",
    )
    assert second[0] == "Every row equally long"
    assert third[1].startswith("public and free. A private mean can replace them from about ")
    assert third[1].endswith("23,000 patients at ε\u00a0=\u00a01")
    assert "two numbers have no typical value" in how(plan, typical_missing=2)[2][1]
    many = card_plan(Card.MIDDLE, people_guess="1e6")
    assert "would do too" in how(many)[2][1]
    assert "at most 200 columns" in how(card_plan(Card.MIDDLE, delta="0"), columns=201)[0][1]


def test_sentences_of_the_mock() -> None:
    _, plans = planned(people_guess="900", chosen="middle")
    careful, middle, loose = (plans.card(card) for card in Card)
    assert careful is not None
    assert middle is not None
    assert loose is not None
    assert text.headline(middle) == (
        "At [[ε\u00a0=\u00a01]], if your data are as you expect, direction\u00a01 is reliable; "
        "2 and 3 only together; 4 is recognisable."
    )
    assert text.subheading(middle, "patient") == (
        "Someone guessing whether one patient is in the data is right at most **54.8 times in "
        "100**. With δ\u00a0=\u00a010⁻⁶, for one patient added or removed."
    )
    assert text.people_sentence(careful, 4, "patients") == (
        "The first needs about **1,500 patients**, all four about **15,000 patients**"
    )
    assert text.people_sentence(middle, 4, "patients") == ("All four need about **1,500 patients**")
    assert text.people_sentence(loose, 4, "patients") == (
        "There are **enough patients** for all four"
    )
    assert text.reason(middle, 900, "patients").endswith("as many patients as the owner guessed.")


def test_enough_people_for_directions_that_hold_only_together() -> None:
    _, plans = planned(people_guess="2000", chosen="middle")
    middle = plans.card(Card.MIDDLE)
    assert middle is not None
    assert "2 and 3 only together" in text.headline(middle)
    assert text.people_sentence(middle, 4, "patients") == (
        "There are **enough patients** for all four, 2 and 3 together"
    )


def test_nothing_is_said_of_directions_without_a_number_of_people() -> None:
    answers, plans = planned()
    found = plans.card(Card.MIDDLE)
    assert found is not None
    assert found.planned is None
    assert "how many patients" in text.no_levels(answers, "patients")
    assert "All four" in text.people_sentence(found, 4, "patients") or "The first" in (
        text.people_sentence(found, 4, "patients")
    )


@pytest.mark.parametrize(
    ("people", "shares", "sentence"),
    [
        ("1", "60", "The direction is lost"),
        ("1e6", "60", "The direction is reliable"),
        ("20", "36 12 11.5 7", "All four directions are lost"),
        ("1e7", "36 12 11.5 7", "Directions\u00a01 to 4 are reliable"),
    ],
)
def test_all_alike_is_one_sentence(people: str, shares: str, sentence: str) -> None:
    plan = card_plan(Card.MIDDLE, people_guess=people, shares=shares)
    assert plan.planned is not None
    assert levels_sentence(plan.planned) == sentence


def test_more_than_ten_million_are_not_counted() -> None:
    plan = card_plan(Card.CAREFUL, people_guess="10", shares="30 29.99999", epsilon="0.001|1|3")
    assert plan.needed[Goal.ALL] is not Needed.NOT_KNOWN_YET
    close = replace(plan, needed=dict.fromkeys(Goal, Needed.TOO_MANY))
    assert text.people_sentence(close, 2, "patients") == (
        "Both need **more than 10 million patients**"
    )


def test_bars_and_dots_show_the_numbers() -> None:
    plan = card_plan(Card.MIDDLE, people_guess="900")
    assert plan.planned is not None
    bars = cards.direction_bars(plan.planned)
    assert bars.count("<li") == 4
    for held in plan.planned.held:
        assert f"width: {100 * held:.1f}%" in bars
    assert bars.count("is-together") == 4
    dots = cards.guess_dots(plan.guarantee, "<b>")
    assert dots.count("<i") == 100
    assert dots.count("is-gained") == 5
    assert "<b>" not in dots
    assert plan.planned.reliabilities.directions[3].level is Reliability.RECOGNISABLE


def test_wide_spectra_are_drawn_in_part() -> None:
    drawn = cards.spectrum_bars(expected_spectrum(1.0, (0.5, 0.2), 500), 2)
    assert drawn.count("<i") == cards.MOST_BARS
    assert drawn.count("is-named") == 2
    assert "…" in drawn


EPSILONS = {Card.CAREFUL: 0.1, Card.MIDDLE: 1.0, Card.LOOSE: 3.0}


@pytest.mark.parametrize(
    "epsilons",
    [EPSILONS, {}, dict.fromkeys(Card, 1.0), {Card.CAREFUL: 1e-8, Card.LOOSE: 1e10}],
    ids=["first", "none", "equal", "far"],
)
def test_the_chart_of_what_others_published_can_be_drawn(epsilons: dict[Card, float]) -> None:
    chart = published_chart(epsilons, Card.MIDDLE)
    assert_plotly_draws({"charts": [chart]})
    assert_names_are_apart({"charts": [chart]})
    rules = [shape for shape in chart["figure"]["layout"]["shapes"] if shape["type"] == "line"]
    assert {rule["x0"] for rule in rules} == {*epsilons.values()}
    assert list(chart["figure"]["data"][0]["x"]) == [one.epsilon for one in PUBLISHED]
    assert all(one.unit in cards.published_list() for one in PUBLISHED)


@pytest.mark.parametrize("width", sorted(SIZES))
def test_no_rule_goes_through_what_is_advised(width: int) -> None:
    figure = published_chart(EPSILONS, Card.MIDDLE)["figure"]
    at = figure["sizes"][str(width)]
    (advice,) = [a for a in at["annotations"] if a["text"] in (text.ADVICE, *text.ADVICE_IN_SHORT)]
    decades = 4
    begin = (advice["x"] + 2) / decades * width + advice["xshift"]
    end = begin + text_width(advice["text"], at["type"])
    rules = [(log10(e) + 2) / decades * width for e in EPSILONS.values()]
    assert not any(begin <= rule <= end for rule in rules)


def test_too_many_columns_are_one_sentence() -> None:
    answers = replace(answers_of(clinic_draft(people_guess="900")), columns=2001)
    with pytest.raises(ValueError, match="at most 2,000 columns"):
        Plans(answers)
