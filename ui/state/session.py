"""What one visitor's session remembers, and nobody else sees."""

import re
from typing import Any

import streamlit as st

from dpca_core.data.column_names import label
from dpca_core.data.dataset import OWN, Dataset
from sample_data import source_of
from ui.server.built_in_cache import BUILT_IN_CACHE
from ui.state import query_params
from ui.state.settings import Settings, snapped
from ui.text.numbers import verbatim

KEPT_STUDIES, MOST_OWN = 3, 4
"""Pictures that a session keeps, and tables of its own; of more the oldest are let go."""

ELSEWHERE = (
    "This link was made with a table uploaded in another session: prepare it on “Your data”; your "
    "settings are kept."
)


def settings() -> Settings:
    """Return the session's settings; the first time they come from the link."""
    if "settings" not in st.session_state:
        st.session_state["settings"] = snapped(Settings.from_query(st.query_params.to_dict()))
    current: Settings = st.session_state["settings"]
    return current


def change(**values: Any) -> Settings:
    """Change some settings and keep them through visits of other pages."""
    from dataclasses import replace

    st.session_state["settings"] = replace(settings(), **values)
    return settings()


def uploads() -> dict[str, Dataset]:
    """Return data sets that this session prepared itself, by key."""
    own: dict[str, Dataset] = st.session_state.setdefault("datasets", {})
    return own


def keep(data: Dataset) -> None:
    """Make a prepared table one of the session's; the oldest beyond ``MOST_OWN`` are let go."""
    own = uploads()
    own[data.key] = data
    while len(own) > MOST_OWN:
        del own[next(iter(own))]


def dataset(key: str) -> Dataset | None:
    """Return a built-in or an own data set; None where this session does not have it."""
    if key in uploads():
        return uploads()[key]
    held: tuple[str, Dataset] | None = st.session_state.get("built-in")
    if held is not None and held[0] == key:
        return held[1]
    if trouble(key) is not None:
        return None
    data: Dataset = st.session_state["built-in"][1]
    return data


def available(key: str) -> bool:
    """Tell whether this session has the data of a key: an own one, or a built-in one."""
    return trouble(key) is None


def trouble(key: str) -> str | None:
    """Say why this session does not have the data of a key; None where it does.

    A key comes from the address: whatever it asks for, a loader's refusal is a sentence.
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
            st.session_state["built-in"] = key, BUILT_IN_CACHE.get(key)
        except ValueError as refused:
            return f"{refused} Choose another data set."
        except MemoryError:
            return "These data need more memory than this machine has. Choose another data set."
    return None


def explore(key: str) -> None:
    """Make a data set the one that the Explore page shows, with its own k and n."""
    change(data=key, k=0, n=0.0)
    for name in ("data", "k", "n"):
        st.session_state.pop(name, None)


def missing_upload() -> str | None:
    """Say why a link's data are not here, as Markdown; the controls stay."""
    said = trouble(settings().data)
    return None if said is None else verbatim(said)


def write_link() -> None:
    """Put the settings into the address, so that a link reproduces the screen."""
    query = settings().to_query()
    query_params.put(query)


def say_not_private(data: Dataset) -> None:
    """Say once, visibly, that a page shows the truth about the data, unless they are public."""
    if not data.public and not settings().public:
        st.caption(
            "**This page is not private.** It measures against the true directions of the data so "
            "that you can choose. Publish only a release."
        )


def default_k(key: str, data: Dataset) -> int:
    """Return the k to start with."""
    source = source_of(key)
    return min(source.default_k if source else 2, data.d - 1)
