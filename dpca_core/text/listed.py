"""Several things named in one sentence."""

from collections.abc import Sequence


def listed(names: Sequence[str], word: str = "and") -> str:
    """Join as in "a, b and c", or with another ``word`` before the last; "" of none."""
    *first, last = names or [""]
    return f"{', '.join(first)} {word} {last}" if first else last
