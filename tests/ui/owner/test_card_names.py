"""A card of *Decide* has its name only while its ε is in the range of that name."""

import pytest

import tests.ui.owner.test_decide_page as decide
from dpca_core.example_release.terms import guarantee
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Budget
from tests.ui.owner.decide_drafts import clinic_draft
from ui.owner.decide_answers import FIRST_EPSILONS, Card
from ui.owner.figures import published_chart
from ui.owner.steps import Step, answers
from ui.owner.text_cards import (
    NEXT_TO_NOTHING,
    NOTHING_AT_THIS_DELTA,
    NOTHING_TOGETHER,
    OWN_BUDGET,
    card_name,
    chosen_name,
    chosen_sentence,
    promises_nothing,
)

TWENTY = clinic_draft(people_guess="900", chosen="careful", epsilon="20|1|3")


@pytest.mark.parametrize(
    ("card", "epsilon", "name"),
    [
        (Card.CAREFUL, 0.01, "Careful"),
        (Card.CAREFUL, 0.5, "Careful"),
        (Card.CAREFUL, 20, OWN_BUDGET),
        (Card.MIDDLE, 0.5, "Middle"),
        (Card.MIDDLE, 5, OWN_BUDGET),
        (Card.MIDDLE, 0.1, OWN_BUDGET),
        (Card.LOOSE, 1, OWN_BUDGET),
        (Card.LOOSE, 20, "Loose"),
        (Card.CAREFUL, None, "Careful"),
    ],
)
def test_a_name_fits_a_range(card: Card, epsilon: float | None, name: str) -> None:
    assert card_name(card, epsilon) == name


@pytest.mark.parametrize("card", Card)
def test_the_first_budgets_have_their_names(card: Card) -> None:
    assert card_name(card, float(FIRST_EPSILONS[card])) == str(card).capitalize()


def test_what_is_chosen_is_not_called_careful_at_any_epsilon() -> None:
    said = chosen_sentence(Card.CAREFUL, Budget(20.0, 1e-6))
    assert said == "Chosen: your own, ε\u00a0=\u00a020. Nothing is spent yet."
    said = chosen_sentence(Card.CAREFUL, Budget(0.1, 1e-6))
    assert said == "Chosen: careful, ε\u00a0=\u00a00.1. Nothing is spent yet."
    assert answers(TWENTY)[Step.DECIDE] == "your own"
    assert chosen_name(clinic_draft(chosen="careful")) == "careful"
    assert chosen_name(clinic_draft(chosen="<b>")) == chosen_name(clinic_draft()) == ""


def test_the_page_drops_the_name_and_warns() -> None:
    said = decide.html(decide.settled(decide.opened(TWENTY, decide.table(5))))
    assert "Careful" not in said
    assert "Your own" in said
    assert "Chosen: your own" in said
    assert said.count("promises next to nothing") == 1
    plain = decide.html(decide.settled(decide.opened(decide.DRAFT, decide.table(5))))
    assert "Careful" in plain
    assert "promises next to nothing" not in plain


@pytest.mark.parametrize(
    ("epsilon", "delta", "said"),
    [
        (1.0, 1e-6, ""),
        (50.0, 1e-6, NEXT_TO_NOTHING),
        (20.0, 0.99, NEXT_TO_NOTHING),
        (1.0, 0.9999, NOTHING_AT_THIS_DELTA),
        (4.0, 0.95, NOTHING_TOGETHER),
    ],
)
def test_the_warning_names_what_is_too_large(epsilon: float, delta: float, said: str) -> None:
    promise = guarantee(MECHANISMS["gaussian"], 5, 2, Budget(epsilon, delta))
    assert promises_nothing(promise) == said


def test_the_chart_has_the_same_names() -> None:
    def drawn(epsilons: dict[Card, float]) -> str:
        return str(published_chart(epsilons, None))

    first = {card: float(epsilon) for card, epsilon in FIRST_EPSILONS.items()}
    assert "careful" in drawn(first)
    assert "your own" not in drawn(first)
    assert "careful" not in drawn({**first, Card.CAREFUL: 20.0})
