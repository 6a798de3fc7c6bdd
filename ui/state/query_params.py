"""Settings read from an address and written to one."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from dpca_core.data.column_names import label
from ui.text.numbers import verbatim

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


UNSURE, REPLACED, WRITTEN = "address-unsure", "address-replaced", "address-written"
SYMBOLS = {"epsilon": "ε", "delta": "δ", "adjacency": "neighbours"}
"""Names of settings, where they differ from those in the address."""
_LARGEST, FAR = 2**63, 0.5
S = TypeVar("S", bound="DataclassInstance")


def read(default: S, query: Mapping[str, str], allowed: Callable[[str, Any], bool]) -> S:
    """Read a link; what cannot be used falls back to its default, and the page says so."""
    settings = default
    for f in fields(default):
        if f.name in query:
            usual = getattr(default, f.name)
            value = _parsed(query[f.name], usual)
            if value is not None and allowed(f.name, value):
                settings = replace(settings, **{f.name: value})
            else:
                note(f.name, query[f.name], _written(usual) if usual else "the default")
    return settings


def note(name: str, asked: str, used: str) -> None:
    """Keep in mind that a value of the link was replaced; ``say_replaced`` says so."""
    symbol = SYMBOLS.get(name, name)
    text = f"{symbol} = {label(asked)} is not possible: using {used}"
    st.session_state.setdefault(REPLACED, {})[name] = text


def say_replaced() -> None:
    """Say in one sentence which values of the link were replaced, until they are changed."""
    if replaced := st.session_state.get(REPLACED):
        st.caption(verbatim(f"In this link {'; '.join(replaced.values())}."))


def written(
    settings: "DataclassInstance", default: "DataclassInstance", shown: tuple[str, ...]
) -> dict[str, str]:
    """Write a link; what has its default stays out of it, except what is always ``shown``."""
    usual = asdict(default)
    return {
        name: _written(value)
        for name, value in asdict(settings).items()
        if name in shown or value != usual[name]
    }


def put(query: dict[str, str]) -> None:
    """Write the address where it differs, and once after every visit of another page.

    The browser empties the address when a page is left, and may do so after the server looked.
    """
    present, before = st.query_params.to_dict(), st.session_state.get(WRITTEN)
    if before is None:
        for name in present.keys() & query.keys():
            if _far(present[name], query[name]):
                note(name, present[name], query[name])
    else:
        replaced = st.session_state.get(REPLACED, {})
        for name in [name for name in replaced if query.get(name) != before.get(name)]:
            del replaced[name]
    st.session_state[WRITTEN] = query
    if st.session_state.pop(UNSURE, False) or present != query:
        st.query_params.from_dict(query)


def _far(asked: str, used: str) -> bool:
    """Whether two numbers are no neighbouring stops of a slider."""
    try:
        first, second = float(asked), float(used)
    except ValueError:
        return False
    return not abs(first - second) <= FAR * max(abs(first), abs(second))


def _parsed(text: str, like: Any) -> Any:
    try:
        if isinstance(like, bool):
            return text == "1"
        value = type(like)(text)
    except ValueError:
        return None
    return None if isinstance(value, int) and abs(value) > _LARGEST else value


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return f"{value:g}" if isinstance(value, float) else str(value)
