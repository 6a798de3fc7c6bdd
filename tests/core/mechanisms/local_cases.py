"""Records, budgets and problems that the tests of the local model share.

Statistical tests have fixed seeds; for fresh ones each fails by chance as often as it says.
"""

import numpy as np

from dpca_core import Budget, Problem

BUDGET = Budget(4.0, 0.01)


def wide_gap(n=1000):
    return Problem.from_moment(n * np.diag([0.45, 0.3, 0.15, 0.06, 0.03]), n, 2)
