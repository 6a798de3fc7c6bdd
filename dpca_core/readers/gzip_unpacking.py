"""The bytes of a file, unpacked where it is gzipped, up to a limit."""

import gzip
from pathlib import Path
from typing import BinaryIO, cast
from zlib import error as zlib_error

from dpca_core.data.errors import TableError
from dpca_core.readers.file_access import name_of, open_file, size_of
from dpca_core.tables.files import Upload

MAX_BYTES = 1024**3
"""Largest content of an upload after unpacking."""
GZIP = b"\x1f\x8b"
GZIP_ENDING = ".gz"
_UNPACKED_AT_A_TIME = 2**12
"""Bytes: of a damaged file no more than this is lost before the place where it breaks off."""


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
