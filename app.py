"""The workbench's entry: page settings, navigation and the one-time warm-up."""

import os
from pathlib import Path

from ui.server.environment import LIBRARY_DEFAULTS

os.environ.update({**LIBRARY_DEFAULTS, **os.environ})

import streamlit as st
from streamlit.navigation.page import Page

from ui.server.login import require_login
from ui.server.sessions import SESSIONS
from ui.server.warm_up import warm_up
from ui.text.product import TITLE
from ui.widgets.newcomer_line import remember_arrival
from ui.widgets.product_header import mark_menu, show_product_header
from ui.widgets.style import apply_app_style

PAGES = {
    "": {"explore": "Explore", "learn": "Learn"},
    "Understand": {
        "eigengap": "Eigengap",
        "sample_size": "Sample size",
        "local": "Local model",
    },
    "Your data": {"data": "Prepare", "release": "Release"},
    "Check": {
        "claims": "Claims",
        "papers": "Papers",
        "proofs": "Proofs",
    },
}
"""Titles by name in addresses, in groups: the first stands alone, the others are menus; a page
whose file does not exist is left out."""
FILES = {"papers": "_papers"}
"""Files of pages where they have another name: a page run by itself must not hide a package.

Streamlit reads a page's name off its file without what leads it; under any other name a server's
first visitor is told that there is no such page."""
MOVED = {"compare": "All mechanisms", "summary": "One page", "results": "Papers"}
"""Old addresses, with the titles of what they lead to."""
START_PAGE = "explore"


def main() -> None:
    """Require a login where one is configured, and run the requested page."""
    st.set_page_config(page_title=TITLE, layout="wide")
    apply_app_style()
    warm_up()
    SESSIONS.register()
    require_login()
    titles = {name: title for group in (*PAGES.values(), MOVED) for name, title in group.items()}
    pages = {name: _page(name, title) for name, title in titles.items() if _file(name).exists()}
    menus = {
        group: [pages[name] for name in names if name in pages] for group, names in PAGES.items()
    }
    # The start page answers to the empty path only; this entry serves its name too.
    named = st.Page(
        _file(START_PAGE), title=titles[START_PAGE], url_path=START_PAGE, visibility="hidden"
    )
    menus[""] += [named, *(pages[name] for name in MOVED if name in pages)]
    chosen = st.navigation(menus, position="top")
    st.set_page_config(page_title=f"{chosen.title} · {TITLE}")
    alone, *groups = menus
    current = next((group for group, members in menus.items() if chosen in members), alone)
    mark_menu(sum(page.visibility == "visible" for page in menus[alone]), groups, current)
    remember_arrival(lessons="learn" in pages)
    chosen.run()
    show_product_header()


def _file(name: str) -> Path:
    return Path(__file__).parent / "pages" / f"{FILES.get(name, name)}.py"


def _page(name: str, title: str) -> Page:
    """Return a page by its name in addresses; the start page answers to the empty path."""
    return st.Page(
        _file(name),
        title=title,
        default=name == START_PAGE,
        url_path="home" if name == START_PAGE else name,
        visibility="hidden" if name in MOVED else "visible",
    )


# A Dask process that sums up a table imports this file again under another name.
if __name__ == "__main__":
    main()
