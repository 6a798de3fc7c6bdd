"""Settings read from an address and written to one."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

UNSURE = "address-unsure"
_LARGEST = 2**63
S = TypeVar("S", bound="DataclassInstance")


def read(default: S, query: Mapping[str, str], allowed: Callable[[str, Any], bool]) -> S:
    """Read a link; what cannot be used falls back to its default."""
    settings = default
    for f in fields(default):
        if f.name in query:
            value = _parsed(query[f.name], getattr(default, f.name))
            if value is not None and allowed(f.name, value):
                settings = replace(settings, **{f.name: value})
    return settings


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
    if st.session_state.pop(UNSURE, False) or st.query_params.to_dict() != query:
        st.query_params.from_dict(query)


def nearest(value: float, stops: tuple[float, ...]) -> float:
    """Stop of a slider that a number from a link comes closest to, by ratio."""
    return min(stops, key=lambda s: abs(s - value) / max(s, value, 1e-300))


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
