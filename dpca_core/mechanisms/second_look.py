"""Two looks at the rows: a cheap one finds the top directions, another sees what is beside them.

``axes_of`` and ``combined`` are functions of what was published and of public numbers alone: they
get no problem, so neither n nor the true spectrum reaches them.
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from math import sqrt
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import eigh_descending, symmetrized, top_basis
from dpca_core.mechanisms.mechanism import Family, Keep, Mechanism, Noise, Release, setting
from dpca_core.mechanisms.noise_laws import ISOTROPIC, WISHART_DIFFERENCE, NoiseLaw
from dpca_core.privacy.budget import Budget, Guarantee, InfeasibleBudget
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.privacy.sensitivity import frobenius
from dpca_core.problem import Problem

MEDIAN_BINS = 16
_LEAST_REST, _LEAST_GAIN = 0.02, 1.2
Both = tuple[float, float]
"""A number for each look."""


class Axes(NamedTuple):
    """The axes of the second look: A = a₀·I + Σ (a_i − a₀)·u_i·u_iᵀ, with u (d, m), a (m,), a₀."""

    top: Array
    factors: Array
    rest: float

    def applied(self, matrix: Array, power: int) -> Array:
        """Return A^power·matrix·A^power for a symmetric matrix (d, d)."""
        change = self.factors**power - self.rest**power
        half = self.rest**power * matrix + (self.top * change) @ (self.top.T @ matrix)
        return np.asarray(self.rest**power * half + (half @ self.top * change) @ self.top.T)


def axes_of(first: Array, edge: float, k: int, tail: float) -> Axes:
    """Choose the axes of the second look from what the first one published, M₁ (d, d).

    Its noise's spectrum ends about at ``edge``; other directions keep ``tail`` of a row's length.
    """
    d, (values, vectors) = len(first), eigh_descending(first)
    top = values[: min(k, d - 1)]
    top = top[top > edge]
    m = len(top)
    if m > 0:
        # The noise raises an eigenvalue λ to λ + edge²/4λ: this undoes it.
        lowered = (top + np.sqrt(top**2 - edge**2)) / 2
        parts = lowered / max(1.0, float(np.trace(first)))
        rest = max(_LEAST_REST, 1 - float(parts.sum()))
        factors = np.sqrt((1 - tail) / (m * np.maximum(parts, 0.1 * rest / (d - m))))
        beside = sqrt(tail / rest)
        if beside * factors.max() >= _LEAST_GAIN:
            return Axes(vectors[:, :m], factors, beside)
    return Axes(np.empty((d, 0)), np.empty(0), 1.0)


def rescaled_sum(rows: Array, moment: Array, row_weight: float, axes: Axes) -> Array:
    """Σ row_weight·zzᵀ (d, d), z = Ax shortened to length 1; ``moment`` is the sum of xxᵀ."""
    squares = axes.rest**2 * np.einsum("ij,ij->i", rows, rows)
    squares += (rows @ axes.top) ** 2 @ (axes.factors**2 - axes.rest**2)
    cut, weights = rows[squares > 1], row_weight * (1 - 1 / squares[squares > 1])
    return axes.applied(moment - (cut * weights[:, None]).T @ cut, 1)


def combined(first: Array, second: Array, axes: Axes, variances: Both) -> Array:
    """Weigh both looks, entry by entry, by the inverse variance of their noise off the diagonal.

    In a basis that begins with u_1…u_m, entry (i, j) is M₁ + g_ij·(A⁻¹M₂A⁻¹ − M₁) with
    g_ij = v₁/(v₁ + v₂/(a_i²a_j²)). There are three kinds of g: no whole basis is needed.
    """
    v1, v2 = variances

    def gain(square: Array | float) -> Array:
        return np.asarray(v1 / (v1 + v2 / square))

    both = axes.applied(second, -1) - first
    u, a, rest = axes.top, axes.factors**2, axes.rest**2
    beside = float(gain(rest * rest))
    seen = u.T @ both
    inside = seen @ u
    across = u @ ((gain(a * rest) - beside)[:, None] * (seen - inside @ u.T))
    found = first + beside * both + across + across.T
    return symmetrized(found + u @ ((gain(np.outer(a, a)) - beside) * inside) @ u.T)


def noisy_median_radius(rows: Array, row_weight: float, noise: Array) -> float:
    """Smallest length 2^(−j/3) that about half of all rows exceed at most, by noisy counts."""
    radii = 2.0 ** (-np.arange(MEDIAN_BINS) / 3)
    # Bin j holds r_{j+1} < length ≤ r_j; the last one all shorter rows, the first all others.
    bins = np.searchsorted(-radii, -_lengths(rows), side="right") - 1
    bins = np.clip(bins, 0, MEDIAN_BINS - 1)
    counts = row_weight * np.bincount(bins, minlength=MEDIAN_BINS) + noise
    longer = np.concatenate([[0.0], np.cumsum(counts)[:-1]])
    within = np.flatnonzero(longer <= max(1.0, float(counts.sum())) / 2)
    return float(radii[within[-1]]) if len(within) else 1.0


def _shortened(problem: Problem, radius: float) -> tuple[Array, Array]:
    """Return rows of norm at most a radius, divided by it, and their sum S in people."""
    assert problem.rows is not None
    if radius == 1:
        return problem.rows, problem.moment
    rows = np.asarray(problem.rows / np.maximum(_lengths(problem.rows), radius)[:, None])
    return rows, problem.row_weight * (rows.T @ rows)


def _lengths(rows: Array) -> Array:
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", rows, rows)))


@dataclass(frozen=True)
class Looks(Mechanism):
    """Two looks at the rows with noise of one law on each sum; what both say is combined."""

    document = "second-look"
    does = "adds noise to S twice, the second time in axes that the first look set"
    role, cost, publishes_matrix = "special", 4.0, True
    law: ClassVar[NoiseLaw]

    share: float = setting(0.3, "Budget of the first look", 0.05, 0.9)
    tail: float = setting(0.65, "Length left to the rest", 0.1, 0.9)

    @abstractmethod
    def scales(self, d: int, budget: Budget) -> Both:
        """Return the scales of the noise of both looks, in people: public."""

    def radius(self, problem: Problem, budget: Budget, rng: Generator) -> float:
        """Return the length to which rows are shortened: 1 unless a share of ε pays for it."""
        return 1.0

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        """That of the first look: no more than public numbers."""
        return Noise(self.scales(problem.d, budget)[0], "people", f"{self.law.symbol}₁")

    def sample(
        self, problem: Problem, budget: Budget, rng: Generator, trials: int, keep: Keep
    ) -> Release:
        if problem.rows is None:
            raise InfeasibleBudget(
                "A second look reads the rows again, and only their sum is kept here: choose "
                "Gaussian noise."
            )
        scales, beside = self.scales(problem.d, budget), self.law.std(problem.d)[1]
        variances = (scales[0] * beside) ** 2, (scales[1] * beside) ** 2
        seen = [self._look(problem, budget, scales, rng) for _ in range(trials)]
        found = np.stack([combined(looks[0], looks[1], axes, variances) for _, looks, axes in seen])
        bases = top_basis(found, problem.k)
        if keep != "moment":
            return Release(bases)
        radius, both = np.array([one[0] for one in seen]), np.stack([one[1] for one in seen])
        # Looks see rows divided by the released radius; the matrix is of rows as long as they are.
        moment = found * (radius**2)[:, None, None]
        return Release(bases, {"radius": radius, "looks": both}, moment)

    def _look(
        self, problem: Problem, budget: Budget, scales: Both, rng: Generator
    ) -> tuple[float, Array, Axes]:
        """Return the length of rows, both looks (2, d, d), and the axes that the first one set."""
        # Noise before anything that the data decide: then curves over ε stay smooth.
        noise = [self.law.draw(problem.d, rng, 1)[0] for _ in range(2)]
        radius = self.radius(problem, budget, rng)
        rows, moment = _shortened(problem, radius)
        first = moment + scales[0] * noise[0]
        axes = axes_of(first, scales[0] * self.law.edge(problem.d), problem.k, self.tail)
        rescaled = rescaled_sum(rows, moment, problem.row_weight, axes)
        return radius, np.stack([first, rescaled + scales[1] * noise[1]]), axes

    def log_likelihood(self, problem: Problem, budget: Budget, release: Release) -> Array:
        scales = self.scales(problem.d, budget)
        edge = scales[0] * self.law.edge(problem.d)

        def one(radius: float, looks: Array) -> float:
            rows, moment = _shortened(problem, radius)
            axes = axes_of(looks[0], edge, problem.k, self.tail)
            second = rescaled_sum(rows, moment, problem.row_weight, axes)
            noise = looks - np.stack([moment, second])
            return float(self.law.log_density(noise / np.array(scales)[:, None, None]).sum())

        return np.array(list(map(one, release.info["radius"].tolist(), release.info["looks"])))


@dataclass(frozen=True)
class SecondLook(Looks):
    """Gaussian noise in two looks, the second along axes that the first one found.

    Where the top directions hold most of every row's length, the second look sees the rest with
    several times less noise at the same (ε, δ). Own result, docs/second-look.md.
    """

    key, name, family = "second_look", "Second look", Family.GAUSSIAN
    law, needs_delta = ISOTROPIC, True

    radius_share: float = setting(0.0, "Budget of the median length", 0.0, 0.5)

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Return the budget: what is looked at is composed exactly."""
        proved = super().guarantee(problem, budget)
        return replace(proved, noise_multiplier=gaussian_sigma(budget.epsilon, budget.delta, 1.0))

    def scales(self, d: int, budget: Budget) -> Both:
        """τ₁ = Δ/μ₁ and τ₂ = Δ/μ₂ with μ₁² + μ₂² = (1 − radius_share)·μ²."""
        left = (1 - self.radius_share) ** 0.5 / gaussian_sigma(budget.epsilon, budget.delta, 1.0)
        whole = frobenius(budget.adjacency) / left
        return whole / self.share**0.5, whole / (1 - self.share) ** 0.5

    def radius(self, problem: Problem, budget: Budget, rng: Generator) -> float:
        noise = rng.standard_normal(MEDIAN_BINS)
        if self.radius_share == 0:
            return 1.0
        assert problem.rows is not None
        sigma = frobenius(budget.adjacency) * gaussian_sigma(budget.epsilon, budget.delta, 1.0)
        scale = sigma / self.radius_share**0.5
        return noisy_median_radius(problem.rows, problem.row_weight, scale * noise)


class SecondLookPure(Looks):
    """Two looks with differences of Wisharts as noise: pure ε-DP by adding up both looks."""

    key, name, family = "second_look_pure", "Second look, pure", Family.WISHART
    law = WISHART_DIFFERENCE

    def scales(self, d: int, budget: Budget) -> Both:
        whole = self.law.scale(d, budget)
        return whole / self.share, whole / (1 - self.share)
