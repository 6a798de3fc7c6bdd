"""What a session keeps of the owner's way: the draft, the table and what was noticed in it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import streamlit as st

from dpca_core.data.recipe import Category, Number, Recipe, Scale, Use
from dpca_core.detection import questions as ask
from dpca_core.tables.table import Labels
from ui.owner.draft import Draft
from ui.owner.proposals import CONFIRMED, IN_RECIPE, TITLES
from ui.owner.table_source import Owner
from ui.state.decision import SENT_BACK, Decision, Handover, SentBack, decided, keep_decision

OWNER = "owner"
"""Session key."""


def current() -> Owner:
    """Return what this session knows."""
    found: Owner = st.session_state.get(OWNER, Owner())
    return found


def update(**changes: Any) -> None:
    """Change fields of it, and keep it."""
    keep(replace(current(), **changes))


def keep(owner: Owner, *, stood: Handover | None = None) -> None:
    """Keep what became of it; a decision about what was there before holds no longer.

    ``stood`` is what was decided when a look was taken.
    """
    before = current()
    if owner.source is not before.source or owner.draft != before.draft:
        keep_decision(None)
        owner = replace(owner, decided_before_look=stood)
    st.session_state[OWNER] = owner


def hand_over(handover: Handover | None) -> None:
    """Keep what was decided, with the whole table, for other pages; None where nothing is."""
    owner = current()
    if handover is None or owner.source is None:
        keep_decision(None)
        return
    said = {one.name: owner.draft.column(one.name).asked.get(ask.LABELS) for one in owner.columns}
    listed = (ask.ORDERED, ask.UNORDERED)
    confirmed = {one.name: one.values for one in owner.columns if said[one.name] in listed}
    labels, titles = owner.source.labels, printed_titles(owner.draft, owner.source.labels)
    recipe = declared_by_file(handover.recipe, labels, confirmed, titles)
    handover = replace(handover, recipe=recipe)
    # A decision that nothing of was changed after the look was made before it.
    if owner.decided_before_look == replace(handover, looked=False):
        handover = replace(handover, looked=False, looked_after=True)
    ids = tuple(one.columns[0] for one in owner.person.candidates if len(one.columns) == 1)
    keep_decision(Decision(handover, owner.source.place, ids))


def printed_titles(draft: Draft, labels: Mapping[str, Labels]) -> dict[str, str]:
    """Return what the file, or a codebook, calls columns, where the owner said it is printed."""
    if draft.asked.get(TITLES) not in (CONFIRMED, IN_RECIPE):
        return {}
    said = {name: labels.get(name, Labels()).text for name in draft.header}
    return {name: text or draft.column(name).title for name, text in said.items()}


def declared_by_file(
    recipe: Recipe,
    labels: Mapping[str, Labels],
    confirmed: Mapping[str, Sequence[str]],
    titles: Mapping[str, str] = MappingProxyType({}),
) -> Recipe:
    """Return a recipe that says what a file with a dictionary declares of its columns.

    That is codes of missing values, which are read as such, and labels of values: only where the
    list was ``confirmed`` as it was shown, since a label may be about one person; and ``titles``.
    """

    def told(column: Number | Scale | Category) -> Any:
        said = labels.get(column.name, Labels())
        listed = () if isinstance(column, Number) else column.values
        codes = (code for code in said.missing if code not in listed)
        missing = tuple(dict.fromkeys((*column.missing, *codes)))
        found = replace(column, missing=missing, title=titles.get(column.name, ""))
        if not isinstance(found, Number) and {*listed} == {*confirmed.get(column.name, ())}:
            names = tuple(dict(said.values).get(value, value) for value in listed)
            if names != listed and len({*names}) == len(names):
                return replace(found, labels=names)
        return found

    kinds = ("numbers", "scales", "categories")
    declared: dict[str, Any] = {kind: tuple(map(told, getattr(recipe, kind))) for kind in kinds}
    return replace(recipe, **declared)


def take_sent_back() -> None:
    """Open the columns where a release sent one of them back; leave it out where that was asked."""
    found: SentBack | None = st.session_state.pop(SENT_BACK, None)
    if found is None:
        return
    if found.leave_out:
        update(draft=current().draft.merge({found.column: {"use": Use.OUT}}))
    open_step("columns")


def note_look() -> None:
    """Note for good that curves of the table were looked at; what was decided holds on.

    A look that comes when everything is decided is kept apart from one before, until something of
    the decision is changed.
    """
    before, owner = decided(), current()
    stood = owner.decided_before_look
    if before is not None and not owner.draft.looked:
        stood = before.handover
    keep(owner.with_look(), stood=stood)
    hand_over(None if before is None else replace(before.handover, looked=True, looked_after=False))


def open_step(step: str) -> None:
    """Ask for a step: it is shown where it is open."""
    update(step=str(step))


def show_rows(show: bool) -> None:
    """Show or hide the first rows; from the first time on all columns' values were seen."""
    draft = current().draft
    if show:
        draft = draft.with_columns(draft.column(n).edited("seen", "") for n in draft.header)
    update(draft=draft, rows_shown=show)
