"""Two of the papers' pictures drawn anew: Chaudhuri's Figure 1 and Jiang's Table 1."""

from functools import lru_cache
from typing import Any

import numpy as np

from dpca_core.mechanisms.base import Family
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS, PURE_DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.simulation.noise_norms import measured_norm
from dpca_core.text.privacy_numbers import epsilon_text
from dpca_core.theorems.sample_size_theorems import mod_sulq_correlation, mod_sulq_noise
from ui.figures.axes import axis, line
from ui.sample_size import text
from ui.text.numbers import count

PANEL_COLUMNS = (50, 100, 500, 1000)
PANEL_EPSILONS = (0.01, 0.1, 0.5, 1.0, 2.0)
PANEL_DELTA = 0.01
PANEL_LOG_PEOPLE = np.linspace(2, 9, 57)
PANEL_COLOURS = (
    Family.EXPONENTIAL,
    Family.GAUSSIAN,
    Family.GAUSSIAN_TRIANGLE,
    Family.WISHART,
    Family.LAPLACE,
)
NOISE_COLUMNS = (4, 8, 16, 32, 64, 128)


@lru_cache(maxsize=64)
def expected_correlation(d: int, epsilon: float) -> tuple[float, ...]:
    """Bound of eq. (21) along n = 10^PANEL_LOG_PEOPLE, at the figure's δ."""
    noise = mod_sulq_noise(d, epsilon, PANEL_DELTA)
    return tuple(mod_sulq_correlation(d, noise / 10**log) for log in PANEL_LOG_PEOPLE)


def figure_one(epsilon: float) -> list[dict[str, Any]]:
    """Chaudhuri, Sarwate & Sinha 2013, Figure 1, all four panels, with the selected ε added."""
    return [_panel(d, epsilon, first=d == PANEL_COLUMNS[0]) for d in PANEL_COLUMNS]


def _panel(d: int, epsilon: float, *, first: bool) -> dict[str, Any]:
    lines = [
        line(f"ε = {epsilon_text(e)}", expected_correlation(d, e), shade)
        for e, shade in zip(PANEL_EPSILONS, PANEL_COLOURS, strict=True)
    ]
    if epsilon not in PANEL_EPSILONS:
        lines.append(line("selected", expected_correlation(d, epsilon), strong=True))
    logs = PANEL_LOG_PEOPLE
    return {
        "key": f"figure-1-d{d}",
        "height": 190,
        **text.panel_labels(d, PANEL_EPSILONS, first=first),
        "x": axis("log₁₀ n", "log₁₀ of the number of people", 2, 9, log=False, values=logs),
        "y": axis("", "", 0.8, 1.0, log=False),
        "lines": lines,
    }


def noise_by_columns(epsilon: float, delta: float) -> dict[str, Any]:
    """Jiang et al. 2016, Table 1: their orders beside measured norms."""
    budget, sizes = Budget(epsilon, delta), NOISE_COLUMNS
    in_table = [m for m in MECHANISMS.values() if m.noise_norm_order(sizes[0], epsilon) is not None]
    lines = []
    for mechanism in (*in_table, DEFAULT, PURE_DEFAULT):
        norms = [measured_norm(mechanism.key, d, budget) for d in sizes]
        lines.append(line(mechanism.name, norms, mechanism.family))
    for mechanism in in_table:
        orders = [mechanism.noise_norm_order(d, epsilon) or np.nan for d in sizes]
        name = f"order of {mechanism.name}"
        lines.append(line(name, orders, mechanism.family, dash="2 3", quiet=True))
    known = [value for each in lines for value in each["y"] if value is not None]
    low, high = 10 ** np.floor(np.log10(min(known))), 10 ** np.ceil(np.log10(max(known)))
    return {
        "key": "noise-columns",
        "height": 300,
        "wide": True,
        **text.noise_labels(epsilon),
        "x": axis("d", "columns d", sizes[0], sizes[-1], values=sizes, text=count),
        "y": axis("", "", float(low), float(high)),
        "lines": [each for each in lines if any(value is not None for value in each["y"])],
    }
