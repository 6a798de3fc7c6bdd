"""What a release is once it is stored: numbers that anybody may have, and every file made of them.

All of it is a function of one row of the ledger: the plan, the account and the released tables. It
can be made again at any time by the same program, byte for byte, without the private table.
"""

import io
import os
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from dpca_core.linalg.arrays import Array
from dpca_core.release.certificate import certificate_html, certificate_json
from dpca_core.release.drawn import Drawn, from_bytes
from dpca_core.release.ledger import LedgerError, Row
from dpca_core.release.matrix_reading import MatrixReading
from dpca_core.release.plan import Plan
from dpca_core.release.release_files import release_files
from dpca_core.release.report import report_html

_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""Time stamp of files in a zip archive: the first it can hold, the same for every release."""
_LONGEST_FILE = "certificate.html"
"""No file of a release has a longer name."""


@dataclass(frozen=True, eq=False)
class PublishedRelease:
    """A stored release.

    Attributes
    ----------
    row
        Of the ledger: plan, account, totals up to this release.
    drawn
        The released tables of whole numbers.
    """

    row: Row
    drawn: Drawn

    @classmethod
    def of(cls, row: Row) -> "PublishedRelease":
        """Read a row that is published.

        Raises
        ------
        LedgerError
            For a row without a result.
        """
        if row.result is None:
            raise LedgerError(f"Release {row.number} has no result yet: finish it first.")
        return cls(row, from_bytes(row.result))

    @property
    def plan(self) -> Plan:
        """All public settings."""
        return self.row.plan

    @property
    def matrix(self) -> Array:
        """The noisy second-moment sum S̃ (d, d), in people."""
        return self.reading.matrix

    @property
    def reading(self) -> MatrixReading:
        """What can be read off the matrix: directions, spectrum and their uncertainty."""
        return MatrixReading.of(self.plan, self.drawn)

    def directions(self, k: int | None = None) -> Array:
        """Return the top k directions (d, k), those of the plan's k where none is given."""
        return self.reading.directions(self.plan.k if k is None else k)

    def files(self) -> dict[str, bytes]:
        """Return every file by its name: tables, certificate and report."""
        found = release_files(self.plan, self.drawn)
        # Each of these holds digests of those before it: the certificate those of all others.
        found["report.html"] = report_html(self.row, self.drawn, found)
        found["certificate.html"] = certificate_html(self.row, found)
        found["certificate.json"] = certificate_json(self.row, found)
        return found

    def zipped(self) -> bytes:
        """Return all files in one zip archive, whose bytes are the same whenever it is made."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.files().items():
                entry = zipfile.ZipInfo(name, _EARLIEST)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, content)
        return out.getvalue()

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Write all files into a folder that is empty or absent; it appears when all are written.

        Raises
        ------
        LedgerError
            Where the folder holds something, or cannot be written.
        """
        target = Path(folder)
        require_empty(target)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=target.parent, prefix=".dpca-") as made:
                ready = Path(made) / "files"
                ready.mkdir()
                for name, content in self.files().items():
                    (ready / name).write_bytes(content)
                if target.exists():
                    target.rmdir()
                ready.rename(target)
        except OSError as error:
            raise LedgerError(f"{target} cannot be written: {error.strerror}.") from None
        return target


def require_empty(folder: Path) -> None:
    """Refuse a folder with something in it.

    A link in its own name cannot be replaced by a folder; links above it are followed, as homes
    and disks often lie behind one.

    Raises
    ------
    LedgerError
        For a file or link of that name, or a folder that is not empty.
    """
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise LedgerError(f"{folder} is not an empty folder: name a new one.")


def require_writable(folder: Path) -> None:
    """Refuse a folder that ``save`` could not write, by doing what it does; nothing of it stays.

    Raises
    ------
    LedgerError
        For a folder that is not empty, and a place where no folder can be made.
    """
    try:
        require_empty(folder)
        # A link that leads nowhere is there, and no folder can be made below it.
        place = next(above for above in folder.absolute().parents if os.path.lexists(above))
        absent = folder.absolute().relative_to(place)
        if ".." in absent.parts:
            raise LedgerError(
                f"{folder} cannot be written: “..” follows a folder that does not exist."
            )
        with tempfile.TemporaryDirectory(dir=place, prefix=".dpca-") as made:
            if folder.exists():
                # A folder in use, such as a mounted one, cannot be replaced by another.
                moved = folder.rename(Path(made) / "moved")
                moved.rename(folder)
            # Names that are too long, alone or together, fail here and not after spending.
            tried = Path(made) / absent / "files"
            tried.mkdir(parents=True)
            (tried / _LONGEST_FILE).touch()
    except OSError as error:
        raise LedgerError(f"{folder} cannot be written: {error.strerror}.") from None
