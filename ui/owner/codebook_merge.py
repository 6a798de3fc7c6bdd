"""A codebook goes into the draft, a saved recipe as a whole; and choices become a file.

What the owner typed stays. Where a cell comes from is the codebook's word.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from dpca_core.codebooks import Codebook, CodebookEntry, CodebookError, matching, name_key
from dpca_core.data.column_names import label
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import ONE_ROW, Combine, Recipe, Source, Use
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection import questions as ask
from dpca_core.detection.columns import ColumnProposal
from ui.owner.column import LISTS, TYPED, Column, Entry
from ui.owner.draft import CANNOT_TELL, FORMAT, FOUND, Draft, Who, of_json
from ui.owner.edits import kept_draft
from ui.owner.proposals import FORMAT as FILE_FORMAT
from ui.owner.proposals import IN_RECIPE, TITLES, with_comma
from ui.owner.text import merge_sentence
from ui.owner.typed_values import (
    POINT,
    join_values,
    list_written_as,
    number_codes,
    split_values,
    written_as,
)


def merge_codebook(
    draft: Draft, codebook: Codebook, proposals: Iterable[ColumnProposal] = ()
) -> tuple[Draft, str]:
    """Take what a codebook says of the table's columns; say in a sentence what was found."""
    recipe, form = codebook.recipe, draft.reading
    found = matching(codebook.entries, draft.header)
    units = {proposal.name: proposal.unit for proposal in proposals}
    problems, differing, columns = list(codebook.problems), list[str](), []
    for name, entry in found.items():
        said = _said(draft.column(name), entry, form, whole=recipe is not None)
        if name in draft.who.person:
            said.pop("use", None)
        column, fields = _taken(draft.column(name), said, form)
        differing += [f"{name} ({field})" for field in fields]
        unit = units.get(name, "")
        if entry.unit and unit and name_key(entry.unit) != name_key(unit):
            both = f"{label(entry.unit)} in the codebook, {label(unit)} in the table"
            problems.append(f"{label(name)}: {both}")
        # A range that was read from the file has shown it.
        seen = column.seen or entry.seen or entry.source is Source.FILE
        labels = MappingProxyType(dict(entry.labels)) or column.labels
        title = entry.title or column.title
        columns.append(replace(column, seen=seen, labels=labels, title=title))
    told = {column.name: column.title for column in columns if column.title}
    if any(TITLES not in draft.asked or draft.column(n).title != told[n] for n in told):
        # An answer was about other labels; a recipe's were confirmed, and a file's are asked about.
        titles = "" if recipe is None else draft.asked.get(TITLES, IN_RECIPE)
        draft = replace(draft, asked=MappingProxyType({**draft.asked, TITLES: titles}))
    draft = draft.with_columns(columns)
    if recipe is not None:
        draft, others = _with_recipe(draft, recipe, found)
        differing += others
    else:
        decimals = "".join(entry.decimal for entry in found.values())
        thousands = "".join(entry.thousands for entry in found.values())
        draft = with_comma(draft, decimals, thousands)
    absent = [e.name for e in codebook.entries if e not in found.values()]
    return draft, merge_sentence(len(found), len(draft.header), absent, problems, differing)


def _said(
    column: Column, entry: CodebookEntry, form: TextFileFormat, *, whole: bool
) -> dict[str, Entry]:
    """Return what a codebook says of a column, by field, written as the file is.

    A ``whole`` recipe speaks of all that a column's use needs.
    """
    source = entry.source or Source.CODEBOOK
    if source is Source.GUESS and column.seen and not whole:
        source = Source.DECLARED
    # Codes come from where the ranges do; a range read from the file makes them no worse.
    beside = Source.CODEBOOK if source is Source.FILE else source
    said: dict[str, Entry] = {}
    if entry.use:
        # A column that names the person in the codebook, but not in step 1, is left out.
        is_out = entry.use is Use.PERSON
        said["use"] = Entry(Use.OUT if is_out else entry.use, Source.CODEBOOK)
    if said.get("use", column["use"]).text in LISTS:
        texts = {name: join_values(getattr(entry, name), form) for name in ("values", "missing")}
    else:
        texts = {name: written_as(getattr(entry, name), POINT, form) for name in TYPED[:3]}
        texts["missing"] = list_written_as(join_values(entry.missing), POINT, form, numbers=True)
    for name, text in texts.items():
        if text or whole:
            origin = beside if name not in TYPED else source if text else None
            said[name] = Entry(text, origin)
    if entry.unit and (whole or column["unit"].text in ("", entry.unit)):
        said["unit"] = Entry(entry.unit, beside)
    return said


def _taken(
    column: Column, said: Mapping[str, Entry], form: TextFileFormat
) -> tuple[Column, list[str]]:
    """Return a column with what is said of it, and the typed fields that this contradicts."""
    taken, differing = dict[str, Entry](), []
    listed = said.get("use", column["use"]).text in LISTS
    for name, entry in said.items():
        before = column[name]
        typed = column.is_typed(name) if name in TYPED else before.origin is Source.DECLARED
        numbers = name in TYPED[:3] or (name == "missing" and not listed)
        read = number_codes if numbers else split_values
        if read(before.text, form) == read(entry.text, form):
            taken[name] = replace(before, origin=entry.origin)
        elif typed and not before.empty and name != "unit":
            differing.append(name)
        else:
            taken[name] = entry
    return column.with_entries(taken), differing


def _with_recipe(draft: Draft, recipe: Recipe, found: Iterable[str]) -> tuple[Draft, list[str]]:
    """Take what a recipe says beside its columns' cells; others than its columns are left out.

    Return what the owner said otherwise, too, which stays. A recipe was saved when all questions
    were answered. With another separator the file's columns would not be those of the draft.
    """
    named, form = {*found, *recipe.person}, recipe.number_format
    alike = form.delimiter == draft.reading.delimiter
    # Labels of values are the file's, and would be printed: no recipe has confirmed them.
    unsaid = {ask.LABELS, ask.UNITS} | (set() if alike else {ask.COMMA, ask.POINTS})
    # Where all ranges are public, and yet it is not, proposals were confirmed by nobody.
    read = any(column.source is Source.FILE for column in recipe.columns)
    out = Entry(Use.OUT, Source.DECLARED if recipe.bounds_are_public or read else Source.FILE)
    differing, columns = list[str](), []
    for column in map(draft.column, draft.header):
        if column.name in named:
            answers = {
                key: answer or ("" if key in unsaid else IN_RECIPE)
                for key, answer in column.asked.items()
            }
            columns.append(replace(column, asked=MappingProxyType(answers)))
        elif column["use"].origin is Source.DECLARED and column.use not in (Use.OUT, None):
            differing.append(f"{column.name} (use)")
        else:
            columns.append(column.with_entries({"use": out}))
    draft = with_comma(draft.with_columns(columns), form.decimal, form.thousands)
    before, said = draft.who, _who(draft.who, recipe)
    if before.answer and (before.person, before.answer) != (said.person, said.answer):
        differing.append("who is protected")
    else:
        draft = replace(draft, who=said)
    if alike:
        asked = {key: IN_RECIPE if key == FILE_FORMAT else a for key, a in draft.asked.items()}
        draft = replace(draft, asked=MappingProxyType(asked))
        draft = draft.read_as(replace(form, typed=draft.reading.typed))
    return draft, differing


def _who(who: Who, recipe: Recipe) -> Who:
    """Return whom the recipe protects.

    Without columns it says that nothing tells which rows are one person’s, where a row is
    protected; that nobody has two rows it cannot say.
    """
    several = recipe.person and recipe.combine is Combine.AT_MOST
    rows = not recipe.person and recipe.unit == ONE_ROW
    words = who if rows else recipe.unit
    answer = "" if who.answer == FOUND else who.answer
    return replace(
        who,
        columns=recipe.person,
        answer=FOUND if recipe.person else CANNOT_TELL if rows else answer,
        one=words.one,
        many=words.many,
        combine=recipe.combine,
        most=str(recipe.most) if several else "",
        missing_person=recipe.missing_person,
        ids_ignore_case=recipe.ids_ignore_case,
    )


def saved_choices(draft: Draft) -> tuple[str, str]:
    """Return the name and JSON of a draft's file: a recipe once nothing is missing.

    Until then it is what a tab keeps, without answers of *Decide* and other tables' columns.
    """
    recipe = draft.recipe()
    if isinstance(recipe, Recipe):
        return "not-private-recipe.json" if draft.from_file else "recipe.json", dumps(recipe)
    columns = [draft.column(name) for name in draft.header]
    alone = Draft(draft.header, who=draft.who, reading=draft.reading).with_columns(columns)
    return "choices.json", kept_draft(alone)


def read_choices(content: bytes) -> Draft | None:
    """Return the draft in such a file; None where it is something else, CodebookError if broken."""
    if b'"format": "' + FORMAT.partition("/")[0].encode() not in content[:100]:
        return None
    try:
        return of_json(content)
    except RecipeError as wrong:
        raise CodebookError(f"These choices cannot be read: {wrong}") from wrong
