"""A private choice of the number of directions: the largest eigengap, by a noisy maximum."""

import secrets

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.privacy.sensitivity import gap_difference_change
from dpca_core.problem import Problem


def gaps(problem: Problem, most: int) -> Array:
    """Eigengaps (most,) behind k = 1 … most < d directions, in people; else ValueError."""
    if not 1 <= most < problem.d:
        raise ValueError(f"k must be chosen from 1 to {problem.d - 1}, not up to {most}.")
    spectrum = problem.spectrum[: most + 1]
    return np.maximum(spectrum[:-1] - spectrum[1:], 0.0)


def chances(problem: Problem, epsilon: float, most: int, adjacency: Adjacency) -> Array:
    """Probability (most,) of each k from 1 to ``most``, exactly; ε-DP for every ε > 0.

    Each gap gets its own exponential noise of mean D/ε, and the largest wins (D: how far one
    person moves the difference of two gaps). P(k) = a_k ∫₀¹ Π_{j≠k} (1 − a_j u) du with
    a_j = exp(−ε(g_max − g_j)/D), a polynomial, integrated without error by Gauss and Legendre's
    rule. McKenna & Sheldon 2020 (permute-and-flip); docs/choice-of-k.md.
    """
    values = gaps(problem, most)
    weights = np.exp(-epsilon / gap_difference_change(adjacency) * (values.max() - values))
    nodes, measure = np.polynomial.legendre.leggauss(most // 2 + 1)
    u, du = (nodes + 1) / 2, measure / 2
    below = 1 - np.outer(weights, u)
    others = np.array([np.prod(np.delete(below, k, axis=0), axis=0) for k in range(most)])
    return np.asarray(weights * (others @ du))


def choose_k(
    problem: Problem, epsilon: float, most: int, adjacency: Adjacency, rng: np.random.Generator
) -> int:
    """Choose k from 1 to ``most`` (a public number) by the largest noisy gap; ε-DP."""
    problem.require_neighbours(adjacency)
    noise = rng.exponential(gap_difference_change(adjacency) / epsilon, most)
    return int(np.argmax(gaps(problem, most) + noise)) + 1


def draw_k(dataset: Dataset, epsilon: float, most: int, adjacency: Adjacency) -> int:
    """Choose k up to a public number, for the data as they are, by the system's randomness.

    A private mean is drawn for it and takes its share of ε, with Laplace noise; the gaps take the
    rest. Basic composition: every draw costs ε.
    """
    whole = Budget(epsilon, 0.0, adjacency)
    problem = dataset.problem(1, None, whole, secrets.randbits(128))
    rng = np.random.default_rng(secrets.randbits(128))
    return choose_k(problem, dataset.mechanism_budget(whole).epsilon, most, adjacency, rng)
