"""A saved recipe says everything: who is protected, how the file is read, what is left out."""

from dataclasses import replace
from types import MappingProxyType

from dpca_core.data.provenance import ONE_ROW
from dpca_core.data.recipe import Combine, Recipe, Source
from ui.owner.column import Entry, Use
from ui.owner.draft import CANNOT_TELL, FOUND, Draft, Who
from ui.owner.proposals import FORMAT, IN_RECIPE

WHO = "who"
"""The field of the whole draft that may differ."""


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
