"""The Papers page: every printed figure and table of the five papers beside our own run of it."""

from typing import Any

import streamlit as st

from papers.card import Run
from papers.data import DataMissingError
from papers.registry import BY_KEY
from ui.figures import component_messages
from ui.figures.component import component_of, outbox
from ui.figures.markup import page_root, progress_row
from ui.figures.saved_figure import chart_figure
from ui.papers import text
from ui.papers.content import (
    Screen,
    page_content,
    sent_content,
)
from ui.papers.export import card_numbers, card_script
from ui.papers.measurements import advance
from ui.papers.query import Message, PapersSettings, changed
from ui.server.scheduler import PAGE_SCHEDULER, busy_message, refinement_delay, should_yield
from ui.state import query_params, session
from ui.state.settings import Settings
from ui.widgets.navigation import start_page
from ui.widgets.present import show_present
from ui.widgets.style import apply_page_style

KEY, NAME = "papers-wall", "papers"
"""Of the component, and the page's name in the navigation."""
SHOWN = "papers.shown"
"""Session key: cards whose curves were asked for while others are hidden."""
RUN = "papers.run"
"""Session key: the run that was begun last."""
OWN_KEYS = " ,ArrowLeft,ArrowRight"
"""Keys that mean something else here than on other pages when a room looks on."""
RUN_SLICE = 0.25
"""Seconds of measuring before the page answers again."""

_PAGE = """\
<h1 class="dpca-answer" data-part="answer"></h1>
<div class="dpca-filters" data-part="filters"></div>
<div class="dpca-wall" role="region" aria-label="{wall}" data-part="wall"></div>
<article class="dpca-card" tabindex="-1" data-part="card">
<header class="dpca-cardhead" data-part="head"></header>
<div class="dpca-asked"><h2 class="dpca-question" data-part="question"></h2>\
<div data-part="predict"></div></div>
<div class="dpca-cardgrid"><div class="dpca-main"><div class="dpca-panels" data-part="grid"></div>
{progress}
<div class="dpca-notes" data-part="notes"></div></div>
<div class="dpca-side" aria-live="polite" data-part="words"></div></div>
<div class="dpca-settings" data-part="chips"></div>
<p class="dpca-trouble" role="status" data-part="trouble"></p>
<footer class="dpca-actions" data-part="actions"></footer>
</article>
<section class="dpca-theorems" data-part="theorems"></section>
"""
_SKELETON = _PAGE.format(wall=text.WALL_LABEL, progress=progress_row())
_component = component_of(
    "dpca_papers", "papers", page_root("papers", _SKELETON), chart_figure, sent_content
)


def draw_page() -> None:
    """Draw the page."""
    shared = st.session_state.get(session.SETTINGS, Settings())
    start_page(PapersSettings)
    # Settings in this page's address are a card's: those that all pages share stay as they were.
    st.session_state[session.SETTINGS] = shared
    apply_page_style()
    _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    """Draw all in one fragment: what the browser says is answered by it alone."""
    now = session.page_settings(PapersSettings)
    query_params.write_address(now.to_query())
    query_params.show_replaced()
    more = st.session_state.pop("papers.more", False)
    seen: set[str] = st.session_state.setdefault(SHOWN, set())
    with PAGE_SCHEDULER.turn(urgent=not more, heavy=more):
        run, trouble = _run(now, more=more)
        screen = Screen(now, run, hidden=not now.reveal and now.figure not in seen)
        content = page_content(screen)
    complete = content["complete"]
    content |= {
        "trouble": trouble,
        "progress": busy_message(complete, content["progress"]),
        "pause": refinement_delay(complete),
    }
    st.session_state["papers.drawn"] = (content, screen)
    callbacks = {f"on_{message}_change": _listener(message) for message in Message}
    _component(
        key=KEY,
        data=content,
        on_more_change=_more,
        on_show_change=_show,
        on_save_change=_save,
        **callbacks,
    )
    show_present(NAME, OWN_KEYS)


def _run(now: PapersSettings, *, more: bool) -> tuple[Run | None, str]:
    """Return the run that is asked for, a little further; or the sentence that there is none."""
    if not now.seed and not now.at:
        return None, ""
    card = now.card
    if not card.live:
        return None, text.NOT_LIVE.format(time=text.seconds_text(card.seconds))
    if now.at and card.vary is not None:
        card = card.vary(**now.chosen)
    place = (now.figure, now.at, now.seed)
    kept: tuple[tuple[str, str, int], Run] | None = st.session_state.get(RUN)
    if kept is None or kept[0] != place:
        kept = place, Run(card, now.seed)
        st.session_state[RUN] = kept
    run = kept[1]
    try:
        if not run.complete and (more or not run.share):
            advance(run, RUN_SLICE, should_yield)
    except (DataMissingError, MemoryError, ValueError) as refused:
        del st.session_state[RUN]
        return None, text.refused(refused)
    return run, ""


def _listener(message: Message) -> Any:
    def listen() -> None:
        said = component_messages.last_message(KEY, message).get("value")
        now = session.page_settings(PapersSettings)
        after = changed(now, message, said)
        if after != now:
            session.change_page_settings(after)

    return listen


def _more() -> None:
    st.session_state["papers.more"] = True


def _show() -> None:
    """Show our run of the card that the browser shows."""
    figure = session.page_settings(PapersSettings).figure
    st.session_state[SHOWN] = {*st.session_state.get(SHOWN, ()), figure}


def _save() -> None:
    drawn: tuple[dict[str, Any], Screen] | None = st.session_state.get("papers.drawn")
    said = component_messages.last_message(KEY, "save").get("value")
    if drawn is None or drawn[1].hidden:
        return
    screen = drawn[1]
    view = screen.view
    if said == "script":
        chosen = screen.settings.chosen if view.changed else {}
        file = card_script(view, text.full_name(BY_KEY[screen.settings.figure]), chosen)
    else:
        file = card_numbers(view)
    outbox(KEY).add(file)
