"""The engine against plain ``numpy.linalg.eigh``, and laws of S + σE that need no oracle."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Problem
from dpca_core.linalg.symmetric import symmetrized
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.runtime import threads
from dpca_core.simulation import perturbation
from dpca_core.simulation.perturbation import tied, weights_along
from dpca_core.simulation.trials import TrialDraws, noise_norms, quality_along, trial_generator
from tests.cases import sampled

ON_S = [m for m in MECHANISMS.values() if isinstance(m, NoiseOnS)]
NASTY_SPECTRA = {
    "steep": lambda rng, d, k: rng.uniform(0.5, 0.999) ** np.arange(d),
    "threefold": lambda rng, d, k: np.repeat(rng.uniform(0.1, 1, 3), -(-d // 3))[:d],
    "nearly tied": lambda rng, d, k: np.where(np.arange(d) < k, 1, 1 - 10.0 ** -rng.uniform(1, 9)),
    "rank 1": lambda rng, d, k: np.eye(1, d)[0],
    "tiny rest": lambda rng, d, k: np.append(1.0, 1e-6 * np.linspace(1, 0.1, d - 1)),
    "wide": lambda rng, d, k: rng.exponential(size=d) ** 3,
    "strong head": lambda rng, d, k: np.append(
        10.0 ** rng.uniform(1, 6, k // 2 + 1), rng.random(d)
    )[:d],
}
NASTY_NOISES = {
    "Gaussian": lambda rng, plain, vector: plain,
    "sparse": lambda rng, plain, vector: symmetrized(plain * (rng.random(plain.shape) < 0.1)),
    "Wishart": lambda rng, plain, vector: plain @ plain,
    "rank 1": lambda rng, plain, vector: vector @ vector.swapaxes(1, 2) + 1e-3 * plain,
}


def problem(d, k, n=20_000.0, seed=0, decay=0.9):
    q = np.linalg.qr(np.random.default_rng(seed).standard_normal((d, d)))[0]
    values = n * 0.9 * decay ** np.arange(d) / (decay ** np.arange(d)).sum()
    return Problem.from_moment(symmetrized((q * values) @ q.T), n, k)


def wigner(count, d, seed=1):
    return symmetrized(np.random.default_rng(seed).standard_normal((count, d, d)))


def plainly(spectrum, k, scales, noises):
    """Squared projections (T, G, d) by ``eigh``."""
    matrices = np.diag(spectrum) + scales[:, None, None] * noises[:, None]
    return np.square(np.linalg.eigh(matrices)[1][..., -k:]).sum(axis=-1)


@pytest.mark.parametrize(
    ("d", "k"), [(2, 1), (19, 2), (60, 1), (60, 17), (60, 40), (60, 59), (60, 60), (130, 4)]
)
def test_it_agrees_with_eigh_at_every_size_of_noise(d, k):
    spectrum, noises = problem(d, k).spectrum, wigner(2, d)
    gap = spectrum[k - 1] - spectrum[k] if k < d else spectrum[-1]
    scales = np.concatenate([[0.0], np.geomspace(1e-4, 30, 40) * gap / np.sqrt(d)])
    expected, ks = plainly(spectrum, k, scales, noises), np.full(len(scales), k)
    swept = weights_along(spectrum, ks, scales, noises)
    np.testing.assert_allclose(swept, expected, atol=1e-4)
    np.testing.assert_allclose((swept - expected) @ spectrum / spectrum[:k].sum(), 0, atol=2e-6)
    exact = weights_along(spectrum, ks, scales, noises, exact=True)
    np.testing.assert_allclose((exact - expected) @ spectrum / spectrum[:k].sum(), 0, atol=5e-14)
    clear = scales * np.sqrt(d) > 1e-3 * gap
    np.testing.assert_allclose(exact[:, clear], expected[:, clear], atol=1e-11)


@pytest.mark.parametrize("seed", sampled(range(70), 8, "a sweep of nasty points"))
def test_means_are_exact_to_a_tenth_of_their_standard_error(seed):
    """Of 200 releases, of captured variance and sin Θ: 700 means in all, of 8 releases each.

    Where single precision is hard: small gaps, ties, wide ranges, noise of every kind. But for
    eigenvalues tied at k under noise of rank 1 or of mostly zeros, which may leave the tie: any
    vector out of it is right, and rounding chooses.
    """
    rng = np.random.default_rng(seed)
    d = int(rng.choice((16, 17, 24, 40, 60, 101, 210)))
    k = int(rng.integers(1, int(d * 0.3) + 1))
    spectrum, noise = rng.choice(tuple(NASTY_SPECTRA)), rng.choice(tuple(NASTY_NOISES))
    values = np.sort(NASTY_SPECTRA[spectrum](rng, d, k))[::-1]
    values = 1e4 * values / values.sum()
    plain = symmetrized(rng.standard_normal((8, d, d)))
    noises = NASTY_NOISES[noise](rng, plain, rng.standard_normal((8, d, 1)))
    gap = max(values[k - 1] - values[k], values[0] * 1e-7)
    scales, ks = gap * np.exp(rng.uniform(-7, 9, 5)) / np.sqrt(d), np.full(5, k)
    swept = quality_along(values, ks, weights_along(values, ks, scales, noises))
    expected = quality_along(values, ks, plainly(values, k, scales, noises))
    for name in ("captured", "sin_theta"):
        ours, theirs = getattr(swept, name), getattr(expected, name)
        near = 0.1 * theirs.std(axis=0) / np.sqrt(200) + 1e-9
        if not (tied(values, k) and noise in ("rank 1", "sparse")):
            assert (np.abs(ours - theirs).mean(axis=0) <= near).all(), (spectrum, noise)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_threads_share_the_work_however_many_there_are(count, monkeypatch):
    spectrum, scales = problem(30, 4).spectrum, np.geomspace(1, 1e4, 7)
    noises, ks = wigner(8, 30), np.array([4, 4, 1, 4, 2, 4, 9])
    alone = weights_along(spectrum, ks, scales, noises)
    for module in (threads, perturbation):
        monkeypatch.setattr(module, "processors", lambda: count)
    monkeypatch.setattr(perturbation, "SINGLE_THREAD_COST", 0)
    shared = weights_along(spectrum, ks, scales, noises)
    np.testing.assert_allclose(shared, alone, atol=1e-4)
    np.testing.assert_allclose(shared.sum(axis=-1), np.tile(ks, (8, 1)))


@pytest.mark.parametrize(
    ("key", "d"), [*((m.key, 8) for m in ON_S), ("gaussian", 130), ("wishart_jiang", 130)]
)
def test_the_norm_of_noise_is_that_of_what_is_added_whatever_k(key, d):
    """At both d: with noise that is kept for the next who asks, and noise that is drawn again."""
    draws = TrialDraws(MECHANISMS[key], 7, range(2, 5))
    streams = [trial_generator(7, key, t) for t in draws.trials]
    plain = np.array([MECHANISMS[key].unit(d, 3, stream, 1)[0][0] for stream in streams])
    for k in (1, 5):
        np.testing.assert_allclose(draws.unit(d, k)[0], plain, rtol=1e-12)
    if MECHANISMS[key].law.one_sided:
        ends = np.linalg.eigvalsh(plain)[:, [0, -1]]
        plain = plain - ends.mean(axis=1)[:, None, None] * np.eye(d)
    for _ in range(2):
        np.testing.assert_allclose(noise_norms(draws, d), np.linalg.norm(plain, 2, (1, 2)))
