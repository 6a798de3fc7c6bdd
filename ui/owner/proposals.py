"""What was recognised in a file goes into the draft, as proposals that wait for their owner.

Nothing typed is overwritten, and no question is asked a second time. A proposal that nobody
confirms counts as read from the file.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from dpca_core.data.known_scales import known_scale
from dpca_core.data.recipe import Source, Use
from dpca_core.data.text_file_format import EITHER, TextFileFormat, parsed
from dpca_core.detection import PATTERNS
from dpca_core.detection import questions as ask
from dpca_core.detection.columns import ColumnProposal
from dpca_core.tables.table import Labels
from ui.owner.column import ANSWER, NOTHING, Column, Entry
from ui.owner.draft import Draft
from ui.owner.typed_values import join_values, parsed_number

if TYPE_CHECKING:
    from pandas import DataFrame, Series

FORMAT, DECLARED_MISSING, TITLES = "format", "declared", "titles"
"""Keys of questions about a file: how it is written, what it declares missing, and whether a report
prints what it, or a codebook, calls the columns."""
CONFIRMED, DENIED, CHOSEN, IN_RECIPE = "Yes", "No", "chosen by the owner", "as in a saved recipe"
"""Answers to them: what was noticed is right; the owner chose; a saved recipe says so."""
FEWEST_SHARED = 4
"""Columns with the same open question from which on it can be answered for all of them at once."""
Shared = tuple[str, tuple[str, ...], str]
"""What columns with the same question have in common: its key, its answers, and their use."""
_MARKS = {
    ask.DECIMAL_POINT: (EITHER, ""),
    ask.THOUSANDS_POINT: (",", "."),
    ask.DECIMAL_COMMA: (EITHER, ""),
    ask.THOUSANDS_COMMA: (".", ","),
}
"""Marks of a file that was read otherwise than an answer says: points and commas may be mixed."""


def with_labels(
    proposals: Iterable[ColumnProposal], labels: Mapping[str, Labels], table: "DataFrame"
) -> tuple[ColumnProposal, ...]:
    """Offer the lists of values that a statistics program's file has of its columns.

    Programs make such lists from the answers, so each is shown in full and waits for its owner. Its
    order is a scale's only where its labels are those of a known one.
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
    # A list that lacks values of the column names some of its numbers only: it is told.
    if len(listed) < 2 or not there <= {*listed}:
        told = ask.named_values(listed)
        asked = (replace(one, sentence=f"{told}. {one.sentence}") for one in proposal.questions)
        return replace(proposal, reason=told, questions=tuple(asked))
    codes = [value for value, text in listed.items() if PATTERNS["no_answer"].fullmatch(text)]
    codes = codes if len(listed) - len(codes) > 1 else []
    silent = {value: listed.pop(value) for value in codes}
    known = known_scale(listed.values())
    is_scale = len({*listed.values()}) == len(listed) and {*listed.values()} <= {*known}
    if is_scale:
        listed = dict(sorted(listed.items(), key=lambda one: known.index(one[1])))
    told = ask.named_values(listed)
    if silent:
        told = f"{told}, and {ask.named_values(silent)} missing"
    return replace(
        proposal,
        use=Use.SCALE if is_scale else Use.CATEGORY,
        reason="",
        questions=(ask.question(ask.LABELS, told),),
        missing_code="; ".join(silent),
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
    """Return an answer as edits, field and text, with the list and the codes that it confirms."""
    edits = [(f"{ANSWER}{key}", answer)]
    if proposal.values and answer in (ask.ORDERED, ask.UNORDERED):
        edits.append(("values", join_values(proposal.values, form)))
    if key == ask.LABELS and proposal.missing_code:
        edits.append(("missing", proposal.missing_code))
    return edits


def with_proposals(draft: Draft, proposals: Iterable[ColumnProposal]) -> Draft:
    """Take proposals for the columns of the draft's table; the same ones again change nothing.

    What a comma means is asked beside one column only, the next one where that is left out.
    """
    columns = []
    comma_asked = any(draft.column(name).asked.get(ask.COMMA) for name in draft.header)
    for proposal in proposals:
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
        if column[name].origin is Source.FILE or column[name] == NOTHING
    }
    answered = {key: answer for key, answer in column.asked.items() if answer}
    asked = MappingProxyType({**dict.fromkeys(keys, ""), **answered})
    return replace(column.with_entries(entries), note=proposal.reason, asked=asked)


def reading_after_answers(draft: Draft) -> TextFileFormat:
    """Return how the file is read once the questions about commas and points are answered."""
    form, beside = draft.reading, [draft.column(name).asked for name in draft.header]
    answers = {asked.get(key) for asked in beside for key in (ask.COMMA, ask.POINTS)}
    for answer, (decimal, thousands) in _MARKS.items():
        example, _, number = answer.partition(" is ")
        if answer in answers and parsed(example, form) != float(number):
            return replace(form, decimal=decimal, thousands=thousands)
    return form


def with_comma(draft: Draft, decimal: str, thousands: str) -> Draft:
    """Answer what a comma means by these signs, where that is open and it is one of both."""
    if ("," in decimal) == ("," in thousands):
        return draft
    answer = ask.DECIMAL_COMMA if "," in decimal else ask.THOUSANDS_COMMA
    known = map(draft.column, draft.header)
    is_open = [column for column in known if column.asked.get(ask.COMMA) == ""]
    return draft.with_columns(column.answered(ask.COMMA, answer) for column in is_open)


def with_confirmed(draft: Draft, key: str, answer: str = CONFIRMED) -> Draft:
    """Answer what was noticed of a file as a whole; with its format, what its commas mean."""
    form = draft.reading
    draft = replace(draft, asked=MappingProxyType({**draft.asked, key: answer}))
    return with_comma(draft, form.decimal, form.thousands) if key == FORMAT else draft


def shared_questions(
    draft: Draft, proposals: Iterable[ColumnProposal]
) -> dict[Shared, list[ColumnProposal]]:
    """Return the open questions that ``FEWEST_SHARED`` columns or more have in common."""
    found: dict[Shared, list[ColumnProposal]] = {}
    for proposal in proposals:
        is_open = draft.column(proposal.name).open_questions
        for question in (one for one in proposal.questions if one.key in is_open):
            # Lists of values are asked about apart from those whose order is known; that others
            # are in order is said of each by itself.
            ordered = proposal.use == Use.SCALE
            answers = tuple(one for one in question.answers if ordered or one != ask.ORDERED)
            alike = question.key, answers, proposal.use
            found.setdefault(alike, []).append(proposal)
    return {alike: columns for alike, columns in found.items() if len(columns) >= FEWEST_SHARED}


def answered_for_all(
    draft: Draft, proposals: Iterable[ColumnProposal], key: str, answer: str
) -> Draft:
    """Give one answer to a question of many columns."""
    edits = {one.name: dict(answer_edits(one, key, answer, draft.reading)) for one in proposals}
    return draft.merge(edits)


def confirmed_left_out(draft: Draft) -> Draft:
    """Confirm that all columns that are proposed to be left out stay out."""
    return draft.merge({name: {"use": Use.OUT} for name in draft.unconfirmed})
