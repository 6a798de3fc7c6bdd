"""Claims beside guarantees: the numbers that the papers get wrong."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Standing
from dpca_core.analysis.claims import claim_of, example

EXAMPLE = example(10, 2, 60_000)


def row(key, epsilon, delta):
    return claim_of(MECHANISMS[key], EXAMPLE, Budget(epsilon, delta))


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("key", ["analyze_gauss", "mod_sulq", "local_printed"])
def test_excess_is_what_turns_directions(key):
    """Standard deviations off the diagonal of 1,000 matrices: 3 % is six standard errors."""
    spreads, above, budget = [], np.triu_indices(10, 1), Budget(1.0, 1e-6)
    for mechanism in (MECHANISMS[key], MECHANISMS[MECHANISMS[key].counterpart]):
        release = mechanism.release(EXAMPLE, budget, np.random.default_rng(5), 1000, keep="moment")
        spreads.append((release.moment - EXAMPLE.moment)[:, *above].std())
    assert row(key, 1.0, 1e-6).excess == pytest.approx(spreads[0] / spreads[1], rel=0.03)


@pytest.mark.parametrize(("delta", "edge"), [(1e-2, 6.8), (1e-5, 8.4), (1e-9, 9.6)])
def test_the_classic_formula_is_flagged_beyond_its_range(delta, edge):
    inside, outside = (row("analyze_gauss", edge + by, delta) for by in (-0.1, 0.1))
    assert inside.guarantee.standing is Standing.PROVED
    assert outside.guarantee.standing is Standing.WEAKER
    assert outside.guarantee.epsilon > edge + 0.1


def test_only_a_formula_that_asks_for_far_too_much_noise_is_said_to():
    wasteful = {"sulq", "mod_sulq", "laplace_printed"}
    for key in (*wasteful, "analyze_gauss", "local_printed"):
        found = row(key, 0.1, 0.01).guarantee
        assert found.standing is Standing.PROVED
        assert ("times the noise" in (found.erratum or "")) == (key in wasteful)
