"""What a release is once it is stored: numbers that anybody may have, and every file made of them.

All of it is a function of one row of the ledger: the plan, the account and the released tables. It
can be made again at any time by the same program, byte for byte, without the private table.
"""

import csv
import io
import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.release.certificate import booked, certificate, naming
from dpca_core.release.grid import Whole
from dpca_core.release.ledger import LedgerError, Row
from dpca_core.release.plan import MATRIX, MEANS, SCORES, Plan, loads
from dpca_core.release.reading import Reading
from dpca_core.release.report import report_html
from dpca_core.runtime.cached_property import cached_property
from dpca_core.text.spreadsheets import neutralise_formulas
from dpca_core.version import software

LONGEST_FILE = "certificate.json"
"""No file of a release has a longer name."""
PRACTICE = "PRACTICE on built-in data: nothing is protected"


def to_bytes(tables: Mapping[str, Whole]) -> bytes:
    """Write released tables for the ledger: the same bytes for the same numbers."""
    out = io.BytesIO()
    ordered = {name: np.ascontiguousarray(tables[name]) for name in sorted(tables)}
    np.savez_compressed(out, allow_pickle=False, **ordered)
    return out.getvalue()


def from_bytes(content: bytes) -> dict[str, Whole]:
    """Read tables that ``to_bytes`` wrote."""
    with np.load(io.BytesIO(content), allow_pickle=False) as found:
        return {name: found[name] for name in found.files}


@dataclass(frozen=True)
class Published:
    """A stored release; LedgerError for a row without a result."""

    row: Row

    def __post_init__(self) -> None:
        """Refuse a row that is not published."""
        if self.row.result is None:
            raise LedgerError(f"Release {self.row.number} has no result yet: finish it first.")

    @cached_property
    def plan(self) -> Plan:
        """All public settings."""
        return loads(self.row.plan)

    @cached_property
    def reading(self) -> Reading:
        """What can be read off the released tables, with its uncertainty."""
        return Reading(self.plan, from_bytes(self.row.result or b""))

    def files(self) -> dict[str, bytes]:
        """Return every file by its name: tables, report, and the certificate of all others."""
        found = _tables(self.reading, naming(self.row))
        found["report.html"] = report_html(self.reading, facts_of(self.row))
        found["certificate.json"] = certificate(self.row, found, software())
        return found

    def zipped(self) -> bytes:
        """Return all files in one archive, whose bytes are the same whenever it is made."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.files().items():
                entry = zipfile.ZipInfo(name)
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                archive.writestr(entry, content)
        return out.getvalue()

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Write all files into a folder that is empty or absent; else LedgerError."""
        target = empty_folder(folder)
        try:
            for name, content in self.files().items():
                (target / name).write_bytes(content)
        except OSError as error:
            raise LedgerError(f"{target} cannot be written: {error.strerror}.") from None
        return target


def empty_folder(folder: str | os.PathLike[str]) -> Path:
    """Make a folder for a release's files, or take one that is empty: before anything is spent.

    LedgerError for a folder that holds something, or a place where none can be made or written.
    """
    made = Path(folder)
    try:
        made.mkdir(parents=True, exist_ok=True)
        if any(made.iterdir()):
            raise LedgerError(f"{made} is not an empty folder: name a new one.")
        tried = made / LONGEST_FILE
        tried.touch()
        tried.unlink()
    except OSError as error:
        raise LedgerError(f"{made} cannot be written: {error.strerror}.") from None
    return made


def facts_of(row: Row) -> dict[str, Any]:
    """Return what the report says of account and ledger, beside plan and tables.

    ``left`` has, in per cent of the account's limit, what was spent before and by this release, and
    how many more like it fit.
    """
    limit = row.account.limit
    left = {
        "before": float(100 * (row.total - row.cost) / limit),
        "this": float(100 * row.cost / limit),
        "more": (limit - row.total) // row.cost,
    }
    return booked(row) | {"left": left}


def _tables(reading: Reading, release: str) -> dict[str, bytes]:
    """Return released tables as CSV, whole numbers as drawn, and what is read off them, by name.

    Each names the ``release`` as the certificate does, so that neither passes with another.
    """
    plan, tables = reading.plan, reading.tables
    names, k = plan.columns, plan.k
    found: list[tuple[str, str, list[str], Iterable[Iterable[object]]]] = [
        (
            MATRIX,
            f"Whole numbers; 1 is {plan.unit(MATRIX)} of a person of norm 1.",
            ["column", *names],
            _named(names, tables[MATRIX]),
        ),
        (
            "directions",
            "Directions of the released matrix, largest first; each has length 1.",
            ["column", *(f"direction_{i + 1}" for i in range(k))],
            _named(names, reading.directions(k)),
        ),
        (
            "spectrum",
            "In people; empty where no interval is known.",
            ["number", "released", "corrected", "low", "high"],
            _named(range(1, plan.d + 1), np.array([reading.eigenvalues, *reading.spectrum]).T),
        ),
    ]
    if MEANS in tables:
        *sums, count = tables[MEANS].tolist()
        means, halves = (values.tolist() for values in reading.means())
        rows = [*zip(names, sums, means, halves, strict=True), ("number of rows", count, "", "")]
        said = (
            f"Sums are whole numbers; 1 is {plan.unit(MEANS)} of a row. Means stand with the "
            "half-width of a 95 % interval; they are empty where the number of rows is too noisy."
        )
        found.append((MEANS, said, ["column", "sum", "mean", "plus_or_minus"], rows))
    if plan.scores:
        reach = float(plan.scores.reach)
        across, up = (
            [reach * (2 * i / bins - 1) for i in range(bins + 1)] for bins in plan.scores.bins
        )
        counts = (
            (across[i], across[i + 1], up[j], up[j + 1], int(count))
            for (i, j), count in np.ndenumerate(tables[SCORES])
        )
        said = (
            f"Counts are whole numbers; 1 is {plan.unit(SCORES)} of a row. Bins are along the "
            "first two directions; the outermost hold all that lies beyond."
        )
        ends = ["first_from", "first_to", "second_from", "second_to", "count"]
        found.append((SCORES, said, ends, counts))
    written = {}
    for name, said, head, cells in found:
        out, practice = io.StringIO(), [PRACTICE] if plan.practice else []
        for line in (*practice, said, f"{release}: certificate.json says what it promises"):
            out.write(f"# {line}\n")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([_cell(value) for value in row] for row in (head, *cells))
        written[f"{name}.csv"] = out.getvalue().encode()
    return written


def _named(names: Iterable[object], table: Array | Whole) -> Iterator[list[object]]:
    return ([name, *row] for name, row in zip(names, table.tolist(), strict=True))


def _cell(value: object) -> object:
    """Return a cell: no name opens a formula or hides its row as a comment, numbers have 9 digits.

    Libraries whose last digits differ then write the same file.
    """
    if isinstance(value, str):
        name = neutralise_formulas(value)
        return f"'{name}" if name.startswith("#") else name
    if isinstance(value, float):
        return f"{value:.9g}" if isfinite(value) else ""
    return value
