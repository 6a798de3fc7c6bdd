"""The public terms of a release, and its guarantee."""

from dataclasses import dataclass

from dpca_core.data.dataset import Dataset
from dpca_core.data.disclosures import disclosures
from dpca_core.data.provenance import Disclosure
from dpca_core.data.recipe import Recipe
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import guarantee
from dpca_core.privacy.budget import Budget, Guarantee, with_preparation
from dpca_core.runtime.cached_property import cached_property


@dataclass(frozen=True)
class Terms:
    """What is public about a release before it is drawn: settings, and what was declared.

    Attributes
    ----------
    budget
        What the release costs in all, a private mean included.
    name, columns, one
        Of the table, its columns after coding, and one of those who are protected.
    mean_share
        Share of the budget that pays for a private mean.
    selects_rows
        Whether what a row holds decides that it is left out.
    statements
        One on each choice outside the mechanism.
    declared_private
        Whether every choice outside the mechanism was fixed in public or is paid for.
    """

    mechanism: Mechanism
    k: int
    budget: Budget
    name: str
    columns: tuple[str, ...]
    one: str
    mean_share: float
    selects_rows: bool
    statements: tuple[str, ...]
    declared_private: bool

    @cached_property
    def guarantee(self) -> Guarantee:
        """What holds for the mechanism and the mean together, whatever the data.

        Raises
        ------
        InfeasibleBudget
            Where the mechanism has no release at this budget.
        """
        mechanism_budget = self.budget
        if self.mean_share > 0:
            _, mechanism_budget = self.budget.split(self.mean_share)
        found = guarantee(self.mechanism, len(self.columns), self.k, mechanism_budget)
        return with_preparation(
            found, self.budget, mean_share=self.mean_share, selects_rows=self.selects_rows
        )

    @property
    def private(self) -> bool:
        """Whether a guarantee is proved of what is drawn."""
        return self.declared_private and self.guarantee.proved


def terms(dataset: Dataset, mechanism: Mechanism, k: int, budget: Budget) -> Terms:
    """Return the terms of a release; those of a table of one's own are read off its recipe."""
    recipe, statements = dataset.recipe, dataset.disclosures
    if isinstance(recipe, Recipe):
        statements = disclosures(recipe)
    return Terms(
        mechanism,
        k,
        budget,
        dataset.public_name,
        dataset.columns,
        dataset.unit.one,
        dataset.mean_share,
        dataset.selects_rows,
        tuple(_statement(s) for s in statements),
        dataset.private,
    )


def _statement(choice: Disclosure) -> str:
    return f"{choice.name}: {choice.public_text} ({choice.cost})"
