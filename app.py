"""The workbench: its server, and what each run begins with: page settings and navigation."""

from functools import partial

import streamlit as st
from streamlit.navigation.page import Page

from ui.server.login import require_login
from ui.server.sessions import SESSIONS
from ui.text.navigation import PAGES
from ui.text.product import TITLE
from ui.widgets.header import apply_colours, show_header

FILES = {"papers": "_papers"}
"""Files of pages where they have another name: a page run by itself must not hide a package."""
MOVED = {
    "compare": ("explore", {"view": "all"}),
    "summary": ("explore", {"view": "page"}),
    "results": ("papers", {}),
}
"""Old addresses, with the pages that they lead to and what is set there besides."""
START_PAGE = "explore"


def main() -> None:
    """Require a login where one is configured, and run the requested page."""
    st.set_page_config(page_title=TITLE, layout="wide")
    SESSIONS.register()
    require_login()
    menus = {
        group: [_page(name, title) for name, title in names.items()]
        for group, names in PAGES.items()
    }
    alone, *groups = menus
    standing_alone = len(menus[alone])
    # The start page answers to the empty path only; this entry serves its name too.
    title = PAGES[""][START_PAGE]
    named = st.Page(_file(START_PAGE), title=title, url_path=START_PAGE, visibility="hidden")
    moved = [
        st.Page(partial(_lead, *goal), title=name, url_path=name, visibility="hidden")
        for name, goal in MOVED.items()
    ]
    menus[alone] += [named, *moved]
    chosen = st.navigation(menus, position="top")
    st.set_page_config(page_title=f"{chosen.title} · {TITLE}")
    current = next(group for group, pages in menus.items() if chosen in pages)
    apply_colours(standing_alone + 1 + groups.index(current) if current in groups else None)
    chosen.run()
    show_header()


def _file(name: str) -> str:
    return f"pages/{FILES.get(name, name)}.py"


def _page(name: str, title: str) -> Page:
    """Return a page by its name in addresses; the start page answers to the empty path."""
    start = name == START_PAGE
    return st.Page(_file(name), title=title, default=start, url_path="home" if start else name)


def _lead(name: str, more: dict[str, str]) -> None:
    """Lead from an old address to its page, with all its settings."""
    st.switch_page(_file(name), query_params=st.query_params.to_dict() | more)


# Streamlit imports this file for the server, and runs it for every answer. A Dask process that sums
# up a table imports it under a third name.
if __name__ == "__main__":
    main()
elif __name__ == "app":
    from ui.launch import MIDDLEWARE, prepared

    app = st.App(__file__, middleware=MIDDLEWARE, lifespan=prepared)
