"""The Explore page's controls: native widgets, one row, their state in the settings."""

from dataclasses import replace
from typing import Literal, cast

import streamlit as st

from dpca_core.budget import Adjacency
from dpca_core.dataset import Dataset
from dpca_core.mechanism import Mechanism
from dpca_core.registry import MECHANISMS
from sample_data import CATALOGUE, source_of
from ui import session
from ui.format import count, power
from ui.link import nearest
from ui.promises import neighbours
from ui.settings import DELTAS
from ui.study import View

MOST_DIRECTIONS = 20
WIDTHS = {
    "data": 2.65, "mechanism": 1.85, "k": 1, "delta": 1.1, "n": 1.2, "adjacency": 2.4, "others": 0.9
}  # fmt: skip
"""Shares of the row, by control."""
ROW = "".join(
    f"@media (min-width: 641px) {{.st-key-controls > .st-key-{name} "
    f"{{flex: {share:g} 1 {85 * share:g}px; width: auto; min-width: 0}}}}\n"
    for name, share in WIDTHS.items()
)


def people_stops(n: int) -> tuple[float, ...]:
    """Stops of the people slider: round numbers from 100 to 10⁷ and the data's own n."""
    stops = {float(m * 10**e) for e in range(2, 7) for m in (1, 2, 5)} | {1e7, float(n)}
    return tuple(sorted(stops))


def choose_data(width: Literal["stretch"] | int = "stretch") -> str | None:
    """Return the key chosen in the data menu; None while a link's upload is missing."""
    settings = session.settings()
    options = [*CATALOGUE, *session.uploads()]
    if settings.data not in options and session.available(settings.data):
        options.append(settings.data)

    def moved() -> None:
        # A browser that comes back to a server started anew names what this one never had.
        if st.session_state["data"] not in options or st.session_state["data"] == settings.data:
            return
        session.change(data=st.session_state["data"], k=0, n=0.0)
        for name in ("k", "n"):
            st.session_state.pop(name, None)

    if st.session_state.get("data") not in options:
        st.session_state.pop("data", None)
    # Each page has a menu of its own; one left in a hurry falls back to where it starts.
    return st.selectbox(
        "Data", options, options.index(settings.data) if settings.data in options else None,
        format_func=_name, key="data", on_change=moved, width=width, placeholder="Choose data",
    )  # fmt: skip


def _name(key: str) -> str:
    """Name of a data set; a synthetic one with the parameters that are not its defaults."""
    own, source = session.uploads().get(key), source_of(key)
    if own or source is None:
        return own.name if own else key
    settings = key.partition("?")[2].replace("&", ", ").replace("=", "\u00a0=\u00a0")
    return f"{source.name}: {settings}" if settings else source.name


def choose_view(key: str, data: Dataset) -> View:
    """Draw the other controls and return the view that they ask for."""
    settings, unit = session.settings(), data.unit
    stops = people_stops(data.people)
    top = min(MOST_DIRECTIONS, data.d - 1)
    wanted = settings.k or session.default_k(key, data)
    start = {
        "mechanism": settings.mechanism,
        "k": min(max(wanted, 1), top),
        "delta": nearest(settings.delta, DELTAS),
        "n": nearest(settings.n, stops) if settings.n else float(data.people),
        "adjacency": settings.adjacency,
        "seed": settings.seed,
    }
    for name, value in start.items():
        st.session_state.setdefault(name, value)
    mechanism = MECHANISMS[
        st.selectbox(
            "Mechanism", list(MECHANISMS), format_func=lambda m: MECHANISMS[m].name, key="mechanism"
        )
    ]
    if top > 1:
        k = st.slider("Directions k", 1, top, key="k")
    else:
        k = 1
        with st.container(key="k_fixed", width=110):
            st.markdown("Directions k  \n**1**")
    delta = st.select_slider("δ", DELTAS, format_func=power, key="delta")
    n = st.select_slider(
        unit.many.capitalize(), stops, format_func=count, key="n",
        help=f"The data have {count(data.people)}. Other numbers scale the spectrum: "
        f"as if so many {unit.many} looked like these.",
    )  # fmt: skip
    adjacency = st.selectbox(
        "Neighbours", list(Adjacency), key="adjacency",
        format_func=lambda a: neighbours(Adjacency(a), unit.one),
    )  # fmt: skip
    with st.popover("More", key="others", width="stretch"):
        mechanism = _more(mechanism)
        seed = int(cast(float, st.number_input("Seed", 0, 2**32 - 1, key="seed")))
        st.button("Draw again", on_click=_draw_again, help="Other releases of the same law.")
    session.change(
        mechanism=mechanism.key, delta=delta, k=k, adjacency=str(adjacency), seed=seed,
        n=0.0 if n == data.people else n,
    )  # fmt: skip
    return View(mechanism, k, delta, n, Adjacency(str(adjacency)), seed)


def _more(mechanism: Mechanism) -> Mechanism:
    """Draw the mechanism's card and a slider for each of its own settings."""
    st.markdown(f"**{mechanism.name}**\n\n{mechanism.card()}")
    chosen = {}
    for p in mechanism.parameters():
        kind = int if isinstance(p.default, int) else float
        low, high, start = kind(p.low), kind(p.high), kind(p.default)
        chosen[p.name] = st.slider(p.label, low, high, start, key=f"{mechanism.key}.{p.name}")
    return replace(mechanism, **chosen) if chosen else mechanism


def _draw_again() -> None:
    st.session_state["seed"] = (int(st.session_state["seed"]) + 1) % 2**32
