"""A category's values, or codes of missing values, as one line of text, and back."""

import re
from collections.abc import Iterable

BETWEEN_VALUES = ";"
"""Stands between the values; a value that holds it is quoted."""
BETWEEN_CATEGORIES = ","
"""Stands between a category's values where they are typed without any semicolon."""


def join_values(values: Iterable[str]) -> str:
    """Join values by semicolons; one that holds a semicolon or a quotation mark is quoted.

    So is one alone that holds a comma. ``split_values(join_values(values))`` is ``values``, and so
    is ``split_categories(join_values(values))``, for values without spaces at their ends.
    """
    known = [*values]
    alone = len(known) == 1
    return f"{BETWEEN_VALUES} ".join(_quoted(value, alone=alone) for value in known)


def split_values(text: str) -> tuple[str, ...]:
    """Return the values between semicolons, without spaces around them; repeated ones stay.

    Nothing between two semicolons is no value; quotation marks with nothing between them are one.
    """
    return _between(BETWEEN_VALUES, text)


def split_categories(text: str) -> tuple[str, ...]:
    """Return a category's values: between semicolons, or commas where there is no semicolon."""
    return _between(BETWEEN_VALUES if BETWEEN_VALUES in text else BETWEEN_CATEGORIES, text)


def _between(mark: str, text: str) -> tuple[str, ...]:
    quoted = re.compile(rf'\s*"((?:[^"]|"")*)"\s*(?:{mark}|$)')
    found, place = [], 0
    while place < len(text):
        match = quoted.match(text, place)
        if match is not None:
            found.append(match[1].replace('""', '"').strip())
            place = match.end()
            continue
        plain, _, _ = text[place:].partition(mark)
        place += len(plain) + len(mark)
        if plain.strip():
            found.append(plain.strip())
    return tuple(found)


def _quoted(value: str, *, alone: bool) -> str:
    """Return a value as it stands in the line."""
    if (
        BETWEEN_VALUES in value
        or '"' in value
        or not value
        or (alone and BETWEEN_CATEGORIES in value)
    ):
        return '"' + value.replace('"', '""') + '"'
    return value
