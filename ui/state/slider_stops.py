"""Stops of the sliders and ε axes of all pages, and other choices that pages share."""

from dpca_core.analysis.needed import ROUND_STEPS


def nearest_stop(value: float, stops: tuple[float, ...]) -> float:
    """Return the stop of a slider that is closest, by ratio, to a number from a link."""
    value = min(max(value, min(stops)), max(stops))
    return min(stops, key=lambda s: abs(s - value) / max(s, value, 1e-300))


EPSILON_STOPS = (
    *(float(f"{step}e{decade}") for decade in range(-3, 2) for step in ROUND_STEPS),
    100.0,
)
"""Stops of ε on every page: 0.001 to 100."""

DELTA_STOPS = (0.0, *(float(f"{m}e-{e}") for e in range(12, 1, -1) for m in (1, 3)), 0.05, 0.1)
"""Stops of δ on every page: 0 for pure privacy, then 10⁻¹² to 0.1, with the papers' own 0.05."""

TARGETS = (0.5, 0.8, 0.9, 0.95, 0.99)
"""Shares of the variation kept by PCA that a page can ask for."""
MOST_DIRECTIONS = 20
"""Largest k that a page offers."""
FEWEST_PEOPLE, MOST_PEOPLE = 100.0, 1e7
PEOPLE_STOPS = (*(float(m * 10**e) for e in range(2, 7) for m in (1, 2, 3, 5, 7)), MOST_PEOPLE)


def people_stops(n: int, chosen: float = 0.0) -> tuple[float, ...]:
    """Return the stops of the people slider: round numbers, the data's own, and the one chosen."""
    possible = FEWEST_PEOPLE <= chosen <= MOST_PEOPLE
    return tuple(sorted({*PEOPLE_STOPS, float(n), *([chosen] if possible else [])}))
