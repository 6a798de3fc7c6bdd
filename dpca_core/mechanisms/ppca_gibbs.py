"""PPCA by Gibbs sampling, as the paper runs it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from dpca_core.mechanisms.exponential import (
    WIDE_COLUMNS,
    Exponential,
    inverse_temperature,
    mixed,
)
from dpca_core.mechanisms.release import Release
from dpca_core.privacy.budget import Budget, Guarantee, Notion, Standing
from dpca_core.problem import Problem
from dpca_core.sampling.column_gibbs import sweeps_beside, sweeps_in_eigenvectors

SWEEPS, DISPERSED = 20, 4
ENTRIES_AT_ONCE = 2**20
"""Entries of S for all chains that are run together, for the memory that they take."""


@dataclass(frozen=True)
class PpcaGibbs(Exponential):
    """PPCA by Gibbs sampling, as the paper runs it: approximate, so nothing is certified.

    Columns are drawn in turn, each exactly given the others, in 20 sweeps from the true directions.
    Nothing proves how close the result is to an exact draw; R-hat over dispersed starts is only a
    diagnostic.
    """

    key = "ppca_gibbs"
    name = "PPCA Gibbs, printed"
    printed = True
    relative_cost = 200.0

    def claim(self, problem: Problem, budget: Budget) -> Guarantee | None:
        """Pure ε, as if sampling were exact."""
        return Guarantee.claimed(
            budget, Notion.PURE, "Chaudhuri, Sarwate & Sinha 2013, Theorem 6 and section 6.1"
        )

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Promise nothing: the sampler is approximate."""
        return Guarantee(
            inf,
            1.0,
            Notion.NONE,
            Standing.UNCERTIFIED,
            budget.adjacency,
            "docs/bingham.md",
            erratum="ε holds for exact draws; a Gibbs sampler stopped after finitely many steps is "
            "not exact.",
        )

    def frames(
        self, problem: Problem, budget: Budget, rng: np.random.Generator, trials: int
    ) -> Array:
        """Sweep from V_k, which are the first axes."""
        return self._chains(problem, budget, [rng] * trials)

    def simulate_each(
        self, problem: Problem, budget: Budget, rngs: Sequence[np.random.Generator]
    ) -> Release:
        """Run all chains together: many times as fast as one after another."""
        frames, shape = self._chains(problem, budget, rngs), (problem.k, problem.k)
        return mixed(problem, frames, np.stack([rng.standard_normal(shape) for rng in rngs]))

    def _chains(
        self, problem: Problem, budget: Budget, rngs: Sequence[np.random.Generator]
    ) -> Array:
        """Last frames (chains, d, k)."""
        weights = inverse_temperature(budget) * problem.spectrum
        starts = np.stack([np.eye(problem.d)[:, : problem.k]] * len(rngs))
        return gibbs(weights, starts, SWEEPS, rngs)[0]


def gibbs(
    weights: Array, starts: Array, sweeps: int, rngs: Sequence[np.random.Generator]
) -> tuple[Array, Array]:
    """Run column Gibbs for density ∝ exp(tr VᵀBV), B = diag(weights), from each start.

    Parameters
    ----------
    starts
        (chains, d, k), orthonormal columns.
    rngs
        A generator for each chain.

    Returns
    -------
        Last frames (chains, d, k), and the score of each chain after each sweep (chains, sweeps).
    """
    frames, (count, d, _) = np.empty_like(starts), starts.shape
    scores = np.empty((count, sweeps))
    at_once = 1 if d >= WIDE_COLUMNS else max(1, ENTRIES_AT_ONCE // d**2)
    for first in range(0, count, at_once):
        some = slice(first, first + at_once)
        for sweep, found in enumerate(_sweeps(weights, starts[some], sweeps, rngs[some])):
            frames[some] = found
            scores[some, sweep] = np.square(found).sum(axis=2) @ weights
    return frames, scores


def _sweeps(
    weights: Array, starts: Array, sweeps: int, rngs: Sequence[np.random.Generator]
) -> Iterator[Array]:
    """Frames (chains, d, k) after each sweep; on wide tables there is one chain."""
    if len(weights) >= WIDE_COLUMNS:
        return (frame[None] for frame in islice(sweeps_beside(weights, starts[0], rngs[0]), sweeps))
    return islice(sweeps_in_eigenvectors(weights, starts, rngs), sweeps)


def r_hat(problem: Problem, budget: Budget, rng: np.random.Generator, sweeps: int = 40) -> float:
    """Gelman–Rubin R-hat of tr VᵀBV over chains from dispersed starts, first half left out."""
    weights = inverse_temperature(budget) * problem.spectrum
    starts = [np.eye(problem.d)[:, : problem.k]]
    starts += [
        orthonormal(rng.standard_normal((problem.d, problem.k))) for _ in range(DISPERSED - 1)
    ]
    chains = gibbs(weights, np.stack(starts), sweeps, [rng] * DISPERSED)[1][:, sweeps // 2 :]
    within = chains.var(axis=1, ddof=1).mean()
    between = chains.mean(axis=1).var(ddof=1)
    length = chains.shape[1]
    return float(np.sqrt((length - 1) / length + between / within)) if within > 0 else 1.0
