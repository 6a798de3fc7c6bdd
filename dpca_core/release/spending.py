"""Whether one more release fits a limit that was fixed before, whatever was seen in between.

Theorem 2 and its corollary, docs/release.md: budgets may be chosen after seeing earlier releases as
long as the bounds on Σμ² and on Σε are not. Before the first Gaussian release any pure one may
come; from it on the pure part is what was spent until then, or was set aside when the account was
opened.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from dpca_core.release.cost import Cost, most_mu2


@dataclass(frozen=True)
class Limit:
    """What all releases of an account may cost together.

    Attributes
    ----------
    epsilon, delta
        The (ε, δ) that holds for all of them.
    pure
        The part of ε that is set aside for pure releases after a Gaussian one.
    """

    epsilon: Fraction
    delta: Fraction
    pure: Fraction = Fraction(0)


@dataclass(frozen=True)
class Spending:
    """What an account's releases have cost.

    Attributes
    ----------
    total
        Of all of them.
    first_pure
        ε of the pure ones up to the first Gaussian one, or of all where there is none.
    """

    total: Cost = field(default_factory=Cost)
    first_pure: Fraction = Fraction(0)

    @classmethod
    def of(cls, costs: Iterable[Cost]) -> "Spending":
        """Add up costs in the order in which they were spent."""
        spent = cls()
        for cost in costs:
            spent = spent.after(cost)
        return spent

    def after(self, cost: Cost) -> "Spending":
        """Return the state after one more release."""
        first = self.first_pure if self.total.mu2 > 0 else self.first_pure + cost.pure
        return Spending(self.total + cost, first)

    def most_pure(self, limit: Limit) -> Fraction:
        """Return how much ε pure releases may cost in all: fixed from the first Gaussian one on."""
        if self.total.mu2 == 0:
            return limit.epsilon
        return max(self.first_pure, limit.pure)

    def fits(self, limit: Limit) -> bool:
        """Tell whether everything spent is within a limit."""
        most = self.most_pure(limit)
        if self.total.pure > most:
            return False
        return self.total.mu2 == 0 or Cost(self.total.mu2, most).fits(limit.epsilon, limit.delta)

    def mu2_left(self, limit: Limit) -> Fraction:
        """Return the μ² that one more Gaussian release may cost; 0 where none fits."""
        most = max(self.first_pure, limit.pure)
        if most > limit.epsilon:
            return Fraction(0)
        return max(Fraction(0), most_mu2(limit.epsilon - most, limit.delta) - self.total.mu2)

    def pure_left(self, limit: Limit) -> Fraction:
        """Return the ε that one more pure release may cost; 0 where none fits."""
        return max(Fraction(0), self.most_pure(limit) - self.total.pure)

    def more_like(self, cost: Cost, limit: Limit) -> int:
        """Return how many more releases of the same cost fit."""
        if cost == Cost():
            raise ValueError("A release costs something.")
        least, most = 0, 1
        while self.after(cost * most).fits(limit):
            least, most = most, 2 * most
        while most - least > 1:
            middle = (least + most) // 2
            if self.after(cost * middle).fits(limit):
                least = middle
            else:
                most = middle
        return least
