"""What every file keeps to: it holds nothing of a machine."""

import re
import subprocess
from contextlib import suppress
from pathlib import Path

from tests.paths import ROOT

MACHINE_PATH = re.compile(r"(?<![\w.:/*-])/(?:work|root|home|Users|mnt)/\w|\b[A-Z]:\\Users")


def tracked():
    """Files of the repository, those not committed yet included."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    names = [Path(name) for name in filter(None, run.stdout.decode().split("\0"))]
    return [name for name in names if (ROOT / name).is_file()]


def test_no_path_of_somebodys_machine():
    found = []
    for name in tracked():
        with suppress(UnicodeDecodeError):
            text = (ROOT / name).read_text("utf-8")
            found += [f"{name}: {match[0]}" for match in MACHINE_PATH.finditer(text)]
    assert found == []
