"""What the Sample size page draws: people needed, measured and proved."""

from dataclasses import fields, replace
from html import escape
from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.colours import family_role
from dpca_core.figures.layout import Spec
from dpca_core.figures.line_styles import dash, width
from dpca_core.figures.panel_rows import Row, RowMark
from dpca_core.figures.panels import Curve, Rule
from dpca_core.figures.panels_chart import Area, chart
from dpca_core.figures.row_figure import rows_figure
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Family, Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Notion, Standing
from dpca_core.theorems import THEOREMS, Case, pure_too_few
from ui.sample_size import text
from ui.sample_size.measurements import MechanismResult, SampleSizeMeasurements
from ui.sample_size.query import EPSILON_CHOICES, LEVEL_STOPS, AimKind, SampleSizeQuery
from ui.text.messages import progress_text

FEWEST_PEOPLE, MOST_PEOPLE_DRAWN = 10.0, 1e9
"""Ends of the axis of people."""
LEAST_END = 1e4
"""Where an axis of people ends at the least."""
CURVES_HEIGHT = 340.0
"""Of the frames of the two charts of curves, in pixels."""
PEOPLE_FORMAT = ",.2~r"
"""D3's format of a number of people in a hover."""
THEOREM_DASH, THEOREM_WIDTH = "1px,4px", 1.5
"""Of the lines that theorems draw."""

ROOM_ROWS = 6
"""Lines that a room reads."""


def page_content(query: SampleSizeQuery, measured: SampleSizeMeasurements) -> dict[str, Any]:
    """Compose the page's charts and sentences from what is measured so far."""
    results = measured.results(query)
    share, best = measured.share(query), _best(query, results)
    return {
        "id": view_id(query),
        "stage": measured.stage,
        "complete": share >= 1,
        "share": share,
        "fresh": measured.is_new(query),
        "progress": progress_text(share),
        "lit": best.mechanism.name if best else "",
        "answer": text.answer(query, best),
        "under": text.theorems_summary(query, _theorem_ratios(query.case, results)),
        "charts": [
            _people_chart(query, results),
            _by_epsilon_chart(query, measured, results),
            _by_aim_chart(query, measured, results),
        ],
        "footer": text.footer(query),
        "settings": text.settings(query),
    }


def view_id(query: SampleSizeQuery) -> str:
    """Return a text that is the same for the same question."""
    settings = [getattr(query, f.name) for f in fields(query) if f.name != "data"]
    return f"{query.data.identity if query.data else ''} {settings}"


def is_ranked(query: SampleSizeQuery, result: MechanismResult) -> bool:
    """Tell whether a mechanism keeps the budget."""
    return result.guarantee is not None and result.guarantee.meets(query.mechanism_budget)


def room_results(query: SampleSizeQuery, results: list[MechanismResult]) -> list[MechanismResult]:
    """Return the mechanisms that a room reads: those that need the fewest people."""
    known = [r for r in results if r.needed.n is not None and is_ranked(query, r)]
    return sorted(known, key=_people_needed)[:ROOM_ROWS]


def _people_needed(result: MechanismResult) -> float:
    return result.needed.n or np.inf


def _best(query: SampleSizeQuery, results: list[MechanismResult]) -> MechanismResult | None:
    """Fewest people, of the mechanisms that trust a curator and keep the budget."""
    known = [r for r in results if r.needed.n is not None and is_ranked(query, r)]
    known = [r for r in known if r.guarantee and r.guarantee.notion is not Notion.LOCAL]
    return min(known, key=_people_needed) if known else None


def _theorem_ratios(case: Case | None, results: list[MechanismResult]) -> list[tuple[str, float]]:
    """People that theorems ask for over those measured, for theorems with a name."""
    if case is None:
        return []
    return [
        (theorem.name, asked / result.needed.n)
        for result in results
        for theorem in THEOREMS.get(result.mechanism.key, ())
        if theorem.name and result.needed.n and (asked := theorem.people(case))
    ]


def theorem_marks(case: Case, mechanism: Mechanism) -> list[RowMark]:
    """Return what theorems say of a mechanism: how many are enough, or too few."""
    return [
        RowMark(theorem.kind, people, theorem.label)
        for theorem in THEOREMS.get(mechanism.key, ())
        if (people := theorem.people(case)) is not None
    ]


def people_axis(title: str = "", most: float = MOST_PEOPLE_DRAWN) -> Axis:
    """Return the axis of people, up to the power of ten that reaches a number of them."""
    high = 10 ** np.ceil(np.log10(np.clip(most, LEAST_END, MOST_PEOPLE_DRAWN)))
    return Axis(
        FEWEST_PEOPLE,
        float(high),
        log=True,
        title=title,
        tick_format="~s",
        hover_format=PEOPLE_FORMAT,
    )


def _people_chart(query: SampleSizeQuery, results: list[MechanismResult]) -> dict[str, Any]:
    case = query.case
    ranked = sorted((r for r in results if is_ranked(query, r)), key=_people_needed)
    apart = sorted((r for r in results if not is_ranked(query, r)), key=_people_needed)
    rows = [_mechanism_row(case, r, apart=False) for r in ranked]
    if case is not None:
        rows.append(_any_pure_row(case))
    rows += [_mechanism_row(case, r, apart=True) for r in apart]
    rules = []
    if query.data:
        people = float(query.data.people)
        rules.append(Rule(people, text.data_size(people)))
    return {
        "key": "people",
        "wide": True,
        "figure": rows_figure(
            people_axis(escape(query.unit, quote=False)), rows, rules, view_id(query)
        ),
        **text.people_labels(query),
    }


def _mechanism_row(case: Case | None, result: MechanismResult, *, apart: bool) -> Row:
    needed, guarantee, note = result.needed, result.guarantee, result.note
    marks = theorem_marks(case, result.mechanism) if case else []
    if needed.n is not None:
        words = text.people_text(needed.n)
        marks.append(RowMark("measured", needed.n, words, needed.low, needed.high))
        if needed.n > MOST_PEOPLE_DRAWN:
            note = text.beyond_axis(needed.n)
    return Row(
        name=result.mechanism.name,
        color=family_role(result.mechanism.family),
        marks=marks,
        label=text.guarantee_label(guarantee),
        alarming=guarantee is not None and guarantee.standing is Standing.REFUTED,
        note=note,
        apart=apart,
    )


def _any_pure_row(case: Case) -> Row:
    """The lower bound of Theorem 8 on all pure mechanisms, as proved and as printed."""
    bounds = (
        (pure_too_few(case), text.PURE_BOUND),
        (pure_too_few(case, printed=True), text.PURE_BOUND_PRINTED),
    )
    marks = [RowMark("few", n, label) for n, label in bounds if n is not None]
    return Row(
        name=text.ANY_PURE_MECHANISM,
        color=family_role(Family.BASELINE),
        marks=marks,
        note="" if marks else text.no_pure_bound(case),
    )


def _by_epsilon_chart(
    query: SampleSizeQuery, measured: SampleSizeMeasurements, results: list[MechanismResult]
) -> dict[str, Any]:
    epsilons, case = EPSILON_CHOICES, query.case
    curves = [
        _measured_curve(r.mechanism, measured.by_epsilon(query, r.mechanism, epsilons))
        for r in results
        if r.needed.n is not None
    ]
    cases = []
    if case is not None:
        mechanism_share = case.epsilon / query.epsilon
        cases = [replace(case, epsilon=epsilon * mechanism_share) for epsilon in epsilons]
    x = Axis(0.01, 10, log=True, title=text.EPSILON_AXIS)
    return {
        "key": "people-epsilon",
        "figure": _curves_figure(query, x, np.array(epsilons), curves, cases, query.epsilon),
        "room": [result.mechanism.name for result in room_results(query, results)],
        **text.by_epsilon_labels(query),
    }


def _by_aim_chart(
    query: SampleSizeQuery, measured: SampleSizeMeasurements, results: list[MechanismResult]
) -> dict[str, Any]:
    kind = AimKind(query.kind)
    levels = tuple(sorted(LEVEL_STOPS[kind], reverse=kind is not AimKind.SINE))
    losses = np.array(levels if kind is AimKind.SINE else [1 - level for level in levels])
    curves = [
        _measured_curve(r.mechanism, measured.by_aim(query, r.mechanism, levels))
        for r in results
        if r.needed.n is not None
    ]
    case, rhos = query.case, [replace(query, level=level).rho for level in levels]
    cases = []
    if case is not None and all(rhos):
        cases = [replace(case, rho=rho or 0.0) for rho in rhos]
    selected = query.level if kind is AimKind.SINE else 1 - query.level
    low, high = losses.min() / 1.01, losses.max() * 1.01
    x = Axis(float(low), float(high), log=True, title=text.LOSSES[kind])
    return {
        "key": "people-aim",
        "figure": _curves_figure(query, x, losses, curves, cases, selected),
        **text.by_aim_labels(query),
    }


def _curves_figure(
    query: SampleSizeQuery,
    x_axis: Axis,
    x: Array,
    curves: list[Curve],
    cases: list[Case],
    selected: float,
) -> Spec:
    """Return measured curves, and what theorems say in these cases (none, or one for each x)."""
    symbol = "ε" if x_axis.title == text.EPSILON_AXIS else x_axis.title
    areas = []
    if cases:
        too_few = _people([pure_too_few(case) for case in cases])
        curves = [*curves, *_theorem_curves(cases), _pure_curve(too_few)]
        areas = [Area(too_few)]
    known = [curve for curve in curves if np.isfinite(curve.y).any()]
    most = max((float(np.nanmax(curve.y)) for curve in known), default=LEAST_END)
    return chart(
        x_axis,
        people_axis(most=most),
        x,
        known,
        rules=[Rule(selected)],
        areas=[area for area in areas if np.isfinite(area.y).any()],
        height=CURVES_HEIGHT,
        revision=f"{view_id(query)} {x_axis.title}",
        hover=text.curve_hover(escape(query.unit, quote=False), symbol),
    )


def _measured_curve(mechanism: Mechanism, people: list[float]) -> Curve:
    """Return what was measured of a mechanism; its name lights its row."""
    return Curve(
        key=mechanism.name,
        name=mechanism.name,
        y=np.array(people, dtype=np.float64),
        color=family_role(mechanism.family),
        dash=dash(mechanism),
        width=width(mechanism),
    )


def _theorem_curves(cases: list[Case]) -> list[Curve]:
    """Return the people that named theorems ask for."""
    return [
        Curve(
            key=theorem.name,
            name=theorem.name,
            y=_people([theorem.people(case) for case in cases]),
            color=family_role(MECHANISMS[key].family),
            dash=THEOREM_DASH,
            width=THEOREM_WIDTH,
        )
        for key, stated in THEOREMS.items()
        for theorem in stated
        if theorem.name
    ]


def _pure_curve(too_few: Array) -> Curve:
    """Return the people that are too few for any pure mechanism."""
    role = family_role(Family.BASELINE)
    return Curve("pure", text.PURE_LINE, too_few, role, THEOREM_DASH, THEOREM_WIDTH)


def _people(numbers: list[float | None]) -> Array:
    return np.array([np.nan if n is None else n for n in numbers], dtype=np.float64)
