"""What is stored is what a run gives again, on any machine; and what the command line says."""

import numpy as np
import pytest

from papers import chaudhuri, chaudhuri_chains, command, imtiaz
from papers.card import Run
from papers.data import path_of
from papers.registry import BY_KEY, CARDS
from papers.store import results_path, rows_of, store
from papers.svm import Split, error_of

CHAINS = "ppca_gibbs"
"""A chain with rejections follows the last digit of BLAS, which differs between processors."""
QUICK = [card for card in CARDS if card.seconds <= 60 and not card.needs]
"""Cards of which a slice is measured in a second, from what ships with the project."""
NEEDS_ROWS = {"AG, n = 5,000"}
"""Series of such cards that need a data file all the same."""


def series_of(card, key):
    return next(series for series in card.series if series.key == key)


def values(card, series, place, trials, seed=0):
    return card.panel_of(series).values(series, place, trials, seed)


def compare(card, series, most_places=None, most_trials=3):
    """Run the first places and trials of a series again: nine significant digits are stored.

    Kernels of BLAS were seen to differ by 10⁻⁷ at most where nothing is a chain.
    """
    trials = range(min(most_trials, card.trials_of(series)))
    for place in card.panel_of(series).x.values[:most_places]:
        found = values(card, series, place, trials)
        known = card.stored.values(series.key, place)[: len(trials)]
        released = found[np.isfinite(found)]
        np.testing.assert_allclose(released, known[: len(released)], rtol=1e-6, atol=1e-6)
        assert len(known) or not len(released)


@pytest.mark.parametrize("card", QUICK, ids=lambda one: one.key)
def test_a_slice_of_what_is_stored_is_measured_again(card):
    for series in card.series:
        if series.key not in NEEDS_ROWS:
            compare(card, series, 2)


@pytest.mark.long("all places, slow cards, and those whose data sets are not part of the project")
@pytest.mark.parametrize("card", CARDS, ids=lambda one: one.key)
def test_all_that_is_stored_and_no_chain_is_measured_again(card):
    if not all(path_of(name) for name in card.needs):
        pytest.skip(f"needs {', '.join(card.needs)} in the folder that DPCA_DATA names")
    for series in card.series:
        if series.mechanism != CHAINS:
            compare(card, series, *((None, 3) if card.live else (1, 1)))


def test_what_is_quick_of_a_slow_figure_is_measured_again():
    card = BY_KEY["wang-xu-fig-4"]
    for key in ("p: s=15", "p: random", "p: all columns", "p: curator"):
        compare(card, series_of(card, key), 1)


@pytest.mark.chance(1e-7)
def test_chains_of_figure_2_keep_what_is_stored():
    """In law: 12 chains after 10 sweeps, whose mean has a standard error of .00025."""
    card = BY_KEY["chaudhuri-fig-2"]
    series = series_of(card, "kddcup kept")
    assert series.mechanism == CHAINS
    stored = [card.stored.mean(series.key, x) for x in (10, 20, 50, 100)]
    assert values(card, series, 10.0, range(12), 1).mean() == pytest.approx(
        np.mean(stored), abs=0.0016
    )


def test_a_chain_is_the_same_whatever_was_asked_of_it_before():
    card = BY_KEY["chaudhuri-fig-2"]
    captured, statistic = series_of(card, "kddcup kept"), series_of(card, "kddcup")
    late = values(card, statistic, 200.0, range(2), 5)
    early = values(card, captured, 2.0, range(2), 5)
    chaudhuri_chains.chain.cache_clear()
    assert np.array_equal(values(card, captured, 2.0, range(2), 5), early)
    assert np.array_equal(values(card, statistic, 200.0, range(2), 5), late)


def test_a_release_depends_on_nothing_but_seed_mechanism_trial_and_place():
    card = BY_KEY["imtiaz-fig-2b"]
    series = card.series[2]
    whole = values(card, series, 5e3, range(6), 1)
    np.testing.assert_allclose(values(card, series, 5e3, range(3, 6), 1), whole[3:], rtol=1e-9)
    assert (whole != values(card, series, 5e3, range(6), 2)).any()


def test_other_settings_are_another_figure():
    """At a δ ten thousand times smaller Gaussian noise is larger, and SN does not know of δ."""
    card = BY_KEY["imtiaz-fig-2b"]
    other = card.vary(delta=1e-6)
    for key, changes in (("AG", True), ("SN", False)):
        one = [values(each, series_of(card, key), 2e4, range(3)) for each in (card, other)]
        assert (one[0] != one[1]).all() == changes
    assert next(s for s in other.settings if s.key == "delta").chosen == 1e-6


@pytest.mark.chance(1e-8)
def test_ranking_by_value_keeps_more_where_noise_is_large():
    """As many negative eigenvalues of pure noise are large as positive ones: .10 ± .015 more."""
    by_size, by_value = (
        values(card, series_of(card, "AG"), 2e3, range(20)).mean()
        for card in (BY_KEY["imtiaz-fig-2b"].vary(absolute=a) for a in (1.0, 0.0))
    )
    assert by_value > by_size


def test_what_is_not_released_has_no_row():
    """Without δ the Gaussian has no noise level: the table is shorter, and the mean is unknown."""
    table = Run(BY_KEY["imtiaz-fig-2b"].vary(delta=0.0), repetitions=2).finished().table
    assert "SN" in set(table.rows["series"])
    assert "AG" not in set(table.rows["series"])
    assert np.isnan(table.mean("AG", 2e4))


def test_the_same_table_is_the_same_file(tmp_path, monkeypatch):
    key = "gonen-thm-2"
    monkeypatch.setattr("papers.store.results_path", lambda name: tmp_path / name)
    assert store(key, rows_of(key)).read_bytes() == results_path(key).read_bytes()


@pytest.mark.parametrize("key", ["chaudhuri-table-1", "imtiaz-table-1"])
def test_without_rows_what_needs_none_is_run_and_the_card_is_told_all_the_same(key, monkeypatch):
    monkeypatch.delenv("DPCA_DATA", raising=False)
    monkeypatch.setattr("papers.imtiaz.error_of", lambda *_, **__: 50.0)
    for cached in (chaudhuri.problem, chaudhuri.other_coding, imtiaz.classes):
        cached.cache_clear()
    card = BY_KEY[key]
    run = Run(card, repetitions=2).finished()
    assert set(run.table.rows["x"]) == {0.0, 1.0}, "the first two of its cells"
    assert {x for _, x in run.missing}.isdisjoint({0.0, 1.0})
    assert len(run.whole.rows) > len(run.table.rows)
    assert not any("nan" in told for told in card.tell(run.whole))


def test_a_run_goes_on_place_by_place():
    run = Run(BY_KEY["gonen-thm-1"])
    shares = []
    while not run.complete:
        run.step()
        shares.append(run.share)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert set(run.table.rows["series"]) == {s.key for s in run.card.series}


def test_cards_in_the_terminal(capsys, tmp_path, monkeypatch):
    out = tmp_path / "thm.csv"
    assert command.main(["gonen-thm-2", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "✓ “n(ε_g, ε_p) = Õ(d^{3/2}/(GAP(D)·ε_p·ε_g))” (Theorem 2)" in printed
    assert "Verdict: formula holds" in printed
    assert "Compared with 1 statement of the paper; no printed values are on record." in printed
    assert "[ours: not printed]" in printed
    assert out.read_text("utf-8").startswith("series,x,trial,value\n")
    quick = tuple(BY_KEY[key] for key in ("gonen-thm-1", "gonen-thm-2"))
    monkeypatch.setattr(command, "CARDS", quick)
    assert command.main(["all", "--fast"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("2 cards (2 run), 0 of them with printed values on record: ")
    assert last.endswith("1 formula holds, 1 a statement fails; 0 failures")


def test_what_is_wrong_is_said_in_one_sentence(capsys, monkeypatch, tmp_path):
    assert command.main(["fig-9"]) == 2
    assert "There is no figure 'fig-9': " in capsys.readouterr().err
    assert command.main(["gonen-thm-2", "--out", str(tmp_path / "no" / "x.csv")]) == 1
    assert "cannot be written" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        command.main(["gonen-thm-2", "--repetitions", "1"])
    assert "two at least: of one release the spread is unknown" in capsys.readouterr().err
    monkeypatch.delenv("DPCA_DATA", raising=False)
    chaudhuri.problem.cache_clear()
    assert command.main(["chaudhuri-fig-4b"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("coil2000_insurance.parquet is not at hand")
    assert error.count("\n") == 1


@pytest.mark.chance(1e-7)
def test_the_right_direction_separates_and_a_wrong_one_does_not():
    """Of 200 rows without a difference of means about 50 % are missed: ± 3.5, six times."""
    rng, axes = np.random.default_rng(0), np.eye(6)
    labels, rows = rng.integers(0, 2, 400), rng.standard_normal((400, 6))
    rows[:, 2] += 5 * (2 * labels - 1)
    split = Split(rows[:200], labels[:200], rows[200:], labels[200:])
    for standardised in (True, False):
        assert error_of(split, axes[:, [2]], standardised) == 0
        assert error_of(split, axes[:, [0, 1]], standardised) == pytest.approx(50, abs=21)
