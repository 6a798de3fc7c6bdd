"""Stops of the sliders that pages share."""


def nearest(value: float, stops: tuple[float, ...]) -> float:
    """Stop of a slider that a number from a link comes closest to, by ratio."""
    value = min(max(value, min(stops)), max(stops))
    return min(stops, key=lambda s: abs(s - value) / max(s, value, 1e-300))


DELTAS = (0.0, *(float(f"{m}e-{e}") for e in range(12, 1, -1) for m in (1, 3)), 0.05, 0.1)
"""Stops of δ on every page: 0 for pure privacy, then 10⁻¹² to 0.1, with the papers' own 0.05."""

TARGETS = (0.5, 0.8, 0.9, 0.95, 0.99)

MOST_DIRECTIONS = 20


def people_stops(n: int) -> tuple[float, ...]:
    """Stops of the people slider: round numbers from 100 to 10⁷ and the data's own n."""
    stops = {float(m * 10**e) for e in range(2, 7) for m in (1, 2, 5)} | {1e7, float(n)}
    return tuple(sorted(stops))


_STEPS = (1, 1.5, 2, 3, 5, 7)
EPSILONS = (*(float(f"{step}e{decade}") for decade in range(-3, 2) for step in _STEPS), 100.0)
"""The stops of the rule."""
