"""What the table of columns in the browser shows, from the draft and what was proposed.

Nothing here reads the file.
"""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape
from types import MappingProxyType
from typing import Any

from dpca_core.data.column_names import label
from dpca_core.data.known_scales import known_scales
from dpca_core.data.recipe import Source
from dpca_core.detection.columns import ColumnProposal
from dpca_core.detection.questions import SCALE, named_values
from dpca_core.tables.table import Labels
from ui.owner.checked_column import DraftError
from ui.owner.column import ANSWER, FIELDS, LISTS, NAMED, PUBLIC, TYPED, Column, Use
from ui.owner.draft import Draft
from ui.owner.edits import Merged, kept_draft
from ui.owner.proposals import FORMAT, answer_edits
from ui.owner.steps import needing
from ui.owner.table_source import origin_of_format
from ui.owner.text import missing_answers, named, say
from ui.owner.typed_values import join_values, list_read_otherwise, read_otherwise, split_values
from ui.page.markup import button, element

LONG = 200
"""Columns from which the table has a filter by name."""
NOT_HEADS = ("values", "message")
"""Cells under heads of others, or under none."""

_USES, _SOURCES, _HEADS, _TABS = map(say.table, ("uses", "sources", "heads", "tabs"))

Action = tuple[str, list[tuple[str, str]]]
"""Words on a button beside a column, and the edits that it makes."""


def headline(draft: Draft) -> str:
    """Say how many columns are ready, and whether any was read from the file."""
    waiting = {*needing(draft)}
    ready = sum(column.name not in waiting for column in draft.used)
    read = sum(column.origin is Source.FILE and not _asks(column) for column in draft.used)
    total, unconfirmed = len(draft.used), len(draft.unconfirmed)
    columns = "column is" if total == 1 else "columns are"
    said = say("ready_columns", ready=ready, total=total, columns=columns)
    if read:
        said += " " + say("read_columns", number=read)
    elif unconfirmed:
        said += " " + say("unconfirmed_columns", number=unconfirmed)
    return said


def _asks(column: Column) -> bool:
    """Tell whether a question about a proposal is open: nothing of it counts as read as yet."""
    return bool(column.open_questions) and column.cells_origin is not Source.FILE


def table_content(
    draft: Draft,
    proposals: Iterable[ColumnProposal],
    merged: Merged,
    labels: Mapping[str, Labels] = MappingProxyType({}),
) -> dict[str, Any]:
    """Compose what the table in the browser gets: rows, tabs, and what is merged of its edits."""
    proposed = {proposal.name: proposal for proposal in proposals}
    errors: dict[str, list[DraftError]] = {}
    missing = draft.missing_answers
    for error in missing:
        errors.setdefault(error.column, []).append(error)
    rows = [
        _row(draft, name, proposed.get(name), errors.get(name, []), labels.get(name, Labels()))
        for name in draft.header
    ]
    needed = [*needing(draft)]
    numbers = {"all": len(rows), "need": len(needed), "out": sum(row["out"] for row in rows)}
    return {
        "table": sha256(json.dumps(draft.header).encode()).hexdigest(),
        "merged": [[mount, seq] for mount, seq in merged.items()],
        "kept": kept_draft(draft),
        "fresh": not any(_is_described(draft.column(name)) for name in draft.header),
        "long": len(rows) > LONG,
        "words": _HEADS,
        "placeholders": say.table("placeholders"),
        "tabs": {tab: f"{label} {numbers[tab]:,}" for tab, label in _TABS.items()},
        "rows": rows,
        "needed": needed,
        "first": next(([e.column, e.field] for e in missing if e.column), None),
        "missing": _missing(missing, len(needed)),
    }


def _missing(missing: tuple[DraftError, ...], needed: int) -> str:
    """Say how many columns need an answer, as the tab does; one on the whole table says which."""
    if len(missing) == 1 and not missing[0].column:
        is_format = missing[0].field == f"{ANSWER}{FORMAT}"
        return say("format_answer") if is_format else missing[0].sentence
    others = sum(not error.column for error in missing)
    return f"{missing_answers(needed, others)}." if missing else ""


def _is_described(column: Column) -> bool:
    """Tell whether a column's cells hold anything that was not read from the file."""
    cells = [column[name] for name in TYPED]
    return any(not cell.empty and cell.origin is not Source.FILE for cell in cells)


def _row(
    draft: Draft,
    name: str,
    proposal: ColumnProposal | None,
    errors: list[DraftError],
    labels: Labels,
) -> dict[str, Any]:
    """Compose the line of one column."""
    column, use = draft.column(name), draft.use_of(name)
    source = column.cells_origin or column.typed_origin
    # After a look nothing but the truth can be named as the source.
    sources = [source] if column.seen or source not in NAMED else [*NAMED]
    uses = [*_USES.items()]
    if use is Use.PERSON:
        uses = [(Use.PERSON, f"the {draft.who.one}")]
    elif use is None:
        uses = [("", say("choose_use")), *uses]
    values = split_values(column["values"].text, draft.reading)
    known = dict(labels.values) or column.labels
    cells = column.used
    # An empty cell is only missing.
    wrong = [f for e in errors for f in (e.field, *e.others) if f in cells and not cells[f].empty]
    state, message, actions = _message(draft, column, proposal, errors, known)
    return {
        **{field: column[field].text for field in FIELDS},
        "name": name,
        "label": labels.text or column.title,
        "use": use or "",
        "uses": uses,
        "steps": [(v, known.get(v, "")) for v in values] if use is Use.SCALE else [],
        "source": source,
        "sources": [(one.value, _SOURCES[one]) for one in sources],
        "seen": column.seen,
        "out": use in (Use.OUT, Use.PERSON),
        "bad": wrong,
        "state": state,
        "message": message,
        "actions": [{"label": words, "cells": edits} for words, edits in actions],
    }


def _message(
    draft: Draft,
    column: Column,
    proposal: ColumnProposal | None,
    errors: list[DraftError],
    labels: Mapping[str, str],
) -> tuple[str, str, list[Action]]:
    """Say what is wrong with a column, else what is asked of it, else what was found.

    Where nothing is typed yet a question comes first: a range would answer what it was not shown.
    """
    use = draft.use_of(column.name)
    if use is Use.PERSON:
        return "person", say("names_person", one=draft.who.one), []
    if use is Use.OUT:
        if column["use"].origin is Source.FILE:
            return "unconfirmed", column.note, [(say("stays_out"), [("use", Use.OUT)])]
        return "out", column.note, []
    read = [name for name, cell in column.used.items() if cell.origin is Source.FILE]
    again: list[Action] = [(say("type_again"), [(field, "") for field in read])] if read else []
    wrong = [error for error in errors if not error.field.startswith(ANSWER)]
    questions = [error for error in errors if error not in wrong]
    is_empty = all(cell.empty for cell in column.used.values())
    if questions and (is_empty or not wrong):
        sentence, answers = _question(questions[0], proposal, draft)
        return "file" if read else "question", sentence, [*answers, *again]
    if wrong:
        known = proposal.values if proposal and is_empty and use in LISTS else ()
        listed = [
            (
                f"Take {' < '.join(map(label, known))}",
                [("values", join_values(known, draft.reading))],
            )
        ]
        state = "empty" if is_empty else "wrong"
        return state, "; ".join(e.sentence for e in wrong), again + listed * bool(known)
    if read:
        return "file", say.table("somebodys", one=draft.who.one)[read[-1]], again
    values = split_values(column["values"].text, draft.reading) if use in LISTS else ()
    said = [
        *_read_otherwise(column, draft),
        _takes(column, len(values)) or column.note,
        named_values({v: labels[v] for v in values if v in labels and use is Use.CATEGORY}),
    ]
    return "ready", "; ".join(filter(None, said)), []


def _takes(column: Column, values: int) -> str:
    """Say how many columns a list takes after coding; "" for a number."""
    if column.use is Use.SCALE:
        return say("takes_one")
    as_scale = say("as_scale") if SCALE in column.asked else ""
    return say("takes", values=values) + as_scale if column.use is Use.CATEGORY else ""


def _read_otherwise(column: Column, draft: Draft) -> list[str]:
    """Say what numbers and lists are read as that look like others; each text once."""
    form, codes = draft.reading, column["missing"].text
    if column.use in LISTS:
        return [list_read_otherwise(one, form) for one in (column["values"].text, codes)]
    numbers = [*(cell.text for cell in column.used.values()), *split_values(codes, form)]
    said = [read_otherwise(one, form) for one in dict.fromkeys(numbers)]
    return [*said, list_read_otherwise(codes, form)]


def _question(
    error: DraftError, proposal: ColumnProposal | None, draft: Draft
) -> tuple[str, list[Action]]:
    """Return the sentence of an open question, and each answer with the edits that it is."""
    key = error.field.removeprefix(ANSWER)
    found = next((q for q in (proposal.questions if proposal else ()) if q.key == key), None)
    if found is None or proposal is None:
        return error.sentence, []
    edits = ((a, answer_edits(proposal, key, a, draft.reading)) for a in found.answers)
    cost = ""
    if key == SCALE and proposal.values:
        cost = f" A scale takes one column, a category {len(proposal.values)}."
    return found.sentence + cost, [*edits]


def private_lines(draft: Draft) -> tuple[tuple[Source, str, str], ...]:
    """Say what keeps the result from being private: a source for the dot, columns, and why."""
    used = [(c.name, c.cells_origin if _asks(c) else c.origin) for c in draft.used]
    every = [*used, *((column.name, column.origin) for column in draft.left_out)]
    groups = [
        (Source.FILE, _of(used, Source.FILE), say("read")),
        (Source.FILE, draft.unconfirmed, say("unconfirmed")),
        *(
            (Source(one), _of(every, Source(one)), why)
            for one, why in say.table("provenance").items()
        ),
    ]
    lines = [(source, named(names), why) for source, names, why in groups if names]
    if number := len(_of(used, *PUBLIC)):
        subject = "1 column" if number == 1 else f"{number:,} columns"
        lines.append((Source.CODEBOOK, subject, say("public")))
    if (origin := origin_of_format(draft.asked)) is not None:
        lines.append((origin, say("format_title"), say.table("format_sources")[origin]))
    return tuple(lines)


def _of(columns: Iterable[tuple[str, Source | None]], *sources: Source) -> tuple[str, ...]:
    return tuple(name for name, source in columns if source in sources)


def skeleton() -> str:
    """Return the markup: tabs, filter, offer, heads, room for rows, and the way on."""
    quiet = {"class_": "dpca-tab", "aria_pressed": "false"}
    tabs = [button(label, data_part=tab, **quiet) for tab, label in _TABS.items()]
    find = element("span", say("find")) + element("input", type="search", data_part="find")
    offer = element("span", say("offer")) + button(say("use_them"), data_part="use_them")
    offer += button(say("afresh"), data_part="afresh")
    # Heads have the places of the cells below them; the last says what messages are.
    shown = {name: escape(words) for name, words in _HEADS.items() if name not in NOT_HEADS}
    shown["said"] = element("span", escape(_HEADS["message"]), class_="dpca-unseen")
    heads = "".join(
        element("span", words, role="columnheader", class_=f"dpca-cell dpca-{name}")
        for name, words in shown.items()
    )
    missing = element("button", type="button", class_="dpca-missing", data_part="missing")
    scales = (element("option", value="; ".join(scale)) for scale in known_scales())
    return f"""
<div class="dpca-tabs">{"".join(tabs)}</div>
<label class="dpca-find" hidden>{find}</label>
<div class="dpca-offer" data-part="offer" hidden>{offer}</div>
<div class="dpca-table" role="table" aria-label="{say("table")}" spellcheck="false">
  <div role="rowgroup"><div role="row" class="dpca-heads">{heads}</div></div>
  <div role="rowgroup" data-part="body"></div>
</div>
<datalist id="dpca-scales">{"".join(scales)}</datalist>
<div class="dpca-end" data-part="end"></div>
<div class="dpca-way-on">{missing}{button(say("decide"), data_part="decide")}</div>"""
