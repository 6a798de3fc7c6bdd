"""The command line where nobody can read what it prints: its exit code says what was done.

Processes of their own, whose output is buffered as that of a shell's pipe is.
"""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from dpca_core.release.__main__ import main
from tests.core.release import test_command_line
from tests.core.release.test_command_line import NAME, Shell
from tests.paths import ROOT

shell = test_command_line.shell
FULL = Path("/dev/full")
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PATH": "", "OPENBLAS_NUM_THREADS": "1"}
ANSWERS = ("--unread", "yes", "--unit", "yes", "--accounts", "yes", "--yes")
BUDGET = ("--epsilon", "0.6", "--delta", "1e-6", "--reason", "a test")
GONE, FULL_DISK, CLOSED = "its reader is gone", "its disk is full", "it is closed"


def drawing(shell: Shell, out: str, *more: str) -> list[str]:
    """Return the words of a command that draws a release."""
    words = [sys.executable, "-m", "dpca_core.release", "draw", str(shell.table), *shell.ledger]
    return [*words, "--recipe", "recipe.json", "--account", NAME, *BUDGET, *ANSWERS, "--out", out,
            *more]  # fmt: skip


def run(words: list[str], output: str, *, error_too: bool = False, **environment: str) -> int:
    """Run a command whose output nobody can read; return its exit code."""
    reader, writer = os.pipe()
    os.close(reader)
    full = os.open(FULL, os.O_WRONLY)
    to = {GONE: writer, FULL_DISK: full, CLOSED: writer}[output]
    if output == CLOSED:
        words = ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *words]
    try:
        return subprocess.run(
            words, env=ENVIRONMENT | environment, stdin=subprocess.DEVNULL, stdout=to, timeout=60,
            stderr=to if error_too else subprocess.DEVNULL,
        ).returncode  # fmt: skip
    finally:
        os.close(writer)
        os.close(full)


def statuses(shell: Shell) -> list[str]:
    """Return what became of the account's releases."""
    return [release["status"] for release in shell.account()["releases"]]  # type: ignore[attr-defined]


@pytest.mark.skipif(not FULL.exists(), reason="no such device")
@pytest.mark.parametrize(
    ("output", "unbuffered"), [(GONE, ""), (FULL_DISK, ""), (CLOSED, ""), (CLOSED, "1")]
)
def test_a_release_that_is_written_ends_with_0(shell: Shell, output: str, unbuffered: str) -> None:
    shell.open()
    assert run(drawing(shell, "out"), output, PYTHONUNBUFFERED=unbuffered) == 0
    assert statuses(shell) == ["published"]
    assert shell.verify("out").returncode == 0


def test_without_a_buffer_nothing_is_spent_that_nobody_reads(shell: Shell) -> None:
    shell.open()
    assert run(drawing(shell, "out"), GONE, PYTHONUNBUFFERED="1") == 2
    assert statuses(shell) == []


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_who_leaves_while_it_draws_loses_nothing(shell: Shell, unbuffered: str) -> None:
    shell.open()
    command = subprocess.Popen(
        drawing(shell, "out"), env=ENVIRONMENT | {"PYTHONUNBUFFERED": unbuffered},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert command.stdout
    assert command.stderr
    assert "spent" in map(str.strip, command.stdout)
    command.stdout.close()
    assert command.wait(60) == 0
    assert command.stderr.read() == ""
    command.stderr.close()
    assert statuses(shell) == ["published"]


def test_messages_that_nobody_reads_leave_the_code(shell: Shell) -> None:
    shell.open(epsilon="0.1")
    assert run(drawing(shell, "out"), GONE, error_too=True) == 3
    assert run(drawing(shell, "out", "--recipe", "none"), GONE, error_too=True) == 2
    assert statuses(shell) == []


def test_an_account_that_cannot_be_printed_is_no_success(shell: Shell) -> None:
    shell.open()
    words = [sys.executable, "-m", "dpca_core.release", "account", NAME, *shell.ledger]
    for more in ([], ["--json"]):
        assert run([*words, *more], GONE) == 2


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("utf-8:strict", b"q\xff1"), ("ascii", "é".encode()), ("iso8859-7", "é".encode())],
)
def test_letters_without_a_code_are_spelled_out(shell: Shell, encoding: str, name: bytes) -> None:
    shell.open()
    done = subprocess.run(
        drawing(shell, os.fsdecode(name)), env=ENVIRONMENT | {"PYTHONIOENCODING": encoding},
        stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Spend ")
    assert b"certificate.json" in done.stdout
    assert statuses(shell) == ["published"]
    written = json.loads((shell.folder / os.fsdecode(name) / "certificate.json").read_bytes())
    assert written["release"]["number"] == 1


def test_called_from_python_a_letter_without_a_code_loses_nothing(shell: Shell) -> None:
    """The last lines name a folder that UTF-8 has no code for; nothing makes them printable."""
    shell.open()
    strict = io.TextIOWrapper(io.BytesIO(), "utf-8", "strict")
    with redirect_stdout(strict):
        assert main(drawing(shell, os.fsdecode(b"q\xff1"))[3:]) == 0
    assert statuses(shell) == ["published"]
