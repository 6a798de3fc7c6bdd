"""Where the ledger is, unless somebody names another place."""

import os
from pathlib import Path

VARIABLE = "DPCA_LEDGER"
"""Environment variable with the path of a server's ledger."""


def server_ledger() -> Path | None:
    """Return the path that the operator set; None where none is set."""
    named = os.environ.get(VARIABLE, "").strip()
    return Path(named).expanduser() if named else None


def ledger_path() -> Path:
    """Return the operator's path, or the one that is proposed in the user's folder for data."""
    return server_ledger() or _data_folder() / "dpca" / "ledger.sqlite"


def _data_folder() -> Path:
    """Return the folder for data of programs: of the XDG rules, or of Windows."""
    for variable in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        named = os.environ.get(variable, "")
        if named and Path(named).is_absolute():
            return Path(named)
    return Path.home() / ".local" / "share"
