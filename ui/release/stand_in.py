"""A stand-in for the owner's table: which directions a plan would hold if the guess were right.

Simulated from public answers alone (how many people, which spectrum): no table can be given to it.
"""

from functools import lru_cache

from dpca_core.analysis.expected_spectrum import (
    Expectation,
    expected_shares,
    expected_spectrum,
    require_people,
)
from dpca_core.analysis.reliability import RELEASES_JUDGED, PlannedReleases, Reliabilities
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.release.plan import Plan
from dpca_core.release.preview import preview
from dpca_core.runtime.offload import expected_seconds, run

MOST_COLUMNS = 200
"""Columns up to which directions are simulated while a slider is moved."""
_MOST_SECONDS = 2.0


def stand_in(plan: Plan, people: float, expectation: Expectation) -> Reliabilities | None:
    """Judge the directions of simulated releases of so many people with an expected spectrum.

    As many as the plan reads off, and at least those that are expected to stand out.

    Parameters
    ----------
    people
        A public guess; 0 for none.

    Returns
    -------
    Reliabilities | None
        None without a usable guess, and for one column or more than ``MOST_COLUMNS``.
    """
    try:
        require_people(people)
    except ValueError:
        return None
    if not 2 <= plan.d <= MOST_COLUMNS:
        return None
    mechanism = MECHANISMS[plan.mechanism]
    assert isinstance(mechanism, NoiseOnS)
    noise = preview(plan).off_diagonal / mechanism.law.std(plan.d)[1] / people
    k = min(max(plan.k, expected_directions(expectation, plan.d)), plan.d - 1)
    seconds = min(_MOST_SECONDS, RELEASES_JUDGED * expected_seconds(plan.d))
    return run(seconds, _judged, plan.mechanism, plan.d, k, noise, expectation)


def expected_directions(expectation: Expectation, d: int) -> int:
    """Return how many directions are expected to stand out of d columns."""
    return len(expected_shares(expectation, d)) if d > 1 else 1


@lru_cache(maxsize=64)
def _judged(
    mechanism: str, d: int, k: int, noise: float, expectation: Expectation
) -> Reliabilities | None:
    """Simulate releases of diag(shares) with a noise over people."""
    shares = expected_spectrum(expected_shares(expectation, d), d)
    releases = PlannedReleases(MECHANISMS[mechanism], shares, k)
    for _ in releases.steps_at(noise):
        pass
    return releases.at(noise)
