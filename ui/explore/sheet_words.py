"""What One page says of patterns and settings; the sentences around them are in ``sheet.html``."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import ceil, sqrt

from dpca_core.analysis.direction_words import (
    ColumnWords,
    block_columns,
    block_phrase,
    direction_phrase,
    plain,
    words_of_name,
)
from dpca_core.analysis.reliability import Reliabilities, Reliability
from dpca_core.data.mean_direction import MOSTLY
from dpca_core.mechanisms.mechanism import Family, parameters
from dpca_core.mechanisms.registry import NON_PRIVATE
from dpca_core.privacy.budget import Guarantee, Standing
from dpca_core.privacy.inference_risk import gaussian_guess_probability, guess_probability
from dpca_core.text.guarantee_sentences import between, promise
from dpca_core.text.listed import listed
from ui.explore.sheet_measurements import Setting, Sheet
from ui.text.documents import without_documents
from ui.text.noise import MOST_REFUSED
from ui.text.numbers import NUMBER_WORDS, count
from ui.text.odds import LABELS

LEVELS = {
    Reliability.RELIABLE: "reliable",
    Reliability.RECOGNISABLE: "recognisable",
    Reliability.TOGETHER: "only together",
    Reliability.LOST: "lost",
    Reliability.UNKNOWN: "not known",
}
MARKS = {
    Reliability.RELIABLE: "full",
    Reliability.RECOGNISABLE: "half",
    Reliability.TOGETHER: "half",
}
"""Marks of levels; of all others it is empty."""
MOST_LOADINGS = 6
AGAIN = {
    Reliability.RELIABLE: "would come out the same in at least 9 of 10 tries",
    Reliability.RECOGNISABLE: "would come out similar in at least 9 of 10 tries",
    Reliability.LOST: "would not come out again",
    Reliability.UNKNOWN: "",
}
LOST_WORDS = "No words: the next release would show another pattern."
NOT_DRAWN = "What it shows is not known."
UNORDERED_NOTE = "Published as one block: this mechanism puts its patterns in no order."
TOGETHER_NOTE = "Read them together: the noise can swap or mix them, so none has a name of its own."
PROOF_LABELS = {
    Standing.REFUTED: "**Refutation:**",
    Standing.UNCERTIFIED: "**What is not proved:**",
}
"""What stands before the document of a promise that is not proved."""
CLAIM_TOLERANCE = 1.005
"""Times a paper's ε from which on what holds counts as weaker."""
_OWN = re.compile(r"\bown\b")


@dataclass(frozen=True)
class Wording:
    """How the page is worded: what its owner says about it, which changes no number.

    Attributes
    ----------
    people_are_public
        Whether n may be said.
    data_are_public
        Whether the page may leave: the data are public, or made up.
    words
        Of columns, by their names.
    """

    people_are_public: bool
    data_are_public: bool
    words: Mapping[str, ColumnWords] = field(default_factory=dict)

    def of(self, columns: Sequence[str]) -> list[ColumnWords]:
        """Return the words of all columns: from the dictionary, or their names."""
        return [self.words.get(column) or words_of_name(column) for column in columns]


def word(number: int) -> str:
    """Write a small number as a word."""
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else count(number)


def joined(numbers: Sequence[int]) -> str:
    """Write numbers as a list: "1", "3 and 4", "3 to 5" for neighbours of more than two."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return listed([str(n) for n in numbers])


# --- The patterns ---


@dataclass(frozen=True)
class Row:
    """One row of patterns of the chosen setting: neighbours of one level."""

    numbers: tuple[int, ...]
    level: Reliability
    words: str
    """With ``**`` marks."""
    note: str = ""
    again: str = ""

    @property
    def level_name(self) -> str:
        """Name of the level."""
        return LEVELS[self.level]

    @property
    def mark(self) -> str:
        """Mark of the level: full, half or empty."""
        return MARKS.get(self.level, "empty")


def rows(sheet: Sheet, wording: Wording) -> list[Row]:
    """Return the patterns of the chosen setting; neighbours that are lost share a row."""
    found, every = sheet.chosen.found, tuple(range(1, sheet.query.k + 1))
    words = wording.of(sheet.dataset.columns)
    if found is None:
        return [Row(every, Reliability.UNKNOWN, NOT_DRAWN)]
    if not found.ordered and len(every) > 1:
        if found.span in (Reliability.LOST, Reliability.UNKNOWN):
            return [Row(every, found.span, LOST_WORDS, UNORDERED_NOTE, AGAIN[found.span])]
        again, said = f"together {AGAIN[found.span]}", _block(sheet, words, every)
        return [Row(every, Reliability.TOGETHER, said, UNORDERED_NOTE, again)]
    made = []
    for (level, block), same in groupby(found.directions, lambda d: (d.level, d.block)):
        numbers = tuple(d.number for d in same)
        if block is not None:
            again = f"each lost; together {AGAIN[Reliability.RELIABLE]}"
            made.append(Row(numbers, level, _block(sheet, words, numbers), TOGETHER_NOTE, again))
        elif level in (Reliability.LOST, Reliability.UNKNOWN):
            said = LOST_WORDS if level is Reliability.LOST else NOT_DRAWN
            made.append(Row(numbers, level, said, "", AGAIN[level]))
        else:
            made += [_alone(sheet, words, number, level) for number in numbers]
    return made


def _block(sheet: Sheet, words: Sequence[ColumnWords], numbers: Sequence[int]) -> str:
    columns = block_columns(sheet.directions[:, numbers[0] - 1 : numbers[-1]])
    return block_phrase(columns, words)


def _alone(sheet: Sheet, words: Sequence[ColumnWords], number: int, level: Reliability) -> Row:
    direction, data = sheet.directions[:, number - 1], sheet.dataset
    columns = sheet.words.get(number, ())
    named = columns or tuple(sorted(range(len(direction)), key=lambda i: -abs(direction[i]))[:3])
    note = " · ".join(
        f"{words[i].name or plain(data.columns[i])} {direction[i]:+.2f}".replace("-", "−")
        for i in named[:MOST_LOADINGS]
    )
    said = direction_phrase(direction, columns, words)
    if sheet.averages[number - 1] >= MOSTLY:
        said = f"Mostly **the average {data.unit.one}**, not a difference between {data.unit.many}"
    return Row((number,), level, said, note, AGAIN[level])


def more_rows(left_out: Sequence[Row]) -> str:
    """Count the patterns that found no place on the page; "" of none."""
    levels: Counter[Reliability] = Counter()
    for row in left_out:
        levels[row.level] += len(row.numbers)
    said = ", ".join(f"{count(n)} {LEVELS[level]}" for level, n in levels.items())
    return f"and {count(levels.total())} more: {said}" if left_out else ""


# --- A setting ---


def surviving(setting: Setting) -> str:
    """Say which patterns can be relied on at a setting, or why there is none."""
    found = setting.found
    if found is None:
        said = "nothing can be released" if setting.guarantee is None else "nothing was simulated"
        return f"{said} ({setting.why.rstrip('.')})"
    if setting.refused > MOST_REFUSED:
        return f"there is no answer in {ceil(setting.refused * 100)} of 100 tries"
    k = len(found.directions)
    every = {1: "the pattern", 2: "both patterns"}.get(k, f"all {word(k)} patterns")
    if found.span is Reliability.UNKNOWN:
        return "too few releases were simulated to say what survives"
    if not found.ordered and k > 1:
        return {
            Reliability.RELIABLE: f"{every} survive together, in no order",
            Reliability.RECOGNISABLE: f"{every} together are recognisable, in no order",
        }.get(found.span, "no pattern survives")
    if all(d.level is Reliability.RELIABLE for d in found.directions):
        return f"{every} survive{'s' if k == 1 else ''}"
    if k == 1:
        return f"the pattern is {LEVELS[found.directions[0].level]}"
    return _by_number(found)


def _by_number(found: Reliabilities) -> str:
    """Say what becomes of which pattern: "patterns 1 and 2 survive, 3 and 4 only together"."""
    reliable, similar = (
        [d.number for d in found.directions if d.level is level]
        for level in (Reliability.RELIABLE, Reliability.RECOGNISABLE)
    )
    blocks = sorted({d.block for d in found.directions if d.block is not None})
    said = [f"{joined(range(first, last + 1))} only together" for first, last in blocks]
    if similar:
        said.append(f"{joined(similar)} {'is' if len(similar) == 1 else 'are'} recognisable")
    if reliable:
        said.insert(0, f"{joined(reliable)} survive{'s' if len(reliable) == 1 else ''}")
    several = len(reliable or similar) > 1 or (blocks and not reliable)
    return f"pattern{'s' if several else ''} {', '.join(said)}" if said else "no pattern survives"


def is_weaker(claim: float | None, guarantee: Guarantee | None) -> bool:
    """Tell whether less is proved than a paper's ε."""
    if claim is None or guarantee is None:
        return False
    return guarantee.epsilon > claim * CLAIM_TOLERANCE


def two_releases(guarantee: Guarantee) -> float:
    """Bound a guess by someone who sees two independent releases: exact for Gaussian noise."""
    bound = guess_probability(2 * guarantee.epsilon, min(1.0, 2 * guarantee.delta))
    if guarantee.noise_multiplier is None:
        return bound
    return min(bound, gaussian_guess_probability(guarantee.noise_multiplier / sqrt(2)))


def weak_patterns(sheet: Sheet) -> str:
    """Name the patterns that are not reliable, with their verb: "3 and 4 would each"."""
    found = sheet.chosen.found
    weak = [
        d.number for d in (found.directions if found else ()) if d.level is not Reliability.RELIABLE
    ]
    return (
        "the pattern would"
        if sheet.query.k == 1
        else f"{joined(weak)} would" + (" each" if len(weak) > 1 else "")
    )


# --- The mechanism ---


def how_published(sheet: Sheet) -> str:
    """Say what is done to the patterns."""
    mechanism, guarantee = sheet.mechanism, sheet.chosen.guarantee
    if mechanism == NON_PRIVATE:
        return "exactly as they are"
    drawn = mechanism.family in (Family.EXPONENTIAL, Family.BASELINE)
    how = "drawn at random" if drawn else "with noise added"
    if guarantee is None or not guarantee.proved or not sheet.dataset.private:
        return how
    return f"{how} to limit what anyone can learn about one {sheet.dataset.unit.one}"


def mechanism_name(sheet: Sheet) -> str:
    """Name the mechanism, with those of its own settings that are not the usual ones."""
    mechanism, guarantee = sheet.mechanism, sheet.chosen.guarantee
    settings = "".join(
        f", {p.label} {getattr(mechanism, p.name):g}"
        for p in parameters(mechanism)
        if getattr(mechanism, p.name) != p.default
    )
    label = ""
    if guarantee is not None and sheet.dataset.private:
        label = f", {LABELS[guarantee.standing][0].lower()}"
    return f"{mechanism.name}{settings}{label}"


def promise_text(sheet: Sheet) -> str:
    """Say the guarantee in symbols; "" where there is none."""
    guarantee = sheet.chosen.guarantee
    if guarantee is None or not sheet.dataset.private:
        return ""
    return f"{promise(guarantee)}, {between(guarantee, sheet.dataset.unit.one)}"


def proof(sheet: Sheet) -> str:
    """Say who proved the promise, or refuted it; "" where there is none. A document follows."""
    guarantee = sheet.chosen.guarantee
    if guarantee is None or not sheet.dataset.private:
        return ""
    if not guarantee.proved:
        return PROOF_LABELS.get(guarantee.standing, "")
    named = without_documents(guarantee.source) or "own proof"
    who = _OWN.sub("our own", named).replace("our own proof", "our own", 1)
    return f"**Proof of the promise:** {who};"
