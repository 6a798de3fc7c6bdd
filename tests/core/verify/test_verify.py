"""The verifier accepts every honest release, rejects each forgery, and never fails on nonsense."""

import ast
import copy
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from dpca_core.data import column_names, recipe_checks, recipe_json, text_file_format
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
    Scale,
    Scaling,
    Source,
)
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.mechanisms.registry import DRAWN_EXACTLY, MECHANISMS
from dpca_core.release import assumptions, certificate, drawn, plan_checks, plan_json
from dpca_core.release.assumptions import ASSUMPTIONS
from dpca_core.release.plan import Declaration, Scores
from dpca_core.release.plan_parts import PartName, noise_of
from dpca_core.release.release_files import PRACTICE
from dpca_core.verify import known_sentences as sentences
from dpca_core.verify import known_settings as known
from dpca_core.verify.__main__ import main
from dpca_core.verify.certificate_checks import certificate_checks
from dpca_core.verify.certificate_values import Unreadable, canonical, written
from dpca_core.verify.known_settings import SEVERAL
from dpca_core.verify.noise_arithmetic import BESIDE, GAUSSIAN, LAPLACE, LAWS, law_of_key
from tests.core.release.cases import plans, published
from tests.paths import ROOT

CERTIFICATE = "certificate.json"


def verified(folder: Path, files: dict[str, bytes], *, alone: bool = False) -> int:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    others = [] if alone else [str(folder / name) for name in files if name != CERTIFICATE]
    return main([str(folder / CERTIFICATE), *others])


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Return every text, number and null of a tree with the way to it."""
    if isinstance(tree, dict | list):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from leaves(value, f"{path}/{key}" if path else str(key))
    else:
        yield path, tree


def changed(tree: Any, places: dict[str, Any]) -> Any:
    found = copy.deepcopy(tree)
    for path, value in places.items():
        *way, last = (int(key) if key.isdigit() else key for key in path.split("/"))
        inner = found
        for key in way:
            inner = inner[key]
        inner[last] = value
    return found


def other(value: Any) -> Any:
    """Return a value of the same kind that is not this one: one more, or one letter changed."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        return value + 1
    if not value:
        return "x"
    last = value[-1]
    return value[:-1] + (str((int(last) + 1) % 10) if last in "0123456789" else f"{last}x")


def sealed(tree: Any) -> bytes:
    """Write a tree whose digest is right again: what somebody would do who means to deceive."""
    rest = {key: value for key, value in tree.items() if key != "digest"}
    return written(rest | {"digest": hashlib.sha256(canonical(rest).encode()).hexdigest()})


def forged(tree: Any, places: dict[str, Any]) -> bytes:
    """Write a tree that is changed, with the link of its chain and its digest made again."""
    tree = changed(tree, places)
    chain, release, guarantee = (tree[key] for key in ("chain", "release", "guarantee"))
    facts = {
        "account": tree["account"]["id"],
        **{key: release[key] for key in ("id", "number", "spent_on")},
        **{key: guarantee[key] for key in ("mu2", "pure")},
        **{f"limit_{key}": value for key, value in chain["limit"].items()},
        "plan": canonical(tree["plan"]),
    }
    link = hashlib.sha256(f"{chain['previous']}\n{canonical(facts)}".encode()).hexdigest()
    return sealed(changed(tree, {"chain/link": link}))


def wrong(content: bytes) -> set[str]:
    return {check.name for check in certificate_checks(json.loads(content)) if not check.right}


NONSENSE = (None, "", -1, 0, 1.5, True, [], {}, "1e999999999", "9" * 5000, "1/0", "\ud800", 10**400)


@pytest.fixture(scope="module")
def files():
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
        *("dpca_core.privacy", "dpca_core.privacy.gaussian", "dpca_core.privacy.roots"),
    }
    foreign = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    assert {name for name in foreign if "_" not in name} == {"numpy", "scipy"}


FIRST = ROOT / "tests" / "core" / "verify" / "first_certificate.json"
"""The second release of a made-up account, by the first version that wrote this format: pure noise
on three tables, persons of several rows, a category, a private mean, a mean's sentence of then."""


CHOICES_OF = {
    known.SCALINGS: Scaling,
    known.COMBINED: Combine,
    known.MISSING_BECOMES: Missing,
    known.ROW_LENGTHS: RowLength,
    known.CODINGS: CategoryCoding,
    known.OF_NOBODY: MissingPerson,
    known.SOURCES: Source,
}
KINDS = {
    "numbers": Number,
    "scales": Scale,
    "categories": Category,
    "unit of the recipe": Unit,
    "number format": TextFileFormat,
    "scores": Scores,
    "declarations": Declaration,
}


def test_what_is_typed_again_is_what_the_program_has():
    """Every choice is allowed but those that read the table; the last sentence is today's."""
    reads = {Scaling.AS_IN_PAPERS, Source.FILE}
    for allowed, kind in CHOICES_OF.items():
        assert allowed == tuple(choice.value for choice in kind if choice not in reads)
    for name, kind in KINDS.items():
        assert known.KEYS[name] == sorted(found.name for found in fields(kind))
    assert known.KEYS["recipe"] == sorted(["format", *(found.name for found in fields(Recipe))])
    assert known.FORMATS == {"plan": plan_json.FORMAT, "recipe": recipe_json.FORMAT}
    assert known.MARKS_BETWEEN_CELLS == text_file_format.SEPARATORS
    assert known.DECIMAL_MARKS == text_file_format.DECIMALS
    assert ("", *known.MARKS_OF_THOUSANDS) == text_file_format.THOUSANDS
    assert known.KNOWN_ENCODINGS == text_file_format.ENCODINGS
    assert known.STEPS_OF_SCALE[-1] == recipe_checks.MOST_STEPS
    assert known.PROVED_COLUMNS == column_names.MAX_COLUMNS
    assert known.LETTERS_OF_SENTENCE == plan_checks.LONGEST_REASON
    ends = known.BINS_EACH_WAY[0], known.BINS_EACH_WAY[-1]
    assert ends == (plan_checks.FEWEST_BINS, drawn.MOST_BINS)
    assert sentences.KNOWN_ASSUMPTIONS[-1] == assumptions.ASSUMPTIONS
    assert sentences.KNOWN_THEOREMS[-1] == certificate.THEOREMS
    assert sentences.KNOWN_LIMITS_OF_CHECKING[-1] == assumptions.CANNOT_BE_SEEN
    assert sentences.KNOWN_OMISSIONS[-1] == certificate.NOT_PUBLISHED
    assert sentences.PRACTICE_SENTENCE == PRACTICE


def test_a_certificate_of_the_first_version_is_still_right(capsys):
    assert main([str(FIRST)]) == 0
    assert "WRONG" not in capsys.readouterr().out
    tree = json.loads(FIRST.read_bytes())
    assert tree["not_published"] == sentences.KNOWN_OMISSIONS[0] != sentences.KNOWN_OMISSIONS[-1]
    found = wrong(forged(tree, {"plan/recipe/combine": "at most 3 kept"}))
    assert "several rows of a person" in found


R = "plan/recipe"
NUMBER, CATEGORY, SCALING = f"{R}/numbers/0", f"{R}/categories/0", f"{R}/scaling"
SOURCE, RADIUS, FORM = f"{NUMBER}/source", f"{R}/radius", f"{R}/number_format"
FREE = {SCALING: "norm only"}
PERSON = {f"{R}/person": ["id"]}
FORGED: dict[str, list[dict[str, Any]]] = {
    "rows are scaled one by one": [{SCALING: "as in the papers"}, {SCALING: "xyz"}],
    "nothing is known from the table": [{SOURCE: "file"}, {SOURCE: None}],
    "rows that name nobody": [PERSON | {f"{R}/missing_person": "each row its own"}],
    "a private mean is paid for": [{SCALING: "private mean"}],
    "columns after coding": [{"plan/columns/0": "weight", "plan/columns/1": "age"}],
    "directions": [{"plan/k": 0}, {"plan/k": 99}],
    "ranges and R": [
        {f"{NUMBER}/low": 500.0},
        {f"{NUMBER}/high": None},
        {f"{NUMBER}/typical": 1e9},
        FREE | {RADIUS: None},
        {RADIUS: -1.0},
    ],
    "ε and δ of the account": [{"account/promised/delta": "5", "chain/limit/delta": "5"}],
    "ε and δ of the limit": [{"account/promised/delta": "1", "chain/limit/delta": "1"}],
    "set aside of the account": [{"account/promised/pure": "9999", "chain/limit/pure": "9999"}],
    "set aside of the limit": [{"chain/limit/pure": "9999"}],
    "what it rests on is said": [{"assumptions": [*ASSUMPTIONS[1:]]}, {"theorems": []}],
    "what cannot be seen is said": [{"cannot_be_seen": ""}],
    "what is not published is said": [{"not_published": ""}],
    "mechanism": [{"plan/mechanism": "laplace"}],
    "unit in words": [{"unit/sentence": "one person replaced"}, {"unit/sentence": "all at once"}],
    "matrix: law in words": [{"parts/0/law": LAWS[LAPLACE]}, {"parts/0/law": "none is added"}],
    "several rows of a person": [
        PERSON | {f"{R}/most": 7, f"{R}/combine": "at most 7 kept"},
        PERSON | {f"{R}/combine": "all rows kept, not divided"},
    ],
    "rows a person": [PERSON | {f"{R}/most": 7, f"{R}/combine": SEVERAL}],
    "limits declared public": [{f"{R}/bounds_are_public": public} for public in (1, False)],
    "keys of recipe": [{f"{R}/weights": [100, 1]}],
    "keys of guarantee": [{"guarantee/also": "ε = 0"}],
    "keys of the certificate": [{"promise": "nothing is learned"}],
    "how the file is written": [{f"{FORM}/thousands": "."}, {f"{FORM}/encoding": "utf-16"}],
    "share of the mean": [{f"{R}/mean_share": 5}],
    "columns": [
        {f"{R}/numbers/1/name": "age", "plan/columns/1": "age"},
        FREE | {RADIUS: 1.0, f"{NUMBER}/low": "low"},
        {f"{NUMBER}/missing": [9]},
    ],
    "ID columns": [{f"{R}/person": ["id", "id"]}],
    "IDs with or without case": [{f"{R}/ids_ignore_case": 1}],
    "words of the unit": [{f"{R}/unit/one": "<b>", "unit/one": "<b>"}],
    "why this ε": [{"plan/reason": " "}, {"plan/reason": 501 * "x"}],
    "what was asked": [{"plan/declarations": [{"sentence": "x", "answer": 1}]}],
    "name of the practice": [{"plan/practice": 101 * "x"}],
    "names and days": [{"release/spent_on": 20251125}],
    "ε and δ of the release": [
        {"plan/delta": "1", "guarantee/delta": "1"},
        {"plan/epsilon": "0", "guarantee/epsilon": "0"},
    ],
    "matrix: scales leave room": [{"parts/0/scales": {"a": 2**58, "b": 2**59}}],
    "chance of a right guess": [{"guarantee/guess_probability": "0.5100000000"}],
}
"""What is changed, by the check that finds it: beside any other text, which is changed below."""

CODED: dict[str, list[dict[str, Any]]] = {
    "nothing is known from the table": [{f"{CATEGORY}/source": "file"}, {f"{CATEGORY}/source": ""}],
    "lists of values": [
        {f"{CATEGORY}/values": ["f"]},
        {f"{CATEGORY}/values": ["f", "f"], "plan/columns/3": "sex: f"},
    ],
    "columns": [{f"{R}/categories/1/name": "sex"}],
    "columns after coding": [{"plan/columns/3": "sex: x"}],
    "rows a person": [{f"{R}/most": 2}, {f"{R}/combine": "at most 3 kept"}],
    "rows that name nobody": [{f"{R}/missing_person": "each row its own"}],
    "δ of pure noise": [{"plan/delta": "0.5", "guarantee/delta": "0.5"}],
    "bins of scores": [{"plan/scores/bins": [5, 51]}],
    "reach of scores": [{"plan/scores/reach": "0"}],
    "keys of scores": [{"plan/scores/all": "1"}],
}
"""The same for pure noise on all tables, persons of several rows, and categories."""

WORDS = {
    *("account/id", "account/name", "account/opened_on", "account/people", "release/id"),
    *("release/spent_on", "software/commit", "software/name", "software/version"),
    *("plan/practice", "plan/reason", f"{R}/numbers/*/unit"),
}
"""Names, days, versions and the owner's own words: nothing is computed from them."""

SEALS = {"chain/link", "digest", "guarantee/guess_probability", "account/total/most_pure"}
"""Made again, or a last digit that the next one above may be, or what is still allowed."""

CHOICES = {
    *("plan/k", "plan/scores/bins/*", "plan/scores/reach", f"{R}/numbers/*/low"),
    *(f"{R}/numbers/*/high", f"{R}/numbers/*/seen", f"{R}/categories/*/seen", f"{R}/person/*"),
    *(f"{R}/ids_ignore_case", f"{R}/most", f"{FORM}/missing/*", f"{FORM}/unnamed"),
    *(f"{FORM}/cr_ends_lines", f"{FORM}/skip", f"{FORM}/sheet"),
}
"""Choices under which the same is promised; m where no rows are kept."""

SAME_VALUE = {"guarantee/mu2", "guarantee/pure", "parts/*/mu2", "parts/*/pure"}
"""0/2 for 0/1: other texts of a number."""


def tree_of(name: str) -> Any:
    return json.loads(published(plans()[name]).files()[CERTIFICATE])


@pytest.fixture(scope="module")
def tree():
    """The certificate of a matrix alone, with Gaussian noise."""
    return tree_of("matrix alone")


@pytest.fixture(scope="module")
def coded():
    return tree_of("persons and categories, pure")


@pytest.mark.parametrize("check", FORGED)
def test_a_certificate_of_no_promise_is_found(tree, check):
    for places in FORGED[check]:
        found = wrong(forged(tree, places))
        assert check in found, places
        assert not {"link of the chain", "digest of the certificate"} & found


@pytest.mark.parametrize("check", CODED)
def test_one_of_persons_and_categories_is_found(coded, check):
    for places in CODED[check]:
        assert check in wrong(forged(coded, places)), places


@pytest.mark.parametrize("name", ["persons and categories, pure", "rounded Gaussian"])
def test_what_may_be_changed_is_nothing_that_a_promise_rests_on(name):
    """Every field is changed, under right seals; files are compared where they are given."""
    tree, free = tree_of(name), set()
    for path, value in leaves(tree):
        try:
            found = wrong(forged(tree, {path: other(value)}))
        except Unreadable:
            continue
        if not found and not path.startswith("files/"):
            free.add("/".join("*" if key.isdigit() else key for key in path.split("/")))
    assert free - WORDS - SEALS - CHOICES - SAME_VALUE == set()
    assert free >= WORDS | SEALS


def test_digest_and_link_are_computed_again(tree):
    assert "digest of the certificate" in wrong(written(changed(tree, {"plan/reason": "another"})))
    assert wrong(forged(tree, {"plan/reason": "another"})) == set()
    previous, link = (other(tree["chain"][key]) for key in ("previous", "link"))
    for places in ({"chain/link": link}, {"chain/previous": previous}):
        assert "link of the chain" in wrong(sealed(changed(tree, places)))


def test_an_empty_object_of_the_recipe_is_no_certificate(tree):
    for kind in ("number_format", "unit"):
        with pytest.raises(Unreadable):
            wrong(forged(tree, {f"{R}/{kind}": {}}))


def test_more_columns_than_the_proof_allows_are_found(tree):
    names = [f"c{j}" for j in range(2001)]
    numbers = [tree["plan"]["recipe"]["numbers"][0] | {"name": name} for name in names]
    places = {f"{R}/numbers": numbers, "plan/columns": names}
    assert "number of columns" in wrong(forged(tree, places))


def test_the_noises_of_a_release_go_together():
    tree = tree_of("rounded difference of Wisharts")
    for place, part in enumerate(tree["parts"]):
        if part["name"] != "matrix":
            places = {f"parts/{place}/noise": GAUSSIAN, f"parts/{place}/scales": {"a": 2**20}}
            assert f"{part['name']}: law of its noise" in wrong(forged(tree, places))


def test_laws_and_keys_that_are_typed_again_are_those_of_the_mechanisms():
    laws = set(DRAWN_EXACTLY.values())
    assert {law.value: noise_of(PartName.MEANS, law).value for law in laws} == BESIDE
    assert ExactNoise.GAUSSIAN.value == GAUSSIAN
    for key in MECHANISMS:
        assert law_of_key(key) in (DRAWN_EXACTLY.get(key, ""), "")
    assert {law_of_key(key) for key in MECHANISMS} == {*LAWS, ""}


def test_a_key_that_spells_no_law_is_noted_and_makes_nothing_wrong(tree, tmp_path, capsys):
    """A mechanism that is new here may have any key: what is promised rests on its law."""
    for key in ("brand_new", "wishart", "", "gaussian_gaussian"):
        content = forged(tree, {"plan/mechanism": key})
        (check,) = [c for c in certificate_checks(json.loads(content)) if c.name == "mechanism"]
        assert (check.right, check.noted) == (False, True)
        assert verified(tmp_path, {CERTIFICATE: content}) == 0
    said = capsys.readouterr().out
    assert "note   mechanism: it says brand_new" in said
    assert "WRONG" not in said
