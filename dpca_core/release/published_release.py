"""What a release is once it is stored: numbers that anybody may have, and every file made of them.

All of it is a function of one row of the ledger: the plan, the account and the released tables. It
can be made again at any time by the same program, byte for byte, without the private table.
"""

import csv
import io
import subprocess
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from dpca_core.release.certificate import certificate
from dpca_core.release.grid import Whole
from dpca_core.release.ledger import LedgerError, Row
from dpca_core.release.plan import MATRIX, MEANS, SCORES, Plan, loads, tree_of
from dpca_core.release.reading import Reading
from dpca_core.release.report import report_html
from dpca_core.runtime.cached_property import cached_property
from dpca_core.text.spreadsheets import neutralise_formulas

NAME, VERSION = "dpca", "0.2.0"
"""Of this package; a test compares them with the project's."""
UNKNOWN = "unknown"
COMMIT_FILE = "commit.txt"
"""Beside the package's ``__init__``: hatch_build.py writes it when it builds from a repository."""
PRACTICE = "PRACTICE on built-in data: nothing is protected"
_PACKAGE = Path(__file__).parents[1]


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
    """A stored release.

    Raises
    ------
    LedgerError
        For a row without a result.
    """

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
        found = {f"{name}.csv": content for name, content in _tables(self.reading)}
        found["report.html"] = report_html(self.plan, facts_of(self.row), self.reading.tables)
        found["certificate.json"] = certificate(self.row, tree_of(self.plan), found, software())
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


def facts_of(row: Row) -> dict[str, Any]:
    """Return what the report says of account and ledger, beside plan and tables.

    ``left`` has, in per cent of the account's limit, what was spent before and by this release, and
    how many more like it fit.
    """
    limit = row.account.limit
    return {
        "account": asdict(row.account),
        "sister": None if row.sister is None else asdict(row.sister),
        "release": {"id": row.id, "number": row.number, "spent_on": row.spent_on},
        "left": {
            "before": float(100 * (row.total - row.cost) / limit),
            "this": float(100 * row.cost / limit),
            "more": (limit - row.total) // row.cost,
        },
    }


@cache
def software(package: Path = _PACKAGE) -> dict[str, str]:
    """Return what a certificate says of the program.

    A checkout asks git for its commit, once in a process: "-dirty" follows where tracked files
    differ from it. Elsewhere it is what the build wrote, or ``UNKNOWN``; nothing is run.
    """
    written, commit = package / COMMIT_FILE, ""
    if written.is_file():
        commit = written.read_text("utf-8").strip()
    elif (package.parent / ".git").exists():
        options = ("--always", "--dirty", "--abbrev=40", "--exclude=*")
        try:
            commit = subprocess.run(
                ["git", "--no-optional-locks", "describe", *options],
                cwd=package.parent,
                capture_output=True,
                text=True,
                timeout=5,
                check=True,
                stdin=subprocess.DEVNULL,
            ).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            commit = ""
    return {"name": NAME, "version": VERSION, "commit": commit or UNKNOWN}


def _tables(reading: Reading) -> Iterator[tuple[str, bytes]]:
    """Yield released tables as CSV, whole numbers as drawn, and what is read off them, by name."""
    plan, tables = reading.plan, reading.tables
    names, k = plan.columns, plan.k

    def written(said: str, head: Sequence[str], rows: Iterable[Iterable[object]]) -> bytes:
        out = io.StringIO()
        practice = [PRACTICE] if plan.practice else []
        for line in (*practice, said, "What it promises and how it was made: certificate.json"):
            out.write(f"# {line}\n")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([_cell(value) for value in row] for row in (head, *rows))
        return out.getvalue().encode()

    yield (
        MATRIX,
        written(
            f"Whole numbers; 1 is {plan.unit(MATRIX)} of a person of norm 1.",
            ["column", *names],
            ([name, *row] for name, row in zip(names, tables[MATRIX].tolist(), strict=True)),
        ),
    )
    yield (
        "directions",
        written(
            "Directions of the released matrix, largest first; each has length 1.",
            ["column", *(f"direction_{i + 1}" for i in range(k))],
            ([name, *row] for name, row in zip(names, reading.directions(k).tolist(), strict=True)),
        ),
    )
    yield (
        "spectrum",
        written(
            "In people; empty where no interval is known.",
            ["number", "released", "corrected", "low", "high"],
            (
                [i + 1, *map(float, row)]
                for i, row in enumerate(zip(reading.eigenvalues, *reading.spectrum, strict=True))
            ),
        ),
    )
    if MEANS in tables:
        *sums, count = tables[MEANS].tolist()
        values, halves = (found.tolist() for found in reading.means())
        yield (
            MEANS,
            written(
                f"Sums are whole numbers; 1 is {plan.unit(MEANS)} of a row. Means stand with the "
                "half-width of a 95 % interval; they are empty where the number of rows is too "
                "noisy.",
                ["column", "sum", "mean", "plus_or_minus"],
                [*zip(names, sums, values, halves, strict=True), ["number of rows", count, "", ""]],
            ),
        )
    if plan.scores:
        reach = float(plan.scores.reach)
        across, up = (
            [reach * (2 * i / bins - 1) for i in range(bins + 1)] for bins in plan.scores.bins
        )
        yield (
            SCORES,
            written(
                f"Counts are whole numbers; 1 is {plan.unit(SCORES)} of a row. Bins are along the "
                "first two directions; the outermost hold all that lies beyond.",
                ["first_from", "first_to", "second_from", "second_to", "count"],
                (
                    [across[i], across[i + 1], up[j], up[j + 1], int(count)]
                    for (i, j), count in np.ndenumerate(tables[SCORES])
                ),
            ),
        )


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
