"""What the Local model page draws: the price of trusting nobody."""

from dataclasses import fields
from html import escape
from typing import Any

import numpy as np

from dpca_core.figures import line_styles
from dpca_core.figures.axes import Axis
from dpca_core.figures.colours import family_role
from dpca_core.figures.panels import Curve, Rule
from dpca_core.figures.panels_chart import chart
from dpca_core.mechanisms.mechanism import Family
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import InfeasibleBudget
from papers.wang_xu_errors import largest_distance, random_distance
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
    mechanism_keys,
    points_to_measure,
)
from ui.local_model.query import EPSILON_CHOICES, PENALTY_STOPS, LocalModelQuery, RecordSource
from ui.local_model.record_images import record_pictures
from ui.text.messages import beyond_chart, progress_text
from ui.text.numbers import count

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
        "settings": text.settings(query),
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
    values = np.array([float(getattr(other, name)) for other in along])
    highest = max(largest_distance(other.k) for other in along)
    by_people = name == "n"
    low, high = (0.01, highest * 2) if by_people else (0.0, highest * 1.08)
    unit = escape(query.unit, quote=False)
    selected = Rule(float(getattr(query, name)))
    curves = _error_curves(query, measured, along)
    return {
        "key": f"local-{name}",
        "wide": by_people,
        **text.chart_labels(name, query.unit),
        "figure": chart(
            Axis(
                float(values.min()),
                float(values.max()),
                log=name in ("n", "epsilon"),
                title=text.AXIS_TITLES[name].format(unit),
                tick_format="~s" if by_people else "~g",
                hover_format=",.3~r",
            ),
            Axis(low, high, log=by_people),
            values,
            curves,
            rules=[selected, *(_paper_range(query) if by_people else [])],
            height=300 if by_people else 250,
            wide=by_people,
            hover=text.HOVER_TEMPLATES[name].format(unit),
        ),
        "note": _error_note(query, measured, name, along),
        "room": [curve.key for curve in curves],
    }


def _error_curves(
    query: LocalModelQuery, measured: ErrorMeasurements, along: list[LocalModelQuery]
) -> list[Curve]:
    """Return the mechanisms' mean errors, and those of random and of the worst directions."""
    curves = [
        _mechanism_curve(key, [measured.mean(MechanismPoint(other, key)) for other in along])
        for key in mechanism_keys(query)
    ]
    random = np.array([random_distance(other.d, other.k) for other in along])
    worst = np.array([largest_distance(other.k) for other in along])
    baseline = family_role(Family.BASELINE)
    curves.append(Curve("random", text.RANDOM_LINE, random, baseline, dash="2px,3px"))
    curves.append(Curve("ceiling", text.CEILING_LINE, worst, "ink", dash="1px,4px"))
    return curves


def _mechanism_curve(key: str, errors: list[float]) -> Curve:
    family, chosen = LINE_FAMILIES[key], key == LOCAL_KEY
    mechanism = MECHANISMS.get(key)
    return Curve(
        key or "sample",
        text.LINE_NAMES[key],
        np.array(errors),
        family_role(family) if family else "ink",
        dash=line_styles.dash(mechanism) if mechanism else "solid",
        width=line_styles.width(mechanism, chosen) if mechanism else line_styles.WIDTH,
        chosen=chosen,
        bridged=False,
    )


def _paper_range(query: LocalModelQuery) -> list[Rule]:
    """Mark the sizes of the paper's figure."""
    if query.source not in PAPER_RANGES:
        return []
    low, high = PAPER_RANGES[query.source]
    mark: dict[str, Any] = {"color": "faint", "dash": "2px,3px"}
    sizes = text.PAPER_SIZES.format(low=count(low), high=count(high))
    return [Rule(low, **mark), Rule(high, sizes, low=True, **mark)]


def _error_note(
    query: LocalModelQuery, measured: ErrorMeasurements, name: str, along: list[LocalModelQuery]
) -> str:
    if name == "n":
        return _slope_note(query, measured, along)
    return beyond_chart(query.epsilon, EPSILON_CHOICES) if name == "epsilon" else ""


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
    stops, title = np.array(PENALTY_STOPS), "penalty c, times s·√ln d"
    precision = np.array([measured.mean(point, PRECISION) for point in points])
    recall = np.array([measured.mean(point, RECALL) for point in points])
    errors = np.array([measured.mean(point) / largest_distance(query.k) for point in points])
    wide_line: dict[str, Any] = {"width": line_styles.CHOSEN_WIDTH, "chosen": True}
    local, gaussian, sulq = map(family_role, (Family.LOCAL, Family.GAUSSIAN, Family.SULQ))
    return {
        "key": "local-support",
        **text.SUPPORT_LABELS,
        "figure": chart(
            Axis(0, PENALTY_STOPS[-1], title=title),
            Axis(0, 1.05),
            stops,
            [
                Curve("precision", "precision", precision, local, bridged=False, **wide_line),
                Curve("recall", "recall", recall, gaussian, bridged=False),
                Curve("error", "error ÷ ceiling", errors, sulq, dash="9px,3px", bridged=False),
            ],
            rules=[Rule(query.factor)],
            hover="c = %{x} → %{y}",
        ),
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
