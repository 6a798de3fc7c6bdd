"""Exact draws of symmetric matrices E with density proportional to e^(−‖E‖_*).

The eigenvectors are uniform, and the eigenvalues have density ∝ ∏|x_i − x_j|·e^(−Σ|x_i|): a
Pfaffian point process with a 2 × 2 kernel. They are drawn one after the other, each by its density
given those before, which is found on panels of the axis to rounding. Proof: docs/nuclear-norm.md.
"""

from functools import lru_cache
from math import acos, log, pi, sqrt
from typing import NamedTuple

import numpy as np
import scipy
from numpy.polynomial import chebyshev, legendre

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import gram, with_eigenvalues

MOST_NUCLEAR_COLUMNS = 100
"""Columns up to which a draw takes no more than about a sixth of a second."""
_REJECTED_UP_TO, _FEWEST_PROPOSALS = 6, 64
"""Columns up to which rejection is faster; and proposals of a round."""
_NODES = 24
"""Of each panel: more of them change nothing but rounding."""
_BEYOND, _NARROWEST, _WIDENING, _WIDEST = 70.0, 2.0, 0.25, 6.0
"""Panels end where the density is below 10⁻³¹; they are narrow near 0, where eigenvalues crowd."""
_AT, _WEIGHTS = legendre.leggauss(_NODES)
_SERIES = np.linalg.inv(chebyshev.chebvander(_AT, _NODES - 1))
_INTEGRAL = chebyshev.chebint(_SERIES, lbnd=-1)
"""From values at the nodes to Chebyshev coefficients, and to those of the integral from −1."""
_UP_TO = chebyshev.chebvander(_AT, _NODES) @ _INTEGRAL
"""From values at the nodes to integrals up to each node."""
_ORDERS = np.arange(_NODES + 1)


class _Process(NamedTuple):
    """The law of d eigenvalues at the nodes of P panels, by N functions: d, or d + 1 if d is odd.

    Of an odd d the last function stands for one more eigenvalue, which is at infinity.
    """

    starts: Array
    halves: Array
    """Half the width of each panel."""
    f: Array
    """(P, nodes, N) orthonormal polynomials times e^(−|x|)."""
    g: Array
    """(P, nodes, N) their integrals ½∫sign(x − y)·f(y) dy."""
    inverse: Array
    """(N, N) of ∫f·gᵀ: antisymmetric."""
    density: Array
    """(P, nodes) of all eigenvalues together: its integral is d."""


def _halfway(halves: Array, values: Array) -> Array:
    """½∫sign(x − y)·values(y) dy of functions (P, nodes, N)."""
    inside = halves[:, None, None] * (_UP_TO @ values)
    whole = halves[:, None] * (_WEIGHTS @ values)
    before = np.cumsum(whole, axis=0) - whole - whole.sum(axis=0) / 2
    return np.asarray(inside + before[:, None])


def _pairs(weights: Array, left: Array, right: Array) -> Array:
    """∫left·rightᵀ (N, N) of functions (P, nodes, N), the integral with weights (P, nodes)."""
    columns = left.shape[-1]
    weighted = (weights[..., None] * left).reshape(-1, columns)
    return np.asarray(weighted.T @ right.reshape(-1, columns))


@lru_cache(maxsize=16)
def _process(d: int) -> _Process:
    edges = [0.0]
    while edges[-1] < pi * d + _BEYOND:
        edges.append(edges[-1] + min(_NARROWEST + _WIDENING * edges[-1], _WIDEST))
    both = np.r_[-np.array(edges[:0:-1]), edges]
    starts, halves = both[:-1], np.diff(both) / 2
    x, weights = _nodes(starts, halves)
    f = np.zeros((*x.shape, d + d % 2))
    last, rest = np.zeros_like(x), np.exp(-np.abs(x))
    for j in range(d):  # three terms: the weight is even
        size = sqrt((weights * rest * rest).sum())
        f[..., j] = rest / size
        last, rest = f[..., j], x * f[..., j] - size * last
    g = _halfway(halves, f)
    g[..., d:] = 0.5
    product = _pairs(weights, f, g)
    product[d:] = -product[:, d:].T
    inverse = np.linalg.inv(product)
    density = -((f @ inverse) * g).sum(axis=2)
    return _Process(starts, halves, f, g, (inverse - inverse.T) / 2, density)


def _nodes(starts: Array, halves: Array) -> tuple[Array, Array]:
    """Nodes and weights (P, nodes) of integrals over x."""
    return starts[:, None] + halves[:, None] * (1 + _AT), halves[:, None] * _WEIGHTS


def _between(places: Array) -> Array:
    """From values at the nodes to those at other places (m,) of a panel, from −1 to 1."""
    return np.asarray(np.cos(np.arccos(places)[:, None] * _ORDERS[:-1]) @ _SERIES)


def eigenvalues(d: int, rng: np.random.Generator) -> tuple[Array, float]:
    """Draw d eigenvalues, in no order, and return ln of the density with which they were drawn."""
    law = _process(d)
    panels, functions = len(law.starts), len(law.inverse)

    def with_room(array: Array) -> Array:
        return np.concatenate([array, np.empty((d, *array.shape[1:]))])

    starts, halves, f, g = map(with_room, (law.starts, law.halves, law.f, law.g))
    density, sides = with_room(law.density), np.empty((panels + d, d))
    pairing = np.zeros((functions + d, functions + d))
    pairing[:functions, :functions] = -law.inverse
    drawn, log_density = np.empty(d), 0.0
    for j in range(d):
        n, m = panels + j, functions + j
        panel, place, mass = _drawn(halves[:n], density[:n], rng)
        drawn[j] = starts[panel] + halves[panel] * (1 + place)
        here = _between(np.array([place]))[0]
        log_density += log(here @ density[panel] / mass)

        # The kernel at x and here is (f(x), 0)·C and (g(x), sides)·C.
        functions_here = np.zeros((m, 2))
        functions_here[:functions, 0] = here @ f[panel]
        functions_here[:functions, 1] = here @ g[panel]
        functions_here[functions:, 1] = sides[panel, :j]
        c = np.zeros((m + 1, 2))
        c[:m] = pairing[:m, :m] @ functions_here
        c[m, 1] = -1
        own = functions_here[:, 0] @ c[:m, 1]
        pairing[: m + 1, : m + 1] -= (np.outer(c[:, 0], c[:, 1]) - np.outer(c[:, 1], c[:, 0])) / own

        # From here on the panel is two, since what is left has a kink here.
        left = _between((1 + place) / 2 * (1 + _AT) - 1)
        right = _between(place + (1 - place) / 2 * (1 + _AT))
        for values in (f, g, density):
            values[n], values[panel] = right @ values[panel], left @ values[panel]
        sides[n] = sides[panel]
        starts[n], halves[n] = drawn[j], halves[panel] * (1 - place) / 2
        halves[panel] *= (1 + place) / 2
        n += 1
        sides[:n, j] = np.copysign(0.5, starts[:n] + halves[:n] - drawn[j])
        first = f[:n] @ c[:functions]
        second = g[:n] @ c[:functions] + (sides[:n, : j + 1] @ c[functions:])[:, None]
        density[:n] -= (first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]) / own
    return drawn, log_density


def _drawn(halves: Array, density: Array, rng: np.random.Generator) -> tuple[int, float, float]:
    """Draw a panel, and a place in it from −1 to 1, by a density (P, nodes); also its whole mass.

    Again where rounding has the rank at an end of the panel, where nothing is left to look for.
    """
    masses = halves * (density @ _WEIGHTS)
    up_to = np.cumsum(masses)
    while True:
        rank = rng.random() * up_to[-1]
        panel = int(np.searchsorted(up_to, rank))
        part = halves[panel] * (_INTEGRAL @ density[panel])
        rank += masses[panel] - up_to[panel]
        if _excess(-1, part, rank) < 0 < _excess(1, part, rank):
            place = scipy.optimize.brentq(_excess, -1, 1, (part, rank), xtol=1e-15)
            return panel, place, float(up_to[-1])


def _excess(place: float, part: Array, rank: float) -> float:
    return float(part @ np.cos(_ORDERS * acos(place))) - rank


def nuclear_norm(d: int, rng: np.random.Generator, size: int) -> Array:
    """Draw independent symmetric matrices E (size, d, d) with density ∝ e^(−‖E‖_*)."""
    if d > _REJECTED_UP_TO:
        return with_eigenvalues(np.stack([eigenvalues(d, rng)[0] for _ in range(size)]), rng)
    kept = np.empty((0, d, d))
    while len(kept) < size:
        kept = np.concatenate([kept, _accepted(d, rng, max(size, _FEWEST_PROPOSALS))])
    return kept[:size]


def _accepted(d: int, rng: np.random.Generator, proposals: int) -> Array:
    """W₁ − W₂ of Wishart matrices of d + 1 degrees of freedom where W₁ is above its positive part.

    Three of four are kept at d = 2, one of fifty at d = 6.
    """
    first, second = gram(rng.standard_normal((2, proposals, d, d + 1)) * sqrt(0.5))
    values, vectors = np.linalg.eigh(first - second)
    positive = (vectors * np.maximum(values, 0)[:, None]) @ vectors.swapaxes(1, 2)
    return np.asarray((first - second)[np.linalg.eigvalsh(first - positive)[:, 0] >= 0])


@lru_cache(maxsize=64)
def unit_nuclear_std(d: int) -> tuple[float, float]:
    """Return the standard deviations of a diagonal and of an off-diagonal entry of E.

    From E‖E‖_F² and E(tr E)², which is the curvature at 0 of ln ∫e^(−‖E‖_* + θ·tr E) dE.
    """
    law = _process(d)
    x, weights = _nodes(law.starts, law.halves)
    frobenius = float((weights * x * x * law.density).sum())
    moved = x[..., None] * law.f
    once, twice = _pairs(weights, moved, law.g), _pairs(weights * x, moved, law.g)
    slope = law.inverse @ (once - once.T)
    both = _pairs(weights, moved, _halfway(law.halves, moved))
    curvature = law.inverse @ (twice - twice.T + 2 * both)
    trace = (np.trace(curvature) - np.trace(slope @ slope)) / 2
    diagonal = (trace + 2 * frobenius) / (d * (d + 2))
    beside = (frobenius - d * diagonal) / max(1, d * (d - 1))
    return sqrt(diagonal), sqrt(max(0.0, beside))
