"""What a certificate states in codes, in words: one table for certificate, report and pages.

The verifier prints these words too, so that only the standard library is imported here.
"""

from collections.abc import Sequence
from enum import StrEnum


class By(StrEnum):
    """Whose word a statement is, as it is printed beside it."""

    ANSWERED = "answered by the owner"
    STATED = "stated by the owner"
    RECORDED = "recorded, not asked"


class Statement(StrEnum):
    """How a plan's choices came about; the value is the code that plan and certificate hold.

    In JSON: ``{"statement": code, "answer": true or false}``. Only what was asked can have a No.
    """

    UNREAD = "ranges fixed unread"
    UNIT = "unit"
    NO_OTHER_ACCOUNT = "in no other account"
    NOTHING_STATED = "nothing looked at"
    VALUES_STATED = "values looked at"
    CURVES_STATED = "curves looked at"
    CHECK_STATED = "check looked at"
    NOTHING_SHOWN = "nothing shown"
    VALUES_SHOWN = "values shown"
    CURVES_BEFORE = "curves shown before deciding"
    CURVES_AFTER = "curves shown after deciding"
    CHECKED = "columns checked"
    CHANGED_AFTER_CHECK = "recipe changed after the check"

    @property
    def by(self) -> By:
        """Whose word it is."""
        if self in ASKED:
            return By.ANSWERED
        return By.STATED if self in STATED else By.RECORDED


ASKED = (Statement.UNREAD, Statement.UNIT, Statement.NO_OTHER_ACCOUNT)
"""What the owner confirms before a release, or denies: a No is printed, not refused."""

STATED = (
    Statement.NOTHING_STATED,
    Statement.VALUES_STATED,
    Statement.CURVES_STATED,
    Statement.CHECK_STATED,
)
"""What the owner says was looked at before deciding, where no program was there to record it."""

NOT_STATED = "The owner did not state what of the table was looked at before deciding."
"""Of a plan that states no look; it does not say that nothing was looked at."""

ABOUT_LOOKS = tuple(found for found in Statement if found not in ASKED)

_WORDS = {
    Statement.UNREAD: "Nobody’s file was read to fix ranges.",
    Statement.UNIT: "One {one} is one {whose}.",
    Statement.NO_OTHER_ACCOUNT: "These {many} are in no other account of this kind.",
    Statement.NOTHING_STATED: "Before deciding, the owner looked at nothing of the table.",
    Statement.VALUES_STATED: "Before deciding, the owner looked at values of the table.",
    Statement.CURVES_STATED: "Before deciding, the owner looked at curves of the table.",
    Statement.CHECK_STATED: (
        "Before deciding, the owner looked at how well the columns could be read."
    ),
    Statement.NOTHING_SHOWN: (
        "In the session in which this was decided, the workbench showed neither values nor curves "
        "of the table."
    ),
    Statement.VALUES_SHOWN: (
        "Values of these columns were shown before they were described: {seen}."
    ),
    Statement.CURVES_BEFORE: "The owner looked at curves of the table before deciding.",
    Statement.CURVES_AFTER: (
        "After ranges were fixed, and before this release, the owner looked at curves of the table."
    ),
    Statement.CHECKED: (
        "Before this release, the owner looked at how well the columns could be read."
    ),
    Statement.CHANGED_AFTER_CHECK: "After that look the recipe was changed.",
}
_NAMED = 6
"""Columns that a sentence names at most; it says how many more there are."""

NOTICED = {"noticed in the file": "declared by you after a notice"}
"""What a source is called where its own name would say too little."""

_WRITTEN = {
    "doubled": "cells with a separator, a quotation mark or a line break stand in quotation marks, "
    "and quotation marks in them are doubled",
    "backslash": "cells with a separator, a quotation mark or a line break stand in quotation "
    "marks, and quotation marks in them have a backslash before them",
    "none": "no cell holds a separator or a line break, so that a record is a line",
}

CANNOT_BE_SEEN = (
    "Whether the program ran as described can’t be seen from its output: the arithmetic can be "
    "checked by anybody, the run only by whoever was there."
)
INSTALL = 'pip install "dpca-workbench[release]"'
COMMAND = "python -m dpca_core.verify release.zip"
"""How anybody checks a release: what to install, and what to run on the zip."""


def words(
    statement: Statement, one: str, many: str, person: Sequence[str], seen: Sequence[str]
) -> str:
    """Return a statement as a sentence.

    Parameters
    ----------
    one, many
        What one of the protected is called.
    person
        Columns that name the person a row belongs to.
    seen
        Released columns whose values were shown before they were described; where there are none
        the sentence speaks of columns that are not released, and says neither which nor how many.
    """
    whose = f"value of {' and '.join(person)}" if person else "row"
    named = list(seen[:_NAMED]) or ["some that are not released"]
    if more := len(seen[_NAMED:]):
        named.append(f"{more:,} more")
    return _WORDS[statement].format(one=one, many=many, whose=whose, seen=", ".join(named))


def assumptions(escape: str, *, persons: bool) -> tuple[str, ...]:
    """Return what a guarantee rests on besides its proof.

    Parameters
    ----------
    escape
        How quotation marks inside cells of a text file are written, as the recipe says it.
    persons
        Whether columns name the person that a row belongs to.
    """
    ids = (
        "Rows that the recipe calls one person’s are one person’s. Whose a row is, its ID alone "
        "says: whoever can write another’s ID into a row can change that person’s part, too.",
    )
    rows = (
        "No column names the person, so one row is protected: of somebody with several rows each "
        "one, but not all of them together.",
    )
    return (
        "Recipe and limits were chosen by the owner, perhaps after looking at the table or at how "
        "well its columns could be read; such a choice may depend on single people. What was "
        "confirmed, stated and recorded about that is printed.",
        "What the owner saw of the same table on other pages, or elsewhere, is not counted.",
        *(ids if persons else rows),
        f"A text file was written so that {_WRITTEN[escape]}.",
        "Accounts of the same kind of noise are about different people.",
        "The ledger was not copied, restored or replaced, and all releases about these people are "
        "in it.",
        "Run time and memory depend on the number of rows and, slightly, on the noise that was "
        "drawn: nobody else could measure them, and days are printed, never minutes.",
        "The random bits are those of the operating system, and nobody can predict them.",
        "The compiler, the processor and its libraries compute with whole numbers below 2⁵³ as the "
        "standard for floating point says.",
        "Whoever can read the process, its memory or the table itself needs no release.",
    )
