"""What is said of an account: what is left, what a plan would take, and in what that is counted."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.release.cases import pure_plan, some_account, some_plan
from ui.release.account_text import account_line, bar_label
from ui.release.figures import account_bar
from ui.release.measurements import Spent, spent
from ui.release.text import spend_sentence


@pytest.mark.parametrize(
    ("opened", "spent_first", "words"),
    [
        ({}, None, "Limit ε = 1, δ = 10⁻⁶; one more release may have ε = 1 at that δ."),
        ({"delta": "0"}, None, "Limit ε = 1, no δ; one more release may have ε = 1."),
        ({}, some_plan("1"), "Limit ε = 1, δ = 10⁻⁶; nothing is left."),
    ],
)
def test_an_account_says_what_is_left(tmp_path, opened, spent_first, words):
    account = some_account(tmp_path, **opened)
    if spent_first:
        account.spend(spent_first)
    said = account_line(account, account.left_epsilon(), account.left(Fraction(0)))
    assert said.endswith(words)


OVER = "100 % spent; this plan exceeds the limit: nothing is left"


@pytest.mark.parametrize(
    ("before", "plan", "label"),
    [
        (None, some_plan("3"), "0 % spent; this plan exceeds the limit: 100 % is left"),
        (pure_plan("1"), some_plan("1"), OVER),
        (pure_plan("0.5"), pure_plan("0.25"), "50 % spent, 25 % this plan, 25 % is left"),
        (some_plan("1"), None, "100 % spent, nothing is left"),
    ],
)
def test_a_bar_says_what_a_plan_would_take(tmp_path, before, plan, label):
    account = some_account(tmp_path)
    if before is not None:
        account.spend(before)
    bar = spent(account, plan)
    assert bar_label(bar) == label
    assert ("is-over" in account_bar(bar)) is ("exceeds" in label)
    assert label in account_bar(bar)


@given(st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_no_rest_is_rounded_away(before, share, exceeds):
    planned = (1 - before) * share
    said = bar_label(bar_of(before, planned, exceeds=exceeds))
    numbers = [int(number) for number in re.findall(r"(\d+) %", said.replace("than 1 %", ""))]
    assert sum(numbers) <= 100 - ("less than" in said)
    rest = 1 - before - (0 if exceeds else planned)
    assert ("nothing is left" in said) is (rest <= 1e-9)
    assert "100 % spent" not in said or rest <= 1e-9
    assert not said.startswith("0 %") or before <= 1e-9
    if rest <= 1e-9 and "less than" not in said:
        assert sum(numbers) == 100


def bar_of(before: float, planned: float, *, exceeds: bool = False) -> Spent:
    return Spent(before, planned, 1.0, 1.0, exceeds=exceeds, gaussian=True, pure=False)


def test_the_sentence_before_spending_names_the_noisy_number_of_rows(tmp_path):
    account = some_account(tmp_path)
    plain, means = some_plan(), some_plan(means=Fraction(1, 20))
    said = [spend_sentence(account, of, spent(account, of)) for of in (plain, means)]
    assert ["noisy number of rows" in sentence for sentence in said] == [False, True]
