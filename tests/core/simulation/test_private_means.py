"""Where ε pays for a mean: releases are judged by rows less their exact mean, not by their own."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpca_core.analysis.reliability import agreement
from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import RowLength
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.metrics import quality
from dpca_core.privacy.budget import Budget
from dpca_core.simulation.draws import TrialDraws, trial_generator
from dpca_core.simulation.private_means import releases_with_means
from dpca_core.simulation.sweep import sweep
from dpca_core.simulation.trials import run_trials
from sample_data import CATALOGUE
from tests.paths import ROOT

GAUSSIAN, BUDGET, RELEASES = MECHANISMS["gaussian"], Budget(0.5, 1e-6), range(60)


def few_people(n: int, length: RowLength = RowLength.ONE) -> Dataset:
    """Some people of RAND, whose centre is paid for."""
    rand = CATALOGUE["rand"].make()
    rows = rand.rows[np.random.default_rng(0).permutation(len(rand.rows))[:n]]
    return Dataset("", "few", "few", rows, rand.columns, mean_share=0.05, row_length=length)


def held(data: Dataset, bases: Array) -> float:
    """In how many releases the true first direction is within 26°."""
    return float(np.mean(np.abs(bases[:, :, 0] @ data.true_problem(1).basis[:, 0]) >= 0.9))


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("length", RowLength)
def test_few_people_agree_with_their_own_s_and_not_with_the_truth(length):
    """The error of the mean becomes direction 1; of many people it does not."""
    data = few_people(900, length)
    bases = releases_with_means(data, GAUSSIAN, 1, BUDGET, 0, RELEASES)
    assert held(data, bases) < 0.3
    own = []
    for trial, basis in zip(RELEASES, bases, strict=True):
        seed = int(trial_generator(0, "private mean", trial).integers(2**63))
        own.append(np.abs(basis[:, 0] @ data.problem(1, None, BUDGET, seed).basis[:, 0]))
    assert np.mean(np.array(own) >= 0.9) > 0.8
    many = few_people(5912, length)
    assert held(many, releases_with_means(many, GAUSSIAN, 1, BUDGET, 0, RELEASES)) > 0.8


def test_simulation_judges_by_the_truth():
    data = few_people(900)
    problem, budget = data.point(2, None, BUDGET, seed=1)
    truth = data.true_problem(2)
    assert problem.true_problem.moment == pytest.approx(truth.moment)
    assert np.abs(problem.moment - truth.moment).max() > 1
    draws = TrialDraws(GAUSSIAN, 3, range(5))
    found = run_trials(draws, [(problem, budget)])
    bases = draws.release(problem, budget).bases
    by_hand = [float(np.trace(v.T @ data.reference @ v)) for v in bases]
    top = np.linalg.eigvalsh(data.reference)[::-1][:2].sum()
    assert found.captured[0] == pytest.approx(np.array(by_hand) / top)
    assert found.sin_theta[0] == pytest.approx(quality(truth, bases).sin_theta)


def test_without_a_mean_nothing_changes():
    """A problem is its own truth, and the quick way through its eigenvectors stays."""
    problem = CATALOGUE["rand"].make().problem(3)
    assert problem.judges_itself
    assert problem.true_problem is problem
    assert problem.reference_problem is problem
    copy = replace(problem, truth=problem, reference=problem)
    draws = TrialDraws(GAUSSIAN, 0, range(4))
    quick, slow = (run_trials(draws, [(p, BUDGET)]) for p in (problem, copy))
    assert quick.captured == pytest.approx(slow.captured, abs=1e-6)
    assert quick.sin_theta == pytest.approx(slow.sin_theta, abs=1e-5)


@pytest.mark.chance(1e-8)
def test_the_mean_of_more_people_is_more_exact():
    """As if n people looked like these: the mean's noise counts n as well."""
    data = few_people(300, RowLength.AT_MOST_R)

    def error(n: float) -> float:
        found = [data.problem(1, n, BUDGET, seed) for seed in range(10)]
        return float(np.mean([np.linalg.norm(p.moment - p.true_problem.moment) / n for p in found]))

    assert error(30_000) < error(300) / 10
    table = sweep(["gaussian"], data, n=[300, 30_000], epsilon=0.5, delta=1e-6, k=1, trials=10)
    few, many = table.groupby("n").captured.median()
    assert few < 0.9 < many


def test_agreement_is_with_the_truth():
    data = few_people(900)
    bases = releases_with_means(data, GAUSSIAN, 2, BUDGET, 0, range(4))
    for problem in (data.true_problem(2), data.point(2, None, BUDGET, seed=1)[0]):
        assert agreement(problem, bases) == pytest.approx(data.true_problem(2).basis.T @ bases)
    later = releases_with_means(data, GAUSSIAN, 2, BUDGET, 0, range(2, 4))
    assert bases[2:] == pytest.approx(later)


def test_no_mechanism_reads_what_it_is_judged_by():
    """The truth is private and not paid for: it is for simulations alone."""
    words = ("true_problem", "reference_problem", ".truth", ".reference")
    for folder in ("mechanisms", "sampling", "release", "sparse"):
        files = sorted(Path(ROOT / "dpca_core" / folder).glob("*.py"))
        assert files, folder
        for file in files:
            assert not [word for word in words if word in file.read_text()], file
