"""Sentences that say what a decision lacks before it is handed over to a release."""

CHOOSE_FIRST = "Choose one of the three cards."


def answer_missing(column: str, sentence: str) -> str:
    """Say which answer a decision lacks."""
    return f"{column}: {sentence}" if column else sentence


def read_from_file(column: str) -> str:
    """Say why a column keeps a release from being drawn."""
    return f"{column} was read from the file: with it nothing can be promised."


def left_out_unconfirmed(column: str) -> str:
    """Say that a column is left out by a proposal that nobody confirmed."""
    return f"{column} is left out because of what is in the file: confirm that it stays out."


def codes_unconfirmed(column: str) -> str:
    """Say that codes of missing values are a proposal that nobody confirmed."""
    return f"The missing codes of {column} were noticed in the file: confirm them, or type others."


def name_people(many: str) -> str:
    """Ask for the guess of people."""
    return f"Say about how many {many} there are."
