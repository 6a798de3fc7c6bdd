"""A new mechanism is one class in the registry: everything else finds it there."""

import inspect
from dataclasses import dataclass
from math import sqrt

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpca_core import MECHANISMS, Adjacency, Budget, Guarantee, InfeasibleBudget, Noise, Standing
from dpca_core.linalg.symmetric import symmetrized
from dpca_core.mechanisms.family import Family
from dpca_core.mechanisms.matrix_noise import MatrixNoise
from dpca_core.privacy.budget import Notion
from dpca_core.privacy.gaussian import gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.sensitivity import frobenius
from dpca_core.simulation.sweep import sweep
from tests.core.audit.audited import audited
from tests.core.mechanisms import test_every_mechanism
from tests.core.mechanisms.every_mechanism import PROBLEM
from tests.paths import ROOT
from tests.references.comparison import references


@dataclass(frozen=True)
class DoubledGaussian(MatrixNoise):
    """Isotropic Gaussian noise on S, twice as much as is needed."""

    key = "doubled"
    name = "Doubled Gaussian"
    family = Family.GAUSSIAN
    document = "gaussian"
    needs_delta = True

    def guarantee(self, problem, budget):
        sigma, change = self.calibrate(problem, budget).scale, frobenius(budget.adjacency)
        epsilon = gaussian_epsilon(sigma, budget.delta, change)
        known = Notion.APPROXIMATE, Standing.PROVED
        return Guarantee(epsilon, budget.delta, *known, budget.adjacency, "Balle & Wang 2018")

    def calibrate(self, problem, budget):
        if budget.delta == 0:
            raise InfeasibleBudget("It needs δ > 0; choose δ, or a pure mechanism.")
        sigma = gaussian_sigma(budget.epsilon, budget.delta, frobenius(budget.adjacency))
        return Noise(2 * sigma, "people", "2τ")

    def matrices(self, d, rng, trials):
        return symmetrized(rng.standard_normal((trials, d, d)))

    @staticmethod
    def entry_std(d):
        return 1.0, sqrt(0.5)


@pytest.fixture
def doubled(monkeypatch):
    monkeypatch.setitem(MECHANISMS, "doubled", DoubledGaussian())
    return MECHANISMS["doubled"]


def test_it_passes_what_every_mechanism_must(doubled):
    run = 0
    for name, test in vars(test_every_mechanism).items():
        asked = inspect.signature(test).parameters if name.startswith("test_") else {}
        if "mechanism" in asked:
            for adjacency in list(Adjacency) if "adjacency" in asked else [None]:
                test(doubled, *([adjacency] if adjacency else []))
                run += 1
    assert run > 12


def test_without_a_naive_reference_it_is_noticed(doubled):
    assert set(MECHANISMS) - set(references(MECHANISMS)) == {"doubled"}


def test_it_is_swept_audited_and_listed_among_the_claims(doubled):
    table = sweep(["doubled"], PROBLEM, epsilon=[2.0], delta=1e-3, trials=3)
    assert np.isfinite(table.captured).all()
    found = audited(doubled, Budget(8.0, 1e-3), 5, 2, 100, releases=2000)
    assert 0 < found.epsilon_lower <= found.guarantee.epsilon < 8
    claims = AppTest.from_file(ROOT / "pages" / "claims.py", default_timeout=120).run()
    assert not claims.exception
    assert any("Doubled Gaussian" in element.proto.body for element in claims.get("html"))
