"""A category's values, or codes of missing values, as one line of text, and back."""

import re
from collections.abc import Iterable

BETWEEN_VALUES = ";"
"""Stands between the values; a value that holds it is quoted."""
_QUOTED = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?:;|$)')
_PLAIN = re.compile(r"([^;]*)(?:;|$)")


def join_values(values: Iterable[str]) -> str:
    """Join values by semicolons; one that holds a semicolon or a quotation mark is quoted.

    ``split_values(join_values(values))`` is ``values``, for values without spaces at their ends.
    """
    return f"{BETWEEN_VALUES} ".join(map(_quoted, values))


def split_values(text: str) -> tuple[str, ...]:
    """Return the values between semicolons, without spaces around them; repeated ones stay.

    Nothing between two semicolons is no value; quotation marks with nothing between them are one.
    """
    found, place = [], 0
    while place < len(text):
        quoted = _QUOTED.match(text, place)
        match = quoted or _PLAIN.match(text, place)
        assert match is not None
        place = match.end()
        if quoted is not None:
            found.append(match[1].replace('""', '"').strip())
        elif match[1].strip():
            found.append(match[1].strip())
    return tuple(found)


def _quoted(value: str) -> str:
    """Return a value as it stands in the line."""
    if BETWEEN_VALUES in value or '"' in value or not value:
        return '"' + value.replace('"', '""') + '"'
    return value
