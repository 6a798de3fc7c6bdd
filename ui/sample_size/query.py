"""What the Sample size page is asked: its settings in the address, and the query they make."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from math import sqrt
from typing import Any, ClassVar

import numpy as np

from dpca_core.analysis.needed import Aim
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.runtime.cached_property import cached_property
from dpca_core.simulation.trials import Point
from dpca_core.theorems import THEOREMS, Case
from ui.state.settings import Addressed

MANY_PEOPLE = 1e6
"""Where calibrations that do not depend on the number of people are asked for."""


class SpectrumSource(StrEnum):
    """Whose spectrum is released from: of one direction above a flat rest, or of a data set."""

    SPIKE = "spike"
    DATA = "data"


class AimKind(StrEnum):
    """How the quality of a release is measured."""

    CORRELATION = "correlation"
    CAPTURED = "captured"
    SINE = "sin"


_SHARES_KEPT = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)
LEVEL_STOPS = {
    AimKind.CORRELATION: _SHARES_KEPT,
    AimKind.CAPTURED: _SHARES_KEPT,
    AimKind.SINE: (0.03, 0.05, 0.07, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9),
}
"""What can be aimed at, by kind of aim."""


def default_keys() -> tuple[str, ...]:
    """Return what is compared before anybody has chosen, in menu order.

    One mechanism of each kind, those of which a theorem speaks, and their calibrated forms.
    """
    named = {*THEOREMS, *(MECHANISMS[key].counterpart for key in THEOREMS)}
    return tuple(m.key for m in MECHANISMS.values() if m.key in named or m.role == "candidate")


@dataclass(frozen=True)
class SampleSizeSettings(Addressed):
    """The spectrum, with d and the gap of the spike; the aim; and which mechanisms."""

    ALWAYS: ClassVar = ("spectrum",)
    STOPS: ClassVar = {
        "d": (2, 5, 10, 20, 50, 100, 200, 500, 1000),
        "gap": (0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9),
        "share": (0.5, 0.75, 0.9, 0.95),
    }

    spectrum: SpectrumSource = SpectrumSource.SPIKE
    d: int = 50
    gap: float = 0.3
    kind: AimKind = AimKind.CORRELATION
    level: float = 0.9
    share: float = 0.9
    mechanisms: str = ",".join(default_keys())

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the mechanisms, in menu order."""
        chosen = self.mechanisms.split(",")
        return tuple(key for key in MECHANISMS if key in chosen)

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:  # noqa: D102
        if name == "mechanisms":
            return all(key in MECHANISMS for key in value.split(","))
        return super().allows(name, value) and value != 0

    def stops(self) -> Mapping[str, tuple[float, ...]]:  # noqa: D102
        return self.STOPS | {"level": LEVEL_STOPS[self.kind]}


@dataclass(frozen=True)
class SampleSizeQuery:
    """An aim and a budget, on one spike (``data`` None) or on a data set's own spectrum.

    ``columns`` and ``gap``, λ₁ − λ₂ as a share of the trace, are the spike's. The aim: a quality of
    at least (sin Θ: at most) ``level`` in a ``share`` of all releases, by the mechanisms ``keys``.
    """

    data: Dataset | None
    columns: int
    gap: float
    k: int
    kind: AimKind
    level: float
    share: float
    budget: Budget
    keys: tuple[str, ...]
    seed: int = 0

    @property
    def id(self) -> str:
        """The same text for the same question."""
        return f"{self.data.identity if self.data else ''} {replace(self, data=None)}"

    @property
    def aim(self) -> Aim:
        """The aim in the terms of a measurement."""
        if self.kind == AimKind.CAPTURED:
            return Aim("captured", 1 - self.level, self.share)
        sine = self.level if self.kind == AimKind.SINE else sqrt(1 - self.level**2)
        return Aim("sin", sine, self.share)

    @property
    def d(self) -> int:
        """Columns."""
        return self.data.d if self.data else self.columns

    @property
    def unit(self) -> str:
        """What is counted, plural."""
        return self.data.unit.many if self.data else "people"

    @cached_property
    def point(self) -> Point:
        """Problem and the mechanism's part of the budget, at ``MANY_PEOPLE``."""
        if self.data is None:
            return single_spike(self.columns, self.gap), self.budget
        problem, budget = self.data.point(self.k, None, self.budget, self.seed)
        return problem.scaled(MANY_PEOPLE), budget

    @cached_property
    def refusals(self) -> dict[str, str]:
        """Why mechanisms, by key, have no release at this budget, however many people."""
        found = {}
        for key in self.keys:
            try:
                MECHANISMS[key].calibrate(*self.point)
            except InfeasibleBudget as error:
                found[key] = str(error)
        return found

    @cached_property
    def carried_over(self) -> frozenset[str]:
        """Keys of mechanisms of which one number carries a measurement over to other budgets."""
        if self.data is not None and self.data.mean_share > 0:
            return frozenset()
        released = (key for key in self.keys if key not in self.refusals)
        return frozenset(
            key for key in released if MECHANISMS[key].relative_noise(*self.point) is not None
        )

    @cached_property
    def spectrum(self) -> tuple[float, float, float]:
        """λ₁, λ₂ and the least eigenvalue of A, shares of 1."""
        values = self.point[0].scaled(1.0).spectrum
        return float(values[0]), float(values[1]), float(values[-1])

    @property
    def rho(self) -> float | None:
        """The aim as a correlation, where it is one: at k = 1, captured on one spike only."""
        if self.k != 1:
            return None
        if self.kind == AimKind.CORRELATION:
            return self.level
        if self.kind == AimKind.SINE:
            return sqrt(1 - self.level**2)
        top, second, least = self.spectrum
        squared = (self.level * top - second) / (top - second)
        return sqrt(squared) if 0 < squared < 1 and least > second * (1 - 1e-9) else None

    @property
    def case(self) -> Case | None:
        """What the theorems are asked; None where they do not apply."""
        rho, budget = self.rho, self.point[1]
        top, second, _ = self.spectrum
        if rho is None or top <= second:
            return None
        spent = budget.epsilon, budget.delta, budget.adjacency
        return Case(self.d, top - second, top, *spent, rho, 1 - self.share)


@lru_cache(maxsize=32)
def single_spike(d: int, gap: float) -> Problem:
    """Return one direction above a flat rest: λ₁ − λ₂ = gap, the trace of A is 1; k = 1."""
    rest = (1 - gap) / d
    shares = np.array([rest + gap] + [rest] * (d - 1))
    return Problem.from_moment(np.diag(shares) * MANY_PEOPLE, MANY_PEOPLE, 1)
