"""The privacy requested (Budget), and guaranteed (Guarantee): alone, and with preparation."""

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import inf
from numbers import Real

from dpca_core.privacy.inference_risk import gaussian_guess_probability, guess_probability

LEAST_EPSILON, MOST_EPSILON, LEAST_DELTA = 1e-8, 1e10, Fraction("1e-30")
"""Within, noise and its accounting stay finite. As a float the least δ would be above itself."""

_NO_LOCAL_MEAN = (
    "A private mean needs a trusted curator, and the local model has none: choose public ranges."
)
_NO_LOCAL_CHOICE_OF_ROWS = (
    "Whether a person reports depends on their record, and the number of reports is seen: in the "
    "local model keep rows with missing values, and combine the rows of each person beforehand."
)


class Adjacency(StrEnum):
    """Which two data sets must look alike."""

    ADD_OR_REMOVE_ONE = "add_or_remove_one"
    REPLACE_ONE = "replace_one"


class PrivacyWarning(UserWarning):
    """Settings leave no guarantee, or another one than they ask for; it never depends on rows."""


class InfeasibleBudget(ValueError):
    """A mechanism cannot meet a budget; the message is one sentence that names the remedy."""


class NotDrawnInTime(InfeasibleBudget):
    """``Mechanism.simulate`` would take long, as the spectrum tells; a release would go on."""


@dataclass(frozen=True)
class Budget:
    """The privacy asked for: (ε, δ) between data sets that differ in one person."""

    epsilon: float
    delta: float = 0.0
    adjacency: Adjacency = Adjacency.ADD_OR_REMOVE_ONE

    def __post_init__(self) -> None:
        """Refuse what is no budget."""
        for name, value in (("ε (epsilon)", self.epsilon), ("δ (delta)", self.delta)):
            if not isinstance(value, Real):
                raise ValueError(f"{name} must be a number, such as 0.5: {value!r} is not one.")
        if not LEAST_EPSILON <= self.epsilon <= MOST_EPSILON:
            raise ValueError(
                f"ε must be {LEAST_EPSILON:g} to {MOST_EPSILON:g}, not {self.epsilon}."
            )
        if not (self.delta == 0 or LEAST_DELTA <= self.delta < 1):
            raise ValueError(
                f"δ must be 0, or {float(LEAST_DELTA):g} to below 1, not {self.delta}."
            )
        if self.adjacency not in list(Adjacency):
            choices = " or ".join(Adjacency)
            raise ValueError(f"adjacency must be {choices}, not {self.adjacency!r}.")
        object.__setattr__(self, "adjacency", Adjacency(self.adjacency))

    def split(self, share: float) -> "tuple[Budget, Budget]":
        """Divide it in two, this share first: together they cost the whole."""
        return (
            replace(self, epsilon=share * self.epsilon, delta=share * self.delta),
            replace(self, epsilon=(1 - share) * self.epsilon, delta=(1 - share) * self.delta),
        )


class Notion(StrEnum):
    """Which promise: pure ε-DP, approximate (ε, δ)-DP, local, or none."""

    PURE = "pure"
    APPROXIMATE = "approximate"
    LOCAL = "local"
    NONE = "none"


class Standing(StrEnum):
    """What is known of a guarantee."""

    PROVED = "proved"
    CORRECTED = "proved after a correction"
    WEAKER = "weaker than claimed"
    UNCERTIFIED = "not certified"
    REFUTED = "refuted"
    CLAIMED = "claimed"
    NONE = "none"


@dataclass(frozen=True)
class Guarantee:
    """What a mechanism promises at a budget, or what its paper claims: the true ε and δ."""

    epsilon: float
    delta: float
    notion: Notion
    standing: Standing
    adjacency: Adjacency
    source: str
    """Where the proof or the claim stands."""
    erratum: str | None = None
    """One sentence on what the paper has wrong or leaves open."""
    noise_multiplier: float | None = None
    """σ/Δ of Gaussian noise that hides no more; ``guess_probability`` is exact with ``exact``."""
    exact: bool = False
    """Whether some neighbouring data sets spend all of this, but for rounding to the private side;
    else it is an upper bound, attained or not."""

    @classmethod
    def at(
        cls,
        budget: Budget,
        notion: Notion,
        source: str,
        standing: Standing = Standing.PROVED,
        *,
        exact: bool = False,
    ) -> "Guarantee":
        """Return the budget itself, with δ = 0 where pure."""
        delta = 0.0 if notion is Notion.PURE else budget.delta
        return cls(budget.epsilon, delta, notion, standing, budget.adjacency, source, exact=exact)

    @classmethod
    def uncertified(cls, budget: Budget, source: str, erratum: str) -> "Guarantee":
        """Return that nothing is proved, for the reason that an erratum gives."""
        standing, adjacency = Standing.UNCERTIFIED, budget.adjacency
        return cls(inf, 1.0, Notion.NONE, standing, adjacency, source, erratum)

    def guess_probability(self) -> float:
        """Largest chance that a guess about one person is right; 1 if nothing holds."""
        if self.notion is Notion.NONE or self.epsilon == inf:
            return 1.0
        ratio = self.noise_multiplier
        exact = 1.0 if ratio is None else gaussian_guess_probability(ratio)
        return min(exact, guess_probability(self.epsilon, self.delta))

    @property
    def proved(self) -> bool:
        """Whether its ε and δ are proved; what is weaker than its paper claims is, at true ones."""
        known = (Standing.PROVED, Standing.CORRECTED, Standing.WEAKER)
        return self.standing in known and self.notion is not Notion.NONE

    def meets(self, budget: Budget) -> bool:
        """Tell whether what is proved is as strong as the budget: only then it is ranked."""
        return (
            self.proved
            and self.adjacency is budget.adjacency
            and self.epsilon <= budget.epsilon * (1 + 1e-9)
            and self.delta <= budget.delta
        )


def with_preparation(
    guarantee: Guarantee, budget: Budget, *, mean_share: float = 0.0, selects_rows: bool = False
) -> Guarantee:
    """Add what preparing the rows costs, or breaks, to a guarantee at its part of ``budget``.

    Basic composition with a mean that takes ``mean_share`` of it, also of what is left of a refuted
    claim: its δ bounds guesses, and the mean adds to that. A local guarantee is lost where a
    curator draws a mean, and where what a row holds decides that it is left out (``selects_rows``),
    since its noise follows n (docs/local.md).
    """
    if guarantee.notion is Notion.LOCAL and (mean_share > 0 or selects_rows):
        why = _NO_LOCAL_MEAN if mean_share > 0 else _NO_LOCAL_CHOICE_OF_ROWS
        lost = Guarantee.uncertified(budget, "docs/local.md", why)
        return replace(lost, standing=Standing.NONE)
    if mean_share == 0 or guarantee.notion is Notion.NONE:
        return guarantee
    return replace(
        guarantee,
        epsilon=guarantee.epsilon + mean_share * budget.epsilon,
        delta=min(1.0, guarantee.delta + mean_share * budget.delta),
        notion=Notion.APPROXIMATE,
        source=f"{guarantee.source}; basic composition with the private mean",
        noise_multiplier=None,
        exact=False,
    )
