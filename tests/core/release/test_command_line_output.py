"""The command line where nobody can read what it prints, and where its files cannot be written.

Its exit code says what was done. Output is buffered as that of a shell's pipe is.
"""

import os
import shlex
import subprocess
import sys
from bisect import bisect_left
from pathlib import Path

import pytest

from dpca_core.release.ledger import LedgerError
from dpca_core.release.published_release import PublishedRelease, require_writable
from tests.cases import sampled
from tests.core.release import test_command_line
from tests.core.release.cases import plans, published
from tests.core.release.test_command_line import ENVIRONMENT, NAME, Shell

shell = test_command_line.shell

FULL = Path("/dev/full")

GONE, FULL_DISK, CLOSED = "its reader is gone", "its disk is full", "it is closed"


def drawing(shell: Shell, out: str, *more: str) -> list[str]:
    """Return the words of a command that draws a release."""
    words = shell.words(out, "--yes", *more, *shell.ledger)
    return [sys.executable, "-m", "dpca_core.release", *words]


def run(words: list[str], output: str, *, error_too: bool = False, **environment: str) -> int:
    """Run a command whose output nobody can read; return its exit code."""
    reader, writer = os.pipe()
    os.close(reader)
    full = os.open(FULL, os.O_WRONLY)
    to = full if output == FULL_DISK else writer
    if output == CLOSED:
        words = ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *words]
    error, env = to if error_too else subprocess.DEVNULL, ENVIRONMENT | environment
    try:
        return subprocess.run(
            words, env=env, stdin=subprocess.DEVNULL, stdout=to, stderr=error, timeout=60
        ).returncode
    finally:
        os.close(writer)
        os.close(full)


@pytest.mark.skipif(not FULL.exists(), reason="no such device")
@pytest.mark.parametrize(
    ("output", "unbuffered"),
    sampled([(GONE, ""), (FULL_DISK, ""), (CLOSED, ""), (CLOSED, "1")], 4, "other bad outputs"),
)
def test_a_release_that_is_written_ends_with_0(shell, output, unbuffered):
    shell.open()
    assert run(drawing(shell, "out"), output, PYTHONUNBUFFERED=unbuffered) == 0
    assert shell.statuses() == ["published"]
    assert shell.verify("out").returncode == 0


def test_without_a_buffer_nothing_is_spent_that_nobody_reads(shell):
    shell.open()
    assert run(drawing(shell, "out"), GONE, PYTHONUNBUFFERED="1") == 2
    assert shell.statuses() == []


@pytest.mark.parametrize("unbuffered", sampled(["", "1"], 2, "the same without a buffer"))
def test_a_reader_who_leaves_while_it_draws_loses_nothing(shell, unbuffered):
    shell.open()
    env, pipe = ENVIRONMENT | {"PYTHONUNBUFFERED": unbuffered}, subprocess.PIPE
    words = drawing(shell, "out")
    with subprocess.Popen(words, env=env, stdout=pipe, stderr=pipe, text=True) as command:
        assert "spent" in map(str.strip, command.stdout)
        command.stdout.close()
        assert command.wait(60) == 0
        assert command.stderr.read() == ""
    assert shell.statuses() == ["published"]


def test_messages_that_nobody_reads_leave_the_code(shell):
    shell.open(epsilon="0.1")
    assert run(drawing(shell, "out"), GONE, error_too=True) == 3
    assert run(drawing(shell, "out", "--recipe", "none"), GONE, error_too=True) == 2
    assert shell.statuses() == []
    # An account that cannot be printed is no success.
    words = [sys.executable, "-m", "dpca_core.release", "account", NAME, *shell.ledger]
    assert run(words, GONE) == 2


NAMES = [("utf-8:strict", b"q\xff1"), ("ascii", "é".encode()), ("iso8859-7", "é".encode())]


@pytest.mark.parametrize(("encoding", "name"), sampled(NAMES, 3, "other encodings"))
def test_letters_without_a_code_are_spelled_out(shell, encoding, name):
    shell.open()
    env, out = ENVIRONMENT | {"PYTHONIOENCODING": encoding}, os.fsdecode(name)
    done = subprocess.run(
        drawing(shell, out), env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Spend ")
    assert b"certificate.json" in done.stdout
    assert shell.statuses() == ["published"]
    assert shell.certificate(out)["release"]["number"] == 1


def test_nothing_is_spent_for_a_place_that_cannot_be_written(shell):
    (shell.folder / "afile").write_text("", encoding="utf-8")
    (shell.folder / "empty").mkdir()
    for name, to in (("link", "empty"), ("nowhere", "absent"), ("loop", "loop")):
        (shell.folder / name).symlink_to(to, target_is_directory=True)
    shell.open()
    before = sorted(shell.folder.rglob("*"))
    for out in (
        *("afile/pub", "afile", "link", ".", "o" * 300, f"new/{'o' * 300}", f"new/{'o' * 300}/pub"),
        *("new/..", "new/../pub", "empty/new/../pub", "/".join(2000 * ["oo"])),
        *("nowhere", "nowhere/pub", "nowhere/new/pub", "nowhere/../pub", "loop/pub"),
    ):
        refused = shell.draw(out, "--yes")
        assert refused.returncode == 2, out
        assert refused.stderr.count("\n") == 1
        assert "cannot be written: " in refused.stderr or "not an empty folder" in refused.stderr
    assert shell.statuses() == []
    assert sorted(shell.folder.rglob("*")) == before


def test_the_longest_path_that_is_allowed_can_be_written(tmp_path, monkeypatch):
    """Paths near the longest that a system has: single names are short."""

    def target(letters: int) -> Path:
        room = letters - len(str(tmp_path))
        return tmp_path.joinpath(*["o" * 99] * (room // 100), "p" * (room % 100))

    def refused(letters: int) -> bool:
        try:
            require_writable(target(letters))
        except LedgerError:
            return True
        return False

    longest = 3999 + bisect_left(range(4000, 4100), True, key=refused)
    assert 4000 <= longest < 4099
    release = published(plans()["matrix alone"])
    names = release.files().keys()
    monkeypatch.setattr(PublishedRelease, "files", lambda _: dict.fromkeys(names, b""))
    release.save(target(longest))
    assert {path.name for path in target(longest).iterdir()} == names


@pytest.mark.parametrize(
    "out", sampled(["with a space/pub", "home/new/pub", "empty", "pub"], 2, "simpler places")
)
def test_a_place_is_tried_without_a_trace(shell, out):
    """Also a folder behind a link, and one beside which a ledger lies."""
    for name in ("empty", "disk"):
        (shell.folder / name).mkdir()
    (shell.folder / "home").symlink_to("disk", target_is_directory=True)
    shell.ledger = ["--ledger", "home/ledger.sqlite"]
    shell.open()
    before = sorted(shell.folder.rglob("*"))
    assert shell.draw(out, "--dry-run").returncode == 0
    assert sorted(shell.folder.rglob("*")) == before
    drawn = shell.draw(out, "--yes")
    assert drawn.returncode == 0, drawn.stderr
    path = shlex.quote(f"{out}/certificate.json")
    assert f"verify {path} {shlex.quote(out)}/*" in drawn.stdout
    assert shell.verify(out).returncode == 0


NO_SPACE = OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("owner", "name", "error", "said"),
    [
        (Path, "write_bytes", NO_SPACE, "out cannot be written: No space"),
        (PublishedRelease, "files", KeyError("in a report"), "The files could not be made."),
    ],
)
def test_files_that_cannot_be_made_after_spending_have_a_code_of_their_own(
    shell, monkeypatch, owner, name, error, said
):
    def broken(*_):
        raise error

    shell.open()
    with monkeypatch.context() as disk:
        disk.setattr(owner, name, broken)
        failed = shell.draw("out", "--yes")
    assert failed.returncode == 5
    (release,) = shell.account()["releases"]
    assert release["status"] == "published"
    assert failed.stderr.startswith(said)
    assert f"release again {release['id']} --out DIR --ledger ledger.sqlite\n" in failed.stderr
    assert shell.run("again", release["id"], "--out", "out").returncode == 0
