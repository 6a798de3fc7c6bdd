"""Symmetric matrices and accuracies that the tests of sparse PCA share."""

import numpy as np

from dpca_core.simulation.wang_xu import (
    sparse_design,
)


def symmetric(d, seed, scale=1.0):
    square = np.random.default_rng(seed).standard_normal((d, d)) * scale
    return (square + square.T) / 2


def spiked(d=30, k=3, columns=8, seed=0):
    drawn = sparse_design(4000, d, k, columns, strength=4, seed=seed)
    return drawn.rows.T @ drawn.rows / len(drawn.rows), drawn
