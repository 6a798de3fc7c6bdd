"""Real data sets that are not part of the project: where they are, if they are here."""

import os
from pathlib import Path

FOLDER = Path(os.environ.get("DPCA_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))


def path_of(name: str) -> Path | None:
    """Path of a data file in the folder that DPCA_DATA names; None where it is absent."""
    path = FOLDER / name
    return path if path.is_file() else None
