"""Two of the papers' pictures drawn anew: Chaudhuri's Figure 1 and Jiang's Table 1."""

from functools import lru_cache
from typing import Any

import numpy as np

from dpca_core.mechanisms.base import Family
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS, PURE_DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.simulation.noise_norms import measured_norm
from dpca_core.text.privacy_numbers import epsilon_text
from dpca_core.theorems.sample_size_theorems import (
    mod_sulq_correlation,
    mod_sulq_noise,
)
from ui.figures.axes import axis, line
from ui.text.numbers import count, significant

DIMENSIONS, PANEL_EPSILONS, PANEL_DELTA = (50, 100, 500, 1000), (0.01, 0.1, 0.5, 1.0, 2.0), 0.01
LOGS = np.linspace(2, 9, 57)
SIZES = (4, 8, 16, 32, 64, 128)
INKS = (
    Family.EXPONENTIAL, Family.GAUSSIAN, Family.GAUSSIAN_TRIANGLE, Family.WISHART, Family.LAPLACE,
)  # fmt: skip


@lru_cache(maxsize=64)
def expected_correlation(d: int, epsilon: float) -> tuple[float, ...]:
    """Bound of eq. (21) along n = 10^LOGS, at the figure's δ."""
    noise = mod_sulq_noise(d, epsilon, PANEL_DELTA)
    return tuple(mod_sulq_correlation(d, noise / 10**log) for log in LOGS)


def figure_one(epsilon: float) -> list[dict[str, Any]]:
    """Chaudhuri, Sarwate & Sinha 2013, Figure 1, all four panels, with the ε chosen beside."""
    return [_panel(d, epsilon, first=d == DIMENSIONS[0]) for d in DIMENSIONS]


def _panel(d: int, epsilon: float, *, first: bool) -> dict[str, Any]:
    lines = [
        line(f"ε = {epsilon_text(e)}", expected_correlation(d, e), ink)
        for e, ink in zip(PANEL_EPSILONS, INKS, strict=True)
    ]
    if epsilon not in PANEL_EPSILONS:
        lines.append(line("chosen", expected_correlation(d, epsilon), strong=True))
    return {
        "key": f"figure-1-d{d}", "height": 190,
        "title": f"MOD-SULQ cannot do better: d\u00a0=\u00a0{d}",
        "sub": "bound (21) on the expected |⟨v̂, v⟩|, δ\u00a0=\u00a00.01; ε from right to left: "
        f"{', '.join(epsilon_text(e) for e in PANEL_EPSILONS)}",
        "x": axis("log₁₀ n", "log₁₀ of the number of people", 2, 9, log=False, values=LOGS),
        "y": axis("", "", 0.8, 1.0, log=False), "lines": lines,
        "note": "Chaudhuri, Sarwate & Sinha 2013, Figure 1, from their formula, minimised over φ: "
        "compare the four panels with theirs by eye. The bound never falls under ¾, whatever the "
        "noise: it does not say that MOD-SULQ keeps as much." if first else "",
    }  # fmt: skip


def noise_chart(epsilon: float, delta: float) -> dict[str, Any]:
    """Jiang et al. 2016, Table 1: their orders beside measured norms."""
    budget = Budget(epsilon, delta)
    lines = []
    in_table = [m for m in MECHANISMS.values() if m.noise_norm_order(SIZES[0], epsilon) is not None]
    for mechanism in (*in_table, DEFAULT, PURE_DEFAULT):
        norms = [measured_norm(mechanism.key, d, budget) for d in SIZES]
        lines.append(line(mechanism.name, norms, mechanism.family))
    for mechanism in in_table:
        orders = [mechanism.noise_norm_order(d, epsilon) or np.nan for d in SIZES]
        lines.append(line(f"order of {mechanism.name}", orders, mechanism.family,
                          dash="2 3", quiet=True))  # fmt: skip
    found = [v for each in lines for v in each["y"] if v is not None]
    low, high = 10 ** np.floor(np.log10(min(found))), 10 ** np.ceil(np.log10(max(found)))
    return {
        "key": "noise-columns", "height": 300, "wide": True,
        "title": "The noise against the number of columns",
        "sub": "largest effect on any direction (spectral norm of the noise on S), in people; "
        "solid: measured; dotted: the order that Jiang et al. 2016, Table 1, give, its constant "
        "taken as 1",
        "x": axis("d", "columns d", SIZES[0], SIZES[-1], values=SIZES, text=count),
        "y": axis("", "", float(low), float(high)),
        "lines": [each for each in lines if any(v is not None for v in each["y"])],
        "note": f"At ε\u00a0=\u00a0{significant(epsilon)}. Of noise that only raises eigenvalues "
        "half its range counts: a multiple of the identity turns nothing.",
    }  # fmt: skip
