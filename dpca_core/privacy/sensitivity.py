"""How far one person can move the second-moment sum S and its top eigenvectors.

Rows have norm at most 1; S is in people. Proofs: docs/conventions.md, docs/local-sensitivity.md.
"""

from math import asin, ceil, exp, sin, sqrt
from typing import NamedTuple

from dpca_core.privacy.budget import Adjacency


def _choose(adjacency: Adjacency, add_or_remove: float, replace: float) -> float:
    return add_or_remove if adjacency is Adjacency.ADD_OR_REMOVE_ONE else replace


def frobenius(adjacency: Adjacency) -> float:
    """‖S − S'‖_F ≤ 1 (add or remove), √2 (replace)."""
    return _choose(adjacency, 1.0, sqrt(2))


def nuclear(adjacency: Adjacency) -> float:
    """‖S − S'‖_* ≤ 1 (add or remove), 2 (replace)."""
    return _choose(adjacency, 1.0, 2.0)


def gap_change(adjacency: Adjacency) -> float:
    """Bound on the change of the eigengap λ_k − λ_{k+1}: 1 person (add or remove), 2 (replace)."""
    return _choose(adjacency, 1.0, 2.0)


def gap_difference_change(adjacency: Adjacency) -> float:
    """Bound on the change of a difference of two eigengaps: 2 (add or remove), 3 (replace).

    Not twice that of a gap where a person is replaced: all eigenvalues together move by at most 2,
    and only the one that two neighbouring gaps share counts double. Proof: docs/choice-of-k.md.
    """
    return _choose(adjacency, 2.0, 3.0)


def upper_triangle_l1(d: int, adjacency: Adjacency) -> float:
    """ℓ₁ change of the upper triangle of S: (d + 1)/2 at x = 1/√d; an upper bound on replacing."""
    if d == 1:
        return 1.0
    return _choose(adjacency, (d + 1) / 2, min(d / sqrt(2) + 1, sqrt(d * (d + 3) / 2)))


def upper_triangle_l1_attained(d: int, adjacency: Adjacency) -> bool:
    """Whether some person moves the triangle that far: on adding, and up to d = 2 on replacing."""
    return adjacency is Adjacency.ADD_OR_REMOVE_ONE or d <= 2


def basis_diameter(d: int, k: int) -> float:
    """Min over rotations R of ‖V − V'R‖_F for any two (d, k) bases: at most √(2·min(k, d − k))."""
    return sqrt(2 * min(k, d - k))


def local_sensitivity(gap: float, d: int, k: int, adjacency: Adjacency) -> float:
    """How far the top-k basis can turn when one person changes.

    LS(g) = 2·sin(¼·arcsin(1/g)) = max min_R ‖V_k − V_k'R‖_F at g = λ_k − λ_{k+1} > 1, in people
    (add or remove); with g/2 for replace. At smaller gaps √(2·min(k, d − k)), an upper bound. Own
    result, docs/local-sensitivity.md, for the constant that Gonen & Gilad-Bachrach 2018 leave open.
    """
    steps = gap / gap_change(adjacency)
    return 2 * sin(asin(1 / steps) / 4) if steps > 1 else basis_diameter(d, k)


class SmoothBound(NamedTuple):
    """A β-smooth upper bound on the local sensitivity, and the j that attains it."""

    bound: float
    people: int


def smooth_sensitivity(
    gap: float, d: int, k: int, beta: float, adjacency: Adjacency
) -> SmoothBound:
    """U = max_j e^{−βj}·LS(g − j·Δ_g), j = 0, 1, …; constant time.

    Nissim, Raskhodnikova & Smith 2007, Definition 2.2; Gonen & Gilad-Bachrach 2018, eq. (6).
    """
    step = gap_change(adjacency)
    # log LS is convex: the largest term has j = 0, the last certain gap, or the first beyond it.
    last = max(0, ceil(gap / step) - 2)
    candidates = {0, last, last + 1}
    return max(
        SmoothBound(exp(-beta * j) * local_sensitivity(gap - j * step, d, k, adjacency), j)
        for j in candidates
    )
