"""The workbench's entry: page settings, navigation and the one-time warm-up."""

import os
from pathlib import Path

# Before numpy is imported: trials run in parallel, a second BLAS thread gets in their way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import streamlit as st

from ui.door import ask_in
from ui.start import warm_up
from ui.visits import VISITS

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


def main() -> None:
    """Let somebody in and run the page that is asked for."""
    st.set_page_config(page_title="dpca — what privacy costs your PCA", layout="wide")
    warm_up()
    VISITS.greet()
    ask_in()
    here = Path(__file__).parent / "pages"
    st.navigation(
        [
            st.Page(here / f"{name}.py", title=title, default=name == "explore")
            for name, title in PAGES.items()
            if (here / f"{name}.py").exists()
        ],
        position="top",
    ).run()


# Not in a process that sums up beside the server: it reads this file once more, by another name.
if __name__ == "__main__":
    main()
