"""Releases of several mechanisms along one axis, measured a few milliseconds at a time.

``Curves.steps`` does a little work each time the next step is asked for: coarse curves of every
mechanism before any is refined. What is measured is in the lines. A generator may be thrown away at
any step, also by an exception in the middle of one, and a new one goes on where that ended.
"""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from time import perf_counter

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.equalise import equalised
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Guarantee, InfeasibleBudget
from dpca_core.runtime.offload import ITERATIVE_COST, LONG_SECONDS, expected_seconds
from dpca_core.simulation.releases_per_point import BANDS, BUSY, FEW, FEWER, FIRST, RELEASES
from dpca_core.simulation.trials import Point, TrialDraws, TrialMetrics, noise_norms, run_trials

COARSE = 6
"""Every sixth point is measured before any other."""
EARLY_SECONDS = 0.008
"""Expected seconds of a release up to which the chosen one's bands come before other curves."""
STEP_SECONDS, WIDE_STEP, MOST_STEP_SECONDS = 0.02, 12, 0.15
"""What a step may take: whoever moves a control waits for it. On wide tables as long as so many
releases of noise on S, or this."""
CAUTION, FORGETTING = 20.0, 0.15
"""How much slower than expected a first release may be; weight of the latest time where shorter."""


class MeasuredLine:
    """One mechanism along the axis: arrays (G, T) for the T trials that were asked for so far.

    ``captured`` and ``sin_theta`` are NaN where nothing is measured or released; ``norms``
    (``RELEASES``,) are spectral norms of the noise on S at scale 1, and ``scales`` (G,) its scales,
    NaN without any. Its ``points`` may have other budgets than were asked for, with equal true ε;
    it is ``ranked`` where what is proved meets those. ``guarantees`` are as many as are known, None
    where infeasible; ``notes`` say why there is no release; ``seconds`` are those of a release, the
    slow ones remembered longer, and ``expected`` are they by public numbers.
    """

    def __init__(self, mechanism: Mechanism, points: Sequence[Point]) -> None:
        self.mechanism, self.points = mechanism, list(points)
        shape = count, _ = len(points), FEW
        self.captured, self.sin_theta = np.full(shape, np.nan), np.full(shape, np.nan)
        self.refused, self.done = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
        self.norms, self.scales = np.full(RELEASES, np.nan), np.full(count, np.nan)
        self.ranked, self.infeasible = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
        self.guarantees: list[Guarantee | None] = []
        self.notes: dict[int, str] = {}
        self.seconds, self.expected = 0.0, expected_seconds(points[-1][0].d, mechanism.cost)

    def reserve(self, trials: int) -> None:
        """Make room for so many trials: thirty visitors' lines would take much memory at once."""
        if trials <= self.done.shape[1]:
            return
        self.captured = _widened(self.captured, trials, np.nan)
        self.sin_theta = _widened(self.sin_theta, trials, np.nan)
        self.refused = _widened(self.refused, trials, False)
        self.done = _widened(self.done, trials, False)
        self.refused[self.infeasible] = self.done[self.infeasible] = True

    def enter(self, points: Sequence[int], trials: range, found: TrialMetrics) -> None:
        """Enter what was measured of some trials at some points."""
        self.reserve(trials.stop)
        block = np.ix_(points, trials)
        self.captured[block], self.sin_theta[block] = found.captured, found.sin_theta
        self.refused[block], self.done[block] = found.refused, True
        self.notes |= {i: note for i, note in zip(points, found.notes, strict=True) if note}

    def missing(self, trials: int) -> int:
        """How many of so many releases at each point are not measured."""
        feasible = ~self.infeasible
        return int(feasible.sum()) * trials - int(self.done[feasible, :trials].sum())

    @property
    def begun(self) -> bool:
        """Whether anything is measured."""
        return bool(self.done.any())

    @property
    def everywhere(self) -> int:
        """Releases measured at every point."""
        return RELEASES if self.infeasible.all() else int(self.done.all(axis=0).sum())

    @property
    def has_curve(self) -> bool:
        """Whether it is measured along the whole axis, however coarsely."""
        return bool(self.done[::COARSE, 0].all())

    def not_simulated(self, index: int) -> bool:
        """Tell whether a release exists but takes too long to be simulated on a page."""
        return index in self.notes and not self.infeasible[index]

    def releases(self, index: int) -> Array:
        """Return captured shares of the releases at a point, in their order; NaN where refused."""
        return np.asarray(self.captured[index][self.done[index]])


def _widened(values: np.ndarray, trials: int, empty: float) -> np.ndarray:
    # NumPy's pad takes ten times as long, which a first answer notices.
    found = np.full((len(values), trials), empty, dtype=values.dtype)
    found[:, : values.shape[1]] = values
    return found


class Curves:
    """Lines of several mechanisms along one axis, the chosen one first.

    ``trials`` are the releases of each mechanism at each point; trial t is the same release at
    every point. With ``equalise`` printed mechanisms are run at the ε for which they really spend
    the budget. ``known`` lines of the same points, seed and ``equalise`` are taken up again; new
    ones are put there.
    """

    def __init__(
        self,
        points: Sequence[Point],
        trials: Mapping[Mechanism, int],
        seed: int,
        *,
        equalise: bool = False,
        known: MutableMapping[Mechanism, MeasuredLine] | None = None,
    ) -> None:
        self.points, self.seed, self.equalise = list(points), seed, equalise
        self.trials, kept = dict(trials), {} if known is None else known
        for mechanism in trials:
            if mechanism not in kept:
                kept[mechanism] = MeasuredLine(mechanism, points)
        self.lines = [kept[mechanism] for mechanism in trials]
        self.chosen = self.lines[0]
        self._d = points[-1][0].d
        self._draws: TrialDraws | None = None
        wide = WIDE_STEP * expected_seconds(self._d)
        self._step_seconds = max(STEP_SECONDS, min(MOST_STEP_SECONDS, wide))

    @property
    def progress(self) -> tuple[float, float]:
        """Share of the work that is done, and seconds that the rest takes by what it took so far.

        The share is by what is expected of the work: it never falls, and is 1 once all is measured.
        """
        whole = missing = left = 0.0
        for line, trials in zip(self.lines, self.trials.values(), strict=True):
            releases = line.missing(trials)
            whole += line.expected * trials * len(self.points)
            missing += line.expected * releases
            left += (line.seconds or line.expected) * releases
        return 1 - missing / whole, left

    @property
    def complete(self) -> bool:
        """Whether all is measured."""
        return self.progress[0] == 1

    def first_steps(self, at: int, *, busy: bool = False) -> Iterator[None]:
        """Measure what a first answer shows: the chosen mechanism, first at the point looked at.

        Where it is measured elsewhere already, at that point only.
        """
        line, every = self.chosen, range(len(self.points))
        if line.done[at].any():
            return
        stops = every[:0] if line.begun else every
        points = [at, *stops[::COARSE], *stops[:: COARSE if busy else 2]]
        for trials in self._cut(line, 0, BUSY if busy else FIRST):
            yield from self._measure(line, trials, list(dict.fromkeys(points)))

    def steps(self, at: int) -> Iterator[None]:
        """Measure what is missing, a step at a time; ``at``: the point that is looked at.

        Coarse curves of all first, then each is refined in turn, the quick ones first.
        """
        chosen, *others = self.lines
        others.sort(key=lambda line: line.mechanism.cost + line.mechanism.publishes_matrix)
        every = range(len(self.points))
        coarse = list(dict.fromkeys([at, *every[::COARSE]]))
        finer = [every[start::step] for start, step in ((0, 6), (2, 6), (4, 6), (1, 2))]
        early = chosen.expected <= EARLY_SECONDS
        stages: list[tuple[list[MeasuredLine], int, int, Sequence[Sequence[int]]]] = [
            ([chosen, *others], 0, FEW, [coarse]),
            ([chosen], 0, FIRST, finer),
            ([chosen] if early else [], FIRST, BANDS, [every]),
            (others, 0, FIRST, finer),
            ([chosen], FIRST, BANDS, [every]),
            (others, FIRST, FEWER, [every]),
            ([chosen], BANDS, RELEASES, [every]),
            (others, FEWER, RELEASES, [every]),
        ]
        for lines, start, stop, passes in stages:
            for line in lines:
                for trials in self._cut(line, start, stop):
                    for points in passes:
                        yield from self._measure(line, trials, points)
        self._draws = None

    def _cut(self, line: MeasuredLine, start: int, stop: int) -> list[range]:
        """Cut trials so that a step does each at all points.

        A sampler whose every release is drawn by another process does all at once: that one keeps
        nothing, and to prepare for a point takes longer than a release there.
        """
        trials = range(start, min(stop, self.trials[line.mechanism]))
        size = max(1, int(self._step_seconds / (line.expected * len(self.points))))
        if line.mechanism.cost >= ITERATIVE_COST and line.expected >= LONG_SECONDS:
            size = len(trials) or 1
        return [trials[i : i + size] for i in range(0, len(trials), size)]

    def _measure(self, line: MeasuredLine, trials: range, points: Sequence[int]) -> Iterator[None]:
        line.reserve(trials.stop)
        block = np.s_[points, trials.start : trials.stop]
        while missing := np.asarray(points)[~line.done[block].all(axis=1)].tolist():
            if self._find_guarantees(line):
                seconds = line.seconds or CAUTION * line.expected
                size = max(1, int(self._step_seconds / (seconds * len(trials))))
                self._enter(line, trials, missing[:size])
            yield

    def _enter(self, line: MeasuredLine, trials: range, part: list[int]) -> None:
        begun = perf_counter()
        draws = self._draws
        if draws is None or draws.mechanism is not line.mechanism or draws.trials != trials:
            draws = self._draws = TrialDraws(line.mechanism, self.seed, trials)
        found = run_trials(draws, [line.points[i] for i in part])
        # On a very wide table the first answer does not wait for norms.
        if (line.begun or expected_seconds(self._d) < self._step_seconds) and (
            np.isnan(line.norms[trials]).any()
            and (norms := noise_norms(draws, self._d)) is not None
        ):
            line.norms[trials] = norms
        line.enter(part, trials, found)
        each = (perf_counter() - begun) / (len(trials) * len(part))
        line.seconds = max(each, line.seconds + FORGETTING * (each - line.seconds))

    def _find_guarantees(self, line: MeasuredLine) -> bool:
        """Find what holds at the points, for a while; tell whether all is known."""
        end = perf_counter() + self._step_seconds
        for i in range(len(line.guarantees), len(self.points)):
            problem, budget = self.points[i]
            try:
                at = equalised(line.mechanism, problem, budget) if self.equalise else budget
                found = line.mechanism.guarantee(problem, at)
                line.scales[i] = line.mechanism.calibrate(problem, at).scale
                line.points[i], line.ranked[i] = (problem, at), found.meets(budget)
                line.guarantees.append(found)
            except InfeasibleBudget as error:
                line.notes[i] = str(error)
                line.infeasible[i] = line.refused[i] = line.done[i] = True
                line.guarantees.append(None)
            if perf_counter() >= end:
                break
        return len(line.guarantees) == len(self.points)
