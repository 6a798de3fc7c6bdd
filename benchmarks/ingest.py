"""What it takes to sum up a table, beside reading it with the usual library, in one run.

Files are written to a temporary folder and removed afterwards. Every task runs in a fresh process
with the environment of a server's, after all imports; its time is that of all processors and of the
processes it starts, its memory what it takes at most above what it had. Ratios only: times depend
on the machine.

    python -m benchmarks.ingest --rows 1000000
"""

import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pyarrow as pa
import xlsxwriter
from pandas import read_csv
from pyarrow.csv import write_csv
from pyarrow.parquet import write_table
from python_calamine import CalamineWorkbook

from benchmarks.report import megabytes, options
from dpca_core.data.recipe import Category, Number, Recipe
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.runtime.threads import processors
from dpca_core.tables.second_moment import second_moment
from ui import LIBRARY_DEFAULTS

COLUMNS = 14
WORKBOOK_ROWS, WORKBOOK_COLUMNS = 100_000, 20


def between(names: str, count: int, low: float, high: float, unit: str = "") -> list[Number]:
    """Return columns of numbers, such as x0 to x3."""
    return [Number(f"{names}{j}", low, high, unit=unit) for j in range(count)]


NUMBERS = Recipe(tuple(between("c", COLUMNS, -3.0, 3.0)), radius=2.5, bounds_are_public=True)
SHEET = Recipe(tuple(between("c", WORKBOOK_COLUMNS, -3.0, 3.0)), bounds_are_public=True)
AS_PEOPLE_WRITE = Recipe(
    (*between("w", 4, 0, 300, "kg"), *between("p", 4, 0, 5000, "€"), *between("c", 4, -3.0, 3.0)),
    (Category("ward", ('north "old"; left', "south")), Category("sex", ("f", "m"))),
    bounds_are_public=True,
    number_format=TextFileFormat(";", ",", "."),
)


def write_files(folder: Path, rows: int) -> None:
    """Write normal numbers of six decimals, as text, Parquet and a sheet, and as people write."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(COLUMNS, rows)).round(6)
    table = pa.table({f"c{j}": column for j, column in enumerate(values)})
    write_csv(table, folder / "plain.csv")
    write_table(table, folder / "plain.parquet")
    with (folder / "people.csv").open("w", encoding="utf-8") as file:
        file.write(";".join(column.name for column in AS_PEOPLE_WRITE.columns) + "\n")
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


def perform(task: str, folder: Path) -> tuple[float, float]:
    """Do one task; return processor seconds and megabytes."""
    before, start = megabytes("VmHWM"), sum(os.times()[:4])
    TASKS[task](folder)
    return sum(os.times()[:4]) - start, megabytes("VmHWM") - before


def in_a_process(task: str, folder: Path) -> tuple[float, float]:
    """Do one task in a fresh process."""
    os.environ.update(LIBRARY_DEFAULTS)
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        return process.submit(perform, task, folder).result()


def main() -> None:
    """Print the measurements."""
    asked = options(__doc__, rows=1_000_000, repeats=3)
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
