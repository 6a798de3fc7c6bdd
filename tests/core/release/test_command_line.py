"""The command line: draw, verify, over the limit, failed, finished, and where nothing works.

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
from subprocess import DEVNULL
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
    Path("recipe.json").write_text(recipe_json.dumps(RECIPE), encoding="utf-8")


@pytest.fixture
def clinic(tmp_path):
    return opened(tmp_path, delta="1e-5")


def called(main, *words, code=0):
    """Call a command line's function, which ends with a code; return its output, and errors."""
    out, error = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(error):
        try:
            ended = main(words)
        except SystemExit as exit_:
            ended = exit_.code
    assert ended == code, (words, error.getvalue())
    return out.getvalue(), error.getvalue()


def run(*words, code=0):
    return called(command_line.main, *words, *LEDGER, code=code)


def to_draw(out, *more):
    of = ("draw", TABLE, "--recipe", "recipe.json", "--account", "Clinic", "--out", out)
    budget = ("--epsilon", "0.6", "--delta", "1e-6", "--reason", "a test")
    return [*of, *budget, "--unread", "yes", "--unit", "yes", "--accounts", "no", *more]


def draw(out, *more, code=0):
    return run(*to_draw(out, *more), code=code)


def test_draw_verify_and_a_second_draw_over_the_limit(clinic):
    before = sorted(Path().rglob("*"))
    dry, _ = draw("a space/pub", "--dry-run")
    assert "Nothing was spent" in dry
    assert sorted(Path().rglob("*")) == before
    looks = ("--looked-at", "curves", "--looked-at", "check-and-change")
    out, error = draw("a space/pub", "--yes", "--means", "0.05", "--scores", "0.1", *looks)
    assert "verify 'a space/pub'" in out
    called(verify, "a space/pub")
    declared = json.loads(Path("a space/pub/certificate.json").read_bytes())["plan"]["declarations"]
    # Who looked before deciding is not asked whether nobody did.
    assert {of["fact"]: of["answer"] for of in declared} == {
        "curves looked at": "stated",
        "reading checked, recipe changed": "stated",
        "whose rows they are": "yes",
        "in no other account": "no",
    }
    report = Path("a space/pub/report.html").read_text(encoding="utf-8")
    said = [line for line in out.splitlines() if line.startswith("Published with it: ")]
    assert len(said) == 2
    assert all(line.partition(": ")[2] in report for line in said)
    spent = clinic.rows()
    # The same command again books nothing, nor does one that does not fit.
    draw("a space/pub", "--yes", code=2)
    assert "one more release may have" in draw("more", "--yes", "--epsilon", "2", code=3)[1]
    assert not Path("more").exists()
    assert clinic.rows() == spent
    shown = run("show", "Clinic")[0].splitlines()
    assert shown[0].startswith("Clinic, Patients: at most ε = 1, δ = 10⁻⁵ in all; one more")
    assert shown[1:] == [f"1  {spent[0].spent_on}  published  {spent[0].id}"]
    for text in (out, error, dry):
        # A random id and the folder's name may hold any digits.
        assert str(PEOPLE) not in text.replace(spent[0].id, "").replace(os.getcwd(), "")


def test_what_failed_after_its_draw_is_spent_again_only_when_told_to(clinic, monkeypatch):
    with monkeypatch.context() as failing:
        failing.delattr("dpca_core.release.draw.to_bytes")
        _, failed = draw("the out", "--yes", code=4)
    assert os.listdir("the out") == []
    before = clinic.rows()
    assert clinic.statuses() == [Status.DRAWN]
    _, _, how = failed.partition("To finish it: python -m dpca_core.release ")
    finishing = command_line.main, *shlex.split(how)
    assert "costs as much again" in called(*finishing, code=4)[1]
    assert clinic.rows() == before
    called(*finishing, "--spend-again")
    # The same command in another folder books nothing.
    run("finish", before[0].id, TABLE, "--out", "copy", "--spend-again")
    assert clinic.statuses() == [Status.DRAWN, Status.PUBLISHED]
    # Nothing said of looks is not printed as nothing looked at.
    assert LOOK_NOT_STATED in Path("copy/report.html").read_text(encoding="utf-8")


OUT_OF_REACH = (
    *("afile/pub", "afile", ".", "o" * 300, f"new/{'o' * 300}", f"new/{'o' * 300}/pub"),
    *("dangling", "dangling/pub", "dangling/new/pub", "loop/pub", "/".join(2000 * ["oo"])),
)


def test_what_can_be_refused_is_refused_in_a_sentence_before_anything_is_spent(clinic):
    seen = replace(RECIPE, numbers=(replace(RECIPE.numbers[0], seen=True), *RECIPE.numbers[1:]))
    Path("seen.json").write_text(recipe_json.dumps(seen), encoding="utf-8")
    for words, said in (
        (("--epsilon", "sNaN"), "no number"),
        (("--epsilon", "1e11"), "not between 0 and 10 billion"),
        (("--k", "9"), "number of directions"),
        (("--recipe", "nowhere.json"), "nowhere.json"),
        (("--looked-at", "nothing", "--looked-at", "curves"), "contradicts itself"),
        (("--looked-at", "check", "--looked-at", "check-and-change"), "contradicts itself"),
        (("--looked-at", "nothing", "--recipe", "seen.json"), "values of the table were shown"),
    ):
        error = draw("out", "--yes", *words, code=2)[1]
        assert said in error
        assert "Traceback" not in error
    # Without a terminal it must be said that it may spend.
    assert "Without a terminal, --yes is needed" in draw("out", code=2)[1]
    Path("afile").touch()
    for name, to in (("dangling", "absent"), ("loop", "loop")):
        Path(name).symlink_to(to, target_is_directory=True)
    for out in OUT_OF_REACH:
        _, refused = draw(out, "--yes", code=2)
        assert refused.count("\n") == 1
        assert "cannot be written: " in refused or "not an empty folder" in refused
    assert clinic.statuses() == []


def test_a_check_ends_with_0_whatever_it_finds():
    Path(TABLE).write_text("age,weight,height,pulse\nx,y,z,?\n", encoding="utf-8")
    found, _ = called(command_line.main, "check", TABLE, "--recipe", "recipe.json")
    assert "could not be read as numbers" in found
    assert "--looked-at check" in found
    assert sorted(os.listdir()) == [TABLE, "recipe.json"]


def test_accounts_have_owners_sisters_and_what_was_spent_before(clinic):
    ann = ("--owner", "ann")
    for name, *more in (
        ("Hers", "--delta", "1e-6", "--before", "0.4", "0"),
        ("Pure", "--delta", "0", "--same-people-as", "Hers"),
        ("Rest", "--delta", "0", "--before", "0.8763", "0"),
    ):
        run("open", "--account", name, "--people", "patients", "--epsilon", "1", *more, *ann)
    hers, pure, rest = run("show", *ann)[0].splitlines()
    assert "δ = 10⁻⁶ in all, of which ε = 0.4 was spent before; with “Pure”" in hers
    both = "with “Hers”, which has the other kind of noise about them, ε = 2, δ = 10⁻⁶"
    assert rest.endswith("may have ε = 0.123."), "0.1237 is rounded down"
    assert pure == f"Pure, patients: at most ε = 1 in all; {both}; one more release may have ε = 1."


def test_ctrl_c_and_a_terminal_that_ends_spend_nothing_and_say_so(clinic, monkeypatch):
    stopped = Mock(side_effect=KeyboardInterrupt)
    with monkeypatch.context() as pressed:
        pressed.setattr("dpca_core.release.table_source.TableSource", stopped)
        _, error = draw("out", "--yes", code=130)
    assert error.count("\n") == 1
    assert "show Clinic --ledger ledger.sqlite" in error
    # A terminal that nobody types at any more.
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    assert draw("out", code=2)[1] == "That is no answer. Nothing was spent.\n"
    assert clinic.statuses() == []


@pytest.mark.parametrize("module", ["jinja2", "pandas", "pyarrow"])
def test_what_is_not_installed_is_named_before_anything_is_spent(monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    run("--help")
    (refused,) = draw("out", "--yes", code=2)[1].splitlines()
    assert refused.startswith(f"A release needs {module}: pip install ")


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
    called(verify, "out")
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


def test_unwritten_files_have_a_code_of_their_own(clinic, monkeypatch):
    for out, owner, name, error, said in (
        ("one", Path, "write_bytes", OSError(28, "No space left"), "one cannot be written: No spa"),
        ("two", Published, "files", KeyError("in a report"), "The files could not be made."),
    ):
        with monkeypatch.context() as disk:
            disk.setattr(owner, name, Mock(side_effect=error))
            _, failed = draw(out, "--yes", "--epsilon", "0.1", code=5)
        row = clinic.rows()[-1]
        assert row.status is Status.PUBLISHED
        assert failed.startswith(said)
        assert f"release finish {row.id} --out DIR --ledger ledger.sqlite\n" in failed
        run("finish", row.id, "--out", out)
