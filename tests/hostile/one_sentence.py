"""What every answer to hostile input must be: in time, and one sentence if it is a refusal."""

import re
import signal
from contextlib import contextmanager

SECONDS = 60
TRACES = ("Traceback", "Error(", "<class", "object at 0x", "numpy.", "pyarrow", "None.")


@contextmanager
def bounded():
    """End what hangs: what takes a minute of processor, a hundred times what any answer needs."""

    def late(*_):
        raise TimeoutError(f"It took more than {SECONDS} seconds of processor.")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def require_sentence(error):
    text = str(error)
    assert text.endswith(".")
    assert len(text) < 300
    assert text.isprintable() or "\u200d" in text or "\u00a0" in text
    assert not re.search(r"[.!?] [A-Z“]", text), "more than one sentence"
    assert not any(trace in text for trace in TRACES)
