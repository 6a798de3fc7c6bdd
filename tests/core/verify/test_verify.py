"""The verifier accepts every honest release, rejects each change, and never fails on nonsense."""

import ast
import hashlib
import json
import subprocess
import sys

import pytest

from dpca_core.verify.__main__ import main
from tests.core.release.published_cases import made_up, plans, published
from tests.core.verify.certificates import (
    CERTIFICATE,
    changed,
    leaves,
    other,
    read,
    sealed,
    verified,
)
from tests.paths import ROOT
from tests.product_source import MODULES

ARITHMETIC = (
    ("unit", "rows"), ("unit", "neighbours"), ("unit", "one"), ("plan", "grid"),
    ("unit", "sentence"), ("parts", 0, "law"), ("parts", 1, "law"),
    ("plan", "adjacency"), ("plan", "epsilon"), ("plan", "delta"), ("plan", "means"),
    ("plan", "scores", "share"), ("plan", "scales", "matrix", "a"),
    ("plan", "scales", "matrix", "b"), ("plan", "scales", "means", "a"),
    ("plan", "recipe", "bounds_are_public"), ("plan", "columns", 0), ("plan", "reason"),
    ("guarantee", "epsilon"), ("guarantee", "delta"), ("guarantee", "mu2"), ("guarantee", "pure"),
    ("guarantee", "notion"), ("parts", 2, "mu2"),
    ("parts", 0, "share"), ("parts", 0, "sensitivity_squared"), ("parts", 0, "mu2"),
    ("parts", 0, "grid_unit"), ("parts", 0, "norm"), ("parts", 1, "scales", "a"),
    ("parts", 1, "scales", "b"), ("parts", 1, "noise"), ("parts", 1, "name"),
    ("parts", 2, "file"), ("account", "total", "mu2"),
    ("account", "total", "pure"), ("account", "promised", "delta"), ("release", "id"),
    ("release", "number"), ("release", "spent_on"), ("chain", "previous"), ("chain", "link"),
    ("chain", "limit", "epsilon"), ("account", "id"), ("files", "matrix.csv"),
    ("files", "report.html"), ("files", "certificate.html"), ("format",),
)  # fmt: skip
"""What is found by computing again, not by the digest."""
NONSENSE = (None, "", -1, 0, 1.5, True, [], {}, "1e999999999", "9" * 5000, "1/0", "\ud800", 10**400)


@pytest.fixture(scope="module")
def files():
    """Return the files of a release with everything."""
    of = plans()["rounded Gaussian"]
    return published(of, made_up(of)).files()


@pytest.mark.parametrize("name", plans())
def test_honest_releases_are_right(tmp_path, capsys, name):
    of = plans()[name]
    for times in (1, 3):
        found = published(of, made_up(of), times).files()
        assert verified(tmp_path, found) == 0, capsys.readouterr().out
    *lines, last = capsys.readouterr().out.splitlines()
    assert last.startswith("The arithmetic of this certificate is right. Whether the program ran")
    assert all(line.startswith(("ok ", "The arithmetic")) for line in lines)


def test_every_change_of_one_field_is_rejected(tmp_path, capsys, files):
    tree = read(files)
    places = list(leaves(tree))
    assert len(places) > 100
    for path, value in places:
        content = json.dumps(changed(tree, path, other(value)), ensure_ascii=False).encode()
        assert verified(tmp_path, {CERTIFICATE: content}) in (1, 2), path
    capsys.readouterr()


@pytest.mark.parametrize("path", ARITHMETIC, ids=lambda path: ".".join(map(str, path)))
def test_the_arithmetic_finds_changes_under_a_new_digest(tmp_path, files, path):
    tree = read(files)
    value = tree
    for key in path:
        value = value[key]
    forged = sealed(changed(tree, path, other(value)))
    assert verified(tmp_path, files | {CERTIFICATE: forged}) in (1, 2)


def test_the_chance_of_a_guess_is_computed_again(tmp_path, capsys, files):
    forged = sealed(changed(read(files), ("guarantee", "guess_probability"), "0.5100000000"))
    assert verified(tmp_path, files | {CERTIFICATE: forged}) == 1
    assert "chance of a right guess: it says 0.51" in capsys.readouterr().out


def test_one_changed_digit_in_a_file_is_rejected(tmp_path, capsys, files):
    for name in set(files) - {CERTIFICATE}:
        content = files[name]
        last = max(place for place, letter in enumerate(content) if chr(letter).isdigit())
        digit = b"1" if content[last : last + 1] != b"1" else b"2"
        bad = content[:last] + digit + content[last + 1 :]
        assert verified(tmp_path, files | {name: bad}) == 1, name
    assert "WRONG" in capsys.readouterr().out


def test_every_file_of_a_release_has_its_digest_in_the_certificate(tmp_path, capsys, files):
    tree = read(files)
    assert set(tree["files"]) == set(files) - {CERTIFICATE}
    for name in ("report.html", "certificate.html"):
        bad = files[name].replace(b"<body>", b"<body><p>All is well.</p>", 1)
        assert verified(tmp_path, files | {name: bad}) == 1
        assert f"WRONG  {name}: digest" in capsys.readouterr().out
    without = {name: digest for name, digest in tree["files"].items() if name != "report.html"}
    for listed in (without, tree["files"] | {"more.csv": 64 * "0"}):
        forged = sealed(tree | {"files": listed})
        assert verified(tmp_path, files | {CERTIFICATE: forged}) == 1


def test_files_that_are_not_given_are_named_and_the_certificate_may_be_among_them(
    tmp_path, capsys, files
):
    assert verified(tmp_path, files, alone=True) == 0
    assert "absent report.html: was not given" in capsys.readouterr().out
    everything = sorted(str(path) for path in tmp_path.iterdir())
    assert main([str(tmp_path / CERTIFICATE), *everything]) == 0
    assert "absent" not in capsys.readouterr().out


def test_the_first_format_lists_too_little(tmp_path, files):
    forged = sealed(changed(read(files), ("format",), "dpca-release/1"))
    assert verified(tmp_path, files | {CERTIFICATE: forged}) == 2


def test_a_matrix_that_is_not_symmetric_is_found_under_its_own_digest(tmp_path, capsys, files):
    lines = files["matrix.csv"].decode().splitlines()
    cells = lines[-1].split(",")
    lines[-1] = ",".join([cells[0], str(int(cells[1]) + 1), *cells[2:]])
    bad = ("\n".join(lines) + "\n").encode()
    digest = hashlib.sha256(bad).hexdigest()
    forged = sealed(changed(read(files), ("files", "matrix.csv"), digest))
    assert verified(tmp_path, files | {CERTIFICATE: forged, "matrix.csv": bad}) == 1
    assert "symmetric" in capsys.readouterr().out


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"7", b"\xff\xfe", b'{"format": NaN}', b"[" * 100_000,
     b'{"format": "dpca-release/1"}', b'{"format": 1, "format": 1}', b"9" * 5000],
)  # fmt: skip
def test_what_is_no_certificate_cannot_be_read(tmp_path, capsys, content):
    assert verified(tmp_path, {CERTIFICATE: content}) == 2
    assert "cannot be checked" in capsys.readouterr().err


def test_nonsense_in_any_field_ends_without_a_traceback(tmp_path, capsys, files):
    tree, tables = read(files), {name: files[name] for name in files if name.endswith(".csv")}
    for place, (path, value) in enumerate(leaves(tree)):
        steps = len(NONSENSE) if "bins" in path or path == ("digest",) else 2
        for step in range(steps):
            found = NONSENSE[(2 * place + step) % len(NONSENSE)]
            if type(found) is type(value) and found == value:
                continue
            content = json.dumps(changed(tree, path, found)).encode()
            assert verified(tmp_path, tables | {CERTIFICATE: content}) in (1, 2), (path, found)
    capsys.readouterr()


def test_missing_parts_end_without_a_traceback(tmp_path, capsys, files):
    tree = read(files)
    for key in tree:
        rest = {name: value for name, value in tree.items() if name != key}
        for found in (rest, rest | {key: None}, rest | {key: []}, rest | {key: {}}):
            code = verified(tmp_path, files | {CERTIFICATE: json.dumps(found).encode()})
            assert code in (1, 2), key
    scores = json.dumps(changed(tree, ("plan", "scores"), None)).encode()
    assert verified(tmp_path, files | {CERTIFICATE: scores}) in (1, 2)
    capsys.readouterr()


def test_a_repeated_key_hides_nothing(tmp_path, files):
    text = files[CERTIFICATE].decode()
    content = text.replace("{", '{"practice": "none",', 1).encode()
    assert verified(tmp_path, files | {CERTIFICATE: content}) == 2


def test_absent_files_and_no_arguments(tmp_path, capsys, files):
    (tmp_path / CERTIFICATE).write_bytes(files[CERTIFICATE])
    assert main([]) == 2
    assert main([str(tmp_path / "none.json")]) == 2
    assert main([str(tmp_path / CERTIFICATE), str(tmp_path / "matrix.csv")]) == 2
    assert "matrix.csv cannot be opened" in capsys.readouterr().err


def imported(module: str) -> set[str]:
    """Return the names of modules that a module imports, by its source."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / MODULES[module]).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{name.name}" for name in node.names}
            found |= (inner & MODULES.keys()) or {str(node.module)}
    return found


def test_the_verifier_needs_little():
    """Standard library, NumPy and the accounting, which needs roots and SciPy: nothing else."""
    own = {name for name in MODULES if name.startswith("dpca_core.verify")}
    said = {name for module in own for name in imported(module)} - own
    assert {n for n in said if n.partition(".")[0] not in sys.stdlib_module_names} == {
        "numpy",
        "dpca_core.privacy.gaussian",
    }
    seen, todo = set(), {"dpca_core.privacy.gaussian"}
    while todo:
        module = todo.pop()
        seen.add(module)
        todo |= {name for name in imported(module) if name in MODULES} - seen
    assert seen == {"dpca_core.privacy.gaussian", "dpca_core.linalg.roots"}


def test_a_run_loads_none_of_what_draws(tmp_path, files):
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    program = (
        "import sys; from dpca_core.verify.__main__ import main; code = main(sys.argv[1:]);"
        "print(sorted(n for n in sys.modules if n.startswith('dpca_core'))); sys.exit(code)"
    )
    names = (CERTIFICATE, *(files.keys() - {CERTIFICATE}))
    run = subprocess.run(
        [sys.executable, "-c", program, *(str(tmp_path / name) for name in names)],
        capture_output=True, text=True, cwd=ROOT, check=True,
    )  # fmt: skip
    loaded = ast.literal_eval(run.stdout.splitlines()[-1])
    assert "dpca_core.privacy.gaussian" in loaded
    packages = {".".join(name.split(".")[:2]) for name in loaded} - {"dpca_core"}
    assert packages == {"dpca_core.verify", "dpca_core.privacy", "dpca_core.linalg"}
