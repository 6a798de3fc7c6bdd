"""The main program of a worker process: does one piece of work after another from a pipe.

python -m ui.server.worker_main HANDLE
"""

import os
import pickle
import sys
from collections import deque
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any

from ui.server.environment import LIBRARY_DEFAULTS

os.environ.update({**LIBRARY_DEFAULTS, **os.environ})

NICENESS = 15
"""Priority below other processes, on systems that know it."""

REMEMBERED_JOBS = 2
"""Pieces of work whose arguments are kept, as the next one may need what they cache."""


def main(handle: int) -> None:
    """Work until the server closes the pipe."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    pipe, jobs = Connection(handle), SimpleQueue[bytes]()
    remembered = deque[Any](maxlen=REMEMBERED_JOBS)
    Thread(target=_receive, args=(pipe, jobs), daemon=True).start()
    while True:
        pipe.send_bytes(_result(jobs.get(), remembered))


def _receive(pipe: "Connection[Any, Any]", jobs: "SimpleQueue[bytes]") -> None:
    """Queue incoming work; end the process at once, even in mid-work, when the server is gone."""
    try:
        while True:
            jobs.put(pipe.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)


def _result(job: bytes, remembered: "deque[Any]") -> bytes:
    try:
        work, args = pickle.loads(job)
        remembered.append(args)
        return pickle.dumps((True, work(*args)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    main(int(sys.argv[1]))
