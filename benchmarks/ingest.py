"""How fast and in how much memory a table is summed up, in one run on one machine.

A table of standard normal numbers with six decimals is written to a temporary folder, as CSV and as
Parquet, and removed afterwards. Every time is that of all processors together, in a fresh process
with the environment of a server's, after the files have been read once; pandas reads the CSV with
its C parser in chunks, so that it need not fit in memory, and does nothing with it. Ratios only:
times depend on the machine.

    python -m benchmarks.ingest --rows 2000000
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from time import process_time

import numpy as np

from dpca_core.data.recipe import Number, Recipe
from dpca_core.runtime.threads import processors
from dpca_core.tables.second_moment import second_moment
from ui.server.environment import LIBRARY_DEFAULTS

COLUMNS, PIECE, BYTES_A_CELL = 50, 100_000, 10
GROUP = 2**20
"""Rows of a row group as pandas and pyarrow write them; others write fewer."""
CSV, PARQUET, CSV_SUM = "table.csv", "table.parquet", "csv.npy"
RECIPE = Recipe(
    tuple(Number(f"c{j}", -3.0, 3.0) for j in range(COLUMNS)), radius=2.5, bounds_are_public=True
)


def write(folder: Path, rows: int, group: int) -> None:
    """Write both files, a piece at a time; so many rows make a row group of the Parquet file."""
    import pyarrow as pa
    from pyarrow.csv import CSVWriter
    from pyarrow.parquet import ParquetWriter

    rng, names = np.random.default_rng(0), [number.name for number in RECIPE.numbers]
    schema = pa.schema([(name, pa.float64()) for name in names])
    with (
        CSVWriter(folder / CSV, schema) as csv,
        ParquetWriter(folder / PARQUET, schema) as parquet,
    ):
        waiting: list[pa.Table] = []
        for start in range(0, rows, PIECE):
            values = rng.normal(size=(min(PIECE, rows - start), COLUMNS)).round(6)
            waiting.append(pa.table([pa.array(column) for column in values.T], schema))
            csv.write_table(waiting[-1])
            if sum(map(len, waiting)) >= group or start + PIECE >= rows:
                parquet.write_table(pa.concat_tables(waiting))
                waiting = []


def read_with_pandas(folder: Path) -> None:
    """Read the CSV and forget it."""
    import pandas as pd

    for _ in pd.read_csv(folder / CSV, engine="c", chunksize=65_536):
        pass


def sum_csv(folder: Path) -> None:
    """Sum up the CSV and keep S for comparison."""
    np.save(folder / CSV_SUM, second_moment(folder / CSV, RECIPE).moment)


def sum_parquet(folder: Path) -> None:
    """Sum up the Parquet file, to the S of the CSV."""
    moment, expected = second_moment(folder / PARQUET, RECIPE).moment, np.load(folder / CSV_SUM)
    if np.abs(moment - expected).max() > 1e-10 * expected.max():
        sys.exit("The two sums differ.")


TASKS = {"pandas": read_with_pandas, "csv": sum_csv, "parquet": sum_parquet}


def in_a_process(task: str, folder: Path) -> tuple[float, float]:
    """Processor seconds and peak memory in MB of one task, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.ingest", "--task", task, "--folder", str(folder)]
    environment = {**os.environ, **LIBRARY_DEFAULTS}
    out = subprocess.run(command, check=True, capture_output=True, env=environment)
    seconds, memory = json.loads(out.stdout)
    return seconds, memory


def perform(task: str, folder: Path) -> None:
    """Do one task and print what it took, without the time to import libraries."""
    for library in ("pandas", "pyarrow.csv", "pyarrow.parquet"):
        import_module(library)
    start = process_time()
    TASKS[task](folder)
    seconds = process_time() - start
    print(json.dumps([seconds, peak_megabytes()]))


def peak_megabytes() -> float:
    """Most memory this process has held.

    On Linux from its own status: what ``getrusage`` says includes the process that started it.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) * 1024 / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


def files(rows: int, repeats: int, group: int) -> None:
    """Print what reading and summing up take."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        need = rows * COLUMNS * (BYTES_A_CELL + 9)
        if shutil.disk_usage(folder).free < 1.2 * need:
            sys.exit(f"The files take {need / 1e9:.1f} GB, more than is free: use fewer --rows.")
        write(folder, rows, group)
        sizes = [(folder / file).stat().st_size / 1e9 for file in (CSV, PARQUET)]
        print(
            f"{rows:,} rows of {COLUMNS} numbers: CSV {sizes[0]:.2f} GB, Parquet {sizes[1]:.2f} GB"
        )
        runs: dict[str, list[tuple[float, float]]] = {task: [] for task in TASKS}
        for _ in range(repeats):
            for task in TASKS:
                runs[task].append(in_a_process(task, folder))
    seconds = {task: np.array([run[0] for run in runs[task]]) for task in TASKS}
    memory = {task: max(run[1] for run in runs[task]) for task in TASKS}
    for task, words in (
        ("pandas", "pandas reads the CSV"),
        ("csv", "S of the CSV"),
        ("parquet", "S of the Parquet"),
    ):
        print(f"{words:28}{np.median(seconds[task]):8.2f} s{memory[task]:8.0f} MB at most")
    slower = np.median(seconds["csv"] / seconds["pandas"])
    faster = np.median(seconds["csv"] / seconds["parquet"])
    print(f"S of the CSV takes {slower:.2f} of the time of pandas’ reading (target: ≤ 2.5)")
    print(f"S of the Parquet is {faster:.1f} times as fast as of the CSV (target: ≥ 3)")
    print(f"S of the CSV takes {memory['csv']:.0f} MB of memory (target: < 500)")


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--group", type=int, default=GROUP, help="rows of a Parquet row group")
    parser.add_argument("--task", choices=TASKS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.task:
        perform(asked.task, asked.folder)
        return
    print(f"{processors()} processors, load {os.getloadavg()[0]:.1f}")
    files(asked.rows, asked.repeats, asked.group)


if __name__ == "__main__":
    main()
