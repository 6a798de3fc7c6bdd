"""How many releases a page measures at each point of its curves, by public numbers alone."""

from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.runtime.offload import expected_seconds

FEW, BUSY, FIRST, FEWER, BANDS, RELEASES = 6, 10, 20, 40, 60, 200
"""Releases at each point: of every mechanism before any is refined, of the first answer while the
server is busy and else, of others than the chosen where they take long, for bands, in the end."""
QUICK_SECONDS = 1.0
"""Expected seconds of all ``RELEASES`` of a mechanism up to which ``FEWER`` are not enough."""


def releases_of(mechanism: Mechanism, d: int, points: int, *, chosen: bool) -> int:
    """Return how many releases of a mechanism are measured at each of so many points in the end.

    A link shows the same again; all get the same number where they are quick.
    """
    seconds = expected_seconds(d, mechanism.cost) * points * RELEASES
    return RELEASES if chosen or seconds <= QUICK_SECONDS else FEWER
