"""Start the server: Streamlit behind our own guard, with everything imported before.

    python -m ui.launch --server.port 8501

A million permanent objects are then exempt from garbage collection, which would scan them while
people wait, a tenth of a second each time. No session exists yet, so none of its data are there.
"""

import gc
import sys
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from streamlit import App

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
OPENING = 1.0
"""Seconds after which the server answers."""
SWITCH_INTERVAL = 0.001
"""Seconds after which a computing thread hands over the interpreter. A thread that answers releases
it many times, and waits as long each time to get it back."""


def main() -> None:
    """Import everything, exempt it from garbage collection and serve."""
    import streamlit as st
    from starlette.formparsers import MultiPartParser
    from starlette.middleware import Middleware
    from streamlit.runtime.pages_manager import PagesManager

    given = options(sys.argv[1:])
    # Streamlit looks for its settings in the working directory, and beside what is named here.
    sys.argv = [str(APP)]

    from dpca_core.version import commit
    from ui.server import workers
    from ui.server.request_guard import RequestGuard, upload_limit
    from ui.server.static_files import BrowserCode, serve_versions

    serve_versions()
    commit()  # of what is imported now, whatever is checked out later
    for name in PRELOADED:
        import_module(name)
    gc.collect()
    gc.freeze()
    workers.install()
    sys.setswitchinterval(SWITCH_INTERVAL)
    # 0 means "never": a full disk would otherwise fail an upload with an unintelligible error.
    MultiPartParser.spool_max_size = 0
    # Streamlit would run a page alone, without app.py, for whoever comes first by its address.
    PagesManager.uses_pages_directory = False
    # Ctrl-C has stopped the server when it comes here.
    with suppress(KeyboardInterrupt):
        guards = [Middleware(RequestGuard, limit=upload_limit()), Middleware(BrowserCode)]
        st.App(APP, middleware=guards, lifespan=_opened).run(config=given)


@asynccontextmanager
async def _opened(app: "App") -> AsyncIterator[None]:
    """Open a browser once the server answers, unless it has no screen."""
    from streamlit import config
    from streamlit.web.server.server_util import get_url

    if not config.get_option("server.headless"):
        Timer(OPENING, webbrowser.open, [get_url("localhost")]).start()
    yield


def options(arguments: list[str]) -> dict[str, object]:
    """Read Streamlit's options as its own command line does, which comes before the environment.

    There they are ``STREAMLIT_SERVER_PORT``, here ``--server.port 8501`` or with "=". Lists take
    commas, too. What is wrong is told in a sentence, as ``--help`` is, and the process ends.
    """
    import click
    from streamlit.web.cli import configurator_options

    @click.command
    @configurator_options
    def read(**found: object) -> dict[str, object]:
        """Start the workbench, with any of Streamlit's options."""
        return {name.replace("_", "."): value for name, value in found.items()}

    try:
        found = read.main(arguments, "python -m ui.launch", standalone_mode=False)
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(wrong.exit_code)
    if not isinstance(found, dict):
        sys.exit()
    return {
        name: ",".join(value).split(",") if isinstance(value, tuple) else value
        for name, value in found.items()
        if value is not None and value != ()
    }


if __name__ == "__main__":
    main()
