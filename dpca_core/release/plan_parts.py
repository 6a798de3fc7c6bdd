"""The tables of a release: the scale of the noise of each, a whole number, and what it costs.

From a share of the budget follows a scale, rounded up; from the scale follows the cost, exactly.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import isqrt

from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.privacy.budget import Adjacency
from dpca_core.release import table_sensitivities as moves
from dpca_core.release.cost import Cost
from dpca_core.release.exact_fractions import ceil_sqrt
from dpca_core.release.grid import GRID
from dpca_core.release.table_sensitivities import Sensitivity


class PartName(StrEnum):
    """The tables that a release may publish."""

    MEANS = "means"
    MATRIX = "matrix"
    SCORES = "scores"


@dataclass(frozen=True)
class Part:
    """One table of a release and its noise.

    Attributes
    ----------
    noise
        Its law.
    scales
        Whole numbers of grid units: ``a`` (and ``b`` on a matrix's diagonal) of Gaussian noise,
        ``s`` of a difference of Wisharts, ``w`` of discrete Laplace noise.
    share
        Of the budget: of μ² with Gaussian noise, of ε with pure noise.
    sensitivity
        What one person moves the table by, in grid units.
    cost
        Exact, from scales and sensitivity.
    grid_unit
        The weight of 1 in the table: people for the matrix, rows for means and scores.
    """

    name: PartName
    noise: ExactNoise
    scales: Mapping[str, int]
    share: Fraction
    sensitivity: Sensitivity
    cost: Cost
    grid_unit: Fraction


@dataclass(frozen=True)
class TableShape:
    """What the sensitivity of a table depends on.

    Attributes
    ----------
    rows
        m, rows a person may own.
    """

    d: int
    rows: int
    adjacency: Adjacency


def noise_of(name: PartName, mechanism: ExactNoise) -> ExactNoise:
    """Return the law of a part's noise: Wishart noise is for matrices, the rest gets Laplace's."""
    if name is PartName.MATRIX or mechanism is ExactNoise.GAUSSIAN:
        return mechanism
    return ExactNoise.LAPLACE


def scales_for(
    name: PartName, noise: ExactNoise, shape: TableShape, allowed: Fraction
) -> dict[str, int]:
    """Return the smallest whole scales that cost at most what is allowed.

    Parameters
    ----------
    allowed
        μ² of Gaussian noise, ε of pure noise; above 0.
    """
    bound = _sensitivity(name, noise, shape)
    if noise is ExactNoise.GAUSSIAN:
        # On a matrix the variances are a² off the diagonal and 2a² on it: μ² = Δ²/(2a²).
        halves = 2 if name is PartName.MATRIX else 1
        a = ceil_sqrt(Fraction(bound.squared) / (halves * allowed))
        return {"a": a, "b": isqrt(2 * a * a) + 1} if name is PartName.MATRIX else {"a": a}
    if noise is ExactNoise.WISHART_DIFFERENCE:
        return {"s": _ceil(Fraction(bound.whole) / (2 * allowed))}
    return {"w": _ceil(Fraction(bound.whole) / allowed)}


def part_of(
    name: PartName, noise: ExactNoise, shape: TableShape, share: Fraction, scales: Mapping[str, int]
) -> Part:
    """Return a part with its exact cost."""
    bound = _sensitivity(name, noise, shape)
    if noise is ExactNoise.GAUSSIAN:
        halves = 2 if name is PartName.MATRIX else 1
        cost = Cost(mu2=Fraction(bound.squared, halves * scales["a"] ** 2))
    elif noise is ExactNoise.WISHART_DIFFERENCE:
        cost = Cost(pure=Fraction(bound.whole, 2 * scales["s"]))
    else:
        cost = Cost(pure=Fraction(bound.whole, scales["w"]))
    unit = Fraction(1, shape.rows * GRID**2 if name is PartName.MATRIX else GRID)
    return Part(name, noise, scales, share, bound, cost, unit)


def scale_names(name: PartName, noise: ExactNoise) -> tuple[str, ...]:
    """Return which scales a part has."""
    if noise is ExactNoise.GAUSSIAN:
        return ("a", "b") if name is PartName.MATRIX else ("a",)
    return ("s",) if noise is ExactNoise.WISHART_DIFFERENCE else ("w",)


def _sensitivity(name: PartName, noise: ExactNoise, shape: TableShape) -> Sensitivity:
    """How far one person moves a table, in the norm that the noise's proof needs."""
    d, rows, adjacency = shape.d, shape.rows, shape.adjacency
    gaussian = noise is ExactNoise.GAUSSIAN
    if name is PartName.MEANS:
        if gaussian:
            return moves.means_euclidean(rows, adjacency)
        return moves.means_taxicab(d, rows, adjacency)
    if name is PartName.SCORES:
        kind = moves.counts_euclidean if gaussian else moves.counts_taxicab
        return kind(rows, adjacency)
    if gaussian:
        return moves.matrix_frobenius(rows, adjacency)
    if noise is ExactNoise.WISHART_DIFFERENCE:
        return moves.matrix_nuclear(rows, adjacency)
    return moves.triangle_taxicab(d, rows, adjacency)


def _ceil(value: Fraction) -> int:
    return -((-value) // 1)
