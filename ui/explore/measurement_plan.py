"""In which order the Explore page measures: every mechanism coarsely before any is refined."""

from collections.abc import Sequence

from dpca_core.mechanisms.mechanism import Mechanism
from ui.explore.measurement_tasks import MeasurementTask, Pace
from ui.state.slider_stops import EPSILON_STOPS

FEW_TRIALS, FIRST_TRIALS, BAND_TRIALS, CHOSEN_TRIALS, RIVAL_TRIALS = 6, 20, 60, 200, 40
"""Releases at each ε: of every mechanism before any is refined, for the first paint, for bands, at
the end of the chosen mechanism, and at the end of each of the others."""
BUSY_TRIALS = 10
"""Releases at each ε for the first paint while the server is busy."""
FIRST_STRIDE, BUSY_STRIDE = 2, 6
"""The first paint measures every second ε; while the server is busy, every sixth."""

COARSE = range(0, len(EPSILON_STOPS), BUSY_STRIDE)
"""The values of ε, by index, at which every mechanism is measured before any is refined."""
Passes = Sequence[Sequence[int]]
_PASSES: Passes = [
    COARSE,
    *(range(start, len(EPSILON_STOPS), step) for start, step in ((2, 6), (4, 6), (1, 2))),
]
"""In which order the values of ε are measured: coarse first, every other one before the rest."""
_AT_ONCE: Passes = [range(len(EPSILON_STOPS))]
"""All of them together, once curves are there: what all points of a trial share is found once."""


def planned(
    chosen: Mechanism,
    others: Sequence[Mechanism],
    pace: Pace,
    epsilon_index: int,
    bands_early: bool,
) -> list[MeasurementTask]:
    """Plan all tasks: coarse curves of every mechanism, then each of them refined in turn.

    Parameters
    ----------
    others
        Mechanisms to compare the chosen one with; the quick ones come first.
    epsilon_index
        The chosen ε, which is measured with the coarse ones.
    bands_early
        Whether the chosen mechanism's bands come before the others are refined: where releases are
        quick.
    """
    others = sorted(others, key=_cost)
    coarse = [list(dict.fromkeys([epsilon_index, *COARSE]))]

    def some(
        mechanism: Mechanism, start: int, stop: int, passes: Passes = _PASSES
    ) -> list[MeasurementTask]:
        return cut(mechanism, range(start, stop), pace, passes)

    plan = some(chosen, 0, FEW_TRIALS, coarse)
    for other in others:
        plan += some(other, 0, FEW_TRIALS, coarse)
    plan += some(chosen, 0, FEW_TRIALS) + some(chosen, FEW_TRIALS, FIRST_TRIALS)
    bands = some(chosen, FIRST_TRIALS, BAND_TRIALS, _AT_ONCE)
    plan += bands if bands_early else []
    for other in others:
        plan += some(other, 0, FEW_TRIALS) + some(other, FEW_TRIALS, FIRST_TRIALS)
    plan += [] if bands_early else bands
    plan += some(chosen, BAND_TRIALS, CHOSEN_TRIALS, _AT_ONCE)
    for other in others:
        plan += some(other, FIRST_TRIALS, RIVAL_TRIALS, _AT_ONCE)
    return plan


def _cost(mechanism: Mechanism) -> float:
    """Relative cost, and one eigendecomposition more where each release takes its own."""
    return mechanism.cost + mechanism.publishes_matrix


def cut(
    mechanism: Mechanism, trials: range, pace: Pace, passes: Passes = _PASSES
) -> list[MeasurementTask]:
    """Cut trials into tasks: coarse points first, few trials where a release takes long."""
    size = pace.trials(mechanism, len(EPSILON_STOPS), len(trials))
    return [
        MeasurementTask(mechanism, range(first, min(first + size, trials.stop)), points)
        for first in range(trials.start, trials.stop, size)
        for points in passes
    ]
