"""What is stored is what a run gives again, on any machine; and what the command line says."""

from dataclasses import replace

import numpy as np
import pytest

from papers import __main__ as command
from papers import chaudhuri, imtiaz
from papers.card import Run
from papers.data import covtype_raw, path_of
from papers.registry import BY_KEY, CARDS
from papers.store import results_path, rows_of, store

CHAINS = "ppca_gibbs"
"""A chain with rejections follows the last digit of BLAS, which differs between processors."""
NEEDS_ROWS = "AG, n = 5,000"
"""A series that needs a data file, of a card that does not."""


@pytest.fixture
def no_files(monkeypatch):
    """A machine on which no data file is at hand."""
    monkeypatch.delenv("DPCA_DATA", raising=False)
    for cached in (chaudhuri.problem, imtiaz.classes, covtype_raw):
        cached.cache_clear()


def values(card, key, place, trials, seed=0):
    series = next(one for one in card.series if one.key == key)
    panel = next(p for p in card.panels if series in p.series and place in p.x.values)
    return panel.values(series, place, trials, seed)


def compare(card, panel, series, most_places=None, most_trials=3):
    """Run the first places and trials of a series again: nine significant digits are stored.

    Kernels of BLAS were seen to differ by 10⁻⁷ at most where nothing is a chain.
    """
    trials = range(min(most_trials, card.trials_of(series)))
    for place in panel.x.values[:most_places]:
        found = panel.values(series, place, trials, 0)
        known = card.stored.values(series.key, place)[: len(trials)]
        released = found[np.isfinite(found)]
        np.testing.assert_allclose(released, known[: len(released)], rtol=1e-6, atol=1e-6)
        assert len(known) or not len(released)


@pytest.mark.parametrize("card", [c for c in CARDS if not c.needs], ids=lambda one: one.key)
def test_a_slice_of_what_is_stored_is_measured_again(card):
    """Of what is slow only one panel and what is quick of it."""
    for panel in card.panels if card.seconds <= 60 else card.panels[1:2]:
        for series in panel.series:
            if series.key != NEEDS_ROWS and series.own.get("s", 15) == 15:
                compare(card, panel, series, 2 if card.seconds <= 60 else 1)


def test_what_needs_no_file_of_a_card_that_does_is_measured_again():
    card = BY_KEY["imtiaz-table-1"]
    for series in card.panels[0].series[:2]:
        compare(card, card.panels[0], series, 1, 1)


@pytest.mark.long("all places, slow cards, and those whose data sets are not part of the project")
@pytest.mark.parametrize("card", CARDS, ids=lambda one: one.key)
def test_all_that_is_stored_and_no_chain_is_measured_again(card):
    if not all(path_of(name) for name in card.needs):
        pytest.skip(f"needs {', '.join(card.needs)} in the folder that DPCA_DATA names")
    for panel in card.panels:
        for series in panel.series:
            if series.mechanism != CHAINS:
                compare(card, panel, series, *((None, 3) if card.live else (1, 1)))


@pytest.mark.chance(1e-7)
def test_chains_of_figure_2_keep_what_is_stored():
    """In law: 12 chains after 10 sweeps, whose mean has a standard error of .00025."""
    card = BY_KEY["chaudhuri-fig-2"]
    stored = [card.stored.mean("kddcup kept", x) for x in (10, 20, 50, 100)]
    found = values(card, "kddcup kept", 10.0, range(12), 1).mean()
    assert found == pytest.approx(np.mean(stored), abs=0.0016)


def test_a_release_depends_on_nothing_but_seed_mechanism_trial_and_place():
    card = BY_KEY["imtiaz-fig-2b"]
    whole = values(card, "SN", 5e3, range(6), 1)
    np.testing.assert_allclose(values(card, "SN", 5e3, range(3, 6), 1), whole[3:], rtol=1e-9)
    assert (whole != values(card, "SN", 5e3, range(6), 2)).any()
    chains = BY_KEY["chaudhuri-fig-2"]
    late = values(chains, "kddcup", 200.0, range(2), 5)
    early = values(chains, "kddcup kept", 2.0, range(2), 5)
    chaudhuri.chain.cache_clear()
    assert np.array_equal(values(chains, "kddcup kept", 2.0, range(2), 5), early)
    assert np.array_equal(values(chains, "kddcup", 200.0, range(2), 5), late)


def test_the_same_table_is_the_same_file(tmp_path, monkeypatch):
    key = "gonen-thm-2"
    rows = rows_of(key)
    monkeypatch.setattr("papers.store.results_path", lambda name: tmp_path / name)
    assert store(key, rows).read_bytes() == results_path(key).read_bytes()


@pytest.mark.usefixtures("no_files")
@pytest.mark.parametrize("key", ["chaudhuri-table-1", "imtiaz-table-1"])
def test_without_rows_what_needs_none_is_run_and_the_card_is_told_all_the_same(key, monkeypatch):
    monkeypatch.setattr("papers.imtiaz.error_of", lambda *_: 50.0)
    card = replace(BY_KEY[key], trials=2)
    run = Run(card).finished()
    assert set(run.table.rows["x"]) == {0.0, 1.0}, "the first two of its cells"
    assert {x for _, x in run.missing}.isdisjoint({0.0, 1.0})
    assert len(run.whole.rows) > len(run.table.rows)
    assert not any("nan" in told for told in card.tell(run.whole))


def test_cards_in_the_terminal(capsys, monkeypatch):
    """Nothing is stored unless it is asked for."""
    monkeypatch.setattr(command, "store", None)
    assert command.main(["gonen-thm-2"]) == 0
    printed = capsys.readouterr().out
    assert "✓ “n(ε_g, ε_p) = Õ(d^{3/2}/(GAP(D)·ε_p·ε_g))” (Theorem 2)" in printed
    assert "Verdict: formula holds" in printed
    assert "Compared with 1 statement of the paper; no printed values are on record." in printed
    assert "[ours: not printed]" in printed
    quick = tuple(BY_KEY[key] for key in ("gonen-thm-1", "gonen-thm-2"))
    monkeypatch.setattr(command, "CARDS", quick)
    assert command.main(["all", "--fast"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "2 cards (2 run): 1 formula holds, 1 a statement fails; 0 failures"


@pytest.mark.usefixtures("no_files")
def test_what_is_wrong_is_said_in_one_sentence(capsys):
    with pytest.raises(SystemExit, match="2"):
        command.main(["fig-9"])
    assert "invalid choice: 'fig-9'" in capsys.readouterr().err
    assert command.main(["chaudhuri-fig-4b"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("coil2000_insurance.parquet is not at hand")
    assert error.count("\n") == 1
