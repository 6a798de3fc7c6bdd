"""What a release is once it is stored: numbers that anybody may have, and every file made of them.

All of it is a function of one row of the ledger: the plan, the account and the released tables. It
can be made again at any time by the same program, byte for byte, without the private table. The
certificate has plan, accounts, place in the ledger and digests, and nothing that follows from them:
``python -m dpca_core.verify`` computes that, and has a schema of what may stand in it.
"""

import csv
import hashlib
import io
import json
import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.release.grid import Whole
from dpca_core.release.ledger import LedgerError, Row, part_words
from dpca_core.release.plan import MATRIX, MEANS, SCORES, Plan, loads, short_text
from dpca_core.release.reading import Reading
from dpca_core.release.report import report_html
from dpca_core.runtime.cached_property import cached_property
from dpca_core.text.release_statements import COMMAND, FILES, INSTALL
from dpca_core.text.spreadsheets import neutralise_formulas
from dpca_core.version import software

FORMAT = "dpca-certificate/3"
CERTIFICATE = "certificate.json"
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
        """Return every file by its name, last the certificate of all others."""
        found = _tables(self.reading, self.row)
        found["report.html"] = report_html(self.reading, facts_of(self.row))
        found["README.txt"] = _read_me(self.row, self.plan, found)
        digests = {name: hashlib.sha256(content).hexdigest() for name, content in found.items()}
        certificate = _booked(self.row) | {
            "format": FORMAT,
            "check": {"install": INSTALL, "run": COMMAND},
            "plan": json.loads(self.row.plan),
            "software": software(),
            "files": digests,
        }
        written = json.dumps(certificate, ensure_ascii=False, sort_keys=True, indent=1)
        return found | {CERTIFICATE: written.encode() + b"\n"}

    def zipped(self) -> bytes:
        """Return all files in one archive: the same bytes whenever it is made."""
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
        tried = made / CERTIFICATE
        tried.touch()
        tried.unlink()
    except OSError as error:
        raise LedgerError(f"{made} cannot be written: {error.strerror}.") from None
    return made


def facts_of(row: Row) -> dict[str, Any]:
    """Return what the report says of account and ledger, and how much of the limit is left."""
    limit = row.account.limit
    before, this = (row.total - row.cost) / limit, row.cost / limit
    more = (limit - row.total) // row.cost
    left = {"before": part_words(before), "this": part_words(this), "more": more}
    return _booked(row) | {"left": left}


def _booked(row: Row) -> dict[str, Any]:
    """Return whose account paid, its sister, and the release's place in the ledger."""
    named = ("id", "number", "spent_on", "again_for", "previous")
    release = {name: getattr(row, name) for name in named} | {"spent_before": _spent_before(row)}
    sister = None if row.sister is None else asdict(row.sister)
    return {"account": asdict(row.account), "sister": sister, "release": release}


def _spent_before(row: Row) -> str:
    return short_text(row.total - row.cost)


def _read_me(row: Row, plan: Plan, names: Iterable[str]) -> bytes:
    """Say what each file is, and how to check them."""
    lines = [
        *([PRACTICE, ""] if plan.practice else []),
        f"What was released about {row.account.name}: release {row.number}, {row.spent_on}.",
        "Nothing in these files is private: all may be given to anybody.",
        "",
        *(f"{name:18}{FILES[name]}" for name in (*names, CERTIFICATE)),
        "",
        "To check them, with Python, once:",
        f"    {INSTALL}",
        "then in the folder of these files:",
        f"    {COMMAND}",
    ]
    return "\n".join([*lines, ""]).encode()


def _tables(reading: Reading, row: Row) -> dict[str, bytes]:
    """Return released tables as CSV, whole numbers as drawn, and what is read off them, by name.

    Each names its release by its link, so that none passes with another certificate.
    """
    plan, tables = reading.plan, reading.tables
    names, k = plan.columns, plan.k
    along = [f"direction_{i + 1}" for i in range(k)]
    held = np.maximum([of.people for of in reading.each], 0)
    spectrum = np.column_stack([reading.eigenvalues, held])
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
            ["column", *along],
            _named(names, reading.directions(k)),
        ),
        (
            "spectrum",
            "In people: as released, with noise; corrected, what the direction holds of the exact "
            "matrix, as in report.html, with its 95 % interval.",
            ["number", "released", "corrected", "low", "high"],
            _named(range(1, plan.d + 1), spectrum),
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
        ends = [[reach * (2 * i / b - 1) for i in range(b + 1)] for b in plan.scores.bins]
        counts = (
            (*ends[0][i : i + 2], *ends[1][j : j + 2], int(count))
            for (i, j), count in np.ndenumerate(tables[SCORES])
        )
        said = (
            f"Counts are whole numbers; 1 is {plan.unit(SCORES)} of a row. Bins are along the "
            "first two directions; the outermost hold all that lies beyond."
        )
        head = ["first_from", "first_to", "second_from", "second_to", "count"]
        found.append((SCORES, said, head, counts))
    release = f"Release {row.link}, {_spent_before(row)} spent before"
    practice, written = [PRACTICE] if plan.practice else [], {}
    for name, said, head, cells in found:
        out = io.StringIO()
        for line in (*practice, said, f"{release}: {CERTIFICATE} says what it promises"):
            out.write(f"# {line}\n")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([_cell(value) for value in line] for line in (head, *cells))
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
