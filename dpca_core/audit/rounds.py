"""Rounds of a game: a release is shown, and the player says whether the person is in the data."""

from typing import NamedTuple

import numpy as np

from dpca_core.audit.attacks import OF_MATRIX, MatrixStatistic, statistics
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.neighbouring_pairs import Pair
from dpca_core.mechanisms.noise_on_s import proves_absence
from dpca_core.privacy.budget import Budget


class Rounds(NamedTuple):
    """What a player sees and says.

    Attributes
    ----------
    present, absent
        The statistic (T,) of releases with the person, and of as many without.
    threshold
        The player says "in" where the statistic is at least this.
    """

    present: Array
    absent: Array
    threshold: float

    @property
    def right(self) -> float:
        """Share of the rounds in which the player is right."""
        found = (self.present >= self.threshold).mean() + (self.absent < self.threshold).mean()
        return float(found / 2)


def play_rounds(mechanism: Mechanism, pair: Pair, budget: Budget, each: int, seed: int) -> Rounds:
    """Play as many rounds with the person as without, by a rule that is fixed beforehand.

    What is left along the person once everybody else is subtracted: 1 with the person, 0 without,
    on average. That is the likelihood ratio of Gaussian noise. Where noise only adds, the smallest
    eigenvalue of what is left without the person: below 0 the person cannot be in.

    Parameters
    ----------
    mechanism
        One that publishes a matrix.
    pair
        A person who is added or removed.
    each
        Rounds of each kind.
    """
    statistic, threshold = MatrixStatistic.INNER_PRODUCT, 0.5
    if proves_absence(mechanism):
        statistic, threshold = MatrixStatistic.SMALLEST_EIGENVALUE, 0.0
    rng = np.random.default_rng(seed)
    values = []
    for problem in (pair.with_person, pair.without_person):
        release = mechanism.simulate(problem, budget, rng, each, keep="moment")
        values.append(statistics(release, pair)[1][OF_MATRIX.index(statistic)])
    return Rounds(values[0], values[1], threshold)
