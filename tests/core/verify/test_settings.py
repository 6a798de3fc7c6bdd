"""Settings under which nothing is promised are found, under a chain and a digest that are right."""

import json

import pytest

from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.release.plan_parts import PartName, noise_of
from dpca_core.verify.certificate_checks import certificate_checks
from dpca_core.verify.noise_arithmetic import BESIDE, GAUSSIAN
from tests.core.release.published_cases import made_up, plans, published
from tests.core.verify.certificates import changed, linked, read, sealed

RECIPE, NUMBER = ("plan", "recipe"), ("plan", "recipe", "numbers", 0)
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
}  # fmt: skip
"""What is changed, by its place, and the check that finds it."""


def wrong(tree):
    """Return the names of checks that are wrong."""
    return {check.name for check in certificate_checks(tree) if not check.right}


@pytest.fixture(scope="module")
def tree():
    """Return the certificate of a matrix alone, with Gaussian noise."""
    of = plans()["matrix alone"]
    return read(published(of, made_up(of)).files())


@pytest.mark.parametrize("name", FORGED)
def test_a_certificate_of_no_promise_is_found(tree, name):
    places, check = FORGED[name]
    forged = tree
    for place, value in places.items():
        forged = changed(forged, place, value)
    found = wrong(json.loads(sealed(linked(forged))))
    assert check in found
    assert not {"link of the chain", "digest of the certificate"} & found


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
