"""Ordered answers that many questionnaires share: ``known_scales.txt``, known without any table."""

from collections.abc import Collection
from functools import cache
from pathlib import Path

_SPELLINGS = (str.lower, str.capitalize, str.title, str.upper)


def known_scale(texts: Collection[str]) -> tuple[str, ...]:
    """Return the scale with most of these texts, the shortest of several, with all its values.

    It is spelled as they are; () where fewer than two different texts are one scale's.
    """
    wanted = {*texts}
    return max(
        (scale for scale in _spelled() if len(wanted & {*scale}) >= 2),
        key=lambda scale: (len(wanted & {*scale}), -len(scale)),
        default=(),
    )


@cache
def known_scales() -> tuple[tuple[str, ...], ...]:
    """Return all scales, each with its values from low to high."""
    lines = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
    return tuple(tuple(line.split(" < ")) for line in lines if line and not line.startswith("#"))


@cache
def _spelled() -> list[tuple[str, ...]]:
    return [tuple(map(spell, scale)) for scale in known_scales() for spell in _SPELLINGS]
