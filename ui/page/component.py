"""The component that draws a page's content, and hears what a visitor does there.

Messages are state, not triggers: of two triggers in one moment Streamlit keeps the later only. A
browser can send anything, so whatever it says is checked before a page hears it.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import isfinite
from types import MappingProxyType
from typing import Any

import streamlit as st

from dpca_core.figures.bundle import CONFIG
from dpca_core.figures.colours import BAND_OPACITY, palette
from ui.page.content import Content
from ui.page.files import NOT_PRIVATE
from ui.page.markup import sentence
from ui.page.words import Words
from ui.server.scheduler import (
    PAGE_SCHEDULER,
    busy_message,
    end_if_superseded,
    is_heavy,
    refinement_delay,
)
from ui.server.static_files import import_script
from ui.server.workers import progress_notice

MOST_LETTERS = 200
"""Longest text that a message may hold."""
Heard = Mapping[str, Callable[[Any], None]]
"""What a page does with a message, by its name: "rule" gets a stop's value, "row" the key of a row
or a curve; other names get a number, a short text, True or False."""
_NOTHING: Heard = MappingProxyType({})


def script_of(module: str, given: object = None, early: str = "") -> str:
    """Return the script of a component: a module of ``static/`` draws, once ``early`` is loaded."""
    drawn = f"const given = {json.dumps(given)};\nexport default (sent) => draw(sent, given);\n"
    return import_script(module, early) + drawn


def registered(name: str, module: str, given: object = None, early: str = "") -> Any:
    """Register a component by its name, as ``script_of`` has it."""
    script = script_of(module, given, early)
    return st.components.v2.component(name, js=script, isolate_styles=False)


LOOK = {
    "colours": palette(),
    "opacity": BAND_OPACITY,
    "config": CONFIG,
    "words": Words(__file__).table("chart") | {"mark": NOT_PRIVATE},
}
"""Colours of roles, Plotly's settings and words of buttons, which do not change."""

_component = registered("dpca_page", "page/page.js", LOOK, early="page/plotly.js")


def draw(
    compose: Callable[[], Content],
    key: str,
    *,
    more: Callable[[], None] | None = None,
    asked: object = None,
    columns: int = 0,
    heard: Heard = _NOTHING,
) -> None:
    """Compose a page's content when its turn has come, and show it; ``heard`` answers visitors.

    While the content is not complete, the component asks for a refinement: ``more`` measures for it
    before it is composed. Where what is ``asked`` has changed, the answer comes first. ``columns``
    of the data tell how long computing may take.
    """

    def wanted(_: object) -> None:
        st.session_state[f"{key}.more"] = True

    requested = st.session_state.pop(f"{key}.more", False)
    refined = requested and st.session_state.get(f"{key}.for") == asked
    with progress_notice(), PAGE_SCHEDULER.turn(urgent=not refined, heavy=is_heavy(columns)):
        if refined and more is not None:
            more()
            end_if_superseded()
        content = compose()
    st.session_state[f"{key}.for"] = asked
    show(content, key, {**heard, "more": wanted})


def show(content: Content, key: str, heard: Heard = _NOTHING) -> None:
    """Show a content, or change the one that is shown; ``heard`` answers what a visitor does."""
    st.session_state[f"{key}.drawn"] = content
    packed = content.packed(
        progress=sentence(busy_message(content.complete, content.progress)),
        pause=refinement_delay(content.complete),
        heard=time_of_last(key, "rule"),
        hears=sorted(heard),
    )

    def answer(name: str) -> Callable[[], None]:
        def changed() -> None:
            value = checked(name, message_of(key, name).get("value"), content)
            if value is not None:
                heard[name](value)

        return changed

    callbacks: dict[str, Any] = {f"on_{name}_change": answer(name) for name in heard}
    with st.container(key=f"page-{key}"):
        _component(key=key, data=packed, **callbacks)


def checked(name: str, value: object, content: Content) -> float | str | bool | None:
    """Return what a message by this name says to a page with this content; None for nonsense."""
    if name == "rule":
        number = finite_number(value)
        if content.rule is None or number is None:
            return None
        return min(content.rule.values, key=lambda stop: abs(stop - number))
    if name == "more":
        return True if value == content.id else None
    if name == "row" and not (isinstance(value, str) and value in content.keys):
        return None
    if isinstance(value, str):
        return value if len(value) <= MOST_LETTERS else None
    return value if isinstance(value, bool) else finite_number(value)


def message_of(key: str, name: str) -> dict[str, Any]:
    """Return the last message of a mounted component by this name; {} where there is none."""
    found = getattr(st.session_state.get(key), name, None)
    return found if isinstance(found, dict) else {}


def time_of_last(key: str, name: str) -> float:
    """Return when the browser sent its last message by this name, in its own milliseconds; or 0."""
    return finite_number(message_of(key, name).get("at")) or 0.0


def finite_number(value: object) -> float | None:
    """Return a finite number; None for anything else, such as 10**400, NaN or True."""
    with suppress(OverflowError):
        if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
            return float(value)
    return None
