"""Settings in the address: read from it, checked, and written to it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import isfinite
from types import MappingProxyType
from typing import Any, ClassVar, Self

import streamlit as st

from dpca_core.data.column_names import label
from ui.state.slider_stops import nearest_stop
from ui.text.numbers import escape_markdown

ADDRESS_UNSURE, WRITTEN = "address-unsure", "address-written"
"""Session keys: whether the browser may have emptied the address since the server looked, and the
query that was last written."""
REPLACED, LIMITED = "address-replaced", "settings-limited"
"""Session keys: a sentence for each value of the link that was replaced, and for each setting that
the page cannot use as chosen, by name."""
PRESENT, THEME, THEMES = "present", "theme", ("dark", "light")
"""Names in the address, and session keys: whether the page is shown to a room, and whether that is
dark or light, where somebody has said so."""

SYMBOLS = {"epsilon": "ε", "delta": "δ", "adjacency": "neighbours"}
NOTICEABLE = 0.5
"""Relative difference from which on a number that was moved to a stop is reported."""
_LARGEST = 2**63


@dataclass(frozen=True)
class Addressed:
    """Settings that stand in an address under the names of their fields; all have defaults."""

    ALWAYS: ClassVar[tuple[str, ...]] = ()
    """What stands in every address; other defaults stay out of it."""
    STOPS: ClassVar[Mapping[str, tuple[float, ...]]] = MappingProxyType({})
    """Of sliders, by name."""

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:
        """Tell whether a link may set a value, of its default's type: no number below 0."""
        return isinstance(value, str) or (isfinite(value) and bool(value >= 0))

    def stops(self) -> Mapping[str, tuple[float, ...]]:
        """Return the stops of sliders, by name: a link's number becomes the nearest."""
        return self.STOPS

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Read a link; what cannot be used becomes its default, or the nearest stop.

        The page says so, of a number that was moved where it was moved far.
        """
        read = asdict(cls())
        for name, default in read.items():
            if name in query:
                value = _parsed(query[name], default)
                if value is not None and cls.allows(name, value):
                    read[name] = value
                else:
                    note_replaced(name, query[name], _text(default) if default else "the default")
        found = cls(**read)
        for name, stops in found.stops().items():
            value = getattr(found, name)
            stop = type(value)(nearest_stop(value, stops))
            if abs(stop - value) > NOTICEABLE * max(abs(stop), abs(value)):
                note_replaced(name, query[name], _text(stop))
            found = replace(found, **{name: stop})
        return found

    def to_query(self) -> dict[str, str]:
        """Return the query of a link."""
        usual = asdict(type(self)())
        return {
            name: _text(value)
            for name, value in asdict(self).items()
            if name in self.ALWAYS or value != usual[name]
        }


def note_replaced(name: str, asked: str, used: str) -> None:
    """Remember that a value of the link was replaced; ``show_replaced`` says so."""
    text = f"{SYMBOLS.get(name, name)} = {label(asked)} is not possible: using {used}"
    st.session_state.setdefault(REPLACED, {})[name] = text


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
    """Say in one sentence which values of the link were replaced, until they are changed.

    A second one says which settings this page cannot use as they were chosen.
    """
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


def _parsed(text: str, like: Any) -> Any:
    """Return a text as a value of the type of another one; None where it is none."""
    try:
        if isinstance(like, bool):
            return {"0": False, "false": False, "1": True, "true": True}.get(text.lower())
        value = type(like)(text)
    except ValueError:
        return None
    return None if isinstance(value, int) and abs(value) > _LARGEST else value


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return str(int(value)) if isinstance(value, bool) else str(value)
