"""The command line from a shell: open, draw, verify, over the limit, killed, finished.

What is killed, and one whole round, are processes of their own; other commands are called in this
one, as their entry points call them.
"""

import io
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from dpca_core.data import recipe_json
from dpca_core.release.__main__ import main as release
from dpca_core.verify.__main__ import main as verify
from tests.core.release.draw_cases import PEOPLE, RECIPE, table
from tests.paths import ROOT

KILLED_AT = """
import os, signal, sys
from dpca_core.release import draw
from dpca_core.release.__main__ import main

def killed(*arguments, **named):
    os.kill(os.getpid(), signal.SIGKILL)

draw.{function} = killed
sys.exit(main(sys.argv[1:]))
"""
"""The command line of a process that is killed when it calls a function."""
NAME = "Made-up people"


class Shell:
    """Commands about one ledger and one table, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.table, self.own_process = folder, table(folder), False
        (folder / "recipe.json").write_text(recipe_json.dumps(RECIPE), encoding="utf-8")
        self.ledger = ["--ledger", "ledger.sqlite"]

    def run(self, *words: str, killed_at: str = "") -> CompletedProcess[str]:
        """Run a command of the release, or kill it when it calls a function."""
        if killed_at:
            return self.python("-c", KILLED_AT.format(function=killed_at), *words, *self.ledger)
        if self.own_process:
            return self.python("-m", "dpca_core.release", *words, *self.ledger)
        return called(release, [*words, *self.ledger])

    def python(self, *words: str) -> CompletedProcess[str]:
        """Run Python in the folder, with the product to import and nothing to type with."""
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env={"PYTHONPATH": str(ROOT), "PATH": "", "OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )

    def open(self, epsilon: str = "1") -> None:
        """Open the account."""
        limit = ("--epsilon", epsilon, "--delta", "1e-5")
        done = self.run("open", "--account", NAME, "--people", "nobody real", *limit)
        assert done.returncode == 0, done.stderr

    def draw(self, out: str, *more: str, killed_at: str = "") -> CompletedProcess[str]:
        """Draw a release of ε = 0.6."""
        answers = ("--unread", "yes", "--unit", "yes", "--accounts", "no")
        budget = ("--epsilon", "0.6", "--delta", "1e-6", "--reason", "a test")
        words = ("draw", str(self.table), "--recipe", "recipe.json", "--account", NAME)
        return self.run(*words, *budget, *answers, "--out", out, *more, killed_at=killed_at)

    def account(self) -> dict[str, object]:
        """Return what the account has spent."""
        done = self.run("account", NAME, "--json")
        assert done.returncode == 0, done.stderr
        found: dict[str, object] = json.loads(done.stdout)
        return found

    def certificate(self, out: str) -> dict[str, Any]:
        """Return the certificate in a folder."""
        found: dict[str, Any] = json.loads((self.folder / out / "certificate.json").read_bytes())
        return found

    def verify(self, out: str) -> CompletedProcess[str]:
        """Check a certificate and the files beside it."""
        files = sorted(f"{out}/{path.name}" for path in (self.folder / out).iterdir())
        words = [f"{out}/certificate.json", *files]
        if self.own_process:
            return self.python("-m", "dpca_core.verify", *words)
        return called(verify, words)


def called(main: Callable[[Sequence[str]], int], words: Sequence[str]) -> CompletedProcess[str]:
    """Call a command line's function as its entry point does; return what a process would."""
    out, error = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(error):
        try:
            code = main(words)
        except SystemExit as exit_:
            code = int(exit_.code or 0)
    return CompletedProcess(words, code, out.getvalue(), error.getvalue())


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    return Shell(tmp_path)


def test_open_draw_verify_and_a_second_draw_over_the_limit(shell):
    shell.open("0.7")
    dry = shell.draw("out", "--dry-run")
    assert dry.returncode == 0, dry.stderr
    assert "Nothing was spent" in dry.stdout
    shell.own_process = True
    drawn = shell.draw("out", "--yes", "--means", "0.05", "--scores", "0.1")
    assert drawn.returncode == 0, drawn.stderr
    assert shell.verify("out").returncode == 0
    shell.own_process = False
    confirmed = shell.certificate("out")["plan"]["declarations"]
    assert confirmed == [
        {
            "sentence": "The owner did not state what of the table was looked at before deciding.",
            "answer": True,
        },
        {"sentence": "Nobody’s file was read to fix ranges.", "answer": True},
        {"sentence": "One person is one row.", "answer": True},
        {"sentence": "These people are in no other account.", "answer": False},
    ]
    spent = shell.account()
    over = shell.draw("more", "--yes")
    assert over.returncode == 3
    assert "left" in over.stderr
    assert not (shell.folder / "more").exists()
    assert shell.account() == spent
    release = shell.certificate("out")["release"]["id"]
    for said in (drawn.stdout, drawn.stderr, dry.stdout):
        # A random id and the folder's name may hold any digits.
        assert str(PEOPLE) not in said.replace(release, "").replace(str(shell.folder), "")


def test_one_changed_digit_is_found(shell):
    shell.open()
    assert shell.draw("out", "--yes").returncode == 0
    path = shell.folder / "out" / "matrix.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    last = lines[-1]
    lines[-1] = last[:-1] + ("1" if last[-1] != "1" else "2")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert shell.verify("out").returncode == 1


def test_killed_before_the_draw_it_is_finished_for_nothing(shell):
    shell.open()
    killed = shell.draw("out", "--yes", killed_at="exact_sums")
    assert killed.returncode == -9
    assert not (shell.folder / "out").exists()
    before = shell.account()
    (release,) = before["releases"]
    assert release["status"] == "spent"
    done = shell.run("finish", release["id"], str(shell.table), "--out", "out")
    assert done.returncode == 0, done.stderr
    after = shell.account()
    assert after["spent"] == before["spent"]
    assert [row["status"] for row in after["releases"]] == ["published"]
    assert shell.verify("out").returncode == 0
    again = shell.run("again", release["id"], "--out", "copy")
    assert again.returncode == 0, again.stderr
    for path in (shell.folder / "out").iterdir():
        assert path.read_bytes() == (shell.folder / "copy" / path.name).read_bytes()


def test_killed_after_the_draw_it_is_spent_again_only_when_told_to(shell):
    shell.open("2")
    assert shell.draw("out", "--yes", killed_at="to_bytes").returncode == -9
    before = shell.account()
    (release,) = before["releases"]
    assert release["status"] == "drawn"
    words = ("finish", release["id"], str(shell.table), "--out", "out")
    warned = shell.run(*words)
    assert warned.returncode == 4
    assert "spends another ε = 0.6" in warned.stderr
    assert shell.account() == before
    done = shell.run(*words, "--spend-again")
    assert done.returncode == 0, done.stderr
    statuses = [row["status"] for row in shell.account()["releases"]]
    assert statuses == ["drawn", "published"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--epsilon", "x"), "no number"),
        (("--epsilon", "nan"), "no number"),
        (("--epsilon", "sNaN"), "no number"),
        (("--epsilon", "Infinity"), "no number"),
        (("--epsilon", "1_0"), "no number"),
        (("--epsilon", "1e11"), "not between 0 and 10 billion"),
        (("--delta", "1e-401"), "not between 0 and 10 billion"),
        (("--delta=-1e-6",), "not between 0 and 10 billion"),
        (("--reason", ""), "why this ε"),
        (("--k", "9"), "number of directions"),
        (("--recipe", "nowhere.json"), "nowhere.json"),
        (("--delta", "0"), "δ"),
    ],
)
def test_wrong_arguments_are_refused_in_a_sentence(shell, words, said):
    shell.open()
    refused = shell.draw("out", "--yes", *words)
    assert refused.returncode == 2
    assert said in refused.stderr
    assert "Traceback" not in refused.stderr
    assert shell.account()["releases"] == []


def test_without_a_terminal_it_must_be_said_that_it_may_spend(shell):
    shell.open()
    refused = shell.draw("out")
    assert refused.returncode == 2
    assert "--yes" in refused.stderr
    assert shell.account()["releases"] == []


def test_ctrl_c_leaves_a_sentence_and_the_command_that_shows_what_is_spent(shell, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    shell.open()
    before = shell.account()
    with monkeypatch.context() as pressed:
        pressed.setattr("dpca_core.release.commands.TableSource", stopped)
        found = shell.draw("out", "--yes")
    assert found.returncode == 130
    assert found.stderr == (
        "Stopped. To see what is spent: python -m dpca_core.release account "
        f"'{NAME}' --ledger ledger.sqlite\n"
    )
    assert shell.account() == before
