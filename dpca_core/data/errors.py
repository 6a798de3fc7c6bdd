"""What is wrong with a recipe or a file: one sentence each."""

import tomllib
from pathlib import Path

WORDS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text("utf-8")
)


class RecipeError(ValueError):
    """The choices don't fit the table; the message is one sentence."""


class TableError(ValueError):
    """A file cannot be used; the message is one sentence that says what is wrong."""


def refused(sentence: str, **facts: object) -> RecipeError:
    """Return a refusal, by its key in ``words.toml``, with what it names."""
    return RecipeError(WORDS["refused"][sentence].format(**facts))
