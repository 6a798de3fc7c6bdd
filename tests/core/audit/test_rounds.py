"""The game "in or out?": how often a player is right, against what can be computed.

Shares are compared at 4.9 standard errors: each comparison fails by chance once in a million runs.
"""

from math import exp, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget
from dpca_core.audit.audited_pair import worst_pair
from dpca_core.audit.rounds import Rounds, play_rounds
from dpca_core.privacy.inference_risk import gaussian_guess_probability

EACH = 20_000
BUDGET = Budget(1.0, 1e-6)


def played(key):
    mechanism = MECHANISMS[key]
    return mechanism, play_rounds(
        mechanism, worst_pair(mechanism, 2, 1, 5000, BUDGET), BUDGET, EACH, 0
    )


def test_a_player_against_gaussian_noise_reaches_the_bound():
    mechanism, rounds = played("gaussian")
    pair = worst_pair(mechanism, 2, 1, 5000, BUDGET)
    bound = gaussian_guess_probability(mechanism.calibrate(pair.with_person, BUDGET).scale)
    assert rounds.right == pytest.approx(bound, abs=4.9 * 0.5 / sqrt(2 * EACH))


def test_a_player_against_noise_that_only_adds_wins_where_absence_is_proved():
    _, rounds = played("wishart_sn")
    assert (rounds.present >= rounds.threshold).all()
    assert rounds.right == pytest.approx(1 - exp(-1) / 2, abs=4.9 * 0.5 / sqrt(2 * EACH))


def test_no_player_beats_the_bound_of_a_pure_promise():
    mechanism, rounds = played("wishart_difference")
    pair = worst_pair(mechanism, 2, 1, 5000, BUDGET)
    bound = mechanism.guarantee(pair.with_person, BUDGET).guess_probability()
    assert 0.6 < rounds.right < bound


def test_right_are_both_kinds_of_rounds():
    assert Rounds(np.array([0.0, 1.0]), np.array([0.0, 0.2]), 0.5).right == 0.75
