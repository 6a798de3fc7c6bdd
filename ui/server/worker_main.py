"""A process that works for the server: reads work from a pipe, one piece after another.

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


LOW, KEPT = 15, 2
"""How much others go first, on systems that know it; pieces whose data are remembered."""


def main(handle: int) -> None:
    """Work until the server closes the pipe."""
    if hasattr(os, "nice"):
        os.nice(LOW)
    pipe, jobs = Connection(handle), SimpleQueue[bytes]()
    kept = deque[Any](maxlen=KEPT)
    Thread(target=_listen, args=(pipe, jobs), daemon=True).start()
    while True:
        pipe.send_bytes(_answer(jobs.get(), kept))


def _listen(pipe: "Connection[Any, Any]", jobs: "SimpleQueue[bytes]") -> None:
    """Hand on what comes; where the server is no more, end at once, in the midst of work too."""
    try:
        while True:
            jobs.put(pipe.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)


def _answer(job: bytes, kept: "deque[Any]") -> bytes:
    try:
        work, args = pickle.loads(job)
        # What its problems remember is of use to the next piece.
        kept.append(args)
        return pickle.dumps((True, work(*args)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    main(int(sys.argv[1]))
