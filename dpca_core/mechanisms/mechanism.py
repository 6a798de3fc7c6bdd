"""The one abstraction: a mechanism turns a problem and a budget into private bases."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, ClassVar, Literal

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Budget, Guarantee, InfeasibleBudget, Notion, Standing
from dpca_core.problem import Problem

Keep = Literal["moment"] | None
"""What a release keeps besides the bases: the published matrix, or nothing."""
Seed = int | np.random.Generator | None
"""As ``np.random.default_rng`` takes it; None for fresh randomness."""
Unit = tuple[Array, ...]
"""All the randomness of some releases: arrays with a leading trials axis."""
Role = Literal["candidate", "variant", "special", "printed", "baseline"]
"""A *candidate* may be the one to use, a *variant* is near one, what is *special* fits some data or
some trust only; a *printed* one is as its paper has it; a *baseline* is an end of the scale."""


class Family(StrEnum):
    """What a mechanism adds noise to, and how: each has its colour."""

    GAUSSIAN = "gaussian"
    GAUSSIAN_TRIANGLE = "gaussian triangle"
    LAPLACE = "laplace"
    WISHART = "wishart"
    EXPONENTIAL = "exponential"
    SMOOTH = "smooth"
    GAP_RELEASE = "gap release"
    SULQ = "sulq"
    POWER = "power"
    LOCAL = "local"
    BASELINE = "baseline"


@dataclass(frozen=True)
class Noise:
    """How much noise a mechanism adds, in the paper's own symbol."""

    scale: float
    unit: str
    """Of the scale: "people" for noise on S, "per entry" for noise on the basis."""
    symbol: str
    entry: float | None = None
    """Standard deviation of a diagonal entry of the noise on S, in people; None where there is no
    one such noise."""
    mean: float = 0.0
    """m, in people, where the mean of the noise on S is m·I: public, and it turns no direction."""


@dataclass(frozen=True)
class Release:
    """The outcome of a number of independent trials."""

    bases: Array
    """(trials, d, k), orthonormal columns; NaN where the mechanism refused."""
    info: dict[str, Array] = field(default_factory=dict)
    """Diagnostics, each with a leading trials axis."""
    moment: Array | None = None
    """(trials, d, d) the published matrix in people, with ``keep="moment"`` where there is one."""

    @property
    def refused(self) -> np.ndarray:
        """(trials,) whether nothing was released."""
        return np.isnan(self.bases[:, 0, 0])


@dataclass(frozen=True)
class Parameter:
    """A public setting of a mechanism."""

    name: str
    label: str
    low: float
    high: float
    default: float


def setting(default: float, label: str, low: float, high: float) -> Any:
    """Declare a field of a mechanism that is a public setting."""
    known = {"label": label, "low": low, "high": high, "default": default}
    return field(default=default, metadata=known)


@dataclass(frozen=True)
class Mechanism(ABC):
    """A way to choose k directions from S: its docstring is its card, its fields its settings."""

    key: ClassVar[str]
    name: ClassVar[str]
    family: ClassVar[Family]
    document: ClassVar[str]
    """Name of the document in docs that holds its proof."""
    does: ClassVar[str]
    """What it does with noise, to follow its name: "adds its noise to S"."""
    role: ClassVar[Role] = "candidate"
    counterpart: ClassVar[str] = ""
    """Of a printed one, the key of the calibrated mechanism to use instead."""
    claimed_in: ClassVar[str] = ""
    """Where a paper claims that it keeps the budget."""
    needs_delta: ClassVar[bool] = False
    """Whether it has no noise level at δ = 0; otherwise it is pure."""
    publishes_matrix: ClassVar[bool] = False
    """Whether a (noisy) matrix is published, so that its directions come in an order."""
    refuses: ClassVar[str] = ""
    """Why a release may be refused, at random and within the guarantee; "" if it never is."""
    cost: ClassVar[float] = 1.0
    """Of a release, in eigendecompositions of d columns: pages plan by it."""

    def __post_init__(self) -> None:
        """Validate the settings against their ranges."""
        for p in parameters(self):
            value = getattr(self, p.name)
            if not p.low <= value <= p.high:
                raise ValueError(f"{p.label} must be {p.low:g} to {p.high:g}, not {value}.")

    @property
    def local(self) -> bool:
        """Whether each person adds the noise, so that nobody sees the records."""
        return self.family is Family.LOCAL

    @property
    def notion(self) -> Notion:
        """Which promise it makes, or its paper."""
        if self.local:
            return Notion.LOCAL
        return Notion.APPROXIMATE if self.needs_delta else Notion.PURE

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """What really holds when it is run at ``budget``: as it stands here, the budget itself."""
        self.calibrate(problem, budget)  # nothing is proved where nothing can be released
        return Guarantee.at(budget, self.notion, f"own proof, docs/{self.document}.md")

    def claim(self, problem: Problem, budget: Budget) -> Guarantee | None:
        """What the paper says of a budget that it has noise for; None for our own and baselines."""
        if not self.claimed_in:
            return None
        return Guarantee.at(budget, self.notion, self.claimed_in, Standing.CLAIMED)

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """Noise for a budget: deterministic. InfeasibleBudget where there is none."""
        if problem.pairs and self.local:
            raise InfeasibleBudget(
                f"{self.name.removesuffix(', printed')} has no curator who could compare pairs of "
                "people: choose a mechanism with one, such as Gaussian."
            )
        problem.require_neighbours(budget.adjacency)
        if self.needs_delta and budget.delta == 0:
            trusted = " with a trusted curator," if self.local else ""
            raise InfeasibleBudget(
                f"{self.name.removesuffix(', printed')} needs δ > 0: choose a positive δ, or a "
                f"pure mechanism{trusted} such as Wishart difference."
            )
        if problem.k == problem.d and not self.publishes_matrix:
            raise InfeasibleBudget(
                f"{self.name} gives fewer directions than there are columns: choose k below "
                f"{problem.d}, or a mechanism that publishes a matrix, such as Gaussian."
            )
        return self._noise(problem, budget)

    @abstractmethod
    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        """Noise for a budget that has the δ it needs. Says where it reads the spectrum."""

    @abstractmethod
    def sample(
        self, problem: Problem, budget: Budget, rng: np.random.Generator, trials: int, keep: Keep
    ) -> Release:
        """Draw independent releases; all randomness is here."""

    def release(
        self, problem: Problem, budget: Budget, rng: Seed = None, trials: int = 1, keep: Keep = None
    ) -> Release:
        """Draw independent releases in floating point; ``dpca_core.release`` draws for people."""
        if trials < 1:
            raise ValueError(f"Ask for at least one trial, not {trials}.")
        self.calibrate(problem, budget)
        return self.sample(problem, budget, np.random.default_rng(rng), trials, keep)

    def simulate(
        self, problem: Problem, budget: Budget, rng: Seed = None, trials: int = 1, keep: Keep = None
    ) -> Release:
        """Draw for a page, never to publish: NotDrawnInTime where the spectrum makes it long."""
        return self.release(problem, budget, rng, trials, keep)

    def relative_noise(self, problem: Problem, budget: Budget) -> float | None:
        """Return the number that, with the spectrum's shape, fixes the law of the quality.

        Noise over n for noise on S, noise itself on a basis; None where no single number does.
        """
        return None

    def log_likelihood(self, problem: Problem, budget: Budget, release: Release) -> Array | None:
        """Return ln of the density (trials,) of what was published, had it come from these data.

        But for a constant of the budget and the sizes. The release has its ``moment``.
        """
        return None


def parameters(mechanism: Mechanism) -> tuple[Parameter, ...]:
    """Public settings of a mechanism."""
    return tuple(Parameter(f.name, **f.metadata) for f in fields(mechanism) if f.metadata)


class SharedNoise(Mechanism):
    """A mechanism whose randomness depends on neither data nor budget: it serves a whole axis."""

    @abstractmethod
    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> Unit:
        """Draw the randomness of ``trials`` releases."""

    @abstractmethod
    def apply(self, problem: Problem, budget: Budget, unit: Unit, keep: Keep = None) -> Release:
        """Turn it into releases: deterministic."""

    def sample(
        self, problem: Problem, budget: Budget, rng: np.random.Generator, trials: int, keep: Keep
    ) -> Release:
        return self.apply(problem, budget, self.unit(problem.d, problem.k, rng, trials), keep)
