"""Start the server: what ``streamlit run app.py`` does, with everything imported before.

    python -m ui.server.launch --server.port 8501

A million objects that stay for ever are then no work for the garbage collector, which otherwise
goes through them while people wait, a tenth of a second each time. Nobody has come yet, so nothing
of anybody's is among them.
"""

import gc
import os
import sys
from importlib import import_module
from pathlib import Path

from ui.server.environment import LIBRARY_DEFAULTS

os.environ.update({**LIBRARY_DEFAULTS, **os.environ})


APP = Path(__file__).resolve().parents[2] / "app.py"
LASTING = (
    "scipy.stats",
    "pandas",
    "pyarrow.parquet",
    "dpca_core",
    "sample_data",
    "ui.explore.page",
)

SWITCH = 0.001
"""Seconds after which a thread that computes in Python lets another one go on: whoever answers
lets go of the interpreter many times, and waits so long each time to get it back."""


def main() -> None:
    """Import what lasts, set it aside and hand over to Streamlit."""
    for name in LASTING:
        import_module(name)
    gc.collect()
    gc.freeze()
    from streamlit.web.cli import main as streamlit

    from ui.server import request_guard, worker_pool

    request_guard.install()
    worker_pool.install()
    sys.setswitchinterval(SWITCH)
    sys.argv = ["streamlit", "run", str(APP), *sys.argv[1:]]
    streamlit(prog_name="streamlit")


if __name__ == "__main__":
    main()
