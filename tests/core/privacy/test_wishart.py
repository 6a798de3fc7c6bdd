"""One Wishart matrix: δ against 30 digits, and a calibration that never overspends.

The reference shares nothing with the program: it integrates over q itself, by Gauss and Legendre.
"""

from itertools import product
from math import exp, inf

import mpmath as mp
import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Problem
from dpca_core.privacy.wishart import (
    MOST_DEGREES_OF_FREEDOM,
    wishart_degrees_of_freedom,
    wishart_delta,
    wishart_epsilon,
)
from tests.cases import sampled
from tests.core.sampling.laws import ERRORS

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
DIGITS, FALL = 30, 50


def exact(epsilon, freedom, scale):
    """The larger δ of the output without the person and with: ∫ f(q)·(1 − e^{ε − L(q)})₊ dq.

    For ν so large that f is nearly normal: the integral ends where f has fallen by e^−50.
    """
    with mp.workdps(DIGITS):
        e, nu, s = mp.mpf(epsilon), mp.mpf(freedom), mp.mpf(scale)
        m, half, spread = (nu - 2) / 2, 1 / (2 * s), mp.sqrt(2 * nu)
        constant = nu / 2 * mp.log(2) + mp.loggamma(nu / 2)

        def over(edge, sign):
            """Below the edge, without the person: sign 1. Above it, with the person: −1."""

            def integrand(q):
                log_f = m * mp.log(q) - q / 2 - constant
                loss = sign * half + m * mp.log1p(-sign / (s * q))
                return mp.exp(log_f) - mp.exp(log_f + e + loss)

            far = sign * (nu - edge) / spread
            width = spread * (mp.sqrt(max(far, 0) ** 2 + 2 * FALL) - far) * (1 + (sign < 0))
            low, high = sorted((edge, edge - sign * width))
            assert low > 1 / s
            # mpmath's error is absolute: the integrand is made as large as 1.
            top = max(integrand(low + (high - low) * i / 20) for i in range(1, 20))
            ends = mp.linspace(low, high, 3)
            return top * mp.quad(lambda q: integrand(q) / top, ends, method="gauss-legendre")

        without = over(1 / (s * (1 - mp.exp(-(e + half) / m))), 1)
        if e >= half:
            return without
        return max(without, over(1 / (s * mp.expm1((half - e) / m)), -1))


@pytest.mark.parametrize(
    ("scale", "epsilon"),
    sampled(product((0.05, 1.0, 0.2), (0.1, 0.001, 0.02)), 2, "integrals in 30 digits"),
)
def test_the_calibrated_matrix_never_spends_more_than_delta(scale, epsilon):
    """Nor are its degrees of freedom more than 10⁻⁶ above the fewest, or one."""
    for exponent in range(7, 16, 4):
        delta = 10.0**-exponent
        freedom = wishart_degrees_of_freedom(epsilon, delta, scale, ADD)
        assert exact(epsilon, freedom, scale) <= delta
        assert exact(epsilon, freedom * (1 - 1e-6) - 1, scale) > delta


@pytest.mark.parametrize("freedom", [1e4, 1e7, 1e9, 1e12])
@pytest.mark.parametrize("scale", [0.05, 1.0])
def test_delta_has_ten_digits_in_both_directions(freedom, scale):
    with mp.workdps(DIGITS):
        for noise in (0.3, 2.0, 5.0):  # thresholds from the bulk to twenty deviations out
            epsilon = noise / (scale * (2 * freedom) ** 0.5)
            for found in (epsilon, 5 * epsilon):
                true = exact(found, freedom, scale)
                assert true <= wishart_delta(found, freedom, scale) <= true * (1 + 2e-10)


@pytest.mark.parametrize(
    ("freedom", "scale", "epsilon"),
    list(product((2, 2.5, 3, 7, 30), (0.05, 0.5, 20.0), (0.0, 0.1, 5.0))),
)
def test_delta_where_the_density_and_the_loss_have_corners(freedom, scale, epsilon):
    """Few degrees of freedom: the differences of incomplete gamma functions, in 30 digits."""
    with mp.workdps(DIGITS):
        e, nu, s = mp.mpf(epsilon), mp.mpf(freedom), mp.mpf(scale)
        m, half = (nu - 2) / 2, 1 / (2 * s)

        def below(q):
            return mp.gammainc(nu / 2, 0, max(q, 0) / 2, regularized=True)

        edge = 1 / (s * (1 - mp.exp(-(e + half) / m))) if m else 1 / s
        true = below(edge) - mp.exp(e) * below(edge - 1 / s)
        if e < half:
            edge = 1 / (s * mp.expm1((half - e) / m)) if m else mp.mpf(0)
            true = max(true, 1 - below(edge) - mp.exp(e) * (1 - below(edge + 1 / s)))
        found = wishart_delta(epsilon, freedom, scale)
        assert true * (1 - mp.mpf("1e-15")) <= found <= true * (1 + mp.mpf("2e-10"))


@pytest.mark.chance(1e-8)
def test_delta_by_drawing():
    """100,000 losses of W₃(7, I/2) without a record and with, by the density of the matrices."""
    d, p, s, epsilon, record = 3, 7, 0.5, 0.7, np.diag([1.0, 0, 0])
    frames = np.random.default_rng(4).standard_normal((100_000, d, p))
    w, spent = s * frames @ frames.swapaxes(1, 2), []

    def log_density(matrices):
        with np.errstate(invalid="ignore"):
            found = (p - d - 1) / 2 * np.linalg.slogdet(matrices)[1]
        inside = np.linalg.eigvalsh(matrices)[:, 0] > 0
        return np.where(inside, found - np.trace(matrices, axis1=1, axis2=2) / (2 * s), -inf)

    for other in (record, -record):
        loss = log_density(w) - log_density(w - other)
        spent.append(np.maximum(0.0, -np.expm1(epsilon - loss)))
    worst = max(spent, key=np.mean)
    error = ERRORS * worst.std() / len(worst) ** 0.5
    assert wishart_delta(epsilon, p - d + 1, s) == pytest.approx(worst.mean(), abs=error)


@pytest.mark.parametrize("adjacency", Adjacency)
def test_calibration_and_true_epsilon_are_inverse(adjacency):
    settings = product((0.003, 0.1, 1.0, 4.0), (1e-3, 1e-6, 1e-12), (0.05, 1.0))
    for epsilon, delta, scale in settings:
        freedom = wishart_degrees_of_freedom(epsilon, delta, scale, adjacency)
        true = wishart_epsilon(delta, freedom, scale, adjacency)
        assert true <= epsilon * (1 + 1e-11)
        assert wishart_delta(true, freedom, scale, adjacency) <= delta
        assert wishart_delta(true * (1 - 1e-9), freedom, scale, adjacency) > delta
        if freedom > 2:
            assert wishart_epsilon(delta, freedom - 1, scale, adjacency) > epsilon


def test_the_ends_of_the_calibration():
    assert wishart_degrees_of_freedom(1.0, 0.5, 20.0, ADD) == 2
    assert wishart_degrees_of_freedom(1e-4, 1e-9, 0.05, ADD) is not None
    assert wishart_degrees_of_freedom(1e-6, 1e-9, 0.05, ADD) is None
    assert wishart_epsilon(0.5, 2, 20.0, ADD) == 0.0
    assert wishart_epsilon(1e-12, 2, 0.5, ADD) == inf  # an output may prove absence, at every ε
    assert wishart_delta(1e9, 10, 0.5) == wishart_delta(600.0, 10, 0.5) > 0
    assert wishart_delta(0.0, MOST_DEGREES_OF_FREEDOM, 20.0) < 1e-7
    assert wishart_delta(3.0, 2, 0.5) == pytest.approx(1 - exp(-1), rel=1e-15)


@pytest.mark.parametrize("epsilon", [1e-8, 1e-7])
def test_absurd_freedom_is_refused_in_a_sentence(epsilon):
    problem = Problem.from_moment(np.diag([3.0, 2.0, 1.0]), 10, 1)
    with pytest.raises(InfeasibleBudget, match="more than 10¹² degrees of freedom here: raise ε"):
        MECHANISMS["wishart_sheffet"].guarantee(problem, Budget(epsilon, 1e-6))
    assert 1e5 < MECHANISMS["wishart"].calibrate(problem, Budget(epsilon, 1e-6)).scale <= 1e6
