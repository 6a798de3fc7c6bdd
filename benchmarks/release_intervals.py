"""How often the intervals of a released matrix hold: its exact matrix is known, noise drawn anew.

Noise is drawn as floats: its law is that of the release's own noise but for a rounding of half a
grid unit, 10⁻¹⁰ people. Power laws stand for images: eigenvalues n·i^−s scaled to trace n, in a
random basis, because loadings depend on it.

    python -m benchmarks.release_intervals --releases 1500
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.release.cost import planned_mu2
from dpca_core.release.matrix_reading import Interval, MatrixReading
from sample_data import load_key

DELTA = Fraction(1, 10**6)
NORMAL = 1.96


@dataclass(frozen=True, eq=False)
class Coverage:
    """Shares of releases; NaN where nothing was shown.

    Attributes
    ----------
    shown
        (k,) releases that show an interval of eigenvalue i.
    spectrum, naive
        (k,) of those, the ones that hold; and of all, the ones in which λ̃ᵢ ± 1.96 τ does.
    band, held, explained, angle
        Whether all of it holds at once: eigenvalues in the band; what the k directions hold; their
        share; the certain angle, of the releases that show one.
    directions
        (k,) releases that show loadings of direction i.
    loadings
        (k,) of those, entries whose interval holds.
    """

    shown: Array
    spectrum: Array
    naive: Array
    band: float
    held: float
    explained: float
    angle: float
    directions: Array
    loadings: Array


def coverage(
    exact: Array,
    unit: float,
    k: int,
    releases: int,
    rng: np.random.Generator,
    noise: ExactNoise = ExactNoise.GAUSSIAN,
) -> Coverage:
    """Release a matrix (d, d), in people, so many times; count what holds.

    Parameters
    ----------
    unit
        Scale of the noise in people: τ where it is Gaussian.
    k
        Eigenvalues and directions that are counted.
    """
    values, vectors = (found[..., ::-1] for found in np.linalg.eigh(exact))
    rows = [
        _of_one(MatrixReading(exact + unit * drawn, noise, unit), exact, values, vectors, k)
        for drawn in unit_noise(noise, len(exact), releases, rng)
    ]
    shown, right, naive, seen, hits, whole = (np.array(part) for part in zip(*rows, strict=True))
    with np.errstate(invalid="ignore"):
        directions = seen.mean(axis=0)
        loadings = hits.sum(axis=0) / seen.sum(axis=0)
        spectrum = (shown & right).sum(axis=0) / shown.sum(axis=0)
    band, held, explained, angle = (
        float(part[~np.isnan(part)].mean()) if not np.isnan(part).all() else np.nan
        for part in whole.T
    )
    return Coverage(
        shown.mean(axis=0), spectrum, naive.mean(axis=0), band, held, explained, angle,
        directions, loadings,
    )  # fmt: skip


def _of_one(
    reading: MatrixReading, exact: Array, values: Array, vectors: Array, k: int
) -> tuple[np.ndarray, ...]:
    """Return what one release shows, and what of it holds."""
    found, basis = reading.spectrum, reading.directions(k)
    shown = ~np.isnan(found.low[:k])
    right = (found.low[:k] <= values[:k]) & (values[:k] <= found.high[:k])
    naive = np.abs(reading.eigenvalues[:k] - values[:k]) <= NORMAL * reading.unit
    seen = reading.stands_apart(k)
    signs = np.sign((basis * vectors[:, :k]).sum(axis=0))
    near = np.abs(basis - signs * vectors[:, :k]) <= reading.loading_errors(k)
    kept = float(np.trace(basis.T @ exact @ basis))
    share, turned = reading.explained(k), reading.angle_certain(k)
    sine = np.linalg.norm(vectors[:, k:].T @ basis, 2)
    whole = [
        bool((np.abs(reading.eigenvalues - values) <= found.band).all()),
        _holds(reading.held(k), kept),
        np.nan if share is None else _holds(share, kept / float(np.trace(exact))),
        np.nan if turned is None else bool(sine <= turned),
    ]
    return shown, right, naive, seen, near.mean(axis=0) * seen, np.array(whole, dtype=float)


def _holds(interval: Interval, value: float) -> bool:
    return interval.low <= value <= interval.high


def unit_noise(noise: ExactNoise, d: int, count: int, rng: np.random.Generator) -> Iterator[Array]:
    """Draw symmetric noise (d, d) of scale 1, in floats."""
    for _ in range(count):
        if noise is ExactNoise.WISHART_DIFFERENCE:
            g = rng.standard_normal((2, d, d + 1))
            yield g[0] @ g[0].T - g[1] @ g[1].T
        elif noise is ExactNoise.LAPLACE:
            upper = np.triu(rng.laplace(size=(d, d)))
            yield upper + np.triu(upper, 1).T
        else:
            g = rng.standard_normal((d, d))
            yield (g + g.T) / 2


def gaussian_unit(epsilon: Fraction) -> float:
    """Return τ in people, for add or remove and the whole budget: Δ/μ with Δ = 1."""
    return 1 / sqrt(planned_mu2(epsilon, DELTA))


def power_law(d: int, people: int, power: float, rng: np.random.Generator) -> Array:
    """Return a matrix (d, d) of trace ``people`` whose eigenvalues fall as i^−power."""
    values = np.arange(1, d + 1) ** -power
    basis = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return np.asarray((basis * (people * values / values.sum())) @ basis.T)


def main() -> None:
    """Print the coverage on RAND and on power laws."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--releases", type=int, default=1500)
    releases = parser.parse_args().releases
    rng = np.random.default_rng(2026)
    rows = load_key("rand").rows
    matrices = {
        f"RAND, n = {len(rows)}, d = {rows.shape[1]}": rows.T @ rows,
        "power 1, n = 60,000, d = 100": power_law(100, 60_000, 1.0, rng),
        "power 1.5, n = 60,000, d = 100": power_law(100, 60_000, 1.5, rng),
        "power 1, n = 60,000, d = 60": power_law(60, 60_000, 1.0, rng),
    }
    np.set_printoptions(precision=3, suppress=True, linewidth=120)
    for name, exact in matrices.items():
        for epsilon in (Fraction(1, 20), Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(2)):
            count = releases if len(exact) < 50 else releases // 4
            found = coverage(exact, gaussian_unit(epsilon), 6, count, rng)
            print(f"{name}, ε = {float(epsilon)}, {count} releases")
            for part, shares in vars(found).items():
                print(f"  {part:11} {shares}", flush=True)


if __name__ == "__main__":
    main()
