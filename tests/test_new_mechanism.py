"""A new mechanism is one class in the registry: everything else finds it there."""

import inspect
from dataclasses import dataclass

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget
from dpca_core.audit.attack import audit
from dpca_core.mechanisms.mechanism import Family
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.mechanisms.noise_laws import ISOTROPIC
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.simulation.sweep import sweep
from tests.core.mechanisms import test_every_mechanism
from tests.core.mechanisms.every_mechanism import PROBLEM
from tests.opened_page import hurry, open_page
from tests.paths import PAGES


@dataclass(frozen=True)
class DoubledGaussian(NoiseOnS):
    """Isotropic Gaussian noise on S, twice as much as is needed."""

    key, name, family = "doubled", "Doubled Gaussian, printed", Family.GAUSSIAN
    document, role, counterpart = "gaussian", "printed", "gaussian"
    law, needs_delta = ISOTROPIC, True
    claimed_in = "a paper"

    @staticmethod
    def printed_scale(d, budget):
        return 2 * gaussian_sigma(budget.epsilon, budget.delta, 1.0)


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
    assert run > 8


def test_it_is_swept_and_audited(doubled):
    table = sweep(["doubled"], PROBLEM, epsilon=[2.0], delta=1e-3, trials=3)
    assert np.isfinite(table.captured).all()
    budget = Budget(8.0, 1e-3)
    found = audit(doubled, worst_pair(doubled, 5, 2, 100, budget), budget, releases=2000)
    assert 0 < found.epsilon_lower <= found.guarantee.epsilon < 8


NAMED_ON = ("claims", "explore", "sample_size")


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_with_it_and_those_that_offer_mechanisms_name_it(
    doubled, page, monkeypatch
):
    hurry(monkeypatch)
    opened = open_page(page, data="wine", mechanism="doubled", mechanisms="doubled,gaussian")
    assert not opened.exception
    shown = "".join(str(element.proto) for element in opened.main)
    assert ("Doubled Gaussian" in shown) == (page in NAMED_ON)
