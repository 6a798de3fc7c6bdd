"""Medians, refusals and guarantees of each mechanism along ε, for sentences and figures."""

from dataclasses import dataclass

import numpy as np

from dpca_core.analysis.needed import EpsilonNeeded
from dpca_core.analysis.order_statistics import quantiles
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.metrics import RandomBaseline, random_baseline, without_noise
from dpca_core.privacy.budget import Guarantee
from dpca_core.runtime.cached_property import cached_property
from ui.explore.measurements import Study
from ui.explore.metric_grid import MetricGrid
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.noise import MOST_REFUSED

DOTS = 25
"""Most releases that are drawn one by one."""


@dataclass(frozen=True)
class MechanismSummary:
    """One mechanism along ε; arrays of length G.

    Attributes
    ----------
    ranked
        Where what is proved meets the budget.
    noise
        Median spectral norm of the noise on S, in people; None without such noise.
    needed
        Smallest ε that keeps the target in 9 of 10 releases; None while unmeasured.
    """

    mechanism: Mechanism
    measured: MetricGrid
    guarantees: list[Guarantee | None]
    ranked: np.ndarray
    noise: Array | None
    needed: EpsilonNeeded | None

    @cached_property
    def drawn(self) -> np.ndarray:
        """Where enough releases are answered to draw a curve."""
        return (self.refusals <= MOST_REFUSED) & self.measured.done.any(axis=1)

    @cached_property
    def refusals(self) -> Array:
        """Share of releases refused; 0 where nothing is measured yet."""
        done = np.maximum(self.measured.done.sum(axis=1), 1)
        return np.asarray((self.measured.refused & self.measured.done).sum(axis=1) / done)

    @cached_property
    def not_simulated(self) -> np.ndarray:
        """Where a release exists but takes too long to be simulated on a page."""
        noted = self.measured.notes
        return np.array([i in noted and g is not None for i, g in enumerate(self.guarantees)])

    def releases(self, index: int) -> Array:
        """Return captured shares of the releases at one ε, in their order; NaN where refused."""
        return np.asarray(self.measured.captured[index][self.measured.done[index]])

    def dots(self, values: Array) -> Array:
        """Return the first releases (G, 25) of all (G, T); NaN where none is drawn."""
        first = np.where(self.measured.done, values, np.nan)[:, :DOTS]
        return np.where(self.drawn[:, None], first, np.nan)

    @cached_property
    def captured_dots(self) -> Array:
        """Captured shares of the first releases at each ε."""
        return self.dots(self.measured.captured)

    @cached_property
    def captured(self) -> Array:
        """Median share of what PCA captures; NaN where not drawn."""
        return np.where(self.drawn, quantiles(self.measured.captured, (0.5,))[0], np.nan)

    @cached_property
    def sin_theta(self) -> Array:
        """Median ‖sin Θ‖_F; NaN where not drawn."""
        return np.where(self.drawn, quantiles(self.measured.sin_theta, (0.5,))[0], np.nan)


@dataclass(frozen=True)
class Summary:
    """What is known so far of all mechanisms, the chosen one first."""

    study: Study
    target: float
    mechanisms: tuple[MechanismSummary, ...]
    random: RandomBaseline
    ceiling: float = 1.0
    """What PCA without noise keeps of the rows as they are prepared: below 1 where all have length
    1 and are judged by rows at most R."""

    @property
    def chosen(self) -> MechanismSummary:
        """The chosen mechanism."""
        return self.mechanisms[0]

    @cached_property
    def ranked(self) -> tuple[MechanismSummary, ...]:
        """Measured mechanisms whose guarantee meets the budget at some ε; no baselines."""
        return tuple(
            m
            for m in self.mechanisms
            if m.mechanism.role != "baseline" and m.measured.begun and m.ranked.any()
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
        return float(np.exp(np.interp(-np.log(self.gap), -np.log(noise), np.log(EPSILON_STOPS))))


def summarize(study: Study, target: float) -> Summary:
    """Sum up what a study has measured so far."""
    mechanisms = tuple(_summary(study, mechanism, target) for mechanism in study.mechanisms)
    ceiling = float(without_noise(study.problem).captured)
    return Summary(study, target, mechanisms, random_baseline(study.problem), ceiling)


def _summary(study: Study, mechanism: Mechanism, target: float) -> MechanismSummary:
    measured = study.measured[mechanism.key]
    count = len(study.points)
    if mechanism is not study.query.mechanism and not measured.begun:
        nowhere = np.zeros(count, dtype=bool)
        return MechanismSummary(mechanism, measured, [None] * count, nowhere, None, None)
    guarantees = study.calibrations.guarantees(mechanism)
    norms = study.noise_norms_in_people(mechanism)
    ranked = [
        guarantee is not None and guarantee.meets(mechanism_budget)
        for guarantee, (_, mechanism_budget) in zip(guarantees, study.points, strict=True)
    ]
    return MechanismSummary(
        mechanism,
        measured,
        guarantees,
        np.array(ranked),
        noise=None if norms is None else np.median(norms, axis=1),
        needed=study.epsilon_needed(mechanism, target),
    )
