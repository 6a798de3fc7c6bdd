"""The table and the draft that a session keeps, and how controls become views of the draft."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from dpca_core.data.recipe import NumberFormat, Reading
from dpca_core.readers.files import Upload
from dpca_core.readers.open_source import is_parquet
from dpca_core.readers.table import proposed_format, read_table
from ui.data.column_kinds import Roles
from ui.data.draft import Draft
from ui.data.person_columns import repeated_ids

if TYPE_CHECKING:
    from pandas import DataFrame


DRAFT, TABLE, VERSIONS = "draft", "table", "versions"
VIEWS = (
    "leave_out", "categories", "whose", "person", "bounds_are_public", "format.delimiter",
    "format.decimal", "format.thousands", "format.encoding", "format.missing",
)  # fmt: skip
"""Controls that begin again with another table."""


@dataclass(frozen=True)
class Taken:
    """The table that is prepared: a whole one, or the first rows of one on the server's disk.

    Attributes
    ----------
    table
        What is previewed and proposed from; a release never reads it.
    upload
        The file as it was uploaded, or the first rows of the one on the server.
    path
        Where it lies on the server.
    number_format, reading
        How ``table`` was read.
    """

    name: str
    table: "DataFrame"
    upload: Upload
    number_format: NumberFormat
    path: Path | None = None
    reading: Reading = Reading.STRICT

    @classmethod
    def proposed(
        cls, name: str, upload: Upload, path: Path | None = None, reading: Reading = Reading.STRICT
    ) -> "Taken":
        """Read a table in the format that is proposed for it.

        Raises
        ------
        TableError
            Where it is none, in one sentence.
        """
        number_format = proposed_format(upload)
        table = read_table(upload.name, upload.content, number_format, reading=reading)
        return cls(name, table, upload, number_format, path, reading)

    @property
    def is_text(self) -> bool:
        """Whether the table is text, in which numbers can be written in several ways."""
        return not is_parquet(self.upload)

    @property
    def streamed(self) -> bool:
        """Whether it is read where it lies, in one pass."""
        return self.path is not None

    def as_texts(self, names: Collection[str]) -> "DataFrame":
        """Return the table with some columns as they are written: ``01`` is not ``1``."""
        if not names or not self.is_text:
            return self.table
        file = self.upload
        return read_table(file.name, file.content, self.number_format, names, self.reading)


def current() -> Draft:
    """Return the session's draft."""
    draft: Draft = st.session_state.setdefault(DRAFT, Draft())
    return draft


def keep(draft: Draft) -> Draft:
    """Make this the session's draft."""
    st.session_state[DRAFT] = draft
    return draft


def keyed(name: str) -> str:
    """Return a control's key: another one after ``renewed``, so that it is drawn anew.

    A control starts at the draft's value, and then keeps what its visitor may just be changing. Its
    state is never set from here: a browser that skips the one picture which says so would send the
    old value back, and undo the change.
    """
    versions: dict[str, int] = st.session_state.get(VERSIONS, {})
    return f"{name}.{versions.get(name, 0)}"


def renewed(*names: str) -> None:
    """Draw these controls anew, from the draft."""
    versions: dict[str, int] = st.session_state.get(VERSIONS, {})
    st.session_state[VERSIONS] = {**versions, **{n: versions.get(n, 0) + 1 for n in names}}


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
    renewed(*VIEWS)
    names, roles, repeated = _looked_at(found.table)
    draft = current().of_table(names, roles, repeated, found.number_format, found.reading)
    keep(draft)
    st.session_state[TABLE] = found


def read_again(found: Taken, number_format: NumberFormat) -> Taken:
    """Read the same table in another format.

    Raises
    ------
    TableError
        Where it cannot be read so; the draft and the table stay as they were.
    """
    file = found.upload
    table = read_table(file.name, file.content, number_format, reading=found.reading)
    other = replace(found, table=table, number_format=number_format)
    names, roles, repeated = _looked_at(table)
    renewed(*(name for name in VIEWS if not name.startswith("format.")))
    keep(current().read_again(names, roles, repeated))
    st.session_state[TABLE] = other
    return other


def _looked_at(table: "DataFrame") -> tuple[tuple[str, ...], Roles, Any]:
    return tuple(map(str, table.columns)), Roles.of(table), repeated_ids(table)
