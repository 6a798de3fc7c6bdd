"""What *Decide* hands over to a release: a frozen decision, or the reasons why there is none.

It holds public choices alone: no value, no count and no name of a file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import Recipe, Source
from dpca_core.privacy.budget import Adjacency
from ui.owner import handover_text as text
from ui.owner.decide_answers import Answers
from ui.owner.decide_plans import CardPlan
from ui.owner.decide_text import reason
from ui.owner.draft import CANNOT_TELL, Draft
from ui.owner.steps import Step


@dataclass(frozen=True)
class Handover:
    """A decision, as a release takes it.

    Attributes
    ----------
    neighbours
        Which data sets must look alike.
    mechanism
        Key of the recommended mechanism.
    people_guess
        As the owner guessed, never the table's own number.
    sources
        Where what is said of each column comes from, by its name.
    seen
        Columns whose values were shown before they were described.
    looked
        Whether the owner looked at curves of the table before deciding.
    asked
        Questions with the owner's answers: of the table by their key, of a column as
        "name: key", and ``who``.
    reason
        A proposal for why this ε was chosen.
    """

    recipe: Recipe
    unit: Unit
    neighbours: Adjacency
    epsilon: float
    delta: float
    mechanism: str
    people_guess: float
    sources: Mapping[str, Source]
    seen: tuple[str, ...]
    looked: bool
    asked: Mapping[str, str]
    reason: str


@dataclass(frozen=True)
class Confirmation:
    """A sentence that the owner answers with Yes or No; a No is printed, not refused."""

    key: str
    sentence: str


@dataclass(frozen=True)
class Missing:
    """Why there is no decision to hand over: a sentence, the step, and the column it is about."""

    sentence: str
    step: Step
    column: str = ""


def handover(
    draft: Draft, answers: Answers, plan: CardPlan | None
) -> Handover | tuple[Missing, ...]:
    """Return the decision, or all that is missing.

    Parameters
    ----------
    plan
        Of the chosen card; None where none is chosen.
    """
    recipe = draft.recipe()
    missing = _missing(draft, answers, plan)
    if missing or plan is None or answers.people is None or isinstance(recipe, tuple):
        return missing
    described = (*draft.used, *draft.left_out)
    asked = {f"{c.name}: {key}": answer for c in described for key, answer in c.asked.items()}
    one, many = protected(draft)
    return Handover(
        recipe,
        Unit(one, many),
        plan.budget.adjacency,
        plan.budget.epsilon,
        plan.budget.delta,
        plan.recommendation.mechanism.key,
        answers.people,
        MappingProxyType({c.name: c.origin for c in described if c.origin is not None}),
        tuple(c.name for c in described if c.seen),
        draft.looked,
        MappingProxyType({**draft.asked, **asked, Step.WHO.value: draft.who.answer}),
        reason(plan, answers.people, many),
    )


def confirmations(decision: Handover) -> tuple[Confirmation, ...]:
    """Return what is to be confirmed before a release.

    That nobody read a file to fix ranges is asked only where the program cannot know it.
    """
    found = []
    if not decision.seen and not decision.looked:
        found.append(Confirmation("unread", text.UNREAD))
    unit, person = decision.unit, decision.recipe.person
    if person:
        found.append(Confirmation("unit", text.one_is_one_value(unit.one, person)))
    elif decision.asked.get(Step.WHO.value) != CANNOT_TELL:
        found.append(Confirmation("unit", text.one_is_one_row(unit.one)))
    found.append(Confirmation("accounts", text.in_no_other_account(unit.many)))
    return tuple(found)


def protected(draft: Draft) -> tuple[str, str]:
    """Return the words for what is protected, in singular and plural.

    Where rows of one person cannot be told apart that is a row.
    """
    if draft.who.answer == CANNOT_TELL:
        return "row", "rows"
    return draft.who.one, draft.who.many


def _missing(draft: Draft, answers: Answers, plan: CardPlan | None) -> tuple[Missing, ...]:
    found = [
        Missing(
            text.answer_missing(error.column, error.sentence), _step(error.column), error.column
        )
        for error in draft.missing_answers()
    ]
    read = [c.name for c in (*draft.used, *draft.left_out) if c.origin is Source.FILE]
    found += [Missing(text.read_from_file(name), Step.COLUMNS, name) for name in read]
    found += [Missing(sentence, Step.DECIDE) for sentence in answers.errors.values()]
    if answers.people is None and "people" not in answers.errors:
        found.append(Missing(text.name_people(protected(draft)[1]), Step.DECIDE))
    if plan is None:
        found.append(Missing(text.CHOOSE_FIRST, Step.DECIDE))
    return tuple(found)


def _step(column: str) -> Step:
    return Step.COLUMNS if column else Step.WHO
