"""The answers of *Decide* as the owner typed them, read into numbers; what is wrong is a sentence.

Everything typed is kept as text in the draft, and in the address only what is an answer. Nothing
here knows the table: the number of columns after coding follows from the draft.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import floor, log10
from typing import Any

from dpca_core.analysis.expected_spectrum import Expectation, expected_shares, expected_spectrum
from dpca_core.analysis.needed import MOST_PEOPLE
from dpca_core.privacy.budget import LEAST_DELTA, Budget
from ui.owner.draft import Draft
from ui.owner.typed_values import parsed_number

MOST_TYPED = 200
"""Characters of a field that are kept."""

_BETWEEN_CARDS = "|"
_BETWEEN_SHARES = re.compile(r"[\s;·%|]+")
_GROUPED = re.compile(r"[1-9]\d{0,2}([.,\u00a0\u2009\u202f’' ])\d{3}(\1\d{3})*", re.ASCII)
"""A whole number in groups of three, with one sign between all of them."""
_POWER = re.compile(
    r"(?:(\d+(?:\.\d+)?)\s*[·*×]\s*)?10(?:\^([-\u2212]?\d{1,3})|(⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))", re.ASCII
)
_DECIMAL_COMMA = re.compile(r"\d+,\d{1,2}|0?,\d+", re.ASCII)
"""A number that can be read in one way only: 1,500 could be two numbers."""
_PLAIN = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹\u2212", "-0123456789-")


class Card(StrEnum):
    """The three budgets that are laid side by side."""

    CAREFUL = "careful"
    MIDDLE = "middle"
    LOOSE = "loose"


FIRST_EPSILONS = {Card.CAREFUL: "0.1", Card.MIDDLE: "1", Card.LOOSE: "3"}
"""ε of each card, unless the owner types another."""

FEW_COLUMNS = 20
"""Columns after coding up to which a few strong directions are what is expected by default."""
MOST_DELTA = 1e-6
"""δ that is proposed, unless the people are so many that it must be smaller."""


@dataclass(frozen=True)
class Answers:
    """What the owner answered.

    Attributes
    ----------
    people
        A public guess; None while there is none.
    shares
        Of the first directions; () where they are none.
    expectation
        Which of the offered answers they are; None for shares that were typed.
    delta
        None where it is none.
    budgets
        Of the cards whose ε and δ are numbers.
    chosen
        None while no card is chosen.
    rows_per_person
        The most that a person may have, by the draft.
    by_default
        Whether the shares are nobody's: the default for so many columns.
    errors
        A sentence for each field that is no answer: ``people``, ``shares``, ``delta`` and the
        cards' names.
    """

    columns: int
    people: float | None
    shares: tuple[float, ...]
    expectation: Expectation | None
    delta: float | None
    budgets: Mapping[Card, Budget]
    chosen: Card | None
    errors: Mapping[str, str]
    rows_per_person: int = 1
    by_default: bool = False


def answers_of(draft: Draft) -> Answers:
    """Read the answers of a draft; a draft that is no recipe yet has no columns."""
    recipe = draft.recipe()
    answers = read_answers(
        0 if isinstance(recipe, tuple) else recipe.width,
        people_guess=draft.people_guess,
        shares=draft.shares,
        epsilon=draft.epsilon,
        delta=draft.delta,
        chosen=draft.chosen,
    )
    if isinstance(recipe, tuple):
        return answers
    return replace(answers, rows_per_person=recipe.rows_per_person)


def read_answers(
    columns: int, *, people_guess: str, shares: str, epsilon: str, delta: str, chosen: str
) -> Answers:
    """Read the fields of a draft whose table has d columns after coding."""
    errors: dict[str, str] = {}
    people = _people(people_guess, errors)
    named = _shares(shares, columns, errors)
    noise = _delta(delta, people, errors)
    budgets = {}
    for card, text in epsilon_texts(epsilon).items():
        budget = _budget(text, noise, card, errors)
        if budget is not None:
            budgets[card] = budget
    return Answers(
        columns,
        people,
        named,
        _expectation(named, columns),
        noise,
        budgets,
        Card(chosen) if chosen in list(Card) else None,
        errors,
        by_default=not shares.strip(),
    )


def default_expectation(columns: int) -> Expectation:
    """Return what is expected of so many columns after coding while nobody has said it.

    Many columns share their variation among many directions: few of them are strong.
    """
    return Expectation.FEW_STRONG if columns <= FEW_COLUMNS else Expectation.MANY_WEAK


def epsilon_texts(epsilon: str) -> dict[Card, str]:
    """Return ε of each card as text: what was typed, else the first proposal."""
    typed = [*epsilon.split(_BETWEEN_CARDS), "", "", ""] if epsilon else ["", "", ""]
    return {
        card: text if text.strip() else FIRST_EPSILONS[card]
        for card, text in zip(Card, typed, strict=False)
    }


def chosen_card(draft: Draft) -> tuple[Card, float | None] | None:
    """Return the chosen card and its ε, None where that is no number; None while none is chosen."""
    if draft.chosen not in list(Card):
        return None
    card = Card(draft.chosen)
    return card, _number(epsilon_texts(draft.epsilon)[card])


def with_epsilon(epsilon: str, card: Card, text: str) -> str:
    """Return the draft's text with another ε typed on one card."""
    typed = epsilon_texts(epsilon)
    typed[card] = text[:MOST_TYPED].replace(_BETWEEN_CARDS, " ")
    return "" if typed == FIRST_EPSILONS else _BETWEEN_CARDS.join(typed.values())


def shares_text(shares: tuple[float, ...]) -> str:
    """Write shares as the page shows them: "36 · 12 · 11.5 · 7 %"."""
    return f"{' · '.join(f'{share * 100:.3g}' for share in shares)}\u00a0%"


def _expectation(shares: tuple[float, ...], columns: int) -> Expectation | None:
    offered = ((e, expected_shares(e, columns)) for e in Expectation) if columns > 1 else ()
    found = (e for e, expected in offered if shares_text(expected) == shares_text(shares))
    return next(found, None)


def people_number(text: str) -> float | None:
    """Return a number of people as it is written, in groups of three too; None for none."""
    plain = text.strip()
    return float(re.sub(r"\D", "", plain)) if _GROUPED.fullmatch(plain) else _number(plain)


def _people(text: str, errors: dict[str, str]) -> float | None:
    if not text.strip():
        return None
    number = people_number(text)
    if number is not None and not number.is_integer():
        errors["people"] = (
            f"Write a whole number of people, such as 1,800: {_quoted(text)} is none."
        )
        return None
    if number is None:
        errors["people"] = f"Write how many there are as a number: {_quoted(text)} is none."
        return None
    if not 1 <= number <= MOST_PEOPLE:
        errors["people"] = f"The number of people must be from 1 to {MOST_PEOPLE:,.0f}."
        return None
    # An exact count is private, and this number is printed. It is never compared with the data's.
    if float(f"{number:.1e}") != number:
        errors["people"] = (
            "Write a round number, such as 900 or 1,200, with two digits that are not 0: it is "
            "published, and an exact count of people is private."
        )
        return None
    return number


def _shares(text: str, columns: int, errors: dict[str, str]) -> tuple[float, ...]:
    if columns < 2:
        errors["shares"] = "With one column there is no direction to choose; use two or more."
        return ()
    expected = text.strip() or str(default_expectation(columns))
    if expected in list(Expectation):
        return expected_shares(Expectation(expected), columns)
    parts = [part.strip(",") for part in _BETWEEN_SHARES.split(text.strip()) if part.strip(",")]
    if len(parts) == 1:
        # Where nothing else stands between shares, commas do; else they are decimal ones.
        parts = parts[0].split(",")
    numbers = [number for part in parts if (number := _number(part)) is not None]
    if len(numbers) < len(parts) or not numbers:
        errors["shares"] = (
            f"Write the shares in per cent, as in 36 · 12 · 7: {_quoted(text)} is not a list of "
            "numbers."
        )
        return ()
    shares = tuple(number / 100 for number in numbers)
    offered = (expected_shares(expectation, columns) for expectation in Expectation)
    for known in offered:
        if shares_text(known) == shares_text(shares):
            return known
    try:
        expected_spectrum(shares, columns)
    except ValueError as refused:
        errors["shares"] = str(refused)
        return ()
    return shares


def default_delta(people: float | None) -> float:
    """Return the δ to start from: 10⁻⁶, or less where a public guess of the people is large."""
    if people is None:
        return MOST_DELTA
    exponent = floor(log10(1 / (100 * people)) + 1e-9)  # a hundredth of one in their number
    return max(float(LEAST_DELTA), min(MOST_DELTA, float(f"1e{exponent}")))


def _delta(text: str, people: float | None, errors: dict[str, str]) -> float | None:
    if not text.strip():
        return default_delta(people)
    number = _number(text)
    try:
        if number is None:
            raise ValueError(f"δ must be a number such as 10⁻⁶, not {_quoted(text)}.")
        return Budget(1.0, number).delta
    except ValueError as refused:
        errors["delta"] = str(refused)
        return None


def _budget(text: str, delta: float | None, card: Card, errors: dict[str, str]) -> Budget | None:
    number = _number(text)
    try:
        if number is None:
            raise ValueError(f"ε must be a number such as 0.5, not {_quoted(text)}.")
        budget = Budget(number, 1e-6 if delta is None else delta)
    except ValueError as refused:
        errors[card] = str(refused)
        return None
    return None if delta is None else budget


def _number(text: str) -> float | None:
    """Return a number as people write it: 0.5, 0,5, 1e-6, 10⁻⁶ or 2·10^5; None for others."""
    if _DECIMAL_COMMA.fullmatch(text.strip()):
        text = text.replace(",", ".")
    power = _POWER.fullmatch(text.strip())
    if power is None:
        return parsed_number(text)
    exponent = (power[2] or power[3]).translate(_PLAIN)
    return parsed_number(f"{power[1] or '1'}e{exponent}")


def _quoted(text: str) -> str:
    short = " ".join(text.split())
    return f"“{short[:30]}…”" if len(short) > 30 else f"“{short}”"


_FIELDS = {
    "people": "people_guess",
    "shares": "shares",
    "epsilon": "epsilon",
    "delta": "delta",
    "chosen": "chosen",
}
"""Names in the address, and fields of the draft."""

_CARDS = frozenset(Card)


def to_query(draft: Draft) -> dict[str, str]:
    """Return the answers that are some, as the owner typed them."""
    answers = answers_of(draft)
    wrong = {"epsilon" if name in _CARDS else name for name in answers.errors}
    texts = {name: getattr(draft, field).strip() for name, field in _FIELDS.items()}
    if answers.chosen is None:
        wrong.add("chosen")
    return {name: text for name, text in texts.items() if text and name not in wrong}


def from_query(draft: Draft, query: Mapping[str, str]) -> Draft:
    """Take the answers of a link where the draft has none yet."""
    found: dict[str, Any] = {
        field: query[name][:MOST_TYPED]
        for name, field in _FIELDS.items()
        if name in query and not getattr(draft, field)
    }
    return replace(draft, **found) if found else draft
