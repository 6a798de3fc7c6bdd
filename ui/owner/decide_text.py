"""Every sentence of *Decide*: nothing here is computed from a file."""

from collections.abc import Sequence
from math import inf

from dpca_core.analysis.recommendation import (
    MOST_WISHART_COLUMNS,
    Recommendation,
    people_for_private_mean,
)
from dpca_core.analysis.reliability import DirectionReliability, Goal, Reliabilities, Reliability
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import PURE_DEFAULT
from dpca_core.privacy.budget import Budget, Guarantee
from dpca_core.privacy.inference_risk import guess_probability
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import NEARLY_SURE, epsilon_text, power
from ui.owner.decide_answers import Answers, Card, chosen_card
from ui.owner.decide_plans import CardPlan, Needed, People
from ui.owner.draft import Draft
from ui.owner.text_table import named
from ui.text.numbers import count, number_word, percent, rounded_count
from ui.text.odds import odds

NOTHING_READ = "Nothing on this page was computed from your file."
FOLLOWS_WHAT_WAS_NOTICED = (
    "It follows from your ranges, what was noticed and you confirmed, the two answers below and "
    "chance. Deciding costs no privacy."
)
TYPED_AFTER_A_LOOK = "Some ranges were typed after the file’s values were shown."
ROWS_KEPT = (
    "The levels hold only where nearly every {one} has {most} rows: S is divided by {most}, and "
    "whoever has fewer rows counts less."
)
FILE_READ = "Not private."
FOLLOWS = (
    "It follows from your ranges, the two answers below and chance. Deciding costs no privacy."
)
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
WHY_TITLE = "Why these three? What others have published with"
WHY_NOTE = "Guarantees for a day or a month add up over days and months; local ones trust nobody."
ADVICE = "textbooks advise 0.01 to 1"
HOW_TITLE = "How it will be done"
HOW_NOTE = "It follows from your guess, the number of columns, ε and δ, never from results."
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
NO_TABLE = "There is no table in this session: choose one in step 1."
LOOKED = "Noted: you looked before deciding."
LOOKED_AFTER = (
    "Noted: you looked after deciding. If you change anything here now, the certificate says that "
    "you looked before."
)
GO_ON = "Go on to Release"
TO_COLUMNS = "Go to Columns"
READY = "Release asks for your confirmation before anything is spent."
IF_AS_EXPECTED, IF_AS_DEFAULT = "if your data are as you expect", "if the default below fits them"
COLUMNS_FIRST = "Describe the columns in step 2 first: what follows here depends on them."

_SINGLY = {
    Reliability.RELIABLE: "reliable",
    Reliability.RECOGNISABLE: "recognisable",
    Reliability.LOST: "lost",
    Reliability.UNKNOWN: "not known",
}
CARD_NAMES = {Card.CAREFUL: "Careful", Card.MIDDLE: "Middle", Card.LOOSE: "Loose"}
OWN_BUDGET = "Your own"
"""The name of a card with an ε to which its first name does not fit."""
NAME_RANGES = {Card.CAREFUL: (0.0, 0.5), Card.MIDDLE: (0.2, 2.0), Card.LOOSE: (1.5, inf)}
"""Smallest and largest ε to which a card's name fits."""
NOTHING_CHOSEN = "Nothing is chosen yet, and nothing is spent."
NEXT_TO_NOTHING = "An ε this large promises next to nothing."
NOTHING_AT_THIS_DELTA = "A δ this large promises next to nothing."
NOTHING_TOGETHER = "An ε and a δ this large together promise next to nothing."
CHOOSE_FIRST = "Choose one of the three cards."


def not_public_why(read: Sequence[str], unconfirmed: Sequence[str]) -> str:
    """Say what is to be mended of columns read from the file, or left out for what it holds."""
    said = []
    if read:
        ranges = "its range or list" if len(read) == 1 else "their ranges or lists"
        said.append(f"{_was(read)} described by reading your file: type {ranges} again.")
    if unconfirmed:
        it, stays = ("it", "stays") if len(unconfirmed) == 1 else ("they", "stay")
        said.append(
            f"{_was(unconfirmed)} left out because of what your file holds. Until you confirm that "
            f"{it} {stays} out, the number of columns on this page depends on the file."
        )
    return " ".join(said)


def _was(names: Sequence[str]) -> str:
    return f"{named(names)} {'was' if len(names) == 1 else 'were'}"


def named_default(expectation: str, columns: int) -> str:
    """Name an expectation that nobody has chosen."""
    return f"{expectation}: the default for {columns} columns"


def headline(plan: CardPlan | None, *, by_default: bool = False) -> str:
    """Say what survives at the chosen ε if the answers are right; ``[[…]]`` is the accent's."""
    if plan is None:
        return "How much privacy, and what survives it? Choose one of three."
    epsilon = f"[[ε\u00a0=\u00a0{epsilon_text(plan.budget.epsilon)}]]"
    if plan.planned is None:
        return f"You chose {epsilon}."
    verdict = levels_sentence(plan.planned)
    condition = IF_AS_DEFAULT if by_default else IF_AS_EXPECTED
    return f"At {epsilon}, {condition}, {verdict[0].lower()}{verdict[1:]}."


def subheading(plan: CardPlan | None, one: str) -> str:
    """Say what the chosen card promises one person."""
    if plan is None:
        guess = f"how well anyone could guess about one {one}"
        return f"Each card says {guess}, and which directions survive."
    budget = plan.budget
    delta = f"With δ\u00a0=\u00a0{power(budget.delta)}, for"
    return f"{odds(plan.guarantee, one)} {delta} {neighbours(budget.adjacency, one)}."


def spectrum_label(shares: Array, named: int) -> str:
    """Say what the small bars show, for a screen reader."""
    first = ", ".join(f"{100 * share:.3g}" for share in shares[:named].tolist())
    return f"Expected shares: {first} per cent; {shares_left(len(shares), named)}"


def bars_note(trials: int) -> str:
    """Say what the bars show."""
    return f"share of {count(trials)} simulated releases within 18° of it, pale 32°; line: 9 of 10"


def people_sentence(plan: CardPlan, k: int, many: str) -> str:
    """Say how many people the first direction needs, and all of them; "" while that is unknown.

    The first is left out where it needs as many as all, and where there are enough for it.
    """
    first, every = plan.needed[Goal.FIRST], plan.needed[Goal.ALL]
    planned = plan.planned
    named = "it" if k == 1 else "both" if k == 2 else f"all {number_word(k)}"
    if planned is not None and Goal.ALL in planned.reached:
        parts = [f"There are **enough {many}** for {named}", *blocks_together(planned)]
        return ", ".join(parts)
    if Needed.NOT_KNOWN_YET in (first, every):
        return ""
    if k == 1 or first == every or (planned is not None and Goal.FIRST in planned.reached):
        what = named if k > 1 else "The direction"
        return f"{what[0].upper()}{what[1:]} need{'' if k > 1 else 's'} {_about(every, many)}"
    return f"The first needs {_about(first, many)}, {named} {_about(every, many)}"


def _about(people: People, many: str) -> str:
    if isinstance(people, Needed):
        return f"**{people} {many}**"
    return f"about **{count(people)} {many}**"


def shares_left(columns: int, named: int) -> str:
    """Say over how many directions the rest is spread."""
    left = columns - named
    return f"the rest over {left} more" if left > 1 else "the rest is the last one"


def steps_of_release(
    found: Recommendation, budget: Budget, columns: int, *, typical_missing: int, many: str
) -> list[tuple[str, str]]:
    """Say how a release will be made: what, and why."""
    if budget.delta > 0:
        why = "the smallest noise that can be released"
        why += ", and it needs no δ" if found.mechanism is PURE_DEFAULT else ", for δ above 0"
    elif columns <= MOST_WISHART_COLUMNS:
        why = "pure: δ is 0. On all but few columns Gaussian noise with a small δ is smaller"
    else:
        why = (
            f"exact Wishart noise is drawn for at most {MOST_WISHART_COLUMNS} columns; Gaussian "
            "noise with δ = 2⁻⁶⁴ is smaller there"
        )
    enough = rounded_count(people_for_private_mean(columns, budget))
    mean = f"{enough} {many} at ε\u00a0=\u00a0{epsilon_text(budget.epsilon)}"
    centre = f"public and free. A private mean can replace them from about {mean}"
    if typical_missing:
        numbers = (
            "one number has"
            if typical_missing == 1
            else f"{number_word(typical_missing)} numbers have"
        )
        centre += (
            f". But {numbers} no typical value: direction 1 will mostly say where the average lies"
        )
    return [
        (f"{found.mechanism.name} noise on the table of products", why),
        (
            "Every row equally long",
            "no length R to guess; costs at most about 1\u00a0% of variation, rarely 4\u00a0%",
        ),
        ("Centre at your typical values", centre),
    ]


def card_delta(budget: Budget) -> str:
    """Write δ of a card; a pure promise has none."""
    return f"δ\u00a0=\u00a0{power(budget.delta)}" if budget.delta else "δ\u00a0=\u00a00, pure"


def delta_shown(delta: float | None) -> str:
    """Write δ in its field, as it could be typed."""
    return "" if delta is None else power(delta)


def large_delta(answers: Answers, many: str) -> str:
    """Warn of a δ that is not far below one in the number of people; "" for any other."""
    if answers.delta is None or answers.people is None or answers.delta * answers.people < 0.1:
        return ""
    return (
        "With δ this large, somebody’s record may simply be published: keep it far below one in "
        f"{count(answers.people)} {many}."
    )


def people_read(typed: str, answers: Answers) -> str:
    """Say which number of people was read, where digits are in groups; "" for plain ones."""
    if answers.people is None or not typed.strip() or typed.strip().isdecimal():
        return ""
    return f"read as {answers.people:,.0f}"


def no_levels(answers: Answers, many: str) -> str:
    """Say why a card does not say which directions survive."""
    if {"people", "shares"} & answers.errors.keys():
        return MEND_ANSWERS
    return SIMULATING if answers.people is not None else NAME_PEOPLE.format(many=many)


def first_missing(sentences: Sequence[str]) -> str:
    """Say why there is no way on: the first reason, and how many more there are."""
    more = len(sentences) - 1
    answers = "answer is" if more == 1 else "answers are"
    tail = f" {number_word(more).capitalize()} more {answers} missing." if more else ""
    return f"Not ready for Release yet. {sentences[0]}{tail}"


def levels_sentence(planned: Reliabilities) -> str:
    """Say which directions are reliable, recognisable, reliable only together, and lost."""
    directions = planned.directions
    if len(directions) == 1:
        return f"The direction is {_SINGLY[directions[0].level]}"
    if all(d.level is Reliability.LOST for d in directions):
        return f"All {number_word(len(directions))} directions are lost"
    parts = _grouped(directions)
    first = parts[0]
    rest = [
        f"{names} {'' if level.startswith('only') else _is(names)}{level}"
        for names, level in parts[1:]
    ]
    word = "Directions" if " " in first[0] or "–" in first[0] else "Direction"
    verb = "hold only together" if first[1].startswith("only") else f"{_is(first[0])}{first[1]}"
    return "; ".join([f"{word}\u00a0{first[0]} {verb}", *rest])


def _grouped(directions: Sequence[DirectionReliability]) -> list[tuple[str, str]]:
    """Names of directions with their levels, from the best level on."""
    found = []
    for level in (Reliability.RELIABLE, Reliability.TOGETHER, Reliability.RECOGNISABLE):
        if level is Reliability.TOGETHER:
            blocks = sorted({d.block for d in directions if d.block is not None})
            found += [(_list(range(a, b + 1)), "only together") for a, b in blocks]
        elif numbers := [d.number for d in directions if d.level is level]:
            found.append((_list(numbers), _SINGLY[level]))
    if lost := [d.number for d in directions if d.level is Reliability.LOST]:
        found.append((_list(lost), _SINGLY[Reliability.LOST]))
    return found


def _list(numbers: Sequence[int]) -> str:
    if len(numbers) > 3 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return listed([str(n) for n in numbers])


def _is(names: str) -> str:
    return "are " if " " in names else "is "


def blocks_together(planned: Reliabilities) -> list[str]:
    """Name the directions that are reliable only together, a text for each block of them."""
    blocks = {d.block: d for d in planned.directions if d.block is not None}
    return [level_label(blocks[block]) for block in sorted(blocks)]


def level_label(direction: DirectionReliability) -> str:
    """Name the level of one direction beside its bar."""
    if direction.block is not None:
        first, last = direction.block
        together = f"{first} and {last}" if last == first + 1 else f"{first} to {last}"
        return f"{together} together"
    return _SINGLY[direction.level]


def bar_label(direction: DirectionReliability) -> str:
    """Say what a bar shows, for a screen reader."""
    level, share = level_label(direction), percent(direction.held)
    return f"Direction {direction.number}: {level}, {share} of the releases hold it"


def card_name(card: Card, epsilon: float | None) -> str:
    """Return the name of a card at an ε; None while that is no number."""
    low, high = NAME_RANGES[card]
    return CARD_NAMES[card] if epsilon is None or low <= epsilon <= high else OWN_BUDGET


def chosen_sentence(card: Card | None, budget: Budget | None) -> str:
    """Say what is chosen, at the foot of the page."""
    if card is None or budget is None:
        return NOTHING_CHOSEN
    name, epsilon = card_name(card, budget.epsilon).lower(), epsilon_text(budget.epsilon)
    return f"Chosen: {name}, ε\u00a0=\u00a0{epsilon}. Nothing is spent yet."


def chosen_name(draft: Draft) -> str:
    """Return what stands under the step once a card is chosen; "" before."""
    found = chosen_card(draft)
    return "" if found is None else card_name(*found).lower()


def promises_nothing(guarantee: Guarantee) -> str:
    """Warn of a promise that is next to none; "" for any other."""
    if guarantee.guess_probability() < NEARLY_SURE:
        return ""
    if guess_probability(guarantee.epsilon, 0.0) >= NEARLY_SURE:
        return NEXT_TO_NOTHING
    at_this_delta = guess_probability(0.0, guarantee.delta)
    return NOTHING_AT_THIS_DELTA if at_this_delta >= NEARLY_SURE else NOTHING_TOGETHER


def answer_missing(column: str, sentence: str) -> str:
    """Say which answer a decision lacks."""
    return f"{column}: {sentence}" if column else sentence


def read_from_file(column: str) -> str:
    """Say why a column keeps a release from being drawn."""
    return f"{column} was read from the file: with it nothing can be promised."


def left_out_unconfirmed(column: str) -> str:
    """Say that a column is left out by a proposal that nobody confirmed."""
    return f"{column} is left out because of what is in the file: confirm that it stays out."


def codes_unconfirmed(column: str) -> str:
    """Say that codes of missing values are a proposal that nobody confirmed."""
    return f"The missing codes of {column} were noticed in the file: confirm them, or type others."


def name_people(many: str) -> str:
    """Ask for the guess of people."""
    return f"Say about how many {many} there are."
