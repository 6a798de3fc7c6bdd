"""Changes of a certificate are found also under a chain and a digest that are right again."""

import json
from typing import Any

import pytest

from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.release.assumptions import ASSUMPTIONS
from dpca_core.release.plan_parts import PartName, noise_of
from dpca_core.verify.certificate_checks import certificate_checks
from dpca_core.verify.certificate_values import Unreadable, written
from dpca_core.verify.known_settings import SEVERAL
from dpca_core.verify.noise_arithmetic import BESIDE, GAUSSIAN, LAPLACE, LAWS, law_of_key
from tests.core.release.cases import plans, published
from tests.core.verify.certificates import (
    CERTIFICATE,
    changed,
    forged,
    leaves,
    other,
    sealed,
    verified,
    wrong,
)

R = "plan/recipe"
NUMBER, CATEGORY, SCALING = f"{R}/numbers/0", f"{R}/categories/0", f"{R}/scaling"
SOURCE, RADIUS, FORM = f"{NUMBER}/source", f"{R}/radius", f"{R}/number_format"
FREE = {SCALING: "norm only"}
PERSON = {f"{R}/person": ["id"]}
FORGED: dict[str, list[dict[str, Any]]] = {
    "rows are scaled one by one": [{SCALING: "as in the papers"}, {SCALING: "xyz"}],
    "nothing is known from the table": [
        {SOURCE: "file"},
        {SOURCE: "read from the file"},
        {SOURCE: None},
    ],
    "rows that name nobody": [PERSON | {f"{R}/missing_person": "each row its own"}],
    "a private mean is paid for": [{SCALING: "private mean"}],
    "columns after coding": [
        {"plan/columns": ["a", "b"]},
        {"plan/columns/0": "something else"},
        {"plan/columns/0": "weight", "plan/columns/1": "age"},
    ],
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
    "what it rests on is said": [
        {"assumptions": []},
        {"assumptions/0": " "},
        {"assumptions/0": "The moon is made of cheese."},
        {"assumptions": [*ASSUMPTIONS[1:]]},
        {"theorems": []},
        {"theorems/0": "Obvious"},
    ],
    "what cannot be seen is said": [{"cannot_be_seen": ""}, {"cannot_be_seen": "Nothing."}],
    "what is not published is said": [{"not_published": ""}, {"not_published": "Nothing."}],
    "mechanism": [{"plan/mechanism": "laplace"}],
    "unit in words": [{"unit/sentence": "one person replaced"}, {"unit/sentence": "all at once"}],
    "matrix: law in words": [{"parts/0/law": LAWS[LAPLACE]}, {"parts/0/law": "none is added"}],
    "several rows of a person": [
        PERSON | {f"{R}/most": 7, f"{R}/combine": "at most 7 kept"},
        PERSON | {f"{R}/combine": "all rows kept, not divided"},
    ],
    "rows a person": [PERSON | {f"{R}/most": 7, f"{R}/combine": SEVERAL}],
    "missing values": [{f"{R}/missing": "mean of the column in the file"}],
    "coding of categories": [{f"{R}/category_coding": "share in the file"}],
    "length of rows": [{f"{R}/row_length": "as long as they are"}],
    "rows without an ID": [{f"{R}/missing_person": "anybody’s"}],
    "limits declared public": [
        {f"{R}/bounds_are_public": 1},
        {f"{R}/bounds_are_public": False},
    ],
    "keys of recipe": [{f"{R}/weights": [100, 1]}],
    "keys of guarantee": [{"guarantee/also": "ε = 0"}],
    "keys of the certificate": [{"promise": "nothing is learned"}],
    "how the file is written": [
        {f"{FORM}/delimiter": ""},
        {f"{FORM}/thousands": "."},
        {f"{FORM}/encoding": "utf-16"},
    ],
    "share of the mean": [{f"{R}/mean_share": 5}],
    "columns": [
        {f"{R}/numbers/1/name": "age", "plan/columns/1": "age"},
        FREE | {RADIUS: 1.0, f"{NUMBER}/low": "low"},
        {f"{NUMBER}/seen": "?"},
        {f"{NUMBER}/missing": [9]},
    ],
    "ID columns": [{f"{R}/person": ["id", "id"]}],
    "IDs with or without case": [{f"{R}/ids_ignore_case": 1}],
    "words of the unit": [{f"{R}/unit/one": "<b>", "unit/one": "<b>"}],
    "why this ε": [{"plan/reason": " "}, {"plan/reason": 501 * "x"}],
    "what was asked": [{"plan/declarations": [{"sentence": "x", "answer": 1}]}],
    "practice": [{"practice": "practice"}],
    "name of the practice": [{"plan/practice": 101 * "x"}],
    "format of the plan": [{"plan/format": "dpca-plan/9"}],
    "format of the recipe": [{f"{R}/format": "dpca-recipe/9"}],
    "names and days": [{"release/spent_on": 20251125}],
    "ε and δ of the release": [
        {"plan/delta": "1", "guarantee/delta": "1"},
        {"plan/epsilon": "0", "guarantee/epsilon": "0"},
    ],
    "matrix: scales leave room": [{"parts/0/scales": {"a": 2**58, "b": 2**59}}],
    "chance of a right guess": [{"guarantee/guess_probability": "0.5100000000"}],
}
"""What is changed, by the check that finds it."""
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
}
"""Choices under which the same is promised; m where no rows are kept."""
SAME_VALUE = {"guarantee/mu2", "guarantee/pure", "parts/*/mu2", "parts/*/pure"}
"""0/2 for 0/1: other texts of a number."""


def certificate(name: str) -> Any:
    return json.loads(published(plans()[name]).files()[CERTIFICATE])


@pytest.fixture(scope="module")
def tree():
    """The certificate of a matrix alone, with Gaussian noise."""
    return certificate("matrix alone")


@pytest.fixture(scope="module")
def coded():
    return certificate("persons and categories, pure")


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
    tree, free = certificate(name), set()
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
    tree = certificate("rounded difference of Wisharts")
    for place, part in enumerate(tree["parts"]):
        if part["name"] != "matrix":
            places = {f"parts/{place}/noise": GAUSSIAN, f"parts/{place}/scales": {"a": 2**20}}
            assert f"{part['name']}: law of its noise" in wrong(forged(tree, places))


def test_laws_and_keys_that_are_typed_again_are_those_of_the_mechanisms():
    laws = {found.exact_noise for found in MECHANISMS.values() if found.exact_noise}
    assert {law.value: noise_of(PartName.MEANS, law).value for law in laws} == BESIDE
    assert ExactNoise.GAUSSIAN.value == GAUSSIAN
    for key, mechanism in MECHANISMS.items():
        assert law_of_key(key) in (mechanism.exact_noise or "", "")
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
