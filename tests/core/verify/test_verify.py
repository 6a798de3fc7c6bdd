"""The verifier accepts every honest release, rejects each change, and never fails on nonsense."""

import ast
import hashlib
import json
import subprocess
import sys
from dataclasses import fields

import pytest

from dpca_core.data import column_names, recipe_json, text_file_format
from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Missing,
    MissingPerson,
    Number,
    Recipe,
    RowLength,
    Scaling,
    Source,
)
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.release import assumptions, certificate, drawn, plan_checks, plan_json
from dpca_core.release.plan import Declaration, Scores
from dpca_core.release.release_files import PRACTICE
from dpca_core.verify import known_sentences as sentences
from dpca_core.verify import known_settings as known
from dpca_core.verify.__main__ import main
from tests.core.release.cases import plans, published
from tests.core.verify.certificates import (
    CERTIFICATE,
    changed,
    forged,
    leaves,
    sealed,
    verified,
    wrong,
)
from tests.paths import ROOT

NONSENSE = (None, "", -1, 0, 1.5, True, [], {}, "1e999999999", "9" * 5000, "1/0", "\ud800", 10**400)


@pytest.fixture(scope="module")
def files():
    """Return the files of a release with everything."""
    return published(plans()["rounded Gaussian"]).files()


@pytest.mark.parametrize("name", plans())
def test_honest_releases_are_right(tmp_path, capsys, name):
    for times in (1, 3):
        found = published(plans()[name], times).files()
        assert verified(tmp_path, found) == 0, capsys.readouterr().out
    *lines, last = capsys.readouterr().out.splitlines()
    assert last.startswith("The arithmetic of this certificate is right. Whether the program ran")
    assert all(line.startswith(("ok ", "The arithmetic")) for line in lines)


def test_one_changed_digit_in_a_file_is_rejected(tmp_path, capsys, files):
    for name in set(files) - {CERTIFICATE}:
        content = files[name]
        last = max(place for place, letter in enumerate(content) if chr(letter).isdigit())
        digit = b"1" if content[last : last + 1] != b"1" else b"2"
        bad = content[:last] + digit + content[last + 1 :]
        assert verified(tmp_path, files | {name: bad}) == 1, name
    assert "WRONG" in capsys.readouterr().out


def test_every_file_of_a_release_has_its_digest_in_the_certificate(tmp_path, capsys, files):
    tree = json.loads(files[CERTIFICATE])
    assert set(tree["files"]) == set(files) - {CERTIFICATE}
    for name in ("report.html", "certificate.html"):
        bad = files[name].replace(b"<body>", b"<body><p>All is well.</p>", 1)
        assert verified(tmp_path, files | {name: bad}) == 1
        assert f"WRONG  {name}: digest" in capsys.readouterr().out
    without = {name: digest for name, digest in tree["files"].items() if name != "report.html"}
    for listed in (without, tree["files"] | {"more.csv": 64 * "0"}):
        assert verified(tmp_path, files | {CERTIFICATE: sealed(tree | {"files": listed})}) == 1


def test_files_that_are_not_given_are_named(tmp_path, capsys, files):
    """The certificate itself may be among them."""
    assert verified(tmp_path, files, alone=True) == 0
    assert "absent report.html: was not given" in capsys.readouterr().out
    everything = sorted(str(path) for path in tmp_path.iterdir())
    assert main([str(tmp_path / CERTIFICATE), *everything]) == 0
    assert "absent" not in capsys.readouterr().out


def test_a_matrix_that_is_not_symmetric_is_found_under_its_own_digest(tmp_path, capsys, files):
    *lines, last = files["matrix.csv"].decode().splitlines()
    name, first, *cells = last.split(",")
    bad = "\n".join([*lines, ",".join([name, str(int(first) + 1), *cells]), ""]).encode()
    places = {"files/matrix.csv": hashlib.sha256(bad).hexdigest()}
    content = sealed(changed(json.loads(files[CERTIFICATE]), places))
    assert verified(tmp_path, files | {CERTIFICATE: content, "matrix.csv": bad}) == 1
    assert "symmetric" in capsys.readouterr().out


def test_what_is_no_certificate_cannot_be_read(tmp_path, capsys, files):
    """A key that stands twice could hide the other one; the first format lists too little."""
    whole = files[CERTIFICATE]
    for content in (
        *(b"", b"{", b"[]", b"null", b"7", b"\xff\xfe", b'{"format": NaN}', b"[" * 100_000),
        *(b'{"format": "dpca-release/1"}', b'{"format": 1, "format": 1}', b"9" * 5000),
        whole.replace(b"{", b'{"practice": "none",', 1),
        sealed(changed(json.loads(whole), {"format": "dpca-release/1"})),
    ):
        assert verified(tmp_path, {CERTIFICATE: content}) == 2
        assert "cannot be checked" in capsys.readouterr().err


def test_nonsense_in_any_field_ends_without_a_traceback(tmp_path, capsys, files):
    tree = json.loads(files[CERTIFICATE])
    tables = {name: files[name] for name in files if name.endswith(".csv")}
    for place, (path, value) in enumerate(leaves(tree)):
        steps = len(NONSENSE) if "bins" in path or path == "digest" else 2
        for step in range(steps):
            found = NONSENSE[(2 * place + step) % len(NONSENSE)]
            if type(found) is type(value) and found == value:
                continue
            content = json.dumps(changed(tree, {path: found})).encode()
            assert verified(tmp_path, tables | {CERTIFICATE: content}) in (1, 2), (path, found)
    capsys.readouterr()


def test_missing_parts_end_without_a_traceback(tmp_path, capsys, files):
    tree = json.loads(files[CERTIFICATE])
    damaged = [changed(tree, {"plan/scores": None})]
    for key in tree:
        rest = {name: value for name, value in tree.items() if name != key}
        damaged += [rest, *(rest | {key: nothing} for nothing in (None, [], {}))]
    for found in damaged:
        content = json.dumps(found).encode()
        assert verified(tmp_path, files | {CERTIFICATE: content}) in (1, 2)
    capsys.readouterr()


def test_absent_files_and_no_arguments(tmp_path, capsys, files):
    (tmp_path / CERTIFICATE).write_bytes(files[CERTIFICATE])
    assert main([]) == 2
    assert main([str(tmp_path / "none.json")]) == 2
    assert main([str(tmp_path / CERTIFICATE), str(tmp_path / "matrix.csv")]) == 2
    assert "matrix.csv cannot be opened" in capsys.readouterr().err


def test_a_run_loads_little_and_nothing_that_draws(tmp_path, files):
    """Standard library, NumPy, SciPy, and the accounting with the roots that it needs."""
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    program = (
        "import sys; before = {*sys.modules}; from dpca_core.verify.__main__ import main;"
        "code = main(sys.argv[1:]); print(sorted({*sys.modules} - before)); sys.exit(code)"
    )
    names = (CERTIFICATE, *(files.keys() - {CERTIFICATE}))
    words = [sys.executable, "-c", program, *(str(tmp_path / name) for name in names)]
    run = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=True)
    loaded = ast.literal_eval(run.stdout.splitlines()[-1])
    own = {name for name in loaded if name.startswith("dpca_core.")}
    assert {name for name in own if not name.startswith("dpca_core.verify")} == {
        *("dpca_core.linalg", "dpca_core.linalg.roots"),
        *("dpca_core.privacy", "dpca_core.privacy.gaussian"),
    }
    foreign = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    assert {name for name in foreign if "_" not in name} == {"numpy", "scipy"}


FIRST = ROOT / "tests" / "core" / "verify" / "first_certificate.json"
"""The second release of a made-up account, by the first version that wrote this format: pure noise
on three tables, persons of several rows, a category, a private mean, a mean's sentence of then."""


def test_every_choice_is_allowed_but_those_that_read_the_table():
    for allowed, kind in (
        (known.SCALINGS, Scaling),
        (known.COMBINED, Combine),
        (known.MISSING_BECOMES, Missing),
        (known.ROW_LENGTHS, RowLength),
        (known.CODINGS, CategoryCoding),
        (known.OF_NOBODY, MissingPerson),
        (known.SOURCES, Source),
    ):
        without = {Scaling.AS_IN_PAPERS, Source.FILE}
        assert allowed == tuple(choice.value for choice in kind if choice not in without)


def test_keys_are_those_of_the_program():
    for kind, of, more in (
        ("recipe", Recipe, {"format"}),
        ("numbers", Number, set()),
        ("categories", Category, set()),
        ("unit of the recipe", Unit, set()),
        ("number format", TextFileFormat, set()),
        ("scores", Scores, set()),
        ("declarations", Declaration, set()),
    ):
        assert known.KEYS[kind] == sorted({found.name for found in fields(of)} | more)


def test_formats_marks_and_limits_are_those_of_the_program():
    assert known.FORMATS == {"plan": plan_json.FORMAT, "recipe": recipe_json.FORMAT}
    assert known.MARKS_BETWEEN_CELLS == text_file_format.SEPARATORS
    assert known.DECIMAL_MARKS == text_file_format.DECIMALS
    assert ("", *known.MARKS_OF_THOUSANDS) == text_file_format.THOUSANDS
    assert known.KNOWN_ENCODINGS == text_file_format.ENCODINGS
    assert known.PROVED_COLUMNS == column_names.MAX_COLUMNS
    assert known.LETTERS_OF_SENTENCE == plan_checks.LONGEST_REASON
    ends = known.BINS_EACH_WAY[0], known.BINS_EACH_WAY[-1]
    assert ends == (plan_checks.FEWEST_BINS, drawn.MOST_BINS)


def test_what_is_said_now_is_the_last_version_of_what_may_be_said():
    assert sentences.KNOWN_ASSUMPTIONS[-1] == assumptions.ASSUMPTIONS
    assert sentences.KNOWN_THEOREMS[-1] == certificate.THEOREMS
    assert sentences.KNOWN_LIMITS_OF_CHECKING[-1] == assumptions.CANNOT_BE_SEEN
    assert sentences.KNOWN_OMISSIONS[-1] == certificate.NOT_PUBLISHED
    assert sentences.PRACTICE_SENTENCE == PRACTICE


def test_a_certificate_of_the_first_version_is_still_right(
    capsys,
):
    assert main([str(FIRST)]) == 0
    assert "WRONG" not in capsys.readouterr().out
    tree = json.loads(FIRST.read_bytes())
    assert tree["not_published"] == sentences.KNOWN_OMISSIONS[0] != sentences.KNOWN_OMISSIONS[-1]
    found = wrong(forged(tree, {"plan/recipe/combine": "at most 3 kept"}))
    assert "several rows of a person" in found
