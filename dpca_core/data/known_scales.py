"""Ordered answers that many questionnaires share: ``known_scales.txt``, known without any table."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path


def known_scale(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the scale with most of these texts, the shortest of several, with all its values.

    It is spelled as they are; () where fewer than two different texts are one scale's.
    """
    wanted = {*texts}
    scales = ((len(wanted & {*scale}), -len(scale), scale) for scale in _spelled())
    shared, _, scale = max(scales, key=lambda one: one[:2])
    return scale if shared >= 2 else ()


@cache
def known_scales() -> tuple[tuple[str, ...], ...]:
    """Return all scales, each with its values from low to high."""
    lines = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
    return tuple(tuple(line.split(" < ")) for line in lines if " < " in line)


@cache
def _spelled() -> list[tuple[str, ...]]:
    spellings = (str.lower, str.capitalize, str.title, str.upper)
    return [tuple(map(spell, scale)) for scale in known_scales() for spell in spellings]
