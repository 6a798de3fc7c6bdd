"""The released picture of scores: counts in bins along the first two released directions."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.release.drawn import Drawn
from dpca_core.release.plan import PartName, Plan


@dataclass(frozen=True, eq=False)
class ScoresReading:
    """Counts of rows by their first two scores.

    Attributes
    ----------
    counts
        (b₁, b₂), in rows, as released: below 0 and between whole numbers too.
    noise
        Standard deviation of a count, in rows.
    edges
        Where bins begin and end along each direction, (b₁ + 1,) and (b₂ + 1,); 1 is the longest
        that a row can be. The outermost bins hold what is beyond, too.
    """

    counts: Array
    noise: float
    edges: tuple[Array, Array]

    @classmethod
    def of(cls, plan: Plan, drawn: Drawn) -> "ScoresReading":
        """Read the histogram of a release that publishes one.

        Raises
        ------
        ValueError
            For a release without.
        """
        if drawn.counts is None or plan.scores is None:
            raise ValueError("This release publishes no scores.")
        part = next(part for part in plan.parts if part.name is PartName.SCORES)
        (scale,) = part.scales.values()
        unit, reach = float(part.grid_unit), float(plan.scores.reach)
        law = 1.0 if part.noise is ExactNoise.GAUSSIAN else sqrt(2)
        across, up = (
            np.linspace(-reach, reach, count + 1, dtype=np.float64) for count in plan.scores.bins
        )
        return cls(drawn.counts.astype(np.float64) * unit, law * scale * unit, (across, up))
