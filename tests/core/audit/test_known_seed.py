"""Who knows the seed of the noise has the table, and with everybody else's records the last one."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.audit.known_seed import published_table, redrawn_noise, remaining_record

BUDGET = Budget(0.5, 1e-6)
PUBLISHED = pytest.mark.parametrize("key", ["gaussian", "wishart_difference", "laplace"])


@pytest.fixture(scope="module")
def rows():
    found = np.random.default_rng(0).standard_normal((200, 5))
    return found / np.linalg.norm(found, axis=1).max()


@PUBLISHED
def test_published_less_the_noise_of_its_seed_is_the_table(rows, key):
    problem = Problem.from_rows(rows, 2)
    published = published_table(MECHANISMS[key], problem, BUDGET, 7)
    exact = published - redrawn_noise(MECHANISMS[key], problem, BUDGET, 7)
    np.testing.assert_allclose(exact, problem.moment, atol=1e-12)
    other = published - redrawn_noise(MECHANISMS[key], problem, BUDGET, 8)
    assert np.abs(other - problem.moment).max() > 1


def test_the_last_record_is_what_is_left(rows):
    table, others = rows.T @ rows, rows[:-1].T @ rows[:-1]
    towards = np.array([rows[-1, 0], 0, 0, 0, 0])
    np.testing.assert_allclose(remaining_record(table, others, towards), rows[-1], atol=1e-12)
    np.testing.assert_allclose(remaining_record(table, others, -towards), -rows[-1], atol=1e-12)
