"""How often what is read off a released matrix holds: its exact matrix is known, noise drawn anew.

Noise is drawn as floats: its law is that of the release's own noise but for a rounding of half a
grid unit, 10⁻¹⁰ people.

    python -m benchmarks.release_intervals shares --mechanism wishart_difference --releases 400
    python -m benchmarks.release_intervals readings --mechanism gaussian --releases 1500
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpca_core.data.recipe import Number, Recipe
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_laws import ISOTROPIC, LAPLACE, WISHART_DIFFERENCE
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.plan import MATRIX, Plan
from dpca_core.release.reading import Reading
from dpca_core.release.shares import Interval
from sample_data import load_key

LAWS = {"gaussian": ISOTROPIC, "wishart_difference": WISHART_DIFFERENCE, "laplace": LAPLACE}
DELTA = Fraction(1, 10**6)
NORMAL = 1.96


@dataclass(frozen=True, eq=False)
class SharesFound:
    """How well it is said what directions hold: (k + 1,), for each and for all together.

    Attributes
    ----------
    deviation
        Standard deviation of the estimate over the releases.
    bias, error
        Mean of estimate − truth in such deviations, and its standard error.
    covered
        Releases whose interval holds the truth.
    width
        Mean width of the interval over that of a normal one, 3.92 deviations.
    """

    deviation: Array
    bias: Array
    error: Array
    covered: Array
    width: Array


@dataclass(frozen=True, eq=False)
class ReadingsFound:
    """Shares of releases; NaN where nothing was shown.

    Attributes
    ----------
    shown
        (k,) releases that show an interval of eigenvalue i.
    spectrum, naive
        (k,) of those, the ones that hold; and of all, the ones in which λ̃ᵢ ± 1.96 τ does.
    band, angle
        Whether all eigenvalues are in the band at once; whether the certain angle holds, of the
        releases that show one.
    directions
        (k,) releases that show loadings of direction i.
    loadings
        (k,) of those, entries whose interval holds.
    """

    shown: Array
    spectrum: Array
    naive: Array
    band: float
    angle: float
    directions: Array
    loadings: Array


def plan_of(d: int, mechanism: str, epsilon: Fraction, k: int) -> Plan:
    """Return a plan that spends its whole budget on the matrix of d numbers."""
    recipe = Recipe(tuple(Number(f"c{i}", 0.0, 1.0) for i in range(d)), bounds_are_public=True)
    return Plan(recipe, Adjacency.ADD_OR_REMOVE_ONE, epsilon, DELTA, mechanism, "", k=k)


def released(exact: Array, plan: Plan, times: int, rng: np.random.Generator) -> Iterator[Reading]:
    """Release a matrix (d, d), in people, so many times."""
    *_, scale = plan.scales[MATRIX].values()
    for _ in range(times):
        noise = scale * LAWS[plan.mechanism].draw(plan.d, rng, 1)[0]
        whole = np.rint(exact / float(plan.unit(MATRIX)) + noise).astype(np.int64)
        yield Reading(plan, {MATRIX: whole})


def shares_found(
    exact: Array, plan: Plan, times: int, rng: np.random.Generator
) -> tuple[SharesFound, SharesFound]:
    """Compare with the truth what the directions are said to hold: in people, and as shares."""
    people, shares, truth = list[list[Interval]](), list[list[Interval]](), list[Array]()
    for reading in released(exact, plan, times, rng):
        basis = reading.directions(plan.k)
        each = ((exact @ basis) * basis).sum(axis=0)
        truth.append(np.append(each, each.sum()))
        said = [*reading.shares.each, reading.shares.together]
        people.append([held.people for held in said])
        shares.append([held.share for held in said])
    exactly = np.array(truth)
    return _compared(people, exactly), _compared(shares, exactly / np.trace(exact))


def _compared(said: list[list[Interval]], truth: Array) -> SharesFound:
    """Compare intervals, k + 1 a release, with the truth (releases, k + 1)."""
    value, low, high = (
        np.array([[getattr(interval, end) for interval in row] for row in said])
        for end in ("value", "low", "high")
    )
    deviation, wrong = value.std(axis=0), value - truth
    return SharesFound(
        deviation,
        wrong.mean(axis=0) / deviation,
        wrong.std(axis=0) / deviation / np.sqrt(len(truth)),
        ((low <= truth) & (truth <= high)).mean(axis=0),
        (high - low).mean(axis=0) / (2 * NORMAL * deviation),
    )


def readings_found(exact: Array, plan: Plan, times: int, rng: np.random.Generator) -> ReadingsFound:
    """Compare spectrum, angle and loadings with those of the exact matrix."""
    values, vectors = (found[..., ::-1] for found in np.linalg.eigh(exact))
    rows = [_of_one(reading, values, vectors) for reading in released(exact, plan, times, rng)]
    shown, right, naive, seen, hits, whole = (np.array(part) for part in zip(*rows, strict=True))
    with np.errstate(invalid="ignore"):
        spectrum = (shown & right).sum(axis=0) / shown.sum(axis=0)
        loadings = hits.sum(axis=0) / seen.sum(axis=0)
    band, angle = (
        float(part[~np.isnan(part)].mean()) if not np.isnan(part).all() else np.nan
        for part in whole.T
    )
    return ReadingsFound(
        shown.mean(axis=0), spectrum, naive.mean(axis=0), band, angle, seen.mean(axis=0), loadings
    )


def _of_one(reading: Reading, values: Array, vectors: Array) -> tuple[np.ndarray, ...]:
    """Return what one release shows, and what of it holds."""
    k = reading.plan.k
    _, low, high = (found[:k] for found in reading.spectrum)
    right = (low <= values[:k]) & (values[:k] <= high)
    naive = np.abs(reading.eigenvalues[:k] - values[:k]) <= NORMAL * reading.tau
    basis, errors = reading.directions(k), reading.loading_errors(k)
    seen = ~np.isnan(errors).any(axis=0)
    signs = np.sign((basis * vectors[:, :k]).sum(axis=0))
    near = np.abs(basis - signs * vectors[:, :k]) <= errors
    turned = reading.angle_certain(k)
    sine = np.linalg.norm(vectors[:, k:].T @ basis, 2)
    whole = [
        bool((np.abs(reading.eigenvalues - values) <= reading.band).all()),
        np.nan if turned is None else bool(sine <= turned),
    ]
    return (
        ~np.isnan(low),
        right,
        naive,
        seen,
        near.mean(axis=0) * seen,
        np.array(whole, dtype=float),
    )


def survey() -> Array:
    """Make up rows (1,200, 34) of length 1: what one looks like who visits, answers and pays.

    Four habits lie behind 14 numbers, cut to −1 … 1, and behind four questions of five answers,
    coded 0 or 1 minus 1/5. Of all variation the top directions hold 11, 11, 10 and 8 %.
    """
    rng = np.random.default_rng(34)
    habits = rng.standard_normal((1200, 4))
    weights = np.kron(np.eye(4), np.full(4, 0.75))[:, :14]
    numbers = (habits @ weights + 0.7 * rng.standard_normal((1200, 14))) / 2
    parts = [np.clip(numbers, -1, 1)]
    for habit in habits.T:
        leaning = np.outer(habit, np.linspace(-1.5, 1.5, 5)) + rng.gumbel(size=(1200, 5))
        parts.append(np.eye(5)[leaning.argmax(axis=1)] - 1 / 5)
    rows = np.concatenate(parts, axis=1)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def power_law(d: int, people: int, power: float, rng: np.random.Generator) -> Array:
    """Return a matrix (d, d) of trace ``people`` whose eigenvalues fall as i^−power, as of images.

    In a random basis, because loadings depend on it.
    """
    values = np.arange(1, d + 1) ** -power
    basis = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return np.asarray((basis * (people * values / values.sum())) @ basis.T)


def print_shares(mechanism: str, releases: int, epsilons: list[Fraction]) -> None:
    """Print how well what four directions hold is said, on RAND and on a survey."""
    for name, rows in (("RAND", load_key("rand").rows), ("survey", survey())):
        for epsilon in epsilons:
            plan = plan_of(rows.shape[1], mechanism, epsilon, 4)
            found = shares_found(rows.T @ rows, plan, releases, np.random.default_rng(2026))
            print(f"{name}, {mechanism}, ε = {float(epsilon)}, {releases} releases")
            for what, compared in zip(("people", "share"), found, strict=True):
                for part, numbers in vars(compared).items():
                    print(f"  {what:6} {part:9} {numbers}", flush=True)


def print_readings(mechanism: str, releases: int, epsilons: list[Fraction]) -> None:
    """Print the coverage of spectrum, angle and loadings on RAND and on power laws."""
    rng, rows = np.random.default_rng(2026), load_key("rand").rows
    matrices = {
        f"RAND, n = {len(rows)}, d = {rows.shape[1]}": rows.T @ rows,
        "power 1, n = 60,000, d = 100": power_law(100, 60_000, 1.0, rng),
        "power 1.5, n = 60,000, d = 100": power_law(100, 60_000, 1.5, rng),
        "power 1, n = 60,000, d = 60": power_law(60, 60_000, 1.0, rng),
    }
    for name, exact in matrices.items():
        for epsilon in epsilons:
            count = releases if len(exact) < 50 else releases // 4
            found = readings_found(exact, plan_of(len(exact), mechanism, epsilon, 6), count, rng)
            print(f"{name}, {mechanism}, ε = {float(epsilon)}, {count} releases")
            for part, shares in vars(found).items():
                print(f"  {part:11} {shares}", flush=True)


def main() -> None:
    """Print a table for each set and budget."""
    tables = {"shares": print_shares, "readings": print_readings}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=tables)
    parser.add_argument("--mechanism", choices=LAWS, default="gaussian")
    parser.add_argument("--releases", type=int, default=400)
    parser.add_argument(
        "--epsilon",
        type=Fraction,
        nargs="+",
        default=[Fraction("0.1"), Fraction("0.3"), Fraction(1)],
    )
    chosen = parser.parse_args()
    np.set_printoptions(precision=3, suppress=True, linewidth=120)
    tables[chosen.table](chosen.mechanism, chosen.releases, chosen.epsilon)


if __name__ == "__main__":
    main()
