"""The verifier accepts every honest release, refuses each forgery, and never fails on nonsense."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from enum import EnumType
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import getitem
from pathlib import Path

import numpy as np
import pytest

from dpca_core.data import recipe as recipes
from dpca_core.data import text_file_format as formats
from dpca_core.privacy.budget import Adjacency
from dpca_core.release import plan, published_release
from dpca_core.text.release_statements import Answer, Declaration, Fact
from dpca_core.verify import __main__ as verify
from tests.core.release import cases
from tests.core.release.cases import CODED, RECIPE, published
from tests.paths import ROOT

NAME = verify.CERTIFICATE
RECIPES = {
    "rows": RECIPE,
    "length 1": replace(RECIPE, row_length=recipes.RowLength.ONE, missing=recipes.Missing.DROP),
    "private mean": cases.PRIVATE_MEAN,
    "norm only": replace(RECIPE, scaling=recipes.Scaling.NORM_ONLY, radius=3),
    "averaged": replace(CODED, ids_ignore_case=True, person=("clinic", "id")),
    "at most 3": replace(CODED, combine=recipes.Combine.AT_MOST, most=3),
    "odd names": cases.ODDLY_NAMED,
}
STATED = (
    *(Declaration(Fact.UNREAD, Answer.NO), Declaration(Fact.ACCOUNTS, Answer.YES)),
    *(Declaration(look, Answer.RECORDED) for look in (Fact.VALUES, Fact.CHECKED)),
)
PLANS = {}
"""Every noise beside every way to make rows and both neighbours."""
for i, (mechanism, name, neighbours) in enumerate(product(cases.NOISES, RECIPES, Adjacency)):
    full = i % 3 or name == "private mean"
    some = cases.with_everything if full else cases.some_plan
    PLANS[f"{mechanism}, {name}, {neighbours}"] = some(
        epsilon=("0.5", "1/3", "0.001", "9", "900")[i % 5],
        recipe=RECIPES[name],
        neighbours=neighbours,
        mechanism=mechanism,
        reason="Because." if i % 2 else "",
        declarations=STATED,
        practice="made-up people",
    )
FULL = PLANS["gaussian, at most 3, add_or_remove_one"]


@pytest.fixture(autouse=True)
def _short_report(monkeypatch):
    monkeypatch.setattr(published_release, "report_html", lambda *_: b"<p>Report 1</p>\n")


@pytest.fixture(scope="module")
def files():
    """Of the second release of an account that has a sister, with all tables."""
    return published(FULL, 2, sister=True).files()


def verified(folder, files):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return verify.main([str(folder / name) for name in files])


def changed(files, *changes):
    found = [json.loads(files[NAME])]
    for way, value in changes:
        *inside, last = 0, *way
        reduce(getitem, inside, found)[last] = value
    return json.dumps(found[0]).encode()


def other(value):
    """Return a value of the same kind that is not this one: one more, or one letter changed."""
    if isinstance(value, bool | None):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return value[:-1] + str((int(value[-1]) + 1) % 10) if value[-1:].isdigit() else f"{value}x"


def single_changes(tree, *way):
    """Yield another value for each leaf, a key more or less, a list longer, shorter or turned."""
    if isinstance(tree, dict):
        found, inner = [tree | {"note": "no noise"}], tree.items()
        found += [{key: tree[key] for key in tree if key != gone} for gone in tree]
    elif isinstance(tree, list):
        found, inner = [[*tree, *tree[-1:]], tree[1:], tree[::-1]], enumerate(tree)
    else:
        found, inner = [other(tree)], ()
    yield from ((way, value) for value in found if value != tree)
    for key, value in inner:
        yield from single_changes(value, *way, key)


@pytest.mark.parametrize("name", PLANS)
def test_an_honest_release_is_right_and_costs_what_the_program_booked(tmp_path, capsys, name):
    of, sister = PLANS[name], len(name) % 2 == 0
    release = published(of, 1 + len(name) % 3, sister=sister)
    files = release.files()
    assert verified(tmp_path, files) == 0, capsys.readouterr()
    together = f"both accounts: ε = 3002, δ = {'0.0001' if sister else ''}"
    assert (together in capsys.readouterr().out) == sister
    tree = json.loads(files[NAME])
    assert verify.link(tree) == release.row.link
    assert verify.cost(tree["plan"]) == release.row.cost
    assert abs(verify.odds(tree["plan"]) - plan.chance_of_guess(of.cost, of.gaussian)) < 1e-9
    for table, cost in of.costs.items():
        assert verify.cost(tree["plan"], table) == cost
        assert verify.moved_squared(tree["plan"], table) == of.sensitivity_squared(table)


def test_every_single_change_is_refused(tmp_path, capsys, files):
    """Under digests made again: every table names plan, account and place, none the version."""
    single = single_changes(json.loads(files[NAME]))
    changes = [(way, value, {NAME: changed(files, (way, value))}) for way, value in single]
    assert len(changes) > 300
    passed = {way for way, _, forged in changes if not verified(tmp_path, files | forged)}
    assert passed == {("software", "version"), ("software", "commit")}
    assert verify.NOT_CHECKED in capsys.readouterr().out
    alone = {
        (*way, "note" in value)
        for way, value, forged in changes
        if isinstance(value, dict) and not verified(tmp_path, forged)
    }
    # By the certificate alone labels may be missing, as they came later, and tables.
    labelled = {("plan", "recipe", listed, 0, False) for listed in ("categories", "scales")}
    assert alone == labelled | {("files", False)}


FORGED = Path(__file__).with_name("forged.txt").read_text("utf-8").splitlines()
"""Changes of meaning, under which nothing, or something else, would be promised; & is together."""


def forged(files, change):
    places = [part.split(" ", 1) for part in change.split(" & ")]
    ways = [[int(k) if k.isdigit() else k for k in path.split(".")] for path, _ in places]
    return changed(files, *zip(ways, [json.loads(value) for _, value in places], strict=True))


def test_a_forged_meaning_is_refused_by_the_certificate_alone(tmp_path, files):
    assert len(FORGED) > 55
    for change in (*FORGED, f'release.previous "{64 * "0"}"'):
        assert verified(tmp_path, {NAME: forged(files, change)}) in (1, 2), change


def test_a_forged_meaning_with_the_right_cost_is_refused(files):
    """Laplace noise beside Gaussian noise, a mean nobody paid for, columns beyond the proof."""
    of = json.loads(files[NAME])["plan"]
    allowed = Fraction("0.05") * verify._most(of, gaussian=True)
    scale = -(-verify._root(verify.moved_squared(of, "means")) // allowed)
    alone = published(PLANS["gaussian, rows, add_or_remove_one"]).files()
    many = json.dumps([of["recipe"]["numbers"][0] | {"name": str(j)} for j in range(2001)])
    for of, change, said in (
        (files, f'plan.scales.means {{"w": {scale}}}', "the noise of the means is not the"),
        (alone, 'plan.recipe.scaling "private mean"', "the mean that is subtracted is not paid"),
        (alone, f"plan.recipe.numbers {many}", "for so many columns, or so few, nothing is proved"),
    ):
        problems = verify.problems(json.loads(forged(of, change)))
        assert any(problem.startswith(said) for problem in problems)
    certificate = json.loads(alone[NAME])
    certificate["files"]["means.csv"] = 64 * "0"
    (problem,) = verify.problems(certificate)
    assert problem.startswith("the tables among its files are not those")


def test_where_one_unit_is_not_one_row_only_a_row_is_promised_to(files):
    certificate = json.loads(files[NAME])
    certificate["plan"]["declarations"].append(asked := {"fact": Fact.UNIT.value})
    one = certificate["plan"]["recipe"]["unit"]["one"]
    for answer, protected in (("yes", one), ("no", "value of patient_id")):
        asked["answer"] = answer
        said = " ".join(verify.promises(certificate))
        assert f"Protected: one {protected} " in said
        assert f"One {one} is one value of patient_id." in said


NONSENSE = (
    *(None, "", -1, 0, 1.5, True, [], {}, "1e999999999", "9" * 5000, "1/0", "\ud800", 10**400),
    *("\n", "0.5\n", "٣", "-1", "nan", [[[]]], {"a": {}}, 2**63, 1e308, -0.0, "0" * 400),
)


def test_a_thousand_pieces_of_nonsense_end_without_a_traceback(tmp_path, capsys, files):
    rng, whole, tree = np.random.default_rng(3), files[NAME], json.loads(files[NAME])
    pieces = [b"", b"{", b"[]", b"null", b"7", b"\xff\xfe", b"9" * 5000, b"[" * 10**5]
    pieces += [b'{"a":' * depth + b"1" + b"}" * depth for depth in (50, 400, 900, 2000, 10**5)]
    pieces += [whole[: rng.integers(len(whole))] for _ in range(100)]
    for _ in range(200):
        bad = bytearray(whole)
        for place in rng.integers(len(whole), size=rng.integers(1, 20)):
            bad[place] = rng.integers(256)
        pieces.append(bytes(bad))
    leaves = [way for way, value in single_changes(tree) if not isinstance(value, dict | list)]
    for i in range(800):
        way = leaves[rng.integers(len(leaves))]
        pieces.append(changed(files, (way, NONSENSE[i % len(NONSENSE)])))
    pieces = {*pieces} - {changed(files)}
    assert len(pieces) > 1000
    tables = {name: files[name] for name in ("matrix.csv", "means.csv")}
    for content in pieces:
        code = verified(tmp_path, tables | {NAME: content})
        assert code in (1, 2) or json.loads(content)["software"] != tree["software"], content[:99]
    assert "Traceback" not in "".join(capsys.readouterr())


def resealed(files, name, lines):
    content = "\n".join([*lines, ""]).encode()
    digest = ("files", name), hashlib.sha256(content).hexdigest()
    return files | {name: content, NAME: changed(files, digest)}


READ_OFF = {"report.html", "README.txt", "directions.csv", "spectrum.csv", "means.csv"}


def test_a_changed_file_is_refused_and_what_was_read_off_is_named(tmp_path, capsys, files):
    for name in files.keys() - {NAME}:
        *lines, last = files[name].decode().splitlines()
        again = resealed(files, name, [*lines, last[:-1]])
        assert verified(tmp_path, files | {name: again[name]}) == 1, name
        assert f"{name} is not a file that was released" in capsys.readouterr().out
        if name in READ_OFF:
            assert verified(tmp_path, again) == 0
            said = capsys.readouterr().out.splitlines()
            assert name in next(line for line in said if line.startswith("Not checked: "))


def test_a_forged_table_is_found_under_its_own_digest(tmp_path, capsys, files):
    *lines, last = files["matrix.csv"].decode().splitlines()
    name, first, *cells = last.split(",")
    one = ",".join([name, str(int(first) + 1), *cells])
    no_table = "is no table of 5 × 5 whole numbers"
    changes = [("matrix.csv", [*lines, one], "is not symmetric")]
    changes += [
        ("matrix.csv", [*lines, *rest], no_table) for rest in ([], [last[:-1] + ".5"], [last, last])
    ]
    for table, content in published(FULL).files().items():
        if table.endswith(".csv"):
            said = "is of another release, or of other settings"
            changes.append((table, content.decode().splitlines(), said))
    for table, content, said in changes:
        assert verified(tmp_path, resealed(files, table, content)) == 1
        assert said in capsys.readouterr().out


def test_a_folder_a_zip_a_pattern_or_files_can_be_given(tmp_path, capsys, files):
    folder, archive, boxed = tmp_path / "out", tmp_path / "release.zip", tmp_path / "boxed.zip"
    assert verified(folder, files) == 0
    (folder / "notes.txt").write_text("not of this release")
    archive.write_bytes(published(FULL).zipped())
    with zipfile.ZipFile(boxed, "w") as again:
        again.writestr("__MACOSX/._matrix.csv", b"what an archiver adds")
        again.mkdir("release")
        for name, content in files.items():
            again.writestr(f"release/{name}", content)
    matching = [folder / pattern for pattern in (NAME, "*.csv", "*.html", "README*")]
    for given in ([folder], [archive], [boxed], matching):
        assert verify.main([str(path) for path in given]) == 0, given
        assert "which was not given" not in capsys.readouterr().out
    (folder / NAME).rename(folder / "ours.json")
    assert verify.main([str(folder / "ours.json")] * 2) == 0
    assert "Not checked: report.html, which was not given." in capsys.readouterr().out


def test_what_cannot_be_read_is_said_in_one_sentence(tmp_path, capsys, files):
    verified(tmp_path / "out", files)
    (tmp_path / "out" / "more.csv").write_text("a\n1\n")
    (tmp_path / "matrix.csv").write_text("another")
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe")
    zipped = published(FULL).zipped()
    (tmp_path / "damaged.zip").write_bytes(zipped[:50] + b"xxxxxxxx" + zipped[58:])
    capsys.readouterr()
    certificate = f"out/{NAME}"
    for names in (
        *(["none.json"], ["empty"], ["damaged.zip"], ["pipe"], ["out/matrix.csv"], ["\0"]),
        *([certificate, "out/matrix.csv", "matrix.csv"], [certificate, "out/none.csv"]),
    ):
        assert verify.main([str(tmp_path / name) for name in names]) == 2, names
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert verify.main([str(tmp_path / certificate), str(tmp_path / "out" / "more.csv")]) == 1
    # A key that stands twice could hide the other.
    twice = files[NAME].replace(b'"low": 0.0', b'"low": 0.0, "low": 0.0', 1)
    old = b'{"format": "dpca-release/2", "software": {"name": "dpca", "version": "0.2.0"}}'
    for content, said in ((twice, "a key stands in it twice"), (old, "an older version")):
        assert verified(tmp_path / "out", {NAME: content}) == 2
        assert said in capsys.readouterr().err
    for arguments, code in ((["--help"], 0), ([], 2)):
        with pytest.raises(SystemExit) as stopped:
            verify.main(arguments)
        assert stopped.value.code == code
    assert "Exit codes: 0 all" in " ".join(capsys.readouterr().out.split())


def test_nothing_in_a_certificate_begins_a_line_or_steers_a_terminal(tmp_path, capsys, files):
    text = "Clinic\nAll of it is right\x1b[2J\u202e"
    said = changed(files, *(((where, "people"), text) for where in ("account", "sister")))
    assert verified(tmp_path, {NAME: said}) == 0
    out = capsys.readouterr().out
    assert not {"\x1b", "\u202e"} & set(out)
    assert not any(line.startswith("All of it") for line in out.splitlines())


def test_a_run_loads_nothing_that_draws_and_a_reader_who_leaves_changes_no_code(tmp_path, files):
    """Nothing is shared with the program but the accounting of Gaussian noise, and words."""
    verified(tmp_path, files)
    python = f"{sys.executable} -X importtime -m dpca_core.verify {tmp_path}"
    command = ["bash", "-c", f"{python} | true; echo ${{PIPESTATUS[0]}}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "0\n"
    loaded = {line.split("|")[-1].strip() for line in done.stderr.splitlines()}
    assert {name for name in loaded if name.startswith("dpca_core.") and name.count(".") > 1} == {
        *("dpca_core.privacy.gaussian", "dpca_core.privacy.roots"),
        *("dpca_core.text.listed", "dpca_core.text.release_statements"),
    }
    assert not [line for line in done.stderr.splitlines() if not line.startswith("import time:")]


def test_the_schema_allows_each_choice_that_the_program_has():
    enums = []

    def keep(part):
        enums.append(set(part.get("enum", ())))
        return part

    path = Path(verify.__file__).with_name("certificate_schema.json")
    schema = json.loads(path.read_bytes(), object_hook=keep)
    written = formats.SEPARATORS, formats.DECIMALS, formats.THOUSANDS, formats.ENCODINGS
    kinds = [kind for kind in vars(recipes).values() if isinstance(kind, EnumType)]
    kinds.remove(recipes.Use)  # of pages and codebooks: a recipe has a list for each
    assert {recipes.Combine, recipes.Missing, recipes.Scaling} < {*kinds}
    for choices in (*kinds, *written, formats.Escape, Adjacency, plan.LETTERS):
        assert {*choices} - {recipes.Scaling.AS_IN_PAPERS, recipes.Source.FILE} in enums
    assert set(Fact) <= set().union(*enums)
    assert set(plan.LETTERS) == set(verify.LETTERS)
    longest = plan.text_of(plan.exact(f"0.{400 * '1'}e-999"))
    assert re.fullmatch(schema["$defs"]["exact"]["pattern"], longest)
