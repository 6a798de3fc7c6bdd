"""Sentences of the owner's way that count or choose; the others are in ``text.toml``."""

from collections.abc import Mapping, Sequence

from dpca_core.analysis.recommendation import MOST_WISHART_COLUMNS, people_for_private_mean
from dpca_core.analysis.reliability import DirectionReliability, Goal, Reliabilities, Reliability
from dpca_core.data.column_names import label
from dpca_core.data.recipe import Recipe, Use
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.columns import words_of
from dpca_core.detection.people import PersonProposal
from dpca_core.privacy.inference_risk import guess_probability
from dpca_core.release.plan import cautions
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import right_guesses
from ui.owner.decide_answers import Answers
from ui.owner.decide_plans import CardPlan, Needed
from ui.owner.draft import Draft
from ui.page.words import Words
from ui.text.badges_and_odds import odds
from ui.text.numbers import escape_markdown, number_word

say = Words(__file__)
MOST_NAMED, MOST_PROBLEMS = 3, 5
"""Columns that a sentence names before it counts the others, and problems of a codebook."""


def named(names: Sequence[str]) -> str:
    """List names, without the marks of a sentence: "temp and site", "a, b, c and 7 more"."""
    shown = [label(name) for name in names[:MOST_NAMED]]
    if rest := len(names) - len(shown):
        shown.append(f"{rest:,} more")
    return listed([name.replace("**", "").replace("[[", "").replace("]]", "") for name in shown])


def shared_question(key: str, names: Sequence[str]) -> str:
    """Ask a question of many columns at once, as Markdown."""
    asked = say.table("shared")
    who = escape_markdown(named(names))
    return say("shared_question", number=len(names), names=who, asked=asked.get(key, asked["any"]))


def format_question(form: TextFileFormat, marks: Sequence[str]) -> str:
    """Ask whether a file is written as it seems, by the marks that differ from the usual ones."""
    said = say.table(
        "written",
        form=form,
        delimiter=say.table("delimiter").get(form.delimiter, form.delimiter),
        decimal=say.table("numbers_like").get(form.decimal, "1.5"),
        encoding=say.table("encoding").get(form.encoding, form.encoding),
        escape=say.table("escaped")[form.escape],
        sheet=label(form.sheet),
        lines="line" if form.skip == 1 else "lines",
    )
    return say("format_question", written=listed([said[mark] for mark in marks]))


def missing_question(declared: Mapping[str, Sequence[str]]) -> str:
    """Ask whether what a file declares missing is known without it: all of it, in full."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, codes in declared.items():
        alike.setdefault(tuple(codes), []).append(label(name))
    lists = [f"{', '.join(codes)} in {listed(names)}" for codes, names in alike.items()]
    return say("declared_missing", lists="; ".join(lists))


def proposed_words(columns: Sequence[str]) -> tuple[str, str] | None:
    """Return singular and plural that a column's name suggests; None where it suggests none."""
    known = say.each("protected_words")
    words = (word for name in reversed(columns) for word in words_of(name) if word in known)
    word = next(words, None)
    return (word, say.table("plurals").get(word, f"{word}s")) if word else None


def evidence(proposal: PersonProposal) -> str:
    """Say what was noticed in the file, which is shown to its owner alone."""
    if not proposal.candidates:
        return say("nothing_found")
    first, last = proposal.candidates[0], proposal.candidates[-1]
    fixed, verb = named(first.fixed), "stays" if len(first.fixed) == 1 else "stay"
    said = say.table(
        "evidence",
        first=first,
        names=named(first.columns),
        rows=first.rows - first.without_id,
        with_id=" that have one" if first.without_id else "",
        fixed=" " + say("within_one", names=fixed, verb=verb) if fixed else "",
        member=last,
        members=named(last.columns),
    )
    return said[proposal.finding]


def missing_answers(columns: int, others: int = 0) -> str:
    """Say what still needs an answer: columns, and questions about the table as a whole."""
    needed = "1 column needs you" if columns == 1 else f"{columns:,} columns need you"
    asked = "1 question is open" if others == 1 else f"{others:,} questions are open"
    return ", and ".join([needed] * (columns > 0) + [asked] * (others > 0))


def merge_sentence(
    found: int,
    columns: int,
    absent: Sequence[str],
    problems: Sequence[str] = (),
    differing: Sequence[str] = (),
) -> str:
    """Say what was found: "12 of 15 columns found; temp and site are not in your table; …"."""
    parts = [f"{found:,} of {columns:,} columns found"]
    if absent:
        be = "is" if len(absent) == 1 else "are"
        parts.append(f"{named(absent)} {be} not in your table")
    parts += problems[:MOST_PROBLEMS]
    if len(problems) > MOST_PROBLEMS:
        parts.append(f"{len(problems) - MOST_PROBLEMS:,} more like these")
    if differing:
        parts.append(f"yours stays where it differs: {named(differing)}")
    return "; ".join(parts) + "."


def no_findings(draft: Draft, recipe: Recipe) -> str:
    """Say what a direction may show that is no finding, as the report will; "" where nothing."""
    numbers = [column for column in draft.used if column.use is Use.NUMBER]
    without = [column.name for column in numbers if column["typical"].empty]
    said = [say("no_typical", names=named(without))] if without else []
    return " ".join([*said, *(say("may_show", what=one) for one in cautions(recipe))])


def decide_headline(plan: CardPlan | None, *, by_default: bool = False) -> str:
    """Say what survives at the chosen ε if the answers are right; ``[[…]]`` is the accent's."""
    if plan is None:
        return say("no_choice")
    epsilon = plan.budget.epsilon
    if plan.planned is None:
        return say("you_chose", epsilon=epsilon)
    fits = say("default_fits" if by_default else "as_expected")
    verdict = levels_sentence(plan.planned)
    verdict = verdict[0].lower() + verdict[1:]
    return say("at_epsilon", epsilon=epsilon, fits=fits, verdict=verdict)


def subheading(plan: CardPlan | None, one: str) -> str:
    """Say what the chosen card promises one person."""
    if plan is None:
        return say("before_choice", one=one)
    whom = neighbours(plan.budget.adjacency, one)
    return say("promise", odds=odds(plan.guarantee, one), delta=plan.budget.delta, whom=whom)


def people_sentence(plan: CardPlan, k: int, many: str) -> str:
    """Say how many people the first direction needs, and all of them; "" while that is unknown."""
    what = {1: "it", 2: "both"}.get(k, f"all {number_word(k)}")
    if plan.planned is not None and Goal.ALL in plan.planned.reached:
        blocks = any(direction.block for direction in plan.planned.directions)
        return say("enough_together" if blocks else "enough", many=many, what=what)
    if Needed.NOT_KNOWN_YET in plan.needed.values():
        return ""
    said = {
        goal: f"**{n} {many}**" if isinstance(n, Needed) else f"about **{n:,} {many}**"
        for goal, n in plan.needed.items()
    }
    key = "one_needs" if k == 1 else "all_need"
    return say(key, first=said[Goal.FIRST], what=what, every=said[Goal.ALL])


def steps_of_release(plan: CardPlan, columns: int, many: str) -> list[tuple[str, str]]:
    """Say how a release will be made: what, and why."""
    pure = "pure_noise" if columns <= MOST_WISHART_COLUMNS else "pure_wide"
    why = "one_protection" if plan.budget.delta > 0 else pure
    enough = people_for_private_mean(columns, plan.budget)
    return [
        (say("noise", noise=plan.mechanism.name), say(why, most=MOST_WISHART_COLUMNS)),
        (say("equally_long"), say("equally_long_why")),
        (say("centre"), say("centre_why", enough=enough, many=many)),
    ]


def what_keeps_more(plan: CardPlan, many: str) -> str:
    """Say what keeps more than what is released, and what it costs; "" where nothing does."""
    smaller = plan.recommendation.mechanism
    if smaller is plan.mechanism:
        return plan.recommendation.keeps_more(many)
    pure, now = guess_probability(plan.budget.epsilon, 0.0), plan.guarantee.guess_probability()
    return say("keeps_more", noise=smaller.name, pure=right_guesses(pure), now=right_guesses(now))


def large_delta(answers: Answers, many: str) -> str:
    """Warn of a δ that is not far below one in the number of people; "" for any other."""
    is_large = (answers.delta or 0.0) * (answers.people or 0.0) >= 0.1
    return say("large_delta", people=answers.people, many=many) if is_large else ""


def no_levels(answers: Answers, many: str) -> str:
    """Say why a card does not say which directions survive."""
    if {"people", "shares"} & answers.errors.keys():
        return say("mend_answers")
    return say("simulating") if answers.people is not None else say("name_people", many=many)


def levels_sentence(planned: Reliabilities) -> str:
    """Say which directions are reliable, recognisable, reliable only together, and lost."""
    groups: dict[tuple[Reliability, object], list[int]] = {}
    for direction in planned.directions:
        groups.setdefault((direction.level, direction.block), []).append(direction.number)
    order = [*Reliability]
    ranked = sorted(groups.items(), key=lambda one: order.index(one[0][0]))
    parts = [f"{_numbers(numbers)} {level}" for (level, _), numbers in ranked]
    several = len(ranked[0][1]) > 1
    return f"Direction{'s' * several}\u00a0{'; '.join(parts)}"


def _numbers(numbers: Sequence[int]) -> str:
    if len(numbers) > 3 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return listed([str(n) for n in numbers])


def level_label(direction: DirectionReliability) -> str:
    """Name the level of one direction beside its bar."""
    if direction.block is None:
        return str(direction.level)
    first, last = direction.block
    return say("together", numbers=_numbers(range(first, last + 1)))
