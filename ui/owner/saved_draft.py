"""Choices that are not a recipe yet: a draft saved as JSON, read back as a codebook."""

from collections.abc import Sequence

from dpca_core.codebooks import Codebook, CodebookEntry, CodebookError, EntryUse, read_codebook
from dpca_core.data.recipe import Recipe, Source
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import TextFileFormat
from ui.owner.column import WORST_LAST, Column, Use
from ui.owner.draft import Draft
from ui.owner.draft_json import FORMAT, DraftJsonError, of_json, to_json
from ui.owner.read_as import read_as
from ui.owner.typed_numbers import POINT
from ui.owner.value_lists import number_codes, split_values

_USES = {Use.NUMBER: EntryUse.NUMBER, Use.CATEGORY: EntryUse.CATEGORY, Use.OUT: EntryUse.OUT}
_READ = (Source.FILE, Source.NOTICED)


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
    if f'"format": "{FORMAT}"'.encode() not in content[:100]:
        return read_codebook(name, content, header, form)
    try:
        draft = of_json(content.decode("utf-8-sig"))
    except (DraftJsonError, UnicodeDecodeError) as wrong:
        raise CodebookError(f"These choices cannot be read: {wrong}") from wrong
    return codebook_of_draft(draft)


def codebook_of_draft(draft: Draft) -> Codebook:
    """Return what a draft says of its columns; a cell is of the worst source of its column's.

    A codebook has decimal points, whatever the draft's file has.
    """
    draft = read_as(draft, POINT)
    return Codebook(tuple(_entry(draft.column(name)) for name in draft.header))


def _entry(column: Column) -> CodebookEntry:
    """Return a column as it is typed; a proposed use is proposed anew with the next file."""
    said = column.use is not None and column.use_origin not in _READ
    cells = (column.low, column.typical, column.high, column.values)
    origins = [cell.origin for cell in cells if cell.origin is not None]
    codes = split_values if column.use is Use.CATEGORY else number_codes
    known = column.missing_origin not in _READ
    return CodebookEntry(
        column.name,
        _USES.get(column.use) if said and column.use else None,
        column.low.text,
        column.typical.text,
        column.high.text,
        column.unit if column.unit_origin not in _READ else "",
        codes(column.missing, POINT) if known else (),
        split_values(column.values.text, POINT),
        max(origins, key=WORST_LAST.index, default=None),
        column.seen,
    )
