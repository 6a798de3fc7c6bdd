"""Where bytes come from: files that were uploaded, and files on this machine, opened with care."""

import gzip
import io
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from stat import S_ISREG
from typing import BinaryIO, cast
from zlib import error as zlib_error

from dpca_core.data.column_names import shown
from dpca_core.data.errors import TableError

MAX_BYTES = 1024**3
"""Largest content of an upload after unpacking."""
GZIP, PARQUET = b"\x1f\x8b", b"PAR1"
GZIP_ENDING = ".gz"
_UNPACKED_AT_A_TIME = 2**12
"""Bytes: of a damaged file no more than this is lost before the place where it breaks off."""
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Upload:
    """A file in memory, as it was uploaded: text (perhaps gzipped) or Parquet.

    Attributes
    ----------
    name
        Name of the file; its ending and the first bytes tell the format.
    content
        The file.
    """

    name: str
    content: bytes


def name_of(given: Upload | Path) -> str:
    """Return a file's name for messages: its last part, on one line and short."""
    if isinstance(given, Upload):
        last, otherwise = PurePath(given.name.replace("\\", "/")).name, "The file"
    else:
        last, otherwise = given.absolute().name, "The folder"
    return shown(last)[-_LONGEST_NAME:].strip() or otherwise


def open_file(given: Upload | Path) -> BinaryIO:
    """Open a file for reading: never a link, and never what only looks like a file.

    A path is checked after it is opened, so that nobody can put something else in its place in
    between; opening never waits, as it would for a pipe that nobody writes to.

    Raises
    ------
    TableError
        For a link, a pipe, a device, a folder, or a file that may not be read.
    """
    if isinstance(given, Upload):
        return io.BytesIO(given.content)
    flags = os.O_RDONLY
    for extra in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, extra, 0)
    name = name_of(given)
    if given.is_symlink():
        raise TableError(f"{name} is a symbolic link: give the path of the file itself.")
    try:
        number = os.open(given, flags)
    except FileNotFoundError:
        raise TableError(f"There is no file {name}.") from None
    except OSError:
        raise TableError(f"{name} cannot be opened: check its permissions.") from None
    if not S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise TableError(f"{name} is not a file: give a CSV or Parquet file.")
    return cast(BinaryIO, os.fdopen(number, "rb"))


def path_to_opened(opened: BinaryIO, path: Path) -> str:
    """Return a path that leads to an opened file even if another is put in its place."""
    with suppress(OSError, ValueError):
        known = f"/proc/self/fd/{opened.fileno()}"
        if os.path.samestat(os.stat(known), os.fstat(opened.fileno())):
            return known
    return str(path)


def size_of(opened: BinaryIO) -> int:
    """Return how many bytes a file has that was just opened."""
    size = opened.seek(0, os.SEEK_END)
    opened.seek(0)
    return size


class FileBytes:
    """The bytes of an opened file, unpacked if it is gzipped.

    In silent reading a file that is damaged or becomes shorter ends there, and there is no limit.
    Where there is no header to go by either, only the ending of the name tells a gzipped file.
    """

    def __init__(
        self, given: Upload | Path, *, silent: bool = False, by_ending: bool = False
    ) -> None:
        self.name, self._silent = name_of(given), silent
        self._raw = open_file(given)
        self.size = size_of(self._raw)
        packed = self._raw.read(len(GZIP)) == GZIP
        if by_ending:
            packed = given.name.lower().endswith(GZIP_ENDING)
        self._raw.seek(0)
        self._file = cast(BinaryIO, gzip.GzipFile(fileobj=self._raw)) if packed else self._raw
        self._packed, self._broken, self._rest = packed, False, b""
        self._limit = MAX_BYTES if isinstance(given, Upload) and not silent else None
        self._unpacked = 0

    def read(self, size: int) -> bytes:
        """Read up to some bytes; none at the end.

        Raises
        ------
        TableError
            For a damaged gzip file, a file that has become shorter since it was opened, or an
            upload that unpacks to more than ``MAX_BYTES``; in silent reading only where the disk
            fails.
        """
        found = self._piecewise(size) if self._packed else self._found(size)
        if not found and self._raw.tell() < self.size and not self._silent:
            raise TableError(f"{self.name} became shorter while it was being read: try again.")
        self._unpacked += len(found)
        if self._limit is not None:
            require_size(self.name, self._unpacked)
        return found

    def _piecewise(self, size: int) -> bytes:
        """Unpack up to some bytes, in calls for as many as always.

        ``gzip`` loses what it unpacked in the call that fails; so it does not depend on ``size``
        where a damaged file ends.
        """
        pieces, ready = [self._rest], len(self._rest)
        while ready < size and (found := self._found(_UNPACKED_AT_A_TIME)):
            pieces.append(found)
            ready += len(found)
        content = b"".join(pieces)
        self._rest = content[size:]
        return content[:size]

    def _found(self, size: int) -> bytes:
        """Return what one call reads; none behind a place where a file that is damaged ends."""
        if self._broken:
            return b""
        read = cast(gzip.GzipFile, self._file).read1 if self._packed else self._file.read
        try:
            return read(size)
        except (EOFError, OSError, zlib_error) as error:
            if getattr(error, "errno", None) is not None:
                raise TableError(
                    f"{self.name} cannot be read: the disk reports an error."
                ) from None
            if not self._silent:
                raise TableError(f"{self.name} is a damaged gzip file.") from None
            self._broken = True
            return b""

    @property
    def read_so_far(self) -> int:
        """Bytes of the file as it lies that have been read."""
        return self._raw.tell()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._raw.close()

    def __enter__(self) -> "FileBytes":
        """Use it for a while."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()


def require_size(name: str, size: int) -> None:
    """Refuse an upload of more than ``MAX_BYTES``."""
    if size > MAX_BYTES:
        limit = f"{MAX_BYTES / 1024**3:g} GB"
        raise TableError(f"{name} unpacks to more than {limit}, which is the limit here.")


def begins_with(given: Upload | Path, mark: bytes) -> bool:
    """Tell whether a file begins with some bytes."""
    with open_file(given) as opened:
        return opened.read(len(mark)) == mark
