"""How the server starts: whose settings count, and what is done before anybody connects."""

import asyncio
import gc
import os
import subprocess
import sys
from unittest.mock import MagicMock

import streamlit as st
from streamlit import config, net_util

from tests.paths import ROOT
from tests.product_source import FOLDERS
from ui import LIBRARY_DEFAULTS, launch

CODE = """
import os, sys
from streamlit import config
from streamlit.web.cli import main
from streamlit.web.server.starlette.starlette_server import UvicornRunner
from uvicorn.importer import import_from_string

libraries = sys.argv[2:]
names = ("server.address", "server.allowedHosts", "browser.gatherUsageStats", "server.port")
def run(runner):
    print([config.get_option(name) for name in names])
    print({"numpy", "pandas", "pyarrow"} & {*sys.modules})
    print([one.cls.__name__ for one in import_from_string(runner._app)._user_middleware])
    print([os.environ[name] for name in libraries])
    raise KeyboardInterrupt

UvicornRunner.run = run
main(["run", sys.argv[1], "--server.port", "8765"])
"""


def test_wherever_it_is_started_the_products_settings_count_and_ctrl_c_just_ends_it(tmp_path):
    """Libraries find their environment when they are imported; the operator has the last word."""
    bare = {name: value for name, value in os.environ.items() if name not in LIBRARY_DEFAULTS}
    chosen = {"OMP_NUM_THREADS": "3"}
    surroundings = bare | chosen | {"HOME": str(tmp_path)}
    command = [sys.executable, "-c", CODE, str(ROOT / "app.py"), *LIBRARY_DEFAULTS]
    done = subprocess.run(command, cwd=tmp_path, env=surroundings, capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "['127.0.0.1', ['127.0.0.1', 'localhost'], False, 8765]",
        "set()",
        "['RequestGuard', 'BrowserCode']",
        str([*(LIBRARY_DEFAULTS | chosen).values()]),
    ]
    assert done.stderr.strip() == "Aborted!"


def test_before_anybody_connects_what_lasts_is_set_aside_and_no_other_server_is_asked(monkeypatch):
    async def started():
        async with launch.prepared(st.App(ROOT / "app.py")):
            return gc.get_freeze_count()

    monkeypatch.setattr(net_util, "_external_ip", None)
    for name in ("SESSIONS", "set_executor", "repair_streamlit"):
        monkeypatch.setattr(launch, name, MagicMock())
    monkeypatch.setattr(config, "get_option", lambda _: True)
    interval = sys.getswitchinterval()
    try:
        assert asyncio.run(started()) > 100_000
    finally:
        gc.unfreeze()
        sys.setswitchinterval(interval)
    assert net_util.get_external_ip() == "127.0.0.1"


def test_the_container_has_every_package():
    left_in = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert {f"!{folder}" for folder in FOLDERS} <= {*left_in}
