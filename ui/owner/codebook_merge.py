"""A codebook goes into the draft, a saved recipe as a whole; and choices become a file.

What the owner typed stays. Where a cell comes from is the codebook's word.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from dpca_core.codebooks import Codebook, CodebookEntry, CodebookError, EntryUse, matching, name_key
from dpca_core.data.column_names import label
from dpca_core.data.errors import RecipeError
from dpca_core.data.provenance import ONE_ROW
from dpca_core.data.recipe import Combine, Recipe, Source
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.detection import questions as ask
from dpca_core.detection.columns import ColumnProposal
from ui.owner.column import LISTS, TYPED, Column, Entry, Use
from ui.owner.draft import CANNOT_TELL, FORMAT, FOUND, Draft, Who, of_json
from ui.owner.edits import kept_draft
from ui.owner.proposals import FORMAT as FILE_FORMAT
from ui.owner.proposals import IN_RECIPE, TITLES
from ui.owner.text import merge_sentence
from ui.owner.typed_values import (
    POINT,
    join_values,
    list_written_as,
    number_codes,
    parsed_number,
    split_values,
    written_as,
)

# A list of values is no identifier, and nothing weighs by it.
_AS_LISTED = {ask.CODES: ask.AS_CODES, ask.IDENTIFIER: ask.MEASUREMENT, ask.WEIGHT: ask.MEASUREMENT}
_SETTLED = {
    EntryUse.NUMBER: {**_AS_LISTED, ask.CODES: ask.STEPS, ask.LABELS: ask.A_NUMBER},
    EntryUse.CATEGORY: {**_AS_LISTED, ask.SCALE: ask.UNORDERED, ask.LABELS: ask.UNORDERED},
    EntryUse.SCALE: {**_AS_LISTED, ask.SCALE: ask.ORDERED, ask.LABELS: ask.ORDERED},
    EntryUse.OUT: {ask.IDENTIFIER: ask.AN_IDENTIFIER, ask.WEIGHT: ask.SURVEY},
}
"""Answers to questions about a column, by the use that a codebook names."""


def merge_codebook(
    draft: Draft, codebook: Codebook, proposals: Iterable[ColumnProposal] = ()
) -> tuple[Draft, str]:
    """Take what a codebook says of the table's columns; return a sentence on what was found, too.

    It may settle questions of what was recognised in the file, the ``proposals``.
    """
    recipe = codebook.recipe
    found = matching(codebook.entries, draft.header)
    proposed = {proposal.name: proposal for proposal in proposals}
    differing: list[str] = []
    problems = list(codebook.problems)
    columns = []
    for name, entry in found.items():
        column, proposal = draft.column(name), proposed.get(name)
        said = _said(column, entry, draft.reading, whole=recipe is not None)
        if name in draft.who.person:
            said.pop("use", None)
        merged, fields = _taken(column, said, draft.reading)
        # A range that was read from the file has shown it.
        seen = entry.seen or entry.source is Source.FILE
        labels = MappingProxyType(dict(entry.labels)) if entry.labels else merged.labels
        title = entry.title or merged.title
        merged = replace(merged, seen=merged.seen or seen, labels=labels, title=title)
        columns.append(_answered(merged, settled_answers(entry, proposal, recipe)))
        differing += [f"{name} ({field})" for field in fields]
        unit = proposal.unit if proposal else ""
        if entry.unit and unit and name_key(entry.unit) != name_key(unit):
            units = f"{label(entry.unit)} in the codebook, {label(unit)} in the table"
            problems.append(f"{label(name)}: {units}")
    told = {column.name: column.title for column in columns if column.title}
    if any(TITLES not in draft.asked or draft.column(n).title != told[n] for n in told):
        # An answer was about other labels; a recipe's were confirmed, and a file's are asked about.
        titles = "" if recipe is None else draft.asked.get(TITLES, IN_RECIPE)
        draft = replace(draft, asked=MappingProxyType({**draft.asked, TITLES: titles}))
    draft = draft.with_columns(columns)
    if comma := _comma_answer(found.values(), recipe):
        beside = [draft.column(name) for name in draft.header]
        draft = draft.with_columns(_answered(column, {ask.COMMA: comma}) for column in beside)
    if recipe is not None:
        draft, others = _with_recipe(draft, recipe)
        differing += others
    absent = [e.name for e in codebook.entries if e not in found.values()]
    return draft, merge_sentence(len(found), len(draft.header), absent, problems, differing)


def _answered(column: Column, answers: Mapping[str, str]) -> Column:
    """Settle questions that are open; an answer the owner gave stays."""
    for key, answer in answers.items():
        if column.asked.get(key) == "":
            column = column.answered(key, answer)
    return column


def _said(
    column: Column, entry: CodebookEntry, form: TextFileFormat, *, whole: bool
) -> dict[str, Entry]:
    """Return what a codebook says of a column, by field, written as the file is.

    An entry has decimal points. A ``whole`` recipe speaks of all that a column's use needs.
    """
    source = entry.source or Source.CODEBOOK
    if source is Source.GUESS and column.seen and not whole:
        source = Source.DECLARED
    # Codes come from where the ranges do; a range read from the file makes them no worse.
    beside = Source.CODEBOOK if source is Source.FILE else source
    said: dict[str, Entry] = {}
    if entry.use:
        # A column that names the person in the codebook, but not in step 1, is left out.
        is_out = entry.use is EntryUse.PERSON
        said["use"] = Entry(Use.OUT if is_out else Use(entry.use.value), Source.CODEBOOK)
    if entry.use in (EntryUse.CATEGORY, EntryUse.SCALE):
        cells = {"values": join_values(entry.values, form)}
    else:
        ends = {"low": entry.low, "typical": entry.typical, "high": entry.high}
        cells = {name: written_as(text, POINT, form) for name, text in ends.items()}
    for name, text in cells.items():
        if text or whole:
            said[name] = Entry(text, source if text else None)
    listed = said.get("use", column["use"]).text in LISTS
    codes = join_values(entry.missing, form if listed else POINT)
    if not listed:
        codes = list_written_as(codes, POINT, form, numbers=True)
    if codes or whole:
        said["missing"] = Entry(codes, beside)
    if whole or column["unit"].text in ("", entry.unit):
        said["unit"] = Entry(entry.unit, beside if entry.unit else column["unit"].origin)
    return said


def _taken(
    column: Column, said: Mapping[str, Entry], form: TextFileFormat
) -> tuple[Column, list[str]]:
    """Return a column with what is said of it, and the typed fields that this contradicts."""
    taken: dict[str, Entry] = {}
    differing = []
    listed = said.get("use", column["use"]).text in LISTS
    for name, entry in said.items():
        before = column[name]
        typed = column.is_typed(name) if name in TYPED else before.origin is Source.DECLARED
        if _read(name, before.text, form, listed) == _read(name, entry.text, form, listed):
            taken[name] = replace(before, origin=entry.origin)
        elif typed and not before.empty and name != "unit":
            differing.append(name)
        else:
            taken[name] = entry
    return column.with_entries(taken), differing


def _read(field: str, text: str, form: TextFileFormat, listed: bool) -> object:
    """Return what a field's text means: a number, a list, or the text itself."""
    if field == "values" or (field == "missing" and listed):
        return split_values(text, form)
    if field == "missing":
        return number_codes(text, form)
    number = parsed_number(text, form) if field in TYPED else None
    return text.strip() if number is None else number


def settled_answers(
    entry: CodebookEntry, proposal: ColumnProposal | None, recipe: Recipe | None = None
) -> dict[str, str]:
    """Return answers by the question's key; what the codebook does not settle is not in it.

    A saved recipe was made when all questions were answered.
    """
    answers = dict(_SETTLED.get(entry.use, {})) if entry.use else {}
    if recipe is not None:
        has_points = "." in recipe.number_format.decimal
        answers[ask.TEXTS] = ask.AS_MISSING
        answers[ask.MISSING] = ask.REAL_VALUE
        answers[ask.POINTS] = ask.DECIMAL_POINT if has_points else ask.THOUSANDS_POINT
    if proposal is None:
        return answers
    codes = {parsed_number(code) for code in split_values(proposal.missing_code, POINT)}
    if codes and codes <= {parsed_number(code) for code in entry.missing} - {None}:
        answers[ask.MISSING] = ask.AS_MISSING
    for question in proposal.questions:
        if question.key == ask.UNITS and entry.unit in question.answers:
            answers[ask.UNITS] = entry.unit
    return answers


def _comma_answer(entries: Iterable[CodebookEntry], recipe: Recipe | None) -> str:
    """Return what a comma means in the file; "" where the codebook does not say, or says both.

    The question is about the file, and may stand beside any of its columns.
    """
    told = {(entry.decimal == ",", entry.thousands == ",") for entry in entries}
    if recipe is not None:
        form = recipe.number_format
        told = {(form.decimal in (",", EITHER), form.thousands == ",")}
    decimal, thousands = (any(one[place] for one in told) for place in (0, 1))
    if decimal == thousands:
        return ""
    return ask.DECIMAL_COMMA if decimal else ask.THOUSANDS_COMMA


def _with_recipe(draft: Draft, recipe: Recipe) -> tuple[Draft, list[str]]:
    """Take what a recipe says beside its columns' cells; others than its columns are left out.

    Return what the owner said otherwise, too, which stays.
    """
    named = {*(column.name for column in recipe.columns), *recipe.person}
    # Where all ranges are public, and yet it is not, proposals were confirmed by nobody.
    read = any(column.source is Source.FILE for column in recipe.columns)
    out = Entry(Use.OUT, Source.DECLARED if recipe.bounds_are_public or read else Source.FILE)
    differing, others = [], []
    for column in map(draft.column, draft.header):
        if column.name in named:
            continue
        if column["use"].origin is Source.DECLARED and column.use not in (Use.OUT, None):
            differing.append(f"{column.name} (use)")
        else:
            others.append(column.with_entries({"use": out}))
    draft = draft.with_columns(others)
    before, said = draft.who, _who(draft.who, recipe)
    if before.answer and (before.person, before.answer) != (said.person, said.answer):
        differing.append("who is protected")
    else:
        draft = replace(draft, who=said)
    # With another separator the file's columns would not be those of the draft.
    if recipe.number_format.delimiter == draft.reading.delimiter:
        asked = dict(draft.asked)
        if FILE_FORMAT in asked:
            asked[FILE_FORMAT] = IN_RECIPE
        draft = replace(draft, asked=MappingProxyType(asked))
        draft = draft.read_as(replace(recipe.number_format, typed=draft.reading.typed))
    return draft, differing


def _who(who: Who, recipe: Recipe) -> Who:
    """Return whom the recipe protects.

    Without columns it says that nothing tells which rows are one person’s, where a row is
    protected; that nobody has two rows it cannot say. What was noticed in this file stays noticed.
    """
    several = recipe.person and recipe.combine is Combine.AT_MOST
    rows = not recipe.person and recipe.unit == ONE_ROW
    answer = "" if who.answer == FOUND else who.answer
    return Who(
        recipe.person,
        FOUND if recipe.person else CANNOT_TELL if rows else answer,
        who.one if rows else recipe.unit.one,
        who.many if rows else recipe.unit.many,
        recipe.combine,
        str(recipe.most) if several else "",
        recipe.missing_person,
        recipe.ids_ignore_case,
        who.noticed,
    )


def saved_choices(draft: Draft) -> tuple[str, str, bool]:
    """Return the file of a draft: its name, its JSON, and whether it is a whole recipe.

    The name of a recipe begins with "not-private" where anything in it was read from the file. Else
    it is the draft as a browser's tab keeps it, without the answers of *Decide*. No name of a file
    and no number of rows is in either, and nothing of other tables' columns.
    """
    recipe = None if draft.missing_answers else draft.recipe()
    columns = [draft.column(name) for name in draft.header]
    alone = Draft(draft.header, who=draft.who, reading=draft.reading).with_columns(columns)
    if not isinstance(recipe, Recipe):
        return "choices.json", kept_draft(alone), False
    read = any(column.origin is Source.FILE for column in (*draft.used, *draft.left_out))
    return "not-private-recipe.json" if read else "recipe.json", dumps(recipe), True


def read_choices(content: bytes) -> Draft | None:
    """Return the draft that ``saved_choices`` wrote; None where the file is something else.

    CodebookError where it is broken.
    """
    if b'"format": "' + FORMAT.partition("/")[0].encode() not in content[:100]:
        return None
    try:
        return of_json(content)
    except RecipeError as wrong:
        raise CodebookError(f"These choices cannot be read: {wrong}") from wrong
