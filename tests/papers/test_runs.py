"""What is stored is what a run gives again, on any machine; and what the command line says."""

import numpy as np
import pytest

from dpca_core import Budget, Problem
from papers import command
from papers.experiment import Results
from papers.registry import BY_KEY, EXPERIMENTS
from papers.store import at_hand, results_of, results_path, run, store, with_stored
from papers.svm import Split, directions, error_of

CHAINS = "ppca_gibbs"
"""A chain with rejections follows the last digit of BLAS, which differs between processors."""
QUICK = [e for e in EXPERIMENTS if e.seconds <= 60 and not e.needs]
"""Cards of which a slice is measured in a second, from what ships with the project."""


def compare(experiment, series, most_places, most_trials=3):
    """Run the first places and trials of a series again: nine significant digits are stored.

    Kernels of BLAS were seen to differ by 10⁻⁷ at most where nothing is a chain.
    """
    places = experiment.places(series)[:most_places]
    trials = range(min(most_trials, experiment.trials_of(series)))
    again = np.asarray(experiment.measure(series, places, trials, 0))
    for place, values in zip(places, again, strict=True):
        known = results_of(experiment.key).values(series.key, place)[: len(trials)]
        released = values[np.isfinite(values)]
        np.testing.assert_allclose(released, known[: len(released)], rtol=1e-6, atol=1e-6)
        assert len(known) or not len(released)


@pytest.mark.parametrize("key", [e.key for e in QUICK])
def test_a_slice_of_what_is_stored_is_measured_again(key):
    for series in BY_KEY[key].series:
        if not series.needs:
            compare(BY_KEY[key], series, 2)


@pytest.mark.long("all places, slow cards, and those whose data sets are not part of the project")
@pytest.mark.parametrize("key", BY_KEY)
def test_all_that_is_stored_and_no_chain_is_measured_again(key):
    experiment = BY_KEY[key]
    if not at_hand(experiment):
        pytest.skip(f"needs {', '.join(experiment.needs)} in the folder that DPCA_DATA names")
    for series in experiment.series:
        if at_hand(series) and series.mechanism != CHAINS:
            compare(experiment, series, *((None, 3) if experiment.live else (1, 1)))


def test_what_is_quick_of_a_slow_figure_is_measured_again():
    experiment = BY_KEY["wang-xu-fig-4"]
    for series in experiment.series:
        if series.key in ("p: s=15", "p: random", "p: all columns", "p: curator"):
            compare(experiment, series, 1)


@pytest.mark.chance(1e-7)
def test_chains_of_figure_2_keep_what_is_stored():
    """In law: 12 chains after 10 sweeps, whose mean has a standard error of .00025."""
    experiment = BY_KEY["chaudhuri-fig-2"]
    series = next(s for s in experiment.series if s.key == "kddcup kept")
    assert series.mechanism == CHAINS
    stored = [results_of(experiment.key).mean(series.key, x) for x in (10, 20, 50, 100)]
    again = np.asarray(experiment.measure(series, (10.0,), range(12), 1))
    assert again.mean() == pytest.approx(np.mean(stored), abs=0.0016)


def test_a_release_depends_on_nothing_but_seed_mechanism_trial_and_place():
    experiment = BY_KEY["imtiaz-fig-2b"]
    series = experiment.series[2]
    whole = experiment.measure(series, experiment.places(series), range(6), 1)
    np.testing.assert_allclose(
        experiment.measure(series, experiment.places(series)[2:4], range(3, 6), 1),
        whole[2:4, 3:],
        rtol=1e-9,
    )
    other = experiment.measure(series, experiment.places(series), range(6), 2)
    assert (whole != other).any()


def varied(key, **settings):
    """Return Imtiaz's Figure 2(b) at other settings, and one of its series."""
    other = BY_KEY["imtiaz-fig-2b"].vary(settings)
    return other, next(series for series in other.series if series.key == key)


def test_other_settings_are_another_figure():
    """At a δ ten thousand times smaller Gaussian noise is larger, and SN does not know of δ."""
    for key, changes in (("AG", True), ("SN", False)):
        other, series = varied(key, delta=1e-6)
        one = [e.measure(series, (2e4,), range(3), 0) for e in (BY_KEY[other.key], other)]
        assert (one[0] != one[1]).all() == changes
    assert next(s for s in other.settings if s.key == "delta").chosen == 1e-6


@pytest.mark.chance(1e-8)
def test_ranking_by_value_keeps_more_where_noise_is_large():
    """As many negative eigenvalues of pure noise are large as positive ones: .10 ± .015 more."""
    experiment = BY_KEY["imtiaz-fig-2b"]
    by_size, by_value = (
        experiment.measure(varied("AG", absolute=a)[1], (2e3,), range(20), 0).mean() for a in (1, 0)
    )
    assert by_value > by_size


def test_what_is_not_released_has_no_row():
    """Without δ the Gaussian has no noise level: the table is shorter, and the mean is unknown."""
    pure, _ = varied("AG", delta=0.0)
    results = run(pure, repetitions=2, series=[s for s in pure.series if s.key in ("AG", "SN")])
    assert set(results.table["series"]) == {"SN"}
    assert np.isnan(results.mean("AG", 2e4))
    assert len(results.xs("AG")) == 0
    assert np.isnan(Results(results.table.iloc[:0]).sd("SN", 2e4))


def test_the_same_table_is_the_same_file(tmp_path, monkeypatch):
    key = "gonen-thm-2"
    monkeypatch.setattr("papers.store.results_path", lambda name: tmp_path / name)
    written = store(key, results_of(key))
    assert written.read_bytes() == results_path(key).read_bytes()


def test_without_rows_a_card_is_told_all_the_same(monkeypatch):
    """The subsets of Covertype need its rows; the other panels are run, and the words are whole."""
    monkeypatch.delenv("DPCA_DATA", raising=False)
    experiment = BY_KEY["imtiaz-fig-1b"]
    subsets = next(series for series in experiment.series if series.needs)
    stored = results_of(experiment.key).table
    without = Results(stored[stored["series"] != subsets.key])
    assert not at_hand(subsets)
    assert experiment.told(without) == experiment.told(results_of(experiment.key))
    assert len(with_stored(experiment, without).table) == len(stored)


def test_a_run_can_be_stopped():
    experiment = BY_KEY["gonen-thm-1"]
    shares = []
    results = run(experiment, on_progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert set(results.table["series"]) == {s.key for s in experiment.series}
    one = run(experiment, on_progress=lambda share: False)
    assert set(one.table["series"]) == {experiment.series[0].key}


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
    monkeypatch.setattr(command, "EXPERIMENTS", quick)
    assert command.main(["all", "--fast"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("2 cards (2 run), 0 of them with printed values on record: ")
    assert last.endswith("1 formula holds, 1 a statement fails; 0 failures")


def test_what_is_wrong_is_said_in_one_sentence(capsys, monkeypatch, tmp_path):
    assert command.main(["fig-9"]) == 2
    assert "There is no figure 'fig-9': " in capsys.readouterr().err
    assert command.main(["gonen-thm-2", "--out", str(tmp_path / "no" / "x.csv")]) == 1
    assert "cannot be written" in capsys.readouterr().err
    monkeypatch.delenv("DPCA_DATA", raising=False)
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


@pytest.mark.parametrize("key", [CHAINS, "gaussian", "random_projection"])
def test_directions_are_a_basis_and_depend_on_seed_and_trial_alone(key):
    rows = np.random.default_rng(0).standard_normal((50, 6))
    problem = Problem.from_rows(rows / np.linalg.norm(rows, axis=1, keepdims=True), 2)
    budget = Budget(1.0, 1e-3)
    first, again, other = (directions(key, problem, budget, 0, t) for t in (3, 3, 4))
    assert first.T @ first == pytest.approx(np.eye(2), abs=1e-9)
    assert np.array_equal(first, again)
    assert not np.allclose(first, other)
