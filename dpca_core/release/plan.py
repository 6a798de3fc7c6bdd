"""What is published and at what price: public, and fixed before anything is drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from dpca_core.data.recipe import Recipe, Scaling
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.cost import Cost, planned_mu2
from dpca_core.release.plan_checks import (
    PlanError,
    noise_for,
    require_budget,
    require_directions,
    require_histogram,
    require_public,
    require_scales,
    require_shares,
    require_texts,
)
from dpca_core.release.plan_parts import Part, PartName, TableShape, noise_of, part_of, scales_for
from dpca_core.runtime.cached_property import cached_property

__all__ = ["Declaration", "Part", "PartName", "Plan", "PlanError", "Scores"]


@dataclass(frozen=True)
class Scores:
    """A histogram of the first two private scores.

    Attributes
    ----------
    share
        Of the budget.
    bins
        5 to 50 each way.
    reach
        Scores from −reach to reach have bins of their own, others the outermost; in (0, 1].
    """

    share: Fraction
    bins: tuple[int, int] = (12, 12)
    reach: Fraction = Fraction(1)


@dataclass(frozen=True)
class Declaration:
    """What the owner was asked to confirm, and the answer; or what the program knew: with True."""

    sentence: str
    answer: bool


@dataclass(frozen=True)
class Plan:
    """All public settings of a release.

    Attributes
    ----------
    columns
        Names of the d columns after coding.
    recipe
        From a table to rows.
    epsilon, delta
        What is asked for, exactly; δ is 0 where the mechanism is pure.
    mechanism
        Key of a mechanism whose noise can be drawn exactly.
    means
        Share of the means; 0 for none.
    k
        Directions that are read off at first; any number can be later.
    reason
        Why this ε, in the owner's words: published.
    practice
        Name of the built-in set that this is practice on; empty where it is not.
    scales
        Of the noise of each part; from the budget, unless they are those of a stored plan.

    Raises
    ------
    PlanError
        For settings that nothing can be promised with, in one sentence.
    """

    columns: tuple[str, ...]
    recipe: Recipe
    adjacency: Adjacency
    epsilon: Fraction
    delta: Fraction
    mechanism: str
    reason: str
    means: Fraction = Fraction(0)
    scores: Scores | None = None
    k: int = 2
    declarations: tuple[Declaration, ...] = ()
    practice: str = ""
    scales: Mapping[PartName, Mapping[str, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the settings and fix the scales."""
        require_public(self.recipe, self.columns)
        require_budget(self.epsilon, self.delta, noise_for(self.mechanism), self.d)
        share = None if self.scores is None else self.scores.share
        require_shares(self.means, share, self.private_mean)
        if self.scores is not None:
            require_histogram(self.scores.bins, self.scores.reach)
        require_directions(self.k, self.d)
        sentences = [declaration.sentence for declaration in self.declarations]
        require_texts(self.reason, self.practice, sentences)
        if self.noise is not ExactNoise.GAUSSIAN:
            object.__setattr__(self, "delta", Fraction(0))
        scales = self.scales or self._scales()
        frozen = {name: MappingProxyType(dict(found)) for name, found in scales.items()}
        object.__setattr__(self, "scales", MappingProxyType(frozen))
        require_scales(self.scales, tuple(self.shares), self.noise)

    @property
    def d(self) -> int:
        """Columns after coding."""
        return len(self.columns)

    @property
    def rows_per_person(self) -> int:
        """m, rows that a person may own."""
        return self.recipe.rows_per_person

    @property
    def noise(self) -> ExactNoise:
        """Law of the matrix's noise."""
        return noise_for(self.mechanism)

    @property
    def private_mean(self) -> bool:
        """Whether the released means are subtracted from every row."""
        return self.recipe.scaling is Scaling.PRIVATE_MEAN

    @property
    def length_one(self) -> bool:
        """Whether rows are all made of length 1."""
        return self.recipe.ends_at_length_one

    @property
    def shares(self) -> Mapping[PartName, Fraction]:
        """The part of the budget of each table, in drawing order: 1 together."""
        scores = Fraction(0) if self.scores is None else self.scores.share
        every = {
            PartName.MEANS: self.means,
            PartName.MATRIX: 1 - self.means - scores,
            PartName.SCORES: scores,
        }
        return {name: share for name, share in every.items() if share > 0}

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The tables in drawing order: means, matrix, scores."""
        return tuple(
            part_of(name, noise_of(name, self.noise), self.shape, share, self.scales[name])
            for name, share in self.shares.items()
        )

    @property
    def cost(self) -> Cost:
        """What all parts cost together, exactly."""
        return sum((part.cost for part in self.parts), Cost())

    @property
    def shape(self) -> TableShape:
        """What sensitivities depend on."""
        return TableShape(self.d, self.rows_per_person, self.adjacency)

    def require_columns(self, columns: Sequence[str]) -> None:
        """Refuse a source of other columns.

        Raises
        ------
        PlanError
            Where names or their order differ.
        """
        if tuple(columns) != self.columns:
            raise PlanError("The plan is about other columns than the table and its recipe.")

    def _scales(self) -> dict[PartName, dict[str, int]]:
        """Return the scales that the budget asks for."""
        gaussian = self.noise is ExactNoise.GAUSSIAN
        whole = planned_mu2(self.epsilon, self.delta) if gaussian else self.epsilon
        return {
            name: scales_for(name, noise_of(name, self.noise), self.shape, share * whole)
            for name, share in self.shares.items()
        }
