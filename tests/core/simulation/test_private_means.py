"""Where ε pays for a mean: releases are judged by rows less their exact mean, not by their own."""

from pathlib import Path

import numpy as np
import pytest

from dpca_core.analysis.reliability import agreement
from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import RowLength
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.metrics import quality
from dpca_core.privacy.budget import Budget
from dpca_core.simulation.trials import TrialDraws, releases_with_means, run_trials, trial_generator
from sample_data import CATALOGUE
from tests.paths import ROOT

GAUSSIAN, BUDGET = MECHANISMS["gaussian"], Budget(0.5, 1e-6)


def few_people(n: int) -> Dataset:
    """Some people of RAND, whose centre is paid for."""
    rand = CATALOGUE["rand"].make()
    rows = rand.rows[np.random.default_rng(0).permutation(len(rand.rows))[:n]]
    return Dataset("", "few", rows, rand.columns, mean_share=0.05, row_length=RowLength.ONE)


@pytest.mark.chance(1e-7)
def test_few_people_agree_with_their_own_s_and_not_with_the_truth():
    """The error of the mean becomes direction 1; of many people it does not."""

    def released(data):
        """First directions of 60 releases, and in how many the true one is within 26°."""
        bases = releases_with_means(data, GAUSSIAN, 1, BUDGET, 0, range(60))[:, :, 0]
        return bases, np.mean(np.abs(bases @ data.true_problem(1).basis[:, 0]) >= 0.9)

    data = few_people(900)
    bases, held = released(data)
    means = [trial_generator(0, "private mean", t).integers(2**63) for t in range(60)]
    own = [data.problem(1, None, BUDGET, int(mean)).basis[:, 0] for mean in means]
    assert held < 0.3
    assert np.mean(np.abs((bases * own).sum(axis=1)) >= 0.9) > 0.8
    assert released(few_people(5912))[1] > 0.8


def test_simulation_judges_by_the_truth():
    data = few_people(900)
    problem, budget = data.point(2, None, BUDGET, seed=1)
    truth = data.true_problem(2)
    assert problem.true_problem.moment == pytest.approx(truth.moment)
    assert np.abs(problem.moment - truth.moment).max() > 1
    draws = TrialDraws(GAUSSIAN, 3, range(5))
    found = run_trials(draws, [(problem, budget)])
    bases = draws.release(problem, budget).bases
    reference = problem.reference_problem.moment
    by_hand = np.trace(bases.swapaxes(1, 2) @ reference @ bases, axis1=1, axis2=2)
    top = np.linalg.eigvalsh(reference)[::-1][:2].sum()
    assert found.captured[0] == pytest.approx(by_hand / top)
    assert found.sin_theta[0] == pytest.approx(quality(truth, bases).sin_theta)
    assert agreement(problem, bases) == pytest.approx(truth.basis.T @ bases)


def test_a_release_depends_on_its_trial_alone():
    data = few_people(300)
    four, two = (releases_with_means(data, GAUSSIAN, 2, BUDGET, 0, range(t, 4)) for t in (0, 2))
    assert four[2:] == pytest.approx(two)


def test_no_mechanism_reads_what_it_is_judged_by():
    """The truth is private and not paid for: it is for simulations alone."""
    words = ("true_problem", "reference_problem", ".truth", ".reference")
    for folder in ("mechanisms", "sampling", "release", "sparse"):
        files = sorted(Path(ROOT / "dpca_core" / folder).glob("*.py"))
        assert files, folder
        for file in files:
            assert not [word for word in words if word in file.read_text()], file
