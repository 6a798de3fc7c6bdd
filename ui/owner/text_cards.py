"""What the cards of *Decide* are called: by their ε, which the owner can change."""

from math import inf

from dpca_core.privacy.budget import Budget, Guarantee
from dpca_core.privacy.inference_risk import guess_probability
from dpca_core.text.privacy_numbers import NEARLY_SURE, epsilon_text
from ui.owner.decide_answers import Card, chosen_card
from ui.owner.draft import Draft

CARD_NAMES = {Card.CAREFUL: "Careful", Card.MIDDLE: "Middle", Card.LOOSE: "Loose"}
OWN_BUDGET = "Your own"
"""The name of a card with an ε to which its first name does not fit."""
NAME_RANGES = {Card.CAREFUL: (0.0, 0.5), Card.MIDDLE: (0.2, 2.0), Card.LOOSE: (1.5, inf)}
"""Smallest and largest ε to which a card's name fits."""
NOTHING_CHOSEN = "Nothing is chosen yet, and nothing is spent."
NEXT_TO_NOTHING = "An ε this large promises next to nothing."
NOTHING_AT_THIS_DELTA = "A δ this large promises next to nothing."
NOTHING_TOGETHER = "An ε and a δ this large together promise next to nothing."


def card_name(card: Card, epsilon: float | None) -> str:
    """Return the name of a card at an ε; None while that is no number."""
    low, high = NAME_RANGES[card]
    return CARD_NAMES[card] if epsilon is None or low <= epsilon <= high else OWN_BUDGET


def chosen_sentence(card: Card | None, budget: Budget | None) -> str:
    """Say what is chosen, at the foot of the page."""
    if card is None or budget is None:
        return NOTHING_CHOSEN
    name, epsilon = card_name(card, budget.epsilon).lower(), epsilon_text(budget.epsilon)
    return f"Chosen: {name}, ε\u00a0=\u00a0{epsilon}. Nothing is spent yet."


def chosen_name(draft: Draft) -> str:
    """Return what stands under the step once a card is chosen; "" before."""
    found = chosen_card(draft)
    return "" if found is None else card_name(*found).lower()


def promises_nothing(guarantee: Guarantee) -> str:
    """Warn of a promise that is next to none; "" for any other."""
    if guarantee.guess_probability() < NEARLY_SURE:
        return ""
    if guess_probability(guarantee.epsilon, 0.0) >= NEARLY_SURE:
        return NEXT_TO_NOTHING
    at_this_delta = guess_probability(0.0, guarantee.delta)
    return NOTHING_AT_THIS_DELTA if at_this_delta >= NEARLY_SURE else NOTHING_TOGETHER
