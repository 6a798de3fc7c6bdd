"""What the Local model page draws: the price of trusting nobody."""

from dataclasses import fields
from typing import Any

import numpy as np

from dpca_core.mechanisms.base import Family
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.text.privacy_numbers import epsilon_text
from ui.figures.axes import axis, line
from ui.local_model import text
from ui.local_model.measurements import (
    CURATOR_KEY,
    LOCAL_KEY,
    PRECISION,
    PRINTED_KEY,
    RECALL,
    SPARSE_KEY,
    WITHOUT_PRIVACY,
    ErrorMeasurements,
    MechanismPoint,
    largest_distance,
    mechanism_keys,
    points_to_measure,
    random_distance,
)
from ui.local_model.query import PENALTY_STOPS, LocalModelQuery, RecordSource
from ui.local_model.record_figure import record_pictures
from ui.text.messages import progress_text
from ui.text.numbers import count, significant

LINE_FAMILIES = {
    WITHOUT_PRIVACY: None,
    CURATOR_KEY: Family.GAUSSIAN,
    LOCAL_KEY: Family.LOCAL,
    PRINTED_KEY: Family.LOCAL,
    SPARSE_KEY: Family.SULQ,
}
PAPER_RANGES = {RecordSource.DENSE: (1e4, 1e5), RecordSource.SPARSE: (1e3, 1e4)}
"""Smallest and largest n of the paper's figures."""


def page_content(query: LocalModelQuery, measured: ErrorMeasurements) -> dict[str, Any]:
    """Compose the page's charts and sentences from what is measured so far."""
    share = measured.share(points_to_measure(query))
    axes = query.axis_queries()
    record = record_pictures(query)
    charts = [_error_chart(query, measured, name, axes[name]) for name in axes if name != "factor"]
    if "factor" in axes:
        charts.append(_support_chart(query, measured, axes["factor"], SPARSE_KEY))
    settings = [getattr(query, f.name) for f in fields(query) if f.name != "data"]
    local, central = (measured.mean(MechanismPoint(query, key)) for key in (LOCAL_KEY, CURATOR_KEY))
    return {
        "id": f"{query.data.identity if query.data else ''} {settings}",
        "stage": measured.stage,
        "complete": share >= 1,
        "share": share,
        "fresh": measured.is_new(query),
        "progress": progress_text(share),
        "lit": "",
        "answer": text.answer(query, local, central),
        "under": _noise_summary(query),
        "charts": [*([record] if record else []), *charts],
        "footer": text.footer(query),
    }


def _noise_summary(query: LocalModelQuery) -> str:
    problem = query.ground_truth.problem
    try:
        noise = MECHANISMS[LOCAL_KEY].calibrate(problem, query.mechanism_budget).scale
        central = MECHANISMS[CURATOR_KEY].calibrate(problem, query.mechanism_budget).scale
        printed = MECHANISMS[PRINTED_KEY].guarantee(problem, query.mechanism_budget)
    except InfeasibleBudget as error:
        return str(error)
    return text.noise_summary(query, problem, noise, central, printed)


def _error_chart(
    query: LocalModelQuery, measured: ErrorMeasurements, name: str, along: list[LocalModelQuery]
) -> dict[str, Any]:
    values = [float(getattr(other, name)) for other in along]
    highest = max(largest_distance(other.k) for other in along)
    by_people = name == "n"
    low, high = (0.01, highest * 2) if by_people else (0.0, highest * 1.08)
    title = text.AXIS_TITLES[name].format(query.unit)
    write = epsilon_text if name == "epsilon" else count
    is_log = name in ("n", "epsilon")
    return {
        "key": f"local-{name}",
        "height": 300 if by_people else 230,
        "wide": by_people,
        **text.chart_labels(name, query.unit),
        "lines": _error_lines(query, measured, along),
        "x": axis(name, title, min(values), max(values), log=is_log, values=values, text=write),
        "y": axis("", "", low, high, log=by_people),
        "rules": [
            {"x": float(getattr(query, name)), "color": "accent", "text": ""},
            *(_paper_range(query) if by_people else []),
        ],
        "note": _slope_note(query, measured, along) if by_people else "",
    }


def _error_lines(
    query: LocalModelQuery, measured: ErrorMeasurements, along: list[LocalModelQuery]
) -> list[dict[str, Any]]:
    """Return the mechanisms' mean errors, and those of random and of the worst directions."""
    lines = [
        line(
            text.LINE_NAMES[key],
            [measured.mean(MechanismPoint(other, key)) for other in along],
            LINE_FAMILIES[key],
            strong=key == LOCAL_KEY,
            dash="5 4" if key == PRINTED_KEY else None,
        )
        for key in mechanism_keys(query)
    ]
    random = [random_distance(other.d, other.k) for other in along]
    lines.append(line("random directions", random, Family.BASELINE, dash="2 3"))
    worst = [largest_distance(other.k) for other in along]
    lines.append(line("ceiling √(2k)", worst, dash="1 4"))
    return lines


def _paper_range(query: LocalModelQuery) -> list[dict[str, Any]]:
    """Mark the sizes of the paper's figure."""
    if query.source not in PAPER_RANGES:
        return []
    low, high = PAPER_RANGES[query.source]
    mark = {"color": "faint", "dash": "2 3", "low": True}
    return [{**mark, "x": low, "text": ""}, {**mark, "x": high, "text": text.PAPER_SIZES}]


def _slope_note(
    query: LocalModelQuery, measured: ErrorMeasurements, along: list[LocalModelQuery]
) -> str:
    """Say how steeply the local error falls where it does."""
    sizes = np.log([other.n for other in along])
    errors = np.array([measured.mean(MechanismPoint(other, LOCAL_KEY)) for other in along])
    below = np.flatnonzero(errors < 0.4 * random_distance(query.d, query.k))
    if len(below) < 2:
        return text.slope_note(None, None)
    slope = float(np.polyfit(sizes[below], np.log(errors[below]), 1)[0])
    begins = along[below[0]].n
    beyond_paper = query.source in PAPER_RANGES and begins > PAPER_RANGES[query.source][1]
    return text.slope_note(slope, begins if beyond_paper else None)


def _support_chart(
    query: LocalModelQuery,
    measured: ErrorMeasurements,
    along: list[LocalModelQuery],
    sparse_key: str,
) -> dict[str, Any]:
    points = [MechanismPoint(other, sparse_key) for other in along]
    stops, title = PENALTY_STOPS, "penalty c, times s·√ln d"
    precision = [measured.mean(point, PRECISION) for point in points]
    recall = [measured.mean(point, RECALL) for point in points]
    errors = [measured.mean(point) / largest_distance(query.k) for point in points]
    return {
        "key": "local-support",
        "height": 230,
        **text.SUPPORT_LABELS,
        "x": axis("c", title, 0, stops[-1], log=False, values=stops, text=significant),
        "y": axis("", "", 0, 1.05, log=False),
        "lines": [
            line("precision", precision, Family.LOCAL, strong=True),
            line("recall", recall, Family.GAUSSIAN),
            line("error ÷ ceiling", errors, Family.SULQ, dash="5 4"),
        ],
        "rules": [{"x": query.factor, "color": "accent", "text": ""}],
        "note": _correlation_note(query),
    }


def _correlation_note(query: LocalModelQuery) -> str:
    """Write the condition of limited correlation, in the population and in this sample."""
    problem, _, used = query.ground_truth
    cross = problem.moment[np.ix_(~used, used)]
    if cross.size == 0 or problem.gap <= 0:
        return ""
    longest = float(np.linalg.norm(cross, axis=1).max())
    return text.correlation_note(query, 8 * query.columns / problem.gap * longest)
