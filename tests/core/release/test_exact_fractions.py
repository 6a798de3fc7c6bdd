"""Fractions as text and as floats: exact, or on the side that was asked for."""

from fractions import Fraction

import numpy as np
import pytest

from dpca_core.release.exact_fractions import (
    above,
    below,
    fraction_text,
    read_fraction,
    short_text,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.5", "1/2"), ("1e-6", "1/1000000"), ("2E+2", "200"), ("3/7", "3/7"), ("0", "0")],
)
def test_text_is_read_exactly(text, value):
    assert read_fraction(text) == Fraction(value)


@pytest.mark.parametrize(
    "text",
    ["", "-1", "1e9999", " 1", "nan", "inf", "1/0", "0x1", "١", ".5", "1.", 0.5, None, "1_0"],
)
def test_other_text_is_refused(text):
    with pytest.raises(ValueError, match="number must"):
        read_fraction(text)


def test_text_gives_the_fraction_back():
    rng = np.random.default_rng(3)
    for _ in range(500):
        value = Fraction(int(rng.integers(0, 2**62)), int(rng.integers(1, 2**62)))
        decimal = Fraction(int(rng.integers(0, 2**62)), 10 ** int(rng.integers(0, 30)))
        for number in (value, decimal, value / 2**64):
            assert read_fraction(fraction_text(number)) == number
            assert Fraction(below(number)) <= number <= Fraction(above(number))
            assert above(number) - below(number) <= np.spacing(above(number))
        assert "/" not in fraction_text(decimal)


def test_a_sum_of_hundreds_of_costs_still_has_a_text():
    rng = np.random.default_rng(4)
    costs = [Fraction(1, int(rng.integers(2**56, 2**57)) ** 2) for _ in range(300)]
    total = sum(costs)
    text = short_text(total)
    assert len(text) < 60
    assert total <= Fraction(text) <= total + Fraction(1, 10**40)
    assert short_text(Fraction("0.1")) == "0.1"
    assert short_text(Fraction(1, 3)) == "1/3"
