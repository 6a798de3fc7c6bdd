"""Present: a page as a room sees it, with the address at which everybody can follow.

The browser shows one chart of the page at a time, large, with its list, and answers the keys
(``static/page/present.js``); from here come what depends on the settings: the address with its
code, whether true data are shown, and what the keys move.
"""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from ui.page.component import finite_number, message_of, registered, time_of_last
from ui.page.markup import button, element
from ui.page.words import Words
from ui.state import session, session_data
from ui.state.session import PRESENT, THEME, THEMES, WRITTEN
from ui.state.shared_address import GUIDE, SharedAddress, shared_address
from ui.state.slider_stops import EPSILON_STOPS, MOST_DIRECTIONS

KEY, CAN = "room", "page-presentable"
"""Of the component; session key: whether the page that was drawn last can be presented."""
say = Words(__file__)
KEYS = say.table("keys")
"""What each key does."""
MOST_STEPS, SEEDS = 3, 2**32
"""Stops that one key moves a setting by, at most; how many seeds there are."""


def _skeleton() -> str:
    """Return the markup around a presented page, which the browser fills."""
    sheet: dict[str, object] = {"popover": "auto", "role": "dialog", "aria_modal": "true"}
    return element(
        "div",
        element("aside", class_="dpca-share", data_part="share"),
        element("p", class_="dpca-true-data", data_part="true_data"),
        element("p", say("hint"), class_="dpca-hint"),
        element("p", say("turn"), class_="dpca-turn"),
        button(say("leave"), data_leave=True, class_="dpca-button dpca-leave"),
        element(
            "div",
            data_part="code",
            id="dpca-code",
            class_="dpca-sheet",
            aria_label=say("try_it"),
            **sheet,
        ),
        element("div", data_part="keys", class_="dpca-sheet dpca-keys", **sheet),
        element("div", data_part="black", class_="dpca-sheet", popover="auto"),
        class_="dpca dpca-room",
    )


_component = registered("dpca_present", "page/present.js", _skeleton())


def read_present(*, returned: bool) -> None:
    """Take from a session's first address whether the page is presented, and in which colours.

    The session keeps it from then on, unless the browser's history has ``returned`` to an address:
    with a key's message comes the address from before the key.
    """
    st.session_state[CAN] = False
    asked = st.query_params.get(PRESENT)
    if (returned and asked) or PRESENT not in st.session_state:
        st.session_state[PRESENT] = asked == "1"
        theme = st.query_params.get(THEME)
        if theme in THEMES:
            st.session_state[THEME] = theme


def present_button() -> None:
    """Draw the button that begins to present, where a page can be presented."""
    if st.session_state.get(CAN):
        told = say("present_help")
        st.button(say("present"), key="present.begin", on_click=_begin, help=told)


def _begin() -> None:
    st.session_state[PRESENT] = True


def show_present(
    page: str,
    own_keys: str = "",
    again: Callable[[], None] | None = None,
    keys: Mapping[str, str] = KEYS,
) -> None:
    """Mount Present's component, after a page's address is written.

    The page answers ``own_keys`` itself: as the browser names them, with commas between. ``again``
    draws anew where that is not a matter of the seed that all pages share; of the ``keys`` a room
    is told.
    """
    st.session_state[CAN] = True
    on = bool(st.session_state.get(PRESENT))
    content: dict[str, Any] = {
        "on": on,
        "own": own_keys.split(",") if own_keys else [],
        "heard": time_of_last(KEY, "present"),
        "theme": st.session_state.get(THEME, ""),
        "heard_theme": time_of_last(KEY, "theme"),
        "markup": markup(page, keys) if on else {},
    }

    def toggled() -> None:
        st.session_state[PRESENT] = message_of(KEY, "present").get("value") is True

    def themed() -> None:
        theme = message_of(KEY, "theme").get("value")
        if theme in THEMES:
            st.session_state[THEME] = theme

    def stepped() -> None:
        message = message_of(KEY, "step").get("value")
        if again and isinstance(message, dict) and message.get("name") == "seed":
            again()
        else:
            move_setting(message)

    with st.container(key="present"):
        _component(
            key=KEY,
            data=content,
            on_present_change=toggled,
            on_theme_change=themed,
            on_step_change=stepped,
        )


def markup(page: str, keys: Mapping[str, str] = KEYS) -> dict[str, str]:
    """Return the markup of the parts that depend on settings."""
    shared = shared_address(page, st.session_state.get(WRITTEN, {}))
    data = session_data.get(session.settings().data)
    public = data is None or session_data.is_public(data)
    close = button(say("close"), data_leave=True)
    # What nobody can follow at is said where it is asked for, not on every chart.
    guide = "" if shared.url else element("a", say("guide"), href=GUIDE, target="_blank")
    large = shared.qr + element("p", shared.text) + element("p", guide) + close
    rows = (element("tr", element("th", key), element("td", what)) for key, what in keys.items())
    return {
        "share": _share(shared) if shared.url else "",
        "code": element("div", large, class_="dpca-large-code"),
        "keys": element("h2", say("keys_title")) + element("table", *rows) + close,
        "true_data": "" if public else say("true_data"),
    }


def _share(shared: SharedAddress) -> str:
    title = element("span", say("try_it"))
    code = element(
        "button", shared.qr, type="button", aria_label=say("larger"), popovertarget="dpca-code"
    )
    return element("p", title, element("b", shared.text)) + code


def move_setting(message: object) -> None:
    """Move ε, k or the seed of all pages by the number of stops that a message says."""
    if not isinstance(message, dict):
        return
    by = finite_number(message.get("by"))
    if by is None or not 0 < abs(by) <= MOST_STEPS:
        return
    now, steps = session.settings(), int(by)
    match message.get("name"):
        case "epsilon":
            at = EPSILON_STOPS.index(now.epsilon) + steps
            at = min(max(at, 0), len(EPSILON_STOPS) - 1)
            session.change_settings(epsilon=EPSILON_STOPS[at])
        case "k":
            data = session_data.get(now.data)
            if data is not None:
                k = (now.k or session.default_k(now.data, data)) + steps
                most = max(1, min(MOST_DIRECTIONS, data.d - 1))
                session.change_settings(k=min(max(k, 1), most))
        case "seed":
            session.change_settings(seed=(now.seed + steps) % SEEDS)
