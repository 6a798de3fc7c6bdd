"""What was recognised in a file goes into the draft, as proposals that wait for their owner.

Nothing typed is overwritten, and no question is asked a second time. A proposal that nobody
confirms counts as read from the file.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.detection.columns import ColumnProposal, propose_columns
from dpca_core.detection.questions import (
    COMMA,
    DECIMAL_COMMA,
    DECIMAL_POINT,
    POINTS,
    SCALE,
    THOUSANDS_COMMA,
    THOUSANDS_POINT,
    scale,
)
from ui.owner.column import ANSWER, Column, Entry, Use
from ui.owner.draft import Draft
from ui.owner.reading import CONFIRMED, FORMAT
from ui.owner.value_lists import join_values

if TYPE_CHECKING:
    from pandas import DataFrame

FEWEST_SHARED = 4
"""Columns with the same open question from which on it can be answered for all of them at once."""


def column_proposals(table: "DataFrame", form: TextFileFormat) -> tuple[ColumnProposal, ...]:
    """Propose a use for each column of a table; a scale is always asked about.

    It was recognised by what the cells hold, so its order is nobody's word until it is confirmed.
    """
    return tuple(
        replace(one, questions=(scale(one.values),))
        if one.use == Use.SCALE and not one.questions
        else one
        for one in propose_columns(table, form)
    )


def answer_edits(
    proposal: ColumnProposal, key: str, answer: str, form: TextFileFormat
) -> list[tuple[str, str]]:
    """Return an answer to a question about a column as edits: field and text.

    With the answer whether texts are a scale comes the list that was shown; what a cell of the file
    has beside it is not in it.
    """
    edits = [(f"{ANSWER}{key}", answer)]
    if key == SCALE and proposal.values:
        edits.append(("values", join_values(proposal.values, form)))
    return edits


def with_proposals(draft: Draft, proposals: Iterable[ColumnProposal]) -> Draft:
    """Take proposals for the columns of the draft's table.

    The question what a comma means is about the file: it is asked beside one column only, beside
    the next one where that is left out. Taking the same proposals again changes nothing.
    """
    known, columns = set(draft.header), []
    comma_asked = any(draft.column(name).asked.get(COMMA) for name in draft.header)
    for proposal in proposals:
        if proposal.name not in known:
            continue
        column = draft.column(proposal.name)
        keys = [question.key for question in proposal.questions]
        if COMMA in keys:
            if comma_asked or draft.use_of(proposal.name) in (Use.OUT, Use.PERSON):
                keys.remove(COMMA)
            else:
                comma_asked = True
        columns.append(_with_proposal(column, proposal, keys))
    return draft.with_columns(columns)


def _with_proposal(column: Column, proposal: ColumnProposal, keys: Sequence[str]) -> Column:
    """Fill what is empty or was only proposed before, and open questions that are new."""
    found = {"use": proposal.use, "missing": proposal.missing_code, "unit": proposal.unit}
    entries = {
        name: Entry(text, Source.FILE if text else None)
        for name, text in found.items()
        if column[name].origin is Source.FILE or column[name] == Entry()
    }
    answered = {key: answer for key, answer in column.asked.items() if answer}
    asked = MappingProxyType({**dict.fromkeys(keys, ""), **answered})
    return replace(column.with_entries(entries), note=proposal.reason, asked=asked)


def reading_after_answers(draft: Draft) -> TextFileFormat:
    """Return how the file is read once the question about commas is answered.

    Where some columns have decimal points a decimal comma is one of both: a cell is read by the
    mark that it has.
    """
    answers = {draft.column(name).asked.get(COMMA, "") for name in draft.header}
    form = draft.reading
    points = {draft.column(name).asked.get(POINTS, "") for name in draft.header}
    if DECIMAL_POINT in points and "." not in form.decimal:
        return replace(form, decimal=EITHER, thousands="")
    if THOUSANDS_POINT in points and form.thousands != ".":
        return replace(form, decimal=",", thousands=".")
    if DECIMAL_COMMA in answers and "," not in form.decimal:
        return replace(form, decimal=EITHER, thousands="")
    if THOUSANDS_COMMA in answers and (form.decimal, form.thousands) != (".", ","):
        return replace(form, decimal=".", thousands=",")
    return form


def with_confirmed_format(draft: Draft) -> Draft:
    """Confirm that the file is written as proposed, and with it what its commas mean."""
    form = draft.reading
    draft = replace(draft, asked=MappingProxyType({**draft.asked, FORMAT: CONFIRMED}))
    comma = DECIMAL_COMMA if form.decimal == "," else THOUSANDS_COMMA
    if "," not in (form.decimal, form.thousands):
        return draft
    beside = [column for column in map(draft.column, draft.header) if COMMA in column.asked]
    return draft.with_columns(column.answered(COMMA, comma) for column in beside)


@dataclass(frozen=True)
class SharedQuestion:
    """A question that is open for many columns, and can be answered for all of them at once.

    Attributes
    ----------
    key, answers
        As in ``ColumnQuestion``.
    columns
        Names of the columns, in the table's order.
    """

    key: str
    answers: tuple[str, ...]
    columns: tuple[str, ...]


def shared_questions(
    draft: Draft, proposals: Iterable[ColumnProposal]
) -> tuple[SharedQuestion, ...]:
    """Return the open questions that ``FEWEST_SHARED`` columns or more have in common."""
    known = set(draft.header)
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for proposal in proposals:
        if proposal.name not in known:
            continue
        is_open = draft.column(proposal.name).open_questions
        for question in proposal.questions:
            if question.key in is_open:
                names = found.setdefault((question.key, question.answers), [])
                names.append(proposal.name)
    return tuple(
        SharedQuestion(key, answers, tuple(names))
        for (key, answers), names in found.items()
        if len(names) >= FEWEST_SHARED
    )


def answered_for_all(
    draft: Draft, proposals: Iterable[ColumnProposal], question: SharedQuestion, answer: str
) -> Draft:
    """Give one answer for all columns of a question."""
    asked = (one for one in proposals if one.name in question.columns)
    edits = {
        one.name: dict(answer_edits(one, question.key, answer, draft.reading)) for one in asked
    }
    return draft.merge(edits)


def unconfirmed(draft: Draft) -> tuple[str, ...]:
    """Name columns that are proposed to be left out, which nobody has confirmed."""
    return tuple(c.name for c in draft.left_out if c["use"].origin is Source.FILE)


def confirmed_left_out(draft: Draft) -> Draft:
    """Confirm that all columns that are proposed to be left out stay out."""
    return draft.merge({name: {"use": Use.OUT} for name in unconfirmed(draft)})
