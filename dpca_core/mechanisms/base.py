"""The one abstraction: a mechanism turns a problem and a budget into private bases."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from inspect import cleandoc
from typing import ClassVar

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.mechanisms.family import Family
from dpca_core.mechanisms.matrix_statistic import MatrixStatistic
from dpca_core.mechanisms.neighbouring_pair import Pair, PairSize, halfway_pair
from dpca_core.mechanisms.parameters import Parameter, parameter
from dpca_core.mechanisms.release import Keep, Noise, Release, joined
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
    "Adjacency", "Budget", "Family", "Guarantee", "InfeasibleBudget", "Keep", "MatrixStatistic",
    "Mechanism", "Noise", "NotDrawnInTime", "Notion", "Pair", "PairSize",
    "Parameter", "Problem", "Release", "SharedNoise", "Standing", "parameter",
]  # fmt: skip

QUICK_COST = 20.0
"""Relative cost up to which a mechanism is measured without being asked for."""


@dataclass(frozen=True)
class Mechanism(ABC):
    """A way to choose k directions from a second-moment sum, private or not.

    A subclass's docstring is its card, its fields are its public settings.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    family: ClassVar[Family]
    noise_description: ClassVar[str]
    """What it does with noise, to follow its name: "adds its noise to S"."""
    document: ClassVar[str]
    """Name of the document in docs that holds its proof."""

    printed: ClassVar[bool] = False
    """Whether it is built exactly as a paper prints it, right or wrong."""
    calibrated_counterpart: ClassVar[str | None] = None
    """Key of the calibrated mechanism to use instead, for a printed one."""
    is_baseline: ClassVar[bool] = False
    """Whether it is only there for comparison: an end of the scale, not a candidate."""
    is_deterministic: ClassVar[bool] = False
    """Whether every release is the same: the true directions."""
    is_variant: ClassVar[bool] = False
    """Whether it is a variant of a mechanism that keeps more: left out where space is short."""
    needs_curator: ClassVar[bool] = True
    """Whether somebody who sees all records adds the noise; False in the local model."""
    needs_delta: ClassVar[bool] = False
    """Whether it has no noise level at δ = 0."""
    assumes_sparsity: ClassVar[bool] = False
    """Whether it pays only if the true directions use few columns; then a field ``sparsity`` is
    the factor of its penalty."""

    adds_noise: ClassVar[bool] = True
    """Whether noise is added to anything; False where the directions themselves are drawn."""
    noise_per_round: ClassVar[bool] = False
    """Whether the calibrated noise is added once in each round of an iteration."""
    follows_gap: ClassVar[bool] = False
    """Whether its noise is worth plotting against the eigengap, which sets it."""
    exact_noise: ClassVar[ExactNoise | None] = None
    """The law by which a release can be drawn without floating-point error, if there is one.

    It is a sampler of the rounded ideal noise: digits of the continuous variates are drawn only as
    a rounding needs them, so that the sum, rounded to whole units, is post-processing of the
    mechanism that is proved (``dpca_core.release``). ``sample`` itself draws in floating point, as
    simulations do; a mechanism without such a law is a demonstration, which is not safe against
    attacks on floating-point noise."""
    reads_rows: ClassVar[bool] = False
    """Whether it reads the rows, not only their sum S: then it needs ``Problem.rows``."""
    publishes_matrix: ClassVar[bool] = False
    """Whether a (noisy) matrix is published, so that its directions come in an order."""
    output_can_prove_absence: ClassVar[bool] = False
    """Whether an output can prove that a record is absent: the noise is positive semidefinite, so
    the published matrix dominates every record that is there, and does not dominate all others."""

    transcript_attack: ClassVar[str] = ""
    """What an attacker computes from all that several steps publish, where there are several."""
    transcript_is_likelihood_ratio: ClassVar[bool] = False
    """Whether no other statistic of all that tells two data sets apart better."""

    relative_cost: ClassVar[float] = 1.0
    """Approximate cost of a release, in eigendecompositions of d columns: pages plan by it."""
    unbounded_runtime: ClassVar[bool] = False
    """Whether a draw is repeated until it is accepted, for as long as that takes."""
    can_refuse: ClassVar[bool] = False
    """Whether a release may be a refusal, at random, within the guarantee."""
    refusal_reason: ClassVar[str] = "the budget is too small"
    """Why it may refuse, where it does."""

    def __post_init__(self) -> None:
        """Validate the settings against their ranges."""
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
    def shown_by_default(cls) -> bool:
        """Whether pages compare it before anybody has chosen: calibrated, central and quick."""
        candidate = cls.needs_curator and not cls.is_baseline and not cls.printed
        return candidate and cls.relative_cost <= QUICK_COST

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
        """Draw as ``release`` does, for a page that is not private and cannot wait indefinitely.

        Raises
        ------
        NotDrawnInTime
            Where the draws would take long. That may read the spectrum: nothing that is published
            under a guarantee may come from here, nor may the fact that it was raised.
        InfeasibleBudget
            Where the budget cannot be met.
        """
        return self.release(problem, budget, rng, trials, keep)

    def simulate_each(
        self, problem: Problem, budget: Budget, rngs: Sequence[np.random.Generator]
    ) -> Release:
        """Simulate one release from each generator.

        Raises
        ------
        NotDrawnInTime, InfeasibleBudget
            As ``simulate``.
        """
        return joined([self.simulate(problem, budget, rng) for rng in rngs])

    def relative_noise(self, problem: Problem, budget: Budget) -> float | None:
        """Return the one number that, with the spectrum's shape, fixes the law of the quality.

        Noise over n for noise on S, noise itself on a basis; None where no single number does.
        It answers "how many people would I need" without sampling again.
        """
        return None

    def entry_noise(self, problem: Problem, budget: Budget) -> float | None:
        """Noise per entry: standard deviation of a diagonal entry of the noise on S, in people.

        About its mean, where the noise has one. None for a mechanism that publishes no matrix, or
        one whose noise depends on what it has already published.

        Raises
        ------
        InfeasibleBudget
            Where the mechanism has no noise level for the budget.
        """
        return None

    def worst_pair(self, size: PairSize, budget: Budget) -> Pair:
        """Return neighbouring data sets that this mechanism finds hard to hide, for an audit.

        Unless overridden, a person halfway between two directions, where the gap is largest.
        Heuristic: another pair may be harder, so an audit's bound may be too low, never wrong.

        Raises
        ------
        InfeasibleBudget
            If the choice needs the noise level and there is none for the budget.
        """
        return halfway_pair(size, size.widest_gap())

    def likelihood_statistic(self, adjacency: Adjacency) -> MatrixStatistic | None:
        """Return the statistic that grows with the likelihood ratio on the worst pair, if known.

        No other statistic of the published matrix tells that pair apart better.
        """
        return None

    def transcript_statistic(self, release: Release, pair: Pair, budget: Budget) -> Array | None:
        """Return the statistic (trials,) that ``transcript_attack`` names; None for one step.

        Parameters
        ----------
        release
            Drawn at the budget with ``keep="moment"``.
        """
        return None

    def noise_norm_order(self, d: int, epsilon: float) -> float | None:
        """Order of the spectral norm of the noise on S, in people, its constant taken as 1.

        Jiang et al. 2016, Table 1; None for mechanisms that are not in it.
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
