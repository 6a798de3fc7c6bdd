"""What the registry holds: cards, keys and settings, and a mechanism of one's own."""

from dataclasses import FrozenInstanceError, dataclass
from zlib import crc32

import numpy as np
import pytest

from dpca_core import (
    MECHANISMS,
    Budget,
    Guarantee,
    InfeasibleBudget,
    Mechanism,
    Notion,
    Standing,
)
from dpca_core.mechanisms.base import SharedNoise
from dpca_core.mechanisms.gap_release import GapRelease
from dpca_core.simulation.sweep import sweep
from tests.core.mechanisms.every_mechanism import EVERY, PROBLEM

# --- Cards and settings ---


@EVERY
def test_card(mechanism):
    card = mechanism.card()
    summary = card.split("\n")[0]
    assert 20 < len(summary) <= 100
    assert "mechanism, private or not" not in card  # not inherited from the base class
    assert type(mechanism).__doc__
    assert mechanism.name
    assert mechanism.family
    assert mechanism.printed == ("printed" in mechanism.name)


def test_registry_keys_and_streams_are_distinct():
    assert all(key == mechanism.key for key, mechanism in MECHANISMS.items())
    assert len({m.name for m in MECHANISMS.values()}) == len(MECHANISMS)
    assert len({crc32(key.encode()) for key in MECHANISMS}) == len(MECHANISMS)
    assert len({m.card() for m in MECHANISMS.values()}) == len(MECHANISMS)


@EVERY
def test_settings_have_labels_ranges_and_defaults(mechanism):
    for setting in type(mechanism).parameters():
        assert setting.label
        assert setting.low <= setting.default <= setting.high
        assert getattr(mechanism, setting.name) == setting.default
        for value in (setting.low, setting.high):
            assert getattr(type(mechanism)(**{setting.name: value}), setting.name) == value
        for value in (setting.low - 1, setting.high + 1, float("nan")):
            with pytest.raises(ValueError, match=rf"{setting.label} must be .*, not {value}\."):
                type(mechanism)(**{setting.name: value})
    assert mechanism == type(mechanism)()


def test_settings_change_the_mechanism():
    """A larger share for the gap certifies a larger gap and leaves less for the basis."""
    budget = Budget(2.0, 1e-3)
    small, large = GapRelease(gap_share=0.1), GapRelease(gap_share=0.5)
    gaps = [
        m.release(PROBLEM, budget, np.random.default_rng(8), 400).info["certified_gap"].mean()
        for m in (small, large)
    ]
    assert gaps[0] < gaps[1] < PROBLEM.gap
    (setting,) = GapRelease.parameters()
    assert (setting.name, setting.low, setting.high) == ("gap_share", 0.01, 0.9)
    with pytest.raises(FrozenInstanceError):
        small.gap_share = 0.2


def test_a_mechanism_of_ones_own():
    """Anything that keeps the contract can be swept; what it cannot do becomes a note."""

    @dataclass(frozen=True)
    class Fussy(SharedNoise):
        """It works for small budgets only, to see what becomes of the others."""

        key = "fussy"
        name = "Fussy"
        family = "test"

        def guarantee(self, problem, budget):
            return Guarantee(0.0, 0.0, Notion.PURE, Standing.PROVED, budget.adjacency, "test")

        def calibrate(self, problem, budget):
            if budget.epsilon > 1:
                raise InfeasibleBudget("Fussy needs ε ≤ 1; choose a smaller ε.")
            return MECHANISMS["non_private"].calibrate(problem, budget)

        def unit(self, d, k, rng, trials):
            return (np.zeros(trials),)

        def apply(self, problem, budget, unit, keep=None):
            self.calibrate(problem, budget)
            return MECHANISMS["non_private"].apply(problem, budget, (unit[0][:, None],))

    assert isinstance(Fussy(), Mechanism)
    table = sweep([Fussy()], PROBLEM, epsilon=[0.5, 2.0], delta=0, trials=2)
    assert list(table.note) == ["", "", *["Fussy needs ε ≤ 1; choose a smaller ε."] * 2]
    np.testing.assert_allclose(table.captured[:2], 1)
