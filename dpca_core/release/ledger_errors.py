"""What the ledger refuses, in sentences: nothing of them depends on a table."""

import sqlite3
from pathlib import Path


class LedgerError(ValueError):
    """The ledger cannot do what was asked; the message is one sentence, or two."""


class OverLimit(LedgerError):
    """A release does not fit the account's limit; nothing was spent."""


class LedgerFull(LedgerError):
    """There is no room on the ledger's disk."""


def ledger_error(error: sqlite3.Error, path: Path | None, outcome: str) -> LedgerError:
    """Translate an error of SQLite.

    Parameters
    ----------
    outcome
        A sentence on what has happened, or has not.
    """
    where = "The practice ledger" if path is None else f"The ledger {path}"
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    kind = LedgerError
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        said = f"{where} is in use by another program: try again."
    elif code == sqlite3.SQLITE_FULL:
        kind, said = LedgerFull, f"There is no room on the disk of {_lower(where)}."
    elif code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        said = f"{where} cannot be written: it or its folder is read-only."
    elif code == sqlite3.SQLITE_CANTOPEN:
        said = f"{where} cannot be opened: it or its folder is read-only, or somebody else’s."
    elif code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        said = f"{where} cannot be read: it is no ledger, or damaged."
    elif code == sqlite3.SQLITE_IOERR:
        kind, said = LedgerFull, f"{where} could not be read or written: its disk gave an error."
    else:
        said = f"{where} refused this: it allows no such change."
    return kind(f"{said} {outcome}".rstrip())


def _lower(where: str) -> str:
    return where[0].lower() + where[1:]
