"""Which program this is: its version and, where that is known, its commit."""

import subprocess
from functools import cache
from pathlib import Path

NAME, VERSION = "dpca", "0.3.0"
"""Of this package; a test compares them with the project's."""
UNKNOWN = "unknown"
COMMIT_FILE = "commit.txt"
"""Beside this file: hatch_build.py writes it when it builds from a repository."""
_PACKAGE = Path(__file__).parent
_GIT = "git --no-optional-locks describe --always --dirty --abbrev=40 --exclude=*"


@cache
def commit(package: Path = _PACKAGE) -> str:
    """Return the commit that a package was built from.

    A checkout asks git, once in a process: "-dirty" follows where tracked files differ from the
    commit. Elsewhere it is what the build wrote, or ``UNKNOWN``; nothing is run.
    """
    written = package / COMMIT_FILE
    if written.is_file():
        return written.read_text("utf-8").strip() or UNKNOWN
    if not (package.parent / ".git").exists():
        return UNKNOWN
    try:
        done = subprocess.run(
            _GIT.split(),
            cwd=package.parent,
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError):
        return UNKNOWN
    return done.stdout.strip() or UNKNOWN


def software() -> dict[str, str]:
    """Return what a certificate says of the program."""
    return {"name": NAME, "version": VERSION, "commit": commit()}
