"""The technical terms, each defined once: a line of ``glossary.txt`` each, as pages open it."""

from pathlib import Path
from typing import NamedTuple


class Term(NamedTuple):
    """A term of the field: as pages write it, and what it is, in one sentence."""

    name: str
    sentence: str


def _read() -> dict[str, Term]:
    """Read lines of "key | name | sentence"."""
    lines = Path(__file__).with_name("glossary.txt").read_text("utf-8").splitlines()
    return {key: Term(name, said) for key, name, said in (line.split(" | ") for line in lines)}


TERMS = _read()
"""The glossary by key, in reading order: reports print parts of it."""
