"""Settings read from the address and written to it."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from dpca_core.data.column_names import label
from ui.text.numbers import escape_markdown

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

ADDRESS_UNSURE = "address-unsure"
"""Session key: whether the browser may have emptied the address since the server looked."""

REPLACED = "address-replaced"
"""Session key: a sentence for each value of the link that was replaced, by name."""

LIMITED = "settings-limited"
"""Session key: a sentence for each setting that the page cannot use as chosen, by name."""

WRITTEN = "address-written"
"""Session key: the query that was last written."""

PRESENT = "present"
"""Name in the address: whether the page is shown to a room. A session keeps it under this key."""

THEME = "theme"
"""The same: whether a room is dark or light, where somebody has said so."""
THEMES = ("dark", "light")

SYMBOLS = {"epsilon": "ε", "delta": "δ", "adjacency": "neighbours"}
"""Names of settings, where they differ from those in the address."""

NOTICEABLE = 0.5
"""Relative difference from which on a replaced number is reported."""

_LARGEST = 2**63
S = TypeVar("S", bound="DataclassInstance")


def read_settings(default: S, query: Mapping[str, str], allowed: Callable[[str, Any], bool]) -> S:
    """Read a link; an unusable value falls back to its default, and the page says so."""
    settings = default
    for f in fields(default):
        if f.name in query:
            usual = getattr(default, f.name)
            value = _parsed(query[f.name], usual)
            if value is not None and allowed(f.name, value):
                settings = replace(settings, **{f.name: value})
            else:
                note_replaced(f.name, query[f.name], _text(usual) if usual else "the default")
    return settings


def note_replaced(name: str, asked: str, used: str) -> None:
    """Remember that a value of the link was replaced; ``show_replaced`` says so."""
    text = f"{_symbol(name)} = {label(asked)} is not possible: using {used}"
    st.session_state.setdefault(REPLACED, {})[name] = text


def note_differences(asked: Mapping[str, str], used: Mapping[str, str]) -> None:
    """Remember which numbers of a link were moved far, to the nearest stop of a slider."""
    for name in asked.keys() & used.keys():
        if _noticeably_different(asked[name], used[name]):
            note_replaced(name, asked[name], used[name])


def note_limit(name: str, chosen: float, used: float) -> None:
    """Remember until ``show_replaced`` that a page cannot use a setting as it was chosen."""
    if used != chosen:
        text = f"{_symbol(name)} = {chosen:g} is not possible here: using {used:g}"
        st.session_state.setdefault(LIMITED, {})[name] = text


def forget_replaced() -> None:
    """Forget what was replaced: the settings come from elsewhere now."""
    for name in (REPLACED, LIMITED, WRITTEN):
        st.session_state.pop(name, None)


def show_replaced() -> None:
    """Say in one sentence which values of the link were replaced, until they are changed.

    A second one says which settings this page cannot use as they were chosen.
    """
    sentences = []
    if replaced := st.session_state.get(REPLACED):
        sentences.append(f"In this link {'; '.join(replaced.values())}.")
    if limited := st.session_state.pop(LIMITED, None):
        sentences.append(f"{'; '.join(limited.values())}.")
    if sentences:
        st.caption(escape_markdown(" ".join(sentences)))


def to_query(
    settings: "DataclassInstance", default: "DataclassInstance", always: tuple[str, ...]
) -> dict[str, str]:
    """Return the query of a link; defaults are left out, except those ``always`` written."""
    usual = asdict(default)
    return {
        name: _text(value)
        for name, value in asdict(settings).items()
        if name in always or value != usual[name]
    }


def write_address(query: dict[str, str]) -> None:
    """Write the address where it differs, and once after every visit of another page.

    The browser empties the address when a page is left, and may do so after the server looked. And
    what it says of its address may be from before it got the last one written.
    """
    if st.session_state.get(PRESENT):
        chosen = st.session_state.get(THEME)
        query = query | {PRESENT: "1"} | ({THEME: chosen} if chosen else {})
    before = st.session_state.get(WRITTEN, query)
    replaced = st.session_state.get(REPLACED, {})
    for name in [name for name in replaced if query.get(name) != before.get(name)]:
        del replaced[name]
    st.session_state[WRITTEN] = query
    unsure = st.session_state.pop(ADDRESS_UNSURE, False) or before != query
    if unsure or st.query_params.to_dict() != query:
        st.query_params.from_dict(query)


def _symbol(name: str) -> str:
    return SYMBOLS.get(name, name)


def _noticeably_different(asked: str, used: str) -> bool:
    """Tell whether two numbers differ by more than neighbouring stops of a slider."""
    try:
        first, second = float(asked), float(used)
    except ValueError:
        return False
    return not abs(first - second) <= NOTICEABLE * max(abs(first), abs(second))


def _parsed(text: str, like: Any) -> Any:
    try:
        if isinstance(like, bool):
            return text == "1"
        value = type(like)(text)
    except ValueError:
        return None
    return None if isinstance(value, int) and abs(value) > _LARGEST else value


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return f"{value:g}" if isinstance(value, float) else str(value)
