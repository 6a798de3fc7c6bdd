"""What released tables say of the exact ones, and how surely: post-processing, at no cost.

Everything is computed from the released whole numbers and public settings. Formulas, proofs and
measured coverage: docs/release.md, "Reading a release". Intervals are at 95 %.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, inf, log, nan, sqrt
from typing import NamedTuple

import numpy as np
import scipy

from dpca_core.data.clipping import to_unit_range
from dpca_core.data.recipe import CategoryCoding
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_laws import LAPLACE, WISHART_DIFFERENCE
from dpca_core.release.grid import Whole
from dpca_core.release.plan import MATRIX, MEANS, SCORES, Plan
from dpca_core.release.shares import POINT, Held, Shares, held, tau
from dpca_core.runtime.cached_property import cached_property

LEVEL = 0.95
PURE_POINT = log(20) / sqrt(2)
"""Standard deviations within which 95 % of Laplace noise lie, and more of sums of such noise."""
FAR_APART = 8.0
"""Neighbouring eigenvalues whose gap is so many τ have directions with intervals of their own."""
MOST_CORRECTION = 0.5
"""Where (s/gap)² summed over the others is larger, first order says nothing about a value."""
MOST_EXPECTED_SINE = 0.2
"""About 12°: directions that are expected to turn further are not told apart. Those that only look
as if they stood apart are few up to here."""
LEAST_COUNT = 5.0
"""The released number of rows must be so many times its noise, or no mean is shown."""
MOST_SIMULATED = 200
"""Columns up to which eigenvalues of noise are simulated."""


class Apart(NamedTuple):
    """Directions ``first`` to ``last``, counted from 1, that noise leaves together.

    ``sine`` is that of the expected angle to the exact; None where they are not told from others.
    """

    first: int
    last: int
    sine: float | None


@dataclass(frozen=True, eq=False)
class Reading:
    """A release as its reader sees it.

    Tables are whole numbers as released: ``matrix`` (d, d), and where they are published ``means``
    (d + 1,), sums of the columns and the number of rows, and ``scores`` (b₁, b₂).
    """

    plan: Plan
    tables: Mapping[str, Whole]

    @property
    def tau(self) -> float:
        """τ of ``shares.tau``."""
        return tau(self.plan.mechanism, self.plan.scale, self.plan.d)

    @property
    def point(self) -> float:
        """Standard deviations within which 95 % of a sum of the noise lie, at least."""
        return POINT if self.plan.gaussian else PURE_POINT

    @cached_property
    def matrix(self) -> Array:
        """S̃ (d, d) in people."""
        return self.tables[MATRIX].astype(np.float64) * float(self.plan.unit(MATRIX))

    @cached_property
    def shares(self) -> Shares:
        """What the k directions hold of the exact matrix, corrected for the noise."""
        return held(self.plan.mechanism, self.plan.scale, self.eigenvalues, self.plan.k)

    @cached_property
    def each(self) -> tuple[Held, ...]:
        """The same of each of the d directions: those of ``shares``, and all behind them."""
        return held(self.plan.mechanism, self.plan.scale, self.eigenvalues, self.plan.d).each

    @cached_property
    def _eigen(self) -> tuple[Array, Array]:
        values, vectors = np.linalg.eigh(self.matrix)
        values, vectors = values[::-1], vectors[:, ::-1]
        largest = np.abs(vectors).argmax(axis=0)
        signs = np.where(vectors[largest, np.arange(self.plan.d)] < 0, -1.0, 1.0)
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
        return self.plan.scale * noise_quantile(self.plan.mechanism, self.plan.d, (1 + LEVEL) / 2)

    @property
    def band(self) -> float:
        """All eigenvalues at once are within this of the released ones; NaN where not known."""
        return self.plan.scale * noise_quantile(self.plan.mechanism, self.plan.d, LEVEL, both=True)

    @cached_property
    def exact_eigenvalues(self) -> Array:
        """About those of the exact matrix (d,): corrected where noise is known to push them."""
        values = self.eigenvalues
        gaps = values[:, None] - values
        np.fill_diagonal(gaps, inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            shift, square = (self.tau**2 / 2 * (1 / gaps**p).sum(axis=1) for p in (1, 2))
        known = (square <= MOST_CORRECTION) & (values > self.noise_edge)
        return np.where(known, values - shift, values)

    def angle_certain(self, k: int) -> float | None:
        """sin of the largest angle to the exact directions, at most; None where nothing is certain.

        Davis & Kahan 1970: e/(g − e), e the norm of the noise and g the released gap, as λ_{k+1} of
        the exact matrix is at most the released one plus e.
        """
        gap = float(self.eigenvalues[k - 1] - self.eigenvalues[k])
        return self.band / (gap - self.band) if gap > 2 * self.band else None

    def angle_expected(self, first: int, last: int) -> float | None:
        """‖sin Θ‖_F of some directions, to first order; None where they cannot be told apart."""
        values, inside = self.exact_eigenvalues, slice(first - 1, last)
        others = np.delete(values, inside)
        with np.errstate(divide="ignore"):
            square = float((1 / (values[inside, None] - others) ** 2).sum())
        sine = self.tau / sqrt(2) * sqrt(square)
        return None if self.may_be_noise(last) or sine > MOST_EXPECTED_SINE else sine

    def may_be_noise(self, number: int) -> bool:
        """Tell whether noise alone may reach as far as a direction, counted from 1, does."""
        return bool(self.eigenvalues[number - 1] <= self.noise_edge)

    def apart(self) -> list[Apart]:
        """Return the k directions in the smallest groups that noise lets a reader tell apart."""
        found, first = list[Apart](), 1
        for last in range(1, self.plan.k + 1):
            sine = self.angle_expected(first, last)
            if sine is not None or last == self.plan.k:
                found.append(Apart(first, last, sine))
                first = last + 1
        return found

    def loading_errors(self, k: int) -> Array:
        """Half-widths (d, k) of intervals of loadings; NaN where a gap beside is too small."""
        values, vectors = self.exact_eigenvalues, self._eigen[1]
        gaps = values[:k, None] - values
        gaps[np.arange(k), np.arange(k)] = inf
        with np.errstate(divide="ignore", invalid="ignore"):
            half = self.point * self.tau / sqrt(2) * np.sqrt(vectors**2 @ (1 / gaps**2).T)
        apart = np.concatenate([[inf], -np.diff(self.eigenvalues), [inf]])
        return np.where(np.minimum(apart[:-1], apart[1:])[:k] >= FAR_APART * self.tau, half, nan)

    def means(self) -> tuple[Array, Array]:
        """Return means (d,) in the columns' units, and half-widths of intervals (delta method).

        NaN where the number of rows is too noisy. A category's is the share of its rows; rows that
        were made of length 1 before have means without a unit.
        """
        *totals, count = self.tables[MEANS] * float(self.plan.unit(MEANS))
        noise = self.plan.noise(MEANS)
        if count < LEAST_COUNT * noise:
            return np.full(self.plan.d, nan), np.full(self.plan.d, nan)
        mean = np.array(totals) / count
        half = self.point * noise / count * np.sqrt(1 + mean**2)
        if self.plan.recipe.made_of_length_one:
            return mean, half
        at_zero, per_unit = self._units()
        return at_zero + per_unit * mean, np.abs(per_unit) * half

    def _units(self) -> tuple[Array, Array]:
        """What a mean of 0 is in a column's unit (d,), and what a mean of 1 is more than that."""
        recipe = self.plan.recipe
        p, scales = len(recipe.numbers), len(recipe.scales)
        at_zero, per_unit = np.zeros(self.plan.d), np.full(self.plan.d, recipe.bound)
        if recipe.ranged and p:
            low, high = recipe.ranges
            # The map from units to the scale is linear: two points of it tell all.
            ends = to_unit_range(np.stack([low, high]), low, high, recipe.typical).values
            slope = (high / 2 - low / 2) / (ends[1] / 2 - ends[0] / 2)
            at_zero[:p], per_unit[:p] = low - slope * ends[0], slope * recipe.bound
        if recipe.category_coding is CategoryCoding.CENTRED:
            sizes = [len(category.values) for category in recipe.categories]
            at_zero[p + scales :] = np.repeat([1 / size for size in sizes], sizes)
        return at_zero, per_unit

    def counts(self) -> tuple[Array, float]:
        """Return counts (b₁, b₂) of rows by two scores as released, and their deviation."""
        counts = self.tables[SCORES].astype(np.float64) * float(self.plan.unit(SCORES))
        return counts, self.plan.noise(SCORES)


@lru_cache(maxsize=64)
def noise_quantile(mechanism: str, d: int, level: float, *, both: bool = False) -> float:
    """Return what the largest eigenvalue of noise of scale 1 (d, d) exceeds with chance 1 − level.

    NaN for pure noise of more than ``MOST_SIMULATED`` columns, where Gaussian noise has a bound
    (docs/release.md). Else it is the upper confidence limit of a simulated quantile at 95 %, an
    order statistic, in three decimals: libraries whose last digits differ then write the same
    files. With ``both`` it is that of the norm, the larger of both ends.
    """
    if d > MOST_SIMULATED:
        ends = 2 if both else 1
        return sqrt(2 * d) + sqrt(2 * log(ends / (1 - level))) if mechanism == "gaussian" else nan
    spectra = _simulated(mechanism, d)
    values = np.maximum(spectra[:, 0], -spectra[:, -1]) if both else spectra[:, 0]
    rank = int(scipy.stats.binom.ppf(0.95, len(values), level))
    return ceil(float(np.sort(values)[min(rank, len(values) - 1)]) * 1000) / 1000


@lru_cache(maxsize=8)
def _simulated(mechanism: str, d: int) -> Array:
    """Return eigenvalues of noise of scale 1, largest first: (draws, d), from a public seed."""
    rng, draws = np.random.default_rng(20), int(np.clip(5e8 / d**3, 300, 2000))
    return np.array([_eigenvalues(mechanism, d, rng)[::-1] for _ in range(draws)])


def _eigenvalues(mechanism: str, d: int, rng: np.random.Generator) -> Array:
    """Return eigenvalues (d,) of one noise matrix, least first."""
    if mechanism == "gaussian":
        # The tridiagonal matrix of Dumitriu & Edelman 2002 has the same eigenvalues in law.
        beside = np.sqrt(rng.chisquare(np.arange(d - 1, 0, -1)) / 2)
        return np.asarray(scipy.linalg.eigvalsh_tridiagonal(rng.standard_normal(d), beside))
    law = WISHART_DIFFERENCE if mechanism == "wishart_difference" else LAPLACE
    return np.linalg.eigvalsh(law.draw(d, rng, 1)[0])
