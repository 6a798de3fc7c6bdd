"""Points at which single precision is hard: small gaps, ties, wide ranges, noise of every kind."""

from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import symmetrized
from dpca_core.simulation.perturbation import tied, weights_along
from dpca_core.simulation.trials import quality_along

TRIALS, SCALES = 8, 5
COLUMNS = (16, 17, 24, 40, 60, 101, 210)
SPECTRA = ("steep", "threefold", "nearly tied", "rank 1", "tiny rest", "wide", "strong head")
NOISES = ("Gaussian", "sparse", "Wishart", "rank 1")


class NastyPoints(NamedTuple):
    """Some points (G,) of one spectrum and noise, T trials each, against plain ``eigh``.

    Attributes
    ----------
    kind
        Names of spectrum and noise, and whether eigenvalues are tied at k.
    errors, spreads
        (2, G) mean error of captured and ‖sin Θ‖_F, and their standard deviations between trials.
    """

    kind: tuple[str, str, bool]
    errors: Array
    spreads: Array


def _spectrum(name: str, rng: np.random.Generator, d: int, k: int) -> Array:
    """A spectrum (d,), descending, of trace 10,000."""
    values = {
        "steep": lambda: rng.uniform(0.5, 0.999) ** np.arange(d),
        "threefold": lambda: np.repeat(rng.uniform(0.1, 1, 3), -(-d // 3))[:d],
        "nearly tied": lambda: np.where(np.arange(d) < k, 1, 1 - 10.0 ** -rng.uniform(1, 9)),
        "rank 1": lambda: np.eye(1, d)[0],
        "tiny rest": lambda: np.append(1.0, 1e-6 * np.linspace(1, 0.1, d - 1)),
        "wide": lambda: rng.exponential(size=d) ** 3,
        "strong head": lambda: np.append(10.0 ** rng.uniform(1, 6, k // 2 + 1), rng.random(d))[:d],
    }[name]()
    return 1e4 * np.sort(values)[::-1] / values.sum()


def _noise(name: str, rng: np.random.Generator, d: int) -> Array:
    plain = symmetrized(rng.standard_normal((TRIALS, d, d)))
    vector = rng.standard_normal((TRIALS, d, 1))
    return {
        "Gaussian": lambda: plain,
        "sparse": lambda: symmetrized(plain * (rng.random(plain.shape) < 0.1)),
        "Wishart": lambda: plain @ plain,
        "rank 1": lambda: vector @ vector.swapaxes(1, 2) + 1e-3 * plain,
    }[name]()


def nasty_points(seed: int) -> NastyPoints:
    """Measure some points as a sweep does and by ``eigh``."""
    rng = np.random.default_rng(seed)
    d = int(rng.choice(COLUMNS))
    k = int(rng.integers(1, int(d * 0.3) + 1))
    kinds = str(rng.choice(SPECTRA)), str(rng.choice(NOISES))
    values, noises = _spectrum(kinds[0], rng, d, k), _noise(kinds[1], rng, d)
    gap = max(values[k - 1] - values[k], values[0] * 1e-7)
    scales = gap * np.exp(rng.uniform(-7, 9, SCALES)) / np.sqrt(d)
    ks = np.full(SCALES, k)
    swept = quality_along(values, ks, weights_along(values, ks, scales, noises))
    vectors = np.linalg.eigh(np.diag(values) + scales[:, None, None] * noises[:, None])[1]
    plain = quality_along(values, ks, np.square(vectors[..., -k:]).sum(axis=-1))
    pairs = [(swept.captured, plain.captured), (swept.sin_theta, plain.sin_theta)]
    errors = np.array([np.abs(ours - theirs).mean(axis=0) for ours, theirs in pairs])
    spreads = np.array([theirs.std(axis=0) for _, theirs in pairs])
    return NastyPoints((*kinds, tied(values, k)), errors, spreads)
