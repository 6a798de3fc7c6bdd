"""Every card says what its stored table bears out, and nothing else."""

import re

import numpy as np
import pandas as pd
import pytest

from dpca_core import MECHANISMS
from papers.experiment import Results, Scale, Verdict
from papers.publications import PAPERS
from papers.registry import EXPERIMENTS
from papers.store import PRINTED_COLUMNS, printed_of, results_of

KEYS = [experiment.key for experiment in EXPERIMENTS]
CARDS = pytest.mark.parametrize("experiment", EXPERIMENTS, ids=KEYS)
NAMED = re.compile(
    r"“[^”]*”|\{[^}]*\}|(?:Table|Tables|Figure|Lemma|Theorem|Algorithm|section) [\d.]+|d\^1\.5"
    r"|(?:longer than|at most|of length|from 0 to|to) 1\b|from 0\b|δ = 0|1/√d|error²/2"
)
"""Quoted words, fields, names of things, and the bound 1 on a row: the rest holds no digit."""
CHECKED = {
    # Rows and the sum of all values, added up by hand from the papers' tables.
    "chaudhuri-table-1": (20, 494021 + 199523 + 164860 + 9822 + 116 + 513 + 44 + 150
                          + 0.6587 + 0.7321 + 0.5672 + 0.5118 + 4 + 8 + 10 + 11 + 0.96 + 3 * 0.81),
    "chaudhuri-table-2": (8, 787.67),
    "imtiaz-table-1": (30, 209.875),
    "wang-xu-table-1": (18, 57.435),
    "wang-xu-table-2": (18, 71.566),
}  # fmt: skip


def test_every_card_is_known_once():
    assert len(set(KEYS)) == len(KEYS)
    assert {experiment.paper for experiment in EXPERIMENTS} <= PAPERS.keys()
    assert all(experiment.key.startswith(f"{experiment.paper}-") for experiment in EXPERIMENTS)


@CARDS
def test_verdict_is_what_the_table_bears_out(experiment):
    assert experiment.judged(results_of(experiment.key)) is experiment.verdict


@CARDS
def test_sentences_have_all_their_numbers_from_the_table(experiment):
    for told in experiment.told(results_of(experiment.key)):
        assert "nan" not in told
        assert "{" not in told
    for template in (experiment.sentence, experiment.because):
        assert re.findall(r"\d", NAMED.sub("", template)) == [], template


@CARDS
def test_the_table_holds_what_the_card_announces(experiment):
    results, series = results_of(experiment.key), {s.key: s for s in experiment.series}
    assert len(series) == len(experiment.series)
    assert set(results.table["series"]) <= series.keys()
    assert np.isfinite(results.table["value"]).all()
    for key, one in series.items():
        assert 0 <= one.panel < len(experiment.panels)
        assert set(results.xs(key)) <= set(experiment.places(one))
        assert all(x == float(f"{x:.8g}") for x in experiment.places(one)), "on every processor"
        assert all(
            len(results.values(key, x)) <= experiment.trials_of(one) for x in results.xs(key)
        )
        assert one.mechanism is None or one.mechanism in MECHANISMS


@CARDS
def test_printed_numbers_are_typed_and_placed(experiment):
    table = printed_of(experiment.key)
    assert tuple(table.columns) == PRINTED_COLUMNS
    for axis in {panel.x for panel in experiment.panels}:
        assert (axis.scale is Scale.NAMES) == bool(axis.names)
        assert not axis.names or len(axis.names) == len(axis.values)
    if experiment.key in CHECKED:
        rows, total = CHECKED[experiment.key]
        assert len(table) == rows
        assert table["value"].sum() == pytest.approx(total, rel=1e-12)
    elif "table" in experiment.key:
        assert experiment.key == "jiang-table-1"


def test_at_every_privacy_two_mechanisms_stand_side_by_side():
    """What a paper prints and what holds: a curve of chance or of PCA is neither."""
    alone = {
        experiment.key
        for experiment in EXPERIMENTS
        if {s.role for s in experiment.series} & {"printed"}
        and not {s.role for s in experiment.series} & {"repaired"}
    }
    assert alone <= {"chaudhuri-fig-2"}


def test_the_authors_own_runs_are_met():
    """Imtiaz's stored runs of AG on 5,000 rows of Covertype, each beside 20 of ours."""
    results, stored = results_of("imtiaz-fig-1b"), printed_of("imtiaz-fig-1b")
    assert len(stored) == 5
    for row in stored.itertuples():
        ours = results.mean(row.series, row.x)
        assert abs(row.value - ours) < 2 * results.sd(row.series, row.x)


def test_kdd_cup_is_the_one_of_the_paper():
    results = results_of("chaudhuri-table-1")
    assert f"{results.mean('q', 0):.4f}" == "0.6655"
    assert f"{results.mean('share', 0):.3f}" == "0.960"
    assert results.mean("d", 0) == 116
    assert results.mean("n", 0) == 494_021


def test_norms_grow_as_jiang_prints():
    """Exponents of d from 32 to 512; 12 releases leave an error of about 0.01."""
    experiment = next(e for e in EXPERIMENTS if e.key == "jiang-table-1")
    facts = experiment.facts(results_of("jiang-table-1"))
    found = [facts[name] for name in ("laplace", "sulq", "wishart", "dwork")]
    np.testing.assert_allclose(found, [1.51, 1.56, 1.03, 0.53], atol=0.03)


def test_verdicts_follow_the_numbers():
    """The same cards on tables that say the opposite."""
    by_key = {experiment.key: experiment for experiment in EXPERIMENTS}
    swapped = {"AG": "PPM", "PPM": "AG"}
    table = results_of("imtiaz-fig-1a").table
    other = Results(table.assign(series=table["series"].replace(swapped)))
    assert by_key["imtiaz-fig-1a"].judged(other) is Verdict.ONE_FAILS
    table = results_of("wang-xu-fig-3").table
    falling = table["series"].str.match(r"[nε]: k=")
    factor = np.where(falling, 1 / (1 + table["x"] / table["x"].min()), 1.0)
    assert (
        by_key["wang-xu-fig-3"].judged(Results(table.assign(value=table["value"] * factor)))
        is not Verdict.CANNOT_BE
    )
    table = results_of("chaudhuri-fig-3b").table
    level = table["series"] == "MOD-SULQ"
    flat = Results(pd.concat([table[~level], table[level].assign(value=0.024)]))
    assert by_key["chaudhuri-fig-3b"].judged(flat) is Verdict.ALL_HOLD
