"""A table that was read becomes the owner's: what is noticed in it goes into the draft."""

from dataclasses import replace
from typing import Any

from dpca_core.detection.people import Finding, propose_person
from ui.owner.draft import DECIDE_FIELDS, Who
from ui.owner.looks import is_looked_at, with_look
from ui.owner.proposals import column_proposals, with_proposals
from ui.owner.read_as import read_as
from ui.owner.reading import open_format_question
from ui.owner.session import Owner
from ui.owner.source_table import SourceTable
from ui.owner.words_for_people import proposed_words


def with_table(owner: Owner, source: SourceTable) -> Owner:
    """Take another table: what was typed of equal names stays, what a file said does not.

    Answers of *Decide* are about one table: another one is asked about anew. A table that is chosen
    once more keeps them, and so does the first of a session, whose answers came with a link. A look
    at curves counts for the table it was of, whenever that is chosen again.
    """
    names = tuple(map(str, source.table.columns))
    looks = owner.looks
    if owner.draft.looked:
        looks = with_look(looks, owner.source or source)
    draft = replace(owner.draft.for_header(names), looked=is_looked_at(looks, source))
    if owner.source is not None and not source.is_same_table(owner.source):
        nothing: dict[str, Any] = dict.fromkeys(DECIDE_FIELDS, "")
        draft = replace(draft, **nothing)
    form = source.number_format
    asked = open_format_question(form, source.asked) if source.is_text else source.asked
    draft = read_as(replace(draft, asked=asked), form)
    return noticed(replace(owner, draft=draft, looks=looks), source)


def noticed(owner: Owner, source: SourceTable) -> Owner:
    """Propose what columns are and whose rows these are, for the owner's eyes only."""
    columns = column_proposals(source.table, source.number_format)
    person = propose_person(source.table)
    draft = with_proposals(owner.draft, columns)
    if person.finding is not Finding.NONE:
        who = replace(draft.who, noticed=True)
        if not who.answer:
            who = _with_words(who, person.candidates[0].columns)
        draft = replace(draft, who=who)
    return replace(owner, draft=draft, source=source, columns=columns, person=person)


def _with_words(who: Who, columns: tuple[str, ...]) -> Who:
    """Propose a word for whoever is protected, where none was chosen."""
    words = proposed_words(columns)
    if words is None or (who.one, who.many) != (Who().one, Who().many):
        return who
    return replace(who, one=words[0], many=words[1])
