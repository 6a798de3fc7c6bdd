"""What the Sample size page shows: people needed, measured and proved."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape

import numpy as np

from dpca_core.figures.chart import Axis, Curve, Line, Spec, chart
from dpca_core.figures.colours import dash, family_role, width
from dpca_core.figures.rows import Mark, Row, rows_chart
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Family, Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Standing
from dpca_core.theorems import THEOREMS, Case, pure_too_few
from ui.page.content import Chart, Content
from ui.sample_size import text
from ui.sample_size.measurements import MechanismResult, SampleSizeMeasurements
from ui.sample_size.query import EPSILON_CHOICES, LEVEL_STOPS, AimKind, SampleSizeQuery
from ui.text.words import progress_text

FEWEST_PEOPLE, MOST_PEOPLE_DRAWN = 10.0, 1e9
"""Ends of the axis of people."""
LEAST_END = 1e4
"""Where an axis of people ends at the least."""
MOST_LINES = 5
"""Mechanisms with a line each, beside the one that is chosen."""
CURVES_HEIGHT = 340.0
"""Of the frames of the two charts of curves, in pixels."""
AIM_TICKS = {True: (0.03, 0.1, 0.3, 0.9), False: (0.001, 0.01, 0.1, 0.5)}
"""Of the axis of the aim: of ‖sin Θ‖, and of what may be lost of a share."""
THEOREM_DASH = "1px,4px"
"""Of the lines that theorems draw."""


def page_content(
    query: SampleSizeQuery, measured: SampleSizeMeasurements, chosen: str = ""
) -> Content:
    """Compose the page's charts and sentences from what is measured so far.

    Parameters
    ----------
    chosen
        Name of the mechanism that is set apart; "" for none.
    """
    results, share = measured.results(query), measured.share(query)
    known = [result for result in results if result.needed.n is not None]
    ranked = [result for result in known if result.ranked]
    best = next((result for result in ranked if result.trusts_a_curator), None)
    drawn = ranked[:MOST_LINES]
    drawn += [each for each in known if each.mechanism.name == chosen and each not in drawn]
    mechanisms = [result.mechanism for result in drawn]
    by_epsilon = _by_epsilon(query, measured, mechanisms, chosen)
    by_aim = _by_aim(query, measured, mechanisms, chosen)
    return Content(
        id=f"{query.id} {chosen}",
        charts=[
            Chart(
                "people",
                _people_rows(query, results, chosen),
                *text.people_labels(query),
                place="wide",
            ),
            Chart("people-epsilon", by_epsilon, *text.by_epsilon_labels(query)),
            Chart("people-aim", by_aim, *text.by_aim_labels(query)),
        ],
        says={
            "answer": text.answer(query, best),
            "under": text.theorems_summary(query, _theorem_ratios(query.case, results)),
            "footer": text.footer(query),
        },
        share=share,
        complete=share >= 1,
        progress=progress_text(share),
        stage=measured.stage,
        settings=text.settings(query),
    )


def _theorem_ratios(
    case: Case | None, results: Sequence[MechanismResult]
) -> list[tuple[str, float]]:
    """People that theorems ask for over those measured, for theorems with a name."""
    if case is None:
        return []
    return [
        (theorem.name, asked / result.needed.n)
        for result in results
        for theorem in THEOREMS.get(result.mechanism.key, ())
        if theorem.name and result.needed.n and (asked := theorem.people(case))
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
        hover_format=",.2~r",
    )


# ---- A row for each mechanism ----


def _people_rows(query: SampleSizeQuery, results: list[MechanismResult], chosen: str) -> Spec:
    case = query.case
    rows = [_mechanism_row(case, result, chosen) for result in results]
    if case is not None:
        rows.insert(sum(result.ranked for result in results), _any_pure_row(case))
    lines = []
    if query.data:
        people = float(query.data.people)
        lines.append(Line(people, text.data_size(people), "accent", width=1.4))
    return rows_chart(people_axis(escape(query.unit, quote=False)), rows, lines, query.id)


def _mechanism_row(case: Case | None, result: MechanismResult, chosen: str) -> Row:
    needed, guarantee, note = result.needed, result.guarantee, result.note
    marks = theorem_marks(case, result.mechanism) if case else []
    if (n := needed.n) is not None:
        marks.append(
            Mark(
                n,
                text.people_text(n),
                what="measured",
                bold=True,
                trail="interval",
                low=needed.low,
                high=needed.high,
            )
        )
        note = text.beyond_axis(n) if n > MOST_PEOPLE_DRAWN else note
    return Row(
        result.mechanism.name,
        family_role(result.mechanism.family),
        marks,
        label=text.guarantee_label(guarantee),
        alarming=guarantee is not None and guarantee.standing is Standing.REFUTED,
        note=note,
        apart=not result.ranked,
        chosen=result.mechanism.name == chosen,
    )


def theorem_marks(case: Case, mechanism: Mechanism) -> list[Mark]:
    """Return what theorems say of a mechanism: how many are enough, or too few."""
    stated = [(each, each.people(case)) for each in THEOREMS.get(mechanism.key, ())]
    least = min((n for each, n in stated if n and each.kind == "enough"), default=None)
    return [
        _theorem_mark(each.kind, people, each.label, trailed=people == least)
        for each, people in stated
        if people is not None
    ]


def _theorem_mark(kind: str, people: float, label: str, *, trailed: bool = True) -> Mark:
    what = f"{kind}: {label}"
    if kind == "few":
        return Mark(people, label, "stroke", what, trail="hatched", high=people)
    if kind == "enough" and trailed:
        return Mark(people, label, "stroke", what, trail="dashes", low=people)
    return Mark(people, label, "diamond" if kind == "order" else "stroke", what)


def _any_pure_row(case: Case) -> Row:
    """The lower bound of Theorem 8 on all pure mechanisms, as proved and as printed."""
    bounds = (
        (pure_too_few(case), text.PURE_BOUND),
        (pure_too_few(case, printed=True), text.PURE_BOUND_PRINTED),
    )
    marks = [_theorem_mark("few", n, label) for n, label in bounds if n is not None]
    note = "" if marks else text.no_pure_bound(case)
    return Row(text.ANY_PURE_MECHANISM, family_role(Family.BASELINE), marks, note=note)


# ---- Lines along ε and along the aim ----


def _by_epsilon(
    query: SampleSizeQuery,
    measured: SampleSizeMeasurements,
    mechanisms: Sequence[Mechanism],
    chosen: str,
) -> Spec:
    case, cases = query.case, []
    if case is not None:
        part = case.epsilon / query.epsilon
        cases = [replace(case, epsilon=epsilon * part) for epsilon in EPSILON_CHOICES]
    lines = [
        _measured(mechanism, measured.by_epsilon(query, mechanism), chosen)
        for mechanism in mechanisms
    ]
    axis = Axis(0.01, 10, log=True, title=text.EPSILON_AXIS)
    x = np.array(EPSILON_CHOICES)
    return _curves_chart(query, axis, x, [*lines, *_proved(cases)], cases, query.epsilon)


def _by_aim(
    query: SampleSizeQuery,
    measured: SampleSizeMeasurements,
    mechanisms: Sequence[Mechanism],
    chosen: str,
) -> Spec:
    kind, case = AimKind(query.kind), query.case
    sine = kind is AimKind.SINE
    levels = tuple(sorted(LEVEL_STOPS[kind], reverse=not sine))
    rhos = [replace(query, level=level).rho for level in levels]
    cases = [replace(case, rho=rho) for rho in rhos if rho] if case and all(rhos) else []
    lines = [
        _measured(mechanism, measured.by_aim(query, mechanism, levels), chosen)
        for mechanism in mechanisms
    ]
    x = np.array(levels if sine else [1 - level for level in levels])
    low, high = float(x.min()) / 1.01, float(x.max()) * 1.01
    axis = Axis(low, high, log=True, title=text.LOSSES[kind], ticks=AIM_TICKS[sine])
    here = query.level if sine else 1 - query.level
    return _curves_chart(query, axis, x, [*lines, *_proved(cases)], cases, here)


def _curves_chart(
    query: SampleSizeQuery,
    axis: Axis,
    x: Array,
    curves: Sequence[Curve],
    cases: Sequence[Case],
    selected: float,
) -> Spec:
    """Return curves of people; ``cases`` (none, or one for each x) is what theorems are asked."""
    too_few = _people([pure_too_few(case) for case in cases])
    known = [curve for curve in curves if np.isfinite(curve.y).any()]
    most = max((float(np.nanmax(curve.y)) for curve in known), default=LEAST_END)
    symbol = "ε" if axis.title == text.EPSILON_AXIS else axis.title
    return chart(
        axis,
        people_axis(most=most),
        x,
        known,
        lines=[Line(selected, color="accent", width=1.4, upright=True)],
        hatched_below=too_few if np.isfinite(too_few).any() else None,
        height=CURVES_HEIGHT,
        revision=f"{query.id} {axis.title}",
        hover=f"%{{y}} {escape(query.unit, quote=False)} at {symbol} = %{{x}}",
    )


def _measured(mechanism: Mechanism, people: Sequence[float | None], chosen: str) -> Curve:
    apart = mechanism.name == chosen
    style = family_role(mechanism.family), dash(mechanism), width(mechanism, apart)
    return Curve(mechanism.name, mechanism.name, _people(people), *style, chosen=apart)


def _proved(cases: Sequence[Case]) -> list[Curve]:
    """Return the people that named theorems ask for, and who are too few for any pure mechanism."""
    if not cases:
        return []
    stated = [
        (theorem.name, family_role(MECHANISMS[key].family), theorem.people)
        for key, theorems in THEOREMS.items()
        for theorem in theorems
        if theorem.name
    ]
    stated.append((text.PURE_LINE, family_role(Family.BASELINE), pure_too_few))
    return [
        Curve(name, name, _people([people(case) for case in cases]), role, THEOREM_DASH, 1.5)
        for name, role, people in stated
    ]


def _people(numbers: Sequence[float | None]) -> Array:
    return np.array([np.nan if n is None else n for n in numbers], dtype=np.float64)
