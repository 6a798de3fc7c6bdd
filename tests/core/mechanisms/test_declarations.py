"""What a mechanism declares about itself is true."""

import inspect

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.mechanisms.base import Family, InfeasibleBudget, Mechanism, Standing
from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.mechanisms.matrix_noise import MatrixNoise
from dpca_core.mechanisms.registry import DEFAULT, PURE_DEFAULT, shown_by_default
from tests.paths import ROOT

PROBLEM = Problem.from_moment(np.diag([400.0, 200.0, 100.0, 50.0]), 1000, 2)
EVERY = pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=list(MECHANISMS))


@EVERY
def test_it_needs_delta_if_and_only_if_there_is_no_noise_at_zero(mechanism):
    try:
        mechanism.calibrate(PROBLEM, Budget(0.5))
        feasible = True
    except InfeasibleBudget:
        feasible = False
    assert feasible is not mechanism.needs_delta


@EVERY
def test_an_output_proves_absence_if_and_only_if_that_refutes_it(mechanism):
    guarantee = mechanism.guarantee(PROBLEM, Budget(0.5, 1e-3))
    assert mechanism.output_can_prove_absence is (guarantee.standing is Standing.REFUTED)


@EVERY
def test_its_document_is_there(mechanism):
    assert (ROOT / "docs" / f"{mechanism.document}.md").is_file()


@EVERY
def test_its_family_is_a_member(mechanism):
    assert isinstance(mechanism.family, Family)


@EVERY
def test_its_counterpart_is_calibrated(mechanism):
    key = mechanism.calibrated_counterpart
    assert key is None or (mechanism.printed and not MECHANISMS[key].printed)


@EVERY
def test_no_concrete_class_inherits_from_a_concrete_one(mechanism):
    parents = [c for c in type(mechanism).__mro__[1:] if issubclass(c, Mechanism)]
    assert [c.__name__ for c in parents if not inspect.isabstract(c)] == []


@EVERY
def test_it_adds_noise_if_it_says_so(mechanism):
    if isinstance(mechanism, MatrixNoise):
        assert mechanism.adds_noise
    if not mechanism.adds_noise:
        assert mechanism.entry_noise(PROBLEM, Budget(0.5, 1e-3)) is None


@EVERY
def test_a_sparse_one_has_a_penalty(mechanism):
    names = [setting.name for setting in mechanism.parameters()]
    assert mechanism.assumes_sparsity is ("sparsity" in names)


@EVERY
def test_refusals_are_declared(mechanism):
    tight = Problem.from_moment(np.diag([4.0, 3.9, 1.0, 1.0]), 1000, 1)
    budget = Budget(0.5, 1e-3, Adjacency.REPLACE_ONE)
    try:
        release = mechanism.release(tight, budget, np.random.default_rng(0), 20)
    except InfeasibleBudget:
        return
    assert release.refused.any() == mechanism.can_refuse


def test_exact_noise_is_declared_by_calibrated_central_mechanisms_only():
    exact = [mechanism for mechanism in MECHANISMS.values() if mechanism.exact_noise is not None]
    assert [m.key for m in exact] == ["gaussian", "wishart_difference", "laplace"]
    assert not any(m.printed or not m.needs_curator or not m.publishes_matrix for m in exact)


def test_defaults_are_shown_and_can_be_exact():
    assert DEFAULT in shown_by_default()
    assert PURE_DEFAULT in shown_by_default()
    assert DEFAULT.exact_noise is ExactNoise.GAUSSIAN
    assert PURE_DEFAULT.exact_noise is ExactNoise.WISHART_DIFFERENCE
    assert not PURE_DEFAULT.needs_delta


def test_what_is_shown_by_default_is_calibrated_and_has_a_curator():
    shown = shown_by_default()
    assert not any(m.printed or m.is_baseline or not m.needs_curator for m in shown)
