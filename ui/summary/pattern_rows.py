"""The rows of patterns of a summary: what each is about, and how far it can be relied on."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from dpca_core.analysis.direction_words import (
    ColumnWords,
    block_phrase,
    direction_phrase,
    plain,
    words_of_name,
)
from dpca_core.analysis.reliability import DirectionReliability, Reliabilities, Reliability
from dpca_core.data.mean_direction import MOSTLY
from dpca_core.text.listed import listed
from ui.summary.measurements import SummaryMeasurements
from ui.summary.query import Presentation
from ui.text.numbers import count

LEVELS = {
    Reliability.RELIABLE: "reliable",
    Reliability.RECOGNISABLE: "recognisable",
    Reliability.TOGETHER: "only together",
    Reliability.LOST: "lost",
    Reliability.UNKNOWN: "not known",
}
MOST_ROWS = 5
"""Rows of patterns on the page; the others are counted."""
MOST_LOADINGS = 6
LOST_WORDS = "No words: the next release would show another pattern."
NOT_DRAWN = "What it shows is not known."
UNORDERED_NOTE = "Published as one block: this mechanism puts its patterns in no order."
BLOCK_NOTE = {
    2: "Read as a pair: the noise can swap or mix the two, so neither has a name of its own.",
    0: "Read as a group: the noise can swap or mix them, so none has a name of its own.",
}
FROM_THE_MIDDLE = "High and low are meant from the middle of a column’s public range."


@dataclass(frozen=True)
class Row:
    """One row of patterns, by the chosen setting.

    Attributes
    ----------
    numbers
        Of its directions, neighbours.
    level
        Of all of them.
    words
        What they are about, with ``**`` marks.
    note
        Below the words.
    found
        Below the level.
    """

    numbers: tuple[int, ...]
    level: Reliability
    words: str
    note: str
    found: str


def joined(numbers: Sequence[int]) -> str:
    """Write numbers as a list: "1", "3 and 4", "3 to 5" for neighbours of more than two."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return listed([str(n) for n in numbers])


def words_of(measured: SummaryMeasurements, shown: Presentation) -> list[ColumnWords]:
    """Return the words (d,) of all columns: from the dictionary, or their names."""
    return [shown.words.get(c) or words_of_name(c) for c in measured.dataset.columns]


def rows(measured: SummaryMeasurements, shown: Presentation) -> list[Row]:
    """Return the patterns of the chosen setting; neighbours that are lost share a row."""
    found, k = measured.chosen.found, measured.query.k
    if found is None:
        numbers = tuple(range(1, k + 1))
        return [Row(numbers, Reliability.UNKNOWN, NOT_DRAWN, "", "")]
    if not found.ordered and k > 1:
        return [_together(measured, shown, tuple(range(1, k + 1)), found.span, ordered=False)]
    made = []
    for (level, block), same in groupby(found.directions, _group):
        numbers = tuple(d.number for d in same)
        if block is not None:
            made.append(_together(measured, shown, numbers, Reliability.RELIABLE, ordered=True))
        elif level in (Reliability.LOST, Reliability.UNKNOWN):
            said = "not found again" if level is Reliability.LOST else ""
            words = LOST_WORDS if level is Reliability.LOST else NOT_DRAWN
            made.append(Row(numbers, level, words, "", said))
        else:
            made += [_alone(measured, shown, number, level) for number in numbers]
    return made


def _group(direction: DirectionReliability) -> tuple[Reliability, tuple[int, int] | None]:
    return direction.level, direction.block


def _alone(
    measured: SummaryMeasurements, shown: Presentation, number: int, level: Reliability
) -> Row:
    direction, words = measured.directions[:, number - 1], words_of(measured, shown)
    columns = measured.words.get(number, ())
    named = columns or tuple(sorted(range(len(direction)), key=lambda i: -abs(direction[i]))[:3])
    loadings = [(words[i].name or plain(measured.dataset.columns[i]), direction[i]) for i in named]
    note = " · ".join(f"{name} {signed(value)}" for name, value in loadings[:MOST_LOADINGS])
    said = direction_phrase(direction, columns, words)
    if measured.averages[number - 1] >= MOSTLY:
        said = average(measured.dataset.unit.one, measured.dataset.unit.many)
    word_found = "found again" if level is Reliability.RELIABLE else "similar"
    return Row((number,), level, said, note, f"{word_found} in 9 of 10 releases")


def average(one: str, many: str) -> str:
    """Say that a pattern is where most people are, not what tells them apart."""
    return f"Mostly **the average {one}**, not a difference between {many}"


def signed(value: float) -> str:
    """Write a loading with its sign."""
    return f"{'+' if value >= 0 else '−'}{abs(value):.2f}"


def _together(
    measured: SummaryMeasurements,
    shown: Presentation,
    numbers: tuple[int, ...],
    span: Reliability,
    *,
    ordered: bool,
) -> Row:
    if span is Reliability.LOST or span is Reliability.UNKNOWN:
        return Row(numbers, span, LOST_WORDS, UNORDERED_NOTE, "not found again")
    columns = measured.block(numbers[0], numbers[-1])
    words = block_phrase(columns, words_of(measured, shown))
    note = BLOCK_NOTE.get(len(numbers), BLOCK_NOTE[0]) if ordered else UNORDERED_NOTE
    kind = "pair" if len(numbers) == 2 else "group"
    if not ordered:
        found = "found again" if span is Reliability.RELIABLE else "similar"
        return Row(numbers, Reliability.TOGETHER, words, note, f"as a {kind} {found}")
    return Row(numbers, Reliability.TOGETHER, words, note, f"each lost, as a {kind} found")


def more_rows(left_out: Sequence[Row]) -> str:
    """Count the patterns that found no place on the page."""
    number = sum(len(row.numbers) for row in left_out)
    levels = {row.level: 0 for row in left_out}
    for row in left_out:
        levels[row.level] += len(row.numbers)
    said = ", ".join(f"{count(n)} {LEVELS[level]}" for level, n in levels.items())
    return f"and {count(number)} more: {said}"


def row_label(numbers: Sequence[int]) -> str:
    """Name a row of the settings: "Patterns 3 and 4"."""
    return f"Pattern{'' if len(numbers) == 1 else 's'} {joined(numbers)}"


def cell(found: Reliabilities, numbers: Sequence[int]) -> tuple[str, str]:
    """Return mark (full, half, empty) and words of some directions at one setting."""
    here = [found.directions[n - 1] for n in numbers]
    levels = {d.level for d in here}
    if not found.ordered and len(found.directions) > 1:
        if found.span is Reliability.RECOGNISABLE:
            return "half", "recognisable together"
        return _mark(here[0].level), LEVELS[here[0].level]
    if len(levels) > 1:
        said = []
        for level in (x for x in Reliability if x in levels):
            said.append(f"{joined([d.number for d in here if d.level is level])} {LEVELS[level]}")
        return "half", ", ".join(said)
    (level,) = levels
    several = {1: "", 2: "both "}.get(len(here), "all ")
    if level is Reliability.TOGETHER:
        blocks = {d.block for d in here}
        (block,) = blocks if len(blocks) == 1 else (None,)
        others = (
            [] if block is None else [n for n in range(block[0], block[1] + 1) if n not in numbers]
        )
        return "half", f"only together{f' with {joined(others)}' if others else ''}"
    if level in (Reliability.LOST, Reliability.UNKNOWN):
        several = ""
    return _mark(level), f"{several}{LEVELS[level]}"


def _mark(level: Reliability) -> str:
    if level is Reliability.RELIABLE:
        return "full"
    return "half" if level in (Reliability.RECOGNISABLE, Reliability.TOGETHER) else "empty"


def level_mark(level: Reliability) -> str:
    """Return the mark of a level: full, half or empty."""
    return _mark(level)
