"""The command line where files cannot be written, or what writes them is not installed."""

from pathlib import Path

import pytest

from dpca_core.release.ledger import LedgerError
from dpca_core.release.published_release import PublishedRelease, require_writable
from tests.core.release import test_command_line
from tests.core.release.published_cases import made_up, plans, published
from tests.core.release.test_command_line import Shell

shell = test_command_line.shell
WITHOUT = """
import sys
sys.modules[{module!r}] = None
from dpca_core.release.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
"""The command line where a module is not installed."""


@pytest.mark.parametrize(
    "out",
    [
        "afile/pub", "afile", "link", "nowhere-link", ".", "o" * 300, f"new/{'o' * 300}",
        f"new/{'o' * 300}/pub", "new/..", "new/../pub", "empty/new/../pub", "/".join(2000 * ["oo"]),
    ],
)  # fmt: skip
def test_nothing_is_spent_for_a_place_that_cannot_be_written(shell: Shell, out: str) -> None:
    (shell.folder / "afile").write_text("", encoding="utf-8")
    (shell.folder / "empty").mkdir()
    (shell.folder / "link").symlink_to("empty")
    (shell.folder / "nowhere-link").symlink_to("nowhere")
    shell.open()
    before = sorted(shell.folder.rglob("*"))
    refused = shell.draw(out, "--yes")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "cannot be written: " in refused.stderr or "not an empty folder" in refused.stderr
    assert shell.account()["releases"] == []
    assert sorted(shell.folder.rglob("*")) == before


def test_the_longest_path_that_is_allowed_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paths near the longest that a system has: single names are short."""

    def target(letters: int) -> Path:
        room = letters - len(str(tmp_path))
        return tmp_path.joinpath(*["o" * 99] * (room // 100), "p" * (room % 100))

    def allowed(letters: int) -> bool:
        try:
            require_writable(target(letters))
        except LedgerError:
            return False
        return True

    found = [letters for letters in range(4000, 4100) if allowed(letters)]
    assert found == list(range(4000, 4000 + len(found)))
    assert 0 < len(found) < 100
    of = plans()["matrix alone"]
    release = published(of, made_up(of))
    names = release.files().keys()
    monkeypatch.setattr(PublishedRelease, "files", lambda _: dict.fromkeys(names, b""))
    release.save(target(found[-1]))
    assert {path.name for path in target(found[-1]).iterdir()} == names


def test_a_folder_that_cannot_be_replaced_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a mounted one: ``save`` would fail there, after spending."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LedgerError, match=r"^\. cannot be written: .*\.$"):
        require_writable(Path("."))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("out", ["pub", "new/folders/pub", "empty", "with a space/pub"])
def test_a_place_is_tried_without_a_trace(shell: Shell, out: str) -> None:
    (shell.folder / "empty").mkdir()
    shell.open()
    before = sorted(shell.folder.rglob("*"))
    assert shell.draw(out, "--dry-run").returncode == 0
    assert sorted(shell.folder.rglob("*")) == before
    drawn = shell.draw(out, "--yes")
    assert drawn.returncode == 0, drawn.stderr
    if " " in out:
        assert "verify 'with a space/pub/certificate.json' 'with a space/pub'/*" in drawn.stdout
    else:
        assert f"verify {out}/certificate.json {out}/*" in drawn.stdout


def test_a_disk_that_fails_after_spending_has_a_code_of_its_own(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, content: bytes) -> int:
        raise OSError(28, "No space left on device")

    shell.open()
    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_bytes", full)
        failed = shell.draw("out", "--yes")
    assert failed.returncode == 5
    (release,) = shell.account()["releases"]  # type: ignore[misc]
    assert release["status"] == "published"
    assert failed.stderr == (
        "out cannot be written: No space left on device. The release is stored; to write it: "
        f"python -m dpca_core.release again {release['id']} --out DIR --ledger ledger.sqlite\n"
    )
    assert shell.run("again", release["id"], "--out", "out").returncode == 0


def test_files_that_cannot_be_made_are_told_from_wrong_arguments(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: PublishedRelease) -> dict[str, bytes]:
        raise KeyError("in a report")

    shell.open()
    with monkeypatch.context() as program:
        program.setattr(PublishedRelease, "files", broken)
        failed = shell.draw("out", "--yes")
    assert failed.returncode == 5
    assert failed.stderr.startswith("The files could not be made. The release is stored")


def test_every_help_names_every_exit_code(shell: Shell) -> None:
    for words in ((), ("open",), ("draw",), ("finish",), ("again",), ("account",)):
        said = shell.run(*words, "--help").stdout.partition("exit codes:")[2].splitlines()
        assert [int(line.split()[0]) for line in said if line.strip()] == [0, 2, 3, 4, 5, 130]


@pytest.mark.parametrize("module", ["jinja2", "pandas", "pyarrow"])
def test_what_is_not_installed_is_named_before_anything_is_spent(shell: Shell, module: str) -> None:
    told = shell.python("-c", WITHOUT.format(module=module), "--help")
    assert told.returncode == 0, told.stderr
    refused = shell.python("-c", WITHOUT.format(module=module), "account", "NAME", *shell.ledger)
    assert refused.returncode == 2
    assert refused.stderr == (
        f"A release needs {module}: "
        "pip install '.[release]' in this project’s folder adds what is missing.\n"
    )
