"""Many mechanisms along one axis, measured bit by bit; what was measured once is kept."""

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.equalise import equalised
from dpca_core.privacy.budget import Guarantee, InfeasibleBudget, Notion
from dpca_core.simulation.draws import Draws
from dpca_core.simulation.trials import Point, trace
from ui.compare.query import Asked
from ui.server.scheduler import never_yield

FIRST, KEPT_POINTS = 8, 20_000

_Key = tuple[object, ...]
_Cells = tuple[Array, Array, np.ndarray]


class Memory:
    """Releases already measured, by what their law depends on; the oldest are let go."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, _Cells] = OrderedDict()
        self.times: dict[Mechanism, float] = {}

    def get(self, key: _Key) -> _Cells | None:
        """Return what is known of a point."""
        return self._kept.get(key)

    def put(self, key: _Key, cells: _Cells) -> None:
        """Keep a point."""
        self._kept[key] = cells
        while len(self._kept) > KEPT_POINTS:
            self._kept.popitem(last=False)


@dataclass
class Line:
    """One mechanism along the axis: (G, T) metrics, NaN where not done or refused."""

    mechanism: Mechanism
    points: list[Point]
    guarantees: list[Guarantee | None]
    notes: list[str]
    captured: Array
    sin_theta: Array
    refused: np.ndarray
    done: np.ndarray
    ranked: np.ndarray
    milliseconds: float = float("nan")
    prepared: bool = False

    @property
    def trials(self) -> int:
        """Releases measured at every point."""
        return int(self.done.all(axis=0).sum())


class Comparison:
    """The measurements behind the Compare page for one data set."""

    def __init__(self, dataset: Dataset, asked: Asked, memory: Memory) -> None:
        self.dataset, self.asked, self.memory = dataset, asked, memory
        self.values = asked.values(dataset.d)
        self.points = [asked.at(v).point(dataset) for v in self.values]
        self.lines = [self._line(m) for m in asked.mechanisms]
        self.stage, self._tasks = 0, deque[Callable[[], None]]()
        self._plan()
        self.total = len(self._tasks)

    @property
    def complete(self) -> bool:
        """Whether all is measured."""
        return not self._tasks

    @property
    def share(self) -> float:
        """Share of the work that is done."""
        return 1 - len(self._tasks) / self.total if self.total else 1.0

    def advance(self, seconds: float, should_yield: Callable[[], bool] = never_yield) -> None:
        """Work for about ``seconds``, at least one task, and no more where others are waiting."""
        end = perf_counter() + seconds
        while self._tasks:
            # It stays where it is given up in the midst: somebody has moved.
            self._tasks[0]()
            self._tasks.popleft()
            if perf_counter() >= end or should_yield():
                break
        self.stage += 1

    def _line(self, mechanism: Mechanism) -> Line:
        count, shape = len(self.points), (len(self.points), self.asked.trials)
        missing, no = np.full(shape, np.nan), np.zeros(shape, dtype=bool)
        return Line(
            mechanism, list(self.points), [None] * count, [""] * count, missing, missing.copy(),
            no, no.copy(), np.zeros(count, dtype=bool),
            self.memory.times.get(mechanism, float("nan")),
        )  # fmt: skip

    def _prepare(self, line: Line) -> None:
        """Find out what the mechanism guarantees at each point, and where it has no release."""
        line.prepared = True
        for i, (problem, budget) in enumerate(self.points):
            try:
                own = budget
                if self.asked.equalise:
                    own = equalised(line.mechanism, problem, budget)
                guarantee = line.mechanism.guarantee(problem, own)
                line.mechanism.calibrate(problem, own)
            except InfeasibleBudget as error:
                line.notes[i] = str(error)
                line.done[i] = True
                continue
            line.points[i], line.guarantees[i] = (problem, own), guarantee
            line.ranked[i] = guarantee.meets(budget)

    def _plan(self) -> None:
        """Coarse and few first, cheap mechanisms first; then all releases, cheap ones first."""
        lines = sorted(self.lines, key=lambda line: line.mechanism.relative_cost)
        every = range(len(self.points))
        here = int(np.argmin(np.abs(np.log(np.array(self.values) / self.asked.here))))
        coarse, rest = every[here % 5 :: 5], [i for i in every if (i - here) % 5]
        few = range(min(FIRST, self.asked.trials))
        more = range(few.stop, self.asked.trials)
        for points, trials in ((coarse, few), (rest, few), (every, more)):
            for line in lines:
                self._tasks.extend(self._pieces(line, list(points), trials))

    def _pieces(self, line: Line, points: list[int], trials: range) -> list[Callable[[], None]]:
        """Tasks of about 60 ms."""
        cost = (float(self.dataset.d) ** 2.1 * 2.5e-8 + 2e-5) * line.mechanism.relative_cost
        room = max(1, int(0.06 / cost))
        size = max(1, min(len(trials), room // max(1, len(points))))
        width = max(1, min(len(points), room // size))
        return [
            self._task(line, range(t, min(t + size, trials.stop)), points[p : p + width])
            for t in range(trials.start, trials.stop, size)
            for p in range(0, len(points), width)
        ]

    def _task(self, line: Line, trials: range, points: list[int]) -> Callable[[], None]:
        def work() -> None:
            if not line.prepared:
                self._prepare(line)
            wanted = [i for i in points if not line.done[i, list(trials)].all()]
            wanted = [i for i in wanted if not self._remembered(line, i, trials)]
            if not wanted:
                return
            start = perf_counter()
            found = trace(
                Draws(line.mechanism, self.asked.seed, trials), [line.points[i] for i in wanted]
            )
            spent = (perf_counter() - start) / (len(wanted) * len(trials)) * 1e3
            line.milliseconds = min(spent, self.memory.times.get(line.mechanism, spent))
            self.memory.times[line.mechanism] = line.milliseconds
            for place, i in enumerate(wanted):
                cells = found.captured[place], found.sin_theta[place], found.refused[place]
                self._fill(line, i, trials, cells)
                self.memory.put(self._key(line, i, trials), cells)

        return work

    def _fill(self, line: Line, i: int, trials: range, cells: _Cells) -> None:
        at = slice(trials.start, trials.stop)
        line.captured[i, at], line.sin_theta[i, at], line.refused[i, at] = cells
        line.done[i, at] = True

    def _remembered(self, line: Line, i: int, trials: range) -> bool:
        cells = self.memory.get(self._key(line, i, trials))
        if cells is None:
            return False
        self._fill(line, i, trials, cells)
        return True

    def _key(self, line: Line, i: int, trials: range) -> _Key:
        """What the law at a point depends on: of a pure mechanism not δ, of a baseline not ε."""
        (problem, budget), guarantee = line.points[i], line.guarantees[i]
        claim = line.mechanism.claim(problem, budget) if guarantee is not None else None
        pure = Notion.PURE in {g.notion for g in (guarantee, claim) if g is not None}
        delta = 0.0 if pure and self.dataset.mean_share == 0 else budget.delta
        return (
            self.dataset.identity, line.mechanism, problem.n, problem.k, budget.epsilon, delta,
            budget.adjacency, self.asked.seed, trials.start, trials.stop,
        )  # fmt: skip
