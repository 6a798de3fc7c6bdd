"""The spectrum of a sum of few rows: many columns, and far fewer rows."""

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import eigh_descending

COLUMNS_A_ROW = 8
"""Columns for each row from which on this takes a small part of the time of all eigenvectors."""


def eigh_of_few(rows: Array, weight: float) -> tuple[Array, Array]:
    """Eigenvalues (d,) from the largest down, and eigenvectors (d, d), of weight·XᵀX, X (N, d).

    For N < d. In an orthonormal basis that begins with the span of the rows only the first (N, N)
    block is not 0: no d columns are decomposed.
    """
    count = len(rows)
    basis, triangle = np.linalg.qr(rows.T, mode="complete")
    block = triangle[:count]
    values, turn = eigh_descending(weight * (block @ block.T))
    basis[:, :count] = basis[:, :count] @ turn
    spectrum = np.zeros(len(basis))
    spectrum[:count] = np.maximum(values, 0.0)
    return spectrum, basis
