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
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from dpca_core.data import recipe_json
from dpca_core.data.handover import LOOK_NOT_STATED, UNREAD, Look, look_sentence
from dpca_core.release.__main__ import main as release
from dpca_core.verify.__main__ import main as verify
from tests.cases import sampled
from tests.core.release.cases import PEOPLE, RECIPE, table
from tests.paths import ROOT

KILLED_AT = """
import os, signal, sys
from dpca_core.release import draw
from dpca_core.release.__main__ import main

draw.{function} = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
sys.exit(main(sys.argv[1:]))
"""
"""The command line of a process that is killed when it calls a function."""
WITHOUT = """
import sys
sys.modules[{module!r}] = None
from dpca_core.release.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
"""The command line where a module is not installed."""

NAME = "Made-up people"
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PATH": "", "OPENBLAS_NUM_THREADS": "1"}


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
            env=ENVIRONMENT,
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

    def words(self, out: str, *more: str) -> list[str]:
        """Return the words that draw a release of ε = 0.6."""
        of = ("draw", str(self.table), "--recipe", "recipe.json", "--account", NAME, "--out", out)
        budget = ("--epsilon", "0.6", "--delta", "1e-6", "--reason", "a test")
        return [*of, *budget, "--unread", "yes", "--unit", "yes", "--accounts", "no", *more]

    def draw(self, out: str, *more: str, killed_at: str = "") -> CompletedProcess[str]:
        """Draw a release of ε = 0.6."""
        return self.run(*self.words(out, *more), killed_at=killed_at)

    def account(self) -> dict[str, Any]:
        """Return what the account has spent."""
        done = self.run("account", NAME, "--json")
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def statuses(self) -> list[str]:
        """Return what became of the account's releases."""
        return [release["status"] for release in self.account()["releases"]]

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
def shell(tmp_path, monkeypatch):
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
    declared = shell.certificate("out")["plan"]["declarations"]
    assert [of["sentence"] for of in declared[:2]] == [LOOK_NOT_STATED, UNREAD]
    assert [of["answer"] for of in declared] == [True, True, True, False]
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


def test_killed_before_the_draw_it_is_finished_for_nothing(shell):
    shell.open()
    assert shell.draw("out", "--yes", killed_at="exact_sums").returncode == -9
    assert not (shell.folder / "out").exists()
    before = shell.account()
    (release,) = before["releases"]
    assert release["status"] == "spent"
    done = shell.run("finish", release["id"], str(shell.table), "--out", "out")
    assert done.returncode == 0, done.stderr
    assert shell.account()["spent"] == before["spent"]
    assert shell.statuses() == ["published"]
    assert shell.verify("out").returncode == 0
    assert shell.run("again", release["id"], "--out", "copy").returncode == 0
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
    assert shell.statuses() == ["drawn", "published"]


def test_wrong_arguments_are_refused_in_a_sentence(shell):
    shell.open()
    seen_recipe(shell, "seen.json")
    for words, said in (
        (("--epsilon", "x"), "no number"),
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
        (("--looked-at", "nothing", "--looked-at", "curves"), "nothing else"),
        (("--looked-at", "all"), "invalid choice"),
        (("--looked-at", "nothing", "--recipe", "seen.json"), "values of the table were shown"),
    ):
        refused = shell.draw("out", "--yes", *words)
        assert refused.returncode == 2
        assert said in refused.stderr
        assert "Traceback" not in refused.stderr
    # Without a terminal it must be said that it may spend.
    assert shell.draw("out").returncode == 2
    assert shell.statuses() == []


def seen_recipe(shell: Shell, name: str) -> None:
    """Let a recipe say that values of its first column were shown."""
    first, *others = RECIPE.numbers
    recipe = replace(RECIPE, numbers=(replace(first, seen=True), *others))
    (shell.folder / name).write_text(recipe_json.dumps(recipe), encoding="utf-8")


@pytest.mark.parametrize(
    "looks", sampled(["curves", "curves values", "nothing", ""], 2, "other looks")
)
def test_what_is_stated_of_looks_stands_in_the_plan_and_on_both_pages(shell, looks):
    stated = look_sentence([Look(look) for look in looks.split()])
    options = [word for look in looks.split() for word in ("--looked-at", look)]
    shell.open()
    assert f"Published with it: {stated}\n" in shell.draw("out", "--dry-run", *options).stdout
    assert shell.draw("out", "--yes", *options).returncode == 0
    declared = shell.certificate("out")["plan"]["declarations"]
    assert declared[0] == {"sentence": stated, "answer": True}
    # Who looked is not asked whether nobody did.
    assert (UNREAD in [of["sentence"] for of in declared]) == (looks in ("", "nothing"))
    for page in ("certificate.html", "report.html"):
        assert stated in (shell.folder / "out" / page).read_text(encoding="utf-8")
    assert shell.verify("out").returncode == 0


def test_ctrl_c_leaves_a_sentence_and_the_command_that_shows_what_is_spent(shell, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    shell.open()
    with monkeypatch.context() as pressed:
        pressed.setattr("dpca_core.release.commands.TableSource", stopped)
        found = shell.draw("out", "--yes")
    assert found.returncode == 130
    assert found.stderr.count("\n") == 1
    assert f"account '{NAME}' --ledger ledger.sqlite" in found.stderr
    assert shell.statuses() == []


@pytest.mark.parametrize("module", sampled(["jinja2", "pandas", "pyarrow"], 3, "other packages"))
def test_what_is_not_installed_is_named_before_anything_is_spent(shell, module):
    told = shell.python("-c", WITHOUT.format(module=module), "--help")
    assert told.returncode == 0, told.stderr
    refused = shell.python("-c", WITHOUT.format(module=module), *shell.words("out", "--yes"))
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"A release needs {module}: pip install ")
    assert refused.stderr.count("\n") == 1


def test_every_help_names_every_exit_code(shell):
    for words in ((), ("open",), ("draw",), ("finish",), ("again",), ("account",)):
        said = shell.run(*words, "--help").stdout.partition("exit codes:")[2].splitlines()
        assert [int(line.split()[0]) for line in said if line.strip()] == [0, 2, 3, 4, 5, 130]
