"""What other ε would have meant for a release: read off the release itself, at no further cost.

To first order, noise of standard deviation s on S turns the top k directions by
s·√(Σ 1/(λᵢ − λⱼ)²) over i ≤ k < j; the released spectrum is put in place of λ. Noise of another ε
is proportional: to 1/μ for Gaussian noise, to 1/ε for pure noise.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import degrees, log10, sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.release.cost import planned_mu2
from dpca_core.release.plan import Plan

MOST_ANGLE = 0.35
"""Radians up to which the first order is close to the truth; beyond it nothing is said."""
_STEPS = 41
_ROUND = (1, 2, 5)


@dataclass(frozen=True, eq=False)
class OtherEpsilons:
    """Expected angle between released and true directions, at ε around the one that was spent.

    Attributes
    ----------
    epsilons, degrees
        (p,); NaN where the angle is too large for the first order.
    rows
        ε and angle in degrees at round values and at the ε spent, for a table; None where unknown.
    """

    epsilons: Array
    degrees: Array
    rows: tuple[tuple[float, float | None], ...]

    @property
    def round_values(self) -> tuple[float, ...]:
        """ε of the rows, but for the one spent where it is not round: ticks of an axis."""
        return tuple(e for e, _ in self.rows if float(f"{e:.0e}") == e)

    @property
    def known(self) -> bool:
        """Whether anything can be said."""
        return bool(np.isfinite(self.degrees).any())


def other_epsilons(plan: Plan, eigenvalues: Array, noise: float) -> OtherEpsilons:
    """Return the expected angle from a tenth to ten times the ε that was spent.

    Parameters
    ----------
    eigenvalues
        Released (d,), descending, in people.
    noise
        Standard deviation s of an off-diagonal entry of the released matrix, in people.
    """
    spent = float(plan.epsilon)
    epsilons = spent * 10.0 ** np.linspace(-1, 1, _STEPS)
    angle = expected_angle(eigenvalues, plan.k, noise)
    found = np.array([angle * _relative_noise(plan, e) for e in epsilons])
    shown = np.where(found <= MOST_ANGLE, np.degrees(found), np.nan)
    rows = []
    for epsilon in sorted({spent, *_round_values(spent)}):
        turned = angle * _relative_noise(plan, epsilon)
        rows.append((epsilon, degrees(turned) if turned <= MOST_ANGLE else None))
    return OtherEpsilons(epsilons, shown, tuple(rows))


def expected_angle(eigenvalues: Array, k: int, noise: float) -> float:
    """Return the first-order angle of the top k directions, in radians; ∞ without a gap."""
    gaps = eigenvalues[:k, None] - eigenvalues[None, k:]
    if (gaps <= 0).any():
        return float("inf")
    return noise * float(np.sqrt((1 / gaps**2).sum()))


def _relative_noise(plan: Plan, epsilon: float) -> float:
    """Noise at another ε, relative to that of the plan."""
    if plan.noise is not ExactNoise.GAUSSIAN:
        return float(plan.epsilon) / epsilon
    other = planned_mu2(Fraction(epsilon), plan.delta)
    return sqrt(planned_mu2(plan.epsilon, plan.delta) / other)


def _round_values(spent: float) -> list[float]:
    """Return 1-2-5 values from a tenth to ten times an ε."""
    low, high = spent / 10, spent * 10
    decades = range(int(np.floor(log10(low))), int(np.ceil(log10(high))) + 1)
    found = [float(f"{step}e{decade}") for decade in decades for step in _ROUND]
    return [e for e in found if low * (1 - 1e-9) <= e <= high * (1 + 1e-9)]
