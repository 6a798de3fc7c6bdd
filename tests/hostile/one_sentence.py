"""What every answer to hostile input must be: in time, and one sentence if it is a refusal."""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS, LONGEST, GZIP = 10, 300, b"\x1f\x8b"
TRACES = ("Traceback", "Error(", "<class", "object at 0x", "numpy.", "pyarrow", "None.")


@contextmanager
def bounded() -> Iterator[None]:
    """Fail what takes longer than ten seconds of processor, or hangs for a minute."""

    def late(*_: object) -> None:
        raise TimeoutError(f"It took more than {SECONDS} seconds.")

    timers = ((signal.ITIMER_PROF, signal.SIGPROF, 1), (signal.ITIMER_REAL, signal.SIGALRM, 6))
    before = [signal.signal(number, late) for _, number, _ in timers]
    for timer, _, times in timers:
        signal.setitimer(timer, times * SECONDS)
    try:
        yield
    finally:
        for (timer, number, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def require_sentence(error: ValueError) -> None:
    text = str(error)
    assert text.endswith(".")
    assert len(text) < LONGEST
    assert text.isprintable() or "\u200d" in text or "\u00a0" in text
    assert not re.search(r"[.!?] [A-Z“]", text), "more than one sentence"
    assert not any(trace in text for trace in TRACES)
