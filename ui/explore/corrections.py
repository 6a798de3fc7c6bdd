"""Which releases are measured again in double precision, since a mean must be more exact."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.trials import Point, run_trials
from ui.explore.metric_grid import MetricGrid


class Rough(NamedTuple):
    """A release, by mechanism, index of ε and trial."""

    mechanism: Mechanism
    stop: int
    trial: int


def roughest(mechanisms: Iterable[Mechanism], measured: Mapping[str, MetricGrid]) -> Rough | None:
    """Return a release whose error is too large for the mean that it belongs to."""
    for mechanism in mechanisms:
        if at := measured[mechanism.key].least_exact():
            return Rough(mechanism, *at)
    return None


def correct(
    mechanisms: Iterable[Mechanism],
    measured: Mapping[str, MetricGrid],
    points: Sequence[Point],
    seed: int,
) -> bool:
    """Measure such a release again, in double precision; tell whether there was one."""
    rough = roughest(mechanisms, measured)
    if rough is None:
        return False
    trials = range(rough.trial, rough.trial + 1)
    again = run_trials(TrialDraws(rough.mechanism, seed, trials), [points[rough.stop]])
    measured[rough.mechanism.key].enter([rough.stop], trials, again)
    return True
