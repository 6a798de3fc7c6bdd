"""Sentences that several pages show where there is nothing to draw, or not yet."""

from dpca_core.text.privacy_numbers import epsilon_text

NO_DATA = "Choose data."
NO_MECHANISM = "Choose at least one mechanism."


def beyond_chart(epsilon: float, stops: tuple[float, ...]) -> str:
    """Say that a chart has no line at the selected ε, where its axis does not reach that."""
    if min(stops) <= epsilon <= max(stops):
        return ""
    return f"The selected ε\u00a0=\u00a0{epsilon_text(epsilon)} is beyond this chart."


def progress_text(share: float) -> str:
    """Say how much is measured; nothing once all is."""
    return "" if share >= 1 else f"{share * 100:.0f}\u00a0% measured"
