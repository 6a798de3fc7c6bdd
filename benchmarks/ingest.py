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
from importlib import import_module
from pathlib import Path

import numpy as np

from dpca_core.data.recipe import Category, Number, Recipe
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.runtime.threads import processors
from dpca_core.tables.second_moment import second_moment
from ui import LIBRARY_DEFAULTS

COLUMNS, FILES, PIECE = 14, 4, 100_000
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


def write_plain(folder: Path, rows: int) -> None:
    """Write normal numbers of six decimals, as text and the first file as Parquet too."""
    import pyarrow as pa
    from pyarrow.csv import write_csv
    from pyarrow.parquet import write_table

    rng = np.random.default_rng(0)
    for number in range(FILES):
        values = rng.normal(size=(COLUMNS, rows)).round(6)
        table = pa.table({f"c{j}": column for j, column in enumerate(values)})
        write_csv(table, folder / f"plain-{number}.csv")
        if not number:
            write_table(table, folder / "plain.parquet")


def write_as_people_do(folder: Path, rows: int) -> None:
    """Write decimal commas, points between thousands, units on either side, quoted texts."""
    rng = np.random.default_rng(0)
    with (folder / "people.csv").open("w", encoding="utf-8") as file:
        file.write(";".join([*(column.name for column in AS_PEOPLE_WRITE.columns)]) + "\n")
        for start in range(0, rows, PIECE):
            for values in rng.normal(size=(min(PIECE, rows - start), 12)).tolist():
                cells = [
                    *(f"{80 + 20 * value:.1f} kg".replace(".", ",") for value in values[:4]),
                    *(f'"€ 1.{abs(value) * 300 % 1000:03.0f},50"' for value in values[4:8]),
                    *(f"{value:.6f}".replace(".", ",") for value in values[8:]),
                    '"north ""old""; left"' if values[0] > 0 else "south",
                    "f" if values[1] > 0 else "m",
                ]
                file.write(";".join(cells) + "\n")


def write_workbook(folder: Path) -> None:
    """Write a sheet of numbers."""
    import xlsxwriter

    rng = np.random.default_rng(0)
    with xlsxwriter.Workbook(folder / "sheet.xlsx", {"constant_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, [column.name for column in SHEET.numbers])
        for row, values in enumerate(rng.normal(size=(WORKBOOK_ROWS, WORKBOOK_COLUMNS)).round(6)):
            sheet.write_row(row + 1, 0, values.tolist())


def with_pandas(file: str, **options: str) -> Callable[[Path], object]:
    """Return what reads a text file and forgets it."""

    def read(folder: Path) -> None:
        import pandas as pd

        pd.read_csv(folder / file, **options)

    return read


def with_calamine(folder: Path) -> None:
    """Read the cells of the sheet."""
    from python_calamine import CalamineWorkbook

    CalamineWorkbook.from_path(folder / "sheet.xlsx").get_sheet_by_index(0).to_python()


TASKS: dict[str, Callable[[Path], object]] = {
    "plain, pandas": with_pandas("plain-0.csv"),
    "plain": lambda folder: second_moment(folder / "plain-0.csv", NUMBERS),
    "Parquet": lambda folder: second_moment(folder / "plain.parquet", NUMBERS),
    "four files": lambda folder: second_moment(str(folder / "plain-*.csv"), NUMBERS),
    "as people write, pandas": with_pandas("people.csv", sep=";", decimal=","),
    "as people write": lambda folder: second_moment(folder / "people.csv", AS_PEOPLE_WRITE),
    "workbook, calamine": with_calamine,
    "workbook": lambda folder: second_moment(folder / "sheet.xlsx", SHEET),
}
TARGETS = {"plain": "pandas, ≤ 2.5", "as people write": "pandas, ≤ 5", "workbook": "calamine, ≤ 2"}
"""What a task is compared with, and how many times as long it may take."""


def perform(task: str, folder: Path) -> None:
    """Do one task and print what it took."""
    for library in ("pandas", "pyarrow.csv", "pyarrow.parquet", "python_calamine"):
        import_module(library)
    before, start = peak_megabytes(), sum(os.times()[:4])
    TASKS[task](folder)
    print(json.dumps([sum(os.times()[:4]) - start, peak_megabytes() - before]))


def peak_megabytes() -> float:
    """Most memory this process has held; Linux tells it."""
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1024


def in_a_process(task: str, folder: Path) -> tuple[float, float]:
    """Processor seconds and MB of one task."""
    command = [sys.executable, "-m", "benchmarks.ingest", "--task", task, "--folder", str(folder)]
    out = subprocess.run(
        command, check=True, capture_output=True, env=os.environ | LIBRARY_DEFAULTS
    )
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
        folder = Path(name)
        write_plain(folder, asked.rows)
        write_as_people_do(folder, asked.rows // 2)
        write_workbook(folder)
        runs = [{task: in_a_process(task, folder) for task in TASKS} for _ in range(asked.repeats)]
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
