"""What an answer to a question about a column changes beside the answer itself, as edits.

An edit that repeats what was proposed confirms it: from then on it was noticed in the file.
"""

from dpca_core.detection.columns import CATEGORY, NUMBER, OUT
from dpca_core.detection.questions import (
    AN_IDENTIFIER,
    AS_CODES,
    AS_MISSING,
    CODES,
    IDENTIFIER,
    LEAVE_OUT,
    MEASUREMENT,
    MISSING,
    REAL_VALUE,
    STEPS,
    SURVEY,
    TEXTS,
    UNITS,
    WEIGHT,
)

ABOUT_USE = (CODES, IDENTIFIER, WEIGHT)
"""Questions that whoever chooses the use himself has answered."""
ABOUT_MISSING = (MISSING,)
"""Those that whoever types the codes of missing values himself has answered."""
ABOUT_UNIT = (UNITS,)
"""Those whose answers are units that the file holds."""

Edit = tuple[str, str]
"""A field of a column, and its text."""

_USES = {
    (CODES, STEPS): NUMBER,
    (CODES, AS_CODES): CATEGORY,
    (IDENTIFIER, MEASUREMENT): NUMBER,
    (IDENTIFIER, AN_IDENTIFIER): OUT,
    (WEIGHT, MEASUREMENT): NUMBER,
    (WEIGHT, SURVEY): OUT,
    (TEXTS, AS_MISSING): NUMBER,
    (TEXTS, LEAVE_OUT): OUT,
    (UNITS, LEAVE_OUT): OUT,
}


def edits_after(key: str, answer: str, missing: str) -> tuple[Edit, ...]:
    """Return the edits that follow from an answer; () where none do, as from "" and unknown ones.

    Parameters
    ----------
    missing
        The column's codes of missing values, as proposed.
    """
    if use := _USES.get((key, answer)):
        return (("use", use),)
    if key == UNITS and answer:
        return (("unit", answer),)
    if key == MISSING and answer in (AS_MISSING, REAL_VALUE):
        return (("missing", missing if answer == AS_MISSING else ""),)
    return ()
