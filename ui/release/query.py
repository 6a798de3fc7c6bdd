"""What the Release page is asked: the public settings of a plan, which may stand in its address."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from types import MappingProxyType
from typing import Any

from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.mechanisms.registry import DEFAULT, DRAWN_EXACTLY, MECHANISMS
from dpca_core.release.drawn import MOST_BINS
from dpca_core.release.plan import Scores
from dpca_core.release.plan_checks import FEWEST_BINS, LEAST_MATRIX_SHARE
from ui.state import query_params
from ui.state.settings import DEFAULT_DATA
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS

SAFE = MappingProxyType({key: MECHANISMS[key] for key in DRAWN_EXACTLY})
"""Mechanisms whose noise can be drawn exactly: no other can be released."""
MOST_RELEASED_EPSILON = 10.0
RELEASED_EPSILONS = tuple(e for e in EPSILON_STOPS if e <= MOST_RELEASED_EPSILON)
RELEASED_DELTAS = tuple(delta for delta in DELTA_STOPS if delta <= 1e-3)
"""Stops of the sliders; a decision may bring another value."""
MOST_GUESSED = 1_000_000_000
"""People in a guess, at most."""
MEANS_SHARE, SCORES_SHARE = 5, 10
"""Shares to begin with, in per cent."""
USUAL_DIRECTIONS, PRACTICE_DIRECTIONS = 4, 2
"""Directions of the report, unless others are asked for."""
MOST_SHARES = round(100 * (1 - LEAST_MATRIX_SHARE))


@dataclass(frozen=True)
class ReleaseSettings:
    """What is published and how much is spent.

    Attributes
    ----------
    data
        Key of the built-in set to practise on.
    means, scores
        Shares of the budget in per cent; 0 for none.
    bins
        Of the histogram, each way.
    k
        Directions of the report; 0 for the usual number.
    people
        The owner's guess, for the preview alone; 0 for the one of *Decide*, or none.
    """

    data: str = DEFAULT_DATA
    mechanism: str = DEFAULT.key
    epsilon: float = 0.5
    delta: float = 1e-6
    means: int = 0
    scores: int = 0
    bins: int = 12
    reach: float = 1.0
    k: int = 0
    people: int = 0

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "ReleaseSettings":
        """Read a link; an unusable value becomes its default."""
        found = query_params.read_settings(cls(), query, _allowed)
        return found if found.means + found.scores <= MOST_SHARES else cls()

    def to_query(self) -> dict[str, str]:
        """Return the query of a link: no file, no account, no count of rows."""
        return query_params.to_query(self, ReleaseSettings(), ("mechanism", "epsilon", "delta"))

    @property
    def pure(self) -> bool:
        """Whether the mechanism has no use for δ."""
        return DRAWN_EXACTLY[self.mechanism] is not ExactNoise.GAUSSIAN

    @property
    def means_share(self) -> Fraction:
        """Of the means, exactly."""
        return Fraction(self.means, 100)

    @property
    def histogram(self) -> Scores | None:
        """The picture of scores; None without one."""
        if self.scores == 0:
            return None
        return Scores(Fraction(self.scores, 100), (self.bins, self.bins), exact(self.reach))


def exact(value: float) -> Fraction:
    """Return the decimal number that a float is written as."""
    return Fraction(repr(float(value)))


def stops_with(stops: tuple[float, ...], chosen: float) -> tuple[float, ...]:
    """Return a slider's stops, and where it stands."""
    return tuple(sorted({*stops, chosen}))


def _allowed(name: str, value: Any) -> bool:
    match name:
        case "mechanism":
            return value in SAFE
        case "epsilon":
            return isfinite(value) and bool(RELEASED_EPSILONS[0] <= value <= RELEASED_EPSILONS[-1])
        case "delta":
            return isfinite(value) and bool(0 <= value <= RELEASED_DELTAS[-1])
        case "means" | "scores":
            return bool(0 <= value < MOST_SHARES)
        case "bins":
            return bool(FEWEST_BINS <= value <= MOST_BINS)
        case "reach":
            return isfinite(value) and bool(0 < value <= 1)
        case "k":
            return bool(value >= 0)
        case "people":
            return bool(0 <= value <= MOST_GUESSED)
    return True
