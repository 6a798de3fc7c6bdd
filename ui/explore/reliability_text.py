"""Which directions survive, in words: the second half of a headline, and a chart's title."""

from collections.abc import Iterable, Sequence
from math import acos, ceil, degrees

from dpca_core.analysis.reliability import (
    EQUAL,
    SIMILAR,
    DirectionReliability,
    Reliabilities,
    Reliability,
)
from dpca_core.text.listed import listed
from ui.text.numbers import degree_ceil

RELIABLE_ANGLE, RECOGNISABLE_ANGLE = (degrees(acos(cosine)) for cosine in (EQUAL, SIMILAR))
"""Degrees up to which directions count as reliable, and as recognisable: 18° and 32°."""


def directions_by_number(numbers: Sequence[int]) -> str:
    """Name directions by number: "direction 1", "directions 1, 2 and 4"."""
    word = "direction" if len(numbers) == 1 else "directions"
    return f"{word}\u00a0{listed([str(n) for n in numbers])}"


def surviving_directions(found: Reliabilities, space: str) -> str:
    """Say which directions survive, to be put after "… keeps 91 %"; "" where all are reliable.

    Parameters
    ----------
    found
        Of at least 29 releases: else nothing is said.
    space
        What the directions span: "plane".
    """
    if found.span is Reliability.UNKNOWN:
        return ""
    if not found.ordered:
        return _of_span(found, space)
    levels = {level: _at(found.directions, level) for level in Reliability}
    reliable, recognisable = levels[Reliability.RELIABLE], levels[Reliability.RECOGNISABLE]
    together = [_span(block) for block in _blocks(found.directions)]
    if len(reliable) == len(found.directions):
        return ""
    if len(found.directions) == 1:
        return ", but the direction is " + ("only recognisable" if recognisable else "lost")
    if levels[Reliability.LOST]:
        parts = []
        if reliable:
            parts.append(f"{directions_by_number(reliable)} {_is(reliable)} reliable")
        if recognisable:
            parts.append(f"{directions_by_number(recognisable)} {_is(recognisable)} recognisable")
        parts += [f"{block} are reliable together" for block in together]
        return f", but only {'; '.join(parts)}" if parts else ", but no direction is recognisable"
    weak = [f"{block} are reliable only together" for block in together]
    if recognisable:
        weak.insert(
            0, f"{directions_by_number(recognisable)} {_is(recognisable)} only recognisable"
        )
    return f", but {'; '.join(weak)}"


def span_verdict(found: Reliabilities, space: str) -> str:
    """Say how reliable the span of all directions is, in degrees; the word follows the number.

    Parameters
    ----------
    found
        Of at least 29 releases.
    space
        What the directions span: "plane".
    """
    angle = nine_of_ten_within(found)
    if found.span is Reliability.RELIABLE:
        return f"The {space} stays: 9 of 10 releases are within {angle}"
    if found.span is Reliability.RECOGNISABLE:
        return f"The {space} turns, but is recognisable: 9 of 10 releases are within {angle}"
    if found.ordered and any(d.level is not Reliability.LOST for d in found.directions):
        space = f"{space} as a whole"
    more = f": 1 in 10 releases may be off by more than {angle}" if angle else ""
    return f"The {space} is lost{more}"


def nine_of_ten_within(found: Reliabilities) -> str:
    """Write the angle that 9 of 10 releases do not exceed, with confidence; "" where unknown."""
    bound = found.span_bound
    return "" if bound is None else _within(degrees(acos(min(1.0, bound))))


def _within(angle: float) -> str:
    """Write an angle rounded up; to a tenth where a whole degree would be of another level."""
    limits = (RELIABLE_ANGLE, RECOGNISABLE_ANGLE)
    if any(angle <= limit < ceil(angle) for limit in limits):
        return f"{ceil(angle * 10) / 10:g}°"
    return degree_ceil(angle)


def _of_span(found: Reliabilities, space: str) -> str:
    if found.span is Reliability.RELIABLE:
        return ""
    if found.span is Reliability.RECOGNISABLE:
        return f", but the {space} is only recognisable"
    return f", but the {space} is lost"


def _at(directions: Iterable[DirectionReliability], level: Reliability) -> list[int]:
    return [d.number for d in directions if d.level is level]


def _blocks(directions: Iterable[DirectionReliability]) -> list[tuple[int, int]]:
    return sorted({d.block for d in directions if d.block is not None})


def _span(block: tuple[int, int]) -> str:
    return directions_by_number(range(block[0], block[1] + 1))


def _is(numbers: Sequence[int]) -> str:
    return "is" if len(numbers) == 1 else "are"
