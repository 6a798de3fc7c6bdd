"""Metrics of matrices that share no noise with others, in single precision with bounds."""

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.certificate import certified, frames_of
from dpca_core.linalg.noisy_stack import edges_of
from dpca_core.linalg.single_precision import SingleTop
from dpca_core.linalg.symmetric import top_basis
from dpca_core.linalg.upper_bound import UpperBound
from dpca_core.problem import Problem
from dpca_core.simulation.screen_bounds import judged
from dpca_core.simulation.screen_sizes import vectors


def published_weights(problem: Problem, matrices: Array) -> tuple[Array, Array]:
    """Squared projections (T, d) of the top k of noisy sums (T, d, d), and bounds (2, T) on errors.

    The bounds are on the captured share and on ‖sin Θ‖_F; 0 where double precision was used.
    """
    d, k = problem.d, problem.k
    count, weights, errors = (
        vectors(d, k),
        np.empty((len(matrices), d)),
        np.zeros((2, len(matrices))),
    )
    solver, flat = SingleTop(d, count), np.zeros(d)
    for t, matrix in enumerate(matrices):
        middle = np.trace(matrix) / d
        centred = matrix - middle * np.eye(d)
        np.copyto(solver.matrices[0], centred, casting="same_kind")
        top = solver.find()
        above = UpperBound(flat, centred).proved_along(
            np.ones(1), top.rows, top.values, edges_of(top)
        )
        frames = frames_of(top.rows, centred, problem.eigenvectors)
        found = certified(problem.spectrum, frames, k, above, ritz=count > k)
        bounds, exact = judged(found, problem.spectrum, k)
        weights[t], errors[:, t] = found.weights[0], bounds[:, 0]
        if not exact[0]:
            squares = np.square(problem.eigenvectors.T @ top_basis(matrix, k))
            weights[t], errors[:, t] = squares.sum(axis=-1), 0.0
    return weights, errors
