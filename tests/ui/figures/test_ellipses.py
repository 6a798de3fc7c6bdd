"""Ellipses as they are drawn, against the matrices that they stand for."""

import numpy as np
import pytest

from ui.figures.ellipses import ellipses_of, screen_angle


def test_the_ends_of_both_axes_lie_on_the_ellipse():
    rng = np.random.default_rng(0)
    frames = rng.standard_normal((20, 2, 3))
    matrices = frames @ frames.swapaxes(1, 2)
    for matrix, ellipse in zip(matrices, ellipses_of(matrices), strict=True):
        turn = -np.radians(ellipse.angle)
        along = np.array([np.cos(turn), np.sin(turn)])
        across = np.array([-along[1], along[0]])
        for end in (ellipse.long * along, ellipse.short * across):
            assert end @ np.linalg.solve(matrix, end) == pytest.approx(1, rel=1e-9)
        assert ellipse.long >= ellipse.short


def test_a_matrix_that_is_not_positive_is_drawn_flat():
    (flat,) = ellipses_of(np.diag([4.0, -1.0])[None])
    assert (flat.long, flat.short) == (2.0, 0.0)


def test_angles_turn_with_the_clock_as_screens_do():
    assert screen_angle(np.array([0.0, 1.0])) == pytest.approx(-90)
