"""What is kept at the same proved guarantee: the papers' mechanisms, rows of length 1, two looks.

    python -m benchmarks.frontier --store

writes ``ui/papers/measured.csv``, which ships; without ``--store`` the rows go to the screen.
``--data rand wine`` measures some sets anew and leaves the others as they are. Trial t has the same
randomness at every ε and k. δ = 10⁻⁶, one person added or removed. Captured is a share of what PCA
of the rows in the public ball captures.
"""

import argparse
import csv
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import sqrt
from pathlib import Path
from time import perf_counter
from typing import TextIO

import numpy as np

from benchmarks.frontier_data import TABLES, Table
from dpca_core import MECHANISMS, Budget, InfeasibleBudget, Problem
from dpca_core.data.clipping import to_length_one
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism, SharedNoise
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.second_look import SecondLook
from dpca_core.metrics import quality, without_noise
from dpca_core.sampling.nuclear_norm import MOST_NUCLEAR_COLUMNS
from dpca_core.simulation.trials import trial_generator
from papers.data import DataMissingError

FILE = Path(__file__).resolve().parents[1] / "ui" / "papers" / "measured.csv"
EPSILONS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
DELTA = 1e-6
FIELDS = (
    "data", "n", "d", "k", "rows", "mechanism", "settings", "epsilon", "trials", "seed",
    "captured", "error",
)  # fmt: skip
BOUNDED, UNIT = "at most R", "length 1"
MEDIAN = "radius_share=0.05"
_MOST_PPCA_COLUMNS = 30


@dataclass(frozen=True)
class Line:
    """A mechanism on rows of one kind."""

    rows: str
    mechanism: Mechanism
    settings: str = ""


def lines_of(table: Table, d: int) -> Iterator[Line]:
    """Return what is measured on a set of d columns."""
    own = ["second_look"] if d > 200 else ["second_look", "second_look_pure"]
    both = ["gaussian", "wishart_difference"]
    both += ["nuclear_norm"] if d <= MOST_NUCLEAR_COLUMNS else []
    papers = ["analyze_gauss", "laplace"]
    if not table.large:
        papers += ["wishart", "power"]
        papers += ["ppca"] if d <= _MOST_PPCA_COLUMNS else []
        both += ["matrix_t"] if 5 <= d <= 64 else []
    yield from (Line(BOUNDED, MECHANISMS[key]) for key in [*papers, *both])
    yield from (Line(UNIT, MECHANISMS[key]) for key in [*both, *own])
    if not table.large:
        yield Line(BOUNDED, MECHANISMS["second_look"])
        yield Line(BOUNDED, SecondLook(radius_share=0.05), MEDIAN)


def captured(
    mechanism: Mechanism, problem: Problem, directions: tuple[int, ...], trial: int, seed: int
) -> Array:
    """Return captured shares (k, ε) of one trial; NaN where there is no noise for a budget."""
    found = np.full((len(directions), len(EPSILONS)), np.nan)
    problems = [problem.with_k(k) for k in directions]
    # The top k columns of more directions are the top k of noise that is added to S.
    drawn = [problems[-1]] if isinstance(mechanism, NoiseOnS) else problems
    for i, at in enumerate(drawn):
        rng, unit = trial_generator(seed, mechanism.key, trial), None
        if isinstance(mechanism, SharedNoise):
            unit = mechanism.unit(at.d, max(directions) if len(drawn) == 1 else at.k, rng, 1)
        for j, epsilon in enumerate(EPSILONS):
            budget = Budget(epsilon, DELTA)
            try:
                if unit is not None:
                    release = mechanism.apply(at, budget, unit)  # type: ignore[attr-defined]
                else:
                    rng = trial_generator(seed, mechanism.key, trial)
                    release = mechanism.release(at, budget, rng)
            except InfeasibleBudget:
                continue
            if release.refused[0]:
                continue
            for place, one in enumerate(problems if len(drawn) == 1 else [at], i):
                found[place, j] = quality(one, release.bases[..., : one.k]).captured[0]
    return found


def measured(
    name: str, table: Table, seed: int, trials: int, keys: Collection[str] = ()
) -> list[dict[str, object]]:
    """Return the rows of the file for one data set, of some mechanisms or, with none named, all."""
    rows, most = table.rows(), max(table.directions)
    bounded = Problem.from_rows(rows, most)
    unit = replace(Problem.from_rows(to_length_one(rows), most), reference=bounded)
    about = {"data": name, "n": len(rows), "d": bounded.d, "seed": seed}
    none = {"rows": UNIT, "mechanism": "", "settings": "", "epsilon": "", "trials": 1, "error": "0"}
    written = [
        about | none | {"k": k, "captured": f"{without_noise(unit.with_k(k)).captured:.5f}"}
        for k in table.directions
    ]
    for line in lines_of(table, bounded.d):
        mechanism = line.mechanism
        if keys and mechanism.key not in keys:
            continue
        problem, start = {BOUNDED: bounded, UNIT: unit}[line.rows], perf_counter()
        draws = (captured(mechanism, problem, table.directions, t, seed) for t in range(trials))
        shares = np.stack([*draws])
        known = {"rows": line.rows, "mechanism": mechanism.key, "settings": line.settings}
        for (i, k), (j, epsilon) in product(enumerate(table.directions), enumerate(EPSILONS)):
            values = shares[:, i, j]
            if np.isfinite(values).all():
                error = f"{values.std(ddof=1) / sqrt(trials):.2g}"
                found = {"k": k, "epsilon": epsilon, "trials": trials}
                mean = f"{values.mean():.5f}"
                written.append(about | known | found | {"captured": mean, "error": error})
        told = f"{name} {line.rows} {mechanism.key} {line.settings}"
        print(f"{told} {perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    return written


def write(rows: list[dict[str, object]], file: TextIO) -> None:
    """Write rows with their header."""
    writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def store(found: list[dict[str, object]], name: str, mechanisms: Collection[str]) -> None:
    """Put rows of a set in the place of its stored ones, of all or of some mechanisms."""
    with FILE.open(encoding="utf-8", newline="") as file:
        before: list[dict[str, object]] = [*csv.DictReader(file)]
    again = {*mechanisms, ""} if mechanisms else {row["mechanism"] for row in before}
    kept = [row for row in before if row["data"] != name or row["mechanism"] not in again]
    order = list(TABLES)
    with FILE.open("w", encoding="utf-8", newline="") as file:
        write(sorted([*kept, *found], key=lambda row: order.index(str(row["data"]))), file)


def main() -> None:
    """Measure, and write after each data set: to the screen, unless it is to be stored."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", choices=list(TABLES), default=list(TABLES))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--trials", type=int, help="of each set; its own number where none is said")
    parser.add_argument("--mechanisms", nargs="+", default=(), help="measure these alone anew")
    parser.add_argument("--store", action="store_true", help=f"write them into {FILE.name}")
    asked = parser.parse_args()
    for name in asked.data:
        table = TABLES[name]
        try:
            trials = asked.trials or table.trials
            found = measured(name, table, asked.seed, trials, asked.mechanisms)
        except DataMissingError as missing:
            print(f"{name}: {missing}", file=sys.stderr)
            continue
        if asked.store:
            store(found, name, asked.mechanisms)
        else:
            write(found, sys.stdout)


if __name__ == "__main__":
    main()
