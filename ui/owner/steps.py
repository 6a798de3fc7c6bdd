"""The four steps of the owner's way: which are open, what is said under each, and handed over."""

from enum import StrEnum

from dpca_core.data.recipe import Combine, Source
from ui.owner.checked_column import DraftError
from ui.owner.column import Column
from ui.owner.decide_answers import Answers
from ui.owner.decide_plans import CardPlan
from ui.owner.draft import EVERY_ROW, Draft
from ui.owner.text import levels_sentence, say
from ui.state.decision import Handover


class Step(StrEnum):
    """One step; the value is its name in the address."""

    WHO = "who"
    COLUMNS = "columns"
    DECIDE = "decide"
    RELEASE = "release"


def _is_of_who(error: DraftError) -> bool:
    return not error.column and error.field in ("who", "most")


def who_errors(draft: Draft) -> tuple[DraftError, ...]:
    """Return what is missing of step 1."""
    return tuple(filter(_is_of_who, draft.missing_answers))


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
    answered = not who_errors(draft), not draft.missing_answers
    return (Step.WHO, Step.COLUMNS, Step.DECIDE)[: 1 + sum(answered)]


def shown_step(asked: str, draft: Draft) -> Step:
    """Return the step to show: the one asked for where it is open, else the last open one."""
    steps = open_steps(draft) or (Step.WHO,)
    return Step(asked) if asked in steps else steps[-1] if asked in set(Step) else steps[0]


def answers(draft: Draft) -> dict[Step, str]:
    """Return the few words that stand under each step."""
    words = dict.fromkeys(Step, "")
    words[Step.RELEASE] = "spends the budget"
    if draft.header:
        need, whole = len(needing(draft)), len(draft.header)
        waiting = f"{need} of {whole} need{'s' if need == 1 else ''} you"
        words[Step.DECIDE] = "your file is not read"
        words[Step.WHO] = _who(draft)
        words[Step.COLUMNS] = waiting if need else f"{len(draft.used)} columns"
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


def handover(
    draft: Draft, answers: Answers, plan: CardPlan | None
) -> Handover | tuple[tuple[str, Step], ...]:
    """Return the decision for the chosen card's plan, or what is missing: sentences and steps."""
    found = [
        (
            f"{error.column}: {error.sentence}" if error.column else error.sentence,
            Step.WHO if _is_of_who(error) else Step.COLUMNS,
        )
        for error in draft.missing_answers
    ]
    described = (*draft.left_out, *draft.used)
    read = [column for column in described if column.origin is Source.FILE]
    found += [(_why_not_public(column), Step.COLUMNS) for column in read]
    wrong = [*answers.errors.values()]
    if answers.people is None and "people" not in answers.errors:
        wrong.append(say("say_people", many=draft.unit.many))
    if plan is None:
        wrong.append(say("choose_first"))
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
        seen=any(column.seen for column in described),
        looked=draft.looked,
        k=max(1, len(answers.shares)),
        expected="" if plan.planned is None else levels_sentence(plan.planned),
    )


def _why_not_public(column: Column) -> str:
    """Say what of a column was read from the file, and what mends that."""
    if not column.used:
        return say("stays_out_open", name=column.name)
    read = column.cells_origin is Source.FILE
    return say("column_read" if read else "codes_noticed", name=column.name)
