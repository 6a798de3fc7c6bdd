"""The workbench's entry: page settings, navigation and the one-time warm-up."""

import os
from pathlib import Path

from ui.server.environment import LIBRARY_DEFAULTS

os.environ.update({**LIBRARY_DEFAULTS, **os.environ})

import streamlit as st

from ui.server.login import require_login
from ui.server.session_expiry import SESSIONS
from ui.server.warm_up import warm_up

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
FIRST = "explore"


def main() -> None:
    """Let somebody in and run the page that is asked for."""
    st.set_page_config(page_title="dpca — what privacy costs your PCA", layout="wide")
    st.html(Path(__file__).parent / "ui" / "widgets" / "css" / "app.css")
    warm_up()
    SESSIONS.register()
    require_login()
    here = Path(__file__).parent / "pages"
    pages = [
        st.Page(
            here / f"{name}.py",
            title=title,
            default=name == FIRST,
            url_path="home" if name == FIRST else None,
        )
        for name, title in PAGES.items()
        if (here / f"{name}.py").exists()
    ]
    # The first page answers to the empty path only: whoever types its name shall find it too.
    named = st.Page(here / f"{FIRST}.py", title=PAGES[FIRST], url_path=FIRST, visibility="hidden")
    st.navigation([*pages, named], position="top").run()


# Not in a process that sums up beside the server: it reads this file once more, by another name.
if __name__ == "__main__":
    main()
