"""The choices about a table's columns, as controls: which are used, of which kind, in which range.

What an editor shows is a picture of the draft; what is typed is merged into the draft, cell by
cell, before another picture is made. So nothing that is typed depends on an editor's life.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import streamlit as st

from dpca_core.data.column_names import TableError
from dpca_core.data.encoding import categories_of
from dpca_core.data.recipe import Missing, Number
from dpca_core.data.scaling import rounded_ranges
from ui.data.category_lists import SEPARATOR, written
from ui.data.column_kinds import different_texts
from ui.data.draft import NOTHING_FOUND, NOTHING_SAID, Draft, Found, Kind, filled, finite_or_none
from ui.data.kept_table import Taken, current, keep, keyed, renewed
from ui.text.numbers import count, escape_markdown

if TYPE_CHECKING:
    from pandas import DataFrame


IN_FILE = "read from the file"
ROW_HEIGHT, RANGES_HEIGHT, VALUES_HEIGHT = 35, 420, 320
MOST_NAMED = 60


@dataclass(frozen=True)
class Picture:
    """What an editor was given: its rows by column name, what was read, cells and the frame."""

    names: tuple[str, ...]
    read: tuple[str, ...]
    version: int
    cells: tuple[dict[str, Any], ...]
    frame: "DataFrame"


def choose_columns(found: Taken, missing: Missing) -> Draft:
    """Draw which columns are used, of which kind, and their public ranges and categories."""
    draft = current()
    left, right = st.columns(2)
    with left:
        st.multiselect(
            "Leave out", draft.names, draft.left_out, key=keyed("leave_out"),
            on_change=_leave_out,
        )  # fmt: skip
    with right:
        st.multiselect(
            "Categories", draft.used, draft.used_as(Kind.CATEGORY),
            key=keyed("categories"), on_change=_categories,
            help="A category becomes one column of zeros and ones for each of its values. Every "
            "other column that is used is a number.",
        )  # fmt: skip
    _say_unusual(draft)
    if st.button(
        "Fill ranges and categories in from the file",
        key="fill",
        help="Fills what is empty and reads private data for it. What you have typed stays.",
    ):
        draft = keep(filled(current(), _table_to_fill_from(found, draft), _read))
        renewed("bounds_are_public")
    if draft.ranged and (numbers := draft.used_as(Kind.NUMBER)):
        st.caption("Public range of each number. What lies outside is cut to the range.")
        _editor("ranges", numbers, _ends_read(draft, numbers), _range_cells, RANGES_HEIGHT)
    if names := draft.used_as(Kind.CATEGORY):
        other = "treated as missing" if missing is Missing.CENTRE else "none of them; its row stays"
        st.caption(
            f"Public values of each category, separated by “{SEPARATOR}”; a value that holds "
            f"“{SEPARATOR}” stands in quotation marks. Any other value is {other}."
        )
        _editor("values", names, _values_read(draft, names), _value_cells, VALUES_HEIGHT)
    return current()


def _table_to_fill_from(found: Taken, draft: Draft) -> "DataFrame":
    """Return the table with codes such as ``01`` as they are written, where they are categories."""
    codes = [name for name in draft.used_as(Kind.CATEGORY) if name in draft.roles.numeric]
    try:
        return found.as_texts(codes)
    except TableError:
        return found.table


def _leave_out() -> None:
    keep(current().leaving_out(st.session_state[keyed("leave_out")]))
    renewed("categories")


def _categories() -> None:
    keep(current().as_categories(st.session_state[keyed("categories")]))


def _say_unusual(draft: Draft) -> None:
    """Name what is proposed to be left out, and texts that are used as numbers."""
    parts = [
        f"{escape_markdown(name)}: {reason}"
        for name, reason in draft.roles.left_out.items()
        if draft.is_out(name) and draft.entries.get(name, NOTHING_SAID).out is None
    ]
    if parts:
        more = f"; and {count(len(parts) - MOST_NAMED)} more" if len(parts) > MOST_NAMED else ""
        st.caption(f"Proposed to be left out: {'; '.join(parts[:MOST_NAMED])}{more}.")
    texts = [n for n in draft.used_as(Kind.NUMBER) if n not in draft.roles.numeric]
    if texts:
        names = ", ".join(map(escape_markdown, texts[:MOST_NAMED]))
        st.caption(f"Used as numbers, though they hold texts, which count as missing: {names}.")


def _editor(
    which: str,
    names: tuple[str, ...],
    read: tuple[str, ...],
    cells: Callable[[Draft, str], dict[str, Any]],
    height: int,
) -> None:
    """Draw an editor of the draft's cells; another picture only where its rows are others."""
    import pandas as pd

    _merge(which)
    old: Picture | None = st.session_state.get(which)
    stands = old is not None and f"{which}-{old.version}" in st.session_state
    if old is None or not stands or (old.names, old.read) != (names, read):
        given = tuple(cells(current(), name) for name in names)
        rows = [{"column": name, **row} for name, row in zip(names, given, strict=True)]
        frame = pd.DataFrame(rows)
        if any(read):
            frame[IN_FILE] = list(read)
        old = Picture(names, read, 1 if old is None else old.version + 1, given, frame)
        st.session_state[which] = old
    st.data_editor(
        old.frame, disabled=["column", IN_FILE], hide_index=True, key=f"{which}-{old.version}",
        height=min(ROW_HEIGHT * len(names) + ROW_HEIGHT + 3, height), width="stretch",
        on_change=_merge, args=(which,), column_config=_CONFIG, placeholder="",
    )  # fmt: skip
    _merge(which)


_CONFIG = {
    "column": st.column_config.TextColumn("Column", width="medium"),
    "low": st.column_config.NumberColumn("Low"),
    "high": st.column_config.NumberColumn("High"),
    "values": st.column_config.TextColumn("Values", width="large"),
    IN_FILE: st.column_config.TextColumn(
        "Read from the file",
        help="Used where your own cell is empty. Then the result is not private.",
    ),
}


def _merge(which: str) -> None:
    """Take what was typed into an editor into the draft."""
    old: Picture | None = st.session_state.get(which)
    edits = st.session_state.get(f"{which}-{old.version}") if old is not None else None
    if old is None or edits is None:
        return
    draft = current()
    changed = {int(row): cells for row, cells in edits.get("edited_rows", {}).items()}
    entries = dict(draft.entries)
    # All rows: a cell that is emptied again, as it was in the picture, is no edit any more.
    for row, (name, before) in enumerate(zip(old.names, old.cells, strict=True)):
        said = entries.get(name, NOTHING_SAID)
        entry = replace(said, **_typed({**before, **changed.get(row, {})}))
        if entry != said:
            entries[name] = entry
    if entries != draft.entries:
        keep(replace(draft, entries=MappingProxyType(entries)))


def _typed(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Cells of a row as an entry keeps them."""
    found: dict[str, Any] = {}
    for end in ("low", "high"):
        if end in cells:
            found[end] = finite_or_none(cells[end])
    if "values" in cells:
        found["values"] = str(cells["values"] or "")
    return found


def _range_cells(draft: Draft, name: str) -> dict[str, Any]:
    said = draft.entries.get(name, NOTHING_SAID)
    low, high = (float("nan") if end is None else end for end in (said.low, said.high))
    return {"low": low, "high": high}


def _value_cells(draft: Draft, name: str) -> dict[str, Any]:
    return {"values": draft.entries.get(name, NOTHING_SAID).values}


def _ends_read(draft: Draft, names: tuple[str, ...]) -> tuple[str, ...]:
    found = (draft.found.get(name, NOTHING_FOUND) for name in names)
    return tuple("" if one.low is None else f"{one.low:.15g} to {one.high:.15g}" for one in found)


def _values_read(draft: Draft, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(written(draft.found.get(name, NOTHING_FOUND).values) for name in names)


def _read(table: "DataFrame", name: str, kind: Kind) -> Found:
    """Read one column's extremes, rounded outwards, or its categories: not private."""
    if kind is Kind.CATEGORY:
        column = table[name]
        texts = column.dtype.kind in "OT"
        return Found(
            values=tuple(sorted(different_texts(column))) if texts else categories_of(column)
        )
    low, high = _ends(table[name])
    ends = rounded_ranges([Number(name, low, high)])[0]
    return Found(ends.low, ends.high)


def _ends(column: Any) -> tuple[float, float]:
    import numpy as np
    from pandas import to_numeric

    if column.dtype.kind not in "iufb":
        column = to_numeric(column.astype("string"), errors="coerce")
    values = column.to_numpy(dtype=float, na_value=np.nan)
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
