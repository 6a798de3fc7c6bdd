"""What One page says of patterns and settings; the sentences around them are in ``sheet.html``."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import ceil
from typing import NamedTuple

from dpca_core.analysis.direction_words import (
    ColumnWords,
    block_columns,
    block_phrase,
    direction_phrase,
    plain,
    words_of_name,
)
from dpca_core.analysis.reliability import Reliability
from dpca_core.data.mean_direction import MOSTLY
from dpca_core.mechanisms.mechanism import Family, parameters
from dpca_core.mechanisms.registry import NON_PRIVATE
from ui.explore import headline_and_titles as text
from ui.explore.headline_and_titles import LOST, RELIABLE, SIMILAR, UNKNOWN, say
from ui.explore.medians import MOST_REFUSED
from ui.explore.sheet_measurements import Setting, Sheet
from ui.text.badges_and_odds import LABELS
from ui.text.documents import without_documents

TOGETHER = Reliability.TOGETHER
LEVELS = {
    RELIABLE: ("reliable", "full", "would come out the same in at least 9 of 10 tries"),
    SIMILAR: ("recognisable", "half", "would come out similar in at least 9 of 10 tries"),
    TOGETHER: ("only together", "half", ""),
    LOST: ("lost", "empty", "not shown to come out similar in 9 of 10 tries"),
    UNKNOWN: ("not known", "empty", ""),
}
"""Name of a level, its mark, and what is shown of whether a pattern comes out again."""
MOST_LOADINGS = 6


class Wording(NamedTuple):
    """How the page is worded: what its owner says about it, which changes no number.

    Whether n may be said; whether the page may leave, as the data are public or made up; words of
    columns by their names.
    """

    people_are_public: bool
    data_are_public: bool
    words: Mapping[str, ColumnWords]


class Row(NamedTuple):
    """One row of patterns of the chosen setting: neighbours of one level; words have ``**``."""

    numbers: tuple[int, ...]
    level: Reliability
    words: str
    note: str = ""
    again: str = ""


def rows(sheet: Sheet, wording: Wording) -> list[Row]:
    """Return the patterns of the chosen setting; neighbours that are lost share a row."""
    found, every = sheet.chosen.found, tuple(range(1, sheet.query.k + 1))
    words = [wording.words.get(name) or words_of_name(name) for name in sheet.dataset.columns]

    def block(numbers: tuple[int, ...]) -> str:
        columns = block_columns(sheet.directions[:, numbers[0] - 1 : numbers[-1]])
        return block_phrase(columns, words)

    if found is None:
        return [Row(every, UNKNOWN, say("not_drawn"))]
    again = {level: said for level, (_, _, said) in LEVELS.items()}
    if not found.ordered and len(every) > 1:
        if found.span in (LOST, UNKNOWN):
            return [Row(every, found.span, say("lost_words"), say("unordered"), again[found.span])]
        together = f"together {again[found.span]}"
        return [Row(every, TOGETHER, block(every), say("unordered"), together)]
    made = []
    for (level, of), same in groupby(found.directions, lambda d: (d.level, d.block)):
        numbers = tuple(d.number for d in same)
        if of is not None:
            together = f"each lost; together {again[RELIABLE]}"
            made.append(Row(numbers, level, block(numbers), say("together"), together))
        elif level in (LOST, UNKNOWN):
            said = say("lost_words") if level is LOST else say("not_drawn")
            made.append(Row(numbers, level, said, "", again[level]))
        else:
            made += [Row((n,), level, *_alone(sheet, words, n), again[level]) for n in numbers]
    return made


def _alone(sheet: Sheet, words: Sequence[ColumnWords], number: int) -> tuple[str, str]:
    """Return what one direction says, and its largest loadings."""
    direction, data = sheet.directions[:, number - 1], sheet.dataset
    columns = sheet.words.get(number, ())
    named = columns or tuple(sorted(range(len(direction)), key=lambda i: -abs(direction[i]))[:3])
    note = " · ".join(
        f"{words[i].name or plain(data.columns[i])} {direction[i]:+.2f}".replace("-", "−")
        for i in named[:MOST_LOADINGS]
    )
    if sheet.averages[number - 1] >= MOSTLY:
        one, many = data.unit.one, data.unit.many
        return f"Mostly **the average {one}**, not a difference between {many}", note
    return direction_phrase(direction, columns, words), note


def surviving(setting: Setting) -> str:
    """Say which patterns can be relied on at a setting, or why there is none."""
    if setting.found is None:
        said = "nothing can be released" if setting.guarantee is None else "nothing was simulated"
        return f"{said} ({setting.why.rstrip('.')})"
    if setting.refused > MOST_REFUSED:
        return f"there is no answer in {ceil(setting.refused * 100)} of 100 tries"
    return text.surviving(setting.found, "pattern")


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
    own = [(p, getattr(mechanism, p.name)) for p in parameters(mechanism)]
    named = [mechanism.name, *(f"{p.label} {now:g}" for p, now in own if now != p.default)]
    if guarantee is not None and sheet.dataset.private:
        named.append(LABELS[guarantee.standing].lower())
    return ", ".join(named)


def proof(sheet: Sheet) -> str:
    """Say who proved the promise, or refuted it; "" where there is none. A document follows."""
    guarantee = sheet.chosen.guarantee
    if guarantee is None or not sheet.dataset.private:
        return ""
    if not guarantee.proved:
        return say.table("proofs").get(guarantee.standing, "")
    who = re.sub(r"\bown\b", "our own", without_documents(guarantee.source) or "own proof")
    return f"**Proof of the promise:** {who.replace('our own proof', 'our own', 1)};"
