"""What the table of columns in the browser shows, from the draft and what was proposed.

Nothing here reads the file.
"""

import json
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape
from types import MappingProxyType
from typing import Any

from dpca_core.data.known_scales import known_scales
from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.columns import ColumnProposal
from dpca_core.detection.questions import SCALE
from dpca_core.tables.table import Labels
from ui.owner import text_columns as text
from ui.owner.column import ANSWER, FIELDS, KEEP, LISTS, NAMED, PUBLIC, TYPED, Column, Use
from ui.owner.draft import Draft
from ui.owner.draft_errors import DraftError
from ui.owner.edits import Merged
from ui.owner.kept_draft import kept_draft
from ui.owner.proposals import FORMAT, answer_edits
from ui.owner.table_source import origin_of_format
from ui.owner.text_table import FORMAT_ANSWER, FORMAT_SUBJECT, named
from ui.owner.typed_values import (
    POINT,
    join_values,
    list_read_otherwise,
    parsed_number,
    read_otherwise,
    split_values,
    with_decimal_point,
)
from ui.page.markup import button, element

LONG = 200
"""Columns from which the table has a filter by name."""

NOT_HEADS = ("values", "message")
"""Cells under heads of others, or under none."""
TIMES_TYPICAL = 50
"""A range is very wide where it is more than so many times the typical value."""
_ALL_NINES = re.compile(r"9{3,}(\.0*|\.9+)?")
"""As forms have it where nobody thought of an end: 999, 9999.99."""


def provenance(draft: Draft) -> dict[str, tuple[str, ...]]:
    """Name the columns by their worst source, in the table's order: see ``text.PROVENANCE``."""
    used = [(column.name, _origin(column)) for column in draft.used]
    out = [(column.name, column.origin) for column in draft.left_out]
    return {
        "read": _of(used, Source.FILE),
        "unconfirmed": _of(out, Source.FILE),
        "noticed": _of([*used, *out], Source.NOTICED),
        "declared": _of(used, Source.DECLARED),
        "guessed": _of(used, Source.GUESS),
        "public": _of(used, *PUBLIC),
    }


def _origin(column: Column) -> Source | None:
    """Return where a column comes from: its cells, while a question about a proposal is open."""
    asks = bool(column.open_questions) and not column.file_fields
    return column.cells_origin if asks else column.origin


def needing(draft: Draft) -> tuple[str, ...]:
    """Name the columns that an answer is missing of, in the table's order."""
    return tuple(dict.fromkeys(e.column for e in draft.missing_answers() if e.column))


def headline(draft: Draft) -> str:
    """Say how many columns are ready, and whether any was read from the file."""
    total, found = len(draft.used), provenance(draft)
    ready = total - len(needing(draft))
    return text.headline(ready, total, len(found["read"]), len(found["unconfirmed"]))


def table_content(
    draft: Draft,
    proposals: Iterable[ColumnProposal],
    merged: Merged,
    labels: Mapping[str, Labels] = MappingProxyType({}),
) -> dict[str, Any]:
    """Compose what the table in the browser gets: rows, tabs, and what is merged of its edits."""
    proposed = {proposal.name: proposal for proposal in proposals}
    answers: dict[str, list[DraftError]] = {}
    missing = draft.missing_answers()
    for error in missing:
        answers.setdefault(error.column, []).append(error)
    said = {name: one.text for name, one in labels.items()}
    rows = [
        _row(draft, name, proposed.get(name), answers.get(name, []), said.get(name, ""))
        for name in draft.header
    ]
    unconfirmed = provenance(draft)["unconfirmed"]
    needed = [name for name in draft.header if name in answers or name in unconfirmed]
    numbers = {"all": len(rows), "need": len(needed), "out": sum(row["out"] for row in rows)}
    return {
        "table": _digest(draft.header),
        "merged": [[mount, seq] for mount, seq in merged.last.items()],
        "kept": kept_draft(draft),
        "fresh": not any(_is_described(draft.column(name)) for name in draft.header),
        "long": len(rows) > LONG,
        "words": text.HEADS,
        "placeholders": text.PLACEHOLDERS,
        "scales": ["; ".join(scale) for scale in known_scales()],
        "tabs": {tab: f"{label} {numbers[tab]:,}" for tab, label in text.TABS.items()},
        "rows": rows,
        "needed": needed,
        "first": next(([e.column, e.field] for e in missing if e.column), None),
        "missing": _missing(missing, len(needed)),
    }


def _missing(missing: tuple[DraftError, ...], needed: int) -> str:
    """Say how many columns need an answer, as the tab does; one on the whole table says which."""
    if len(missing) == 1 and not missing[0].column:
        return FORMAT_ANSWER if missing[0].field == f"{ANSWER}{FORMAT}" else missing[0].sentence
    others = sum(not error.column for error in missing)
    return f"{text.missing_answers(needed, others)}." if missing else ""


def _digest(header: tuple[str, ...]) -> str:
    """Return what tells tables with other columns apart."""
    return sha256(json.dumps(header).encode()).hexdigest()


def _is_described(column: Column) -> bool:
    """Tell whether a column's cells hold anything that was not read from the file."""
    cells = [column[name] for name in TYPED]
    return any(not cell.empty and cell.origin is not Source.FILE for cell in cells)


def _row(
    draft: Draft,
    name: str,
    proposal: ColumnProposal | None,
    errors: list[DraftError],
    label: str,
) -> dict[str, Any]:
    """Compose the line of one column."""
    column, use = draft.column(name), draft.use_of(name)
    source = column.cells_origin or column.typed_origin
    row = {
        **{field: column[field].text for field in FIELDS},
        "name": name,
        "label": label,
        "use": use or "",
        "uses": _uses(draft, use),
        "steps": [*_values(draft, column)] if use is Use.SCALE else [],
        "source": source,
        "sources": _sources(column, source),
        "seen": column.seen,
        "out": use in (Use.OUT, Use.PERSON),
        "bad": [field for e in errors for field in _wrong_cells(column, e)],
    }
    return {**row, **_message(draft, column, use, proposal, errors)}


def _wrong_cells(column: Column, error: DraftError) -> list[str]:
    """Name the cells that an error is about and that are wrong: an empty one is only missing."""
    if error.field.startswith(ANSWER):
        return []
    cells = column.used
    return [f for f in (error.field, *error.others) if f in cells and not cells[f].empty]


def _uses(draft: Draft, use: Use | None) -> list[tuple[str, str]]:
    if use is Use.PERSON:
        return [(Use.PERSON, f"the {draft.who.one}")]
    choices = [(key.value, label) for key, label in text.USES.items()]
    return choices if use else [("", text.CHOOSE), *choices]


def _sources(column: Column, source: Source) -> list[tuple[str, str]]:
    """Return what can be named as the source: nothing but the truth after a look."""
    offered = [source] if column.seen or source not in NAMED else [*NAMED]
    return [(s.value, f"{text.DOTS.get(s, text.HALF)} {text.SOURCES[s]}") for s in offered]


def _message(
    draft: Draft,
    column: Column,
    use: Use | None,
    proposal: ColumnProposal | None,
    errors: list[DraftError],
) -> dict[str, Any]:
    """Say what is wrong with a column, else what is asked of it, else what was found.

    Where nothing is typed yet a question comes first: a range would answer what it was not shown.
    """
    again = (text.TYPE_AGAIN, [[field, ""] for field in column.file_fields])
    if use is Use.PERSON:
        return _said("person", text.names_person(draft.who.one))
    if use is Use.OUT:
        if column["use"].origin is Source.FILE:
            return _said("unconfirmed", column.note, (text.STAYS_OUT, [["use", Use.OUT]]))
        return _said("out", column.note)
    wrong = [error for error in errors if not error.field.startswith(ANSWER)]
    questions = [e for e in errors if e not in wrong and e.field != f"{ANSWER}{KEEP}"]
    is_empty = all(cell.empty for cell in column.used.values())
    if wrong and not (is_empty and questions):
        state = "empty" if is_empty else "wrong"
        known = proposal.values if proposal and is_empty and use in LISTS else ()
        listed = (text.values_in_order(known), [["values", join_values(known, draft.reading)]])
        actions = [again] * bool(column.file_fields) + [listed] * bool(known)
        return _said(state, "; ".join(error.sentence for error in wrong), *actions)
    keep = (text.KEEP_IT, [[f"{ANSWER}{KEEP}", KEEP]])
    if questions:
        asked = _question(questions[0], proposal, draft)
        if column.file_fields:
            return _said("file", *asked, again, *([] if column.kept else [keep]))
        return _said("question", *asked)
    if column.file_fields:
        if column.kept:
            return _said(
                "file", "; ".join((text.KEPT_AS_READ, *_read_otherwise(column, draft))), again
            )
        said = text.somebodys(column.file_fields[-1], draft.who.one)
        return _said("file", said, again, keep)
    said = text.takes(use, len(_values(draft, column)), scale=SCALE in column.asked)
    said = said or column.note or (text.VERY_WIDE if is_very_wide(column, draft.reading) else "")
    return _said("ready", "; ".join((*_read_otherwise(column, draft), *([said] if said else []))))


def _values(draft: Draft, column: Column) -> tuple[str, ...]:
    """Return a column's list of values."""
    return split_values(column["values"].text, draft.reading)


def _read_otherwise(column: Column, draft: Draft) -> list[str]:
    """Say what numbers and lists are read as that look like others; each text once."""
    cells = column.used.items()
    texts = [cell.text for name, cell in cells if name in TYPED[:3] and not cell.empty]
    lists = [column["values"].text] if column.use in LISTS else []
    if column.use is Use.NUMBER:
        texts += split_values(column["missing"].text, draft.reading)
    said = [read_otherwise(one, draft.reading) for one in dict.fromkeys(texts)]
    said += [list_read_otherwise(one, draft.reading) for one in (*lists, column["missing"].text)]
    return [sentence for sentence in said if sentence]


def _question(
    error: DraftError, proposal: ColumnProposal | None, draft: Draft
) -> tuple[str | tuple[str, list[tuple[str, str]]], ...]:
    """Return the sentence of an open question, and each answer with the edit that it is."""
    key = error.field.removeprefix(ANSWER)
    found = next((q for q in (proposal.questions if proposal else ()) if q.key == key), None)
    if found is None or proposal is None:
        return (error.sentence,)
    edits = (answer_edits(proposal, key, answer, draft.reading) for answer in found.answers)
    cost = text.cost_of_category(len(proposal.values)) if key == SCALE and proposal.values else ""
    return (found.sentence + cost, *zip(found.answers, edits, strict=True))


def _said(state: str, message: Any, *actions: Any) -> dict[str, Any]:
    """Return a message, and the edits that its buttons make."""
    buttons = [{"label": label, "cells": cells} for label, cells in actions]
    return {"state": state, "message": message, "actions": buttons}


def _of(columns: Iterable[tuple[str, Source | None]], *sources: Source) -> tuple[str, ...]:
    return tuple(name for name, source in columns if source in sources)


def private_lines(draft: Draft) -> tuple[tuple[Source, str, str], ...]:
    """Say what keeps the result from being private: a source for the dot, columns, and why."""
    found, lines = provenance(draft), []
    for group, (source, sentence) in text.PROVENANCE.items():
        if names := found[group]:
            public = source in PUBLIC
            subject = text.public_columns(len(names)) if public else named(names)
            lines.append((source, subject, sentence))
    if (origin := origin_of_format(draft.asked)) is not None:
        lines.append((origin, FORMAT_SUBJECT, text.FORMAT_SOURCES[origin]))
    return tuple(lines)


def skeleton() -> str:
    """Return the markup: tabs, filter, offer, heads, room for rows, and the way on."""
    quiet = {"class_": "dpca-tab", "aria_pressed": "false"}
    tabs = [button(label, data_part=tab, **quiet) for tab, label in text.TABS.items()]
    find = element("span", text.FIND) + element("input", type="search", data_part="find")
    offer = element("span", text.OFFER) + button(text.USE_THEM, data_part="use_them")
    offer += button(text.AFRESH, data_part="afresh")
    # Heads have the places of the cells below them; the last says what messages are.
    shown = [(name, escape(text.HEADS[name])) for name in text.HEADS if name not in NOT_HEADS]
    shown.append(("said", element("span", escape(text.HEADS["message"]), class_="dpca-unseen")))
    heads = [
        element("span", words, role="columnheader", class_=f"dpca-cell dpca-{name}")
        for name, words in shown
    ]
    head = element("div", *heads, role="row", class_="dpca-heads")
    rows = [
        element("div", head, role="rowgroup"),
        element("div", role="rowgroup", data_part="body"),
    ]
    about = {"role": "table", "aria_label": text.TABLE, "spellcheck": "false"}
    missing = element("button", type="button", class_="dpca-missing", data_part="missing")
    return "".join(
        (
            element("div", *tabs, class_="dpca-tabs"),
            element("label", find, class_="dpca-find", hidden=True),
            element("div", offer, class_="dpca-offer", data_part="offer", hidden=True),
            element("div", *rows, class_="dpca-table", **about),
            element("datalist", id="dpca-scales", data_part="scales"),
            element("div", class_="dpca-end", data_part="end"),
            element("div", missing, button(text.DECIDE, data_part="decide"), class_="dpca-way-on"),
        )
    )


def is_very_wide(column: Column, form: TextFileFormat = POINT) -> bool:
    """Tell whether a number's range is far wider than its typical value.

    Without a typical value the one sign is an upper end of nines. A typical value of 0 says
    nothing of the width.
    """
    if column.use is not Use.NUMBER:
        return False
    low, typical, high = (
        parsed_number(column[name].text, form) for name in ("low", "typical", "high")
    )
    if low is None or high is None:
        return False
    if typical is None:
        return _ALL_NINES.fullmatch(with_decimal_point(column["high"].text, form)) is not None
    return bool(typical) and high / TIMES_TYPICAL - low / TIMES_TYPICAL > abs(typical)
