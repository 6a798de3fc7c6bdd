"""A codebook goes into the draft: cells that are empty or not typed are filled, questions settled.

What the owner typed stays unless he says otherwise. Where a cell comes from is the codebook's word,
except for a pasted block, which counts as typed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from dpca_core.codebooks import Codebook, CodebookEntry, EntryUse, matching
from dpca_core.data.recipe import Recipe, Source
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.detection.columns import ColumnProposal
from dpca_core.detection.questions import (
    A_NUMBER,
    AN_IDENTIFIER,
    AS_CODES,
    AS_MISSING,
    CODES,
    COMMA,
    DECIMAL_COMMA,
    DECIMAL_POINT,
    IDENTIFIER,
    LABELS,
    MEASUREMENT,
    MISSING,
    ORDERED,
    POINTS,
    REAL_VALUE,
    SCALE,
    STEPS,
    SURVEY,
    TEXTS,
    THOUSANDS_COMMA,
    THOUSANDS_POINT,
    UNITS,
    UNORDERED,
    WEIGHT,
)
from ui.owner.column import KEEP, LISTS, TYPED, WORST_LAST, Column, Entry, Use
from ui.owner.draft import Draft
from ui.owner.saved_choices import with_whole_recipe
from ui.owner.text_columns import merge_sentence, unit_problem
from ui.owner.typed_values import (
    POINT,
    join_values,
    list_written_as,
    number_codes,
    parsed_number,
    split_values,
    written_as,
)

_USES = {
    EntryUse.NUMBER: Use.NUMBER,
    EntryUse.SCALE: Use.SCALE,
    EntryUse.CATEGORY: Use.CATEGORY,
    EntryUse.OUT: Use.OUT,
}
"""A column that names the person in the codebook, but not in step 1, is left out."""

# A list of values is no identifier, and nothing weighs by it.
_AS_LISTED = {CODES: AS_CODES, IDENTIFIER: MEASUREMENT, WEIGHT: MEASUREMENT}
_AS_NUMBER = {CODES: STEPS, IDENTIFIER: MEASUREMENT, WEIGHT: MEASUREMENT, LABELS: A_NUMBER}
_BY_USE = {
    EntryUse.NUMBER: _AS_NUMBER,
    EntryUse.CATEGORY: {**_AS_LISTED, SCALE: UNORDERED, LABELS: UNORDERED},
    EntryUse.SCALE: {**_AS_LISTED, SCALE: ORDERED, LABELS: ORDERED},
    EntryUse.OUT: {IDENTIFIER: AN_IDENTIFIER, WEIGHT: SURVEY},
}


@dataclass(frozen=True)
class CodebookMerge:
    """What came of a codebook.

    Attributes
    ----------
    draft
        With what the codebook says.
    differing
        Columns and fields in which the owner typed something else, which stays unless he was asked.
    sentence
        What was found and what was not.
    """

    draft: Draft
    differing: tuple[tuple[str, str], ...]
    sentence: str


def merge_codebook(
    draft: Draft,
    codebook: Codebook,
    proposals: Iterable[ColumnProposal] = (),
    *,
    pasted: bool = False,
    replace_typed: bool = False,
) -> CodebookMerge:
    """Take what a codebook says of the table's columns.

    Parameters
    ----------
    proposals
        What was recognised in the file, whose questions the codebook may settle.
    pasted
        Whether the owner wrote it here: then it counts as typed, after a look if there was one.
    replace_typed
        Whether the owner has agreed to replace what he typed.
    """
    if pasted:
        # Whatever it is, it was pasted here: it counts as typed, cell by cell.
        codebook = replace(codebook, recipe=None)
    found = matching(codebook.entries, draft.header)
    proposed = {proposal.name: proposal for proposal in proposals}
    differing: list[tuple[str, str]] = []
    problems = list(codebook.problems)
    columns = []
    for name, entry in found.items():
        column, proposal = draft.column(name), proposed.get(name)
        merged, fields = _taken(
            column,
            entry,
            draft.reading,
            is_person=name in draft.who.person,
            pasted=pasted,
            replace_typed=replace_typed,
            whole=codebook.recipe is not None,
        )
        if problem := unit_problem(name, entry.unit, proposal.unit if proposal else ""):
            problems.append(problem)
        settled = settled_answers(entry, proposal, codebook.recipe)
        columns.append(_answered(merged, settled))
        differing += [(name, field) for field in fields]
    merged_draft = draft.with_columns(columns)
    if comma := comma_answer(found.values(), codebook.recipe):
        beside = [merged_draft.column(name) for name in draft.header]
        merged_draft = merged_draft.with_columns(_answered(c, {COMMA: comma}) for c in beside)
    if codebook.recipe is not None:
        merged_draft, others = with_whole_recipe(
            merged_draft, codebook.recipe, replace_typed=replace_typed
        )
        differing += others
    absent = [e.name for e in codebook.entries if e not in found.values()]
    sentence = merge_sentence(len(found), len(draft.header), absent, problems)
    return CodebookMerge(merged_draft, tuple(differing), sentence)


def _answered(column: Column, answers: Mapping[str, str]) -> Column:
    """Settle questions that are open; an answer the owner gave stays."""
    for key, answer in answers.items():
        if column.asked.get(key) == "":
            column = column.answered(key, answer)
    return column


def _taken(
    column: Column,
    entry: CodebookEntry,
    form: TextFileFormat,
    *,
    is_person: bool,
    pasted: bool,
    replace_typed: bool,
    whole: bool,
) -> tuple[Column, list[str]]:
    """Return a column with what an entry says, and the typed fields that the entry contradicts.

    Parameters
    ----------
    form
        How the column's numbers are written; an entry has decimal points.
    whole
        Whether the codebook is a saved recipe, which speaks of all that a column's use needs.
    """
    source = _source(column, entry, pasted=pasted, whole=whole)
    own = Source.DECLARED if pasted else Source.CODEBOOK
    # Codes come from where the ranges do; a range read from the file makes them no worse.
    beside = Source.CODEBOOK if source is Source.FILE else source
    taken: dict[str, Entry] = {}
    differing: list[str] = []

    def take(field: str, said: Entry, *, contradicts: bool) -> None:
        if contradicts:
            differing.append(field)
        if replace_typed or not contradicts:
            taken[field] = said

    if entry.use and not is_person:
        use, chosen = _USES.get(entry.use, Use.OUT), column["use"].origin is Source.DECLARED
        take("use", Entry(use, own), contradicts=chosen and column.use not in (None, use))
    for field, text in _cells(entry, whole, form).items():
        text, cell = text if field == TYPED[-1] else written_as(text, POINT, form), column[field]
        if not cell.empty and _same(field, cell.text, text, form):
            taken[field] = Entry(cell.text, source)
        else:
            said = Entry(text, source if text else None)
            take(field, said, contradicts=not cell.empty and column.is_typed(field))
    listed = (taken.get("use") or column["use"]).text in LISTS
    codes = join_values(entry.missing, form if listed else POINT)
    if not listed:
        codes = list_written_as(codes, POINT, form, numbers=True)
    if codes or whole:
        read, before = split_values if listed else number_codes, column["missing"]
        same = read(before.text, form) == read(codes, form)
        typed = before.origin is Source.DECLARED and not before.empty
        said = Entry(codes, Source.DECLARED if pasted else beside)
        take("missing", said, contradicts=typed and not same)
    unit = entry.unit if whole else column["unit"].text or entry.unit
    told = unit and unit == entry.unit and not pasted
    taken["unit"] = Entry(unit, beside if told else column["unit"].origin)
    if whole and source is Source.FILE:
        # Its owner kept these cells when the recipe was saved.
        column = column.answered(KEEP, KEEP)
    seen = column.seen or entry.seen or source is Source.FILE
    return replace(column.with_entries(taken), seen=seen), differing


def _source(column: Column, entry: CodebookEntry, *, pasted: bool, whole: bool) -> Source:
    """Return where the entry's cells come from; after a look nothing typed is public."""
    source = entry.source or (Source.GUESS if pasted else Source.CODEBOOK)
    typed = pasted or source is Source.GUESS
    if typed and column.seen and not whole:
        return max(source, Source.DECLARED, key=WORST_LAST.index)
    return source


def _cells(entry: CodebookEntry, whole: bool, form: TextFileFormat) -> dict[str, str]:
    """Return the cells that an entry speaks of; a whole recipe speaks of all that its use needs."""
    said = {"low": entry.low, "typical": entry.typical, "high": entry.high}
    if entry.use in (EntryUse.CATEGORY, EntryUse.SCALE):
        said = {"values": join_values(entry.values, form)}
    return {field: text for field, text in said.items() if text or whole}


def _same(field: str, typed: str, said: str, form: TextFileFormat) -> bool:
    """Tell whether two texts are the same number, or the same list."""
    if field == TYPED[-1]:
        return split_values(typed, form) == split_values(said, form)
    number = parsed_number(typed, form)
    return typed.strip() == said or (number is not None and number == parsed_number(said, form))


def settled_answers(
    entry: CodebookEntry, proposal: ColumnProposal | None, recipe: Recipe | None = None
) -> dict[str, str]:
    """Return answers by the question's key; what the codebook does not settle is not in it.

    What a comma means is ``comma_answer``'s.

    Parameters
    ----------
    proposal
        What was recognised in the file; its codes and units say what a question is about.
    recipe
        The saved recipe that the entry is part of: it was made when all questions were answered.
    """
    answers = dict(_BY_USE.get(entry.use, {})) if entry.use else {}
    if recipe is not None:
        answers[TEXTS] = AS_MISSING
        answers[MISSING] = REAL_VALUE
        has_points = "." in recipe.number_format.decimal
        answers[POINTS] = DECIMAL_POINT if has_points else THOUSANDS_POINT
    if proposal is None:
        return answers
    if _all_among(split_values(proposal.missing_code, POINT), entry.missing):
        answers[MISSING] = AS_MISSING
    for question in proposal.questions:
        if question.key == UNITS and entry.unit in question.answers:
            answers[UNITS] = entry.unit
    return answers


def comma_answer(entries: Iterable[CodebookEntry], recipe: Recipe | None = None) -> str:
    """Return what a comma means in the file; "" where the codebook does not say, or says both.

    The question is about the file, and may stand beside any of its columns.
    """
    if recipe is not None:
        form = recipe.number_format
        told = {(form.decimal in (",", EITHER), form.thousands == ",")}
    else:
        told = {(entry.decimal == ",", entry.thousands == ",") for entry in entries}
    decimal, thousands = (any(one[place] for one in told) for place in (0, 1))
    if decimal == thousands:
        return ""
    return DECIMAL_COMMA if decimal else THOUSANDS_COMMA


def _all_among(codes: tuple[str, ...], named: tuple[str, ...]) -> bool:
    """Tell whether all codes are named, as numbers."""
    numbers = {parsed_number(code) for code in named} - {None}
    return bool(codes) and {parsed_number(code) for code in codes} <= numbers
