"""What exact releases keep, on people of the RAND experiment at ε = 0.1, k = 2. Seeds are fixed."""

from fractions import Fraction

import pytest

from benchmarks.release_utility import captured_shares
from dpca_core.mechanisms.exact_noise import ExactNoise
from tests.core.release.repeating_bits import repeating_bits


@pytest.mark.parametrize(
    ("noise", "share", "within"),
    [
        (ExactNoise.GAUSSIAN, 0.973, 0.003),
        (ExactNoise.WISHART_DIFFERENCE, 0.958, 0.004),
        (ExactNoise.LAPLACE, 0.61, 0.02),
    ],
)
def test_the_captured_share_is_that_of_the_ideal_mechanism(noise, share, within):
    # 200 releases: standard errors .0005, .0013 and .0066, so chance fails one seed in 500 at most.
    shares = captured_shares("rand", noise, Fraction(1, 10), 2, 200, repeating_bits(31))
    assert abs(shares.mean() - share) < within
