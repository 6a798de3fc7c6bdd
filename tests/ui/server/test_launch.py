"""The server's options, of the environment and the command line, and the product's settings."""

import subprocess
import sys

import pytest

from tests.paths import ROOT
from tests.product_source import FOLDERS
from ui.launch import options


def test_options_of_the_environment_and_the_command_line(monkeypatch):
    monkeypatch.setenv("STREAMLIT_SERVER_ALLOWED_HOSTS", "dpca.example.org,127.0.0.1")
    monkeypatch.setenv("STREAMLIT_SERVER_PORT", "80")
    monkeypatch.setenv("STREAMLIT_BROWSER_GATHER_USAGE_STATS", "False")
    monkeypatch.setenv("STREAMLIT_SERVER_COOKIE_SECRET", "secret")
    found = options(["--server.port=8501", "--server.headless", "true"])
    assert "server.cookieSecret" not in found, "a secret stays in the environment"
    assert found["server.allowedHosts"] == ["dpca.example.org", "127.0.0.1"]
    assert (found["server.port"], found["server.headless"]) == (8501, True)
    assert found["browser.gatherUsageStats"] is False
    # A list may be given one by one, and a number may be a path.
    hosts = ("--server.allowedHosts", "a.org", "--server.allowedHosts", "b.org")
    found = options([*hosts, "--server.baseUrlPath", "2026"])
    assert found["server.allowedHosts"] == ["a.org", "b.org"]
    assert found["server.baseUrlPath"] == "2026"


@pytest.mark.parametrize("arguments", ["--server.headless", "--server.prt 8501", "--server.port x"])
def test_what_is_no_option_is_refused_in_a_sentence(arguments, capsys):
    with pytest.raises(SystemExit):
        options(arguments.split())
    assert "Error: " in capsys.readouterr().err


CODE = """
import sys
import streamlit
from streamlit import config
from streamlit.web.server.starlette.starlette_server import UvicornRunner
from ui import launch

names = ("server.address", "server.allowedHosts", "browser.gatherUsageStats", "server.port")
def run(runner):
    print([config.get_option(name) for name in names])
    raise KeyboardInterrupt

UvicornRunner.run = run
launch.PRELOADED = ()
sys.argv = ["ui/launch.py", "--server.port", "8765"]
launch.main()
"""


def test_wherever_it_is_started_the_products_settings_count_and_ctrl_c_just_ends_it(tmp_path):
    surroundings = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(
        command, cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['127.0.0.1', ['127.0.0.1', 'localhost'], False, 8765]"
    assert not done.stderr


def test_the_container_has_every_package():
    left_in = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert {f"!{folder}" for folder in FOLDERS} <= {*left_in}
