"""What is known so far of each mechanism along an axis: medians, refusals, what it needs."""

import numpy as np

from dpca_core.analysis.needed import EpsilonNeeded
from dpca_core.analysis.order_statistics import quantiles
from dpca_core.linalg.arrays import Array
from dpca_core.metrics import random_baseline, without_noise
from dpca_core.privacy.budget import Standing
from dpca_core.runtime.cached_property import cached_property
from dpca_core.simulation.curves import MeasuredLine
from ui.explore.study import Study
from ui.server.scheduler import is_heavy
from ui.text.numbers import significant, subspace_name

MOST_REFUSED = 0.1
"""Charts omit points where a larger share of releases is refused: the others would mislead."""
DOTS = 25
"""Most releases that are drawn one by one."""
SO_FAR = " so far"
"""Behind what still moves."""


class Medians:
    """One mechanism along the axis; arrays of length G, NaN where no curve is drawn.

    ``captured`` is the median over releases, and ``noise`` that of the spectral norm of the noise
    on S, in people, None without such noise. ``needed`` is the smallest value of the axis that
    keeps the target in 9 of 10 releases. Guarantees (G,) are None where infeasible, and while not
    known; ``standing`` says how well they are established.
    """

    def __init__(self, line: MeasuredLine, needed: EpsilonNeeded | None) -> None:
        self.line, self.needed, self.mechanism = line, needed, line.mechanism
        self.ranked = line.ranked
        """Where what is proved meets the budget."""
        done = line.done.sum(axis=1)
        self.refusals = (line.refused & line.done).sum(axis=1) / np.maximum(done, 1)
        """Share of releases refused; 0 where nothing is measured yet."""
        self.drawn = (self.refusals <= MOST_REFUSED) & (done > 0)
        """Where enough releases are answered to draw a curve."""
        self.guarantees = line.guarantees + [None] * (len(done) - len(line.guarantees))
        known = [guarantee for guarantee in line.guarantees if guarantee is not None]
        self.standing = known[0].standing if known else Standing.NONE
        self.captured = self.quantiles(line.captured, 0.5)[0]
        self.norms = line.norms[np.isfinite(line.norms)]
        """Spectral norms of the noise on S at scale 1."""
        self.noise = line.scales * np.median(self.norms) if len(self.norms) else None

    @cached_property
    def sin_theta(self) -> Array:
        """Median ‖sin Θ‖_F: of the few whose curves are drawn, and that takes a while."""
        return np.asarray(self.quantiles(self.line.sin_theta, 0.5)[0])

    def quantiles(self, values: Array, *shares: float) -> Array:
        """Return quantiles (len(shares), G) of metrics (G, T)."""
        if not self.drawn.any():
            return np.full((len(shares), len(self.drawn)), np.nan)
        return np.where(self.drawn, quantiles(values, shares), np.nan)


class Summary:
    """What is known so far of all mechanisms, the chosen one first.

    ``ceiling`` is what PCA without noise keeps of the rows as they are prepared: below 1 where all
    have length 1 and are judged by rows at most R. ``ranked`` are measured mechanisms whose
    guarantee meets the budget at some point, without baselines; ``gap`` is in people. What takes a
    pass over all rows is said where it ``reads_rows``: of wide tables not at once.
    """

    def __init__(self, study: Study, target: float) -> None:
        self.study, self.target, self.progress = study, target, study.progress
        lines, unit = study.curves.lines, study.dataset.unit
        self.mechanisms = tuple(Medians(line, study.needed(line, target)) for line in lines)
        self.chosen, self.gap = self.mechanisms[0], study.problem.gap
        measured = (m for m in self.mechanisms if m.line.begun and m.ranked.any())
        self.ranked = tuple(m for m in measured if m.mechanism.role != "baseline")
        self.random = random_baseline(study.problem)
        self.ceiling = float(without_noise(study.problem).captured)
        self.space = subspace_name(study.asked.k)
        self.so_far = SO_FAR if self.progress["share"] < 1 else ""
        people = unit.one if self.gap == 1 else unit.many
        self.gap_text = f"{significant(self.gap, 3)}\u00a0{people}"
        self.reads_rows = study.stage > 1 or not is_heavy(study.problem.d)

    def epsilon_where_noise_equals_gap(self) -> float | None:
        """Return the ε at which they are equal, interpolated in log-log; None outside the axis."""
        noise = self.chosen.noise
        if noise is None or not np.isfinite(noise).all() or not noise[-1] < self.gap < noise[0]:
            return None
        epsilons = np.log(self.study.values)
        return float(np.exp(np.interp(-np.log(self.gap), -np.log(noise), epsilons)))
