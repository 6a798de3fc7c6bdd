"""How S + σE turns the top of S along an axis: one E a trial serves all points.

Two solvers. Where the noise is small against the gap a fixed point finds the top for all σ at once;
else LAPACK does. Both work in single precision where the noise is far above its rounding: LAPACK is
backward stable, so its answer is exact for noise that differs from σE by a few roundings, and the
law of the numbers is right. ``docs/sweep-precision.md`` says how exact they are.
"""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import AnyFloats, Array
from dpca_core.linalg.eigh_top import eigh_top
from dpca_core.runtime.threads import processors, thread_pool

TIE = 1e-7
"""Share of the largest eigenvalue below which two at k are as good as equal."""
LEAST_NOISE, MOST_NOISE = 1_000, 1e30
"""Single precision serves for noise, entry by entry, from so many of its roundings of the spectrum
on, up to so many times the spectrum."""
SMALL_NOISE, ROUNDS, CLOSE = 0.45, 30, 1e-6
"""The fixed point is tried for noise of a norm up to so many gaps, for so many rounds, until it
changes by so little of itself."""
EIGENVALUE_ERROR = 1e-3
"""Error that eigenvalues may have, in units of the noise's entries over √d: a four-thousandth of
what lies between two of them. Ten times as much is too much for noise that is next to rank 1."""
SHARE_OF_COLUMNS = 0.35
"""For a larger share of directions all eigenvectors are as fast as the top."""
ENTRIES_AT_ONCE, SINGLE_THREAD_COST = 6_000_000, 2e7
"""Entries of matrices that are solved together; cubes of d, some ten milliseconds, below which one
thread is faster than several that wait for each other between calls of LAPACK."""


def tied(spectrum: Array, k: int) -> bool:
    """Tell whether the eigenvalues k and k + 1 of S are so near that either may be in the top k."""
    return k < len(spectrum) and bool(spectrum[k - 1] - spectrum[k] < TIE * spectrum[0])


def weights_along(
    spectrum: Array, ks: NDArray[Any], scales: Array, noises: Array, *, exact: bool = False
) -> Array:
    """Squared projections (T, G, d) of the tops of S + σE on the eigenvectors of S.

    Of S the spectrum (d,) is given, descending; k and σ ≥ 0 are (G,); E (T, d, d) is symmetric, in
    the eigenbasis of S. ``exact`` solves all by LAPACK in double precision: tests compare with it.
    """
    unit = float(np.abs(spectrum).max()) or 1.0
    trials, points, d = len(noises), len(scales), len(spectrum)
    out = np.empty((trials, points, d))

    def solve(block: slice, at: slice) -> None:
        axis = _Axis(spectrum / unit, ks[at], scales[at] / unit, noises[block])
        out[block, at] = axis.solved(exact)

    if trials * points * d**3 <= SINGLE_THREAD_COST:
        solve(slice(None), slice(None))
        return out
    # Few jobs, since many matrices are quicker together; two for each thread, so that none waits.
    some = -(-trials // (2 * processors()))
    parts = 1 if trials >= processors() else min(points, processors())
    blocks = [slice(t, t + some) for t in range(0, trials, some)]
    strides = [slice(g, None, parts) for g in range(parts)]
    with thread_pool() as pool:
        for job in [pool.submit(solve, *given) for given in product(blocks, strides)]:
            job.result()
    return out


class _Axis:
    """Some points of some trials; the spectrum's largest entry is 1."""

    def __init__(self, spectrum: Array, ks: NDArray[Any], scales: Array, noises: Array) -> None:
        self.ks, self.scales, self.noises = ks, scales, noises
        # A multiple of I turns nothing, and rounding is in proportion to what is left.
        self.spectrum = spectrum - spectrum.mean()
        # Where k = d nothing is beyond, and either solver will do.
        self.gaps = spectrum[ks - 1] - np.append(spectrum, spectrum[-1])[ks]
        self.entry = float(np.sqrt(np.square(noises).mean())) or 1.0
        self.weights = np.empty((len(noises), len(scales), len(spectrum)))
        self.missing = np.ones(self.weights.shape[:2], dtype=bool)

    def solved(self, exact: bool) -> Array:
        """Weights (T, G, d) by what is fast and exact enough, or by LAPACK in double precision."""
        if exact:
            self._solve(self.missing, np.float64)
            return self.weights
        noise = self.scales * self.entry
        rounding = np.finfo(np.float32).eps * np.abs(self.spectrum).max()
        near = noise * norm_bound(self.noises / self.entry) < SMALL_NOISE * self.gaps
        for k in map(int, np.unique(self.ks[near])):
            at = np.flatnonzero(near & (self.ks == k))
            rows, converged = fixed_point(self.spectrum, k, self.scales[at], self.noises)
            self.weights[:, at] = np.square(nearer_orthonormal(rows)).sum(axis=-2)
            self.missing[:, at] = ~converged
        single = (noise >= LEAST_NOISE * rounding) & (noise <= MOST_NOISE) & (self.gaps >= TIE)
        self._solve(self.missing & single, np.float32)
        self._solve(self.missing & ~single, np.float64)
        return self.weights

    def _solve(self, missing: NDArray[np.bool_], real: type) -> None:
        """Solve points (T, G) by LAPACK: one matrix for all k at a scale."""
        trials, points = np.nonzero(missing)
        if not len(trials):
            return
        d, k = len(self.spectrum), int(self.ks[points].max())
        few = k <= SHARE_OF_COLUMNS * d
        real = real if few else np.float64
        scales, which = np.unique(self.scales, return_inverse=True)
        asked, place = np.unique(trials * len(scales) + which[points], return_inverse=True)
        noises: AnyFloats = self.noises.astype(real, order="C")
        diagonal: AnyFloats = self.spectrum.astype(real)
        for start in range(0, len(asked), size := max(1, ENTRIES_AT_ONCE // d**2)):
            trial, scale = np.divmod(asked[start : start + size], len(scales))
            matrices = noises[trial]
            matrices *= scales[scale].astype(real)[:, None, None]
            matrices.reshape(len(trial), -1)[:, :: d + 1] += diagonal
            if few:
                errors = EIGENVALUE_ERROR * self.entry / np.sqrt(d) * scales[scale]
                rows = eigh_top(matrices, k, errors if real is np.float32 else None).rows
            else:
                rows = np.linalg.eigh(matrices)[1][..., : -k - 1 : -1].swapaxes(1, 2)
            squares = np.square(nearer_orthonormal(rows)).cumsum(axis=1)
            these = (place >= start) & (place < start + size)
            t, g = trials[these], points[these]
            self.weights[t, g] = squares[place[these] - start, self.ks[g] - 1]


def norm_bound(noises: Array) -> float:
    """(tr E⁸)^⅛, which no ‖E‖ of a stack exceeds: a quarter more than ‖E‖ for a hundred columns."""
    square = noises.astype(np.float32)
    square = square @ square
    return float(np.linalg.norm(square @ square, axis=(1, 2)).max() ** 0.25)


def fixed_point(
    spectrum: Array, k: int, scales: Array, noises: Array
) -> tuple[Array, NDArray[np.bool_]]:
    """Nearly orthonormal rows (T, G, k, d) that span the tops, and where they do (T, G).

    X = σ(E₁₂ + X·E₂₂ − (E₁₁ + X·E₂₁)·X)/(λᵢ − λⱼ) makes the span of rows [I X] invariant. While
    2σ‖E‖ is below the gap one invariant subspace has ‖X‖ < 1, and it is the top (Davis & Kahan
    1970, sin 2Θ).
    """
    trials, points, rest = len(noises), len(scales), len(spectrum) - k
    factor = (scales[:, None, None] / (spectrum[:k, None] - spectrum[k:])).astype(np.float32)
    noises = noises.astype(np.float32)
    x = np.zeros((trials, points, k, rest), np.float32)
    for _ in range(ROUNDS):
        z = (x.reshape(trials, -1, rest) @ noises[:, k:]).reshape(trials, points, k, -1)
        z += noises[:, None, :k]
        change = factor * (z[..., k:] - z[..., :k] @ x) - x
        x += change
        done = np.abs(change).max(axis=(2, 3)) <= CLOSE * np.abs(x).max(axis=(2, 3))
        if done.all():
            break
    x = x.astype(np.float64)
    left = np.linalg.inv(np.linalg.cholesky(np.eye(k) + x @ x.swapaxes(-1, -2)))
    return np.concatenate([left, left @ x], axis=-1), done


def nearer_orthonormal(rows: AnyFloats) -> Array:
    """Nearly orthonormal rows (…, k, d) after one Newton step, in double precision.

    Without it the error of captured variance would be two thousand times as large.
    """
    rows = rows.astype(np.float64)
    defect = rows @ rows.swapaxes(-1, -2) - np.eye(rows.shape[-2])
    return np.asarray(rows - 0.5 * (defect @ rows))
