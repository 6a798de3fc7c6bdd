"""What the Eigengap page draws: how far one person turns the top directions, and all its charts."""

from dataclasses import fields, replace
from html import escape
from math import exp
from typing import Any

import numpy as np

from dpca_core.figures.angles import needle
from dpca_core.figures.axes import POWERS, Axis
from dpca_core.figures.chart import chart, level
from dpca_core.figures.colours import family_role
from dpca_core.figures.line_styles import CHOSEN_WIDTH
from dpca_core.figures.panels import Curve, Dot, Rule
from dpca_core.mechanisms.mechanism import Family
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.sensitivity import basis_diameter, gap_change, smooth_sensitivity
from ui.eigengap import text
from ui.eigengap.choice_of_k_figures import choice_by_k, gaps_by_k
from ui.eigengap.gap_and_rotation_pictures import outcomes, rotation
from ui.eigengap.measurements import entry_noise, largest_rotation
from ui.eigengap.noise_figures import (
    GAP_ADAPTIVE,
    GAP_VALUES,
    gap_axis,
    noise_by_epsilon,
    noise_by_gap,
    noise_by_people,
)
from ui.eigengap.query import EigengapQuery
from ui.text.numbers import significant

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
            sensitivity_by_gap(query),
            _discounted_sensitivity(query),
            noise_by_gap(query),
            noise_by_people(query),
            noise_by_epsilon(query),
            rotation(query),
            gaps_by_k(query),
            choice_by_k(query),
        ],
        "footer": text.footer(query),
        "settings": text.settings(query),
    }


def sensitivity_by_gap(query: EigengapQuery) -> dict[str, Any]:
    """How far one person turns the top directions against the gap, exactly and as bounded."""
    d, k, adjacency = query.data.d, query.k, query.adjacency
    smooth = [smooth_sensitivity(g, d, k, query.beta, adjacency).bound for g in GAP_VALUES]
    exact = [query.local_sensitivity(g) for g in GAP_VALUES]
    smooth_color = family_role(Family.SMOOTH)
    bold: dict[str, Any] = {"width": CHOSEN_WIDTH, "chosen": True, "bridged": False}
    paper = f"the paper’s C/g, C = {query.constant:g}"
    paper_style: dict[str, Any] = {"color": family_role(Family.BASELINE), "dash": "5px,4px"}
    selected = f"gap {escape(query.with_unit(query.gap), quote=False)}"
    diameter = level("any", "any two data sets", basis_diameter(d, k), GAP_VALUES)
    return {
        "key": "turn",
        "wide": True,
        **text.sensitivity_labels(query),
        "beside": needle(largest_rotation(query)),
        "figure": chart(
            gap_axis(query),
            Axis(1e-8, 3, log=True, tick_format=POWERS),
            GAP_VALUES,
            [
                Curve("exact", "one person, exact", np.array(exact), "ink", **bold),
                Curve("smooth bound", "smooth bound U", np.array(smooth), smooth_color, **bold),
                Curve("paper", paper, query.constant / GAP_VALUES, **paper_style),
                replace(diameter, color="grey", dash="2px,3px"),
            ],
            rules=[Rule(query.gap, selected, low=True)],
            height=300,
            wide=True,
            hover="gap %{x} → %{y}",
        ),
        "note": text.smooth_bound_note(query, _meeting_gap(query, smooth, exact)),
    }


def _meeting_gap(query: EigengapQuery, smooth: list[float], exact: list[float]) -> float | None:
    """Return the first gap drawn at which the smooth bound is the exact value."""
    equal = np.array(smooth) <= np.array(exact) * 1.001
    meets = np.flatnonzero(equal & (gap_change(query.adjacency) < GAP_VALUES))
    return float(GAP_VALUES[meets[0]]) if len(meets) else None


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
    title = f"j, {escape(query.data.unit.many, quote=False)} changed"
    color, bold = family_role(Family.SMOOTH), CHOSEN_WIDTH
    return {
        "key": "terms",
        **text.discounted_labels(query, worst.people),
        "figure": chart(
            Axis(0, float(people[-1]), title=title, tick_format=",~r", hover_format=","),
            Axis(low, max(terms) * 3, log=True, tick_format=POWERS),
            people,
            [Curve("terms", "e⁻ᵝʲ·LS(g − j)", np.array(terms), color, width=bold, chosen=True)],
            dots=[Dot(float(worst.people), worst.bound, f"U = {significant(worst.bound)}")],
            hover="j = %{x} → %{y}",
        ),
    }
