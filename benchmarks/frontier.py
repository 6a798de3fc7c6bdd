"""What is kept at the same proved guarantee: the papers' mechanisms, rows of length 1, two looks.

    python -m benchmarks.frontier --store

writes ``ui/papers/measured.csv``, which ships; without ``--store`` the rows go to the screen.
``--data rand wine`` measures some sets anew and leaves the others as they are. Trial t has the same
randomness at every ε and k; the seed is 0. δ = 10⁻⁶, one person added or removed. Captured is a
share of what PCA of the rows in the public ball captures.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
from pandas import DataFrame, concat, read_csv

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.data.clipping import as_in_papers, to_ball, to_length_one
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.second_look import SecondLook
from dpca_core.metrics import without_noise
from dpca_core.sampling.nuclear_norm import MOST_NUCLEAR_COLUMNS
from dpca_core.simulation.trials import TrialDraws, run_trials
from papers.data import INSURANCE, DataMissingError, kddcup_rows, mnist, table_of
from sample_data import load_key

FILE = Path(__file__).resolve().parents[1] / "ui" / "papers" / "measured.csv"
EPSILONS, DELTA = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0), 1e-6
BOUNDED, UNIT = "at most R", "length 1"
DIRECTIONS = {
    "rand": (1, 2, 5, 10),
    "breast_cancer": (1, 2),
    "wine": (1, 2),
    "chaudhuri": (1, 2),
    "digits": (2, 10),
    "coil2000": (1, 2, 5, 10),
    "kdd": (2, 10),
    "mnist": (2, 10),
    "imtiaz": (2, 10),
    "rand_centred": (2, 10),
    "digits_centred": (2, 10),
    "coil2000_centred": (2, 10),
    "kdd_centred": (2, 10),
    "mnist_loose": (2, 10),
    "mnist_centred": (2, 10),
}
"""Preparations, and the k of each, in the order in which they are measured."""


def rows_of(name: str) -> Array:
    """Return the rows (n, d) of a set, of norm at most 1; DataMissingError without its file.

    Centred: less their mean, by their largest norm, a simulation, as both read the data.
    """
    if name.endswith("_centred"):
        return as_in_papers(rows_of(name.removesuffix("_centred")))
    match name:
        case "coil2000":
            return _coil()
        case "kdd":
            return np.asarray(kddcup_rows()[0])
        case "mnist" | "mnist_loose":
            return to_ball(mnist()[0] / 255.0, 10.0 if name == "mnist" else 28.0).values
        case "imtiaz":
            return _imtiaz()
        case _:
            return load_key(name).rows


def _coil() -> Array:
    """85 columns between the ends of their codes in the codebook, R = √85.

    Subtype 1 to 41, houses and main type 1 to 10, household and age 1 to 6; of the others, shares
    and contributions are 0 to 9 and numbers of policies 0 to 12.
    """
    values = table_of(INSURANCE).iloc[:, :85].to_numpy(dtype=float)
    low = np.repeat([1.0, 0.0], [5, 80])
    high = np.array([41.0, 10, 6, 6, 10, *np.repeat([9.0, 12.0], [59, 21])])
    return np.asarray((2 * (values - low) / (high - low) - 1) / sqrt(85))


def _imtiaz() -> Array:
    """All 60,000 rows of the built-in set, which keeps their sum and a sample."""
    data = load_key("imtiaz")
    n, d, k = data.people, data.d, 10
    head = 0.7 ** np.arange(k)
    values = np.concatenate([0.9 * head / head.sum(), np.full(d - k, 0.1 / (d - k))])
    turned = orthonormal(np.random.default_rng(1).standard_normal((d, d))).T
    drawn = np.random.default_rng(0).standard_normal((n, d)) * np.sqrt(values)
    rows = to_ball(drawn @ turned, 2.5).values
    np.testing.assert_allclose(rows.T @ rows, data.moment, rtol=0, atol=1e-6)
    return rows


def lines_of(large: bool, d: int) -> Iterator[tuple[str, Mechanism, str]]:
    """Yield what is measured on d columns, less on large sets: rows, mechanism, its settings."""
    own = ["second_look"] if d > 200 else ["second_look", "second_look_pure"]
    both = ["gaussian", "wishart_difference"]
    both += ["nuclear_norm"] if d <= MOST_NUCLEAR_COLUMNS else []
    papers = ["analyze_gauss", "laplace"]
    papers += ["eigenvector_sampling"] if d <= 200 else []
    if not large:
        papers += ["wishart", "power", *(["ppca"] if d <= 30 else [])]
        both += ["matrix_t"] if 5 <= d <= 64 else []
    yield from ((BOUNDED, MECHANISMS[key], "") for key in [*papers, *both])
    yield from ((UNIT, MECHANISMS[key], "") for key in [*both, *own])
    if not large:
        yield BOUNDED, MECHANISMS["second_look"], ""
        yield BOUNDED, SecondLook(radius_share=0.05), "radius_share=0.05"


def measured(name: str, trials: int | None) -> DataFrame:
    """Return the rows of the file for one data set, but those of what has no noise or refuses."""
    rows, ks = rows_of(name), DIRECTIONS[name]
    trials = trials or (20 if name.startswith(("kdd", "mnist")) else 100)
    bounded = Problem.from_rows(rows, max(ks))
    unit = replace(Problem.from_rows(to_length_one(rows), max(ks)), reference=bounded)
    found = [
        (k, UNIT, "", "", "", 1, f"{without_noise(unit.with_k(k)).captured:.5f}", "0") for k in ks
    ]
    large = name.startswith(("kdd", "mnist", "imtiaz"))
    for kind, mechanism, settings in lines_of(large, bounded.d):
        print(name, kind, mechanism.key, settings, file=sys.stderr, flush=True)
        problem = bounded if kind == BOUNDED else unit
        problems = [problem.with_k(k) for k in ks]
        places = [(at, Budget(epsilon, DELTA)) for at in problems for epsilon in EPSILONS]
        shares = run_trials(TrialDraws(mechanism, 0, range(trials)), places, exact=True).captured
        for (at, budget), values in zip(places, shares, strict=True):
            if np.isfinite(values).all():
                error = values.std(ddof=1) / sqrt(trials)
                about = (at.k, kind, mechanism.key, settings, budget.epsilon, trials)
                found.append((*about, f"{values.mean():.5f}", f"{error:.2g}"))
    names = ["k", "rows", "mechanism", "settings", "epsilon", "trials", "captured", "error"]
    table = DataFrame(found, columns=names)
    table[["data", "n", "d", "seed"]] = name, len(rows), bounded.d, 0
    return table[list(read_csv(FILE, nrows=0))]


def store(found: DataFrame) -> None:
    """Put rows of a set in the place of its stored ones."""
    stored = read_csv(FILE, dtype=str, keep_default_na=False)
    both = concat([stored[~stored["data"].isin(found["data"])], found])
    order = both["data"].map([*DIRECTIONS].index).argsort(kind="stable")
    both.iloc[order].to_csv(FILE, index=False)


def main() -> None:
    """Measure and write data set by data set: to the screen, unless it is to be stored."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", choices=DIRECTIONS, default=list(DIRECTIONS))
    parser.add_argument("--trials", type=int, help="of each set; its own number where none is said")
    parser.add_argument("--store", action="store_true", help=f"write them into {FILE.name}")
    asked = parser.parse_args()
    for name in asked.data:
        try:
            if asked.store:
                store(measured(name, asked.trials))
            else:
                measured(name, asked.trials).to_csv(sys.stdout, index=False)
        except DataMissingError as missing:
            print(f"{name}: {missing}", file=sys.stderr)


if __name__ == "__main__":
    main()
