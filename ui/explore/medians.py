"""What is known so far of each mechanism along an axis: medians, refusals, what it needs."""

from dataclasses import dataclass

import numpy as np

from dpca_core.analysis.needed import EpsilonNeeded
from dpca_core.analysis.order_statistics import quantiles
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.metrics import RandomBaseline, random_baseline, without_noise
from dpca_core.privacy.budget import Guarantee, Standing
from dpca_core.runtime.cached_property import cached_property
from dpca_core.simulation.curves import BANDS, MeasuredLine
from ui.explore.study import Study, not_simulated
from ui.text.noise import MOST_REFUSED

DOTS = 25
"""Most releases that are drawn one by one."""
SHARES = {"95": (0.025, 0.975), "80": (0.1, 0.9), "50": (0.25, 0.75)}
"""Limits of bands, by the per cent of releases that they hold; the widest first."""


@dataclass(frozen=True)
class Medians:
    """One mechanism along the axis; arrays of length G."""

    line: MeasuredLine
    needed: EpsilonNeeded | None
    """Smallest value of the axis that keeps the target in 9 of 10 releases; None if unknown."""

    @property
    def mechanism(self) -> Mechanism:
        """Whose releases they are."""
        return self.line.mechanism

    @property
    def ranked(self) -> np.ndarray:
        """Where what is proved meets the budget."""
        return self.line.ranked

    def guarantee(self, index: int) -> Guarantee | None:
        """Return what holds at a point; None where infeasible, and while it is not known."""
        found = self.line.guarantees
        return found[index] if index < len(found) else None

    @cached_property
    def standing(self) -> Standing:
        """How well the guarantee is established."""
        return next((g.standing for g in self.line.guarantees if g is not None), Standing.NONE)

    @cached_property
    def refusals(self) -> Array:
        """Share of releases refused; 0 where nothing is measured yet."""
        done = np.maximum(self.line.done.sum(axis=1), 1)
        return np.asarray((self.line.refused & self.line.done).sum(axis=1) / done)

    @cached_property
    def drawn(self) -> np.ndarray:
        """Where enough releases are answered to draw a curve."""
        return (self.refusals <= MOST_REFUSED) & self.line.done.any(axis=1)

    def not_simulated(self, index: int) -> bool:
        """Tell whether a release exists but takes too long to be simulated on a page."""
        return not_simulated(self.line, index)

    def releases(self, index: int) -> Array:
        """Return captured shares of the releases at a point, in their order; NaN where refused."""
        return self.line.releases(index)

    def quantiles(self, values: Array, shares: tuple[float, ...]) -> Array:
        """Return quantiles (len(shares), G) of metrics (G, T); NaN where no curve is drawn."""
        return np.where(self.drawn, quantiles(values, shares), np.nan)

    @cached_property
    def captured(self) -> Array:
        """Median share of what PCA captures."""
        return np.asarray(self.quantiles(self.line.captured, (0.5,))[0])

    @cached_property
    def sin_theta(self) -> Array:
        """Median ‖sin Θ‖_F."""
        return np.asarray(self.quantiles(self.line.sin_theta, (0.5,))[0])

    def bands(self, values: Array) -> dict[str, tuple[Array, Array]]:
        """Return both limits of each band of metrics (G, T) by ``SHARES``; {} for too few."""
        if self.line.everywhere < BANDS:
            return {}
        found = self.quantiles(values, tuple(q for limits in SHARES.values() for q in limits))
        return dict(zip(SHARES, zip(found[::2], found[1::2], strict=True), strict=True))

    def dots(self, values: Array) -> Array:
        """Return the first releases (G, 25) of metrics (G, T); NaN where none is drawn."""
        return np.where(self.drawn[:, None], values[:, :DOTS], np.nan)

    @cached_property
    def noise_norms(self) -> Array | None:
        """Spectral norms (G, T) of the noise on S, in people; None without such noise."""
        norms = self.line.norms[np.isfinite(self.line.norms)]
        return np.outer(self.line.scales, norms) if len(norms) else None

    @cached_property
    def noise(self) -> Array | None:
        """Median spectral norm of the noise on S, in people; None without such noise."""
        return None if self.noise_norms is None else np.median(self.noise_norms, axis=1)


@dataclass(frozen=True)
class Summary:
    """What is known so far of all mechanisms, the chosen one first.

    Attributes
    ----------
    ceiling
        What PCA without noise keeps of the rows as they are prepared: below 1 where all have length
        1 and are judged by rows at most R.
    """

    study: Study
    target: float
    mechanisms: tuple[Medians, ...]
    random: RandomBaseline
    ceiling: float = 1.0

    @property
    def chosen(self) -> Medians:
        """The chosen mechanism."""
        return self.mechanisms[0]

    @cached_property
    def ranked(self) -> tuple[Medians, ...]:
        """Measured mechanisms whose guarantee meets the budget at some point; no baselines."""
        return tuple(
            m
            for m in self.mechanisms
            if m.mechanism.role != "baseline" and m.line.begun and m.ranked.any()
        )

    @property
    def gap(self) -> float:
        """Eigengap in people."""
        return self.study.problem.gap

    def noise_over_gap(self, index: int) -> float | None:
        """Return the chosen mechanism's median noise norm over the eigengap; None without noise."""
        noise = self.chosen.noise
        if noise is None or not np.isfinite(noise[index]):
            return None
        return float(noise[index] / self.gap) if self.gap > 0 else float("inf")

    def epsilon_where_noise_equals_gap(self) -> float | None:
        """Return the ε at which they are equal, interpolated in log-log; None outside the axis."""
        noise = self.chosen.noise
        if noise is None or self.gap <= 0 or not np.isfinite(noise).all():
            return None
        if not noise[-1] < self.gap < noise[0]:
            return None
        epsilons = np.log(self.study.values)
        return float(np.exp(np.interp(-np.log(self.gap), -np.log(noise), epsilons)))


def summarize(study: Study, target: float) -> Summary:
    """Sum up what a study has measured so far."""
    lines = study.curves.lines
    mechanisms = tuple(Medians(line, study.needed(line, target)) for line in lines)
    ceiling = float(without_noise(study.problem).captured)
    return Summary(study, target, mechanisms, random_baseline(study.problem), ceiling)
