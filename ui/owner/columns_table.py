"""What the table of columns in the browser shows, from draft and proposals; no file is read."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape
from itertools import groupby
from types import MappingProxyType
from typing import Any

from dpca_core.data.column_names import label
from dpca_core.data.known_scales import known_scales
from dpca_core.data.recipe import Source, Use
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.columns import ColumnProposal
from dpca_core.detection.questions import SCALE, named_values
from dpca_core.tables.table import Labels
from ui.owner.checked_column import DraftError
from ui.owner.column import ANSWER, FIELDS, LISTS, NAMED, PUBLIC, TYPED, Column
from ui.owner.draft import Draft
from ui.owner.edits import Merged, kept_draft
from ui.owner.proposals import FORMAT, answer_edits
from ui.owner.steps import needing
from ui.owner.table_source import origin_of_format
from ui.owner.text import missing_answers, named, say
from ui.owner.typed_values import (
    in_list,
    join_values,
    list_read_otherwise,
    read_otherwise,
    split_values,
)
from ui.page.markup import button, element

LONG = 200
"""Columns from which the table has a filter by name."""
_USES, _SOURCES, _HEADS, _TABS = map(say.table, ("uses", "sources", "heads", "tabs"))


def headline(draft: Draft) -> str:
    """Say how many columns are ready, and whether any was read from the file."""
    waiting = {*needing(draft)}
    ready = sum(column.name not in waiting for column in draft.used)
    read = sum(_source(column) is Source.FILE for column in draft.used)
    total, unconfirmed = len(draft.used), len(draft.unconfirmed)
    columns = "column is" if total == 1 else "columns are"
    said = say("ready_columns", ready=ready, total=total, columns=columns)
    if read:
        said += " " + say("read_columns", number=read)
    elif unconfirmed:
        said += " " + say("unconfirmed_columns", number=unconfirmed)
    return said


def _source(column: Column) -> Source | None:
    """Return where a column comes from: what is still asked about counts as read by nobody."""
    return column.cells_origin if column.open_questions else column.origin


def table_content(
    draft: Draft,
    proposals: Iterable[ColumnProposal],
    merged: Merged,
    labels: Mapping[str, Labels] = MappingProxyType({}),
) -> dict[str, Any]:
    """Compose what the table in the browser gets: rows, tabs, and what is merged of its edits."""
    proposed = {proposal.name: proposal for proposal in proposals}
    missing, needed = draft.missing_answers, needing(draft)
    errors = {name: [*found] for name, found in groupby(missing, lambda error: error.column)}
    rows = [
        _row(draft, name, proposed.get(name), errors.get(name, []), labels.get(name, Labels()))
        for name in draft.header
    ]
    numbers = {"all": len(rows), "need": len(needed), "out": sum(row["out"] for row in rows)}
    cells = (draft.column(name)[cell] for name in draft.header for cell in TYPED)
    return {
        "table": sha256(json.dumps(draft.header).encode()).hexdigest(),
        "merged": [*merged.items()],
        "kept": kept_draft(draft),
        "fresh": all(cell.origin in (None, Source.FILE) for cell in cells),
        "long": len(rows) > LONG,
        "words": _HEADS,
        "placeholders": say.table("placeholders"),
        "tabs": {tab: f"{words} {numbers[tab]:,}" for tab, words in _TABS.items()},
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


def _row(
    draft: Draft, name: str, proposal: ColumnProposal | None, errors: list[DraftError], said: Labels
) -> dict[str, Any]:
    """Compose the line of one column, of which its file has ``said`` something."""
    column, use = draft.column(name), draft.use_of(name)
    source = column.cells_origin or column.typed_origin
    # After a look nothing but the truth can be named as the source.
    sources = [source] if column.seen or source not in NAMED else NAMED
    uses = [*_USES.items()]
    if use is Use.PERSON:
        uses = [(Use.PERSON, f"the {draft.who.one}")]
    elif use is None:
        uses = [("", say("choose_use")), *uses]
    labels = dict(said.values) or column.labels
    steps = split_values(column["values"].text, draft.reading) if use is Use.SCALE else ()
    # An empty cell is only missing.
    filled = [field for field, cell in column.used.items() if not cell.empty]
    state, message, actions = _message(draft, column, proposal, errors, labels)
    if state == "ready" and said.missing:
        declared = say("declared_codes", codes=", ".join(said.missing))
        message = "; ".join(filter(None, (message, declared)))
    return {
        **{field: column[field].text for field in FIELDS},
        "name": name,
        "label": said.text or column.title,
        "use": use or "",
        "steps": [(in_list(v), f"{v} {labels.get(v, '')}".strip()) for v in steps],
        "source": source,
        "options": {"use": uses, "source": [(one.value, _SOURCES[one]) for one in sources]},
        "seen": column.seen,
        "out": use in (Use.OUT, Use.PERSON),
        "bad": [field for e in errors for field in (e.field, *e.others) if field in filled],
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
) -> tuple[str, str, list[tuple[str, list[tuple[str, str]]]]]:
    """Say what is wrong with a column, else what is asked of it, else what was found.

    Return its state, the sentence, and words on buttons with the edits that they make. Where
    nothing is typed yet a question comes first: a range would answer what it was not shown.
    """
    use, form, one = draft.use_of(column.name), draft.reading, draft.who.one
    if use is Use.PERSON:
        return "person", say("names_person", one=one), []
    if use is Use.OUT:
        if column["use"].origin is Source.FILE:
            return "unconfirmed", column.note, [(say("stays_out"), [("use", Use.OUT)])]
        return "out", column.note, []
    read = [field for field, cell in column.used.items() if cell.origin is Source.FILE]
    actions = [(say("type_again"), [(field, "") for field in read])] if read else []
    asked = {error.field for error in errors if error.field.startswith(ANSWER)}
    wrong = "; ".join(error.sentence for error in errors if error.field not in asked)
    is_empty = all(cell.empty for cell in column.used.values())
    known = proposal.questions if proposal else ()
    question = next((one for one in known if f"{ANSWER}{one.key}" in asked), None)
    if proposal and question and (is_empty or not wrong):
        sentence = question.sentence
        if question.key == SCALE and proposal.values:
            sentence += f" A scale takes one column, a category {len(proposal.values)}."
        answers = [
            (one, answer_edits(proposal, question.key, one, form)) for one in question.answers
        ]
        return "file" if read else "question", sentence, [*answers, *actions]
    if wrong:
        # Whoever chooses the use himself is still offered the list.
        if proposal and proposal.values and is_empty and use in LISTS:
            listed = [("values", join_values(proposal.values, form))]
            actions.append((f"Take {' < '.join(map(label, proposal.values))}", listed))
        return "empty" if is_empty else "wrong", wrong, actions
    if read:
        return "file", say.table("somebodys", one=one)[read[-1]], actions
    values = split_values(column["values"].text, form) if use in LISTS else ()
    said = [
        *_read_otherwise(column, form),
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


def _read_otherwise(column: Column, form: TextFileFormat) -> list[str]:
    """Say what numbers and lists are read as that look like others; each text once."""
    codes = column["missing"].text
    if column.use in LISTS:
        return [list_read_otherwise(one, form) for one in (column["values"].text, codes)]
    numbers = [*(cell.text for cell in column.used.values()), *split_values(codes, form)]
    said = [read_otherwise(one, form) for one in dict.fromkeys(numbers)]
    return [*said, list_read_otherwise(codes, form)]


def private_lines(draft: Draft) -> list[tuple[Source, str, str]]:
    """Say what keeps the result from being private: a source for the dot, columns, and why."""
    found: dict[Source | None, list[str]] = {source: [] for source in (*Source, None)}
    for column in (*draft.used, *draft.left_out):
        found[_source(column)].append(column.name)
    read = [column.name for column in draft.used if _source(column) is Source.FILE]
    groups = [
        (Source.FILE, read, say("read")),
        (Source.FILE, draft.unconfirmed, say("unconfirmed")),
        *((Source(one), found[Source(one)], why) for one, why in say.table("provenance").items()),
    ]
    lines = [(source, named(names), why) for source, names, why in groups if names]
    if number := sum(len(found[source]) for source in PUBLIC):
        subject = "1 column" if number == 1 else f"{number:,} columns"
        lines.append((Source.CODEBOOK, subject, say("public")))
    if (origin := origin_of_format(draft.asked)) is not None:
        lines.append((origin, say("format_title"), say.table("format_sources")[origin]))
    return lines


def skeleton() -> str:
    """Return the markup: tabs, filter, offer, heads, room for rows, and the way on."""
    quiet = {"class_": "dpca-tab", "aria_pressed": "false"}
    tabs = [button(label, data_part=tab, **quiet) for tab, label in _TABS.items()]
    find = element("span", say("find")) + element("input", type="search", data_part="find")
    offer = element("span", say("offer")) + button(say("use_them"), data_part="use_them")
    offer += button(say("afresh"), data_part="afresh")
    # Heads have the places of the cells below them; the last says what messages are.
    others = ("values", "message")
    shown = {name: escape(words) for name, words in _HEADS.items() if name not in others}
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
