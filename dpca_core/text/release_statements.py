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

    ``VALUES`` and ``CURVES`` are of looks before ranges and the rest were decided; columns whose
    values were shown are marked in the recipe, too. ``NOTHING_SHOWN`` is what a program knows of
    itself, ``NOTHING`` what an owner says. ``CHECKED`` and ``CHANGED`` are of the look at how well
    a table can be read, which comes after deciding; at most one of the two stands in a plan.
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


@dataclass(frozen=True)
class Declaration:
    """A fact with its answer, as plan and certificate have it."""

    fact: Fact
    answer: Answer


def contradicts_itself(declarations: Sequence[Declaration]) -> bool:
    """Tell whether a fact stands twice, beside its denial, or with an answer of another kind."""
    facts = {of.fact for of in declarations}
    answers = {
        fact: (Answer.YES, Answer.NO) if fact in ASKED else (Answer.RECORDED, Answer.STATED)
        for fact in Fact
    }
    return (
        len(facts) < len(declarations)
        or any(of.answer not in answers[of.fact] for of in declarations)
        or {Fact.CHECKED, Fact.CHANGED} <= facts
        or bool({Fact.NOTHING, Fact.NOTHING_SHOWN} & facts and {Fact.VALUES, Fact.CURVES} & facts)
    )


LOOK_NOT_STATED = "The owner did not state what of the table was looked at before deciding."
"""Of a plan without a word on it: that does not say that nothing was looked at."""


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


CANNOT_BE_SEEN = (
    "Whether the program ran as described can’t be seen from its output: the arithmetic of the "
    "certificate can be checked by anybody, the run only by whoever was there."
)
INSTALL = 'pip install "dpca-workbench[release]"'
COMMAND = "python -m dpca_core.verify ."
"""How anybody checks a release, in the folder of its files; the zip's path does in place of it."""
_WRITTEN = MappingProxyType(
    {
        "doubled": "If the table is a text file, the program that wrote it puts cells with a "
        "separator, a quotation mark or a line break into quotation marks and doubles the marks "
        "in them, as Excel, pandas and REDCap do.",
        "backslash": "If the table is a text file, the program that wrote it puts cells with a "
        "separator, a quotation mark or a line break into quotation marks, and a backslash before "
        "the marks in them, as Spark and MySQL do.",
        "none": "If the table is a text file, no cell of it holds a separator or a line break: a "
        "record is a line.",
    }
)
"""What reading takes for granted, by how the recipe says that quotation marks are written."""


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


SOURCES = MappingProxyType(
    {
        "codebook": "codebook",
        "law or physics": "law or physics",
        "guess": "guess",
        "declared by you": "declared by the owner",
        "noticed in the file": "declared by the owner after a notice",
        "file": "read from the file",
    }
)
"""Where what is known of a column comes from, by its code in a recipe."""
