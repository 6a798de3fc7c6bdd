"""Choices as a file, finished or not, and a saved recipe in the draft of another table."""

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from dpca_core.codebooks import Codebook, CodebookEntry, CodebookError, EntryUse, read_codebook
from dpca_core.data.errors import RecipeError
from dpca_core.data.provenance import ONE_ROW
from dpca_core.data.recipe import Combine, Recipe, Source
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import TextFileFormat
from ui.owner.column import LISTS, SHOWN, TYPED, WORST_LAST, Column, Entry, Use
from ui.owner.draft import CANNOT_TELL, FOUND, Draft, Who, of_json, to_json
from ui.owner.proposals import FORMAT, IN_RECIPE
from ui.owner.typed_values import POINT, number_codes, split_values

_DRAFT = b'"format": "dpca-draft/'

WHO = "who"
"""The field of the whole draft that may differ."""


def saved_choices(draft: Draft) -> tuple[str, str, bool]:
    """Return the file of a draft: a recipe where it is one, else the draft as it is.

    Returns
    -------
    name
        Begins with "not-private" where anything in it was read from the file.
    text
        JSON. No name of a file and no number of rows is in it.
    complete
        Whether it is a recipe.
    """
    recipe = None if draft.missing_answers() else draft.recipe()
    complete = isinstance(recipe, Recipe)
    text = dumps(recipe) if isinstance(recipe, Recipe) else to_json(_without_answers(draft))
    read = any(column.origin is Source.FILE for column in (*draft.used, *draft.left_out))
    name = "recipe.json" if complete else "choices.json"
    return f"not-private-{name}" if read else name, text, complete


def _without_answers(draft: Draft) -> Draft:
    """Keep the columns of this table alone: what another table's were called is its own."""
    columns = [draft.column(name) for name in draft.header]
    return Draft(draft.header, who=draft.who, reading=draft.reading).with_columns(columns)


def read_choices(
    name: str, content: bytes, header: Sequence[str], form: TextFileFormat | None = None
) -> Codebook:
    """Read a codebook, or a draft that ``saved_choices`` wrote; ``form`` is the table's.

    Raises
    ------
    CodebookError
        Where it is neither.
    """
    if _DRAFT not in content[:100]:
        return read_codebook(name, content, header, form or TextFileFormat())
    try:
        draft = of_json(content)
    except RecipeError as wrong:
        raise CodebookError(f"These choices cannot be read: {wrong}") from wrong
    return codebook_of_draft(draft)


def codebook_of_draft(draft: Draft) -> Codebook:
    """Return what a draft says of its columns; a cell is of the worst source of its column's.

    A codebook has decimal points, whatever the draft's file has.
    """
    draft = draft.read_as(POINT)
    return Codebook(tuple(_entry(draft.column(name)) for name in draft.header))


def _entry(column: Column) -> CodebookEntry:
    """Return a column as it is typed; a proposed use is proposed anew with the next file."""
    said = {name: one.text for name, one in column.entries.items() if one.origin not in SHOWN}
    codes = split_values if column.use in LISTS else number_codes
    low, typical, high, values = typed = [column[name] for name in TYPED]
    return CodebookEntry(
        column.name,
        EntryUse(said["use"]) if "use" in said else None,
        low.text,
        typical.text,
        high.text,
        said.get("unit", ""),
        codes(said.get("missing", ""), POINT),
        split_values(values.text, POINT),
        max((e.origin for e in typed if e.origin), key=WORST_LAST.index, default=None),
        column.seen,
    )


def with_whole_recipe(
    draft: Draft, recipe: Recipe, *, replace_typed: bool
) -> tuple[Draft, list[tuple[str, str]]]:
    """Take what a recipe says beside its columns' cells.

    Returns
    -------
    draft
        Columns that the recipe does not name are left out.
    differing
        Columns and fields, "" for the whole draft, in which the owner chose something else.
    """
    named = {*(column.name for column in recipe.columns), *recipe.person}
    differing: list[tuple[str, str]] = []
    others = []
    for name in draft.header:
        if name in named:
            continue
        column = draft.column(name)
        if column["use"].origin is Source.DECLARED and column.use not in (Use.OUT, None):
            differing.append((name, "use"))
            if not replace_typed:
                continue
        others.append(column.with_entries({"use": Entry(Use.OUT, _origin_of_the_rest(recipe))}))
    draft = draft.with_columns(others)
    before, said = draft.who, _who(draft.who, recipe)
    other_person = bool(before.answer) and (
        (before.person, before.answer) != (said.person, said.answer)
    )
    if other_person:
        differing.append(("", WHO))
    if replace_typed or not other_person:
        draft = replace(draft, who=said)
    # With another separator the file's columns would not be those of the draft.
    if recipe.number_format.delimiter == draft.reading.delimiter:
        asked = dict(draft.asked)
        if FORMAT in asked:
            asked[FORMAT] = IN_RECIPE
        draft = replace(draft, asked=MappingProxyType(asked)).read_as(recipe.number_format)
    return draft, differing


def _origin_of_the_rest(recipe: Recipe) -> Source:
    """Return where it comes from that other columns are left out.

    A recipe whose ranges are all public, but which is not, was made by proposals nobody confirmed.
    """
    read = any(column.source is Source.FILE for column in recipe.columns)
    return Source.DECLARED if recipe.bounds_are_public or read else Source.FILE


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
