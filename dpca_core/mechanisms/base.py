"""The one abstraction: a mechanism turns a problem and a budget into private bases."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from inspect import cleandoc
from typing import Any, ClassVar, Literal

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.privacy.budget import (
    Adjacency,
    Budget,
    Guarantee,
    InfeasibleBudget,
    NotDrawnInTime,
    Notion,
    Standing,
)
from dpca_core.problem import Problem

__all__ = [
    "Adjacency", "Budget", "Guarantee", "InfeasibleBudget", "MatrixNoise", "Mechanism", "Noise",
    "NotDrawnInTime", "Notion", "Parameter", "Problem", "Release", "SharedNoise", "Standing",
    "parameter",
]  # fmt: skip


Keep = Literal["moment"] | None


@dataclass(frozen=True)
class Noise:
    """How much noise a mechanism adds, in the paper's own symbol.

    ``unit`` is "people" where the noise is on S and "per entry" where it is on the basis.
    """

    scale: float
    unit: str
    symbol: str


@dataclass(frozen=True)
class Release:
    """What came out of a number of independent trials.

    Attributes
    ----------
    bases
        (trials, d, k), orthonormal columns; NaN where the mechanism refused.
    refused
        (trials,) whether nothing was released.
    info
        Diagnostics, each with a leading trials axis.
    moment
        (trials, d, d) the published noisy matrix, with ``keep="moment"`` where there is one.
    """

    bases: Array
    refused: np.ndarray
    info: dict[str, Array] = field(default_factory=dict)
    moment: Array | None = None


@dataclass(frozen=True)
class Parameter:
    """A mechanism's own setting, as a page needs it to draw a control."""

    name: str
    label: str
    unit: str
    low: float
    high: float
    default: float


def parameter(default: Any, label: str, unit: str, low: float, high: float) -> Any:
    """Declare a field of a mechanism together with its label, unit and range."""
    return field(default=default, metadata={"label": label, "unit": unit, "range": (low, high)})


@dataclass(frozen=True)
class Mechanism(ABC):
    """A way to choose k directions from a second-moment sum, private or not.

    A subclass's docstring is its card, its fields are its public settings.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    family: ClassVar[str]
    printed: ClassVar[bool] = False
    noise_description: ClassVar[str]
    """What it does with noise, after its name: "adds its noise to S"."""
    relative_cost: ClassVar[float] = 1.0
    """Cost of a release in eigendecompositions of d columns, roughly: pages plan by it."""
    unbounded_runtime: ClassVar[bool] = False
    """Whether a draw is repeated until it is accepted, for as long as that takes."""
    calibrated_counterpart: ClassVar[str | None] = None
    """Key of the calibrated mechanism that takes its place, where this one is printed."""
    refusal_reason: ClassVar[str] = "the budget is too small"
    """Why it may refuse, where it does."""
    publishes_matrix: ClassVar[bool] = False
    """Whether a (noisy) matrix is published, so that its directions come in an order."""

    def __post_init__(self) -> None:
        """Refuse settings outside their range."""
        for setting in self.parameters():
            value = getattr(self, setting.name)
            if not setting.low <= value <= setting.high:
                raise ValueError(
                    f"{setting.label} must be {setting.low:g} to {setting.high:g}, not {value}."
                )

    @classmethod
    def card(cls) -> str:
        """Return the description: the class's docstring."""
        return cleandoc(cls.__doc__ or "")

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Public settings of the mechanism with label, unit and range."""
        settings = []
        for f in fields(cls):
            if "label" in f.metadata:
                low, high = f.metadata["range"]
                label, unit = f.metadata["label"], f.metadata["unit"]
                settings.append(Parameter(f.name, label, unit, low, high, getattr(cls, f.name)))
        return tuple(settings)

    @abstractmethod
    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """What really holds when the mechanism is run at ``budget``."""

    def claim(self, problem: Problem, budget: Budget) -> Guarantee | None:
        """What the paper says; None for our own mechanisms and for baselines."""
        return None

    @abstractmethod
    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """Noise for a budget: deterministic. Says in its docstring where it reads the spectrum.

        Raises
        ------
        InfeasibleBudget
            Where the mechanism has no noise level for the budget.
        """

    @abstractmethod
    def sample(
        self, problem: Problem, budget: Budget, rng: np.random.Generator, trials: int, keep: Keep
    ) -> Release:
        """Draw independent releases; all randomness is here."""

    def release(
        self,
        problem: Problem,
        budget: Budget,
        rng: np.random.Generator,
        trials: int = 1,
        keep: Keep = None,
    ) -> Release:
        """Draw ``trials`` independent releases from the generator given.

        Raises
        ------
        InfeasibleBudget
            Where the budget cannot be met.
        ValueError
            For fewer than one trial.
        """
        if trials < 1:
            raise ValueError(f"Ask for at least one trial, not {trials}.")
        return self.sample(problem, budget, rng, trials, keep)

    def simulate(
        self,
        problem: Problem,
        budget: Budget,
        rng: np.random.Generator,
        trials: int = 1,
        keep: Keep = None,
    ) -> Release:
        """Draw as ``release`` does, for a page that is not private and does not wait for ever.

        Raises
        ------
        NotDrawnInTime
            Where the draws would take long. That may read the spectrum: nothing that is published
            under a guarantee may come from here, nor may the fact that it was raised.
        InfeasibleBudget
            Where the budget cannot be met.
        """
        return self.release(problem, budget, rng, trials, keep)

    def relative_noise(self, problem: Problem, budget: Budget) -> float | None:
        """Return the one number that, with the spectrum's shape, fixes the law of the quality.

        Noise over n for noise on S, noise itself on a basis; None where no single number does.
        It answers "how many people would I need" without sampling again.
        """
        return None

    def entry_noise(self, problem: Problem, budget: Budget) -> float | None:
        """Noise per entry: standard deviation of a diagonal entry of the noise on S, in people.

        About its mean, where the noise has one. None for a mechanism that publishes no matrix.

        Raises
        ------
        InfeasibleBudget
            Where the mechanism has no noise level for the budget.
        """
        return None


class SharedNoise(Mechanism):
    """A mechanism whose randomness does not depend on the data or the budget.

    One draw per trial serves a whole axis of a sweep: curves are smooth and a slider only rescales.
    """

    @abstractmethod
    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> tuple[Array, ...]:
        """All the randomness of ``trials`` releases: arrays with a leading trials axis."""

    @abstractmethod
    def apply(
        self, problem: Problem, budget: Budget, unit: tuple[Array, ...], keep: Keep = None
    ) -> Release:
        """Turn unit noise into releases: deterministic."""

    def sample(
        self, problem: Problem, budget: Budget, rng: np.random.Generator, trials: int, keep: Keep
    ) -> Release:
        """Draw unit noise and apply it."""
        return self.apply(problem, budget, self.unit(problem.d, problem.k, rng, trials), keep)


class MatrixNoise(SharedNoise):
    """Publish S + scale·E for a symmetric random E, and take its top k eigenvectors (signed order).

    The guarantee is of the published matrix; the basis is post-processing.
    """

    noise_description = "adds its noise to S"
    publishes_matrix = True
    one_sided: ClassVar[bool] = False
    """Whether the noise only raises eigenvalues; then its size is taken about its middle."""

    @staticmethod
    @abstractmethod
    def entry_std(d: int) -> tuple[float, float]:
        """Standard deviations of a diagonal and of an off-diagonal entry of E at d columns."""

    @abstractmethod
    def matrices(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        """Unit noise E (trials, d, d), symmetric."""

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> tuple[Array, ...]:
        """Draw unit noise E (trials, d, d)."""
        return (self.matrices(d, rng, trials),)

    def apply(
        self, problem: Problem, budget: Budget, unit: tuple[Array, ...], keep: Keep = None
    ) -> Release:
        """Top k of S + scale·E."""
        noisy = problem.moment + self.calibrate(problem, budget).scale * unit[0]
        return Release(
            bases=top_basis(noisy, problem.k),
            refused=np.zeros(len(noisy), dtype=bool),
            moment=noisy if keep == "moment" else None,
        )

    def relative_noise(self, problem: Problem, budget: Budget) -> float | None:
        """Noise over n: S + σE and (n'/n)·S + (n'/n)·σE have the same eigenvectors."""
        return self.calibrate(problem, budget).scale / problem.n

    def entry_noise(self, problem: Problem, budget: Budget) -> float | None:
        """Scale times the standard deviation of a diagonal entry of E."""
        return self.calibrate(problem, budget).scale * self.entry_std(problem.d)[0]
