"""What the Sample size page shows: people needed, measured and proved."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape

import numpy as np

from dpca_core.analysis.needed import TRIALS
from dpca_core.figures.chart import Axis, Band, Curve, Line, Spec, chart
from dpca_core.figures.colours import dash, family_role, width
from dpca_core.figures.rows import Mark, Row, rows_chart
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Family, Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Guarantee, Notion, Standing
from dpca_core.theorems import THEOREMS, Case, pure_too_few
from ui.page.content import Chart, Content
from ui.page.words import Words
from ui.sample_size.measurements import (
    MOST_MEASURED_COLUMNS,
    MechanismResult,
    SampleSizeMeasurements,
)
from ui.sample_size.query import LEVEL_STOPS, AimKind, SampleSizeQuery
from ui.text.badges_and_odds import LABELS
from ui.text.certainty import releases_per_point
from ui.text.numbers import rounded_count, upper_first
from ui.text.words import beyond_chart, budget_text, progress_text

say = Words(__file__)
EPSILON_CHOICES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Values of ε for which the people needed are drawn."""
FEWEST_PEOPLE, MOST_PEOPLE_DRAWN = 10.0, 1e9
"""Ends of the axis of people."""
LEAST_END = 1e4
"""Where an axis of people ends at the least."""
MOST_LINES = 5
"""Mechanisms with a line each: those that need the fewest people."""
CURVES_HEIGHT = 340.0
"""Of the frames of the two charts of curves, in pixels."""
AIM_TICKS = {True: (0.03, 0.1, 0.3, 0.9), False: (0.001, 0.01, 0.1, 0.5)}
"""Of the axis of the aim: of ‖sin Θ‖, and of what may be lost of a share."""
THEOREM_DASH = "1px,4px"
"""Of the lines that theorems draw."""
_ANY = family_role(Family.BASELINE)
Lines = Callable[[Sequence[SampleSizeQuery]], list[Curve]]
"""Curves of what is measured, at other settings."""


def page_content(query: SampleSizeQuery, measured: SampleSizeMeasurements) -> Content:
    """Compose the page's charts and sentences from what is measured so far."""
    results, share = measured.results(query), measured.share(query)
    ranked = [result for result in results if result.ranked and result.needed.n is not None]
    # People needed in the local model are no comparison.
    curated = (r for r in ranked if r.guarantee and r.guarantee.notion is not Notion.LOCAL)

    def lines(others: Sequence[SampleSizeQuery]) -> list[Curve]:
        found = []
        for m in (result.mechanism for result in ranked[:MOST_LINES]):
            style = family_role(m.family), dash(m), width(m)
            found.append(Curve(m.name, m.name, measured.elsewhere(query, m, others), *style))
        return found

    units = {"unit": query.unit, "Unit": upper_first(query.unit)}
    beyond, settings = beyond_chart(query.budget.epsilon, EPSILON_CHOICES), settings_text(query)
    note = "" if query.case else say("no_theorem")
    if query.d > MOST_MEASURED_COLUMNS:
        note = say("many_columns", columns=MOST_MEASURED_COLUMNS)
    rows = _people_rows(query, results)
    by_epsilon = say.chart("people-epsilon", **units, beyond=beyond)
    return Content(
        id=query.id,
        charts=[
            Chart("people", rows, **say.chart("people", **units), place="wide"),
            Chart("people-epsilon", _along_epsilon(query, lines), **by_epsilon),
            Chart("people-aim", _along_aim(query, lines), **say.chart("people-aim", **units)),
        ],
        says={
            "answer": answer(query, next(curated, None)),
            "under": note,
            "footer": say("footer", settings=settings, unit=query.unit),
        },
        share=share,
        complete=share >= 1,
        progress=progress_text(share),
        stage=measured.stage,
        settings=settings,
    )


def answer(query: SampleSizeQuery, best: MechanismResult | None) -> str:
    """Say which mechanism needs the fewest people for the aim."""
    aim = say(query.kind, q=query, percent=query.level * 100)
    asked = {"aim": aim, "share": query.share * 100}
    if best is None or best.needed.n is None:
        measurable = query.d <= MOST_MEASURED_COLUMNS
        return say("nothing_yet" if measurable else "only_theorems", **asked)
    so_far, basis = " so far" if best.trials < TRIALS else "", releases_per_point(best.trials)
    return say("answer", **asked, q=query, best=best, so_far=so_far, basis=basis)


def settings_text(query: SampleSizeQuery) -> str:
    """Name the spectrum and the settings."""
    where = say("of_data" if query.data else "spike", q=query)
    budget = budget_text(query.budget, query.data.unit.one if query.data else "person")
    return say("settings", where=where, budget=budget, trials=TRIALS, q=query)


def people_axis(title: str = "", most: float = MOST_PEOPLE_DRAWN) -> Axis:
    """Return the axis of people, up to the power of ten that reaches a number of them."""
    high = float(10 ** np.ceil(np.log10(np.clip(most, LEAST_END, MOST_PEOPLE_DRAWN))))
    return Axis(FEWEST_PEOPLE, high, True, title, tick_format="~s", hover_format=",.2~r")


# ---- A row for each mechanism ----


def _people_rows(query: SampleSizeQuery, results: list[MechanismResult]) -> Spec:
    rows = [_mechanism_row(query.case, result) for result in results]
    if query.case is not None:
        # The lower bound of Theorem 8 on all pure mechanisms, as proved and as printed.
        bounds = (pure_too_few(query.case), pure_too_few(query.case, printed=True))
        stated = zip(bounds, say.each("pure_bounds"), strict=True)
        marks = [_theorem_mark("few", n, label) for n, label in stated if n is not None]
        note = "" if marks else say("no_pure_bound")
        any_pure = Row(say("any_pure"), _ANY, marks, note=note)
        rows.insert(sum(result.ranked for result in results), any_pure)
    lines = []
    if query.data:
        words = say("these_data", people=query.data.people)
        lines.append(Line(float(query.data.people), words, "accent", width=1.4))
    return rows_chart(people_axis(escape(query.unit, quote=False)), rows, lines, query.id)


def _mechanism_row(case: Case | None, result: MechanismResult) -> Row:
    mechanism, needed, note = result.mechanism, result.needed, result.note
    marks = theorem_marks(case, mechanism) if case else []
    if needed.n is not None:
        said, ends = rounded_count(needed.n), (needed.low, needed.high)
        marks.append(Mark(needed.n, said, "dot", "measured", True, "interval", *ends))
        note = f"about {said}" if needed.n > MOST_PEOPLE_DRAWN else note
    return Row(
        mechanism.name,
        family_role(mechanism.family),
        marks,
        label=_guarantee_label(result.guarantee),
        alarming=bool(result.guarantee and result.guarantee.standing is Standing.REFUTED),
        note=note,
        apart=not result.ranked,
    )


def _guarantee_label(guarantee: Guarantee | None) -> str:
    """Say in a few words what is special about a guarantee; nothing where nothing is."""
    if guarantee is None:
        return ""
    proved = guarantee.standing is Standing.PROVED
    label = "" if proved else LABELS[guarantee.standing].lower()
    local = "local model" if guarantee.notion is Notion.LOCAL else ""
    return ", ".join(filter(None, (local, label)))


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


# ---- Lines along ε and along the aim ----


def _along_epsilon(query: SampleSizeQuery, measured: Lines) -> Spec:
    budgets = [replace(query.budget, epsilon=epsilon) for epsilon in EPSILON_CHOICES]
    others = [replace(query, budget=budget) for budget in budgets]
    axis = Axis(0.01, 10, log=True, title=say("epsilon_axis"))
    return _lines_chart(query, measured, axis, EPSILON_CHOICES, others, query.budget.epsilon)


def _along_aim(query: SampleSizeQuery, measured: Lines) -> Spec:
    kind, sine = query.kind, query.kind == AimKind.SINE
    levels = LEVEL_STOPS[kind] if sine else LEVEL_STOPS[kind][::-1]
    *x, selected = (level if sine else 1 - level for level in (*levels, query.level))
    title, ticks = say.table("losses")[kind], AIM_TICKS[sine]
    axis = Axis(min(x) / 1.01, max(x) * 1.01, log=True, title=title, ticks=ticks)
    others = [replace(query, level=level) for level in levels]
    return _lines_chart(query, measured, axis, x, others, selected)


def _lines_chart(
    query: SampleSizeQuery,
    measured: Lines,
    axis: Axis,
    x: Sequence[float],
    others: Sequence[SampleSizeQuery],
    selected: float,
) -> Spec:
    """Return the people that mechanisms need, and that theorems ask for, at other settings."""
    cases = _cases(query, others)
    too_few = _people([pure_too_few(case) for case in cases])
    known = [c for c in [*measured(others), *_proved(cases)] if np.isfinite(c.y).any()]
    most = max((float(np.nanmax(curve.y)) for curve in known), default=LEAST_END)
    bands = [Band(np.full(len(too_few), FEWEST_PEOPLE), too_few, f"{_ANY}/.14")]
    symbol = "ε" if axis.title == say("epsilon_axis") else axis.title
    return chart(
        axis,
        people_axis(most=most),
        np.array(x),
        known,
        lines=[Line(selected, color="accent", width=1.4, upright=True)],
        bands=bands if np.isfinite(too_few).any() else [],
        height=CURVES_HEIGHT,
        revision=f"{query.id} {axis.title}",
        hover=f"%{{y}} {escape(query.unit, quote=False)} at {symbol} = %{{x}}",
    )


def _cases(query: SampleSizeQuery, others: Sequence[SampleSizeQuery]) -> list[Case]:
    """Return what the theorems are asked at each setting; [] where they do not apply to all."""
    if (case := query.case) is None:
        return []
    part = case.epsilon / query.budget.epsilon
    asked = [(other.budget.epsilon * part, other.rho) for other in others]
    cases = [replace(case, epsilon=epsilon, rho=rho) for epsilon, rho in asked if rho]
    return cases if len(cases) == len(others) else []


def _proved(cases: Sequence[Case]) -> list[Curve]:
    """Return the people that named theorems ask for, and who are too few for any pure mechanism."""
    stated = [
        (theorem.name, family_role(MECHANISMS[key].family), theorem.people)
        for key, theorems in THEOREMS.items()
        for theorem in theorems
        if theorem.name
    ]
    stated.append((say("pure_line"), _ANY, pure_too_few))
    return [
        Curve(name, name, _people([people(case) for case in cases]), role, THEOREM_DASH, 1.5)
        for name, role, people in stated
    ]


def _people(numbers: Sequence[float | None]) -> Array:
    return np.array([np.nan if n is None else n for n in numbers], dtype=np.float64)
