"""How far measuring is: the share done, and a sentence with the time left."""

from typing import TypedDict

from ui.explore.measurements import Study

_NAMED = 2
"""Most mechanisms without a curve that are named."""
_MINUTES_FROM = 90
"""Seconds from which on the time left is given in minutes."""


class Progress(TypedDict):
    """How far the measuring of a view is.

    Attributes
    ----------
    share
        Share of the work that is done, from 0 to 1; it never falls.
    text
        How far, and how long it will take; "" where all is measured.
    complete
        Whether all is measured: nobody needs to ask for more.
    waiting
        Names of the mechanisms that have no curve yet, in menu order.
    """

    share: float
    text: str
    complete: bool
    waiting: list[str]


def progress_of(study: Study) -> Progress:
    """Return how far the measuring of a study is."""
    if study.complete:
        return Progress(share=1.0, text="", complete=True, waiting=[])
    waiting = [m.name for m in study.mechanisms if not study.has_curve(m)]
    every = len(study.mechanisms)
    if not waiting:
        done = f"All {every} mechanisms measured; refining" if every > 1 else "Refining"
    elif every > 1:
        done = f"Measured {every - len(waiting)} of {every} mechanisms"
        if len(waiting) <= _NAMED:
            done += f", not yet {' and '.join(waiting)}"
    else:
        done = "Measuring"
    text = f"{done}; about {_duration(study.seconds_left)} left"
    return Progress(share=study.share, text=text, complete=False, waiting=waiting)


def _duration(seconds: float) -> str:
    """Write a time to wait: 8 s, 3 min."""
    if seconds < _MINUTES_FROM:
        return f"{max(1, round(seconds))}\u00a0s"
    return f"{round(seconds / 60)}\u00a0min"
