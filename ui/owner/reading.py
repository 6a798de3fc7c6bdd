"""How a file is read: what is asked before, and what follows from the answers. Decided once.

Each cell is read by itself; what does not fit counts as missing. No row changes another's numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.first_look import WESTERN, first_foreign_line, looks_like_data
from dpca_core.tables.files import (
    Kind,
    UnpackedFile,
    Upload,
    each_once,
    first_bytes,
    kind,
    name_of,
    open_table,
    refuse_foreign,
)
from dpca_core.tables.proposed_format import proposed_format
from ui.owner.text_reading import SAYS, WOULD_SAY

ENCODING, HEADER, FORMAT = "encoding", "header", "format"
"""Keys of the questions, in the order in which they are asked; ``FORMAT`` once the file is read."""

CONFIRMED, CHOSEN, IN_RECIPE = "Yes", "chosen by the owner", "as in a saved recipe"
"""Answers to ``FORMAT``: what was proposed is right; the owner chose; a saved recipe says so."""

LONGEST = 80
"""Letters of a first line that are shown."""

AS_WESTERN, NOT_WESTERN = "Yes, Western European", "No"
ROW_ALREADY, NAMES_COLUMNS = "Yes, name them", "No, these are names"
SAVE_AS_UTF8 = "is not UTF-8 text: save it as “CSV UTF-8” and use that file."


@dataclass(frozen=True)
class ReadingQuestion:
    """A question without whose answer a file cannot be read.

    Attributes
    ----------
    key
        ``ENCODING`` or ``HEADER``.
    sentence, before, example
        What is asked, and a piece of the file as the first answer would read it, with the words
        before it.
    answers
        To choose from.
    """

    key: str
    sentence: str
    before: str
    example: str
    answers: tuple[str, ...]


def first_format(
    place: Upload | Path, answers: Mapping[str, str]
) -> TextFileFormat | ReadingQuestion:
    """Return how a file is read at first, or what has to be asked before.

    Parameters
    ----------
    answers
        Answers so far, by the question's key.

    Raises
    ------
    TableError
        For what is no table, in one sentence.
    """
    if kind(place) is not Kind.TEXT:
        return TextFileFormat()
    file, name = each_once(place)[0], name_of(place)
    encoding = TextFileFormat().encoding
    refuse_foreign(file)
    with UnpackedFile(file) as opened:
        line = first_foreign_line(opened.read)
    if line is not None:
        if ENCODING not in answers:
            return _encoding_question(line)
        if answers[ENCODING] != AS_WESTERN:
            raise TableError(f"{name} {SAVE_AS_UTF8}")
        encoding = WESTERN
    form = proposed_format(name, first_bytes(file), encoding)
    names = list(open_table(file, form).columns)
    if len(names) < 2 or not looks_like_data(names):
        return form
    if HEADER not in answers:
        return _header_question(names)
    return replace(form, unnamed=len(names)) if answers[HEADER] == ROW_ALREADY else form


def answers_to_keep(answers: Mapping[str, str]) -> Mapping[str, str]:
    """Return the answers with which a file can be read: whoever chooses it again is asked again.

    Parameters
    ----------
    answers
        By the question's key, after which the file could not be read.
    """
    if answers.get(ENCODING, AS_WESTERN) == AS_WESTERN:
        return answers
    return MappingProxyType({key: a for key, a in answers.items() if key != ENCODING})


def open_format_question(form: TextFileFormat, answers: Mapping[str, str]) -> Mapping[str, str]:
    """Return the answers with the question whether a file is written as proposed, where it is one.

    What is proposed follows from the file: one cell can change it. A format that is always tried,
    whatever a file holds, needs no answer; nor does what was asked before it was read.

    Parameters
    ----------
    form
        How the file is read.
    answers
        Answers so far, by the question's key.
    """
    if FORMAT in answers or not marks_that_differ(form, answers):
        return answers
    return MappingProxyType({**answers, FORMAT: ""})


def marks_that_differ(form: TextFileFormat, answers: Mapping[str, str]) -> tuple[str, ...]:
    """Name the marks of a format that no default is, and that were not asked about before.

    Returns
    -------
    tuple of str
        Names of fields of ``TextFileFormat``.
    """
    plain = TextFileFormat()
    asked = {ENCODING: "encoding", HEADER: "unnamed"}
    settled = {field for key, field in asked.items() if answers.get(key)}
    return tuple(
        f.name
        for f in fields(TextFileFormat)
        if f.name not in settled and getattr(form, f.name) != getattr(plain, f.name)
    )


def origin_of_format(answers: Mapping[str, str]) -> Source | None:
    """Return where it comes from how a file is written; None where nothing had to be asked.

    Whatever the owner says of it, he says after the program has shown him what it noticed.
    """
    if not any(key in answers for key in (ENCODING, HEADER, FORMAT)):
        return None
    return Source.FILE if answers.get(FORMAT) == "" else Source.NOTICED


def _encoding_question(line: str) -> ReadingQuestion:
    sentence = "This file is not UTF-8. Read it as Western European (Windows-1252)?"
    return ReadingQuestion(ENCODING, sentence, WOULD_SAY, line, (AS_WESTERN, NOT_WESTERN))


def _header_question(names: list[str]) -> ReadingQuestion:
    sentence = f"The first line looks like data. Name columns c1…c{len(names)}?"
    line, answers = ", ".join(names)[:LONGEST], (ROW_ALREADY, NAMES_COLUMNS)
    return ReadingQuestion(HEADER, sentence, SAYS, line, answers)
