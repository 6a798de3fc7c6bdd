"""The command line: open, draw, verify, over the limit, failed, finished, and where nothing works.

Commands are called as their entry points call them; what has lost its output is a process of its
own, with a buffer as in a shell's pipe.
"""

import io
import json
import os
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from subprocess import DEVNULL, CompletedProcess
from unittest.mock import Mock

import pytest

from dpca_core.data import recipe_json
from dpca_core.release import __main__ as command_line
from dpca_core.release.ledger import Status
from dpca_core.release.published_release import Published
from dpca_core.text.release_statements import LOOK_NOT_STATED
from dpca_core.verify.__main__ import main as verify
from tests.cases import sampled
from tests.core.release.cases import PEOPLE, RECIPE, opened, table
from tests.paths import ROOT

TABLE, LEDGER = "people.csv", ("--ledger", "ledger.sqlite")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    """With a table, its recipe, and nobody who types."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    table(tmp_path)
    write_recipe("recipe.json", RECIPE)


@pytest.fixture
def clinic(tmp_path):
    return opened(tmp_path, delta="1e-5")


def write_recipe(name, recipe):
    Path(name).write_text(recipe_json.dumps(recipe), encoding="utf-8")


def called(main, *words):
    """Call a command line's function as its entry point does; return what a process would."""
    out, error = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(error):
        try:
            code = main(words)
        except SystemExit as exit_:
            code = int(exit_.code or 0)
    return CompletedProcess(words, code, out.getvalue(), error.getvalue())


def run(*words):
    return called(command_line.main, *words, *LEDGER)


def to_draw(out, *more):
    of = ("draw", TABLE, "--recipe", "recipe.json", "--account", "Clinic", "--out", out)
    budget = ("--epsilon", "0.6", "--delta", "1e-6", "--reason", "a test")
    return [*of, *budget, "--unread", "yes", "--unit", "yes", "--accounts", "no", *more]


def draw(out, *more):
    return run(*to_draw(out, *more))


def test_draw_verify_and_a_second_draw_over_the_limit(clinic):
    before = sorted(Path().rglob("*"))
    dry = draw("a space/pub", "--dry-run")
    assert dry.returncode == 0, dry.stderr
    assert "Nothing was spent" in dry.stdout
    assert sorted(Path().rglob("*")) == before
    looks = ("--looked-at", "curves", "--looked-at", "check-and-change")
    drawn = draw("a space/pub", "--yes", "--means", "0.05", "--scores", "0.1", *looks)
    assert drawn.returncode == 0, drawn.stderr
    assert "verify 'a space/pub'" in drawn.stdout
    assert called(verify, "a space/pub").returncode == 0
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
    spent = clinic.rows()
    # The same command again books nothing, nor does one that does not fit.
    assert draw("a space/pub", "--yes").returncode == 2
    over = draw("more", "--yes", "--epsilon", "2")
    assert over.returncode == 3
    assert "one more release may have" in over.stderr
    assert not Path("more").exists()
    assert clinic.rows() == spent
    shown = run("show", "Clinic").stdout.splitlines()
    assert shown[0].startswith("Clinic, Patients: at most ε = 1, δ = 10⁻⁵ in all; one more")
    assert shown[1:] == [f"1  {spent[0].spent_on}  published  {spent[0].id}"]
    for text in (drawn.stdout, drawn.stderr, dry.stdout):
        # A random id and the folder's name may hold any digits.
        assert str(PEOPLE) not in text.replace(spent[0].id, "").replace(os.getcwd(), "")


def test_what_failed_after_its_draw_is_spent_again_only_when_told_to(clinic, monkeypatch):
    with monkeypatch.context() as failing:
        failing.delattr("dpca_core.release.draw.to_bytes")
        failed = draw("the out", "--yes")
    assert failed.returncode == 4
    assert os.listdir("the out") == []
    before = clinic.rows()
    assert clinic.statuses() == [Status.DRAWN]
    _, _, how = failed.stderr.partition("To finish it: python -m dpca_core.release ")
    words = shlex.split(how)
    warned = called(command_line.main, *words)
    assert warned.returncode == 4
    assert "costs as much again" in warned.stderr
    assert clinic.rows() == before
    done = called(command_line.main, *words, "--spend-again")
    assert done.returncode == 0, done.stderr
    # The same command in another folder books nothing.
    again = run("finish", before[0].id, TABLE, "--out", "copy", "--spend-again")
    assert again.returncode == 0, again.stderr
    assert clinic.statuses() == [Status.DRAWN, Status.PUBLISHED]
    # Nothing said of looks is not printed as nothing looked at.
    assert LOOK_NOT_STATED in Path("copy/report.html").read_text(encoding="utf-8")


def test_wrong_arguments_are_refused_in_a_sentence(clinic):
    seen = replace(RECIPE.numbers[0], seen=True)
    write_recipe("seen.json", replace(RECIPE, numbers=(seen, *RECIPE.numbers[1:])))
    for words, said in (
        (("--epsilon", "sNaN"), "no number"),
        (("--epsilon", "1e11"), "not between 0 and 10 billion"),
        (("--k", "9"), "number of directions"),
        (("--recipe", "nowhere.json"), "nowhere.json"),
        (("--looked-at", "nothing", "--looked-at", "curves"), "contradicts itself"),
        (("--looked-at", "check", "--looked-at", "check-and-change"), "contradicts itself"),
        (("--looked-at", "nothing", "--recipe", "seen.json"), "values of the table were shown"),
        ((), ""),
    ):
        # Without a terminal it must be said that it may spend.
        refused = draw("out", *words, *(["--yes"] if words else []))
        assert refused.returncode == 2
        assert said in refused.stderr
        assert "Traceback" not in refused.stderr
    assert clinic.statuses() == []


def test_a_check_ends_with_0_whatever_it_finds():
    Path(TABLE).write_text("age,weight,height,pulse\nx,y,z,?\n", encoding="utf-8")
    found = called(command_line.main, "check", TABLE, "--recipe", "recipe.json")
    assert found.returncode == 0, found.stderr
    assert "could not be read as numbers" in found.stdout
    assert "--looked-at check" in found.stdout
    assert sorted(os.listdir()) == [TABLE, "recipe.json"]


def test_accounts_have_owners_sisters_and_what_was_spent_before(clinic):
    ann = ("--owner", "ann")
    for name, *more in (
        ("Hers", "--delta", "1e-6", "--before", "0.4", "0"),
        ("Pure", "--delta", "0", "--same-people-as", "Hers"),
        ("Rest", "--delta", "0", "--before", "0.8765433", "0"),
    ):
        words = ("open", "--account", name, "--people", "patients", "--epsilon", "1", *more)
        assert run(*words, *ann).returncode == 0
    hers, pure, rest = run("show", *ann).stdout.splitlines()
    assert "δ = 10⁻⁶ in all, of which ε = 0.4 was spent before; with “Pure”" in hers
    both = "with “Hers”, which has the other kind of noise about them, ε = 2, δ = 10⁻⁶"
    assert rest.endswith("may have ε = 0.123."), "0.1234567 is rounded down"
    assert pure == f"Pure, patients: at most ε = 1 in all; {both}; one more release may have ε = 1."


def test_ctrl_c_and_a_terminal_that_ends_spend_nothing_and_say_so(clinic, monkeypatch):
    stopped = Mock(side_effect=KeyboardInterrupt)
    with monkeypatch.context() as pressed:
        pressed.setattr("dpca_core.release.table_source.TableSource", stopped)
        found = draw("out", "--yes")
    assert found.returncode == 130
    assert found.stderr.count("\n") == 1
    assert "show Clinic --ledger ledger.sqlite" in found.stderr
    # A terminal that nobody types at any more.
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    found = draw("out")
    assert (found.returncode, found.stderr) == (2, "That is no answer. Nothing was spent.\n")
    assert clinic.statuses() == []


@pytest.mark.parametrize("module", ["jinja2", "pandas", "pyarrow"])
def test_what_is_not_installed_is_named_before_anything_is_spent(monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    assert run("--help").returncode == 0
    refused = draw("out", "--yes")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"A release needs {module}: pip install ")
    assert refused.stderr.count("\n") == 1


GONE, FULL, CLOSED = '"$@"', '"$@" >/dev/full 2>&1', '"$@" >&- 2>&-'
"""A command whose output has lost its reader, is on a full disk, and is closed."""


def unread(how, *words):
    reader, writer = os.pipe()
    os.close(reader)
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "OPENBLAS_NUM_THREADS": "1"}
    streams = {"stdin": DEVNULL, "stdout": writer, "stderr": writer, "env": environment}
    program = [sys.executable, "-m", "dpca_core.release", *words, *LEDGER]
    try:
        return subprocess.run(["/bin/sh", "-c", how, "sh", *program], **streams).returncode
    finally:
        os.close(writer)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
@pytest.mark.parametrize("how", sampled([GONE, FULL, CLOSED], 3, "other outputs"))
def test_a_release_that_is_written_ends_with_0_whoever_reads_what_is_said(clinic, how):
    assert unread(how, *to_draw("out", "--yes")) == 0
    assert clinic.statuses() == [Status.PUBLISHED]
    assert called(verify, "out").returncode == 0
    assert unread(how, *to_draw("more", "--yes", "--epsilon", "2")) == 3
    # An account that cannot be printed is no success.
    assert unread(GONE, "show", "Clinic") == 2


def test_letters_without_a_code_are_spelled_out(clinic, monkeypatch):
    out = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "argv", ["release", *to_draw("é", "--yes"), *LEDGER])
    assert command_line.run() == 0
    assert rb"in \xe9" in out.buffer.getvalue()
    assert Path("é/certificate.json").exists()


def test_nothing_is_spent_for_a_place_that_cannot_be_written(clinic):
    Path("afile").touch()
    for name, to in (("dangling", "absent"), ("loop", "loop")):
        Path(name).symlink_to(to, target_is_directory=True)
    for out in (
        *("afile/pub", "afile", ".", "o" * 300, f"new/{'o' * 300}", f"new/{'o' * 300}/pub"),
        *("dangling", "dangling/pub", "dangling/new/pub", "loop/pub", "/".join(2000 * ["oo"])),
    ):
        refused = draw(out, "--yes")
        assert refused.returncode == 2, out
        assert refused.stderr.count("\n") == 1
        assert "cannot be written: " in refused.stderr or "not an empty folder" in refused.stderr
    assert clinic.statuses() == []


@pytest.mark.parametrize(
    ("owner", "name", "error", "said"),
    [
        (Path, "write_bytes", OSError(28, "No space left"), "out cannot be written: No space"),
        (Published, "files", KeyError("in a report"), "The files could not be made."),
    ],
)
def test_files_that_cannot_be_made_after_spending_have_a_code_of_their_own(
    clinic, monkeypatch, owner, name, error, said
):
    with monkeypatch.context() as disk:
        disk.setattr(owner, name, Mock(side_effect=error))
        failed = draw("out", "--yes")
    assert failed.returncode == 5
    (row,) = clinic.rows()
    assert row.status is Status.PUBLISHED
    assert failed.stderr.startswith(said)
    assert f"release finish {row.id} --out DIR --ledger ledger.sqlite\n" in failed.stderr
    assert run("finish", row.id, "--out", "out").returncode == 0
