"""What a verdict rests on: printed values on record, how they were read, and statements."""

from dataclasses import replace

import pytest
from pandas import DataFrame

from papers.comparison import MET, comparison_of
from papers.experiment import Results
from papers.registry import BY_KEY, EXPERIMENTS
from papers.store import printed_of, results_of

ONE = replace(BY_KEY["gonen-thm-2"])
RESULTS = Results(
    DataFrame(
        [("a", 0.0, t, v) for t, v in enumerate((9.0, 10.0, 11.0))] + [("b", 0.0, 0, 0.6604)],
        columns=["series", "x", "trial", "value"],
    )
)
"""10 with a deviation of 1, and a number that was measured once."""


def compared(monkeypatch, *rows):
    table = DataFrame(rows, columns=["series", "x", "value", "spread", "page", "read"])
    monkeypatch.setattr("papers.comparison.printed_of", lambda key: table)
    return comparison_of(ONE, RESULTS)


NAN = float("nan")


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
    row = ("a", 7.0, 10.0, NAN, "Table 1", "typed")
    found = compared(monkeypatch, row)
    assert found.told() == "1 statement of the paper; 1 printed value (typed), none of which is " \
        "run here."  # fmt: skip


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


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda one: one.key)
def test_every_value_on_record_is_counted_once(experiment):
    found = comparison_of(experiment, results_of(experiment.key))
    assert sum(values.count for values in found.values) == len(printed_of(experiment.key))
    assert all(values.met <= values.run <= values.count for values in found.values)
    assert found.statements == len(experiment.statements)
    assert ("no printed values" in found.told()) == (found.printed == 0)
