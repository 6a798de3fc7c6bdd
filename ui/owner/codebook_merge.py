"""A codebook goes into the draft: cells that are empty or not typed are filled, questions settled.

What the owner typed stays unless he says otherwise. Where a cell comes from is the codebook's word,
except for a pasted block, which counts as typed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from dpca_core.codebooks import Codebook, CodebookEntry, EntryUse, matching
from dpca_core.data.column_names import label
from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.columns import ColumnProposal
from dpca_core.detection.questions import COMMA
from ui.owner.codebook_answers import comma_answer, settled_answers
from ui.owner.codebook_text import merge_sentence, unit_problem
from ui.owner.column import KEEP, TYPED, WORST_LAST, Cell, Column, Use
from ui.owner.draft import Draft
from ui.owner.saved_recipe import with_whole_recipe
from ui.owner.typed_numbers import POINT, parsed_number, written_as
from ui.owner.value_lists import join_values, list_written_as, number_codes, split_values

_USES = {
    EntryUse.NUMBER: Use.NUMBER,
    EntryUse.SCALE: Use.CATEGORY,
    EntryUse.CATEGORY: Use.CATEGORY,
    EntryUse.OUT: Use.OUT,
}
"""A column that names the person in the codebook, but not in step 1, is left out."""


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
    scales = [label(name) for name, entry in found.items() if entry.use is EntryUse.SCALE]
    problems += [f"{name}: an ordered scale, which is a category on this page" for name in scales]
    columns = []
    for name, entry in found.items():
        column, proposal = draft.column(name), proposed.get(name)
        merging = _ColumnMerge(
            column, pasted, replace_typed, codebook.recipe is not None, draft.reading
        )
        merged = merging.with_entry(entry, is_person=name in draft.who.person)
        if problem := unit_problem(name, entry.unit, proposal.unit if proposal else ""):
            problems.append(problem)
        settled = settled_answers(entry, proposal, codebook.recipe)
        columns.append(_answered(merged, settled))
        differing += [(name, field) for field in merging.differing]
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


class _ColumnMerge:
    """One column and one entry; ``differing`` names the typed fields that the entry contradicts.

    An entry has decimal points; the column's cells are written as the file is.
    """

    def __init__(
        self,
        column: Column,
        pasted: bool,
        replace_typed: bool,
        whole: bool,
        reading: TextFileFormat,
    ) -> None:
        self.column = column
        self.pasted = pasted
        self.replace_typed = replace_typed
        self.whole = whole
        self.reading = reading
        self.differing: list[str] = []

    def with_entry(self, entry: CodebookEntry, *, is_person: bool) -> Column:
        """Return the column with what the entry says."""
        source = self._source(entry)
        seen = self.column.seen or entry.seen or source is Source.FILE
        self._take_use(entry, is_person)
        for field, text in _cells(entry, self.whole, self.reading).items():
            self._take_cell(field, text, source)
        self._take_missing(entry, source)
        unit = entry.unit if self.whole else self.column.unit or entry.unit
        told = unit and unit == entry.unit and not self.pasted
        unit_origin = _origin_of_codes(source) if told else self.column.unit_origin
        asked = dict(self.column.asked)
        if self.whole and source is Source.FILE:
            # Its owner kept these cells when the recipe was saved.
            asked[KEEP] = KEEP
        return replace(
            self.column,
            seen=seen,
            unit=unit,
            unit_origin=unit_origin,
            asked=MappingProxyType(asked),
        )

    def _source(self, entry: CodebookEntry) -> Source:
        """Return where the entry's cells come from; after a look nothing typed is public."""
        source = entry.source or (Source.GUESS if self.pasted else Source.CODEBOOK)
        typed = self.pasted or source is Source.GUESS
        if typed and self.column.seen and not self.whole:
            return max(source, Source.DECLARED, key=WORST_LAST.index)
        return source

    def _take_use(self, entry: CodebookEntry, is_person: bool) -> None:
        if entry.use is None or is_person:
            return
        use = _USES.get(entry.use, Use.OUT)
        chosen = self.column.use_origin is Source.DECLARED and self.column.use is not None
        if chosen and use is not self.column.use and not self._may_replace("use"):
            return
        origin = Source.DECLARED if self.pasted else Source.CODEBOOK
        self.column = replace(self.column, use=use, use_origin=origin)

    def _take_cell(self, field: str, text: str, source: Source) -> None:
        cell: Cell = getattr(self.column, field)
        if field != TYPED[-1]:
            text = written_as(text, POINT, self.reading)
        if not cell.empty and _same(field, cell.text, text, self.reading):
            cell = replace(cell, origin=source)
        elif cell.empty or not _is_typed(cell, self.column) or self._may_replace(field):
            cell = Cell(text, source if text else None)
        taken: dict[str, Any] = {field: cell}
        self.column = replace(self.column, **taken)

    def _take_missing(self, entry: CodebookEntry, source: Source) -> None:
        is_text = self.column.use is Use.CATEGORY
        codes = join_values(entry.missing, self.reading if is_text else POINT)
        if not is_text:
            codes = list_written_as(codes, POINT, self.reading, numbers=True)
        if not codes and not self.whole:
            return
        typed = self.column.missing_origin is Source.DECLARED and self.column.missing.strip()
        read = split_values if is_text else number_codes
        same = read(self.column.missing, self.reading) == read(codes, self.reading)
        if typed and not same and not self._may_replace("missing"):
            return
        origin = Source.DECLARED if self.pasted else _origin_of_codes(source)
        self.column = replace(self.column, missing=codes, missing_origin=origin)

    def _may_replace(self, field: str) -> bool:
        """Note that a typed field differs, and tell whether it may be replaced."""
        self.differing.append(field)
        return self.replace_typed


def _origin_of_codes(source: Source) -> Source:
    """Codes come from where the ranges do; a range read from the file makes them no worse."""
    return Source.CODEBOOK if source is Source.FILE else source


def _cells(entry: CodebookEntry, whole: bool, form: TextFileFormat) -> dict[str, str]:
    """Return the cells that an entry speaks of; a whole recipe speaks of all that its use needs."""
    said = {"low": entry.low, "typical": entry.typical, "high": entry.high}
    if entry.use in (EntryUse.CATEGORY, EntryUse.SCALE):
        said = {"values": join_values(entry.values, form)}
    return {field: text for field, text in said.items() if text or whole}


def _is_typed(cell: Cell, column: Column) -> bool:
    """Tell whether the owner typed a cell: it is a guess, declared, or of a source he named."""
    if cell.origin in (Source.GUESS, Source.DECLARED):
        return True
    return column.source is not None and cell.origin is column.source


def _same(field: str, typed: str, said: str, form: TextFileFormat) -> bool:
    """Tell whether two texts are the same number, or the same list."""
    if field == TYPED[-1]:
        return split_values(typed, form) == split_values(said, form)
    number = parsed_number(typed, form)
    return typed.strip() == said or (number is not None and number == parsed_number(said, form))
