"""How far one person moves each table of whole numbers, exactly or rounded up (docs/release.md).

Rows y are whole with ‖y‖ ≤ M (``GRID``), and a person owns at most m. In grid units: T = Σ y yᵀ;
the sum of rows and M times their number; M times the counts of a histogram. All that is used of a
person's change is a norm of it, so m rows move a table m times as far as one.
"""

from dataclasses import dataclass
from enum import StrEnum

from dpca_core.privacy.budget import Adjacency
from dpca_core.release.exact_fractions import ceil_sqrt
from dpca_core.release.grid import GRID


class Norm(StrEnum):
    """In which norm the change of a table is bounded."""

    FROBENIUS = "Frobenius"
    NUCLEAR = "nuclear"
    EUCLIDEAN = "l2"
    TAXICAB = "l1"


@dataclass(frozen=True)
class Sensitivity:
    """A bound on what one person changes.

    Attributes
    ----------
    squared
        Its square, in grid units: Euclidean bounds are roots of whole numbers.
    """

    norm: Norm
    squared: int

    @property
    def whole(self) -> int:
        """The bound, rounded up to whole grid units."""
        return ceil_sqrt(self.squared)


def matrix_frobenius(rows: int, adjacency: Adjacency) -> Sensitivity:
    """Return m·M² (add or remove) or √2·m·M² (replace), rows = m."""
    return Sensitivity(Norm.FROBENIUS, (rows * GRID**2) ** 2 * _one_or_two(adjacency))


def matrix_nuclear(rows: int, adjacency: Adjacency) -> Sensitivity:
    """Return m·M² (add or remove) or 2m·M² (replace)."""
    return _whole(Norm.NUCLEAR, rows * GRID**2 * _one_or_two(adjacency))


def triangle_taxicab(d: int, rows: int, adjacency: Adjacency) -> Sensitivity:
    """Return the ℓ₁ change of the upper triangle of T with its diagonal, d columns.

    m·M²·(d + 1)/2 (add or remove), m·M²·min(d/√2 + 1, √(d(d+3)/2)) (replace), m·M² at d = 1.
    """
    one = rows * GRID**2
    if d == 1:
        return _whole(Norm.TAXICAB, one)
    if adjacency is Adjacency.ADD_OR_REMOVE_ONE:
        return _whole(Norm.TAXICAB, one * (d + 1) // 2)
    wide = ceil_sqrt(one**2 * d * (d + 3) // 2)
    return _whole(Norm.TAXICAB, min(ceil_sqrt(one**2 * d**2 // 2) + one, wide))


def means_euclidean(rows: int, adjacency: Adjacency) -> Sensitivity:
    """Return √2·m·M (add or remove) or 2m·M (replace), for the sum of rows and M times c."""
    return Sensitivity(Norm.EUCLIDEAN, 2 * (rows * GRID) ** 2 * _one_or_two(adjacency))


def means_taxicab(d: int, rows: int, adjacency: Adjacency) -> Sensitivity:
    """Return m·M·(√d + 1) (add or remove) or 2m·M·√d (replace)."""
    one = rows * GRID
    if adjacency is Adjacency.ADD_OR_REMOVE_ONE:
        return _whole(Norm.TAXICAB, ceil_sqrt(one**2 * d) + one)
    return _whole(Norm.TAXICAB, ceil_sqrt(4 * one**2 * d))


def counts_euclidean(rows: int, adjacency: Adjacency) -> Sensitivity:
    """Return m·M (add or remove) or √2·m·M (replace)."""
    return Sensitivity(Norm.EUCLIDEAN, (rows * GRID) ** 2 * _one_or_two(adjacency))


def counts_taxicab(rows: int, adjacency: Adjacency) -> Sensitivity:
    """Return m·M (add or remove) or 2m·M (replace)."""
    return _whole(Norm.TAXICAB, rows * GRID * _one_or_two(adjacency))


def _one_or_two(adjacency: Adjacency) -> int:
    return 1 if adjacency is Adjacency.ADD_OR_REMOVE_ONE else 2


def _whole(norm: Norm, bound: int) -> Sensitivity:
    return Sensitivity(norm, bound**2)
