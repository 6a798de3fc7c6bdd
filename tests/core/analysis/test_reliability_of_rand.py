"""How far RAND's four directions can be relied on at five ε: the numbers that the summary shows.

Fixed seed, so that nothing fails by chance. Between seeds a bound of .8 and more moves by a
standard deviation of at most .011, so at another seed one of these would be off by more than .02
with probability at most 7 %; bounds of directions that are lost move by up to .033, and .07 is
exceeded with probability at most 4 %.
"""

import numpy as np
import pytest

from dpca_core.analysis.order_statistics import lower_bound
from dpca_core.analysis.reliability import EQUAL, judged, simulated
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
from sample_data import load_key

BOUNDS = {
    0.1: (0.89, 0.80, 0.21, 0.21, 0.84),
    0.2: (0.97, 0.96, 0.32, 0.32, 0.96),
    0.5: (1.00, 0.99, 0.74, 0.74, 0.99),
    1.0: (1.00, 1.00, 0.947, 0.947, 1.00),
    2.0: (1.00, 1.00, 0.99, 0.99, 1.00),
}
"""By ε: of directions 1 to 4, and of 3 with 4."""
ODDS = {0.1: 51, 0.2: 52, 0.5: 53, 1.0: 55, 2.0: 59}


@pytest.mark.parametrize("epsilon", BOUNDS)
def test_bounds(epsilon: float) -> None:
    problem, budget = load_key("rand").problem(4), Budget(epsilon, 1e-6)
    cosines = simulated(DEFAULT, problem, budget, 0, range(1000))
    found = judged(problem, cosines, ordered=True)
    pair = np.linalg.svd(cosines[:, 2:, 2:], compute_uv=False)[:, -1]
    bounds = [*(d.bound for d in found.directions), lower_bound(pair, 0.9)]
    for bound, expected in zip(bounds, BOUNDS[epsilon], strict=True):
        assert bound == pytest.approx(expected, abs=0.02 if expected >= 0.8 else 0.07)
    together = [d.number for d in found.directions if d.block == (3, 4)]
    lost_alone = BOUNDS[epsilon][2] < 0.85
    assert together == ([3, 4] if lost_alone and BOUNDS[epsilon][4] >= EQUAL else [])
    odds = DEFAULT.guarantee(problem, budget).guess_probability()
    assert int(np.ceil(odds * 100)) == ODDS[epsilon]


def test_twice_as_many_people_make_all_four_reliable() -> None:
    problem = load_key("rand").problem(4)
    more = problem.scaled(problem.n * 2)
    found = judged(more, simulated(DEFAULT, more, Budget(0.5, 1e-6), 0, range(1000)), ordered=True)
    assert min(d.bound for d in found.directions if d.bound) >= EQUAL
