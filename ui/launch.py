"""What the server of ``app.py`` is made of, and does before anybody connects.

It imports everything. A million permanent objects are then exempt from garbage collection, which
would scan them while people wait, a tenth of a second each time. No session exists yet, so none of
its data are there.
"""

import gc
import sys
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from threading import Timer

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from streamlit import config, net_util
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.server.server_util import get_url

from dpca_core.runtime.offload import set_executor
from dpca_core.version import commit
from ui.server.request_guard import RequestGuard, upload_limit
from ui.server.sessions import SESSIONS
from ui.server.static_files import BrowserCode
from ui.server.streamlit_fixes import repair_streamlit
from ui.server.workers import PAGE_WORKERS, run_in_worker

MIDDLEWARE = (Middleware(RequestGuard, limit=upload_limit()), Middleware(BrowserCode))
PRELOADED = ("scipy.stats", "pyarrow.parquet", "dpca_core", "ui.explore.page", "ui.papers.page")
OPENING = 1.0
"""Seconds after which the server answers."""
SWITCH_INTERVAL = 0.001
"""Seconds after which a computing thread hands over the interpreter. A thread that answers releases
it many times, and waits as long each time to get it back."""


@asynccontextmanager
async def prepared(_: st.App) -> AsyncIterator[None]:
    """Import everything, exempt it from garbage collection, and open a browser on a screen."""
    commit()  # of what is imported now, whatever is checked out later
    for name in PRELOADED:
        import_module(name)
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH_INTERVAL)
    repair_streamlit()
    # Streamlit would ask a web service for the server's address when a foreign page connects.
    net_util._external_ip = "127.0.0.1"
    # It would run a page alone, without app.py, for whoever comes first by its address.
    PagesManager.uses_pages_directory = False
    # 0 means "never": a full disk would otherwise fail an upload with an unintelligible error.
    MultiPartParser.spool_max_size = 0
    set_executor(run_in_worker)
    SESSIONS.on_check.append(PAGE_WORKERS.end_idle)
    SESSIONS.start_checking()
    if not config.get_option("server.headless"):
        Timer(OPENING, webbrowser.open, [get_url("localhost")]).start()
    yield
