"""What a build adds to the package: the commit that it is built from, for certificates."""

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMMIT = "dpca_core/commit.txt"


class CommitHook(BuildHookInterface):
    """Writes the commit into the package; a source without its repository keeps what it brings."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file, unless it is there, nobody knows the commit, or nothing is copied."""
        root = Path(self.root)
        if version == "editable" or (root / COMMIT).exists():
            return
        if (commit := commit_of(root)) is None:
            return
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / "commit.txt"
        path.write_text(f"{commit}\n", encoding="utf-8")
        build_data["force_include"][str(path)] = COMMIT


def commit_of(root: Path) -> str | None:
    """Return the commit of a repository, "-dirty" where tracked files differ; None for no other."""
    if not (root / ".git").exists():
        return None
    words = ["git", "--no-optional-locks", "describe", "--always", "--dirty", "--abbrev=40"]
    try:
        done = subprocess.run(
            [*words, "--exclude=*"], cwd=root, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None
