"""Where bytes come from: files that were uploaded, and files on this machine, opened with care."""

import io
import os
from contextlib import suppress
from pathlib import Path, PurePath
from stat import S_ISREG
from typing import BinaryIO, cast

from dpca_core.data.column_names import shown
from dpca_core.data.errors import TableError
from dpca_core.tables.files import Upload

PARQUET = b"PAR1"
_LONGEST_NAME = 60


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


def begins_with(given: Upload | Path, mark: bytes) -> bool:
    """Tell whether a file begins with some bytes."""
    with open_file(given) as opened:
        return opened.read(len(mark)) == mark
