"""Sentences that several pages show where there is nothing to draw, or not yet."""

from dpca_core.text.privacy_numbers import epsilon_text

_MINUTES_FROM = 90
"""Seconds from which on a time to wait is given in minutes."""

NO_DATA = "Choose data."
NO_MECHANISM = "Choose at least one mechanism."


def beyond_chart(epsilon: float, stops: tuple[float, ...]) -> str:
    """Say that a chart has no line at the selected ε, where its axis does not reach that."""
    if min(stops) <= epsilon <= max(stops):
        return ""
    return f"The selected ε\u00a0=\u00a0{epsilon_text(epsilon)} is beyond this chart."


def progress_text(share: float, seconds_left: float | None = None) -> str:
    """Say how much is measured, and how long the rest will take; nothing once all is."""
    if share >= 1:
        return ""
    left = "" if seconds_left is None else f", about {_duration(seconds_left)} left"
    return f"{share * 100:.0f}\u00a0% measured{left}: numbers and order may still change"


def _duration(seconds: float) -> str:
    """Write a time to wait: 8 s, 3 min."""
    if seconds < _MINUTES_FROM:
        return f"{max(1, round(seconds))}\u00a0s"
    return f"{round(seconds / 60)}\u00a0min"
