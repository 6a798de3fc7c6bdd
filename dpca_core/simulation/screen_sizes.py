"""For which sizes single precision is faster on screens, and how many vectors it finds."""

from dpca_core.simulation.perturbation import SMALL_COLUMNS, Axis

FEWEST_COLUMNS, LARGEST_SHARE = 16, 0.3
"""Below so many columns, or where k is a larger share of them, double precision is as fast."""
FEW_OF_SMALL, FEW_OF_WIDE = 0.2, 0.1
"""Where k is a larger share of SMALL_COLUMNS or fewer, or of WIDE_COLUMNS or more, LAPACK alone in
double precision is as fast as in single precision with the proof that nothing is missing."""
LARGEST_NUMBER = 1e12
"""Of a spectrum, or a scale of noise, whose products surely do not overflow in single precision."""
WIDE_COLUMNS, MORE_VECTORS, MORE_SHARE = 200, 5, 8
"""From so many columns on that many vectors more are found, and one for so many wanted: gaps are
small in relation to rounding, and more vectors cost little."""
MORE_OF_FEWER = 18
"""Vectors more where those wanted alone are not exact enough, below WIDE_COLUMNS."""


def suits(axis: Axis) -> bool:
    """Tell whether single precision is faster at points of an axis, and holds their numbers."""
    k, largest = int(axis.ks[0]), max(axis.problem.spectrum[0], axis.scales.max())
    return (
        suits_size(axis.problem.d, k) and bool((axis.ks == k).all()) and largest <= LARGEST_NUMBER
    )


def suits_size(d: int, k: int) -> bool:
    """Tell the same of d and k."""
    return d >= FEWEST_COLUMNS and k <= d * LARGEST_SHARE


def are_few(d: int, k: int) -> bool:
    """Tell whether k vectors of d are found faster in single precision."""
    share = FEW_OF_SMALL if d <= SMALL_COLUMNS else FEW_OF_WIDE if d >= WIDE_COLUMNS else 1
    return k <= d * share


def vectors(d: int, k: int) -> int:
    """Vectors to find for k."""
    return min(k + (MORE_VECTORS + k // MORE_SHARE if d >= WIDE_COLUMNS else 0), d - 1)


def more_vectors(d: int, k: int) -> int:
    """Vectors to find for k where ``vectors`` are not exact enough."""
    return min(k + MORE_OF_FEWER + k // 2, d - 1)
