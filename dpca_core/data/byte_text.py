"""Bytes as text, one to one: different bytes are different texts."""

import re

STANDS_FOR_BYTES = re.compile(rb"\xf4\x8f[\xbe\xbf]")
"""Begins a letter that ``text_of`` uses for bytes, in UTF-8."""
LETTERS_FOR_BYTES = "[\U0010ff80-\U0010ffff]"
"""Matches a letter that stands for a byte, or could be taken for one that does."""
_STRANGE = re.compile("[\udc80-\udcff\U0010ff80-\U0010ffff]+")
_LETTERS = {byte: 0x10FF00 + byte for byte in range(0x80, 0x100)}


def text_of(content: bytes) -> str:
    """Return what UTF-8 bytes say, one to one: different bytes are different texts.

    A byte that is no text becomes one of 128 letters at the very end of Unicode, which are for
    private use; such a letter in the content becomes those of its own four bytes.
    """
    return _STRANGE.sub(_letters, content.decode("utf-8", "surrogateescape"))


def _letters(found: re.Match[str]) -> str:
    return found[0].encode("utf-8", "surrogateescape").decode("latin-1").translate(_LETTERS)
