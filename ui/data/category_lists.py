"""A category's public values as one line of text, and back; quoted where they hold a separator."""

import re
from collections.abc import Iterable

SEPARATOR = ";"
_VALUE = re.compile(r'\s*(?:"((?:[^"]|"")*)"\s*(?=;|$)|([^;]*))(?:;|$)')


def join_values(values: Iterable[str]) -> str:
    """Join values by separators; one that holds a separator or a quotation mark is quoted.

    ``split_values(join_values(values))`` is ``values``, for values without spaces at their ends.
    """
    return f"{SEPARATOR} ".join(map(_quoted, values))


def _quoted(value: str) -> str:
    if SEPARATOR in value or '"' in value or not value:
        return '"' + value.replace('"', '""') + '"'
    return value


def split_values(text: str) -> tuple[str, ...]:
    """Return the values between separators, each once and without spaces around it."""
    found = []
    place = 0
    while place < len(text):
        match = _VALUE.match(text, place)
        if match is None or match.end() == place:
            break
        place = match.end()
        quoted, plain = match.groups()
        if quoted is not None:
            found.append(quoted.replace('""', '"').strip())
        elif plain.strip():
            found.append(plain.strip())
    return tuple(dict.fromkeys(found))
