"""Gaussian noise on S up to a multiple of I; how far one person moves that: test_sensitivity.py."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.mechanisms.gaussian import Gaussian
from tests.core.mechanisms.every_mechanism import BOTH, REPLACE
from tests.core.sampling.laws import ERRORS

BARE, WHOLE = Gaussian(drop_trace=True), MECHANISMS["gaussian"]


@pytest.mark.chance(1e-8)
def test_it_publishes_no_trace_and_the_same_directions_as_with_it():
    rng = np.random.default_rng(1)
    moment = np.diag([30.0, 20.0, 9.0, 2.0])
    at, budget = Problem.from_moment(moment, 80, 2), Budget(0.5, 1e-5)
    bare = BARE.release(at, budget, np.random.default_rng(2), 50, keep="moment")
    np.testing.assert_allclose(np.trace(bare.moment, axis1=1, axis2=2), 0, atol=1e-9)
    # The trace of S is no part of what is published: adding a multiple of I changes nothing.
    more = Problem.from_moment(moment + 4 * np.eye(4), 80, 2)
    again = BARE.release(more, budget, np.random.default_rng(2), 50, keep="moment")
    np.testing.assert_allclose(again.moment, bare.moment, atol=1e-9)
    top = np.linalg.eigh(bare.moment)[1][..., :-3:-1]
    same = np.linalg.norm(top.swapaxes(1, 2) @ bare.bases, axis=(1, 2))
    np.testing.assert_allclose(same, sqrt(2), atol=1e-9)
    drawn = BARE.release(at, budget, rng, 4_000, keep="moment").moment[:, 0, 0]
    assert drawn.std() == pytest.approx(BARE.entry_noise(at, budget), rel=ERRORS / sqrt(8_000))


@BOTH
def test_the_guarantee_says_what_is_published(adjacency):
    at, budget = Problem.from_moment(np.diag([30.0, 9.0, 2.0]), 80, 1), Budget(0.5, 1e-5, adjacency)
    bare, whole = BARE.guarantee(at, budget), WHOLE.guarantee(at, budget)
    assert replace(bare, source=whole.source) == whole
    scales = [m.calibrate(at, budget).scale for m in (BARE, WHOLE)]
    if adjacency is REPLACE:
        # Nothing is gained, so the trace stays.
        assert (bare, scales[0]) == (whole, scales[1])
        return
    assert "S up to a multiple of I" in bare.source
    assert scales[0] == pytest.approx(sqrt(2 / 3) * scales[1], rel=1e-9)
