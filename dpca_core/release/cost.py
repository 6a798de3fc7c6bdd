"""What a release costs, exactly: μ² of its Gaussian noise, and ε of its pure noise.

Costs add, μ² to μ² and ε to ε (Theorem 2 of docs/release.md).
"""

from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter, sqrt

from dpca_core.privacy.gaussian import gaussian_delta, gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.inference_risk import guess_probability
from dpca_core.release.exact_fractions import above, below

_MARGIN = 1 + 1e-12
"""δ is rounded up by more than the accounting errs."""
_GAUSSIAN_MARGIN = 1 + Fraction(1, 2**40)
"""Noise is this much larger than enough: rounding never puts a plan over its budget."""


@dataclass(frozen=True)
class Cost:
    """What releases cost.

    Attributes
    ----------
    mu2
        Sum of μ² = (sensitivity / standard deviation)² of Gaussian noise.
    pure
        Sum of ε of pure noise.
    """

    mu2: Fraction = Fraction(0)
    pure: Fraction = Fraction(0)

    def __add__(self, other: "Cost") -> "Cost":
        """Return what both cost together."""
        return Cost(self.mu2 + other.mu2, self.pure + other.pure)

    def __mul__(self, times: int) -> "Cost":
        """Return what so many of these cost together."""
        return Cost(self.mu2 * times, self.pure * times)

    __rmul__ = __mul__

    def delta(self, epsilon: Fraction | float) -> float:
        """Smallest δ that is known to hold at ε, rounded up; 1 where ε is below the pure part."""
        rest = Fraction(epsilon) - self.pure
        if rest < 0:
            return 1.0
        if self.mu2 == 0:
            return 0.0
        return min(1.0, gaussian_delta(self._sigma, below(rest), 1.0) * _MARGIN)

    def epsilon(self, delta: Fraction | float) -> float:
        """Smallest ε that is known to hold at δ, rounded up; ∞ for Gaussian noise at δ = 0."""
        pure = above(self.pure)
        if self.mu2 == 0:
            return pure
        return nextafter(pure + gaussian_epsilon(self._sigma, below(Fraction(delta)), 1.0), inf)

    def fits(self, epsilon: Fraction, delta: Fraction) -> bool:
        """Tell whether (ε, δ) holds: a comparison of fractions, on the private side."""
        if self.pure > epsilon:
            return False
        return self.mu2 == 0 or self.mu2 <= most_mu2(epsilon - self.pure, delta)

    def guess_probability(self) -> float:
        """Largest chance that a guess about one person is right from even odds, rounded up."""
        return min(1.0, guess_probability(above(self.pure), self.delta(self.pure)) * _MARGIN)

    @property
    def _sigma(self) -> float:
        """Noise per sensitivity, 1/μ, rounded down."""
        return nextafter(1 / nextafter(sqrt(above(self.mu2)), inf), 0.0)


def most_mu2(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return the largest μ² at which Gaussian noise is (ε, δ)-DP, rounded down; 0 at δ = 0."""
    if delta <= 0:
        return Fraction(0)
    return 1 / Fraction(gaussian_sigma(below(epsilon), below(delta), 1.0)) ** 2


def planned_mu2(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return the μ² that a plan of this budget divides: a little below ``most_mu2``."""
    return most_mu2(epsilon, delta) / _GAUSSIAN_MARGIN**2
