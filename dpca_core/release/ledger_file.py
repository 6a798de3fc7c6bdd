"""Connections to the ledger's file: one for each operation, and only the changes that it may make.

A commit has reached the disk when it returns (``synchronous=EXTRA``: with the folder's entry, so
that a power cut takes nothing back that was spent).
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from dpca_core.release.ledger_errors import LedgerError, ledger_error
from dpca_core.release.ledger_schema import (
    APPLICATION,
    LEAST_SQLITE,
    LEDGER_FORMAT,
    TABLES,
    TRIGGERS,
)

_SETTINGS = ("journal_mode=DELETE", "synchronous=EXTRA", "foreign_keys=ON", "secure_delete=ON")
_HARMLESS = (
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_TRANSACTION,
    sqlite3.SQLITE_FUNCTION,
)
_CHANGED = {
    "account": ("epsilon", "delta"),
    "release": ("status", "result", "result_sha256", "published_on"),
}
"""Columns that an update may name; triggers say when."""


class LedgerFile:
    """A ledger on a disk, or one in memory.

    Parameters
    ----------
    path
        None for memory: what is practised leaves nothing behind.
    patience
        Seconds to wait for another program that holds the file.
    """

    def __init__(self, path: Path | None, patience: float) -> None:
        if sqlite3.sqlite_version_info < LEAST_SQLITE:
            raise LedgerError("The ledger needs SQLite 3.37 or newer: update Python.")
        self.path, self._patience = path, patience
        self._turn = threading.RLock()
        self._memory = None
        if path is None:
            self._memory = self._connect()
            self._prepare(self._memory)

    def exists(self) -> bool:
        """Tell whether there is a file with anything in it."""
        try:
            return self.path is None or self.path.stat().st_size > 0
        except OSError:
            return False

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read one state of the ledger.

        Raises
        ------
        LedgerError
            Where there is none, or it cannot be read.
        """
        with self._transaction("BEGIN", "") as connection:
            yield connection

    @contextmanager
    def writing(self, outcome: str, *, create: bool = False) -> Iterator[sqlite3.Connection]:
        """Change the ledger alone; whatever is raised inside takes every change back.

        Parameters
        ----------
        outcome
            Sentence for messages: what it means that nothing was written.
        create
            Whether to make a file where there is none.

        Raises
        ------
        LedgerError
            Where it cannot be written.
        """
        if create and self.path is not None and not self.exists():
            _create(self.path)
        with self._transaction("BEGIN IMMEDIATE", outcome, create) as connection:
            yield connection

    @contextmanager
    def _transaction(
        self, begin: str, outcome: str, create: bool = False
    ) -> Iterator[sqlite3.Connection]:
        if not create and not self.exists():
            raise LedgerError(f"There is no ledger at {self.path}: open an account first.")
        self._require_one_name()
        try:
            with self._opened(create) as connection:
                connection.execute(begin)
                try:
                    yield connection
                    connection.execute("COMMIT")
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise ledger_error(error, self.path, outcome) from error

    @contextmanager
    def _opened(self, create: bool) -> Iterator[sqlite3.Connection]:
        if self._memory is not None:
            with self._turn:
                yield self._memory
            return
        with closing(self._connect()) as connection:
            if create:
                self._prepare(connection)
            self._require_format(connection)
            connection.set_authorizer(_authorised)
            yield connection

    def _require_one_name(self) -> None:
        """Refuse a file with several names (hard links): a crash under one is repaired there alone.

        Under another name half of a change would be read, or what was spent since would be lost
        when the first name's journal is played back. A symbolic link, to the file or to a folder
        above it, is no such name: locks and journal are those of the file that it leads to.
        """
        if self.path is not None and self.exists() and self.path.stat().st_nlink > 1:
            raise LedgerError(
                f"The ledger {self.path} has a second name (a hard link): remove the other one."
            )

    def _connect(self) -> sqlite3.Connection:
        """Open a connection; never makes a file."""
        path = self.path
        name = ":memory:" if path is None else f"{path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(
            name,
            uri=self.path is not None,
            timeout=self._patience,
            isolation_level=None,
            check_same_thread=False,
        )
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}")
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Make the tables of an empty file, unless another program just did."""
        connection.execute("BEGIN IMMEDIATE")
        empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if empty:
            for statement in (*TABLES, *TRIGGERS):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id={APPLICATION}")
            connection.execute(f"PRAGMA user_version={LEDGER_FORMAT}")
        connection.execute("COMMIT")
        if self.path is None:
            connection.set_authorizer(_authorised)

    def _require_format(self, connection: sqlite3.Connection) -> None:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        form = connection.execute("PRAGMA user_version").fetchone()[0]
        if application != APPLICATION or form < 1:
            raise LedgerError(f"{self.path} is no ledger: name another file.")
        if form > LEDGER_FORMAT:
            raise LedgerError(
                f"The ledger {self.path} was written by a newer version of this program: use that."
            )


def _create(path: Path) -> None:
    """Make an empty file that only its owner can read, in a folder of the same kind."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise LedgerError(f"The ledger {path} cannot be made: {error.strerror}.") from None


def _authorised(
    action: int, first: str | None, second: str | None, database: str | None, trigger: str | None
) -> int:
    """Allow to read, to insert, and to change the few columns that may change."""
    if action in _HARMLESS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_INSERT and first in _CHANGED:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_UPDATE and second in _CHANGED.get(first or "", ()):
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY
