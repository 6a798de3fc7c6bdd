"""The settings of one visitor's session, and the keys of their controls.

A control starts at its setting and then keeps what its visitor may just be changing. Its state is
never set from here: a browser that skips the one run that sets it would send the old value back,
and undo the change. A new key makes the browser draw it anew, at its setting.
"""

from collections import Counter
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st

from dpca_core.data.dataset import Dataset
from sample_data import source_of
from ui.state.settings import REPLACED, Addressed, Settings
from ui.text.numbers import escape_markdown

SETTINGS, PAGE_SETTINGS = "settings", "page-settings"
"""Session keys: the settings that all pages share, and those of each page by their class."""
ADDRESS_UNSURE, WRITTEN = "address-unsure", "address-written"
"""Session keys: whether the browser may have emptied the address since the server looked, and the
query that was last written."""
LIMITED = "settings-limited"
"""Session key: a sentence for each setting that the page cannot use as chosen, by name."""
PRESENT, THEME, THEMES = "present", "theme", ("dark", "light")
"""Names in the address, and session keys: whether the page is shown to a room, and whether that is
dark or light, where somebody has said so."""
STOOD, RENEWED, ALL = "control-stood", "control-renewed", ""
"""Session keys: where each control stood last, and how often it was renewed, or ``ALL`` were."""
EXPLORE = "pages/explore.py"

P = TypeVar("P", bound=Addressed)
T = TypeVar("T")


def settings() -> Settings:
    """Return the settings that all pages share; the first time they come from the link."""
    current: Settings | None = st.session_state.get(SETTINGS)
    if current is None:
        current = Settings.from_query(st.query_params.to_dict())
        st.session_state[SETTINGS] = current
    return current


def page_settings(kind: type[P]) -> P:
    """Return the settings of one page alone; the first time they come from the link."""
    kept: dict[type, Any] = st.session_state.setdefault(PAGE_SETTINGS, {})
    if kind not in kept:
        kept[kind] = kind.from_query(st.query_params.to_dict())
    found: P = kept[kind]
    return found


def change_settings(**values: Any) -> None:
    """Change shared settings; their controls follow."""
    st.session_state[SETTINGS] = replace(settings(), **values)


def change_page_settings(now: P, **values: Any) -> P:
    """Change settings of one page alone."""
    changed = replace(now, **values)
    st.session_state.setdefault(PAGE_SETTINGS, {})[type(now)] = changed
    return changed


def follow_control(name: str, shown: T, chosen: T, setting: object = None) -> T:
    """Take what a visitor chose into the shared settings, and return it.

    A setting that its page cannot use, and so has ``shown`` as another value, stays until the
    control is moved. ``setting`` is what the choice means as a setting, if not the same.
    """
    if chosen != shown:
        stood = positions()
        change_settings(**{name: chosen if setting is None else setting})
        # Without another look at the session's state, at which Streamlit may end a run: the control
        # would be drawn anew while somebody moves it, and a key would go to the old one.
        stood[name] = chosen
    return chosen


def reset(own: Addressed) -> None:
    """Return everything but the data set to its default; the page begins with its ``own``."""
    st.session_state[SETTINGS] = Settings(data=settings().data)
    st.session_state[PAGE_SETTINGS] = {type(own): own}
    forget_replaced()
    renew_controls()


def read_history(kind: type[Addressed] | None = None) -> None:
    """Take the settings from the address, to which the browser's history has returned.

    An empty address is one that a page had before it was written for the first time.
    """
    if st.query_params.to_dict():
        forget_replaced()
        st.session_state.pop(SETTINGS, None)
        st.session_state.get(PAGE_SETTINGS, {}).pop(kind, None)
        renew_controls()


def write_settings(own: Addressed | None = None) -> None:
    """Put all settings, and the page's own, into the address: a link reproduces the screen."""
    write_address(settings().to_query() | (own.to_query() if own else {}))


def note_limit(name: str, chosen: float, used: float) -> None:
    """Remember until ``show_replaced`` that a page cannot use a setting as it was chosen."""
    if used != chosen:
        text = f"{name} = {chosen:g} is not possible here: using {used:g}"
        st.session_state.setdefault(LIMITED, {})[name] = text


def forget_replaced() -> None:
    """Forget what was replaced: the settings come from elsewhere now."""
    for name in (REPLACED, LIMITED, WRITTEN):
        st.session_state.pop(name, None)


def show_replaced() -> None:
    """Say which values of the link were replaced, until they change, and which are no use here."""
    replaced, limited = st.session_state.get(REPLACED), st.session_state.pop(LIMITED, None)
    sentences = [f"In this link {'; '.join(replaced.values())}."] if replaced else []
    sentences += [f"{'; '.join(limited.values())}."] if limited else []
    if sentences:
        st.caption(escape_markdown(" ".join(sentences)))


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


def default_k(key: str, data: Dataset) -> int:
    """Return the k to start with."""
    source = source_of(key)
    return min(source.default_k if source else 2, data.d - 1)


def widget_key(name: str) -> str:
    """Return a control's key: its name, followed by a number once it has been renewed."""
    renewed: Counter[str] = st.session_state.get(RENEWED, Counter())
    number = renewed[ALL] + renewed[name]
    return f"{name}-{number}" if number else name


def renew_controls(*names: str) -> None:
    """Draw these controls anew from their settings; without names, all controls."""
    st.session_state.setdefault(RENEWED, Counter()).update(names or (ALL,))


def key_starting_at(name: str, shown: Any) -> str:
    """Return a control's key, a new one where its setting was changed otherwise than by itself."""
    stood = positions()
    if stood.get(name, shown) != shown:
        renew_controls(name)
    stood[name] = shown
    return widget_key(name)


def positions() -> dict[str, Any]:
    """Return where each control stood last, to be changed in place."""
    stood: dict[str, Any] = st.session_state.setdefault(STOOD, {})
    return stood
