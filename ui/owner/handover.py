"""What *Decide* hands over to a release: a frozen decision, or the reasons why there is none."""

from dataclasses import dataclass

from dpca_core.data.recipe import Source
from ui.owner import decide_text as text
from ui.owner.column import Column
from ui.owner.decide_answers import Answers
from ui.owner.decide_plans import CardPlan
from ui.owner.draft import Draft
from ui.owner.draft_errors import DraftError
from ui.owner.steps import WHO_FIELDS, Step
from ui.state.decision import Handover


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
    return Handover(
        recipe,
        plan.budget.adjacency,
        plan.budget.epsilon,
        plan.budget.delta,
        plan.recommendation.mechanism.key,
        answers.people,
        seen=any(column.seen for column in (*draft.used, *draft.left_out)),
        looked=draft.looked,
    )


def _missing(draft: Draft, answers: Answers, plan: CardPlan | None) -> tuple[Missing, ...]:
    found = [
        Missing(text.answer_missing(error.column, error.sentence), _step(error), error.column)
        for error in draft.missing_answers()
    ]
    found += [
        Missing(_why_not_public(column), Step.COLUMNS, column.name)
        for column in (*draft.left_out, *draft.used)
        if column.origin is Source.FILE
    ]
    found += [Missing(sentence, Step.DECIDE) for sentence in answers.errors.values()]
    if answers.people is None and "people" not in answers.errors:
        found.append(Missing(text.name_people(draft.unit.many), Step.DECIDE))
    if plan is None:
        found.append(Missing(text.CHOOSE_FIRST, Step.DECIDE))
    return tuple(found)


def _why_not_public(column: Column) -> str:
    """Say what of a column was read from the file, and what mends that."""
    if not column.used:
        return text.left_out_unconfirmed(column.name)
    if column.cells_origin is Source.FILE:
        return text.read_from_file(column.name)
    return text.codes_unconfirmed(column.name)


def _step(error: DraftError) -> Step:
    return Step.WHO if error.field in WHO_FIELDS else Step.COLUMNS
