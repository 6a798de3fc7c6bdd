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
    if share >= 1:
        return ""
    left = ""
    if seconds_left is not None:
        minutes = seconds_left >= 90
        time = round(seconds_left / 60) if minutes else max(1, round(seconds_left))
        left = f", about {time}\u00a0{'min' if minutes else 's'} left"
    return f"{share * 100:.0f}\u00a0% measured{left}: numbers and order may still change"
