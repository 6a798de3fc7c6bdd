"""From settings to a plan, and what an account has left: nothing is read from a private table."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from fractions import Fraction

from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.data.dataset import Dataset
from dpca_core.data.handover import Confirmation, Handover, confirmations, recorded
from dpca_core.data.recipe import Number, Recipe, Scaling, Source
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.cost import Cost, most_mu2
from dpca_core.release.ledger import Account, LedgerError
from dpca_core.release.plan import Declaration, Plan, PlanError
from dpca_core.release.plan_checks import LONGEST_REASON
from dpca_core.release.spending import Spending
from dpca_core.release.table_source import RowSource
from ui.release.query import PRACTICE_DIRECTIONS, USUAL_DIRECTIONS, ReleaseSettings, exact

TOO_WIDE = f"A release holds at most {MAX_COLUMNS:,} columns: choose another set."


@dataclass(frozen=True)
class Subject:
    """Whose data a release is about, in public terms.

    Attributes
    ----------
    practice
        Name of the built-in set; "" for the owner's own table.
    recorded
        What the program knows to have happened before, and prints without asking.
    confirmations
        What is answered with Yes or No before.
    decision
        Of the owner, on *Decide*; None for a built-in set.
    people_guess
        By the owner on *Decide*, never the table's own number, and the number of a built-in set,
        which is public; 0 for none.
    """

    columns: tuple[str, ...]
    recipe: Recipe
    practice: str
    recorded: tuple[str, ...] = ()
    confirmations: tuple[Confirmation, ...] = ()
    neighbours: Adjacency | None = None
    decision: Handover | None = None
    people_guess: float = 0.0

    @property
    def reason(self) -> str:
        """Proposed for the ε that was decided on."""
        return "" if self.decision is None else self.decision.reason[:LONGEST_REASON]

    @property
    def mean_is_private(self) -> bool:
        """Whether released means are subtracted from every row, so that they must be published."""
        return self.recipe.scaling is Scaling.PRIVATE_MEAN


def decided_subject(decision: Handover) -> Subject:
    """Return the owner's own table, as it was decided on."""
    recipe = decision.recipe
    return Subject(
        columns=recipe.coded_names,
        recipe=recipe,
        practice="",
        recorded=recorded(decision),
        confirmations=confirmations(decision),
        neighbours=decision.neighbours,
        decision=decision,
        people_guess=decision.people_guess,
    )


def practice_subject(data: Dataset) -> Subject:
    """Return a built-in set: its rows are in the unit ball already, between public ranges."""
    recipe = Recipe(
        numbers=tuple(Number(name, -1.0, 1.0, source=Source.CODEBOOK) for name in data.columns),
        scaling=Scaling.NORM_ONLY,
        radius=1.0,
        bounds_are_public=True,
        unit=data.unit,
        row_length=data.row_length,
    )
    return Subject(tuple(data.columns), recipe, data.name, people_guess=float(data.people))


def practice_source(data: Dataset) -> RowSource:
    """Return the rows of a built-in set."""
    return RowSource(data.rows, 1.0, data.columns)


def plan_of(
    settings: ReleaseSettings,
    subject: Subject,
    adjacency: Adjacency | None,
    reason: str,
    answers: Sequence[bool | None],
) -> Plan | str:
    """Return the plan, or a sentence on why there is none.

    Parameters
    ----------
    answers
        To the confirmations; None where one is open.
    """
    pairs = zip(subject.confirmations, answers, strict=True)
    declared = (
        *(Declaration(sentence, True) for sentence in subject.recorded),
        *(Declaration(asked.sentence, bool(answer)) for asked, answer in pairs),
    )
    try:
        return Plan(
            columns=subject.columns,
            recipe=subject.recipe,
            adjacency=adjacency or Adjacency.ADD_OR_REMOVE_ONE,
            epsilon=exact(settings.epsilon),
            delta=Fraction(0) if settings.pure else exact(settings.delta),
            mechanism=settings.mechanism,
            means=settings.means_share,
            scores=settings.histogram,
            k=directions(settings, subject),
            reason=reason,
            declarations=declared,
            practice=subject.practice,
        )
    except PlanError as refused:
        return str(refused)


def proposed_reason(
    settings: ReleaseSettings, subject: Subject, adjacency: Adjacency | None
) -> str:
    """Return the reason that was proposed with a decision; "" where the plan differs from it.

    It says what those settings would keep of so many people: of others it may be false.
    """
    decided = subject.decision
    if decided is None:
        return ""
    same = (
        settings.epsilon == decided.epsilon
        and (settings.pure or settings.delta == decided.delta)
        and settings.mechanism == decided.mechanism
        and people_guess(settings, subject) == round(decided.people_guess)
        and adjacency in (None, decided.neighbours)
        and settings.scores == 0
        and settings.means == decided_means(subject)
    )
    return subject.reason if same else ""


def decided_limit(decision: Handover) -> tuple[str, str]:
    """Return ε and δ of a decision as they are typed: a limit in which it just fits."""
    return _typed(decision.epsilon), _typed(decision.delta)


def _typed(value: float) -> str:
    """Write a number as an owner would, with nine digits, rounded up."""
    digits = Context(prec=9, rounding=ROUND_CEILING)
    shown = float(digits.create_decimal(repr(float(value))))
    return repr(shown).removesuffix(".0").replace("e-0", "e-")


def decided_means(subject: Subject) -> int:
    """Return the share of the means, in per cent, that belongs to a decision; 0 for none."""
    return round(100 * subject.recipe.mean_share) if subject.mean_is_private else 0


def directions(settings: ReleaseSettings, subject: Subject) -> int:
    """Return k: as chosen, or the usual number, below that of the columns."""
    usual = PRACTICE_DIRECTIONS if subject.practice else USUAL_DIRECTIONS
    return max(1, min(settings.k or usual, len(subject.columns) - 1))


def people_guess(settings: ReleaseSettings, subject: Subject) -> int:
    """Return the public guess of how many people there are; 0 for none."""
    return settings.people or round(subject.people_guess)


def why_not(account: Account, plan: Plan) -> str:
    """Say why a plan cannot be spent; "" where it can."""
    try:
        account.require_fits(plan)
    except LedgerError as refused:
        return str(refused)
    return ""


@dataclass(frozen=True)
class Spent:
    """Shares of an account's limit.

    Attributes
    ----------
    before, planned
        Of 1, each; ``planned`` may go beyond what is left.
    exceeds
        Whether the plan does not fit into what is left.
    gaussian, pure
        Whether Gaussian and pure noise are among what is spent and planned.
    epsilon_after
        What would be spent, as ε at the limit's δ; ∞ where that cannot be said.
    limit
        ε of the limit.
    """

    before: float
    planned: float
    epsilon_after: float
    limit: float
    exceeds: bool
    gaussian: bool
    pure: bool


def spent(account: Account, plan: Plan | None) -> Spent:
    """Return what an account has spent, and would have with a plan."""
    spending = account.spending()
    cost = Cost() if plan is None else plan.cost
    after = spending.after(cost)
    before, total = (_share(part, account) for part in (spending, after))
    epsilon = after.total.epsilon(account.delta)
    return Spent(
        before,
        max(0.0, total - before),
        epsilon,
        float(account.epsilon),
        exceeds=plan is not None and not after.fits(account.limit),
        gaussian=after.total.mu2 > 0,
        pure=after.total.pure > 0,
    )


def _share(spending: Spending, account: Account) -> float:
    """Return the larger of the shares of μ² and of ε that are spent."""
    limit = account.limit
    pure = float(spending.total.pure / limit.epsilon)
    if spending.total.mu2 == 0:
        return pure
    room = limit.epsilon - spending.most_pure(limit)
    whole = most_mu2(room, limit.delta) if room > 0 else Fraction(0)
    return max(pure, float(spending.total.mu2 / whole) if whole > 0 else 1.0)
