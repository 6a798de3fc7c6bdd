"""Choices that are not a recipe yet: a draft saved as JSON, read back as a codebook."""

from collections.abc import Sequence

from dpca_core.codebooks import Codebook, CodebookEntry, CodebookError, EntryUse, read_codebook
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Recipe, Source
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import TextFileFormat
from ui.owner.column import LISTS, SHOWN, TYPED, WORST_LAST, Column
from ui.owner.draft import Draft
from ui.owner.draft_json import of_json, to_json
from ui.owner.typed_numbers import POINT
from ui.owner.value_lists import number_codes, split_values

_DRAFT = b'"format": "dpca-draft/'


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
        return read_codebook(name, content, header, form)
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
