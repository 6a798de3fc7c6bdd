"""Points at which single precision is hard: small gaps, ties, wide ranges, noise of every kind."""

from typing import NamedTuple

import numpy as np

from dpca_core import MECHANISMS, Problem
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import symmetrized
from dpca_core.metrics import quality
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.perturbation import Axis
from dpca_core.simulation.precision import Precision
from dpca_core.simulation.trials import _of_axis

TRIALS, SCALES = 8, 5
COLUMNS = (16, 17, 24, 40, 60, 101, 210)


class Found(NamedTuple):
    """What was found at some points (T, G), and how far it is from plain ``eigh``.

    Attributes
    ----------
    differences, errors
        (2, T, G) of captured and ‖sin Θ‖_F: true errors, and the bounds on them.
    spreads
        (2, G) standard deviations between the trials.
    clear
        (T, G) whether double precision can tell the subspace.
    """

    differences: Array
    errors: Array
    spreads: Array
    clear: np.ndarray


def spectrum(rng: np.random.Generator, d: int, k: int) -> Array:
    """A spectrum of one of seven kinds, descending, of trace 10,000."""
    kinds = [
        rng.uniform(0.5, 0.999) ** np.arange(d),
        np.sort(np.repeat(rng.uniform(0.1, 1, 3), -(-d // 3))[:d])[::-1],
        np.concatenate([np.ones(k), np.full(d - k, 1 - 10.0 ** -rng.uniform(1, 9))]),
        np.eye(1, d)[0],
        np.concatenate([[1.0], 1e-6 * np.linspace(1, 0.1, d - 1)]),
        np.sort(rng.exponential(size=d))[::-1] ** 3,
        np.sort(np.where(np.arange(d) < k // 2 + 1, 10.0 ** rng.uniform(1, 6, d), rng.random(d)))[
            ::-1
        ],
    ]
    values = kinds[rng.integers(len(kinds))]
    return 1e4 * values / values.sum()


def noise(rng: np.random.Generator, d: int) -> Array:
    """Noise (T, d, d) of one of four kinds: Gaussian, sparse, Wishart, nearly of rank 1."""
    plain = symmetrized(rng.standard_normal((TRIALS, d, d)))
    vector = rng.standard_normal((TRIALS, d, 1))
    kinds = [
        plain,
        symmetrized(plain * (rng.random(plain.shape) < 0.1)),
        plain @ plain.swapaxes(1, 2),
        vector @ vector.swapaxes(1, 2) + 1e-3 * plain,
    ]
    return kinds[rng.integers(len(kinds))]


def found(seed: int) -> Found:
    """Measure some points in single and in double precision."""
    rng = np.random.default_rng(seed)
    d = int(rng.choice(COLUMNS))
    k = int(rng.integers(1, int(d * 0.3) + 1))
    values, noises = spectrum(rng, d, k), noise(rng, d)
    gap = max(values[k - 1] - values[k], values[0] * 1e-7)
    scales = gap * np.exp(rng.uniform(-7, 9, SCALES)) / np.sqrt(d)
    at = Problem.from_spectrum(values, 2e4, k, np.eye(d))
    draws = TrialDraws(MECHANISMS["gaussian"], 0, range(TRIALS))
    draws._turned = at.eigenvectors, noises
    screen = _of_axis(draws, Axis(at, np.full(SCALES, k), scales), Precision.SCREEN)
    eigenvalues, vectors = np.linalg.eigh(np.diag(values) + scales[:, None, None] * noises[:, None])
    plain = quality(at, vectors[..., -k:])
    size = np.abs(eigenvalues).max(axis=-1)
    clear = eigenvalues[..., -k] - eigenvalues[..., -k - 1] > 1e-9 * size
    exact = np.stack([plain.captured, plain.sin_theta])
    differences = np.abs(np.stack([screen[0], screen[2]]) - exact)
    return Found(differences, np.stack(screen[3:]), exact.std(axis=1), clear)
