"""What is installed is what was tested: every version is pinned and every file has a hash."""

import re

import pytest

from tests.paths import ROOT

LOCKS = {
    "requirements-installer.lock": ("requirements-installer.txt",),
    "requirements.lock": ("requirements.txt",),
    "requirements-dev.lock": (
        "requirements.txt",
        "requirements-dev.txt",
        "requirements-dask.txt",
    ),
    "requirements-login.lock": ("requirements.txt", "requirements-login.txt"),
}
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    found = PIN.findall((ROOT / name).read_text("utf-8"))
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in found}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_the_versions_that_are_pinned(lock: str) -> None:
    locked, constrained = pins(lock), pins("constraints.txt")
    asked = {name: version for file in LOCKS[lock] for name, version in pins(file).items()}
    assert asked.items() <= locked.items()
    if lock != "requirements-installer.lock":
        assert len(locked) > 40
    for name in locked.keys() - asked.keys():
        assert locked[name] == constrained.get(name), f"{name} is not in constraints.txt"


@pytest.mark.parametrize("lock", LOCKS)
def test_every_file_has_a_hash_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    entries = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(entries) == len(pins(lock)) > 0
    for entry in entries:
        hashes = re.findall(r"--hash=sha256:([0-9a-f]{64})(?:\s|$)", entry)
        assert hashes, entry.partition("\n")[0]
        assert len(hashes) == entry.count("--hash")
    assert "://" not in text
    assert "--index" not in text


def test_what_is_installed_is_installed_by_hashes() -> None:
    """Every line that installs names a lock and wants its hashes, or installs the project alone."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    called = re.findall(r"\$\(call INSTALL,(.+)\)", makefile)
    assert called == ["requirements.lock", "requirements-dev.lock"]
    lines = [x.replace("$(1)", called[0]) for x in makefile.splitlines()]
    docker = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    installing = [x for x in lines if "$(PIP)" in x or "-m uv pip install" in x]
    installing += [x for x in docker.splitlines() if "pip install" in x]
    itself = [x for x in installing if "-e ." in x]
    assert (len(installing), len(itself)) == (6, 2)
    for line in installing:
        if line in itself:
            assert "--no-deps --no-build-isolation -e ." in line
            assert "-r " not in line
        else:
            assert "--require-hashes" in line
            assert re.search(r"-r requirements(-\w+)?\.lock", line)
        assert ".txt" not in line
