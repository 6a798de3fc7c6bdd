"""How large a release's noise will be: a function of public settings, shown before any spending."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod, sqrt
from types import MappingProxyType

from dpca_core.analysis.recommendation import visible_gap
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.release.plan import Part, PartName, Plan
from dpca_core.text.privacy_numbers import right_guesses

_WISHART_EDGE = ((1 + sqrt(5)) / 2) ** 2.5
"""Spectral norm of G₁G₁ᵀ − G₂G₂ᵀ over d, for many columns (docs/difference-of-wisharts.md)."""


@dataclass(frozen=True)
class Preview:
    """Noise of a release, before it is drawn.

    Attributes
    ----------
    d, k
        Columns, and directions that are read off at first.
    diagonal, off_diagonal
        Standard deviations of entries of the matrix, in people: τ and τ/√2 for Gaussian noise.
    spectral_norm
        About how long the noise is in the direction in which it is longest, in people.
    smallest_gap
        Eigengap, in people, from which k directions turn by a sine of 0.3 at most, to first order.
    means
        Standard deviation of a sum of a column and of the number of rows, in rows; None where the
        means are not published.
    bin
        Standard deviation of a count of the histogram, in rows; None without one.
    bins
        How many counts there are.
    guess
        Chance that the best guess about one person is right, from even odds.
    factors
        By how much each part's noise is larger than if it had the whole budget.
    """

    d: int
    k: int
    diagonal: float
    off_diagonal: float
    spectral_norm: float
    smallest_gap: float
    means: float | None
    bin: float | None
    bins: int
    guess: float
    factors: Mapping[PartName, float]

    def lines(self) -> list[str]:
        """Return sentences for a terminal."""
        said = [
            f"Noise on the matrix: {self.diagonal:.3g} people on the diagonal, "
            f"{self.off_diagonal:.3g} off it, about {self.spectral_norm:.3g} in its longest "
            "direction.",
            f"The top {self.k} of {self.d} directions can be told from the others where "
            f"their variances differ by {self.smallest_gap:.3g} people or more.",
        ]
        if self.means is not None:
            said.append(f"Noise on each sum of a column: {self.means:.3g} rows.")
        if self.bin is not None:
            said.append(f"Noise on each of {self.bins} counts: {self.bin:.3g} rows.")
        if len(self.factors) > 1:
            said += [
                f"The {name.value}: {factor:.3g} times the noise that the whole budget would give."
                for name, factor in self.factors.items()
            ]
        said.append(
            "From even odds, a guess whether one person is in the data is right at most "
            f"{right_guesses(self.guess)} times in 100."
        )
        return said


def preview(plan: Plan) -> Preview:
    """Return what to expect of a plan: nothing of it is read from a table."""
    parts = {part.name: part for part in plan.parts}
    matrix = parts[PartName.MATRIX]
    diagonal, off_diagonal = _matrix_noise(plan, matrix)
    if matrix.noise is ExactNoise.WISHART_DIFFERENCE:
        norm = _WISHART_EDGE * plan.d * matrix.scales["s"] * float(matrix.grid_unit)
    else:
        norm = 2 * sqrt(plan.d) * off_diagonal
    gaussian = matrix.noise is ExactNoise.GAUSSIAN
    return Preview(
        d=plan.d,
        k=plan.k,
        diagonal=diagonal,
        off_diagonal=off_diagonal,
        spectral_norm=norm,
        smallest_gap=visible_gap(off_diagonal, plan.d, plan.k),
        means=_vector_noise(parts.get(PartName.MEANS)),
        bin=_vector_noise(parts.get(PartName.SCORES)),
        bins=0 if plan.scores is None else prod(plan.scores.bins),
        guess=plan.cost.guess_probability(),
        factors=MappingProxyType(
            {
                name: 1 / sqrt(part.share) if gaussian else 1 / float(part.share)
                for name, part in parts.items()
            }
        ),
    )


def _matrix_noise(plan: Plan, part: Part) -> tuple[float, float]:
    """Standard deviations of a diagonal and of an off-diagonal entry of the matrix, in people."""
    unit = float(part.grid_unit)
    if part.noise is ExactNoise.GAUSSIAN:
        return part.scales["b"] * unit, part.scales["a"] * unit
    (scale,) = part.scales.values()
    mechanism = MECHANISMS[plan.mechanism]
    assert isinstance(mechanism, NoiseOnS)
    on, off = mechanism.law.std(plan.d)
    return on * scale * unit, off * scale * unit


def _vector_noise(part: Part | None) -> float | None:
    """Standard deviation of an entry of means or counts, in rows."""
    if part is None:
        return None
    (scale,) = part.scales.values()
    law = 1.0 if part.noise is ExactNoise.GAUSSIAN else sqrt(2)
    return law * scale * float(part.grid_unit)
