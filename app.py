"""The workbench's entry: page settings, navigation and the one-time warm-up."""

from functools import partial

import streamlit as st
from streamlit import net_util
from streamlit.navigation.page import Page

from ui.server.request_guard import require_login
from ui.server.sessions import SESSIONS
from ui.server.streamlit_fixes import repair_streamlit
from ui.text.product import PAGES, TITLE
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


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Repair Streamlit once per process, and look for ended sessions from now on.

    Nothing private belongs here: a resource outlives the session that made it.
    """
    # Streamlit would ask a web service for the server's address when a foreign page connects.
    net_util._external_ip = "127.0.0.1"
    repair_streamlit()
    SESSIONS.start_checking()


def main() -> None:
    """Require a login where one is configured, and run the requested page."""
    st.set_page_config(page_title=TITLE, layout="wide")
    warm_up()
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


# A Dask process that sums up a table imports this file again under another name.
if __name__ == "__main__":
    main()
