"""Attacks: a statistic of a release, and a threshold beyond which it accuses."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.bartlett_wishart import BartlettWishart
from dpca_core.mechanisms.local_sparse import LocalSparse
from dpca_core.mechanisms.mechanism import Mechanism, Release
from dpca_core.mechanisms.neighbouring_pairs import Pair
from dpca_core.mechanisms.noise_laws import ISOTROPIC, LAPLACE, TRIANGLE, WISHART
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.second_look import Looks
from dpca_core.privacy.budget import Adjacency, Budget

Counts = NDArray[np.intp]
"""Numbers of accusations."""

_THRESHOLDS = 400
_SMALLEST = 1e-12
_BOTH_LOOKS = "the log-likelihood ratio of both looks"
_TIE = 0.01
"""Scores that differ by less are ties."""


class MatrixStatistic(StrEnum):
    """A statistic of the published matrix; the value is its description in a sentence."""

    INNER_PRODUCT = (
        "the inner product of the published matrix with the change of S caused by the person"
    )
    LAPLACE_RATIO = "the Laplace log-likelihood ratio of the published matrix"
    SMALLEST_EIGENVALUE = (
        "the smallest eigenvalue of the published matrix minus the others and the person"
    )
    NUCLEAR_DISTANCE = (
        "how much closer in nuclear norm the published matrix is with the person than without"
    )
    WISHART_RATIO = "the Wishart log-likelihood ratio of the published matrix"


OF_MATRIX = tuple(MatrixStatistic)
OF_BASIS = (
    "the part of the change of S caused by the person that lies in the published directions",
    "how much closer the published directions are to those with the person than to those without",
    "whether anything was released, as 1 or 0,",
)


def all_statistics(
    mechanism: Mechanism, release: Release, pair: Pair, budget: Budget
) -> tuple[tuple[str, ...], Array]:
    """As ``statistics``, and last what a mechanism of several steps showed on the way."""
    names, values = statistics(release, pair)
    if not isinstance(mechanism, Looks):
        return names, values
    likelier = mechanism.log_likelihood(pair.with_person, budget, release)
    likelier -= mechanism.log_likelihood(pair.without_person, budget, release)
    return (*names, _BOTH_LOOKS), np.vstack([values, likelier])


def statistics(release: Release, pair: Pair) -> tuple[tuple[str, ...], Array]:
    """Names, and values (statistics, trials), of all statistics that the attacker tries.

    The attacker sees what is published, the noisy matrix if there is one and otherwise the
    directions, and knows everybody but the person, and the stand-in if there is one.
    """
    if release.moment is not None:
        return OF_MATRIX, _of_matrices(release.moment, pair)
    return OF_BASIS, _of_bases(release, pair)


def _of_matrices(moments: Array, pair: Pair) -> Array:
    person = np.outer(pair.person, pair.person)
    change = pair.with_person.moment - pair.without_person.moment
    rest = moments - (pair.with_person.moment - person)
    # The noise, if the person is present and if not.
    present, absent = rest - person, rest - (person - change)
    values, vectors = np.linalg.eigh(rest)
    wishart = _log_remainder(values, vectors, pair.person)
    if pair.stand_in is not None:
        wishart -= _log_remainder(values, vectors, pair.stand_in)
    eigenvalues = np.linalg.eigvalsh(present)
    nuclear = np.abs(np.linalg.eigvalsh(absent)).sum(axis=1) - np.abs(eigenvalues).sum(axis=1)
    laplace = np.triu(np.abs(absent) - np.abs(present)).sum(axis=(1, 2))
    inner = np.tensordot(rest, change, axes=2)
    return np.stack([inner, laplace, eigenvalues[:, 0], nuclear, wishart])


def _log_remainder(values: Array, vectors: Array, x: Array) -> Array:
    """ln(1 − xᵀR⁻¹x) (trials,) of R given by its eigenvalues; very low where R ⪰ xxᵀ fails."""
    parts = np.square(x @ vectors) / np.maximum(values, _SMALLEST)
    return np.asarray(np.log(np.maximum(1 - parts.sum(axis=1), _SMALLEST)))


def _of_bases(release: Release, pair: Pair) -> Array:
    answered = ~release.refused
    bases = release.bases[answered]
    change = pair.with_person.moment - pair.without_person.moment
    with_person, without_person = pair.with_person.basis, pair.without_person.basis
    turn = with_person @ with_person.T - without_person @ without_person.T
    rows = np.full((len(OF_BASIS), len(answered)), -np.inf)
    for row, form in zip(rows, (change, turn), strict=False):
        row[answered] = (bases * (form @ bases)).sum(axis=(1, 2))
    rows[2] = answered
    return rows


@dataclass(frozen=True)
class Attack:
    """Accuse one of the two data sets where a statistic is on one side of a threshold.

    Attributes
    ----------
    index
        Which statistic.
    threshold, above
        The threshold, and on which side of it the attack accuses.
    of_presence
        Whether it says that the person is present; otherwise that the person is absent.
    """

    index: int
    threshold: float
    above: bool
    of_presence: bool

    def accusations(self, present: Array, absent: Array) -> tuple[int, int]:
        """Correct and false accusations among statistics (statistics, trials) of both data sets."""
        counts = []
        for values in (present, absent):
            above = int((values[self.index] >= self.threshold).sum())
            counts.append(above if self.above else values.shape[1] - above)
        right, wrong = counts if self.of_presence else counts[::-1]
        return right, wrong

    def sentence(self, names: tuple[str, ...]) -> str:
        """Describe the attack."""
        called = "present" if self.of_presence else "absent"
        side = "at least" if self.above else "below"
        return (
            f"The attacker calls the person {called} where {names[self.index]} is {side} "
            f"{self.threshold:.4g}."
        )


def best_attack(present: Array, absent: Array, score: Callable[[Counts, Counts], Array]) -> Attack:
    """Choose among all statistics, thresholds, sides and accusations.

    The first of those whose scores tie within 0.01, with 0 before all other thresholds: a simple
    threshold is worth more than a lucky one.

    Parameters
    ----------
    present, absent
        Statistics (statistics, trials) of as many releases of either data set.
    score
        What to maximise: a function of the counts of correct and false accusations.
    """
    trials = present.shape[1]
    best, chosen = -np.inf, Attack(0, 0.0, True, True)
    for index, rows in enumerate(zip(present, absent, strict=True)):
        pooled = np.sort(np.concatenate([*rows, [0.0]]))
        pooled = pooled[np.isfinite(pooled)]
        picked = np.linspace(0, len(pooled) - 1, _THRESHOLDS).astype(int)
        thresholds = np.concatenate([[0.0], pooled[picked]])
        above = [trials - np.searchsorted(np.sort(row), thresholds) for row in rows]
        for side in (True, False):
            counts = above if side else [trials - count for count in above]
            for of_presence in (True, False):
                right, wrong = counts if of_presence else counts[::-1]
                scores = score(right, wrong)
                place = int((scores >= scores.max() - _TIE).argmax())
                if scores[place] > best + _TIE:
                    best = float(scores[place])
                    chosen = Attack(index, float(thresholds[place]), side, of_presence)
    return chosen


def is_likelihood_ratio_test(mechanism: Mechanism, attack: Attack, adjacency: Adjacency) -> bool:
    """Whether an attack goes by the likelihood ratio of all that is published."""
    if attack.index == len(OF_MATRIX):
        return mechanism.needs_delta
    statistic = _likelihood_ratio(mechanism, adjacency)
    return statistic is not None and OF_MATRIX[attack.index] is statistic


def _likelihood_ratio(mechanism: Mechanism, adjacency: Adjacency) -> MatrixStatistic | None:
    """Return the statistic that grows with the likelihood ratio on the worst pair, if known."""
    if isinstance(mechanism, BartlettWishart):
        return MatrixStatistic.WISHART_RATIO
    if mechanism.key == LocalSparse.key:
        return MatrixStatistic.INNER_PRODUCT
    if not isinstance(mechanism, NoiseOnS):
        return None
    if mechanism.law in (ISOTROPIC, TRIANGLE):
        # On the worst pair only the diagonal changes.
        return MatrixStatistic.INNER_PRODUCT
    if mechanism.law is WISHART and adjacency is Adjacency.ADD_OR_REMOVE_ONE:
        # Of a replaced person two eigenvalues matter.
        return MatrixStatistic.SMALLEST_EIGENVALUE
    return MatrixStatistic.LAPLACE_RATIO if mechanism.law is LAPLACE else None
