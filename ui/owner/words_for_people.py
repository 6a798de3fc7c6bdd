"""The word for whoever is protected: proposed from a name, checked before it is printed."""

from unicodedata import category

from dpca_core.detection.columns import words_of
from ui.owner.text_who import WORDS

LONGEST_WORD = 30
"""Letters of the longest word."""


def proposed_words(columns: tuple[str, ...]) -> tuple[str, str] | None:
    """Return singular and plural that a column's name suggests; None where it suggests none."""
    for name in reversed(columns):
        for word in words_of(name):
            if word in WORDS:
                return word, WORDS[word]
    return None


def is_printable_word(text: str) -> bool:
    """Tell whether a word can name whoever is protected.

    It is printed into releases and pages, so it may contain nothing like markup.
    """
    letters = (sign in " -" or category(sign)[0] in "LM" for sign in text)
    return 0 < len(text) <= LONGEST_WORD and text[0].isalpha() and all(letters)
