"""What a release states besides its numbers: codes in its plan, each with one sentence.

Page, command line, report and verifier print these sentences (``release_statements.toml``) and no
others.
"""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from dpca_core.text.listed import listed

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
LOOK_NOT_STATED: str = _WORDS["look_not_stated"]
"""Of a plan without a word on it: that does not say that nothing was looked at."""
CANNOT_BE_SEEN: str = _WORDS["cannot_be_seen"]
MEAN_STAYS: str = _WORDS["mean_stays"]
VALUES_STAY: str = _WORDS["values_stay"]
"""What a direction may show where neither a mean nor typical values are taken off; and where there
are categories, by their names."""
FILES = MappingProxyType[str, str](_WORDS["files"])
SOURCES = MappingProxyType[str, str](_WORDS["sources"])
INSTALL = 'pip install "dpca-workbench[release]"'
COMMAND = "python -m dpca_core.verify ."
"""How anybody checks a release, in the folder of its files; the zip's path does in place of it."""


class Fact(StrEnum):
    """What was asked of the owner, and what is known or stated of looks at the table.

    ``VALUES`` and ``CURVES`` are of looks before ranges and the rest were decided. A program knows
    ``NOTHING_SHOWN`` of itself, an owner says ``NOTHING``. ``CHECKED`` and ``CHANGED`` are of the
    look at how well a table can be read, after deciding.
    """

    UNREAD = "ranges fixed without the file"
    UNIT = "whose rows they are"
    ACCOUNTS = "in no other account"
    NOTHING_SHOWN = "nothing shown"
    NOTHING = "nothing looked at"
    VALUES = "values looked at"
    CURVES = "curves looked at"
    CURVES_AFTER = "curves looked at after deciding"
    CHECKED = "reading checked, recipe kept"
    CHANGED = "reading checked, recipe changed"

    @property
    def said(self) -> str:
        """What is printed of it, before names are put in."""
        return str(_WORDS["facts"][self.value])


class Answer(StrEnum):
    """The owner's to a question; or who says so: the program, or the owner unasked."""

    YES = "yes"
    NO = "no"
    RECORDED = "recorded"
    STATED = "stated"

    @property
    def said(self) -> str:
        """What is printed of it."""
        return str(_WORDS["answers"][self.value])


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
    return (
        len(facts) < len(declarations)
        or any((of.fact in ASKED) != (of.answer in (Answer.YES, Answer.NO)) for of in declarations)
        or {Fact.CHECKED, Fact.CHANGED} <= facts
        or bool({Fact.NOTHING, Fact.NOTHING_SHOWN} & facts and {Fact.VALUES, Fact.CURVES} & facts)
    )


def sentence(fact: Fact, one: str, many: str, person: Sequence[str]) -> str:
    """Return what is asked or printed; columns of ``person`` together name one, else a row is."""
    return fact.said.format(one=one, many=many, row=_row("value", person))


def protected(
    declarations: Iterable[Declaration], one: str, many: str, person: Sequence[str]
) -> tuple[str, str]:
    """Return what is protected, one and many: a row, where an owner says that one has several."""
    if Declaration(Fact.UNIT, Answer.NO) in declarations:
        return _row("value", person), f"{_row('values', person)}{'' if person else 's'}"
    return one, many


def _row(value: str, person: Sequence[str]) -> str:
    return f"{value} of {listed(person)}" if person else "row"


def printed(
    declarations: Iterable[Declaration], one: str, many: str, person: Sequence[str], practice: str
) -> list[tuple[str, str]]:
    """Return all sentences with their answers; of ``practice``, a built-in set, none need be."""
    found = list(declarations)
    rows = [(sentence(of.fact, one, many, person), of.answer.said) for of in found]
    if not practice and not any(of.fact in LOOKS for of in found):
        rows.append((LOOK_NOT_STATED, "not asked"))
    return rows


def assumptions(escape: str, *, persons: bool, typed: bool = False) -> tuple[str, ...]:
    """Return what a guarantee rests on besides its proof; ``persons``: whether columns name one.

    Of a ``typed`` file nothing is taken for granted of how its cells are written.
    """
    whose = _WORDS["whose"]["ids" if persons else "rows"]
    written = "" if typed else _WORDS["written"][escape]
    found = (said.format(whose=whose, written=written) for said in _WORDS["assumptions"]["all"])
    return tuple(filter(None, found))
