"""How far one person can turn the top eigenvectors at a gap, and the smooth bound on that.

Rows have norm at most 1; gaps are in people. Proofs: docs/local-sensitivity.md.
"""

from math import asin, ceil, exp, sin, sqrt
from typing import NamedTuple

from dpca_core.privacy.budget import Adjacency
from dpca_core.privacy.sensitivity import gap_change


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
