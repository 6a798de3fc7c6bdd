"""The ledger: accounts of people, each with a limit, and every release that was spent from it."""

import os
import uuid
from fractions import Fraction
from pathlib import Path

from dpca_core.privacy.budget import Adjacency
from dpca_core.release.ledger_account import Account
from dpca_core.release.ledger_checks import require_account
from dpca_core.release.ledger_errors import LedgerError, LedgerFull, OverLimit
from dpca_core.release.ledger_file import LedgerFile
from dpca_core.release.ledger_place import ledger_path, server_ledger
from dpca_core.release.ledger_queries import (
    OPEN,
    account_of,
    limit_texts,
    read_account,
    read_accounts,
    today,
)
from dpca_core.release.ledger_rows import AccountFacts, Row, Status
from dpca_core.release.spending import Limit

__all__ = [
    "Account",
    "AccountFacts",
    "Ledger",
    "LedgerError",
    "LedgerFull",
    "Limit",
    "OverLimit",
    "Row",
    "Status",
    "ledger_path",
    "server_ledger",
]

PATIENCE = 30.0
"""Seconds to wait for another program that holds the ledger."""


class Ledger:
    """A ledger on a disk; nothing is made before an account is opened.

    Parameters
    ----------
    path
        Of its file, on a local disk.
    owner
        Whose accounts: the subject of a login, or empty without one.
    patience
        Seconds to wait for another program.
    """

    def __init__(
        self, path: str | os.PathLike[str], owner: str = "", patience: float = PATIENCE
    ) -> None:
        self._file = LedgerFile(Path(path), patience)
        self.owner = owner

    @classmethod
    def in_memory(cls) -> "Ledger":
        """Return a ledger for practice on built-in data, which leaves nothing behind."""
        ledger = cls.__new__(cls)
        ledger._file, ledger.owner = LedgerFile(None, PATIENCE), ""
        return ledger

    @property
    def path(self) -> Path | None:
        """Its file; None for a practice ledger."""
        return self._file.path

    def open_account(
        self,
        name: str,
        people: str,
        neighbours: Adjacency,
        epsilon: Fraction,
        delta: Fraction,
        pure: Fraction = Fraction(0),
    ) -> "Account":
        """Open an account: a group of people and what may be learned about one of them in all.

        Parameters
        ----------
        people
            Who they are, in the owner's words: published.
        epsilon, delta
            The limit, exact decimals; it can only be lowered.
        pure
            The part of ε that is set aside for pure releases after a Gaussian one.

        Raises
        ------
        LedgerError
            For a name that is taken, a limit that is none, and a file that cannot be written.
        """
        limit = Limit(epsilon, delta, pure)
        require_account(name, people, limit)
        facts = AccountFacts(str(uuid.uuid4()), name, people, Adjacency(neighbours), today())
        with self._file.writing("No account was opened.", create=True) as connection:
            if any(known.name == name for known, _ in read_accounts(connection, self.owner)):
                raise LedgerError(f"There is an account “{name}” already: choose another name.")
            connection.execute(
                OPEN,
                (
                    facts.id,
                    self.owner,
                    name,
                    people,
                    facts.neighbours.value,
                    *limit_texts(limit),
                    facts.opened_on,
                ),
            )
        return Account(self._file, self.owner, facts, limit)

    def account(self, name: str) -> "Account":
        """Return an account of the owner's.

        Raises
        ------
        LedgerError
            Where there is none of this name.
        """
        with self._file.reading() as connection:
            return Account(self._file, self.owner, *read_account(connection, self.owner, name))

    def accounts(self) -> tuple["Account", ...]:
        """Return all accounts of the owner's, in the order of their names; none without a file."""
        if not self._file.exists():
            return ()
        with self._file.reading() as connection:
            return tuple(
                Account(self._file, self.owner, *found)
                for found in read_accounts(connection, self.owner)
            )

    def find(self, release: str) -> tuple["Account", Row]:
        """Return a release by its id, and its account.

        Raises
        ------
        LedgerError
            Where no account of the owner has it.
        """
        with self._file.reading() as connection:
            name = account_of(connection, self.owner, release)
        account = self.account(name)
        return account, account.release(release)
