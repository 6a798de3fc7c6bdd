"""Bounds of exponentials, and normal numbers whose digits are drawn as they are needed."""

from itertools import pairwise

import mpmath
import numpy as np
import pytest

from dpca_core.release.exact_decisions import PREFIX
from dpca_core.release.exponential_bounds import exponential_bounds, is_below_exponential
from dpca_core.release.normal_digits import NormalDigits
from dpca_core.release.random_bits import WORD, Bits
from tests.core.release.repeating_bits import repeating_bits

DIGITS = 600


def test_bounds_of_exponentials_hold_and_are_close():
    rng = np.random.default_rng(3)
    with mpmath.workprec(DIGITS):
        for _ in range(600):
            b = int(rng.integers(1, 2 ** int(rng.integers(1, 62))))
            a = int(b * float(rng.choice([0, 1e-9, 0.3, 1, 7.7, 60, 400]))) + int(rng.integers(3))
            p = int(rng.choice([1, 5, 63, 127, 255]))
            lo, hi = exponential_bounds(a, b, p)
            exact = mpmath.ldexp(mpmath.exp(-mpmath.mpf(a) / b), p)
            assert lo <= exact <= hi, (a, b, p)
            assert hi - lo <= 3, (a, b, p)


def test_a_decision_that_needs_more_digits_gets_them():
    # The first two digits of e^{-1} = 0.0101111… leave it open; those that follow decide.
    for more, below in ((0, True), (2**WORD - 1, False)):
        bits = Bits(lambda size, more=more: more.to_bytes(size, "little"))
        assert is_below_exponential(1, 2, 1, 1, bits) is below


@pytest.mark.parametrize("function", ["exp", "log"])
def test_numpy_is_right_to_four_units_in_the_last_place(function):
    # What the margins of decisions in floats assume, on a grid of what they are asked for.
    rng = np.random.default_rng(4)
    if function == "exp":
        at = -np.concatenate([np.linspace(0, 50, 1500), 2.0 ** -rng.uniform(0, 60, 500)])
    else:
        at = np.concatenate([2.0 ** -rng.uniform(0, 64, 1500), 1 - 2.0 ** -rng.uniform(1, 50, 500)])
    found = getattr(np, function)(at)
    with mpmath.workprec(200):
        for x, y in zip(at, found, strict=True):
            exact = getattr(mpmath, function)(mpmath.mpf(float(x)))
            assert abs(mpmath.mpf(float(y)) - exact) <= 4 * mpmath.mpf(float(np.spacing(abs(y)))), x


def plain_normals(n: int, bits: Bits) -> tuple[list[int], list[int]]:
    """Karney's algorithm from the same bits in the same order, by numbers of many digits.

    Returns k and the first digits of u of the accepted, as many as the first try gives.
    """
    tried = int(n * 2.2) + 16
    known = [int(word) >> (WORD - PREFIX) for word in bits.words(tried)]
    words = [int(word) >> (WORD - PREFIX) for word in bits.words(2 * tried)]
    ks, us = [], []
    with mpmath.workprec(200):
        for first, u, v in zip(known, words[:tried], words[tried:], strict=True):
            uniform = mpmath.ldexp(2 * first + 1, -PREFIX - 1)
            k = int(mpmath.floor(-2 * mpmath.log(uniform)))
            x = mpmath.ldexp(2 * u + 1, -PREFIX - 1)
            gamma = mpmath.mpf(k * (k - 1)) / 2 + x * (2 * k + x) / 2
            if mpmath.ldexp(2 * v + 1, -PREFIX - 1) < mpmath.exp(-gamma):
                ks.append(k)
                us.append(u)
    return ks[:n], us[:n]


def test_decisions_in_floats_are_those_of_many_digits():
    n = 1500
    ks, us = plain_normals(n, repeating_bits(8))
    assert len(ks) == n
    found = np.abs(NormalDigits(n, repeating_bits(8)).floors())
    sizes = [(k << PREFIX) + u for k, u in zip(ks, us, strict=True)]
    # The floor of −x is one below minus the floor of x.
    assert [int(g) - s in (0, 1) for g, s in zip(found, sizes, strict=True)] == [True] * n


@pytest.mark.parametrize("prefix", [2, 3, PREFIX])
def test_digits_that_follow_never_change_those_before(prefix):
    numbers = NormalDigits(400, repeating_bits(5), prefix)
    before = [(numbers.floors(), numbers.digits)]
    for _ in range(3):
        numbers.refine()
        before.append((numbers.floors(), numbers.digits))
    for (early, few), (late, many) in pairwise(before):
        assert many == few + WORD
        assert (late >> (many - few) == early).all()


def test_digits_that_a_decision_needed_are_used_first():
    # With prefixes of two digits many decisions need more; the numbers accepted go on with these.
    numbers = NormalDigits(300, repeating_bits(6), 2)
    spare = dict(numbers._spare)
    assert len(spare) > 50
    early = np.abs(numbers.floors())
    negative = numbers.floors() < 0
    numbers.refine()
    late = np.where(negative, -numbers.floors() - 1, numbers.floors())
    sizes = np.where(negative, early - 1, early)
    for i, (digits, count) in spare.items():
        assert count == WORD
        assert int(late[i]) == (int(sizes[i]) << WORD) + digits
