"""What a certificate's bytes and texts are, read strictly: nothing hidden, nothing unbounded."""

import json
import re
from fractions import Fraction
from math import isfinite
from typing import Any, NoReturn

LARGEST_CERTIFICATE = 2**26
"""Most bytes of a certificate: 2,000 columns of long names need a fraction of that."""
_QUOTIENT = re.compile(r"[0-9]{1,4000}/[0-9]{1,4000}|[0-9]{1,4000}(\.[0-9]{1,4000})?")


class Unreadable(Exception):
    """What is checked is no certificate, or no file; the message says why."""


def read_tree(content: bytes) -> Any:
    """Read JSON without repeated keys, NaN or infinities.

    Raises
    ------
    Unreadable
        For anything else.
    """
    if len(content) > LARGEST_CERTIFICATE:
        raise Unreadable("it is too long for a certificate")
    try:
        text = content.decode("utf-8")
        tree = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
        # Half of a pair of surrogates is in no file; a number can be too long to write.
        written(tree)
        return tree
    except (ValueError, RecursionError):
        raise Unreadable("it is no JSON in UTF-8") from None


def written(tree: Any) -> bytes:
    """Write a tree as a certificate is written: sorted keys, one space a level, one line end."""
    text = json.dumps(tree, ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False)
    return f"{text}\n".encode()


def canonical(tree: Any) -> str:
    """Write a tree in one way: sorted keys, no spaces."""
    return json.dumps(
        tree, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def quotient(text: Any) -> Fraction:
    """Read a number ≥ 0 from decimal text without an exponent, or from ``p/q``.

    Raises
    ------
    ValueError, ZeroDivisionError
        For anything else.
    """
    if not isinstance(text, str) or not _QUOTIENT.fullmatch(text):
        raise ValueError("a number is not written as decimal text or p/q")
    return Fraction(text)


def whole(value: Any, least: int = 0) -> int:
    """Return a whole number that is at least ``least``.

    Raises
    ------
    ValueError
        For anything else.
    """
    if type(value) is not int or value < least:
        raise ValueError(f"a whole number of at least {least} is missing")
    return value


def listed(value: Any) -> list[Any]:
    """Return a list; anything else has no length that counts.

    Raises
    ------
    TypeError
        For anything else.
    """
    if not isinstance(value, list):
        raise TypeError("a list is missing")
    return value


def is_text(*values: Any) -> bool:
    """Tell whether these are texts."""
    return all(isinstance(value, str) for value in values)


def is_finite(*values: Any) -> bool:
    """Tell whether these are numbers, as JSON has them."""
    return all(
        isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
        for value in values
    )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")
