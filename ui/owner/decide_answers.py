"""The answers of *Decide* as the owner typed them, read into numbers; what is wrong is a sentence.

Everything typed is kept as text in the draft. Nothing here knows the table: the number of columns
after coding follows from the draft.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import floor, log10
from typing import Any, TypeVar

from dpca_core.analysis.expected_spectrum import Expectation, expected_shares, expected_spectrum
from dpca_core.analysis.needed import MOST_PEOPLE
from dpca_core.privacy.budget import LEAST_DELTA, Budget
from ui.owner.draft import Draft
from ui.owner.typed_values import parsed_number
from ui.page.words import Words

T = TypeVar("T")
_say = Words(__file__)
MOST_TYPED = 200
"""Characters of a field that are kept."""
FEW_COLUMNS = 20
"""Columns after coding up to which a few strong directions are what is expected by default."""
MOST_DELTA = 1e-6
"""δ that is proposed, unless the people are so many that it must be smaller."""
_BETWEEN_CARDS = "|"
_BETWEEN_SHARES = re.compile(r"[\s;·%|]+")
_GROUPED = re.compile(r"[1-9]\d{0,2}([.,\u00a0\u2009\u202f’' ])\d{3}(\1\d{3})*", re.ASCII)
"""A whole number in groups of three, with one sign between all of them."""
_DECIMAL_COMMA = re.compile(r"\d+,\d{1,2}|0?,\d+", re.ASCII)
"""A number that can be read in one way only: 1,500 could be two numbers."""


class Card(StrEnum):
    """The three budgets that are laid side by side."""

    CAREFUL = "careful"
    MIDDLE = "middle"
    LOOSE = "loose"


FIRST_EPSILONS = {Card.CAREFUL: "0.1", Card.MIDDLE: "1", Card.LOOSE: "3"}
"""ε of each card, unless the owner types another."""


@dataclass(frozen=True)
class Answers:
    """What the owner answered about a table with so many ``columns`` after coding.

    ``people`` is a public guess; ``shares`` are of the first directions, and nobody's where they
    are the default for so many columns. ``errors`` has a sentence for each field that is no answer,
    and for each card whose ε is none.
    """

    columns: int
    people: float | None
    shares: tuple[float, ...]
    by_default: bool
    delta: float | None
    budgets: Mapping[Card, Budget]
    chosen: Card | None
    errors: Mapping[str, str]
    rows_per_person: int

    @property
    def expectation(self) -> Expectation | None:
        """Which of the offered answers the shares are; None for those that were typed."""
        offered = ((e, expected_shares(e, self.columns)) for e in Expectation if self.columns > 1)
        return next((e for e, shares in offered if shares == self.shares), None)


def answers_of(draft: Draft) -> Answers:
    """Read the answers of a draft; a draft that is no recipe yet has no columns."""
    recipe = draft.recipe()
    if isinstance(recipe, tuple):
        return read_answers(draft, 0)
    return read_answers(draft, recipe.width, recipe.rows_per_person)


def read_answers(draft: Draft, columns: int, rows_per_person: int = 1) -> Answers:
    """Read the answers about a table with so many columns after coding."""
    errors: dict[str, str] = {}

    def read(name: str, kind: Callable[..., T], *typed: Any) -> T | None:
        try:
            return kind(*typed)
        except ValueError as refused:
            errors[name] = str(refused)
        return None

    people = read("people", _people, draft.people_guess)
    shares = read("shares", _shares, draft.shares, columns) or ()
    delta = read("delta", _delta, draft.delta, people)
    texts = epsilon_texts(draft.epsilon).items()
    found = {card: read(card, _budget, text, delta or 0.0) for card, text in texts}
    return Answers(
        columns,
        people,
        shares,
        not draft.shares.strip(),
        delta,
        {card: budget for card, budget in found.items() if budget and delta is not None},
        Card(draft.chosen) if draft.chosen in list(Card) else None,
        errors,
        rows_per_person,
    )


def epsilon_texts(epsilon: str) -> dict[Card, str]:
    """Return ε of each card as text: what was typed, else the first proposal."""
    typed = [*epsilon.split(_BETWEEN_CARDS), "", "", ""]
    pairs = zip(FIRST_EPSILONS.items(), typed, strict=False)
    return {card: text if text.strip() else first for (card, first), text in pairs}


def with_epsilon(epsilon: str, card: Card, text: str) -> str:
    """Return the draft's text with another ε typed on one card."""
    typed = epsilon_texts(epsilon)
    typed[card] = text[:MOST_TYPED].replace(_BETWEEN_CARDS, " ")
    return "" if typed == FIRST_EPSILONS else _BETWEEN_CARDS.join(typed.values())


def shares_text(shares: tuple[float, ...]) -> str:
    """Write shares as the page shows them: "36 · 12 · 11.5 · 7 %"."""
    return f"{' · '.join(f'{share * 100:.3g}' for share in shares)}\u00a0%"


def _people(text: str) -> float | None:
    plain = text.strip()
    if not plain:
        return None
    number = float(re.sub(r"\D", "", plain)) if _GROUPED.fullmatch(plain) else _number_of(plain)
    if number is None or not number.is_integer():
        raise ValueError(_say("not_people", typed=_quoted(text)))
    if not 1 <= number <= MOST_PEOPLE:
        raise ValueError(_say("people_range", most=MOST_PEOPLE))
    # An exact count is private, and this number is printed. It is never compared with the data's.
    if float(f"{number:.1e}") != number:
        raise ValueError(_say("round_people"))
    return number


def _shares(text: str, columns: int) -> tuple[float, ...]:
    if columns < 2:
        raise ValueError(_say("one_direction"))
    # Many columns share their variation among many directions: few of them are strong.
    default = Expectation.FEW_STRONG if columns <= FEW_COLUMNS else Expectation.MANY_WEAK
    expected = text.strip() or str(default)
    if expected in list(Expectation):
        return expected_shares(Expectation(expected), columns)
    parts = [part.strip(",") for part in _BETWEEN_SHARES.split(expected) if part.strip(",")]
    if len(parts) == 1:
        # Where nothing else stands between shares, commas do; else they are decimal ones.
        parts = parts[0].split(",")
    numbers = [number for part in parts if (number := _number_of(part)) is not None]
    if len(numbers) < len(parts) or not numbers:
        raise ValueError(_say("not_shares", typed=_quoted(text)))
    shares = tuple(number / 100 for number in numbers)
    for known in (expected_shares(expectation, columns) for expectation in Expectation):
        if shares_text(known) == shares_text(shares):
            return known
    expected_spectrum(shares, columns)  # refuses what cannot be
    return shares


def _delta(text: str, people: float | None) -> float:
    """Read δ; without one it is 10⁻⁶, or less where a public guess of the people is large."""
    if text.strip():
        return Budget(1.0, _stated("δ", text, "1e-6")).delta
    if people is None:
        return MOST_DELTA
    exponent = floor(log10(1 / (100 * people)) + 1e-9)  # a hundredth of one in their number
    return max(float(LEAST_DELTA), min(MOST_DELTA, float(f"1e{exponent}")))


def _budget(text: str, delta: float) -> Budget:
    return Budget(_stated("ε", text, "0.5"), delta)


def _stated(symbol: str, text: str, example: str) -> float:
    number = _number_of(text)
    if number is None:
        raise ValueError(_say("not_stated", symbol=symbol, example=example, typed=_quoted(text)))
    return number


def _number_of(text: str) -> float | None:
    is_comma = _DECIMAL_COMMA.fullmatch(text.strip())
    return parsed_number(text.replace(",", ".") if is_comma else text)


def _quoted(text: str) -> str:
    short = " ".join(text.split())
    return f"“{short[:30]}…”" if len(short) > 30 else f"“{short}”"
