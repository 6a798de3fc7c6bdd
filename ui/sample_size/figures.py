"""What the Sample size page shows: people needed, measured and proved."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape

import numpy as np

from dpca_core.figures.chart import Axis, Band, Curve, Line, Spec, chart
from dpca_core.figures.colours import dash, family_role, width
from dpca_core.figures.rows import Mark, Row, rows_chart
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Family, Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Notion, Standing
from dpca_core.theorems import THEOREMS, Case, pure_too_few
from ui.page.content import Chart, Content
from ui.sample_size import text
from ui.sample_size.measurements import MechanismResult, SampleSizeMeasurements
from ui.sample_size.query import EPSILON_CHOICES, LEVEL_STOPS, AimKind, SampleSizeQuery
from ui.text.numbers import count
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
_ANY = family_role(Family.BASELINE)


def page_content(
    query: SampleSizeQuery, measured: SampleSizeMeasurements, chosen: str = ""
) -> Content:
    """Compose the page's charts and sentences from what is measured so far.

    ``chosen``: name of the mechanism that is set apart.
    """
    results, share = measured.results(query), measured.share(query)
    known = [result for result in results if result.needed.n is not None]
    ranked = [result for result in known if result.ranked]
    # People needed in the local model are no comparison.
    curated = (r for r in ranked if r.guarantee and r.guarantee.notion is not Notion.LOCAL)
    drawn = ranked[:MOST_LINES]
    drawn += [each for each in known if each.mechanism.name == chosen and each not in drawn]
    mechanisms = [result.mechanism for result in drawn]
    rows = _people_rows(query, results, chosen)
    by_epsilon = _by_epsilon(query, measured, mechanisms, chosen)
    by_aim = _by_aim(query, measured, mechanisms, chosen)
    (title, legend), (aim, at_aim) = text.PEOPLE_LABELS, text.AIM_LABELS
    return Content(
        id=f"{query.id} {chosen}",
        charts=[
            Chart("people", rows, title.format(query.unit), legend, place="wide"),
            Chart("people-epsilon", by_epsilon, *text.by_epsilon_labels(query)),
            Chart("people-aim", by_aim, aim.format(query.unit.capitalize()), at_aim),
        ],
        says={
            "answer": text.answer(query, next(curated, None)),
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
    return [
        (theorem.name, asked / result.needed.n)
        for result in results
        for theorem in THEOREMS.get(result.mechanism.key, ())
        if case and theorem.name and result.needed.n and (asked := theorem.people(case))
    ]


def people_axis(title: str = "", most: float = MOST_PEOPLE_DRAWN) -> Axis:
    """Return the axis of people, up to the power of ten that reaches a number of them."""
    high = float(10 ** np.ceil(np.log10(np.clip(most, LEAST_END, MOST_PEOPLE_DRAWN))))
    return Axis(FEWEST_PEOPLE, high, True, title, tick_format="~s", hover_format=",.2~r")


# ---- A row for each mechanism ----


def _people_rows(query: SampleSizeQuery, results: list[MechanismResult], chosen: str) -> Spec:
    rows = [_mechanism_row(query.case, result, chosen) for result in results]
    if query.case is not None:
        rows.insert(sum(result.ranked for result in results), _any_pure_row(query.case))
    lines = []
    if query.data:
        people = float(query.data.people)
        lines.append(Line(people, text.DATA_SIZE.format(count(people)), "accent", width=1.4))
    return rows_chart(people_axis(escape(query.unit, quote=False)), rows, lines, query.id)


def _mechanism_row(case: Case | None, result: MechanismResult, chosen: str) -> Row:
    mechanism, needed, note = result.mechanism, result.needed, result.note
    marks = theorem_marks(case, mechanism) if case else []
    if needed.n is not None:
        said, ends = text.people_text(needed.n), (needed.low, needed.high)
        marks.append(Mark(needed.n, said, "dot", "measured", True, "interval", *ends))
        note = f"about {said}" if needed.n > MOST_PEOPLE_DRAWN else note
    return Row(
        mechanism.name,
        family_role(mechanism.family),
        marks,
        label=text.guarantee_label(result.guarantee),
        alarming=bool(result.guarantee and result.guarantee.standing is Standing.REFUTED),
        note=note,
        apart=not result.ranked,
        chosen=mechanism.name == chosen,
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
        return Mark(people, label, "stroke", what, trail="few", high=people)
    if kind == "enough" and trailed:
        return Mark(people, label, "stroke", what, trail="dashes", low=people)
    return Mark(people, label, "diamond" if kind == "order" else "stroke", what)


def _any_pure_row(case: Case) -> Row:
    """The lower bound of Theorem 8 on all pure mechanisms, as proved and as printed."""
    bounds = {
        text.PURE_BOUND: pure_too_few(case),
        text.PURE_BOUND_PRINTED: pure_too_few(case, printed=True),
    }
    marks = [_theorem_mark("few", n, label) for label, n in bounds.items() if n is not None]
    return Row(text.ANY_PURE_MECHANISM, _ANY, marks, note="" if marks else text.no_pure_bound(case))


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
    lines = [_measured(m, measured.by_epsilon(query, m), chosen) for m in mechanisms]
    axis = Axis(0.01, 10, log=True, title=text.EPSILON_AXIS)
    return _curves_chart(query, axis, np.array(EPSILON_CHOICES), lines, cases, query.epsilon)


def _by_aim(
    query: SampleSizeQuery,
    measured: SampleSizeMeasurements,
    mechanisms: Sequence[Mechanism],
    chosen: str,
) -> Spec:
    kind, case = AimKind(query.kind), query.case
    sine = kind is AimKind.SINE
    levels = LEVEL_STOPS[kind] if sine else LEVEL_STOPS[kind][::-1]
    rhos = [replace(query, level=level).rho for level in levels]
    cases = [replace(case, rho=rho) for rho in rhos if rho] if case and all(rhos) else []
    lines = [_measured(m, measured.by_aim(query, m, levels), chosen) for m in mechanisms]
    x = np.array(levels if sine else [1 - level for level in levels])
    low, high = float(x.min()) / 1.01, float(x.max()) * 1.01
    axis = Axis(low, high, log=True, title=text.LOSSES[kind], ticks=AIM_TICKS[sine])
    return _curves_chart(query, axis, x, lines, cases, query.level if sine else 1 - query.level)


def _curves_chart(
    query: SampleSizeQuery,
    axis: Axis,
    x: Array,
    measured: Sequence[Curve],
    cases: Sequence[Case],
    selected: float,
) -> Spec:
    """Return curves of people; ``cases`` (none, or one for each x) is what theorems are asked."""
    too_few = _people([pure_too_few(case) for case in cases])
    known = [c for c in [*measured, *_proved(cases)] if np.isfinite(c.y).any()]
    most = max((float(np.nanmax(curve.y)) for curve in known), default=LEAST_END)
    symbol = "ε" if axis.title == text.EPSILON_AXIS else axis.title
    return chart(
        axis,
        people_axis(most=most),
        x,
        known,
        lines=[Line(selected, color="accent", width=1.4, upright=True)],
        bands=[Band(np.full(len(too_few), FEWEST_PEOPLE), too_few, f"{_ANY}/.14")]
        if np.isfinite(too_few).any()
        else [],
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
    stated = [
        (theorem.name, family_role(MECHANISMS[key].family), theorem.people)
        for key, theorems in THEOREMS.items()
        for theorem in theorems
        if theorem.name
    ]
    stated.append((text.PURE_LINE, _ANY, pure_too_few))
    return [
        Curve(name, name, _people([people(case) for case in cases]), role, THEOREM_DASH, 1.5)
        for name, role, people in stated
    ]


def _people(numbers: Sequence[float | None]) -> Array:
    return np.array([np.nan if n is None else n for n in numbers], dtype=np.float64)
