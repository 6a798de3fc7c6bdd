"""What a released matrix says of the exact one, and how surely: post-processing, at no cost.

Everything is computed from the released whole numbers and public settings. Formulas, proofs and
measured coverage: docs/release.md, "Reading a release".
"""

from dataclasses import dataclass
from math import inf, nan, sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.release.drawn import Drawn
from dpca_core.release.noise_quantiles import norm_quantile, top_sum_quantile
from dpca_core.release.plan import PartName, Plan
from dpca_core.runtime.cached_property import cached_property

INTERVAL_LEVEL = 0.95
"""Confidence of intervals."""
NORMAL_POINT, _WIDER_POINT = 1.96, 2.2414
"""Two-sided 95 % and 97.5 % points of the normal law."""
FAR_APART = 8.0
"""Neighbouring eigenvalues whose gap is so many τ have directions with intervals of their own."""
MOST_EXPECTED_SINE = 0.35
_MOST_CORRECTION = 0.5
"""Where (s/gap)² summed over the others is larger, first order says nothing about a value."""


@dataclass(frozen=True)
class Interval:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Eigenvalues in people, largest first.

    Attributes
    ----------
    values
        (d,), corrected for the noise that pushes them apart where that is known; else as released.
    low, high
        (d,), 95 % each; NaN where none is shown.
    band
        All eigenvalues at once are within this of the released ones, with 95 % confidence; NaN
        where it is not known.
    """

    values: Array
    low: Array
    high: Array
    band: float


@dataclass(frozen=True, eq=False)
class MatrixReading:
    """Directions and spectrum of a released matrix.

    Attributes
    ----------
    matrix
        S̃ (d, d) in people.
    noise
        Law of its noise.
    unit
        Scale of the noise in people: τ, the standard deviation on the diagonal, where it is
        Gaussian.
    """

    matrix: Array
    noise: ExactNoise
    unit: float

    @classmethod
    def of(cls, plan: Plan, drawn: Drawn) -> "MatrixReading":
        """Read the matrix of a release."""
        part = next(part for part in plan.parts if part.name is PartName.MATRIX)
        people = float(part.grid_unit)
        gaussian = part.noise is ExactNoise.GAUSSIAN
        (scale,) = (part.scales["b"],) if gaussian else part.scales.values()
        return cls(drawn.matrix.astype(np.float64) * people, part.noise, scale * people)

    @property
    def d(self) -> int:
        """Columns."""
        return len(self.matrix)

    @property
    def tau(self) -> float:
        """Standard deviation of Gaussian noise on the diagonal, in people; NaN for other noise."""
        return self.unit if self.noise is ExactNoise.GAUSSIAN else nan

    @cached_property
    def _eigen(self) -> tuple[Array, Array]:
        values, vectors = np.linalg.eigh(self.matrix)
        values, vectors = values[::-1], vectors[:, ::-1]
        largest = np.abs(vectors).argmax(axis=0)
        signs = np.where(vectors[largest, np.arange(self.d)] < 0, -1.0, 1.0)
        return values, vectors * signs

    @property
    def eigenvalues(self) -> Array:
        """Eigenvalues of S̃ (d,) as released, largest first."""
        return self._eigen[0]

    def directions(self, k: int) -> Array:
        """Return the top k eigenvectors (d, k); the entry of largest size is positive in each."""
        return self._eigen[1][:, :k]

    @property
    def noise_edge(self) -> float:
        """What the largest eigenvalue of noise alone stays below with 97.5 % confidence."""
        return self.unit * top_sum_quantile(self.noise, self.d, 1, (1 + INTERVAL_LEVEL) / 2)

    @cached_property
    def spectrum(self) -> Spectrum:
        """Eigenvalues with intervals; an interval each only for Gaussian noise."""
        values = self.eigenvalues
        band = self.unit * norm_quantile(self.noise, self.d, INTERVAL_LEVEL)
        none = np.full(self.d, nan)
        if self.noise is not ExactNoise.GAUSSIAN:
            return Spectrum(values, none, none, band)
        shift, square = self._perturbation()
        known = (square <= _MOST_CORRECTION) & (values > self.noise_edge)
        centre = np.where(known, values - shift, values)
        half = np.where(known, NORMAL_POINT * self.tau * np.sqrt(1 + square), nan)
        return Spectrum(centre, np.maximum(centre - half, 0), np.maximum(centre + half, 0), band)

    def _perturbation(self) -> tuple[Array, Array]:
        """First-order shift of each eigenvalue (d,), and Σ (s/gap)² over the others (d,)."""
        values, variance = self.eigenvalues, self.tau**2 / 2
        gaps = values[:, None] - values
        np.fill_diagonal(gaps, inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            shift = variance * (1 / gaps).sum(axis=1)
            return shift, variance * (1 / gaps**2).sum(axis=1)

    def held(self, k: int) -> Interval:
        """What the k directions hold of the exact matrix, tr V̂ᵀSV̂, in people."""
        return self._held(k, INTERVAL_LEVEL)

    def _held(self, k: int, level: float) -> Interval:
        value = float(self.eigenvalues[:k].sum())
        side = (1 + level) / 2
        below = self.unit * top_sum_quantile(self.noise, self.d, k, side)
        # tr V̂ᵀS̃V̂ ≥ tr VᵀS̃V at the exact V; what noise adds there is normal where noise is Gaussian,
        # else at least minus the top k eigenvalues of −E, whose law is that of E.
        above = below
        if self.noise is ExactNoise.GAUSSIAN:
            above = (NORMAL_POINT if level == INTERVAL_LEVEL else _WIDER_POINT) * sqrt(k) * self.tau
        return Interval(value, max(0.0, value - below), value + above)

    def all_variation(self) -> Interval:
        """The trace of the exact matrix in people; NaN ends for noise that is not Gaussian."""
        return self._all(NORMAL_POINT)

    def _all(self, point: float) -> Interval:
        value = float(np.trace(self.matrix))
        half = point * sqrt(self.d) * self.tau
        return Interval(value, value - half, value + half)

    def explained(self, k: int) -> Interval | None:
        """The share of all variation that the k directions hold; None where it is not known.

        Both ends of the quotient hold with 97.5 % confidence each.
        """
        held, everything = self._held(k, (1 + INTERVAL_LEVEL) / 2), self._all(_WIDER_POINT)
        if not everything.low > 0:
            return None
        low, high = held.low / everything.high, held.high / everything.low
        return Interval(min(1.0, held.value / everything.value), low, min(1.0, high))

    def angle_certain(self, k: int) -> float | None:
        """sin of the largest angle to the exact directions, at most, with 95 % confidence.

        None where nothing is certain. Davis & Kahan 1970: e/(g − e), e the norm of the noise and
        g the released gap, as λ_{k+1} of the exact matrix is at most the released one plus e.
        """
        if k >= self.d:
            return 0.0
        gap, error = float(self.eigenvalues[k - 1] - self.eigenvalues[k]), self.spectrum.band
        return error / (gap - error) if gap > 2 * error else None

    def angle_expected(self, k: int) -> float | None:
        """Root mean square of ‖sin Θ‖_F to first order; None where it is too large to be trusted.

        For Gaussian noise.
        """
        if k >= self.d:
            return 0.0
        values = self.spectrum.values
        with np.errstate(divide="ignore"):
            square = float((1 / (values[:k, None] - values[None, k:]) ** 2).sum())
        sine = self.tau / sqrt(2) * sqrt(square)
        return sine if sine <= MOST_EXPECTED_SINE else None

    def loading_errors(self, k: int) -> Array:
        """Half-widths (d, k) of 95 % intervals of loadings; NaN for directions that have none.

        A direction has them where both neighbouring gaps are at least ``FAR_APART`` τ.
        """
        values, vectors = self.spectrum.values, self._eigen[1]
        gaps = values[:k, None] - values
        gaps[np.arange(k), np.arange(k)] = inf
        with np.errstate(divide="ignore", invalid="ignore"):
            weights = 1 / gaps**2
        half = NORMAL_POINT * self.tau / sqrt(2) * np.sqrt(vectors**2 @ weights.T)
        return np.where(self.stands_apart(k), half, nan)

    def stands_apart(self, k: int) -> np.ndarray:
        """Tell which of the top k directions (k,) are far enough from their neighbours.

        That is known for Gaussian noise alone: with other noise no direction is, wherever it lies.
        """
        if self.noise is not ExactNoise.GAUSSIAN:
            return np.zeros(k, dtype=bool)
        apart = np.append(-np.diff(self.eigenvalues), inf)
        before = np.append(inf, apart[:-1])
        if self.d == 1:
            return np.ones(k, dtype=bool)
        return np.asarray(np.minimum(apart, before)[:k] >= FAR_APART * self.tau)
