"""The Papers page: every printed figure and table of the five papers beside our own run of it."""

from dataclasses import dataclass
from functools import lru_cache, partial

import streamlit as st

from dpca_core.figures.bundle import CONFIG
from dpca_core.figures.chart import Spec
from dpca_core.figures.colours import Theme, resolve
from dpca_core.mechanisms.registry import MECHANISMS
from papers.card import Card, Run, Setting, Verdict
from papers.data import DataMissingError
from papers.registry import BY_KEY, CARDS
from ui.page.markup import element, sentence
from ui.page.present import show_present
from ui.papers import text
from ui.papers.export import numbers_csv, script
from ui.papers.figure import Shown, figures, thumbnail
from ui.papers.parts import Part
from ui.papers.query import SEED_COUNT, PapersSettings, mechanisms_run
from ui.papers.results import draw_results
from ui.papers.stored import advance, counted, recorded
from ui.papers.theorems import theorems_markup
from ui.papers.words import CardView, citation, head, notes, settings_markup, statements
from ui.server.scheduler import PAGE_SCHEDULER, should_yield
from ui.state import query_params, session
from ui.state.settings import Settings
from ui.state.widget_keys import renew_controls, widget_key
from ui.text.numbers import escape_markdown
from ui.widgets.navigation import start_page

NAME = "papers"
"""The page's name in the navigation."""
SHOWN, RUN = "papers.shown", "papers.run"
"""Session keys: cards whose curves were asked for while others are hidden; the last run begun."""
RUN_SLICE = 0.25
"""Seconds of measuring before the page says how far it is."""
OWN_KEYS = " ,ArrowLeft,ArrowRight"
"""Keys that mean something else here than on other pages when a room looks on."""


@dataclass(frozen=True)
class _Made:
    """What became of a run of the reader's own: the run, or the sentence that there is none."""

    run: Run | None = None
    trouble: str = ""


def draw_page() -> None:
    """Draw the page."""
    shared = st.session_state.get(session.SETTINGS, Settings())
    start_page(PapersSettings)
    # Settings in this page's address are a card's: those that all pages share stay as they were.
    st.session_state[session.SETTINGS] = shared
    _draw_fragment()
    st.html(theorems_markup())
    draw_results()


@st.fragment
def _draw_fragment() -> None:
    now = session.page_settings(PapersSettings)
    # Streamlit's own headings are there at once, ``st.html`` a moment later: all would move.
    with st.container(key="papers-headline"):
        st.title(text.headline(counted(), len(recorded())), anchor=False)
    now = _draw_filters(now)
    _draw_wall(now)
    query_params.write_address(now.to_query())
    query_params.show_replaced()
    _draw_card(now, hidden=not now.reveal and now.figure not in _shown())
    show_present(NAME, OWN_KEYS)


def _shown() -> set[str]:
    found: set[str] = st.session_state.setdefault(SHOWN, set())
    return found


def _open(now: PapersSettings, key: str) -> None:
    session.change_page_settings(now.opened(key))


def _run_again(now: PapersSettings) -> None:
    session.change_page_settings(now, seed=(now.seed + 1) % SEED_COUNT)


def _back_to_stored(now: PapersSettings) -> None:
    session.change_page_settings(now.opened(now.figure))
    renew_controls()


def _draw_filters(now: PapersSettings) -> PapersSettings:
    """Draw what the wall can be limited to; the verdicts, with their counts, are its legend."""
    counts, uses = counted(), ["", *mechanisms_run()]
    with st.container(horizontal=True, vertical_alignment="center", key="papers-filters"):
        verdict = st.pills(
            text.FILTER_LABEL,
            [verdict for verdict in Verdict if counts[verdict]],
            default=Verdict(now.verdict) if now.verdict else None,
            format_func=lambda verdict: text.legend(verdict, counts[verdict]),
            key=widget_key("papers.verdict"),
            label_visibility="collapsed",
        )
        mechanism = st.selectbox(
            text.MECHANISM_LABEL,
            uses,
            uses.index(now.uses),
            format_func=lambda key: MECHANISMS[key].name if key else text.ANY_MECHANISM,
            key=widget_key("papers.uses"),
            label_visibility="collapsed",
            width=220,
        )
        ready = st.checkbox(text.READY_LABEL, now.ready, key=widget_key("papers.ready"))
        key = widget_key("papers.predict")
        predict = st.checkbox(text.PREDICT_LABEL, not now.reveal, key=key, help=text.PREDICT_HELP)
    return session.change_page_settings(
        now, verdict=str(verdict or ""), uses=mechanism, ready=ready, reveal=not predict
    )


def _draw_wall(now: PapersSettings) -> None:
    """Draw a tile for each card that is not left out: a small picture over its number."""
    theme = _theme()
    with st.container(horizontal=True, key="papers-wall", gap="xsmall"):
        for card in CARDS:
            chosen = card.key == now.figure
            if not chosen and not now.shows(card):
                continue
            with st.container(width=148, key=f"papers-tile-{card.key}", gap=None):
                if now.reveal:
                    st.image(_thumbnail(card.key, theme), width="stretch", alt="")
                st.button(
                    text.tile(card, known=card.key in recorded(), veiled=not now.reveal),
                    key=f"papers-open-{card.key}",
                    help=text.full_name(card),
                    type="primary" if chosen else "tertiary",
                    on_click=_open,
                    args=(now, card.key),
                    width="stretch",
                )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(text.SIGNS_SAY, width="content")
        with st.popover(text.MEANINGS_LABEL, type="tertiary"):
            for verdict, meaning in text.MEANINGS.items():
                st.markdown(f"{text.SIGNS[verdict]} **{verdict}**: {meaning}")


@lru_cache(maxsize=64)
def _thumbnail(key: str, theme: Theme) -> str:
    return thumbnail(BY_KEY[key], theme)


def _theme() -> Theme:
    return "dark" if st.context.theme.type == "dark" else "light"


def _draw_card(now: PapersSettings, *, hidden: bool) -> None:
    """Draw a card: charts at the left, what the paper says and what differs at the right."""
    made = _made(now)
    view = _view(now, made.run, hidden=hidden)
    with st.container(key="papers-card"):
        _draw_head(now, view)
        if made.trouble:
            st.error(made.trouble)
        left, right = st.columns((7, 4), gap="large")
        with left:
            _draw_charts(_charts(now, made.run, hidden=hidden))
            if said := notes(view):
                st.html(said)
        with right:
            st.html(statements(view))
            if hidden:
                st.button(text.SHOW, shortcut="Space", on_click=_shown().add, args=(now.figure,))
        _draw_settings(now, view.card)
        _draw_actions(now, view)


def _draw_head(now: PapersSettings, view: CardView) -> None:
    place = CARDS.index(now.card)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(head(view))
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            ways = (("←", "Left", text.BEFORE, -1), ("→", "Right", text.AFTER, 1))
            for arrow, pressed, words, step in ways:
                at = place + step
                known = 0 <= at < len(CARDS)
                name = f"{words}: {text.full_name(CARDS[at])}" if known else words
                key = f"papers-{arrow}"
                way = partial(_open, now, CARDS[at].key) if known else None
                st.button(
                    arrow,
                    key=key,
                    help=name,
                    shortcut=pressed,
                    on_click=way,
                    disabled=not known,
                )
            st.caption(text.POSITION.format(number=place + 1, count=len(CARDS)), width="content")
    with st.container(key="papers-question"):
        st.header(escape_markdown(view.card.asks), anchor=False)


def _view(now: PapersSettings, run: Run | None, *, hidden: bool) -> CardView:
    """Return what is said of the card; until a run is complete, of the stored one."""
    if hidden:
        return CardView(now.card, None)
    if run is None or not run.complete:
        return CardView(now.card, now.card.stored)
    return CardView(run.card, run.whole, seed=run.seed, own=True, changed=bool(now.at))


def _charts(now: PapersSettings, run: Run | None, *, hidden: bool) -> list[tuple[Part, Spec]]:
    """Return the charts, a run of the reader's own over the stored one.

    At settings of the reader's own that run stands alone: the stored one is of other settings.
    """
    theme = _theme()
    if hidden or run is None:
        return _stored_charts(now.figure, theme, hidden=hidden)
    if now.at:
        shown = Shown(run.card, run.whole if run.complete else run.table)
    else:
        shown = Shown(run.card, run.card.stored, run.table)
    return [(part, resolve(spec, theme)) for part, spec in figures(shown)]


@lru_cache(maxsize=64)
def _stored_charts(key: str, theme: Theme, *, hidden: bool) -> list[tuple[Part, Spec]]:
    card = BY_KEY[key]
    found = figures(Shown(card, None if hidden else card.stored))
    return [(part, resolve(spec, theme)) for part, spec in found]


def _draw_charts(charts: list[tuple[Part, Spec]]) -> None:
    now = session.page_settings(PapersSettings)
    columns = st.columns(2) if len(charts) > 1 else [st.container()]
    for number, (part, spec) in enumerate(charts):
        title, sub = text.chart_words(now.card, part, shown=True)
        with columns[number % len(columns)]:
            st.html(element("h3", sentence(title)) + element("p", sentence(sub)))
            alt = f"{now.card.asks} {title}. {sub}"
            key, height = f"papers-{part.key}", spec["layout"]["height"]
            with st.container(height=height, border=False):
                st.plotly_chart(spec, theme=None, config=CONFIG, key=key, height=height, alt=alt)


def _made(now: PapersSettings) -> _Made:
    """Return the run that is asked for, made while its reader looks on; a slice at a time."""
    if not now.seed and not now.at:
        return _Made()
    card = now.card
    if not card.live:
        return _Made(trouble=text.NOT_LIVE.format(time=text.seconds_text(card.seconds)))
    if now.at and card.vary is not None:
        card = card.vary(**now.chosen)
    place = (now.figure, now.at, now.seed)
    kept: tuple[tuple[str, str, int], Run] | None = st.session_state.get(RUN)
    if kept is None or kept[0] != place:
        kept = place, Run(card, now.seed)
        st.session_state[RUN] = kept
    run, bar = kept[1], st.empty()
    try:
        while not run.complete:
            with PAGE_SCHEDULER.turn(urgent=False, heavy=True):
                advance(run, RUN_SLICE, should_yield)
            bar.progress(run.share, text.running(run.share))
    except (DataMissingError, MemoryError, ValueError) as refused:
        del st.session_state[RUN]
        return _Made(trouble=text.refused(refused))
    finally:
        bar.empty()
    return _Made(run)


def _draw_settings(now: PapersSettings, card: Card) -> None:
    """Draw a chip for each setting, and a menu for those that can be changed."""
    st.html(settings_markup(card))
    if card.vary is None or not card.live:
        return
    with st.container(horizontal=True):
        for setting in card.settings:
            if setting.choices:
                _draw_choice(now, setting)


def _draw_choice(now: PapersSettings, setting: Setting) -> None:
    names = dict(zip(setting.choices, setting.choice_names, strict=False))
    chosen = st.selectbox(
        f"{setting.name}, {text.OUR_SETTING}",
        setting.choices,
        setting.choices.index(setting.chosen),
        format_func=lambda value: names.get(value) or text.choice_text(value),
        key=widget_key(f"papers.{now.figure}.{setting.key}"),
        width=240,
    )
    if chosen != setting.chosen:
        session.change_page_settings(now.changed(setting.key, chosen))
        st.rerun(scope="fragment")


def _draw_actions(now: PapersSettings, view: CardView) -> None:
    """Draw links to other pages, the run, downloads, citation and the command."""
    card = view.card
    with st.container(horizontal=True):
        for link in card.links:
            st.link_button(text.link_name(link), text.address(link))
        if card.live and view.results is not None:
            again = text.RUN_AGAIN if view.own else text.RUN
            st.button(again, on_click=_run_again, args=(now,))
            if view.own:
                st.button(text.BACK_TO_STORED, on_click=_back_to_stored, args=(now,))
        if view.results is not None:
            name = f"dpca-{card.key}.csv"
            st.download_button(text.NUMBERS, numbers_csv(view), name, on_click="ignore")
            chosen = now.chosen if view.changed else {}
            file, content = script(view, chosen)
            st.download_button(text.SCRIPT, content, file, on_click="ignore")
    for fact in text.facts(card):
        st.caption(fact)
    with st.expander(text.CITE):
        said, bibtex = citation(view)
        st.write(said)
        st.code(bibtex, language="bibtex")
        st.code(text.command(card), language="bash")
