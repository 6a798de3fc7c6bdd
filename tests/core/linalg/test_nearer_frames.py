"""Steps towards the top of a matrix, and what is proved for where they began."""

import numpy as np
import pytest

from dpca_core.linalg.certificate import Frames, frames_along, nearer_frames
from dpca_core.linalg.symmetric import symmetrized


@pytest.mark.parametrize("error", [0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.1, 1.0])
@pytest.mark.parametrize("m", [1, 6])
def test_what_is_proved_for_some_rows_holds_for_nearer_ones(m, error):
    """Against the largest eigenvalue off the rows; those may be far from the top, and led away."""
    d, scales = 30, np.array([0.01, 0.1, 1.0])
    rng = np.random.default_rng(5)
    for _ in range(10):
        values, noises = np.sort(rng.random(d))[::-1] * 10, symmetrized(rng.random((2, d, d)))
        matrices = (np.diag(values) + scales[:, None, None] * noises[:, None]).reshape(-1, d, d)
        theta, vectors = (part[..., ::-1] for part in np.linalg.eigh(matrices))
        rows = vectors.swapaxes(1, 2)[:, :m] + error * rng.standard_normal((len(matrices), m, d))
        rows = np.linalg.qr(rows.swapaxes(1, 2))[0].swapaxes(1, 2)
        above = largest_off(rows, matrices)
        first = frames_along(rows, values, noises, scales)
        # From above the top steps lead away from it.
        for middles in (theta[:, m:].mean(axis=1), theta[:, 0] * 1.2):
            nearer, shown = nearer_frames(first, values, noises, scales, middles, above)
            assert (shown >= largest_off(nearer.rows, matrices) - 1e-13 * values[0]).all()
        if error <= 1e-5:
            shown = nearer_frames(first, values, noises, scales, theta[:, m:].mean(axis=1), above)[
                1
            ]
            assert (shown - above <= values[0] * (1e3 * error**2 + 1e-8)).all()


@pytest.mark.parametrize("length", [0.0, 0.05, 0.5, 1.5, 3.0])
def test_rows_that_are_far_from_orthonormal_show_nothing(length):
    """Of short rows all that is computed is small, and the nearer ones look sound."""
    rng = np.random.default_rng(0)
    values, noises, scales = np.array([2.0, 1.0]), np.zeros((1, 2, 2)), np.ones(1)
    for _ in range(20):
        rows = rng.standard_normal((1, 1, 2))
        rows *= length / np.linalg.norm(rows)
        plain = rows @ np.diag(values)
        first = Frames(rows, plain, 2 * np.abs(1 - np.square(rows).sum(axis=(1, 2))))
        above = np.zeros(1) if length == 0 else largest_off(rows, np.diag(values)[None])
        _, shown = nearer_frames(first, values, noises, scales, rng.random(1), above)
        assert np.isinf(shown).all()


def largest_off(rows, matrices):
    """The largest eigenvalues of what matrices are off the span of rows, by plain eigh."""
    off = np.linalg.qr(rows.swapaxes(1, 2), mode="complete")[0][..., rows.shape[1] :]
    return np.linalg.eigvalsh(off.swapaxes(1, 2) @ matrices @ off)[:, -1]


def test_steps_of_the_power_method_make_residuals_smaller():
    d, m = 300, 20
    rng = np.random.default_rng(0)
    values, noises = np.linspace(5, 0, d), symmetrized(rng.standard_normal((2, d, d)))
    scales = np.array([1.0, 3.0])
    matrices = (np.diag(values) + scales[:, None, None] * noises[:, None]).reshape(-1, d, d)
    theta, vectors = (part[..., ::-1] for part in np.linalg.eigh(matrices))
    rows = (vectors.swapaxes(1, 2)[:, :m] + 1e-6 * rng.standard_normal((4, m, d))).astype(
        np.float32
    )
    middles = (theta[:, m] + theta[:, -1]) / 2
    sizes = []
    first = frames_along(rows, values, noises, scales)
    nearer, _ = nearer_frames(first, values, noises, scales, middles, theta[:, m])
    for v, image, _ in (first, nearer):
        sizes.append(np.linalg.norm(image - (v @ image.swapaxes(1, 2)) @ v, axis=(1, 2)))
    assert (sizes[1] < sizes[0] / 2).all()
