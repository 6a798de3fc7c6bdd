"""The four steps of the owner's way: which are open, what is said under each, and handed over."""

from enum import StrEnum

from dpca_core.data.recipe import Combine, Source
from ui.owner.checked_column import DraftError
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


def who_errors(draft: Draft) -> tuple[DraftError, ...]:
    """Return what is missing of step 1."""
    errors = draft.missing_answers
    return tuple(one for one in errors if not one.column and one.field in ("who", "most"))


def needing(draft: Draft) -> tuple[str, ...]:
    """Name the columns that lack an answer, were read from the file, or left out by a proposal."""
    waiting = {error.column for error in draft.missing_answers} | {*draft.unconfirmed}
    waiting |= {column.name for column in draft.used if column.cells_origin is Source.FILE}
    return tuple(name for name in draft.header if name in waiting)


def open_steps(draft: Draft) -> tuple[Step, ...]:
    """Return the steps of this page that can be opened: each once the one before is answered."""
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
    words = dict.fromkeys(Step, "") | {Step.RELEASE: "spends the budget"}
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
    found, of_who = list[tuple[str, Step]](), who_errors(draft)
    for error in draft.missing_answers:
        said = f"{error.column}: {error.sentence}" if error.column else error.sentence
        found.append((said, Step.WHO if error in of_who else Step.COLUMNS))
    described = (*draft.left_out, *draft.used)
    for column in (one for one in described if one.origin is Source.FILE):
        read = "column_read" if column.cells_origin is Source.FILE else "codes_noticed"
        said = say(read if column.used else "stays_out_open", name=column.name)
        found.append((said, Step.COLUMNS))
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
