"""How far one person can move the second-moment sum S and its eigengaps.

Rows have norm at most 1; S is in people. Proofs: docs/conventions.md.
"""

from math import sqrt

from dpca_core.privacy.budget import Adjacency

ADDED = Adjacency.ADD_OR_REMOVE_ONE


def frobenius(adjacency: Adjacency) -> float:
    """‖S − S'‖_F ≤ 1 (add or remove), √2 (replace)."""
    return 1.0 if adjacency is ADDED else sqrt(2)


def nuclear(adjacency: Adjacency) -> float:
    """‖S − S'‖_* ≤ 1 (add or remove), 2 (replace)."""
    return 1.0 if adjacency is ADDED else 2.0


def gap_change(adjacency: Adjacency) -> float:
    """Bound on the change of the eigengap λ_k − λ_{k+1}: 1 person (add or remove), 2 (replace)."""
    return 1.0 if adjacency is ADDED else 2.0


def gap_difference_change(adjacency: Adjacency) -> float:
    """Bound on the change of a difference of two eigengaps: 2 (add or remove), 3 (replace).

    Not twice that of a gap where a person is replaced: all eigenvalues together move by at most 2,
    and only the one that two neighbouring gaps share counts double. Proof: docs/choice-of-k.md.
    """
    return 2.0 if adjacency is ADDED else 3.0


def upper_triangle_l1(d: int, adjacency: Adjacency) -> float:
    """ℓ₁ change of the upper triangle of S: (d + 1)/2 at x = 1/√d; an upper bound on replacing."""
    if d == 1:
        return 1.0
    return (d + 1) / 2 if adjacency is ADDED else min(d / sqrt(2) + 1, sqrt(d * (d + 3) / 2))


def upper_triangle_l1_attained(d: int, adjacency: Adjacency) -> bool:
    """Whether some person moves the triangle that far: on adding, and up to d = 2 on replacing."""
    return adjacency is ADDED or d <= 2
