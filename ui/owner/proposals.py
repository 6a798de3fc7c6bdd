"""What was recognised in a file goes into the draft, as proposals that wait for their owner.

Nothing typed is overwritten, and no question is asked a second time. A proposal that nobody
confirms counts as read from the file.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from dpca_core.data.known_scales import known_scale
from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.detection import questions as ask
from dpca_core.detection.columns import ColumnProposal, propose_columns
from dpca_core.tables.table import Labels
from ui.owner.column import ANSWER, Column, Entry, Use
from ui.owner.draft import Draft
from ui.owner.typed_values import join_values, parsed_number

if TYPE_CHECKING:
    from pandas import DataFrame, Series

FORMAT, DECLARED_MISSING, TITLES = "format", "declared", "titles"
"""Keys of questions about a file as a whole: how it is written, what it declares missing, and
whether a report prints what it, or a codebook, calls the columns."""
CONFIRMED, DENIED, CHOSEN, IN_RECIPE = "Yes", "No", "chosen by the owner", "as in a saved recipe"
"""Answers to them: what was noticed is right; the owner chose; a saved recipe says so."""
FEWEST_SHARED = 4
"""Columns with the same open question from which on it can be answered for all of them at once."""


def column_proposals(table: "DataFrame", form: TextFileFormat) -> tuple[ColumnProposal, ...]:
    """Propose a use for each column of a table; a scale is always asked about.

    It was recognised by what the cells hold, so its order is nobody's word until it is confirmed.
    """
    return tuple(
        replace(one, questions=(ask.question(ask.SCALE, ask.in_order(one.values)),))
        if one.use == Use.SCALE and not one.questions
        else one
        for one in propose_columns(table, form)
    )


def with_labels(
    proposals: Iterable[ColumnProposal], labels: Mapping[str, Labels], table: "DataFrame"
) -> tuple[ColumnProposal, ...]:
    """Offer the lists of values that a statistics program's file has of its columns.

    Programs make such lists from the answers, so each is shown in full and waits for its owner. Its
    order is a scale's only where its labels are those of a scale that is known. Where a column has
    values beside its list, the list names some of its numbers only, and is told.
    """
    return tuple(
        _labelled(one, labels[one.name], table[one.name]) if one.name in labels else one
        for one in proposals
    )


def _labelled(proposal: ColumnProposal, said: Labels, cells: "Series") -> ColumnProposal:
    listed = {value: text for value, text in said.values if not _is_missing(value, said.missing)}
    if not listed or proposal.use == Use.OUT:
        return proposal
    # pandas keeps which zero comes first: −0.0 is 0.
    written = {str(cell).removesuffix(".0") for cell in cells.dropna().unique()}
    there = {"0" if text == "-0" else text for text in written}
    if len(listed) < 2 or not there <= {*listed}:
        told = ask.named_values(listed)
        asked = (replace(one, sentence=f"{told}. {one.sentence}") for one in proposal.questions)
        return replace(proposal, reason=told, questions=tuple(asked))
    known = known_scale(listed.values())
    is_scale = len({*listed.values()}) == len(listed) and {*listed.values()} <= {*known}
    if is_scale:
        listed = dict(sorted(listed.items(), key=lambda one: known.index(one[1])))
    return replace(
        proposal,
        use=Use.SCALE if is_scale else Use.CATEGORY,
        reason="",
        questions=(ask.question(ask.LABELS, ask.named_values(listed)),),
        values=tuple(listed),
    )


def _is_missing(value: str, codes: Iterable[str]) -> bool:
    """Tell whether a value is among those that are declared missing, such as "97 to 99"."""
    for code in codes:
        low, _, high = code.partition(" to ")
        ends = parsed_number(low), parsed_number(value), parsed_number(high or low)
        numbers = [end for end in ends if end is not None]
        if value == code or (len(numbers) == len(ends) and sorted(numbers) == numbers):
            return True
    return False


def answer_edits(
    proposal: ColumnProposal, key: str, answer: str, form: TextFileFormat
) -> list[tuple[str, str]]:
    """Return an answer to a question about a column as edits: field and text.

    With the answer that values are a scale or a category comes the list that was shown; what a cell
    of the file has beside it is not in it.
    """
    edits = [(f"{ANSWER}{key}", answer)]
    listed = key in (ask.SCALE, ask.LABELS) and answer in (ask.ORDERED, ask.UNORDERED)
    if listed and proposal.values:
        edits.append(("values", join_values(proposal.values, form)))
    return edits


def with_proposals(draft: Draft, proposals: Iterable[ColumnProposal]) -> Draft:
    """Take proposals for the columns of the draft's table; the same ones again change nothing.

    The question what a comma means is about the file: it is asked beside one column only, beside
    the next one where that is left out.
    """
    known, columns = set(draft.header), []
    comma_asked = any(draft.column(name).asked.get(ask.COMMA) for name in draft.header)
    for proposal in (one for one in proposals if one.name in known):
        keys = [question.key for question in proposal.questions]
        if ask.COMMA in keys:
            if comma_asked or draft.use_of(proposal.name) in (Use.OUT, Use.PERSON):
                keys.remove(ask.COMMA)
            else:
                comma_asked = True
        columns.append(_with_proposal(draft.column(proposal.name), proposal, keys))
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
    """Return how the file is read once the questions about commas and points are answered.

    Where some columns have decimal points a decimal comma is one of both: a cell is read by the
    mark that it has.
    """
    form = draft.reading
    answers = {
        draft.column(name).asked.get(key)
        for name in draft.header
        for key in (ask.COMMA, ask.POINTS)
    }
    if ask.DECIMAL_POINT in answers and "." not in form.decimal:
        return replace(form, decimal=EITHER, thousands="")
    if ask.THOUSANDS_POINT in answers and form.thousands != ".":
        return replace(form, decimal=",", thousands=".")
    if ask.DECIMAL_COMMA in answers and "," not in form.decimal:
        return replace(form, decimal=EITHER, thousands="")
    if ask.THOUSANDS_COMMA in answers and (form.decimal, form.thousands) != (".", ","):
        return replace(form, decimal=".", thousands=",")
    return form


def with_confirmed(draft: Draft, key: str, answer: str = CONFIRMED) -> Draft:
    """Answer what was noticed of a file as a whole; with its format, what its commas mean."""
    form = draft.reading
    draft = replace(draft, asked=MappingProxyType({**draft.asked, key: answer}))
    if key != FORMAT or "," not in (form.decimal, form.thousands):
        return draft
    comma = ask.DECIMAL_COMMA if form.decimal == "," else ask.THOUSANDS_COMMA
    beside = [column for column in map(draft.column, draft.header) if ask.COMMA in column.asked]
    return draft.with_columns(column.answered(ask.COMMA, comma) for column in beside)


@dataclass(frozen=True)
class SharedQuestion:
    """A question that is open for many columns, in the table's order, and its answers."""

    key: str
    answers: tuple[str, ...]
    columns: tuple[str, ...]


def shared_questions(
    draft: Draft, proposals: Iterable[ColumnProposal]
) -> tuple[SharedQuestion, ...]:
    """Return the open questions that ``FEWEST_SHARED`` columns or more have in common.

    Lists of values are asked about apart from those whose order is known.
    """
    known = set(draft.header)
    found: dict[tuple[str, tuple[str, ...], str], list[str]] = {}
    for proposal in (one for one in proposals if one.name in known):
        is_open = draft.column(proposal.name).open_questions
        for question in proposal.questions:
            if question.key in is_open:
                alike = question.key, question.answers, proposal.use
                found.setdefault(alike, []).append(proposal.name)
    return tuple(
        SharedQuestion(key, answers, tuple(names))
        for (key, answers, _), names in found.items()
        if len(names) >= FEWEST_SHARED
    )


def answered_for_all(
    draft: Draft, proposals: Iterable[ColumnProposal], question: SharedQuestion, answer: str
) -> Draft:
    """Give one answer for all columns of a question."""
    named = {*question.columns}
    return draft.merge(
        {
            one.name: dict(answer_edits(one, question.key, answer, draft.reading))
            for one in proposals
            if one.name in named
        }
    )


def confirmed_left_out(draft: Draft) -> Draft:
    """Confirm that all columns that are proposed to be left out stay out."""
    return draft.merge({name: {"use": Use.OUT} for name in draft.unconfirmed})
