"""What noise costs, and what it leaves, once more: slow integrals and fine grids."""

from fractions import Fraction
from math import exp, log, log1p, pi, sqrt

import mpmath as mp
import numpy as np
from scipy.integrate import quad
from scipy.stats import beta, chi, norm, t

DIGITS, FALL = 30, 50


@mp.workdps(60)
def gaussian_delta(mu2, epsilon):
    """Balle & Wang 2018, Theorem 8, to 60 digits, at μ² = (Δ/σ)²."""
    mu2, e = (mp.mpf(of.numerator) / of.denominator for of in map(Fraction, (mu2, epsilon)))
    mu = mp.sqrt(mu2)
    return mp.ncdf(mu / 2 - e / mu) - mp.exp(e) * mp.ncdf(-mu / 2 - e / mu)


@mp.workdps(DIGITS)
def wishart_delta(epsilon, freedom, scale):
    """The larger δ of the output without the person and with: ∫ f(q)·(1 − e^{ε − L(q)})₊ dq.

    Over q itself, by Gauss and Legendre, for ν so large that f is nearly normal: the integral ends
    where f has fallen by e^−50.
    """
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


@mp.workdps(DIGITS)
def wishart_delta_of_few(epsilon, freedom, scale):
    """The same at few degrees of freedom: differences of incomplete gamma functions."""
    e, nu, s = mp.mpf(epsilon), mp.mpf(freedom), mp.mpf(scale)
    m, half = (nu - 2) / 2, 1 / (2 * s)

    def below(q):
        return mp.gammainc(nu / 2, 0, max(q, 0) / 2, regularized=True)

    edge = 1 / (s * (1 - mp.exp(-(e + half) / m))) if m else 1 / s
    without = below(edge) - mp.exp(e) * below(edge - 1 / s)
    if e >= half:
        return without
    edge = 1 / (s * mp.expm1((half - e) / m)) if m else mp.mpf(0)
    return max(without, 1 - below(edge) - mp.exp(e) * (1 - below(edge + 1 / s)))


def matrix_t_delta(epsilon, d, q, c):
    """The double integral as differences of distribution functions, over B's ranks."""
    law, shrink = t(2 * q - 1), beta(2 * q - 1 - (d - 1) / 2, (d - 1) / 2)
    kappa, root = np.expm1(epsilon / q), np.sqrt(2 * q - 1)

    def inner(rank):
        a = shrink.ppf(rank) / c
        inside = a * a * (1 + kappa) - kappa**2
        if inside <= 0:
            return 0.0
        low, high = (a - np.sqrt(inside)) / kappa, (a + np.sqrt(inside)) / kappa
        gone = law.sf(low * root) - law.sf(high * root)
        return gone - np.exp(epsilon) * (law.sf((low + a) * root) - law.sf((high + a) * root))

    return quad(inner, 0, 1, limit=400, epsabs=1e-10)[0]


def scaled_gaussian_delta(shift, ratio, epsilon, m, coarse=1):
    """Divergence at e^ε of N(0, I_m) from N(shift·e₁, ratio²·I_m).

    One coordinate along the shift, the norm of the m − 1 others, on a grid.
    """
    x = np.linspace(-9, 9, 1200 // coarse + 1)[:, None]
    p, q = norm.pdf(x), norm.pdf(x, shift, ratio)
    rest = np.linspace(max(0.0, sqrt(m - 1) - 9), sqrt(m - 1) + 9, 900 // coarse + 1)[None, :]
    p, q = p * chi.pdf(rest, m - 1), q * chi.pdf(rest, m - 1, scale=ratio)
    inner = np.trapezoid(np.maximum(p - exp(epsilon) * q, 0), rest[0], axis=1)
    return float(np.trapezoid(inner, x[:, 0]))


def mod_sulq_noise(d, epsilon):
    """β·n at δ = 0.01: Chaudhuri et al. 2013, eq. (5)."""
    tail = 2 * log((d * d + d) / (2 * sqrt(2 * pi) * 0.01))
    return (d + 1) / epsilon * sqrt(tail) + 1 / sqrt(epsilon)


def mod_sulq_correlation_by_search(d, beta):
    """Their eq. (21) on a fine grid of x = ln 8K, from which φ² = 1 − e^{−2x/(d − 1)}."""
    knows = 1 / beta**2
    lowest = max(-(d - 1) / 2 * log1p(-1 / (2 * pi * d)), log(8 * d), knows + log(16))
    x = lowest + np.exp(np.linspace(-12, 16, 30_000))
    phi_squared = -np.expm1(-2 * x / (d - 1))
    room = np.exp(-2 * x / (d - 1)) / (1 + np.sqrt(phi_squared))
    return (1 - room / 4 * (1 - (knows + log(2)) / (x - log(8))) ** 2).min()
