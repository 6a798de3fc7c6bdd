"""The Papers page: every printed figure and table of the five papers beside our own run of it."""

from functools import lru_cache
from time import perf_counter
from typing import Any

import streamlit as st

from dpca_core.figures.bundle import CONFIG
from dpca_core.figures.chart import Spec
from dpca_core.figures.colours import Theme, resolve
from papers.card import Card, Run, Verdict
from papers.data import DataMissingError
from papers.registry import CARDS
from papers.table import Table
from ui.page.markup import element, sentence
from ui.page.present import show_present
from ui.papers import text
from ui.papers.figure import figure, theme, thumbnail
from ui.papers.query import SEED_COUNT, PapersSettings
from ui.papers.results import draw_results
from ui.papers.text import WORDS
from ui.server.scheduler import PAGE_SCHEDULER, should_yield
from ui.state import session
from ui.state.session import widget_key
from ui.state.settings import Settings
from ui.text.numbers import escape_markdown
from ui.text.words import progress_text
from ui.widgets.start_page import start_page

SHOWN, RUN = "papers.shown", "papers.run"
"""Session keys: cards whose curves were asked for while others are hidden; the last run begun."""
RUN_SLICE = 0.25
"""Seconds of measuring before the page says how far it is."""
OWN_KEYS = " ,ArrowLeft,ArrowRight"
"""Keys that mean something else here than on other pages when a room looks on."""


def draw_page() -> None:
    """Draw the page."""
    shared = st.session_state.get(session.SETTINGS, Settings())
    start_page(PapersSettings)
    # Settings in this page's address are a card's: those that all pages share stay as they were.
    st.session_state[session.SETTINGS] = shared
    _draw_fragment()
    with st.container(key="papers-theorems"):
        st.header("What is proved, and what became of it", anchor=False)
        st.markdown(text.THEOREMS)
    with st.container(key="papers-results"):
        draw_results()


@st.fragment
def _draw_fragment() -> None:
    now = session.page_settings(PapersSettings)
    # Streamlit's own headings are there at once, ``st.html`` a moment later: all would move.
    with st.container(key="papers-headline"):
        st.title(text.headline(), anchor=False)
    now = _draw_filters(now)
    _draw_wall(now)
    session.write_address(now.to_query())
    session.show_replaced()
    shown: set[str] = st.session_state.setdefault(SHOWN, set())
    _draw_card(now, hidden=not now.reveal and now.figure not in shown)
    show_present("papers", OWN_KEYS)


def _draw_filters(now: PapersSettings) -> PapersSettings:
    """Draw what the wall can be limited to; the verdicts, with their counts, are its legend."""
    counts = text.counted()
    with st.container(horizontal=True, vertical_alignment="center", key="papers-filters"):
        key = widget_key("papers.predict")
        hide = st.checkbox(WORDS("predict"), not now.reveal, key=key, help=WORDS("predict_help"))
        verdict = st.pills(
            "Limit to a verdict",
            [verdict for verdict in Verdict if counts[verdict]],
            default=now.verdict or None,
            format_func=lambda verdict: f"{text.SIGNS[verdict]} {verdict} ({counts[verdict]})",
            key=widget_key("papers.verdict"),
            label_visibility="collapsed",
            disabled=hide,
        )
    return session.change_page_settings(now, verdict=str(verdict or ""), reveal=not hide)


def _draw_wall(now: PapersSettings) -> None:
    """Draw a tile for each card that is not left out: a small picture over its number."""
    with st.container(horizontal=True, key="papers-wall", gap="xsmall"):
        for card in CARDS:
            chosen = card.key == now.figure
            if not chosen and now.reveal and now.verdict not in ("", card.verdict):
                continue
            with st.container(key=f"papers-tile-{card.key}", gap=None):
                if now.reveal:
                    st.image(thumbnail(card, theme()), width="stretch", alt="")
                name, key = text.tile(card, veiled=not now.reveal), f"papers-open-{card.key}"
                to_card = _opening(now, card) | {"type": "primary" if chosen else "tertiary"}
                st.button(name, key, width="stretch", **to_card)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(WORDS("recorded"), width="content")
        with st.popover("What the verdicts mean", type="tertiary"):
            for verdict, means in text.MEANS.items():
                st.markdown(f"{text.SIGNS[verdict]} **{verdict}**: {means}")


def _draw_card(now: PapersSettings, *, hidden: bool) -> None:
    """Draw a card: charts at the left, what the paper says and what differs at the right."""
    card, run = now.card, None
    try:
        run = None if hidden else _run(now)
    except DataMissingError as missing:
        st.session_state.pop(RUN, None)
        st.error(str(missing))
    results, seed = None if hidden else run.whole if run else card.stored, run.seed if run else 0
    with st.container(key="papers-card"):
        _draw_head(now, results)
        left, right = st.columns((7, 4), gap="large")
        with left:
            _draw_charts(card, results, run)
            st.html("".join(element("p", sentence(n)) for n in text.notes(card, results, seed)))
        with right:
            st.html(text.statements(card, results))
            if hidden:
                show = st.session_state[SHOWN].add
                st.button(WORDS("show"), shortcut="Space", on_click=show, args=(now.figure,))
        st.html(text.settings_markup(card))
        _draw_actions(now, results, seed)


def _opening(now: PapersSettings, card: Card) -> dict[str, Any]:
    """Return the arguments of a button that leads to a card."""
    to_card = {"args": (now,), "kwargs": {"figure": card.key, "seed": 0}}
    return {"help": card.name, "on_click": session.change_page_settings} | to_card


def _draw_head(now: PapersSettings, results: Table | None) -> None:
    place = CARDS.index(now.card)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(text.head(now.card, results))
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            for arrow, pressed, at in (("←", "Left", place - 1), ("→", "Right", place + 1)):
                to_card = _opening(now, CARDS[at % len(CARDS)])
                st.button(arrow, f"papers-{arrow}", shortcut=pressed, **to_card)
            st.caption(f"{place + 1} of {len(CARDS)}", width="content")
    with st.container(key="papers-question"):
        st.header(escape_markdown(now.card.asks), anchor=False)


def _draw_charts(card: Card, results: Table | None, run: Run | None) -> None:
    columns = st.columns(2) if len(card.panels) > 1 else [st.container()]
    for number, panel in enumerate(card.panels):
        if run is None:
            spec = _chart(card, number, results is None, theme())
        else:
            # Over the stored one; it is asked for by no other reader, so it is not kept for them.
            spec = resolve(figure(card, panel, card.stored, run.table), theme())
        measured = sentence(panel.y.label)
        heading = element("h3", sentence(panel.title) or measured)
        with columns[number % len(columns)], st.container(key=f"papers-chart-{number}"):
            st.html(heading + element("p", measured * bool(panel.title)))
            height, alt = spec["layout"]["height"], f"{card.asks} {panel.title} {panel.y.label}"
            key = f"papers-{card.key}-{number}"
            with st.container(height=height, border=False):
                st.plotly_chart(spec, theme=None, config=CONFIG, height=height, key=key, alt=alt)


@lru_cache(maxsize=128)
def _chart(card: Card, number: int, hidden: bool, theme: Theme) -> Spec:
    spec: Spec = resolve(figure(card, card.panels[number], None if hidden else card.stored), theme)
    return spec


def _run(now: PapersSettings) -> Run | None:
    """Return the run that is asked for, made while its reader looks on; a slice at a time."""
    if not (now.card.live and now.seed):
        return None
    run: Run | None = st.session_state.get(RUN)
    if run is None or (run.card, run.seed) != (now.card, now.seed):
        run = st.session_state[RUN] = Run(now.card, now.seed)
    bar = st.empty()
    try:
        while run.share < 1:
            with PAGE_SCHEDULER.turn(urgent=False, heavy=True):
                end = perf_counter() + RUN_SLICE
                while run.share < 1:
                    run.step()
                    if perf_counter() >= end or should_yield():
                        break
            bar.progress(run.share, progress_text(run.share))
    finally:
        bar.empty()
    return run


def _draw_actions(now: PapersSettings, results: Table | None, seed: int) -> None:
    """Draw links to other pages, the run, downloads, citation and the command."""
    card, change = now.card, session.change_page_settings
    with st.container(horizontal=True):
        for address in card.links:
            st.link_button(text.link_name(address), address)
        if results is not None:
            if card.live:
                label = WORDS("run_again" if seed else "run")
                following = {"seed": (now.seed + 1) % SEED_COUNT}
                st.button(label, on_click=change, args=(now,), kwargs=following)
            if seed:
                st.button(WORDS("back"), on_click=change, args=(now,), kwargs={"seed": 0})
            numbers, name = text.numbers_csv(card, results), f"dpca-{card.key}.csv"
            st.download_button("Numbers", numbers, name, on_click="ignore")
    for fact in text.facts(card):
        st.caption(fact)
    with st.expander("Cite, or run it in a terminal"):
        st.write(text.citation(card, seed))
        st.code(card.paper.bibtex, language="bibtex")
        st.code(f"python -m papers {card.key}", language="bash")
