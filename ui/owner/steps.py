"""The four steps of the owner's way: which are open, what is said under each, and handed over."""

from dataclasses import dataclass
from enum import StrEnum

from dpca_core.data.recipe import Combine, Source
from ui.owner import decide_text as text
from ui.owner.column import PUBLIC, Column
from ui.owner.decide_answers import Answers
from ui.owner.decide_plans import CardPlan
from ui.owner.decide_text import chosen_name
from ui.owner.draft import EVERY_ROW, Draft
from ui.owner.draft_errors import DraftError
from ui.state.decision import Handover


class Step(StrEnum):
    """One step; the value is its name in the address."""

    WHO = "who"
    COLUMNS = "columns"
    DECIDE = "decide"
    RELEASE = "release"


TITLES = {
    Step.WHO: "Who",
    Step.COLUMNS: "Columns",
    Step.DECIDE: "Decide",
    Step.RELEASE: "Release",
}
WHO_FIELDS = frozenset({"who", "most"})
"""Fields of the errors that step 1 answers."""


def who_errors(draft: Draft) -> tuple[DraftError, ...]:
    """Return what is missing of step 1."""
    return tuple(e for e in draft.missing_answers() if not e.column and e.field in WHO_FIELDS)


def open_steps(draft: Draft) -> tuple[Step, ...]:
    """Return the steps of this page that can be opened: each once the one before is answered.

    *Release* is a page of its own, which opens once there is a decision.
    """
    if not draft.header:
        return ()
    if who_errors(draft):
        return (Step.WHO,)
    if draft.missing_answers():
        return (Step.WHO, Step.COLUMNS)
    return (Step.WHO, Step.COLUMNS, Step.DECIDE)


def shown_step(asked: str, draft: Draft) -> Step:
    """Return the step to show: the one asked for where it is open, else the last open one."""
    steps = open_steps(draft) or (Step.WHO,)
    return Step(asked) if asked in steps else steps[-1] if asked in set(Step) else steps[0]


def answers(draft: Draft) -> dict[Step, str]:
    """Return the few words that stand under each step."""
    words = dict.fromkeys(Step, "")
    words[Step.RELEASE] = "spends the budget"
    if not draft.header:
        return words
    words[Step.DECIDE] = "your file is not read"
    words[Step.WHO] = _who(draft)
    words[Step.COLUMNS] = _columns(draft)
    if chosen := chosen_name(draft):
        words[Step.DECIDE] = chosen
    return words


def _who(draft: Draft) -> str:
    if who_errors(draft):
        return "one question"
    who = draft.who
    if who.answer == EVERY_ROW:
        return f"one {who.one}, one row each"
    if not who.person:
        return f"one row, not one {who.one}"
    if who.combine is Combine.AVERAGE:
        return f"one {who.one}, rows averaged"
    return f"one {who.one}, {who.most.strip()} row{'' if who.rows_kept == 1 else 's'} at most"


def _columns(draft: Draft) -> str:
    need = {error.column for error in draft.missing_answers() if error.column}
    count = len(draft.used)
    columns = f"{count} column{'' if count == 1 else 's'}"
    if need:
        return f"{len(need)} of {count} need{'s' if len(need) == 1 else ''} you"
    if not draft.bounds_are_public:
        return f"{columns}, not private"
    origins = {column.origin for column in draft.used}
    if Source.NOTICED in origins:
        return f"{columns}, partly noticed in the file"
    return f"{columns}, {'all public' if origins <= {*PUBLIC} else 'ranges are your word'}"


@dataclass(frozen=True)
class Missing:
    """Why there is no decision to hand over: a sentence, the step, and the column it is about."""

    sentence: str
    step: Step
    column: str = ""


def handover(
    draft: Draft, answers: Answers, plan: CardPlan | None
) -> Handover | tuple[Missing, ...]:
    """Return the decision for the chosen card's plan, or all that is missing."""
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
