"""The table and the draft that a session keeps, and how controls become views of the draft."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from dpca_core.choices import NumberFormat, Reading
from dpca_core.sources import PARQUET_ENDINGS
from dpca_core.tables import Upload, read_table
from ui.draft import Draft
from ui.kinds import Roles
from ui.whose import repeated_ids

if TYPE_CHECKING:
    from pandas import DataFrame

DRAFT, TABLE, PARQUET = "draft", "table", b"PAR1"
VIEWS = (
    "leave_out", "categories", "whose", "person", "bounds_are_public", "format.delimiter",
    "format.decimal", "format.thousands", "format.encoding", "format.missing",
)  # fmt: skip
"""Keys of controls that begin again with another table."""


@dataclass(frozen=True)
class Taken:
    """The table that is prepared: a whole one, or the first rows of one on the server's disk.

    Attributes
    ----------
    table
        What is previewed and proposed from; a release never reads it.
    upload, path
        The file as it was uploaded, or where it lies on the server.
    number_format, reading
        How ``table`` was read.
    """

    name: str
    table: "DataFrame"
    number_format: NumberFormat
    upload: Upload | None = None
    path: Path | None = None
    reading: Reading = Reading.STRICT

    @property
    def is_text(self) -> bool:
        """Whether the table is text, in which numbers can be written in several ways."""
        if self.upload is not None:
            return self.upload.content[:4] != PARQUET
        return self.path is None or not str(self.path).lower().endswith(PARQUET_ENDINGS)


def current() -> Draft:
    """Return the session's draft."""
    draft: Draft = st.session_state.setdefault(DRAFT, Draft())
    return draft


def keep(draft: Draft) -> Draft:
    """Make this the session's draft."""
    st.session_state[DRAFT] = draft
    return draft


def shown(key: str, value: Any) -> str:
    """Give a control that is drawn anew the draft's value, and return its key.

    A control that stands keeps what its visitor may just be changing.
    """
    if key not in st.session_state:
        st.session_state[key] = value
    return key


def merged(**values: Any) -> Draft:
    """Take what controls return into the draft."""
    draft = current()
    changed = {name: value for name, value in values.items() if getattr(draft, name) != value}
    return keep(replace(draft, **changed)) if changed else draft


def taken() -> Taken | None:
    """Return the table that is prepared; None before there is one."""
    found: Taken | None = st.session_state.get(TABLE)
    return found


def take(found: Taken) -> None:
    """Make a table the one that is prepared; what was typed before stays by its column's name."""
    for key in VIEWS:
        st.session_state.pop(key, None)
    names, roles, repeated = _looked_at(found.table)
    draft = current().of_table(names, roles, repeated, found.number_format, found.reading)
    keep(draft)
    st.session_state[TABLE] = found


def read_again(found: Taken, number_format: NumberFormat) -> Taken:
    """Read the same upload in another format.

    Raises
    ------
    TableError
        Where it cannot be read so; the draft and the table stay as they were.
    """
    assert found.upload is not None
    table = read(found.upload, number_format, found.reading)
    other = replace(found, table=table, number_format=number_format)
    names, roles, repeated = _looked_at(table)
    if names != current().names:
        for key in ("leave_out", "categories", "whose", "person"):
            st.session_state.pop(key, None)
    keep(current().read_again(names, roles, repeated))
    st.session_state[TABLE] = other
    return other


def read(upload: Upload, number_format: NumberFormat, reading: Reading) -> "DataFrame":
    """Read a file for the preview and for proposals.

    Raises
    ------
    TableError
        Where it is no table, in one sentence.
    """
    if reading is Reading.STRICT:
        return read_table(upload.name, upload.content, number_format)
    return read_table(upload.name, upload.content, number_format, reading)


def _looked_at(table: "DataFrame") -> tuple[tuple[str, ...], Roles, Any]:
    return tuple(map(str, table.columns)), Roles.of(table), repeated_ids(table)
