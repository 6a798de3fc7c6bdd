"""Text that a spreadsheet shows as it is, and never computes."""

import re

FORMULA_MARKS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula."""

_OPENS = re.compile(rf"(^|[,;:|\t])([\s\"']*)(?=[{re.escape(''.join(FORMULA_MARKS))}])")


def neutralise_formulas(text: str) -> str:
    """Put a text on one line, and an apostrophe before whatever a spreadsheet would compute."""
    return _OPENS.sub(r"\1\2'", " ".join(text.splitlines()).strip())
