"""Which program a certificate names: its version, and the commit that it was built from."""

import subprocess
from pathlib import Path

from dpca_core.version import COMMIT_FILE, UNKNOWN, VERSION, commit, software
from tests.paths import ROOT


def git(folder: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_the_certificate_names_version_and_commit():
    assert software() == {"name": "dpca", "version": VERSION, "commit": commit()}
    assert f'version = "{VERSION}"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_a_built_package_asks_nobody_and_a_checkout_says_where_its_files_differ(tmp_path):
    """What the build wrote is believed even where a repository of somebody else lies further up."""
    package = tmp_path / "site" / "dpca_core"
    package.mkdir(parents=True)

    def said():
        commit.cache_clear()
        return commit(package)

    git(tmp_path, "init", "--quiet")
    assert said() == UNKNOWN
    (package / COMMIT_FILE).write_text("abc123\n", encoding="utf-8")
    assert said() == "abc123"
    (package / COMMIT_FILE).rename(package / "a.py")
    git(package.parent, "init", "--quiet")
    assert said() == UNKNOWN
    git(package.parent, "add", "dpca_core/a.py")
    git(package.parent, "commit", "--quiet", "-m", "a")
    last = git(package.parent, "rev-parse", "HEAD")
    assert said() == last
    (package / "a.py").write_text("1\n", encoding="utf-8")
    assert said() == f"{last}-dirty"
    commit.cache_clear()
