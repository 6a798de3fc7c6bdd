"""How far directions can be relied on, in words: of a whole plan, and beside each bar."""

from collections.abc import Sequence

from dpca_core.analysis.reliability import DirectionReliability, Reliabilities, Reliability
from dpca_core.text.listed import listed
from ui.text.numbers import NUMBER_WORDS, percent

_SINGLY = {
    Reliability.RELIABLE: "reliable",
    Reliability.RECOGNISABLE: "recognisable",
    Reliability.LOST: "lost",
    Reliability.UNKNOWN: "not known",
}


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


def number_word(value: int) -> str:
    """Write a small number as a word."""
    return NUMBER_WORDS[value] if value < len(NUMBER_WORDS) else str(value)
