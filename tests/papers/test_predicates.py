"""What verdicts rest on: sentences about curves, and printed values that are met or missed."""

import numpy as np
import pytest
from pandas import DataFrame

from papers.comparison import MET, comparison_of
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
from papers.registry import BY_KEY

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


NAN = float("nan")


def compared(monkeypatch, *rows):
    """Compare rows with 10, of a deviation of 1, and with .6604, that was measured once."""
    measured = [("a", 0.0, t, v) for t, v in enumerate((9.0, 10.0, 11.0))] + [("b", 0.0, 0, 0.6604)]
    results = Results(DataFrame(measured, columns=["series", "x", "trial", "value"]))
    printed = DataFrame(rows, columns=["series", "x", "value", "spread", "page", "read"])
    monkeypatch.setattr("papers.comparison.printed_of", lambda key: printed)
    return comparison_of(BY_KEY["gonen-thm-2"], results)


@pytest.mark.parametrize(
    ("series", "value", "spread", "met"),
    [
        ("a", 11.9, NAN, 1),
        ("a", 12.1, NAN, 0),
        ("a", 12.1, 1.1, 1),
        ("b", 0.66, NAN, 1),
        ("b", 0.67, NAN, 0),
        ("b", 0.6587, NAN, 0),
    ],
)
def test_a_value_is_met_within_two_deviations_or_as_rounded(
    monkeypatch, series, value, spread, met
):
    found = compared(monkeypatch, (series, 0.0, value, spread, "Table 1", "typed"))
    assert [(v.count, v.run, v.met) for v in found.values] == [(1, 1, met)]
    assert found.printed == 1


def test_a_value_that_was_not_run_is_neither_met_nor_missed(monkeypatch):
    told = compared(monkeypatch, ("a", 7.0, 10.0, NAN, "Table 1", "typed")).told()
    assert told.endswith("1 printed value (typed), none of which is run here.")


def test_what_an_author_stored_is_not_printed(monkeypatch):
    found = compared(
        monkeypatch,
        ("a", 0.0, 10.0, NAN, "an author's code", "stored result"),
        ("a", 0.0, 15.0, NAN, "an author's code", "stored result"),
        ("a", 0.0, 10.0, NAN, "Figure 1", "digitised ±0.1"),
    )
    assert found.printed == 1
    assert found.told() == (
        "1 statement of the paper; 2 values that are not the paper’s but from an author's code "
        "(stored result), of which 2 run here and 1 met; 1 printed value (digitised ±0.1), of "
        f"which 1 run here and 1 met. {MET}"
    )
