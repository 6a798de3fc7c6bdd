"""The data sets of one visitor's session, which no other session can reach."""

import re
from collections.abc import MutableMapping

import streamlit as st
from cachetools import FIFOCache

from dpca_core.data.column_names import label
from dpca_core.data.dataset import OWN, Dataset
from sample_data import source_of
from ui.server.built_in import built_in
from ui.state.session import change_settings, settings
from ui.text.numbers import escape_markdown

MOST_UPLOADS = 4
"""Tables of its own that a session keeps; of more the oldest are dropped."""

ELSEWHERE = (
    "This link refers to a table uploaded in another session. Upload and prepare it again on “Your "
    "data”; your settings are kept."
)

STANDS_IN = "stand-in"
"""Session key: the data set that stands in for a table of one's own."""

STAND_IN = "Stand-in. Your file was not read."


def uploads() -> MutableMapping[str, Dataset]:
    """Return the data sets that this session prepared itself, by key."""
    if "datasets" not in st.session_state:
        st.session_state["datasets"] = FIFOCache(MOST_UPLOADS)
    own: MutableMapping[str, Dataset] = st.session_state["datasets"]
    return own


def add_upload(data: Dataset) -> None:
    """Keep a prepared table; the oldest beyond ``MOST_UPLOADS`` is dropped."""
    uploads()[data.key] = data


def get(key: str) -> Dataset | None:
    """Return a built-in or an uploaded data set; None where this session does not have it."""
    if key in uploads():
        return uploads()[key]
    held: tuple[str, Dataset] | None = st.session_state.get("built-in")
    if held is not None and held[0] == key:
        return held[1]
    if why_unavailable(key) is not None:
        return None
    data: Dataset = st.session_state["built-in"][1]
    return data


def is_available(key: str) -> bool:
    """Tell whether this session has the data of a key, uploaded or built in."""
    return why_unavailable(key) is None


def why_unavailable(key: str) -> str | None:
    """Say why this session does not have the data of a key; None where it does.

    A key comes from the address: whatever it asks for, a loader's refusal becomes a sentence.
    """
    if key in uploads():
        return None
    if re.fullmatch(f"{OWN}[0-9a-f]{{32}}", key):
        return ELSEWHERE
    if source_of(key) is None:
        return f"There is no data set called “{label(key)}”. Choose another."
    held: tuple[str, Dataset] | None = st.session_state.get("built-in")
    if held is None or held[0] != key:
        try:
            st.session_state["built-in"] = key, built_in(key)
        except ValueError as refused:
            return f"{refused} Choose another data set."
        except MemoryError:
            return "These data need more memory than this machine has. Choose another data set."
    return None


def show_in_explore(key: str, *, stand_in: bool = False) -> None:
    """Make a data set the one that the Explore page shows, with its own k and n.

    Parameters
    ----------
    stand_in
        Whether it is looked at in place of a table of one's own.
    """
    change_settings(data=key, k=0, n=0.0)
    st.session_state[STANDS_IN] = key if stand_in else None


def show_stand_in() -> None:
    """Say that the data set shown stands in for a table that was not read, where it does."""
    if st.session_state.get(STANDS_IN) == settings().data:
        st.caption(f"**{STAND_IN}**")


def is_public(data: Dataset) -> bool:
    """Tell whether data are public: by themselves, or as this visitor declared of them alone."""
    return data.public or data.key in _declared_public()


def declare_public(data: Dataset, declared: bool) -> None:
    """Take what a visitor declares of one data set; only here, never from an address."""
    change = _declared_public().add if declared else _declared_public().discard
    change(data.key)


def _declared_public() -> set[str]:
    keys: set[str] = st.session_state.setdefault("declared-public", set())
    return keys


def missing_message() -> str | None:
    """Say why a link's data are not here, as Markdown; the controls stay."""
    reason = why_unavailable(settings().data)
    return None if reason is None else escape_markdown(reason)
