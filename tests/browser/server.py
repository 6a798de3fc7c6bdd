"""The real server on a free port of this machine, for tests and benchmarks."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress

from tests.paths import ROOT

START_SECONDS = 60
WORKBENCH = ("streamlit", "run", "app.py")


@contextmanager
def serving(log, command=WORKBENCH, **environment):
    """Address and process id of a server until the end; its output goes to ``log``.

    ``command`` starts something else with the workbench's settings.
    """
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    run = [sys.executable, "-m", *command, "--server.headless", "true", "--server.port", str(port)]
    settings = {"cwd": ROOT, "env": {**os.environ, **environment}, "stdin": subprocess.DEVNULL}
    with (
        log.open("wb") as output,
        subprocess.Popen(run, **settings, stdout=output, stderr=subprocess.STDOUT) as process,
    ):
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(address, process, log)
            yield address, process.pid
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()


def uploaded_bytes(address):
    """Return how many bytes of uploads a server says that it holds."""
    with urllib.request.urlopen(f"{address}/_stcore/metrics?families=cache_memory_bytes") as answer:
        lines = [line for line in answer.read().decode().splitlines() if "UploadedFile" in line]
    return sum(int(float(line.rpartition(" ")[2])) for line in lines)


def _wait(address, process, log):
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(urllib.error.URLError, TimeoutError, ConnectionError):
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return
        time.sleep(0.1)
    raise RuntimeError(f"the server did not start:\n{log.read_text(errors='replace')}")
