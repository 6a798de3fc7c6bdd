"""A certificate names the program that wrote it: its version, and its commit where it is known."""

import subprocess
from pathlib import Path

import pytest

from dpca_core.release import program
from dpca_core.release.program import COMMIT_FILE, UNKNOWN, commit
from tests.core.release.published_cases import made_up, plans, published
from tests.core.verify.certificates import read
from tests.paths import ROOT


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder that stands for an installed package."""
    folder = tmp_path / "site" / "dpca_core"
    folder.mkdir(parents=True)
    return folder


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_the_certificate_names_version_and_commit() -> None:
    of = plans()["matrix alone"]
    files = published(of, made_up(of)).files()
    said = read(files)["software"]
    assert said == {"name": "dpca", "version": program.VERSION, "commit": commit()}
    assert f'version = "{program.VERSION}"' in (ROOT / "pyproject.toml").read_text("utf-8")
    page = files["certificate.html"].decode("utf-8")
    assert f"dpca {program.VERSION}, commit {commit()}" in page


def test_what_the_build_wrote_is_the_commit(package: Path) -> None:
    (package / COMMIT_FILE).write_text("abc123\n", encoding="utf-8")
    assert commit(package) == "abc123"


def test_an_installed_package_asks_nobody(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where a repository lies further up, which is somebody else's."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a program was run")

    git(package.parents[1], "init", "--quiet")
    monkeypatch.setattr(subprocess, "run", refuse)
    assert commit(package) == UNKNOWN


def test_a_checkout_says_where_its_files_differ(package: Path) -> None:
    checkout = package.parent
    (package / "a.py").write_text("", encoding="utf-8")
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
