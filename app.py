"""The workbench's entry: page settings, navigation and the one-time warm-up."""

import os
from pathlib import Path

from ui.server.environment import LIBRARY_DEFAULTS

os.environ.update({**LIBRARY_DEFAULTS, **os.environ})

import streamlit as st

from ui.server.login import require_login
from ui.server.session_expiry import SESSIONS
from ui.server.warm_up import warm_up
from ui.text.product import TITLE
from ui.widgets.product_header import show_product_header
from ui.widgets.style import apply_app_style

PAGES = {
    "explore": "Explore",
    "compare": "Compare",
    "eigengap": "Eigengap",
    "sample_size": "Sample size",
    "local": "Local model",
    "data": "Your data",
    "claims": "Claims",
    "proofs": "Proofs",
}
START_PAGE = "explore"


def main() -> None:
    """Require a login where one is configured, and run the requested page."""
    st.set_page_config(page_title=TITLE, layout="wide")
    apply_app_style()
    warm_up()
    SESSIONS.register()
    require_login()
    here = Path(__file__).parent / "pages"
    pages = [
        st.Page(
            here / f"{name}.py",
            title=title,
            default=name == START_PAGE,
            url_path="home" if name == START_PAGE else None,
        )
        for name, title in PAGES.items()
        if (here / f"{name}.py").exists()
    ]
    # The start page answers to the empty path only; this entry serves its name too.
    named = st.Page(
        here / f"{START_PAGE}.py", title=PAGES[START_PAGE], url_path=START_PAGE, visibility="hidden"
    )
    st.navigation([*pages, named], position="top").run()
    show_product_header()


# A Dask process that sums up a table imports this file again under another name.
if __name__ == "__main__":
    main()
