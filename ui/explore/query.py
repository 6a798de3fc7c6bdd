"""What Explore asks: an axis, what is fixed along it, and which mechanisms are measured there."""

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from dpca_core.analysis.recommendation import Recommendation, recommended_mechanism
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS, shown_by_default
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.simulation.trials import Point
from ui.state.settings import AxisName
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, MOST_DIRECTIONS, PEOPLE_STOPS

_KEYS = ("gaussian", "wishart_difference", "ppca", "laplace")
COMPANIONS, MOST_CURVES = tuple(MECHANISMS[key] for key in _KEYS), 5
"""Drawn beside the chosen and the recommended mechanism: always the same, as there is room."""
_AXES = {
    "epsilon": EPSILON_STOPS,
    "delta": tuple(delta for delta in DELTA_STOPS if delta > 0),
    "n": PEOPLE_STOPS,
}


@dataclass(frozen=True)
class Along:
    """An axis with all settings of a release but its mechanism; budgets are whole ones.

    ``equalise``: printed mechanisms run at the ε for which they really spend the budget.
    """

    epsilon: float
    delta: float
    n: float
    k: int
    adjacency: Adjacency
    seed: int = 0
    axis: AxisName = "epsilon"
    equalise: bool = False

    def values(self, d: int) -> tuple[float, ...]:
        """Return the axis's points for d columns."""
        directions = range(1, min(MOST_DIRECTIONS, d - 1) + 1)
        return _AXES.get(self.axis) or tuple(map(float, directions))

    @property
    def value(self) -> float:
        """The axis's own setting, above 0: where the charts are read first."""
        return max(float(getattr(self, self.axis)), 1e-12)

    def at(self, value: float) -> "Along":
        """Return the same with another setting of its axis."""
        changed: dict[str, Any] = {self.axis: int(value) if self.axis == "k" else value}
        return replace(self, **changed)

    @property
    def budget(self) -> Budget:
        """The budget for mechanism and preprocessing together."""
        return Budget(self.epsilon, self.delta, self.adjacency)

    def points(self, dataset: Dataset) -> tuple[list[Budget], list[Point]]:
        """Return the budget at each point of the axis; the problem with the mechanism's part."""
        each = [self.at(value) for value in self.values(dataset.d)]
        budgets = [one.budget for one in each]
        if dataset.draws or self.axis in ("n", "k"):
            return budgets, [dataset.point(one.k, one.n, one.budget, one.seed) for one in each]
        problem = dataset.problem(self.k, self.n)
        return budgets, [(problem, dataset.mechanism_budget(budget)) for budget in budgets]

    def digest(self, dataset: Dataset) -> str:
        """Return a short name, the same for the same releases wherever the axis is read."""
        return sha256(repr((dataset.identity, self.at(1.0))).encode()).hexdigest()[:12]


def recommended(data: Dataset, asked: Along, people: float | None = None) -> Recommendation:
    """Return what is recommended by public settings; of ``people``, as asked if None."""
    return recommended_mechanism(
        asked.n if people is None else people,
        data.d,
        data.mechanism_budget(asked.budget),
        k=asked.k,
        rows_per_person=data.rows_per_person,
        rows_read_again=data.summed is None,
        pairs=data.pairs,
    )


def compared(
    data: Dataset, asked: Along, chosen: Mechanism
) -> tuple[tuple[Mechanism, ...], tuple[Mechanism, ...]]:
    """Return what is measured along ε, and whose curves are drawn unless all are.

    The chosen one, what may be recommended at some ε and for some number of people, so that the
    lists stay while these move, and with these the usual ones or as many companions as have room.
    """
    named = recommended(data, asked.at(1.0)).may_keep_most
    usual = {m.key for m in (*named, *shown_by_default())} - {chosen.key}
    others = dict.fromkeys(m for m in (*named, *COMPANIONS) if m.key != chosen.key)
    measured = (m for m in MECHANISMS.values() if m.key in usual)
    return (chosen, *measured), (chosen, *others)[:MOST_CURVES]


def identity_of(data: Dataset, asked: Along, chosen: Mechanism, target: float) -> str:
    """Return a name that is the same for every refinement of one answer, wherever ε stands."""
    return f"{asked.digest(data)} {chosen} {target:g}"
