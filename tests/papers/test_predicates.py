"""Sentences about curves are decided beyond sampling error, and only there."""

import numpy as np
import pytest
from pandas import DataFrame

from papers.experiment import Results, Statement, Verdict, by_statements
from papers.predicates import (
    above,
    all_hold,
    below,
    crossing,
    exponent,
    falls,
    never_below,
    rises,
)

XS = (1.0, 10.0, 100.0)


def table(**curves: tuple[float, ...]) -> Results:
    """Curves of 25 releases a place, with standard deviation 0.05 and so an error of 0.01."""
    noise = np.resize([-1.0, 1.0], 25)
    noise = 0.05 * (noise - noise.mean()) / noise.std(ddof=1)
    rows = [
        (name, x, trial, mean + error)
        for name, means in curves.items()
        for x, mean in zip(XS, means, strict=True)
        for trial, error in enumerate(noise)
    ]
    return Results(DataFrame(rows, columns=["series", "x", "trial", "value"]))


def test_a_difference_counts_beyond_three_standard_errors():
    """Of two means with an error of 0.01 each: 0.0424 is three."""
    results = table(a=(0.5, 0.5, 0.5), b=(0.53, 0.55, 0.5))
    assert not below(results, "a", "b", 1.0)
    assert below(results, "a", "b", 10.0)
    assert above(results, "b", "a", 10.0)
    assert not above(results, "b", "a", 10.0, slack=0.02)


def test_one_curve_is_above_another_if_it_is_never_surely_below():
    results = table(a=(0.5, 0.52, 0.9), b=(0.52, 0.5, 0.6), c=(0.6, 0.5, 0.6))
    assert never_below(results, "a", "b", XS)
    assert not never_below(results, "a", "c", XS)
    assert not never_below(results, "b", "b", XS)


def test_rising_is_not_undone_by_chance_but_by_a_fall():
    results = table(chance=(0.2, 0.19, 0.6), fall=(0.2, 0.1, 0.6), flat=(0.2, 0.2, 0.21))
    assert rises(results, "chance")
    assert not rises(results, "fall")
    assert not rises(results, "flat")
    assert falls(table(down=(0.6, 0.61, 0.2)), "down")


def test_where_a_curve_reaches_a_level():
    results = table(a=(0.4, 0.6, 1.0))
    assert crossing(results, "a", 0.5) == pytest.approx(10**0.5)
    assert crossing(results, "a", 0.3) == 1.0
    assert np.isnan(crossing(results, "a", 1.2))


def test_a_power_is_found_again():
    results = table(a=(2.0, 20.0, 200.0))
    assert exponent(results, "a", 1.0) == pytest.approx(1.0, abs=1e-3)


def test_verdicts_need_every_statement():
    results = table(a=XS)
    yes, no = (Statement("", "", lambda results, holds=holds: holds) for holds in (True, False))
    assert by_statements(results, (yes, yes)) is Verdict.ALL_HOLD
    assert by_statements(results, (yes, no)) is Verdict.ONE_FAILS
    assert all_hold(Verdict.FORMULA_HOLDS)(results, (yes,)) is Verdict.FORMULA_HOLDS
    assert all_hold(Verdict.FORMULA_HOLDS)(results, (yes, no)) is Verdict.ONE_FAILS
