"""The four steps of the owner's way: which are open, what is said under each, and handed over."""

from enum import StrEnum

from dpca_core.data.recipe import Combine, Source
from ui.owner import text
from ui.owner.checked_column import DraftError
from ui.owner.column import Column
from ui.owner.decide_answers import Answers
from ui.owner.decide_plans import CardPlan
from ui.owner.draft import EVERY_ROW, Draft
from ui.state.decision import Handover


class Step(StrEnum):
    """One step; the value is its name in the address."""

    WHO = "who"
    COLUMNS = "columns"
    DECIDE = "decide"
    RELEASE = "release"


WHO_FIELDS = frozenset({"who", "most"})
"""Fields of the errors that step 1 answers."""


def who_errors(draft: Draft) -> tuple[DraftError, ...]:
    """Return what is missing of step 1."""
    return tuple(e for e in draft.missing_answers if not e.column and e.field in WHO_FIELDS)


def needing(draft: Draft) -> tuple[str, ...]:
    """Name the columns that wait for their owner, in the table's order.

    An answer is missing, it was read from the file, or left out by a proposal.
    """
    waiting = {error.column for error in draft.missing_answers} | {*draft.unconfirmed}
    waiting |= {column.name for column in draft.used if column.cells_origin is Source.FILE}
    return tuple(name for name in draft.header if name in waiting)


def open_steps(draft: Draft) -> tuple[Step, ...]:
    """Return the steps of this page that can be opened: each once the one before is answered.

    *Release* is a page of its own, which opens once there is a decision.
    """
    if not draft.header:
        return ()
    if who_errors(draft):
        return (Step.WHO,)
    if draft.missing_answers:
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
    if draft.header:
        words[Step.DECIDE] = "your file is not read"
        words[Step.WHO] = _who(draft)
        words[Step.COLUMNS] = _columns(draft)
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
    if need := len(needing(draft)):
        return f"{need} of {len(draft.header)} need{'s' if need == 1 else ''} you"
    return f"{len(draft.used)} columns"


def handover(
    draft: Draft, answers: Answers, plan: CardPlan | None
) -> Handover | tuple[tuple[str, Step], ...]:
    """Return the decision for the chosen card's plan, or what is missing: sentences and steps."""
    found = [
        (
            f"{error.column}: {error.sentence}" if error.column else error.sentence,
            Step.WHO if not error.column and error.field in WHO_FIELDS else Step.COLUMNS,
        )
        for error in draft.missing_answers
    ]
    found += [
        (_why_not_public(column), Step.COLUMNS)
        for column in (*draft.left_out, *draft.used)
        if column.origin is Source.FILE
    ]
    wrong = [*answers.errors.values()]
    if answers.people is None and "people" not in answers.errors:
        wrong.append(f"Say about how many {draft.unit.many} there are.")
    if plan is None:
        wrong.append(text.CHOOSE_FIRST)
    found += [(sentence, Step.DECIDE) for sentence in wrong]
    recipe = draft.recipe()
    if found or plan is None or answers.people is None or isinstance(recipe, tuple):
        return tuple(found)
    return Handover(
        recipe,
        plan.budget.adjacency,
        plan.budget.epsilon,
        plan.budget.delta,
        plan.mechanism.key,
        answers.people,
        seen=any(column.seen for column in (*draft.used, *draft.left_out)),
        looked=draft.looked,
        k=max(1, len(answers.shares)),
        expected="" if plan.planned is None else text.levels_sentence(plan.planned),
    )


def _why_not_public(column: Column) -> str:
    """Say what of a column was read from the file, and what mends that."""
    name = column.name
    if not column.used:
        return f"{name} is left out because of what is in the file: confirm that it stays out."
    if column.cells_origin is Source.FILE:
        return f"{name} was read from the file: with it nothing can be promised."
    return f"The missing codes of {name} were noticed in the file: confirm them, or type others."
