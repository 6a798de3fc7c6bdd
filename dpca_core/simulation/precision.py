"""How exact the numbers of a simulation must be, and how exact they are."""

from enum import Enum, auto

import numpy as np

from dpca_core.linalg.arrays import Array

SHARE_OF_STANDARD_ERROR = 0.1
"""Share of its standard error that the error of a mean may have on a screen."""
MOST_AVERAGED = 200
"""Releases that a screen averages at most: more have a smaller standard error."""
FEWEST_JUDGED = 8
"""Releases from which on their own spread says how exact they have to be."""


class Precision(Enum):
    """What errors of metrics are allowed."""

    DOUBLE = auto()
    """Rounding of double precision, and 10⁻⁷ of the iteration for small noise."""
    SCREEN = auto()
    """Proved to be less than a tenth of the standard error of a mean of releases."""


def expected_spreads(captured: Array, outside: Array, d: int, k: int) -> Array:
    """Guess standard deviations of captured and ‖sin Θ‖_F between releases, from one release.

    ``outside`` is ‖sin Θ‖_F². As if k·(d − k) equal independent parts made up what is lost, and k²
    what is kept; half of that for captured and a quarter for the sine, since parts are not equal.
    The guess only says what is worth trying: what is found is judged by its own spread.
    """
    lost, kept = np.sqrt(2 / (k * (d - k))), np.sqrt(2) / k
    share = np.clip(captured, 0, 1)
    square = np.minimum(outside * lost, np.maximum(k - outside, 0) * kept)
    sine = square / np.maximum(2 * np.sqrt(outside), 1e-300)
    return np.stack([np.minimum((1 - share) * lost, share * kept) / 2, sine / 4])


def allowed_errors(spreads: Array) -> Array:
    """Error that a metric of such a standard deviation may have."""
    return np.asarray(SHARE_OF_STANDARD_ERROR / np.sqrt(MOST_AVERAGED) * spreads)
