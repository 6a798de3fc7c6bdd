"""Start the server: what ``streamlit run app.py`` does, with everything imported before.

    python -m ui.launch --server.port 8501

A million permanent objects are then exempt from garbage collection, which would otherwise scan them
while people wait, a tenth of a second each time. No session exists yet, so none of its data are
among them.
"""

import gc
import os
import sys
from importlib import import_module
from pathlib import Path

from ui.server.environment import LIBRARY_DEFAULTS

os.environ.update({**LIBRARY_DEFAULTS, **os.environ})

APP = Path(__file__).resolve().parents[1] / "app.py"
PRELOADED = (
    "scipy.stats",
    "pandas",
    "pyarrow.parquet",
    "dpca_core",
    "sample_data",
    "ui.explore.page",
    "ui.papers.page",
)

SWITCH_INTERVAL = 0.001
"""Seconds after which a computing thread hands over the interpreter. A thread that answers releases
it many times, and waits as long each time to get it back."""


def main() -> None:
    """Import everything, exempt it from garbage collection and hand over to Streamlit."""
    from dpca_core.version import commit
    from ui.server import request_guard, workers

    commit()  # of what is imported now, whatever is checked out later
    # First of all: pages that are imported ask where the browser finds its scripts.
    request_guard.install()
    for name in PRELOADED:
        import_module(name)
    gc.collect()
    gc.freeze()
    from streamlit.web.cli import main as streamlit

    workers.install()
    sys.setswitchinterval(SWITCH_INTERVAL)
    sys.argv = ["streamlit", "run", str(APP), *sys.argv[1:]]
    streamlit(prog_name="streamlit")


if __name__ == "__main__":
    main()
