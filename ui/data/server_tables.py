"""Tables on the server's own disk, in folders that whoever runs it has allowed."""

import os
import stat
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from time import monotonic

import streamlit as st

from dpca_core.data.column_names import TableError, shown
from dpca_core.readers.open_source import CSV_ENDINGS, PARQUET_ENDINGS, tables_in
from dpca_core.readers.preview import first_rows_as_upload
from ui.data.kept_table import Taken, take
from ui.text.numbers import escape_markdown

UPLOAD, SERVER = "On my computer", "On this server"
FOLDERS, MOST, LISTED, LOOKED = "DPCA_FOLDERS", 1000, 10.0, 50_000
"""The environment's name for them; tables in the menu; seconds between two listings; names that a
listing looks at."""
ENDINGS = (*CSV_ENDINGS, *PARQUET_ENDINGS)


def folders() -> list[Path]:
    """Folders that the environment allows, their names separated as in PATH; none by default."""
    found = []
    for name in filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)):
        try:
            root = Path(name).resolve()
            if root.is_dir():
                found.append(root)
        except (OSError, RuntimeError, ValueError):
            continue
    return found


def tables() -> dict[str, Path]:
    """Return files, and folders that hold several, by the name that the menu shows."""
    return _listed(tuple(folders()), int(monotonic() / LISTED))


@lru_cache(maxsize=1)
def _listed(roots: tuple[Path, ...], _when: int) -> dict[str, Path]:
    """List what the roots hold; names of files, which everybody who is let in may see."""
    found: dict[str, Path] = {}
    alike = len({root.name for root in roots}) < len(roots)
    for root in roots:
        name = str(root) if alike else root.name
        for path in islice(_inside(root), MOST - len(found)):
            found[shown(f"{name}/{path.relative_to(root).as_posix()}")] = path
    return dict(sorted(found.items()))


def _inside(root: Path) -> Iterator[Path]:
    """Tables under a folder: plain files, nothing hidden, and no link, wherever it leads.

    Nothing is opened, and whoever may write into a folder can neither stop the listing nor make it
    long: pipes, links in a circle, folders that cannot be read and names that vanish are left out.
    """
    several: dict[Path, int] = {}
    linked, looked = set[Path](), 0
    for place, below, names in os.walk(root, followlinks=False):
        folder, looked = Path(place), looked + len(names) + len(below)
        below[:] = sorted(n for n in below if not _hidden(n) and _kind(folder / n) == stat.S_IFDIR)
        for name in sorted(names):
            kind = _kind(folder / name)
            if kind != stat.S_IFREG:
                linked.add(folder)
            elif not _hidden(name) and name.lower().endswith(ENDINGS):
                several[folder] = several.get(folder, 0) + 1
                yield folder / name
        if looked > LOOKED:
            return
    for folder, files in several.items():
        if files > 1 and folder != root and not any(p.is_relative_to(folder) for p in linked):
            yield folder


def _hidden(name: str) -> bool:
    return name.startswith(("_", "."))


def _kind(path: Path) -> int | None:
    """Say what a name stands for, a link for itself; None where it has vanished."""
    try:
        return stat.S_IFMT(path.lstat().st_mode)
    except OSError:
        return None


def parts_of(path: Path) -> int:
    """Count the files of a table: a machine takes one at a time."""
    try:
        return len(tables_in(path)) if path.is_dir() else 1
    except (OSError, TableError):
        return 1


def dask_there() -> bool:
    """Tell whether Dask is installed."""
    return find_spec("distributed") is not None


def choose_source() -> str:
    """Ask where the table comes from, if this server has folders to read; else it is uploaded."""
    if not folders():
        return UPLOAD
    return str(
        st.segmented_control(
            "Where the table is", [UPLOAD, SERVER], default=UPLOAD, required=True, key="source",
            on_change=_begin_again,
        )
    )  # fmt: skip


def _begin_again() -> None:
    for key in ("table", "scaling", "seen", "refused", "server.seen", "server.refused"):
        st.session_state.pop(key, None)


def choose_table() -> None:
    """Draw the menu; a table that cannot be read is named, the last good one stays."""
    known = tables()
    name = st.selectbox(
        "A table on this server, one row a person", [None, *known], key="server.table",
        format_func=lambda n: "Choose a file or a folder" if n is None else str(n),
        help="It is read where it lies, in one pass, and never held in memory as a whole.",
    )  # fmt: skip
    if name is None or name not in known:
        return
    if st.session_state.get("server.seen") == name:
        if message := st.session_state.get("server.refused"):
            st.error(escape_markdown(message))
        return
    st.session_state["server.seen"], st.session_state["server.refused"] = name, None
    try:
        with st.spinner(f"Reading the first rows of {escape_markdown(str(name))}"):
            path = known[name]
            found = Taken.proposed(str(name), first_rows_as_upload(path), path)
    except (TableError, OSError) as error:
        message = str(error) if isinstance(error, TableError) else f"{name} cannot be read now."
        st.session_state["server.refused"] = message
        st.error(escape_markdown(message))
        return
    take(found)
