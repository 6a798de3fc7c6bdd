"""What the Eigengap page draws: how far one person turns the top directions, and all its charts."""

from dataclasses import fields
from math import exp
from typing import Any

import numpy as np

from dpca_core.mechanisms.base import Family
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.sensitivity import basis_diameter, gap_change, smooth_sensitivity
from ui.eigengap import text
from ui.eigengap.choice_of_k_figures import choice_by_k, gaps_by_k
from ui.eigengap.measurements import entry_noise, largest_rotation
from ui.eigengap.noise_figures import (
    GAP_ADAPTIVE,
    GAP_AXIS,
    noise_by_epsilon,
    noise_by_gap,
    noise_by_people,
)
from ui.eigengap.query import EigengapQuery
from ui.eigengap.rotation_figures import outcomes, rotation
from ui.figures.axes import axis, line
from ui.text.numbers import count, significant

MOST_TERMS = 240
"""Points of the chart of discounted sensitivities."""


def page_content(query: EigengapQuery) -> dict[str, Any]:
    """Compose the page's charts and sentences."""
    problem, budget = query.problem_at_gap(query.gap), query.mechanism_budget
    noise = {key: entry_noise(MECHANISMS[key], problem, budget) for key in GAP_ADAPTIVE}
    settings = [getattr(query, f.name) for f in fields(query) if f.name != "data"]
    return {
        "id": f"{query.data.identity} {settings}",
        "answer": text.answer(query, largest_rotation(query)),
        "under": text.noise_summary(query, noise),
        "charts": [
            outcomes(query),
            _sensitivity_by_gap(query),
            _discounted_sensitivity(query),
            noise_by_gap(query),
            noise_by_people(query),
            noise_by_epsilon(query),
            rotation(query),
            gaps_by_k(query),
            choice_by_k(query),
        ],
        "footer": text.footer(query),
    }


def _sensitivity_by_gap(query: EigengapQuery) -> dict[str, Any]:
    d, k, adjacency = query.data.d, query.k, query.adjacency
    smooth = [smooth_sensitivity(g, d, k, query.beta, adjacency).bound for g in GAP_AXIS]
    exact = [query.local_sensitivity(g) for g in GAP_AXIS]
    diameter = basis_diameter(d, k)
    paper = f"the paper’s C/g, C = {query.constant:g}"
    selected = f"gap {query.with_unit(query.gap)}"
    return {
        "key": "turn",
        "wide": True,
        "height": 300,
        "needle": {"angle": largest_rotation(query)},
        **text.sensitivity_labels(query),
        "x": axis("gap", f"eigengap, in {query.data.unit.many}", 0.1, 1e7, values=GAP_AXIS),
        "y": axis("", "", 1e-8, 3),
        "lines": [
            line("one person, exact", exact, strong=True),
            line("smooth bound U", smooth, Family.SMOOTH, strong=True),
            line(paper, query.constant / GAP_AXIS, Family.BASELINE, dash="5 4"),
        ],
        "rules": [
            {"y": diameter, "color": "grey", "dash": "2 3", "text": "any two data sets"},
            {"x": query.gap, "color": "accent", "text": selected, "low": True},
        ],
        "note": text.smooth_bound_note(query, _meeting_gap(query, smooth, exact)),
    }


def _meeting_gap(query: EigengapQuery, smooth: list[float], exact: list[float]) -> float | None:
    """Return the first gap drawn at which the smooth bound is the exact value."""
    equal = np.array(smooth) <= np.array(exact) * 1.001
    meets = np.flatnonzero(equal & (gap_change(query.adjacency) < GAP_AXIS))
    return float(GAP_AXIS[meets[0]]) if len(meets) else None


def _discounted_sensitivity(query: EigengapQuery) -> dict[str, Any]:
    """The local sensitivity after j people have changed, discounted by e⁻ᵝʲ."""
    step = gap_change(query.adjacency)
    steps = int(query.gap / step)
    last = max(3.0, query.gap / step * 1.15 + 3)
    people = np.unique(np.round(np.linspace(0, last, MOST_TERMS)))
    people = np.unique(np.concatenate([people, np.arange(max(0, steps - 3), steps + 4)]))
    terms = [exp(-query.beta * j) * query.local_sensitivity(query.gap - j * step) for j in people]
    worst = smooth_sensitivity(query.gap, query.data.d, query.k, query.beta, query.adjacency)
    low = max(1e-12, min(t for t in terms if t > 0) / 2)
    title, end = f"j, {query.data.unit.many} changed", float(people[-1])
    return {
        "key": "terms",
        "height": 230,
        **text.discounted_labels(query, worst.people),
        "x": axis("j", title, 0, end, log=False, values=people, text=count),
        "y": axis("", "", low, max(terms) * 3),
        "lines": [line("e⁻ᵝʲ·LS(g − j)", terms, Family.SMOOTH, strong=True)],
        "dots": [
            {
                "x": float(worst.people),
                "y": worst.bound,
                "filled": True,
                "color": "accent",
                "text": f"U = {significant(worst.bound)}",
            }
        ],
    }
