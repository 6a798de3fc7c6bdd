"""Settings under which nothing is promised are found, under a chain and a digest that are right."""

import json

import pytest

from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.release.assumptions import ASSUMPTIONS
from dpca_core.release.plan_parts import PartName, noise_of
from dpca_core.verify.certificate_checks import certificate_checks
from dpca_core.verify.certificate_values import Unreadable
from dpca_core.verify.known_settings import SEVERAL
from dpca_core.verify.noise_arithmetic import BESIDE, GAUSSIAN, LAPLACE, LAWS, law_of_key
from tests.core.release.published_cases import made_up, plans, published
from tests.core.verify.certificates import (
    CERTIFICATE,
    changed,
    linked,
    read,
    sealed,
    verified,
)

RECIPE = ("plan", "recipe")
NUMBER, CATEGORY = (*RECIPE, "numbers", 0), (*RECIPE, "categories", 0)
FORGED = {
    "scaled by the longest row": ({(*RECIPE, "scaling"): "as in the papers"},
                                  "rows are scaled one by one"),
    "scaled somehow": ({(*RECIPE, "scaling"): "xyz"}, "rows are scaled one by one"),
    "read from the file": ({(*NUMBER, "source"): "file"}, "nothing is known from the table"),
    "rows without an ID": ({(*RECIPE, "person"): ["id"],
                            (*RECIPE, "missing_person"): "each row its own"},
                           "rows that name nobody"),
    "an unpaid mean": ({(*RECIPE, "scaling"): "private mean"}, "a private mean is paid for"),
    "fewer columns": ({("plan", "columns"): ["a", "b"]}, "columns after coding"),
    "no direction": ({("plan", "k"): 0}, "directions"),
    "too many directions": ({("plan", "k"): 99}, "directions"),
    "a range that falls": ({(*NUMBER, "low"): 500.0}, "ranges and R"),
    "no range": ({(*NUMBER, "high"): None}, "ranges and R"),
    "typical beyond": ({(*NUMBER, "typical"): 1e9}, "ranges and R"),
    "no R": ({(*RECIPE, "scaling"): "norm only", (*RECIPE, "radius"): None}, "ranges and R"),
    "negative R": ({(*RECIPE, "radius"): -1.0}, "ranges and R"),
    "δ above 1": ({("account", "promised", "delta"): "5", ("chain", "limit", "delta"): "5"},
                  "ε and δ of the account"),
    "δ of a limit": ({("account", "promised", "delta"): "1", ("chain", "limit", "delta"): "1"},
                     "ε and δ of the limit"),
    "set aside": ({("account", "promised", "pure"): "9999", ("chain", "limit", "pure"): "9999"},
                  "set aside of the account"),
    "no assumptions": ({("assumptions",): []}, "what it rests on is said"),
    "empty assumption": ({("assumptions", 0): " "}, "what it rests on is said"),
    "no proofs": ({("theorems",): []}, "what it rests on is said"),
    "another law's key": ({("plan", "mechanism"): "laplace"}, "mechanism"),
    "another unit in words": ({("unit", "sentence"): "one person replaced"}, "unit in words"),
    "a unit in words of its own": ({("unit", "sentence"): "everybody at once"}, "unit in words"),
    "another law in words": ({("parts", 0, "law"): LAWS[LAPLACE]}, "matrix: law in words"),
    "no law in words": ({("parts", 0, "law"): "none is added"}, "matrix: law in words"),
    "several rows, called otherwise": ({(*RECIPE, "person"): ["id"], (*RECIPE, "most"): 7,
                                        (*RECIPE, "combine"): "at most 7 kept"},
                                       "several rows of a person"),
    "several rows, not divided": ({(*RECIPE, "person"): ["id"],
                                   (*RECIPE, "combine"): "all rows kept, not divided"},
                                  "several rows of a person"),
    "more rows than it says": ({(*RECIPE, "person"): ["id"], (*RECIPE, "most"): 7,
                                (*RECIPE, "combine"): SEVERAL}, "rows a person"),
    "missing values from the table": ({(*RECIPE, "missing"): "mean of the column in the file"},
                                      "missing values"),
    "coding from the table": ({(*RECIPE, "category_coding"): "share in the file"},
                              "coding of categories"),
    "rows as long as they are": ({(*RECIPE, "row_length"): "as long as they are"},
                                 "length of rows"),
    "rows without an ID somehow": ({(*RECIPE, "missing_person"): "anybody’s"},
                                   "rows without an ID"),
    "read, in other words": ({(*NUMBER, "source"): "read from the file"},
                             "nothing is known from the table"),
    "from nowhere": ({(*NUMBER, "source"): None}, "nothing is known from the table"),
    "limits public by a number": ({(*RECIPE, "bounds_are_public"): 1}, "limits declared public"),
    "weights": ({(*RECIPE, "weights"): [100, 1]}, "keys of recipe"),
    "another promise": ({("guarantee", "also"): "ε = 0"}, "keys of guarantee"),
    "more in the certificate": ({("promise",): "nothing is learned"}, "keys of the certificate"),
    "no format of numbers": ({(*RECIPE, "number_format", "delimiter"): ""},
                             "how the file is written"),
    "one mark for two": ({(*RECIPE, "number_format", "thousands"): "."},
                         "how the file is written"),
    "no encoding": ({(*RECIPE, "number_format", "encoding"): "utf-16"}, "how the file is written"),
    "a mean's share": ({(*RECIPE, "mean_share"): 5}, "share of the mean"),
    "a column twice": ({(*RECIPE, "numbers", 1, "name"): "age", ("plan", "columns", 1): "age"},
                       "columns"),
    "no range in words": ({(*RECIPE, "scaling"): "norm only", (*RECIPE, "radius"): 1.0,
                           (*NUMBER, "low"): "low"}, "columns"),
    "seen perhaps": ({(*NUMBER, "seen"): "?"}, "columns"),
    "no texts for missing": ({(*NUMBER, "missing"): [9]}, "columns"),
    "another column": ({("plan", "columns", 0): "something else"}, "columns after coding"),
    "columns in another order": ({("plan", "columns", 0): "weight", ("plan", "columns", 1): "age"},
                                 "columns after coding"),
    "an ID twice": ({(*RECIPE, "person"): ["id", "id"]}, "ID columns"),
    "IDs with some case": ({(*RECIPE, "ids_ignore_case"): 1}, "IDs with or without case"),
    "a unit that is no word": ({(*RECIPE, "unit", "one"): "<b>", ("unit", "one"): "<b>"},
                               "words of the unit"),
    "no reason": ({("plan", "reason"): " "}, "why this ε"),
    "a long reason": ({("plan", "reason"): 501 * "x"}, "why this ε"),
    "an answer that is none": ({("plan", "declarations"): [{"sentence": "x", "answer": 1}]},
                               "what was asked"),
    "practice in other words": ({("practice",): "practice"}, "practice"),
    "a long practice": ({("plan", "practice"): 101 * "x"}, "name of the practice"),
    "another plan's format": ({("plan", "format"): "dpca-plan/9"}, "format of the plan"),
    "another recipe's format": ({(*RECIPE, "format"): "dpca-recipe/9"}, "format of the recipe"),
    "a day that is a number": ({("release", "spent_on"): 20251125}, "names and days"),
    "another assumption": ({("assumptions", 0): "The moon is made of cheese."},
                           "what it rests on is said"),
    "one assumption less": ({("assumptions",): [*ASSUMPTIONS[1:]]}, "what it rests on is said"),
    "another proof": ({("theorems", 0): "Obvious"}, "what it rests on is said"),
    "all can be seen": ({("cannot_be_seen",): "Everything can be seen."},
                        "what cannot be seen is said"),
    "nothing on what can't be seen": ({("cannot_be_seen",): ""}, "what cannot be seen is said"),
    "all is published": ({("not_published",): "Everything is published."},
                         "what is not published is said"),
    "nothing on what is not published": ({("not_published",): ""},
                                         "what is not published is said"),
    "δ of the release": ({("plan", "delta"): "1", ("guarantee", "delta"): "1"},
                         "ε and δ of the release"),
    "ε of the release": ({("plan", "epsilon"): "0", ("guarantee", "epsilon"): "0"},
                         "ε and δ of the release"),
    "set aside of the limit": ({("chain", "limit", "pure"): "9999"}, "set aside of the limit"),
}  # fmt: skip
"""What is changed, by its place, and the check that finds it."""
CODED = {
    "a category that was read": ({(*CATEGORY, "source"): "file"},
                                 "nothing is known from the table"),
    "a category from nowhere": ({(*CATEGORY, "source"): ""}, "nothing is known from the table"),
    "one value": ({(*CATEGORY, "values"): ["f"]}, "lists of values"),
    "a value twice": ({(*CATEGORY, "values"): ["f", "f"],
                       ("plan", "columns", 3): "sex: f"}, "lists of values"),
    "a category twice": ({(*RECIPE, "categories", 1, "name"): "sex"}, "columns"),
    "another value": ({("plan", "columns", 3): "sex: x"}, "columns after coding"),
    "one row less": ({(*RECIPE, "most"): 2}, "rows a person"),
    "persons in other words": ({(*RECIPE, "combine"): "at most 3 kept"}, "rows a person"),
    "rows of nobody": ({(*RECIPE, "missing_person"): "each row its own"}, "rows that name nobody"),
    "δ of pure noise": ({("plan", "delta"): "0.5", ("guarantee", "delta"): "0.5"},
                        "δ of pure noise"),
    "too many bins": ({("plan", "scores", "bins"): [5, 51]}, "bins of scores"),
    "no reach": ({("plan", "scores", "reach"): "0"}, "reach of scores"),
    "no share of scores": ({("plan", "scores", "all"): "1"}, "keys of scores"),
}  # fmt: skip
"""The same for pure noise on all tables, persons of several rows, and categories."""


def wrong(tree):
    """Return the names of checks that are wrong."""
    return {check.name for check in certificate_checks(tree) if not check.right}


@pytest.fixture(scope="module")
def tree():
    """Return the certificate of a matrix alone, with Gaussian noise."""
    of = plans()["matrix alone"]
    return read(published(of, made_up(of)).files())


@pytest.fixture(scope="module")
def coded():
    """Return the certificate of pure noise, persons of several rows, and categories."""
    of = plans()["persons and categories, pure"]
    return read(published(of, made_up(of)).files())


def found_in(tree, places):
    """Return what is found wrong of a certificate that is changed, linked and sealed again."""
    for place, value in places.items():
        tree = changed(tree, place, value)
    return wrong(json.loads(sealed(linked(tree))))


@pytest.mark.parametrize("name", FORGED)
def test_a_certificate_of_no_promise_is_found(tree, name):
    places, check = FORGED[name]
    found = found_in(tree, places)
    assert check in found
    assert not {"link of the chain", "digest of the certificate"} & found


@pytest.mark.parametrize("name", CODED)
def test_one_of_persons_and_categories_is_found(coded, name):
    places, check = CODED[name]
    assert check in found_in(coded, places)


@pytest.mark.parametrize("kind", ["number_format", "unit"])
def test_an_empty_object_of_the_recipe_is_no_certificate(tree, kind):
    with pytest.raises(Unreadable):
        found_in(tree, {(*RECIPE, kind): {}})


def test_more_columns_than_the_proof_allows_are_found(tree):
    names = [f"c{j}" for j in range(2001)]
    number = tree["plan"]["recipe"]["numbers"][0]
    wide = {(*RECIPE, "numbers"): [number | {"name": name} for name in names]}
    assert "number of columns" in found_in(tree, wide | {("plan", "columns"): names})


def test_a_seal_that_is_made_again_is_right(tree):
    assert wrong(json.loads(sealed(linked(changed(tree, ("plan", "reason"), "another"))))) == set()


@pytest.mark.parametrize("name", ["means", "scores"])
def test_the_noises_of_a_release_go_together(name):
    of = plans()["rounded difference of Wisharts"]
    certificate = read(published(of, made_up(of)).files())
    place = [part["name"] for part in certificate["parts"]].index(name)
    forged = changed(certificate, ("parts", place, "noise"), GAUSSIAN)
    forged = changed(forged, ("parts", place, "scales"), {"a": 2**20})
    assert f"{name}: law of its noise" in wrong(forged)


def test_the_laws_that_are_typed_again_are_those_of_the_mechanisms():
    laws = {found.exact_noise for found in MECHANISMS.values() if found.exact_noise}
    assert {law.value: noise_of(PartName.MEANS, law).value for law in laws} == BESIDE
    assert ExactNoise.GAUSSIAN.value == GAUSSIAN


def test_a_key_is_compared_with_the_law_and_one_that_spells_none_is_noted(tree):
    """A mechanism that is new here may have any key: what is promised rests on its law."""
    for key, mechanism in MECHANISMS.items():
        assert law_of_key(key) in (mechanism.exact_noise or "", "")
    assert {law_of_key(key) for key in MECHANISMS} == {*LAWS, ""}
    for key in ("brand_new", "wishart", "", "gaussian_gaussian"):
        forged = linked(changed(tree, ("plan", "mechanism"), key))
        (check,) = [c for c in certificate_checks(forged) if c.name == "mechanism"]
        assert (check.right, check.noted) == (False, True)


def test_a_noted_key_makes_nothing_wrong(tree, tmp_path, capsys):
    of = plans()["matrix alone"]
    found = published(of, made_up(of)).files()
    forged = sealed(linked(changed(read(found), ("plan", "mechanism"), "brand_new")))
    assert verified(tmp_path, found | {CERTIFICATE: forged}) == 0
    said = capsys.readouterr().out
    assert "note   mechanism: it says brand_new, but it is no name of a law that is known" in said
    assert "WRONG" not in said


def test_scales_leave_room(tree):
    scales = {"a": 2**58, "b": 2**59}
    forged = changed(tree, ("parts", 0, "scales"), scales)
    assert "matrix: scales leave room" in wrong(forged)


def test_limits_are_said_to_be_declared_and_no_more(tree):
    """Whether somebody looked cannot be computed: the check names what it reads."""
    names = {check.name for check in certificate_checks(tree)}
    assert "limits declared public" in names
    assert "limits fixed without the data" not in names
    assert "limits declared public" in wrong(changed(tree, (*RECIPE, "bounds_are_public"), False))
