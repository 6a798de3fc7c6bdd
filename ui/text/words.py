"""Words and sentences that several pages show on and around their charts."""

from dpca_core.privacy.budget import Budget
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power

NO_MECHANISM = "Choose at least one mechanism."


def budget_text(budget: Budget, one: str) -> str:
    """Write a budget, and whom neighbours differ in: "ε = 1, δ = 0, one person replaced"."""
    return (
        f"ε\u00a0=\u00a0{epsilon_text(budget.epsilon)}, δ\u00a0=\u00a0{power(budget.delta)}, "
        f"{neighbours(budget.adjacency, one)}"
    )


def beyond_chart(epsilon: float, stops: tuple[float, ...]) -> str:
    """Say that a chart has no line at the selected ε, where its axis does not reach that."""
    if min(stops) <= epsilon <= max(stops):
        return ""
    return f"The selected ε\u00a0=\u00a0{epsilon_text(epsilon)} is beyond this chart."


def progress_text(share: float, seconds_left: float | None = None) -> str:
    """Say how much is measured, and how long the rest will take; nothing once all is."""
    left = "" if seconds_left is None else time_left(seconds_left)
    said = f"{share * 100:.0f}\u00a0% measured{left}: numbers and order may still change"
    return said if share < 1 else ""


def time_left(seconds: float) -> str:
    """Say how long work will still take: ", about 5 s left"."""
    long = f"{seconds / 60:.0f}\u00a0min" if seconds >= 90 else f"{max(1, round(seconds))}\u00a0s"
    return f", about {long} left"
