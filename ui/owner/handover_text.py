"""Sentences of the hand-over to a release: what is to be confirmed, and what is missing."""

from collections.abc import Sequence

UNREAD = "Nobody’s file was read to fix ranges."
CHOOSE_FIRST = "Choose one of the three cards."


def one_is_one_value(one: str, columns: Sequence[str]) -> str:
    """Say that the owner's columns name whoever is protected."""
    names = " and ".join(columns)
    return f"One {one} is one value of {names}."


def one_is_one_row(one: str) -> str:
    """Say that nobody has two rows."""
    return f"One {one} is one row."


def in_no_other_account(many: str) -> str:
    """Say that nothing else is published of the same people."""
    return f"These {many} are in no other account."


def answer_missing(column: str, sentence: str) -> str:
    """Say which answer a decision lacks."""
    return f"{column}: {sentence}" if column else sentence


def read_from_file(column: str) -> str:
    """Say why a column keeps a release from being drawn."""
    return f"{column} was read from the file: with it nothing can be promised."


def name_people(many: str) -> str:
    """Ask for the guess of people."""
    return f"Say about how many {many} there are."
