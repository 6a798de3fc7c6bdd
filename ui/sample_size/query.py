"""What the Sample size page is asked: an aim, a budget, and a spectrum."""

from dataclasses import dataclass, replace
from functools import lru_cache

from dpca_core.analysis.sample_size import Aim, spiked
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.runtime.cached_property import cached_property
from dpca_core.simulation.trials import Point
from dpca_core.theorems.theorem import Case

Name = tuple[object, ...]


def default_keys() -> tuple[str, ...]:
    """Return what is compared before anybody has chosen, in menu order.

    One mechanism of each kind, those of which a theorem speaks, and their calibrated forms.
    """
    stated = [m for m in MECHANISMS.values() if m.theorems]
    named = {m.key for m in stated} | {m.calibrated_counterpart for m in stated}
    return tuple(
        m.key
        for m in MECHANISMS.values()
        if m.key in named or (m.shown_by_default() and not m.is_variant)
    )


@dataclass(frozen=True)
class Asked:
    """What is asked: of one spike (``data`` None) or of a data set's own spectrum."""

    data: Dataset | None
    columns: int
    gap: float
    k: int
    kind: str
    level: float
    share: float
    epsilon: float
    delta: float
    adjacency: Adjacency
    keys: tuple[str, ...]
    seed: int = 0

    @property
    def budget(self) -> Budget:
        """The whole budget, a private mean's part included."""
        return Budget(self.epsilon, self.delta, self.adjacency)

    @property
    def aim(self) -> Aim:
        """The aim in the terms of a measurement."""
        match self.kind:
            case "captured":
                return Aim.captured(self.level, self.share)
            case "sin":
                return Aim("sin", self.level, self.share)
        return Aim.correlation(self.level, self.share)

    @property
    def d(self) -> int:
        """Columns."""
        return self.data.d if self.data else self.columns

    @cached_property
    def _whole(self) -> Point:
        if self.data is None:
            return _spike(self.columns, self.gap), self.budget
        return self.data.point(self.k, None, self.budget, self.seed)

    def at(self, n: float) -> Point:
        """Problem and budget at n people."""
        problem, budget = self._whole
        return problem.scaled(n), budget

    @property
    def spectrum(self) -> tuple[float, float, float]:
        """λ₁, λ₂ and the least eigenvalue of A, shares of 1."""
        problem = self.at(1.0)[0]
        return float(problem.spectrum[0]), float(problem.spectrum[1]), float(problem.spectrum[-1])

    @property
    def rho(self) -> float | None:
        """The aim as a correlation, where it is one: at k = 1, captured on one spike only."""
        if self.k != 1:
            return None
        if self.kind == "correlation":
            return self.level
        if self.kind == "sin":
            return float((1 - self.level**2) ** 0.5)
        top, second, least = self.spectrum
        squared = (self.level * top - second) / (top - second)
        return float(squared**0.5) if 0 < squared < 1 and least > second * (1 - 1e-9) else None

    @property
    def case(self) -> Case | None:
        """What the theorems are asked; None where they do not speak of it."""
        rho = self.rho
        top, second, _ = self.spectrum
        if rho is None or top - second <= 0:
            return None
        budget = self.at(1.0)[1]
        return Case(
            self.d, top - second, top, budget.epsilon, budget.delta, self.adjacency, rho,
            1 - self.share,
        )  # fmt: skip

    def of(self, mechanism: Mechanism) -> Name:
        """What the law of a mechanism's releases depends on."""
        shape = (self.columns, self.gap) if self.data is None else (self.data.identity, self.k)
        spent = None if self.reusable(mechanism) else self.budget
        return shape, mechanism, self.seed, spent

    def reusable(self, mechanism: Mechanism) -> bool:
        """Tell whether one number carries a measurement over to other budgets."""
        if mechanism.key not in self._reusable:
            self._reusable[mechanism.key] = self._carries(mechanism)
        return self._reusable[mechanism.key]

    def with_epsilon(self, epsilon: float) -> "Asked":
        """Ask the same at another ε."""
        if epsilon not in self._others:
            self._others[epsilon] = replace(self, epsilon=epsilon)
        return self._others[epsilon]

    @cached_property
    def refusals(self) -> dict[str, str]:
        """Why mechanisms have no release, by key, as far as that was asked."""
        return {}

    @cached_property
    def _others(self) -> dict[float, "Asked"]:
        return {}

    @cached_property
    def _reusable(self) -> dict[str, bool]:
        return {}

    def _carries(self, mechanism: Mechanism) -> bool:
        if self.data is not None and self.data.mean_share > 0:
            return False
        try:
            return mechanism.relative_noise(*self.at(1e6)) is not None
        except InfeasibleBudget:
            return True


def infeasible(asked: Asked, mechanism: Mechanism) -> str:
    """Say why a mechanism has no release at this budget, however many people; else nothing."""
    if mechanism.key not in asked.refusals:
        try:
            mechanism.calibrate(*asked.at(1e6))
            asked.refusals[mechanism.key] = ""
        except InfeasibleBudget as error:
            asked.refusals[mechanism.key] = str(error)
    return asked.refusals[mechanism.key]


@lru_cache(maxsize=32)
def _spike(d: int, gap: float) -> Problem:
    return spiked(d, gap)
