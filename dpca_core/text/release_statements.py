"""What a release states besides its numbers: codes in its plan, each with one sentence.

Page, command line, report and verifier print these sentences and no others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from dpca_core.text.listed import listed


class _Coded(StrEnum):
    """A code, as plans and certificates have it, and what is printed of it."""

    said: str

    def __new__(cls, code: str, said: str = "") -> Self:
        made = str.__new__(cls, code)
        made._value_, made.said = code, said
        return made


class Fact(_Coded):
    """What was asked of the owner, and what is known or stated of looks at the table.

    ``VALUES`` and ``CURVES`` are of looks before ranges and the rest were decided. A program knows
    ``NOTHING_SHOWN`` of itself, an owner says ``NOTHING``. ``CHECKED`` and ``CHANGED`` are of the
    look at how well a table can be read, after deciding.
    """

    UNREAD = "ranges fixed without the file", "Nobody’s file was read to fix ranges."
    UNIT = "whose rows they are", "One {one} is one {row}."
    ACCOUNTS = (
        "in no other account",
        "These {many} are in no other account with this kind of noise.",
    )
    NOTHING_SHOWN = (
        "nothing shown",
        "In the session in which this was decided, the workbench showed neither values nor curves "
        "of the table.",
    )
    NOTHING = (
        "nothing looked at",
        "Before deciding, the owner looked at neither values nor curves of the table.",
    )
    VALUES = "values looked at", "Before deciding, the owner looked at values of the table."
    CURVES = "curves looked at", "Before deciding, the owner looked at curves of the table."
    CURVES_AFTER = (
        "curves looked at after deciding",
        "After ranges were fixed, and before this release, the owner looked at curves of the "
        "table.",
    )
    CHECKED = (
        "reading checked, recipe kept",
        "Before this release the owner looked at how well the columns of the table could be read, "
        "and changed nothing of the recipe afterwards.",
    )
    CHANGED = (
        "reading checked, recipe changed",
        "Before this release the owner looked at how well the columns of the table could be read, "
        "and changed the recipe afterwards: such a change may depend on single people.",
    )


class Answer(_Coded):
    """The owner's to a question; or who says so: the program, or the owner unasked."""

    YES = "yes", "Yes"
    NO = "no", "No"
    RECORDED = "recorded", "recorded, not asked"
    STATED = "stated", "stated by the owner"


ASKED = (Fact.UNREAD, Fact.UNIT, Fact.ACCOUNTS)
"""Answered with yes or no; the others are recorded or stated."""
LOOKS = (Fact.NOTHING_SHOWN, Fact.NOTHING, Fact.VALUES, Fact.CURVES, Fact.CURVES_AFTER)
"""One of these at least stands where anything is known of looks at values or curves."""
LOOK_NOT_STATED = "The owner did not state what of the table was looked at before deciding."
"""Of a plan without a word on it: that does not say that nothing was looked at."""
CANNOT_BE_SEEN = (
    "Whether the program ran as described can’t be seen from its output: the arithmetic of the "
    "certificate can be checked by anybody, the run only by whoever was there."
)
MEAN_STAYS = "where the average row lies, not what goes together: no mean is subtracted"
"""What direction 1 probably shows where neither a mean nor typical values are taken off."""
INSTALL = 'pip install "dpca-workbench[release]"'
COMMAND = "python -m dpca_core.verify ."
"""How anybody checks a release, in the folder of its files; the zip's path does in place of it."""
FILES = MappingProxyType(
    {
        "report.html": "all of it, to be read in a browser",
        "matrix.csv": "the noisy matrix, in whole numbers",
        "means.csv": "the noisy sums of the columns, and their means",
        "scores.csv": "the noisy counts of rows along the first two directions",
        "directions.csv": "the directions that follow from the matrix",
        "spectrum.csv": "how much lies along each of them",
        "certificate.json": "what is promised, in a form that a program can check",
    }
)
SOURCES = MappingProxyType(
    {
        "codebook": "codebook",
        "law or physics": "law or physics",
        "guess": "guess",
        "declared by you": "declared by the owner",
        "noticed in the file": "declared by the owner after a notice",
    }
)
"""Where what is known of a column comes from, by its code in a recipe."""
_MARKED = (
    "If the table is a text file, the program that wrote it puts cells with a separator, a "
    "quotation mark or a line break into quotation marks"
)
_WRITTEN = MappingProxyType(
    {
        "doubled": f"{_MARKED} and doubles the marks in them, as Excel, pandas and REDCap do.",
        "backslash": f"{_MARKED}, and a backslash before the marks in them, as Spark and MySQL do.",
        "none": "If the table is a text file, no cell of it holds a separator or a line break: a "
        "record is a line.",
    }
)
"""What reading takes for granted, by how the recipe says that quotation marks are written."""


@dataclass(frozen=True)
class Declaration:
    """A fact with its answer, as plan and certificate have it."""

    fact: Fact
    answer: Answer


def contradicts_itself(declarations: Sequence[Declaration]) -> bool:
    """Tell whether a fact stands twice, beside its denial, or with an answer of another kind."""
    facts = {of.fact for of in declarations}
    return (
        len(facts) < len(declarations)
        or any((of.fact in ASKED) != (of.answer in (Answer.YES, Answer.NO)) for of in declarations)
        or {Fact.CHECKED, Fact.CHANGED} <= facts
        or bool({Fact.NOTHING, Fact.NOTHING_SHOWN} & facts and {Fact.VALUES, Fact.CURVES} & facts)
    )


def sentence(fact: Fact, one: str, many: str, person: Sequence[str]) -> str:
    """Return what is asked or printed; columns of ``person`` together name one, else a row is."""
    row = f"value of {listed(person)}" if person else "row"
    return fact.said.format(one=one, many=many, row=row)


def printed(
    declarations: Iterable[Declaration], one: str, many: str, person: Sequence[str], practice: str
) -> list[tuple[str, str]]:
    """Return all sentences with their answers; of ``practice``, a built-in set, none need be."""
    found = list(declarations)
    rows = [(sentence(of.fact, one, many, person), of.answer.said) for of in found]
    if not practice and not any(of.fact in LOOKS for of in found):
        rows.append((LOOK_NOT_STATED, "not asked"))
    return rows


def assumptions(escape: str, *, persons: bool) -> tuple[str, ...]:
    """Return what a guarantee rests on besides its proof; ``persons``: whether columns name one."""
    whose = (
        "Whose a row is, its ID alone says: whoever can write another’s ID into a row can change "
        "that person’s part, too."
        if persons
        else "No column names the person, so one row is protected: of somebody with several rows "
        "each one, but not all of them together."
    )
    return (
        "The recipe and the limits were chosen by the owner, perhaps after looking at the table; "
        "what was confirmed about that, and what was not, is printed beside them.",
        "What the owner saw of the same table on other pages, or elsewhere, is not counted here.",
        f"{whose} Accounts with the same kind of noise are about different people.",
        _WRITTEN[escape],
        "The ledger was not copied, restored or replaced, and all releases about these people are "
        "in it.",
        "Run time and memory depend on the number of rows and, slightly, on the noise that was "
        "drawn: nobody else could measure them, and days are printed, never minutes.",
        "The random bits are those of the operating system, and nobody can predict them.",
        "The compiler, the processor and its libraries compute with whole numbers below 2⁵³ as "
        "the standard for floating point says.",
        "Whoever can read the process, its memory or the table itself needs no release.",
    )
