"""Every sentence of *Decide*: nothing here is computed from a file."""

from collections.abc import Sequence

from dpca_core.analysis.recommendation import MOST_WISHART_COLUMNS, people_for_private_mean
from dpca_core.analysis.reliability import DirectionReliability, Goal, Reliabilities, Reliability
from dpca_core.data.recipe import Source
from dpca_core.privacy.inference_risk import guess_probability
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import epsilon_text, power, right_guesses
from ui.owner.column import Use
from ui.owner.decide_answers import Answers, Card
from ui.owner.decide_plans import CardPlan, Needed, People
from ui.owner.draft import Draft
from ui.owner.text_table import named
from ui.text.numbers import count, number_word, percent, rounded_count
from ui.text.odds import odds

NOTHING_READ = "Nothing on this page was computed from your file."
FOLLOWS = "It follows from your ranges, {noticed}the two answers below and chance."
NOTICED = "what was noticed and you confirmed, "
TYPED_AFTER_A_LOOK = "Some ranges were typed after the file’s values were shown."
ROWS_KEPT = (
    "The levels hold only where nearly every {one} has {most} rows: S is divided by {most}, and "
    "whoever has fewer rows counts less."
)
FILE_READ = "Not private."
LOOKED_BEFORE = (
    "You have looked at your own curves. What you choose here may depend on them, and no ε covers "
    "that: the certificate will say so."
)
PEOPLE_LABEL, EXPECT_LABEL = "About how many {many}?", "What do you expect in them?"
PEOPLE_EXAMPLE = "a guess"
SHARES_LABEL, OWN_SHARES = "shares", "shares you type"
DELTA_LABEL = "δ\u00a0="
CHOOSE, CHOSEN = "Choose", "Chosen"
NAME_PEOPLE = "Say about how many {many} there are, and this card says which directions survive."
MEND_ANSWERS = "Correct the answers above, and this card says which directions survive."
SIMULATING = "Simulating releases …"
NO_CHOICE = "How much privacy, and what survives it? Choose one of three."
WHY_TITLE = "Why these three? What others have published with"
WHY_NOTE = (
    "Guarantees for a day or a month add up over days and months; local ones trust nobody. "
    "Textbooks advise 0.01 to 1."
)
HOW_TITLE = "How it will be done"
STAND_INS_TITLE = "Not sure what to expect?"
STAND_INS_NOTE = "Try it on data that are public already, or on a file that is made up."
BUILT_IN, SYNTHETIC = "A built-in set", "A synthetic file"
SYNTHETIC_HELP = "A CSV file with your columns and made-up rows: no person is in it."
SYNTHETIC_OFF = "Ranges, lists or columns that were read from your file would leave with it."
LOOK_TITLE = "Look at your own curves?"
LOOK_NOTE = (
    "Looking is a use of the data. What you choose after it depends on them, and no ε covers that. "
    "The certificate will say so."
)
LOOK, LOOK_AGAIN = "Look, and note it", "Look again"
SUMMARY_LOOK = (
    "One page for whoever decides with you. It is made from your table, so it is a look, and noted."
)
TOO_LARGE = "This table needs more memory than this machine has. Use fewer columns or rows."
LOOKED = "Noted: you looked before deciding."
LOOKED_AFTER = (
    "Noted: you looked after deciding. If you change anything here now, the certificate says that "
    "you looked before."
)
GO_ON = "Go on to Release"
TO_COLUMNS = "Go to Columns"
NOT_READY = "Not ready for Release yet."
READY = "Release asks for your confirmation before anything is spent."
NAMES = {Card.CAREFUL: "Careful", Card.MIDDLE: "Middle", Card.LOOSE: "Loose"}
OWN_BUDGET = "Your own"
"""The name of a card with another ε than the one proposed."""
CHOOSE_FIRST = "Choose one of the three cards."
BARS = "share of {trials} simulated releases within 18° of it, pale 32°; line: 9 of 10"
EQUALLY_LONG = "no length R to guess; costs at most about 1\u00a0% of variation, rarely 4\u00a0%"
PURE_WIDE = (
    f"exact Wishart noise is drawn for at most {MOST_WISHART_COLUMNS} columns; Gaussian noise with "
    "δ = 2⁻⁶⁴ is smaller there"
)


def why_not_public(draft: Draft) -> str:
    """Say what is to be mended of columns read from the file, or left out for what it holds."""
    said = []
    if read := [column.name for column in draft.used if column.origin is Source.FILE]:
        said.append(f"Read from your file: {named(read)}. Type their ranges and lists again.")
    if draft.unconfirmed:
        said.append(
            f"Left out because of what your file holds: {named(draft.unconfirmed)}. Until you "
            "confirm that, the number of columns on this page depends on the file."
        )
    return " ".join(said)


def no_typical(draft: Draft) -> str:
    """Say what direction 1 becomes where numbers have no typical value; "" where all have one."""
    numbers = [column for column in draft.used if column.use is Use.NUMBER]
    without = [column.name for column in numbers if column["typical"].empty]
    if not without:
        return ""
    return (
        f"No typical value: {named(without)}. Direction 1 will mostly say where the average lies."
    )


def headline(plan: CardPlan | None, *, by_default: bool = False) -> str:
    """Say what survives at the chosen ε if the answers are right; ``[[…]]`` is the accent's."""
    if plan is None:
        return NO_CHOICE
    epsilon = f"[[ε\u00a0=\u00a0{epsilon_text(plan.budget.epsilon)}]]"
    if plan.planned is None:
        return f"You chose {epsilon}."
    fits = "the default below fits them" if by_default else "your data are as you expect"
    verdict = levels_sentence(plan.planned)
    return f"At {epsilon}, if {fits}: {verdict[0].lower()}{verdict[1:]}."


def subheading(plan: CardPlan | None, one: str) -> str:
    """Say what the chosen card promises one person."""
    if plan is None:
        guess = f"how well anyone could guess about one {one}"
        return f"Each card says {guess}, and which directions survive."
    whom = neighbours(plan.budget.adjacency, one)
    return f"{odds(plan.guarantee, one)} With δ\u00a0=\u00a0{power(plan.budget.delta)}, for {whom}."


def people_sentence(plan: CardPlan, k: int, many: str) -> str:
    """Say how many people the first direction needs, and all of them; "" while that is unknown."""
    what = "it" if k == 1 else f"all {number_word(k)}"
    if plan.planned is not None and Goal.ALL in plan.planned.reached:
        return f"There are **enough {many}** for {what}"
    if Needed.NOT_KNOWN_YET in plan.needed.values():
        return ""
    first, every = (_about(plan.needed[goal], many) for goal in (Goal.FIRST, Goal.ALL))
    return f"It needs {every}" if k == 1 else f"The first needs {first}, {what} {every}"


def _about(people: People, many: str) -> str:
    if isinstance(people, Needed):
        return f"**{people} {many}**"
    return f"about **{count(people)} {many}**"


def steps_of_release(plan: CardPlan, columns: int, many: str) -> list[tuple[str, str]]:
    """Say how a release will be made: what, and why."""
    why = PURE_WIDE
    if plan.budget.delta > 0:
        why = "one ε is then one protection, whatever the table"
    elif columns <= MOST_WISHART_COLUMNS:
        why = "pure: δ is 0. On all but few columns Gaussian noise with a small δ is smaller"
    enough = rounded_count(people_for_private_mean(columns, plan.budget))
    mean = f"public and free. A private mean can replace them from about {enough} {many} on"
    return [
        (f"{plan.mechanism.name} noise on the table of products", why),
        ("Every row equally long", EQUALLY_LONG),
        ("Centre at your typical values", mean),
    ]


def what_keeps_more(plan: CardPlan) -> str:
    """Say what keeps more than what is released, and what it costs; "" where nothing does."""
    smaller = plan.recommendation.mechanism
    if smaller is plan.mechanism:
        return plan.recommendation.keeps_more
    pure, now = guess_probability(plan.budget.epsilon, 0.0), plan.guarantee.guess_probability()
    return (
        f"On so few columns {smaller.name} noise, with a δ of 0, is smaller. It is another kind of "
        f"promise: a guess is right at most {right_guesses(pure)} times in 100, not "
        f"{right_guesses(now)}."
    )


def large_delta(answers: Answers, many: str) -> str:
    """Warn of a δ that is not far below one in the number of people; "" for any other."""
    if answers.delta is None or answers.people is None or answers.delta * answers.people < 0.1:
        return ""
    return (
        "With δ this large, somebody’s record may simply be published: keep it far below one in "
        f"{count(answers.people)} {many}."
    )


def no_levels(answers: Answers, many: str) -> str:
    """Say why a card does not say which directions survive."""
    if {"people", "shares"} & answers.errors.keys():
        return MEND_ANSWERS
    return SIMULATING if answers.people is not None else NAME_PEOPLE.format(many=many)


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
    return f"{_numbers(range(first, last + 1))} together"


def bar_label(direction: DirectionReliability) -> str:
    """Say what a bar shows, for a screen reader."""
    level, share = level_label(direction), percent(direction.held)
    return f"Direction {direction.number}: {level}, {share} of the releases hold it"
