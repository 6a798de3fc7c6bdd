"""The command line: open, draw, verify, over the limit, killed, finished, and where nothing works.

What is killed is a process of its own; other commands are called in this one, as their entry points
call them. Output is buffered as that of a shell's pipe is.
"""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from subprocess import DEVNULL, CompletedProcess

import pytest

from dpca_core.data import recipe_json
from dpca_core.release.__main__ import main as release
from dpca_core.release.ledger import Ledger, Row
from dpca_core.release.published_release import Published
from dpca_core.text.release_statements import LOOK_NOT_STATED
from dpca_core.verify.__main__ import main as verify
from tests.cases import sampled
from tests.core.release.cases import PEOPLE, RECIPE, table
from tests.paths import ROOT

AFTER = """
import sys
{}
from dpca_core.release.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
"""The command line of a process in which something else is done first."""
KILLED = AFTER.format(
    "from os import getpid, kill; from dpca_core.release import draw\n"
    "draw.to_bytes = lambda *_: kill(getpid(), 9)"
)
NAME = "Made-up people"
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PATH": "", "OPENBLAS_NUM_THREADS": "1"}


class Shell:
    """Commands about one ledger and one table, in the working folder."""

    def __init__(self, folder: Path) -> None:
        self.table, self.ledger = table(folder), ["--ledger", "ledger.sqlite"]
        (folder / "recipe.json").write_text(recipe_json.dumps(RECIPE), encoding="utf-8")

    def run(self, *words: str) -> CompletedProcess[str]:
        return called(release, [*words, *self.ledger])

    def python(self, *words: str, **environment: str) -> CompletedProcess[str]:
        """Run Python in the folder, with the product to import and nothing to type with."""
        given = {"env": ENVIRONMENT | environment, "stdin": DEVNULL, "timeout": 60}
        command = [sys.executable, *words]
        return subprocess.run(command, capture_output=True, text=True, **given)

    def open(self, epsilon: str = "1") -> None:
        limit = ("--epsilon", epsilon, "--delta", "1e-5")
        done = self.run("open", "--account", NAME, "--people", "nobody real", *limit)
        assert done.returncode == 0, done.stderr

    def words(self, out: str, *more: str) -> list[str]:
        of = ("draw", str(self.table), "--recipe", "recipe.json", "--account", NAME, "--out", out)
        budget = ("--epsilon", "0.6", "--delta", "1e-6", "--reason", "a test")
        return [*of, *budget, "--unread", "yes", "--unit", "yes", "--accounts", "no", *more]

    def draw(self, out: str, *more: str) -> CompletedProcess[str]:
        return self.run(*self.words(out, *more))

    def rows(self) -> tuple[Row, ...]:
        ledger = Ledger(Path("ledger.sqlite"))
        return ledger.releases(ledger.account(NAME))

    def statuses(self) -> list[str]:
        return [row.status.value for row in self.rows()]


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
    shell.open()
    before = sorted(Path().rglob("*"))
    dry = shell.draw("a space/pub", "--dry-run")
    assert dry.returncode == 0, dry.stderr
    assert "Nothing was spent" in dry.stdout
    assert sorted(Path().rglob("*")) == before
    looks = ("--looked-at", "curves", "--looked-at", "check-and-change")
    drawn = shell.draw("a space/pub", "--yes", "--means", "0.05", "--scores", "0.1", *looks)
    assert drawn.returncode == 0, drawn.stderr
    assert "verify 'a space/pub'" in drawn.stdout
    assert called(verify, ["a space/pub"]).returncode == 0
    declared = json.loads(Path("a space/pub/certificate.json").read_bytes())["plan"]["declarations"]
    # Who looked before deciding is not asked whether nobody did.
    assert {of["fact"]: of["answer"] for of in declared} == {
        "curves looked at": "stated",
        "reading checked, recipe changed": "stated",
        "whose rows they are": "yes",
        "in no other account": "no",
    }
    report = Path("a space/pub/report.html").read_text(encoding="utf-8")
    said = [line for line in drawn.stdout.splitlines() if line.startswith("Published with it: ")]
    assert len(said) == 2
    assert all(line.partition(": ")[2] in report for line in said)
    spent = shell.rows()
    # The same command again books nothing, nor does one that does not fit.
    assert shell.draw("a space/pub", "--yes").returncode == 2
    over = shell.draw("more", "--yes", "--epsilon", "2")
    assert over.returncode == 3
    assert "one more release may have" in over.stderr
    assert not Path("more").exists()
    assert shell.rows() == spent
    shown = shell.run("show", NAME).stdout.splitlines()
    assert shown[0].startswith(f"{NAME}, nobody real: at most ε = 1, δ = 10⁻⁵ in all; one more")
    assert shown[1:] == [f"1  {spent[0].spent_on}  published  {spent[0].id}"]
    for text in (drawn.stdout, drawn.stderr, dry.stdout):
        # A random id and the folder's name may hold any digits.
        assert str(PEOPLE) not in text.replace(spent[0].id, "").replace(os.getcwd(), "")


def test_killed_after_the_draw_it_is_spent_again_only_when_told_to(shell):
    shell.open("2")
    drawing = shell.words("out", "--yes", *shell.ledger)
    assert shell.python("-c", KILLED, *drawing).returncode == -9
    assert os.listdir("out") == []
    before = shell.rows()
    assert [row.status.value for row in before] == ["drawn"]
    words = ("finish", before[0].id, str(shell.table), "--out", "out")
    warned = shell.run(*words)
    assert warned.returncode == 4
    assert "costs as much again" in warned.stderr
    assert shell.rows() == before
    done = shell.run(*words, "--spend-again")
    assert done.returncode == 0, done.stderr
    # The same command in another folder books nothing.
    assert shell.run(*words[:-1], "copy", "--spend-again").returncode == 0
    assert shell.statuses() == ["drawn", "published"]
    # Nothing said of looks is not printed as nothing looked at.
    assert LOOK_NOT_STATED in Path("copy/report.html").read_text(encoding="utf-8")


def test_wrong_arguments_are_refused_in_a_sentence(shell):
    shell.open()
    seen = replace(RECIPE.numbers[0], seen=True)
    recipe = recipe_json.dumps(replace(RECIPE, numbers=(seen, *RECIPE.numbers[1:])))
    Path("seen.json").write_text(recipe, encoding="utf-8")
    for words, said in (
        (("--epsilon", "sNaN"), "no number"),
        (("--epsilon", "1e11"), "not between 0 and 10 billion"),
        (("--k", "9"), "number of directions"),
        (("--recipe", "nowhere.json"), "nowhere.json"),
        (("--looked-at", "nothing", "--looked-at", "curves"), "contradicts itself"),
        (("--looked-at", "check", "--looked-at", "check-and-change"), "contradicts itself"),
        (("--looked-at", "nothing", "--recipe", "seen.json"), "values of the table were shown"),
    ):
        refused = shell.draw("out", "--yes", *words)
        assert refused.returncode == 2
        assert said in refused.stderr
        assert "Traceback" not in refused.stderr
    # Without a terminal it must be said that it may spend.
    assert shell.draw("out").returncode == 2
    assert shell.statuses() == []


def test_a_check_ends_with_0_whatever_it_finds(shell):
    shell.table.write_text("age,weight,height,pulse\nx,y,z,?\n", encoding="utf-8")
    found = called(release, ["check", str(shell.table), "--recipe", "recipe.json"])
    assert found.returncode == 0, found.stderr
    assert "could not be read as numbers" in found.stdout
    assert "--looked-at check" in found.stdout
    assert sorted(os.listdir()) == ["people.csv", "recipe.json"]


def test_accounts_have_owners_sisters_and_what_was_spent_before(shell):
    shell.open()
    shell.ledger += ["--owner", "ann"]
    for name, more in (
        ("Hers", ("--delta", "1e-6", "--before", "0.4", "0")),
        ("Pure", ("--delta", "0", "--same-people-as", "Hers")),
        ("Rest", ("--delta", "0", "--before", "0.8765433", "0")),
    ):
        words = ("open", "--account", name, "--people", "patients", "--epsilon", "1", *more)
        assert shell.run(*words).returncode == 0
    hers, pure, rest = shell.run("show").stdout.splitlines()
    assert "δ = 10⁻⁶ in all, of which ε = 0.4 was spent before; with “Pure”" in hers
    both = "with “Hers”, which has the other kind of noise about them, ε = 2, δ = 10⁻⁶"
    assert rest.endswith("may have ε = 0.123."), "0.1234567 is rounded down"
    assert pure == f"Pure, patients: at most ε = 1 in all; {both}; one more release may have ε = 1."


def test_ctrl_c_and_a_terminal_that_ends_spend_nothing_and_say_so(shell, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    shell.open()
    with monkeypatch.context() as pressed:
        pressed.setattr("dpca_core.release.table_source.TableSource", stopped)
        found = shell.draw("out", "--yes")
    assert found.returncode == 130
    assert found.stderr.count("\n") == 1
    assert f"show '{NAME}' --ledger ledger.sqlite" in found.stderr
    # A terminal that nobody types at any more.
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    found = shell.draw("out")
    assert (found.returncode, found.stderr) == (2, "That is no answer. Nothing was spent.\n")
    assert shell.statuses() == []


@pytest.mark.parametrize("module", sampled(["jinja2", "pandas", "pyarrow"], 3, "other packages"))
def test_what_is_not_installed_is_named_before_anything_is_spent(shell, module):
    program = AFTER.format(f"sys.modules[{module!r}] = None")
    told = shell.python("-c", program, "--help")
    assert told.returncode == 0, told.stderr
    refused = shell.python("-c", program, *shell.words("out", "--yes"))
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"A release needs {module}: pip install ")
    assert refused.stderr.count("\n") == 1


GONE, FULL, CLOSED = '"$@"', '"$@" >/dev/full 2>&1', '"$@" >&- 2>&-'
"""A command whose output has lost its reader, is on a full disk, and is closed."""


def unread(shell: Shell, how: str, *words: str) -> int:
    """Run a command whose output and errors nobody can read; return its exit code."""
    reader, writer = os.pipe()
    os.close(reader)
    command = ["/bin/sh", "-c", how, "sh", sys.executable, "-m", "dpca_core.release", *words]
    given = {"stdin": DEVNULL, "stdout": writer, "stderr": writer, "env": ENVIRONMENT}
    try:
        return subprocess.run([*command, *shell.ledger], **given, timeout=60).returncode
    finally:
        os.close(writer)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
@pytest.mark.parametrize("how", sampled([GONE, FULL, CLOSED], 3, "other outputs"))
def test_a_release_that_is_written_ends_with_0_whoever_reads_what_is_said(shell, how):
    shell.open()
    assert unread(shell, how, *shell.words("out", "--yes")) == 0
    assert shell.statuses() == ["published"]
    assert called(verify, ["out"]).returncode == 0
    assert unread(shell, how, *shell.words("more", "--yes", "--epsilon", "2")) == 3
    # An account that cannot be printed is no success.
    assert unread(shell, GONE, "show", NAME) == 2


def test_letters_without_a_code_are_spelled_out(shell):
    shell.open()
    words = ("-m", "dpca_core.release", *shell.words("é", "--yes", *shell.ledger))
    done = shell.python(*words, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert Path("é/certificate.json").exists()


def test_nothing_is_spent_for_a_place_that_cannot_be_written(shell):
    Path("afile").touch()
    for name, to in (("dangling", "absent"), ("loop", "loop")):
        Path(name).symlink_to(to, target_is_directory=True)
    shell.open()
    for out in (
        *("afile/pub", "afile", ".", "o" * 300, f"new/{'o' * 300}", f"new/{'o' * 300}/pub"),
        *("dangling", "dangling/pub", "dangling/new/pub", "loop/pub", "/".join(2000 * ["oo"])),
    ):
        refused = shell.draw(out, "--yes")
        assert refused.returncode == 2, out
        assert refused.stderr.count("\n") == 1
        assert "cannot be written: " in refused.stderr or "not an empty folder" in refused.stderr
    assert shell.statuses() == []


@pytest.mark.parametrize(
    ("owner", "name", "error", "said"),
    [
        (Path, "write_bytes", OSError(28, "No space left"), "out cannot be written: No space"),
        (Published, "files", KeyError("in a report"), "The files could not be made."),
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
    (row,) = shell.rows()
    assert row.status.value == "published"
    assert failed.stderr.startswith(said)
    assert f"release finish {row.id} --out DIR --ledger ledger.sqlite\n" in failed.stderr
    assert shell.run("finish", row.id, "--out", "out").returncode == 0
