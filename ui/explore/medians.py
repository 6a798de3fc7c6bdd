"""What is known so far of each mechanism along an axis: medians, refusals, what it needs."""

import numpy as np

from dpca_core.analysis.needed import EpsilonNeeded
from dpca_core.analysis.order_statistics import quantiles
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.metrics import random_baseline, without_noise
from dpca_core.privacy.budget import Guarantee, Standing
from dpca_core.runtime.cached_property import cached_property
from dpca_core.simulation.curves import BANDS, MeasuredLine
from ui.explore.study import Study

MOST_REFUSED = 0.1
"""Charts omit points where a larger share of releases is refused: the others would mislead."""
DOTS = 25
"""Most releases that are drawn one by one."""
SHARES = {"95": (0.025, 0.975), "80": (0.1, 0.9), "50": (0.25, 0.75)}
"""Limits of bands, by the per cent of releases that they hold; the widest first."""


class Medians:
    """One mechanism along the axis; arrays of length G, NaN where no curve is drawn.

    ``needed`` is the smallest value of the axis that keeps the target in 9 of 10 releases.
    """

    def __init__(self, line: MeasuredLine, needed: EpsilonNeeded | None) -> None:
        self.line, self.needed = line, needed
        self.mechanism: Mechanism = line.mechanism
        self.ranked = line.ranked
        """Where what is proved meets the budget."""
        done = np.maximum(line.done.sum(axis=1), 1)
        self.refusals = np.asarray((line.refused & line.done).sum(axis=1) / done)
        """Share of releases refused; 0 where nothing is measured yet."""
        self.drawn = (self.refusals <= MOST_REFUSED) & line.done.any(axis=1)
        """Where enough releases are answered to draw a curve."""

    def guarantee(self, index: int) -> Guarantee | None:
        """Return what holds at a point; None where infeasible, and while it is not known."""
        found = self.line.guarantees
        return found[index] if index < len(found) else None

    @cached_property
    def standing(self) -> Standing:
        """How well the guarantee is established."""
        return next((g.standing for g in self.line.guarantees if g is not None), Standing.NONE)

    def quantiles(self, values: Array, *shares: float) -> Array:
        """Return quantiles (len(shares), G) of metrics (G, T)."""
        return np.where(self.drawn, quantiles(values, shares), np.nan)

    @cached_property
    def captured(self) -> Array:
        """Median share of what PCA captures."""
        return np.asarray(self.quantiles(self.line.captured, 0.5)[0])

    @cached_property
    def sin_theta(self) -> Array:
        """Median ‖sin Θ‖_F."""
        return np.asarray(self.quantiles(self.line.sin_theta, 0.5)[0])

    def bands(self, values: Array | None) -> dict[str, tuple[Array, Array]]:
        """Return both limits of each band of metrics (G, T) by ``SHARES``; {} for too few."""
        if values is None or self.line.everywhere < BANDS:
            return {}
        found = self.quantiles(values, *(q for limits in SHARES.values() for q in limits))
        return dict(zip(SHARES, zip(found[::2], found[1::2], strict=True), strict=True))

    @cached_property
    def noise_norms(self) -> Array | None:
        """Spectral norms (G, T) of the noise on S, in people; None without such noise."""
        norms = self.line.norms[np.isfinite(self.line.norms)]
        return np.outer(self.line.scales, norms) if len(norms) else None

    @cached_property
    def noise(self) -> Array | None:
        """Median spectral norm of the noise on S, in people; None without such noise."""
        return None if self.noise_norms is None else np.median(self.noise_norms, axis=1)


class Summary:
    """What is known so far of all mechanisms, the chosen one first.

    ``ceiling`` is what PCA without noise keeps of the rows as they are prepared: below 1 where all
    have length 1 and are judged by rows at most R. ``ranked`` are measured mechanisms whose
    guarantee meets the budget at some point, without baselines; ``gap`` is in people.
    """

    def __init__(self, study: Study, target: float) -> None:
        self.study, self.target, self.progress = study, target, study.progress
        lines = study.curves.lines
        self.mechanisms = tuple(Medians(line, study.needed(line, target)) for line in lines)
        self.chosen, self.gap = self.mechanisms[0], study.problem.gap
        measured = (m for m in self.mechanisms if m.line.begun and m.ranked.any())
        self.ranked = tuple(m for m in measured if m.mechanism.role != "baseline")
        self.random = random_baseline(study.problem)
        self.ceiling = float(without_noise(study.problem).captured)

    def epsilon_where_noise_equals_gap(self) -> float | None:
        """Return the ε at which they are equal, interpolated in log-log; None outside the axis."""
        noise = self.chosen.noise
        if noise is None or not np.isfinite(noise).all() or not noise[-1] < self.gap < noise[0]:
            return None
        epsilons = np.log(self.study.values)
        return float(np.exp(np.interp(-np.log(self.gap), -np.log(noise), epsilons)))
