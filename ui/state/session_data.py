"""The data sets of one visitor's session, which no other session can reach."""

from collections.abc import MutableMapping

import streamlit as st
from cachetools import FIFOCache

from dpca_core.data.column_names import label
from dpca_core.data.dataset import OWN_KEY, Dataset
from sample_data import source_of
from ui.server.built_in import built_in
from ui.state.session import change_settings, settings
from ui.text.numbers import escape_markdown

UPLOADS, BUILT_IN, PUBLIC, STANDS_IN = "datasets", "built-in", "declared-public", "stand-in"
"""Session keys: tables of one's own by key, the built-in set that is shown, the keys of data that
were declared public, and that of the set that stands in for a table of one's own."""
MOST_UPLOADS = 4
"""Tables of its own that a session keeps; of more the oldest go."""
ELSEWHERE = (
    "This link refers to a table uploaded in another session. Upload it again on “Prepare”; your "
    "settings are kept."
)


def uploads() -> MutableMapping[str, Dataset]:
    """Return the data sets that this session prepared itself, by key."""
    own: MutableMapping[str, Dataset] = st.session_state.setdefault(
        UPLOADS, FIFOCache(MOST_UPLOADS)
    )
    return own


def get(key: str) -> Dataset | None:
    """Return a built-in or an uploaded data set; None where this session does not have it."""
    found = _found(key)
    return found if isinstance(found, Dataset) else None


def missing_message() -> str | None:
    """Say why a link's data are not here, as Markdown; the controls stay."""
    found = _found(settings().data)
    return escape_markdown(found) if isinstance(found, str) else None


def _found(key: str) -> Dataset | str:
    """Return the data set of a key, which may be any link's, or say why it is not to be had."""
    own = uploads()
    if key in own:
        return own[key]
    if OWN_KEY.fullmatch(key):
        return ELSEWHERE
    if source_of(key) is None:
        return f"There is no data set called “{label(key)}”. Choose another."
    kept: tuple[str, Dataset] | None = st.session_state.get(BUILT_IN)
    if kept is None or kept[0] != key:
        try:
            kept = st.session_state[BUILT_IN] = key, built_in(key)
        except ValueError as refused:
            return f"{refused} Choose another data set."
        except MemoryError:
            return "These data need more memory than this machine has. Choose another data set."
    return kept[1]


def show_in_explore(key: str, *, stand_in: bool = False) -> None:
    """Make a data set the one that Explore shows, perhaps in place of a table of one's own."""
    change_settings(data=key, k=0, n=0.0)
    st.session_state[STANDS_IN] = key if stand_in else None


def show_stand_in() -> None:
    """Say that the data set shown stands in for a table that was not read, where it does."""
    if st.session_state.get(STANDS_IN) == settings().data:
        st.caption("**Stand-in. Your file was not read.**")


def is_public(data: Dataset) -> bool:
    """Tell whether data are public: by themselves, or as this visitor declared of them alone."""
    return data.public or data.key in st.session_state.get(PUBLIC, ())


def declare_public(data: Dataset, declared: bool) -> None:
    """Take what a visitor declares of one data set; only here, never from an address."""
    keys: set[str] = st.session_state.setdefault(PUBLIC, set())
    (keys.add if declared else keys.discard)(data.key)
