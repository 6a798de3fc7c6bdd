"""What it takes to sum up a table, beside reading it with the usual library, in one run.

Files are written to a temporary folder and removed afterwards. Every task runs in a fresh process
with the environment of a server's, after its imports; its time is that of all processors and of the
processes it starts, its memory what it takes at most above what it had. Ratios only: times depend
on the machine.

    python -m benchmarks.ingest --rows 1000000
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import xlsxwriter
from pandas import read_csv
from pyarrow.csv import write_csv
from pyarrow.parquet import write_table
from python_calamine import CalamineWorkbook

from dpca_core.data.recipe import Category, Number, Recipe
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.runtime.threads import processors
from dpca_core.tables.second_moment import second_moment
from ui import LIBRARY_DEFAULTS

COLUMNS = 14
WORKBOOK_ROWS, WORKBOOK_COLUMNS = 100_000, 20
NUMBERS = Recipe(
    tuple(Number(f"c{j}", -3.0, 3.0) for j in range(COLUMNS)), radius=2.5, bounds_are_public=True
)
AS_PEOPLE_WRITE = Recipe(
    (
        *(Number(f"w{j}", 0, 300, unit="kg") for j in range(4)),
        *(Number(f"p{j}", 0, 5000, unit="€") for j in range(4)),
        *(Number(f"c{j}", -3.0, 3.0) for j in range(4)),
    ),
    (Category("ward", ('north "old"; left', "south")), Category("sex", ("f", "m"))),
    bounds_are_public=True,
    number_format=TextFileFormat(";", ",", "."),
)
SHEET = Recipe(
    tuple(Number(f"c{j}", -3.0, 3.0) for j in range(WORKBOOK_COLUMNS)), bounds_are_public=True
)


def write_files(folder: Path, rows: int) -> None:
    """Write normal numbers of six decimals, as text, Parquet and a sheet, and as people write."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(COLUMNS, rows)).round(6)
    table = pa.table({f"c{j}": column for j, column in enumerate(values)})
    write_csv(table, folder / "plain.csv")
    write_table(table, folder / "plain.parquet")
    with (folder / "people.csv").open("w", encoding="utf-8") as file:
        file.write(";".join([*(column.name for column in AS_PEOPLE_WRITE.columns)]) + "\n")
        for _ in range(rows // 2):
            file.write(";".join(as_people_write(rng.normal(size=12).tolist())) + "\n")
    with xlsxwriter.Workbook(folder / "sheet.xlsx", {"constant_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, [column.name for column in SHEET.numbers])
        for row, values in enumerate(rng.normal(size=(WORKBOOK_ROWS, WORKBOOK_COLUMNS)).round(6)):
            sheet.write_row(row + 1, 0, values.tolist())


def as_people_write(values: list[float]) -> list[str]:
    """Write decimal commas, points between thousands, units on either side, quoted texts."""
    return [
        *(f"{80 + 20 * value:.1f} kg".replace(".", ",") for value in values[:4]),
        *(f'"€ 1.{abs(value) * 300 % 1000:03.0f},50"' for value in values[4:8]),
        *(f"{value:.6f}".replace(".", ",") for value in values[8:]),
        '"north ""old""; left"' if values[0] > 0 else "south",
        "f" if values[1] > 0 else "m",
    ]


def with_calamine(path: Path) -> None:
    """Read the cells of the first sheet."""
    CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python()


TASKS: dict[str, Callable[[Path], object]] = {
    "plain, pandas": lambda folder: read_csv(folder / "plain.csv"),
    "plain": lambda folder: second_moment(folder / "plain.csv", NUMBERS),
    "Parquet": lambda folder: second_moment(folder / "plain.parquet", NUMBERS),
    "as people write, pandas": lambda folder: read_csv(folder / "people.csv", sep=";", decimal=","),
    "as people write": lambda folder: second_moment(folder / "people.csv", AS_PEOPLE_WRITE),
    "workbook, calamine": lambda folder: with_calamine(folder / "sheet.xlsx"),
    "workbook": lambda folder: second_moment(folder / "sheet.xlsx", SHEET),
}
TARGETS = {"plain": "pandas, ≤ 2.5", "as people write": "pandas, ≤ 5", "workbook": "calamine, ≤ 2"}
"""What a task is compared with, and how many times as long it may take."""


def perform(task: str, folder: Path) -> None:
    """Do one task and print what it took."""
    before, start = peak_megabytes(), sum(os.times()[:4])
    TASKS[task](folder)
    print(json.dumps([sum(os.times()[:4]) - start, peak_megabytes() - before]))


def peak_megabytes() -> float:
    """Most memory this process has held; Linux tells it."""
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1024


def in_a_process(task: str, folder: Path) -> tuple[float, float]:
    """Processor seconds and MB of one task."""
    command = [sys.executable, "-m", "benchmarks.ingest", "--task", task, "--folder", str(folder)]
    known = os.environ | LIBRARY_DEFAULTS
    out = subprocess.run(command, check=True, capture_output=True, env=known)
    seconds, memory = json.loads(out.stdout)
    return seconds, memory


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--task", choices=TASKS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.task:
        perform(asked.task, asked.folder)
        return
    print(f"{processors()} processors, load {os.getloadavg()[0]:.1f}, {asked.rows:,} rows a file")
    with tempfile.TemporaryDirectory() as name:
        write_files(Path(name), asked.rows)
        runs = [{t: in_a_process(t, Path(name)) for t in TASKS} for _ in range(asked.repeats)]
    for task in TASKS:
        seconds, memory = np.median([run[task] for run in runs], axis=0)
        said = f"{task:24}{seconds:8.2f} s{memory:7.0f} MB"
        if target := TARGETS.get(task):
            other = f"{task}, {target.split(',')[0]}"
            ratio = np.median([run[task][0] / run[other][0] for run in runs])
            said += f"{ratio:7.2f} times as long as {target}"
        print(said)


if __name__ == "__main__":
    main()
