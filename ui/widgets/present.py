"""Present: a page as a room sees it, with the address at which everybody can follow.

The browser makes everything larger and answers the keys (``static/present``); from here come what
depends on the settings: the address with its code, and whether true data are shown.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ui.figures import component_messages
from ui.figures.component import component_of
from ui.figures.presentation_scene import Scene, list_markup, scene_content
from ui.page.markup import button, element
from ui.state import session, session_data
from ui.state.query_params import PRESENT, THEME, THEMES, WRITTEN
from ui.state.shared_address import GUIDE, SharedAddress, shared_address
from ui.state.slider_stops import EPSILON_STOPS, MOST_DIRECTIONS, nearest_stop
from ui.text import present as words

KEY = "room"
"""Of the component."""
CAN = "page-presentable"
"""Session key: whether the page that was drawn last can be presented."""
MOST_STEPS = 3
"""Stops that one key moves a setting by, at most."""
SEEDS = 2**32


def skeleton() -> str:
    """Return the markup around a presented page, which the browser fills."""
    keys = "".join(
        element("tr", element("th", key, scope="row"), element("td", what))
        for key, what in words.KEYS
    )
    close = button(words.CLOSE_SHEET, data_leave=True)
    table = element("h2", words.KEYS_TITLE) + element("table", keys) + close
    ticks = element("div", class_="dpca-scene-ticks", data_part="ticks")
    chip = element("div", class_="dpca-scene-chip", data_part="chip", role="slider", tabindex="0")
    dialog = {"role": "dialog", "aria_modal": "true", "hidden": True}
    return element(
        "div",
        element("aside", class_="dpca-share", data_part="share"),
        element("p", class_="dpca-true-data", data_part="true_data"),
        element("div", class_="dpca-scene-list", data_part="list"),
        element("div", ticks, chip, class_="dpca-scene-ruler", data_part="ruler", hidden=True),
        element("div", data_part="code", class_="dpca-sheet", aria_label=words.TRY_IT, **dialog),
        element(
            "div",
            element("div", table, class_="dpca-keys"),
            data_part="keys",
            class_="dpca-sheet",
            aria_label=words.KEYS_TITLE,
            **dialog,
        ),
        element("div", data_part="black", class_="dpca-sheet", hidden=True),
        class_="dpca dpca-room",
    )


_component = component_of("dpca_present", "present", skeleton())


def read_present() -> None:
    """Take from the address whether the page is presented; the session keeps it from then on."""
    st.session_state[CAN] = False
    asked = st.query_params.get(PRESENT)
    if asked is not None or PRESENT not in st.session_state:
        st.session_state[PRESENT] = asked == "1"
    theme = st.query_params.get(THEME)
    if theme in THEMES:
        st.session_state[THEME] = theme


def present_button() -> None:
    """Draw the button that begins to present, on pages that can be presented."""
    if st.session_state.get(CAN):
        help_text = words.PRESENT_HELP
        st.button(words.PRESENT_LABEL, key="present.begin", on_click=_begin, help=help_text)


def _begin() -> None:
    st.session_state[PRESENT] = True


def show_present(
    page: str,
    own_keys: str = "",
    scene: Scene | None = None,
    choose: Callable[[str], None] | None = None,
    again: Callable[[], None] | None = None,
) -> None:
    """Mount Present's component. Call it where the page draws, after the address is written.

    Parameters
    ----------
    page
        Its name in the navigation.
    own_keys
        Keys, as the browser names them, which the page answers itself.
    scene
        The list and the axis of ε beside the picture of a page without them.
    choose
        Answers a row of the list, by its key.
    again
        Draws anew where that is not a matter of the seed that all pages share.
    """
    st.session_state[CAN] = True
    on = bool(st.session_state.get(PRESENT))
    content: dict[str, Any] = {
        "on": on,
        "page": page,
        "own": own_keys.split(",") if own_keys else [],
        "heard": component_messages.time_of_last(KEY, "present"),
        "theme": st.session_state.get(THEME, ""),
        "heard_theme": component_messages.time_of_last(KEY, "theme"),
        "heard_step": component_messages.time_of_last(KEY, "step"),
        "scene": _scene(scene) if on and scene else None,
        "markup": _markup(page, scene) if on else {},
    }

    def stepped() -> None:
        message = component_messages.last_message(KEY, "step").get("value")
        if again and isinstance(message, dict) and message.get("name") == "seed":
            again()
        else:
            _move_setting(message)

    def chosen() -> None:
        key = component_messages.last_message(KEY, "row").get("value")
        if choose and scene and key in {row.key for row in scene.rows}:
            choose(str(key))

    with st.container(key="present"):
        _component(
            key=KEY,
            data=content,
            on_present_change=_toggled,
            on_step_change=stepped,
            on_row_change=chosen,
            on_theme_change=_themed,
        )


def _scene(scene: Scene) -> dict[str, Any]:
    """Return the scene's content, its handle at the stop nearest to the chosen ε."""
    return scene_content(scene, nearest_stop(session.settings().epsilon, scene.epsilons))


def _markup(page: str, scene: Scene | None) -> dict[str, str]:
    """Return the markup of the parts that depend on settings."""
    shared = shared_address(page, st.session_state.get(WRITTEN, {}))
    return {
        "share": share_markup(shared),
        "code": code_markup(shared),
        "true_data": "" if _is_public() else words.TRUE_DATA,
        "list": list_markup(scene) if scene else "",
    }


def share_markup(shared: SharedAddress) -> str:
    """Return the address beside its code, or the sentence that there is none."""
    if shared.url is None:
        guide = element("a", words.GUIDE_LINK, href=GUIDE, target="_blank")
        return element("p", element("span", shared.text), guide)
    title = element("span", words.TRY_IT)
    code = element("button", shared.qr, type="button", aria_label=words.LARGER, data_open="code")
    return element("p", title, element("b", shared.text)) + code


def code_markup(shared: SharedAddress) -> str:
    """Return the large code with its address, or the sentence that there is none."""
    body = shared.qr + element("p", shared.text)
    return element(
        "div", body, button(words.CLOSE_SHEET, data_leave=True), class_="dpca-large-code"
    )


def _is_public() -> bool:
    """Tell whether the data shown are public; without data there is nothing to protect."""
    data = session_data.get(session.settings().data)
    return data is None or session_data.is_public(data)


def _toggled() -> None:
    on = component_messages.last_message(KEY, "present").get("value") is True
    st.session_state[PRESENT] = on


def _themed() -> None:
    theme = component_messages.last_message(KEY, "theme").get("value")
    if theme in THEMES:
        st.session_state[THEME] = theme


def _move_setting(message: object) -> None:
    """Move a shared setting by a number of stops, or ε to a value."""
    if not isinstance(message, dict):
        return
    to = component_messages.finite_number(message.get("to"))
    if to is not None and to > 0 and message.get("name") == "epsilon":
        session.change_settings(epsilon=nearest_stop(to, EPSILON_STOPS))
        return
    by = component_messages.finite_number(message.get("by"))
    if by is None or not 0 < abs(by) <= MOST_STEPS:
        return
    now, steps = session.settings(), int(by)
    match message.get("name"):
        case "epsilon":
            at = EPSILON_STOPS.index(now.epsilon) + steps
            session.change_settings(epsilon=EPSILON_STOPS[_within(at, 0, len(EPSILON_STOPS) - 1)])
        case "k":
            data = session_data.get(now.data)
            if data is not None:
                k = now.k or session.default_k(now.data, data)
                most = max(1, min(MOST_DIRECTIONS, data.d - 1))
                session.change_settings(k=_within(k + steps, 1, most))
        case "seed":
            session.change_settings(seed=(now.seed + steps) % SEEDS)


def _within(value: int, low: int, high: int) -> int:
    return min(max(value, low), high)
