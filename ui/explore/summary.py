"""A study in numbers, as sentences and charts need them: one row per ε for each mechanism."""

from dataclasses import dataclass

import numpy as np

from dpca_core.analysis.order_statistics import quantiles
from dpca_core.analysis.requirements import EpsilonNeeded
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.metrics import RandomBaseline, random_baseline
from dpca_core.privacy.budget import Guarantee
from dpca_core.runtime.cached_property import cached_property
from ui.explore.measurements import Measured
from ui.explore.study import Study, norm_in_people
from ui.state.slider_stops import EPSILONS
from ui.text.noise import REFUSALS_DRAWN

DOTS = 25
"""Most releases that are drawn one by one."""

_NO_GUARANTEES: list[Guarantee | None] = [None] * len(EPSILONS)
_NOT_RANKED = np.zeros(len(EPSILONS), dtype=bool)


@dataclass(frozen=True)
class Row:
    """One mechanism along ε; arrays of length G."""

    mechanism: Mechanism
    measured: Measured
    guarantees: list[Guarantee | None]
    ranked: np.ndarray
    noise: Array | None
    needed: EpsilonNeeded | None

    @cached_property
    def drawn(self) -> np.ndarray:
        """Where enough is released to draw."""
        return (self.refusals <= REFUSALS_DRAWN) & self.measured.done.any(axis=1)

    @cached_property
    def refusals(self) -> Array:
        """Share of releases refused; 0 where nothing is measured yet."""
        done = np.maximum(self.measured.done.sum(axis=1), 1)
        return np.asarray((self.measured.refused & self.measured.done).sum(axis=1) / done)

    @cached_property
    def unmeasured(self) -> np.ndarray:
        """Where a page has no simulation though the mechanism has a release: it takes too long."""
        noted = self.measured.notes
        return np.array([i in noted and g is not None for i, g in enumerate(self.guarantees)])

    def releases(self, i: int) -> Array:
        """Captured shares of the releases drawn at stop i, in their order; NaN where refused."""
        return np.asarray(self.measured.captured[i][self.measured.done[i]])

    def dots(self, values: Array) -> Array:
        """Take the first releases (G, 25) of all (G, T); NaN where there is none, or not drawn."""
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
    """What is known so far of all mechanisms at one view of one data set."""

    study: Study
    target: float
    rows: tuple[Row, ...]
    random: RandomBaseline

    @property
    def chosen(self) -> Row:
        """The chosen mechanism's row."""
        return self.rows[0]

    @cached_property
    def rivals(self) -> tuple[Row, ...]:
        """Measured mechanisms that compete: whose guarantee meets the budget at some ε."""
        return tuple(
            r
            for r in self.rows
            if r.mechanism.family != "baseline" and r.measured.begun and r.ranked.any()
        )

    @property
    def gap(self) -> float:
        """Eigengap in people."""
        return self.study.problem.gap

    def noise_over_gap(self, i: int) -> float | None:
        """Chosen mechanism's median noise norm over the eigengap; None without noise on S."""
        noise = self.chosen.noise
        if noise is None or not np.isfinite(noise[i]):
            return None
        return float(noise[i] / self.gap) if self.gap > 0 else float("inf")

    def crossing(self) -> float | None:
        """Return ε at which noise and gap are equal, by interpolation in log-log; None outside."""
        noise = self.chosen.noise
        if noise is None or self.gap <= 0 or not np.isfinite(noise).all():
            return None
        if not noise[-1] < self.gap < noise[0]:
            return None
        return float(np.exp(np.interp(-np.log(self.gap), -np.log(noise), np.log(EPSILONS))))


def summarize(study: Study, target: float) -> Summary:
    """Sum up what a study knows."""
    rows = tuple(_row(study, mechanism, target) for mechanism in study.mechanisms)
    return Summary(study, target, rows, random_baseline(study.problem))


def _row(study: Study, mechanism: Mechanism, target: float) -> Row:
    measured = study.measured[mechanism.key]
    if mechanism is not study.view.mechanism and not measured.begun:
        return Row(mechanism, measured, _NO_GUARANTEES, _NOT_RANKED, None, None)
    guarantees, norms = study.guarantees(mechanism), norm_in_people(study, mechanism)
    ranked = [
        g is not None and g.meets(budget)
        for g, (_, budget) in zip(guarantees, study.points, strict=True)
    ]
    noise = None if norms is None else np.median(norms, axis=1)
    return Row(
        mechanism, measured, guarantees, np.array(ranked), noise, study.needed(mechanism, target)
    )
