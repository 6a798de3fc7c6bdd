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

    def generator() -> np.random.Generator:
        return trial_generator(seed, mechanism.key, trial)

    problems = [problem.with_k(k) for k in directions]
    if isinstance(mechanism, NoiseOnS):
        unit = mechanism.unit(problem.d, max(directions), generator(), 1)
        for j, epsilon in enumerate(EPSILONS):
            # The top k columns of more directions are the top k.
            bases = mechanism.apply(problems[-1], Budget(epsilon, DELTA), unit).bases
            for i, at in enumerate(problems):
                found[i, j] = quality(at, bases[..., : at.k]).captured[0]
        return found
    for i, at in enumerate(problems):
        noise = isinstance(mechanism, SharedNoise)
        unit = mechanism.unit(at.d, at.k, generator(), 1) if noise else None  # type: ignore[attr-defined]
        for j, epsilon in enumerate(EPSILONS):
            budget = Budget(epsilon, DELTA)
            try:
                if unit is not None:
                    release = mechanism.apply(at, budget, unit)  # type: ignore[attr-defined]
                else:
                    release = mechanism.release(at, budget, generator())
            except InfeasibleBudget:
                continue
            found[i, j] = np.nan if release.refused[0] else quality(at, release.bases).captured[0]
    return found


def measured(
    name: str, table: Table, seed: int, trials: int, keys: Collection[str] = ()
) -> list[dict[str, object]]:
    """Return the rows of the file for one data set.

    Parameters
    ----------
    keys
        Mechanisms to measure; all where none is named.
    """
    rows = table.rows()
    most = max(table.directions)
    bounded = Problem.from_rows(rows, most)
    unit = replace(Problem.from_rows(to_length_one(rows), most), reference=bounded)
    problems = {BOUNDED: bounded, UNIT: unit}
    about = {"data": name, "n": len(rows), "d": bounded.d, "seed": seed}
    written = [
        about
        | {"k": k, "rows": UNIT, "mechanism": "", "settings": "", "epsilon": "", "trials": 1}
        | {"captured": f"{without_noise(unit.with_k(k)).captured:.5f}", "error": "0"}
        for k in table.directions
    ]
    for line in lines_of(table, bounded.d):
        if keys and line.mechanism.key not in keys:
            continue
        start = perf_counter()
        shares = np.stack(
            [
                captured(line.mechanism, problems[line.rows], table.directions, t, seed)
                for t in range(trials)
            ]
        )
        for (i, k), (j, epsilon) in (
            (a, b) for a in enumerate(table.directions) for b in enumerate(EPSILONS)
        ):
            values = shares[:, i, j]
            if not np.isfinite(values).all():
                continue
            written.append(
                about
                | {"k": k, "rows": line.rows, "mechanism": line.mechanism.key}
                | {"settings": line.settings, "epsilon": epsilon, "trials": trials}
                | {"captured": f"{values.mean():.5f}"}
                | {"error": f"{values.std(ddof=1) / sqrt(trials):.2g}"}
            )
        seconds = perf_counter() - start
        print(
            f"{name} {line.rows} {line.mechanism.key} {line.settings} {seconds:.0f} s",
            file=sys.stderr,
            flush=True,
        )
    return written


def stored() -> list[dict[str, object]]:
    """Return the rows of the file; none where there is no file yet."""
    if not FILE.exists():
        return []
    with FILE.open(encoding="utf-8", newline="") as file:
        return [dict(row) for row in csv.DictReader(file)]


def store(rows: list[dict[str, object]]) -> None:
    """Write the file, data sets in the order in which they are measured."""
    order = list(TABLES)
    with FILE.open("w", encoding="utf-8", newline="") as file:
        write(sorted(rows, key=lambda row: order.index(str(row["data"]))), file)


def write(rows: list[dict[str, object]], file: TextIO) -> None:
    """Write rows with their header."""
    writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


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
        trials = asked.trials or table.trials
        try:
            found = measured(name, table, asked.seed, trials, asked.mechanisms)
        except DataMissingError as missing:
            print(f"{name}: {missing}", file=sys.stderr)
            continue
        if not asked.store:
            write(found, sys.stdout)
            continue
        again = [*asked.mechanisms, ""] if asked.mechanisms else []
        store([*(row for row in stored() if not _measured_again(row, name, again)), *found])


def _measured_again(row: dict[str, object], name: str, mechanisms: Collection[str]) -> bool:
    """Tell whether a row is replaced: of a set, all, or those of some mechanisms."""
    return row["data"] == name and (not mechanisms or row["mechanism"] in mechanisms)


if __name__ == "__main__":
    main()
