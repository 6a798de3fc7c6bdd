"""Which program a certificate names: its version, and the commit that it was built from."""

import subprocess
from pathlib import Path

import pytest

from dpca_core.version import COMMIT_FILE, UNKNOWN, VERSION, commit, software
from tests.paths import ROOT


@pytest.fixture
def package(tmp_path):
    """A folder that stands for an installed package."""
    folder = tmp_path / "site" / "dpca_core"
    folder.mkdir(parents=True)
    return folder


def git(folder: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_the_certificate_names_version_and_commit():
    assert software() == {"name": "dpca", "version": VERSION, "commit": commit()}
    assert f'version = "{VERSION}"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_an_installed_package_knows_what_the_build_wrote_and_asks_nobody(package, monkeypatch):
    """Not even where a repository lies further up, which is somebody else's."""
    git(package.parents[1], "init", "--quiet")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("a program was run"))
    assert commit(package) == UNKNOWN
    commit.cache_clear()
    (package / COMMIT_FILE).write_text("abc123\n", encoding="utf-8")
    assert commit(package) == "abc123"


def test_a_checkout_says_where_its_files_differ(package):
    checkout = package.parent
    (package / "a.py").touch()
    git(checkout, "init", "--quiet")
    assert commit(package) == UNKNOWN
    git(checkout, "add", "dpca_core/a.py")
    git(checkout, "commit", "--quiet", "-m", "a")
    commit.cache_clear()
    last = git(checkout, "rev-parse", "HEAD")
    assert commit(package) == last
    (package / "a.py").write_text("1\n", encoding="utf-8")
    commit.cache_clear()
    assert commit(package) == f"{last}-dirty"
    commit.cache_clear()
