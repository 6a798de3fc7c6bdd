"""What Explore measures for one data set: releases of several mechanisms along one axis.

All views measure with it, so a number has one value on all of them. Lines belong to what was asked,
not to a view: another mechanism or another view goes on where the one before ended.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
import streamlit as st
from cachetools import FIFOCache

from dpca_core.analysis.needed import (
    EpsilonNeeded,
    PeopleNeeded,
    people_needed,
    smallest_epsilon,
)
from dpca_core.data.dataset import Dataset
from dpca_core.data.mean_direction import MOSTLY, centring_turn, offset_shares
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.runtime.cached_property import cached_property
from dpca_core.runtime.offload import expected_seconds
from dpca_core.simulation.curves import Curves, MeasuredLine
from dpca_core.simulation.releases_per_point import BANDS, FIRST, releases_of
from ui.explore.query import Along
from ui.explore.reliability import ReliabilityMeasurements
from ui.server.scheduler import GrowingSlices
from ui.text.words import progress_text

FIRST_SECONDS, WIDE_FIRST, MOST_FIRST_SECONDS = 0.15, 30, 0.4
"""Time after which the first answer is shown as it is; on wide tables so many releases, or less."""
SLICE_SECONDS, COARSE_SECONDS, LONGEST_SECONDS = 0.15, 0.4, 3.0
"""The first slice of measuring, and the longest before and after every mechanism has curves: later
slices change little, and are worth a new picture less often."""
KEPT_STUDIES, KEPT_SETTINGS, KEPT_LINES = 3, 2, 40
"""Studies that a session keeps, and settings whose lines it keeps: so many, all mechanisms'."""
FEWEST_POINTS = 3
"""Points that "which value of the axis is needed" takes at least."""

_END = object()
Lines = MutableMapping[Mechanism, MeasuredLine]


class Study:
    """Measurements of several mechanisms along one axis, the chosen one first.

    ``known`` lines of the same data and ``asked`` are taken up again; ``trials`` are releases at
    each point, by default as ``releases_of`` says.
    """

    def __init__(
        self,
        dataset: Dataset,
        asked: Along,
        mechanisms: tuple[Mechanism, ...],
        known: Lines | None = None,
        trials: Mapping[Mechanism, int] | None = None,
    ) -> None:
        self.dataset, self.asked, self.mechanism = dataset, asked, mechanisms[0]
        self.values = asked.values(dataset.d)
        self.budgets, self.points = asked.points(dataset)
        self.problem = self.points[-1][0].true_problem
        size = len(self.points)
        trials = trials or {
            m: releases_of(m, dataset.d, size, chosen=m is self.mechanism) for m in mechanisms
        }
        self.curves = Curves(self.points, trials, asked.seed, equalise=asked.equalise, known=known)
        self.reliability = ReliabilityMeasurements(
            self.mechanism, dataset, asked, self.points, self.budgets
        )
        self.stage, self.at = 0, 0
        self._judges = asked.axis == "epsilon" and not asked.equalise
        self._slices = GrowingSlices(SLICE_SECONDS, LONGEST_SECONDS)
        self._people: dict[tuple[float, int, EpsilonNeeded], PeopleNeeded] = {}

    @property
    def complete(self) -> bool:
        """Whether all is measured."""
        return self.curves.complete and not self._unjudged

    @property
    def progress(self) -> dict[str, Any]:
        """How much is measured, as ``Content`` takes it."""
        share, left = self.curves.progress
        if self._judges:
            left += self.reliability.seconds_left(self.at)
        complete = share == 1 and not self._unjudged
        said = "" if complete else progress_text(min(share, 0.99), left)
        return {"share": share, "complete": complete, "progress": said, "stage": self.stage}

    def first_answer(self, at: int, *, busy: bool = False) -> None:
        """Measure the chosen mechanism's first releases, as far as it is quick.

        ``at`` is the point that is looked at; while the server is ``busy``, fewer are measured.
        """
        self.at = at
        wide = WIDE_FIRST * expected_seconds(self.problem.d)
        end = perf_counter() + max(FIRST_SECONDS, min(wide, MOST_FIRST_SECONDS))
        for _ in self.curves.first_steps(at, busy=busy):
            if perf_counter() >= end and self.curves.chosen.begun:
                break
        self.stage = max(self.stage, 1)

    def advance(self, should_yield: Callable[[], bool] = lambda: False) -> None:
        """Measure more for a while, which grows while nothing else is asked; at least one step."""
        coarse = not all(line.has_curve for line in self.curves.lines)
        most = COARSE_SECONDS if coarse else LONGEST_SECONDS
        self._slices.take(self.at, self._steps(), should_yield, most)
        self.stage += 1

    def _steps(self) -> Iterator[None]:
        """Curves, with reliability at the point looked at as soon as bands are there, if quick."""
        curves, more = self.curves.steps(self.at), True
        while more:
            due = self.reliability.is_quick and self.curves.chosen.everywhere >= BANDS
            if due and self._unjudged[:1] == [self.at]:
                self.reliability.step(self.at)
            else:
                more = next(curves, _END) is not _END
            yield
        while unjudged := self._unjudged:
            self.reliability.step(unjudged[0])
            yield

    @property
    def _unjudged(self) -> list[int]:
        return self.reliability.missing(self.at) if self._judges else []

    @cached_property
    def mean_directions(self) -> list[int]:
        """Numbers, from 1, of the directions that are mostly the mean of uncentred rows."""
        shares = offset_shares(self.dataset, self.asked.k)
        return [] if shares is None else (np.flatnonzero(shares >= MOSTLY) + 1).tolist()

    @cached_property
    def centring_turn(self) -> float | None:
        """By how many degrees centring the rows would turn the directions; None if unknown."""
        return centring_turn(self.dataset, self.asked.k)

    def needed(self, line: MeasuredLine, target: float) -> EpsilonNeeded | None:
        """Find the smallest value of the axis from which 9 of 10 releases keep the target.

        None while unmeasured. Never certain where ε also pays for a mean: all releases measured
        share one draw of it.
        """
        if not line.begun:
            return None
        known = [i for i in np.flatnonzero(line.done[:, 0]).tolist() if not line.not_simulated(i)]
        if known and len(known) < FEWEST_POINTS:
            return None
        if not known:
            return EpsilonNeeded(None, False)
        # The same number of releases for all: more would make the chosen one seem to need less.
        trials = min(int(line.done[known].all(axis=0).sum()), min(self.curves.trials.values()))
        found = smallest_epsilon(
            [self.values[i] for i in known], line.captured[known, :trials], target
        )
        return found.as_estimate if self.dataset.draws else found

    def people_needed(
        self, target: float, index: int, needed: EpsilonNeeded | None = None
    ) -> PeopleNeeded | None:
        """Find how many people the chosen mechanism needs at a point of the ε axis.

        ``needed`` is its ε for the target, where that is known already. Where it takes new releases
        it is found at the point looked at alone; None elsewhere, and while little is measured.
        """
        line = self.curves.chosen
        needed = needed or self.needed(line, target)
        if needed is None or self.mechanism.role == "baseline" or len(line.releases(index)) < FIRST:
            return None
        problem, budget = self.points[index]
        if index != self.at:
            if line.everywhere < BANDS:
                return None
            with suppress(InfeasibleBudget):
                if self.mechanism.relative_noise(problem, budget) is None:
                    return None
        key = (target, index, needed)
        if key not in self._people:
            own = needed.stated
            if own.epsilon is not None:
                part = self.dataset.mechanism_budget(self.asked.at(own.epsilon).budget)
                own = replace(own, epsilon=part.epsilon)
            self._people[key] = people_needed(
                self.mechanism,
                problem,
                budget,
                epsilon_needed=own,
                target=target,
                seed=self.asked.seed,
            )
        return self._people[key]


def kept_study(
    dataset: Dataset,
    asked: Along,
    mechanisms: tuple[Mechanism, ...],
    trials: Mapping[Mechanism, int] | None = None,
) -> Study:
    """Return the session's measurements of what is asked, begun or taken up again."""
    kept = st.session_state
    lines: FIFOCache[str, Lines] = kept.setdefault("lines", FIFOCache(KEPT_SETTINGS))
    studies: FIFOCache[object, Study] = kept.setdefault("studies", FIFOCache(KEPT_STUDIES))
    name = asked.digest(dataset)
    key = name, mechanisms, tuple((trials or {}).values())
    if key not in studies:
        known = lines.setdefault(name, FIFOCache(KEPT_LINES))
        studies[key] = Study(dataset, asked, mechanisms, known, trials)
    return studies[key]
