"""The law that is drawn where a rejection sampler divides by its envelope, and what it spends.

Amin et al. 2019, Algorithm 2, accepts a direction u from an angular central Gaussian with chance
∝ e^{−uᵀAu}·(uᵀΩu)^{d/2}; libraries divide by the last factor. What they draw has the density
∝ e^{−uᵀAu}·(uᵀΩu)^{−d} in place of e^{−uᵀAu}. Proof and sources: docs/library-samplers.md.
"""

from dataclasses import dataclass
from math import ceil, exp, log, pi

import numpy as np
import scipy

from dpca_core.audit.epsilon_bounds import clopper_pearson_lower, clopper_pearson_upper
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.roots import bisect

_NODES = 400
LEVEL = 0.95
"""Confidence of an attack."""


@dataclass(frozen=True)
class Sphere:
    """Quadrature for functions of (u₁², u₂², the rest) on the unit sphere of d ≥ 3 columns.

    Attributes
    ----------
    angles
        Between u and the first axis, (m,), up to 90°: in radians.
    squares
        (3, m, m), with another angle within what is left.
    weights
        (m, m) of the uniform law: their sum is 1.
    """

    d: int
    angles: Array
    squares: Array
    weights: Array

    @classmethod
    def of(cls, d: int) -> "Sphere":
        """Gauss–Legendre in both angles, of densities ∝ sin^{d−2} and sin^{d−3}."""
        nodes, weights = np.polynomial.legendre.leggauss(_NODES)
        angles = (nodes + 1) * pi / 4
        outer, inner = (weights * np.sin(angles) ** (d - power) for power in (2, 3))
        first, left = np.cos(angles) ** 2, np.sin(angles)[:, None] ** 2
        second = np.cos(angles) ** 2
        squares = [np.broadcast_to(first[:, None], (_NODES, _NODES)), left * second]
        squares.append(left * (1 - second))
        whole = np.outer(outer / outer.sum(), inner / inner.sum())
        return cls(d, angles, np.stack(squares), whole)

    def density(self, eigenvalues: Array, epsilon: float, *, divided: bool) -> Array:
        """Return the density (m, m) of a direction over the uniform one, at ε for it.

        ``eigenvalues`` (3,) of S in people: the third is that of all other axes.
        """
        costs = epsilon / 4 * (eigenvalues.max() - eigenvalues)
        cost = np.tensordot(costs, self.squares, 1)
        times = np.array([1, 1, self.d - 2])
        # Both libraries take the b at which fewest proposals are rejected.
        b = scipy.optimize.brentq(lambda b: (times / (b + 2 * costs)).sum() - 1, 0.5, self.d + 0.5)
        found = np.exp(-cost) * (1 + 2 * cost / b) ** (-self.d * divided)
        return np.asarray(found / (found * self.weights).sum())

    def of_angle(self, density: Array) -> Array:
        """Return the density (m,) of the angle to the first axis, a radian."""
        _, weights = np.polynomial.legendre.leggauss(_NODES)
        return np.asarray((density * self.weights).sum(axis=1) / (weights * pi / 4))

    def total_variation(self, eigenvalues: Array, epsilon: float) -> float:
        """Distance of the law that is drawn from the right one, from 0 to 1."""
        drawn, right = (self.density(eigenvalues, epsilon, divided=each) for each in (True, False))
        return float((np.abs(drawn - right) * self.weights).sum() / 2)


@dataclass(frozen=True)
class Spent:
    """What shows of the ε of one direction on two neighbouring data sets.

    Attributes
    ----------
    largest
        The largest ln of the ratio of both densities: no smaller ε holds.
    likely, unlikely
        Probabilities, on either data set, of the event that this ratio is above e^ε.
    delta
        The smallest δ with which ε holds for these two data sets, in this order.
    """

    epsilon: float
    largest: float
    likely: float
    unlikely: float
    delta: float

    @property
    def shown(self) -> float:
        """ln of the ratio of the probabilities of an event that has some."""
        return log(self.likely / self.unlikely)

    def draws(self) -> int:
        """Draws of each data set from which on an attack by this event is expected to convict."""

        def convicts(log_draws: float) -> bool:
            n = exp(log_draws)
            least = clopper_pearson_lower(n * self.likely, n, (1 + LEVEL) / 2)
            most = clopper_pearson_upper(n * self.unlikely, n, (1 + LEVEL) / 2)
            return bool(least > exp(self.epsilon) * most)

        return ceil(exp(bisect(convicts, 1.0, 30.0, absolute=1e-9)))


def spent(sphere: Sphere, before: Array, after: Array, epsilon: float, *, divided: bool) -> Spent:
    """Compare a direction's law on two data sets, of eigenvalues (3,) as ``density`` takes them."""
    one, other = (sphere.density(each, epsilon, divided=divided) for each in (before, after))
    loss = np.log(one / other)
    event = np.where(loss > epsilon, sphere.weights, 0.0)
    delta = (np.maximum(0, one - exp(epsilon) * other) * sphere.weights).sum()
    likely, unlikely = (float((density * event).sum()) for density in (one, other))
    return Spent(epsilon, float(loss.max()), likely, unlikely, float(delta))


def bounded_laplace_loss(epsilon: float) -> float:
    """What eigenvalues far above 0 spend of ε where their noise ends at 0, as diffprivlib's does.

    Its scale is 2/t with t + ln(2 − e^{−t}) = ε, so that ε holds at 0 as well: far above it two
    eigenvalues that move by 1 each spend t.
    """
    return bisect(lambda t: t + log(2 - exp(-t)) >= epsilon, 0.0, epsilon, relative=1e-12)
