"""The answers of *Decide*: what is read of a text, and one sentence for what is none."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.analysis.expected_spectrum import EXPECTED_SHARES, Expectation
from tests.ui.owner.decide_drafts import COLUMNS_AFTER_CODING, clinic_draft
from ui.owner.decide_address import from_query, to_query
from ui.owner.decide_answers import (
    Answers,
    Card,
    answers_of,
    epsilon_texts,
    read_answers,
    shares_text,
    with_epsilon,
)
from ui.owner.draft import Draft


def read(**texts: str) -> Answers:
    """Read answers of 19 columns; what is not given was not typed."""
    blank = dict.fromkeys(("people_guess", "shares", "epsilon", "delta", "chosen"), "")
    return read_answers(COLUMNS_AFTER_CODING, **(blank | texts))


@pytest.mark.parametrize(
    ("typed", "people"),
    [
        ("900", 900),
        (" 12,000 ", 12_000),
        ("12 000", 12_000),
        ("12\u202f000", 12_000),
        ("1.800", 1_800),
        ("1,800", 1_800),
        ("1\u2009800", 1_800),
        ("1’800", 1_800),
        ("12.000.000", 12_000_000),
        ("1.5e3", 1_500),
        ("1e6", 1e6),
        ("10^5", 1e5),
        ("2·10⁵", 2e5),
        ("110", 110),
        ("1000000000000", 1e12),
    ],
)
def test_people_are_read_as_people_write_them(typed: str, people: float) -> None:
    answers = read(people_guess=typed)
    assert answers.people == people
    assert answers.errors == {}


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("people_guess", "0", "from 1 to 1,000,000,000,000"),
        ("people_guess", "-5", "from 1 to"),
        ("people_guess", "10^13", "from 1 to"),
        ("people_guess", "about nine", "“about nine” is none"),
        ("people_guess", "<img src=x>" * 9, "is none"),
        ("people_guess", "nan", "is none"),
        ("people_guess", "912", "Write a round number"),
        ("people_guess", "1.8", "Write a whole number of people"),
        ("people_guess", "0.800", "Write a whole number of people"),
        ("people_guess", "1.200,000", "is none"),
        ("people_guess", "1.80", "such as 1,800: “1.80” is none"),
        ("people_guess", "2,671", "an exact count of people is private"),
        ("shares", "60 50", "sum to 110"),
        ("shares", "12 36", "largest share first"),
        ("shares", "a b", "not a list of numbers"),
        ("shares", "0.36", "leave"),
        ("shares", "% · %", "not a list of numbers"),
        ("delta", "x", "δ must be a number"),
        ("delta", "1", "below 1"),
        ("delta", "-1e-6", "at least 0"),
        ("delta", "1e-40", "at least 1e-30"),
        ("epsilon", "0.1|x|3", "ε must be a number such as 0.5, not “x”"),
        ("epsilon", "0.1|0|3", "ε must be a positive number"),
        ("epsilon", "0.1|0,5|3", "ε must be a number"),
        ("epsilon", "0.1|1e99|3", "ε must be 1e-08 to 1e+10"),
    ],
)
def test_what_is_no_answer_is_one_sentence(field: str, typed: str, sentence: str) -> None:
    errors = read(**{field: typed}).errors
    assert len(errors) == 1
    text = next(iter(errors.values()))
    assert sentence in text
    assert text.endswith(".")
    assert len(text) < 250


def test_without_answers_there_are_three_budgets_and_nothing_is_chosen() -> None:
    answers = read()
    assert answers.people is None
    assert [budget.epsilon for budget in answers.budgets.values()] == [0.1, 1.0, 3.0]
    assert {budget.delta for budget in answers.budgets.values()} == {1e-6}
    assert answers.expectation is Expectation.FEW_STRONG
    assert answers.chosen is None


def test_delta_follows_the_guess_until_it_is_typed() -> None:
    assert read(people_guess="1e7").delta == 1e-9
    assert read(people_guess="1e7", delta="10⁻⁵").delta == 1e-5
    assert read(delta="0").budgets[Card.MIDDLE].delta == 0.0


@pytest.mark.parametrize("expectation", Expectation)
def test_shares_and_what_they_are_called_agree(expectation: Expectation) -> None:
    by_name, typed = read(shares=str(expectation)), EXPECTED_SHARES[expectation]
    assert by_name.shares == typed
    assert read(shares=shares_text(typed)).expectation is expectation
    assert read(shares="50; 20").expectation is None
    assert read(shares="50, 20").shares == (0.5, 0.2)


def test_every_field_of_a_card_is_its_own() -> None:
    text = with_epsilon("", Card.MIDDLE, "1e")
    assert epsilon_texts(text) == {Card.CAREFUL: "0.1", Card.MIDDLE: "1e", Card.LOOSE: "3"}
    text = with_epsilon(text, Card.LOOSE, "2|4")
    assert epsilon_texts(text) == {Card.CAREFUL: "0.1", Card.MIDDLE: "1e", Card.LOOSE: "2 4"}
    assert [*read(epsilon=text).budgets] == [Card.CAREFUL]
    assert with_epsilon(with_epsilon(text, Card.MIDDLE, "1"), Card.LOOSE, "3") == ""


@given(st.tuples(*[st.text(max_size=30)] * 5))
def test_no_text_breaks_the_reading(texts: tuple[str, ...]) -> None:
    names = ("people_guess", "shares", "epsilon", "delta", "chosen")
    answers = read(**dict(zip(names, texts, strict=True)))
    assert all(text.endswith(".") for text in answers.errors.values())


@pytest.mark.parametrize(
    ("changes", "query"),
    [
        ({}, {}),
        ({"people_guess": "900", "chosen": "loose"}, {"people": "900", "chosen": "loose"}),
        ({"people_guess": "sbp", "shares": "sbp"}, {}),
        ({"epsilon": "0.1|sbp|3", "delta": "sbp", "chosen": "sbp"}, {}),
        ({"epsilon": "0.1|0.5|3"}, {"epsilon": "0.1|0.5|3"}),
    ],
)
def test_only_answers_go_into_the_address(changes: dict[str, Any], query: dict[str, str]) -> None:
    assert to_query(clinic_draft(**changes)) == query


def test_a_link_gives_back_what_it_was_made_of() -> None:
    draft = clinic_draft(people_guess="900", shares="50 20", epsilon="0.1|1|2", chosen="middle")
    assert from_query(clinic_draft(), to_query(draft)) == draft
    assert from_query(draft, {"people": "5", "chosen": "loose"}) == draft


def test_a_draft_that_is_no_recipe_has_no_columns() -> None:
    assert answers_of(clinic_draft()).columns == COLUMNS_AFTER_CODING
    assert answers_of(Draft()).columns == 0
    assert "one column" in answers_of(Draft()).errors["shares"]
