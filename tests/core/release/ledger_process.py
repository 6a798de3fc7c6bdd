"""A process of its own that works on a ledger: ``python -m tests.core.release.ledger_process``."""

import os
import signal
import sys
from pathlib import Path

from dpca_core.release.ledger import Account, Ledger, LedgerError, OverLimit
from tests.core.release.cases import some_plan


def spend_often(account: Account) -> None:
    """Try twenty releases; print how many were admitted."""
    admitted = 0
    for _ in range(20):
        try:
            account.spend(some_plan())
        except OverLimit:
            continue
        admitted += 1
    print(admitted)


def die_writing(account: Account) -> None:
    """Be killed in the middle of a change that has reached the file in part."""
    with account.file.writing("") as connection:
        connection.set_authorizer(None)
        connection.execute("PRAGMA cache_size=1")
        connection.execute(
            "INSERT INTO account VALUES (?, '', 'Half', ?, 'replace_one', '1', '0', '0', '')",
            ("half", "x" * 10**6),
        )
        os.kill(os.getpid(), signal.SIGKILL)


def finish(account: Account) -> None:
    """Finish the first release with a result of this process's own; print what is shown."""
    row = account.releases()[0]
    try:
        row = account.publish(account.begin_drawing(row), os.urandom(20_000))
    except LedgerError:
        while (row := account.release(row.id)).result is None:
            pass
    print(row.result_sha256)


def read_only(account: Account) -> None:
    """Spend as a user who may only read; print what is said."""
    plan = some_plan()
    # No permission binds root.
    if os.getuid() == 0:
        os.setuid(65534)
    print(len(account.releases()))
    try:
        account.spend(plan)
    except LedgerError as error:
        print(error)


if __name__ == "__main__":
    _, what, path = sys.argv
    globals()[what](Ledger(Path(path)).account("Clinic"))
