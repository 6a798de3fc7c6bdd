"""What the Sample size page draws: people needed, measured and proved."""

from dataclasses import fields, replace
from typing import Any

import numpy as np

from dpca_core.mechanisms.base import Family, Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Notion
from dpca_core.text.privacy_numbers import epsilon_text
from dpca_core.theorems import sample_size_theorems as theorems
from dpca_core.theorems.theorem import BoundKind, Case
from ui.figures.axes import axis, line
from ui.figures.palette import colour
from ui.sample_size import text
from ui.sample_size.measurements import MechanismResult, SampleSizeMeasurements
from ui.sample_size.paper_figures import figure_one, noise_by_columns
from ui.sample_size.query import LEVEL_STOPS, AimKind, SampleSizeQuery
from ui.state.slider_stops import SAMPLE_SIZE_EPSILONS
from ui.text.messages import progress_text
from ui.text.numbers import significant

FEWEST_PEOPLE, MOST_PEOPLE_DRAWN = 10.0, 1e9
"""Ends of the axis of people."""
ROW_PIXELS = 34


def page_content(query: SampleSizeQuery, measured: SampleSizeMeasurements) -> dict[str, Any]:
    """Compose the page's charts and sentences from what is measured so far."""
    results = measured.results(query)
    share, best = measured.share(query), _best(query, results)
    settings = [getattr(query, f.name) for f in fields(query) if f.name != "data"]
    return {
        "id": f"{query.data.identity if query.data else ''} {settings}",
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
            noise_by_columns(query.epsilon, query.delta),
            *figure_one(query.epsilon),
        ],
        "footer": text.footer(query),
    }


def _is_ranked(query: SampleSizeQuery, result: MechanismResult) -> bool:
    return result.guarantee is not None and result.guarantee.meets(query.mechanism_budget)


def _people_needed(result: MechanismResult) -> float:
    return result.needed.n or np.inf


def _best(query: SampleSizeQuery, results: list[MechanismResult]) -> MechanismResult | None:
    """Fewest people, of the mechanisms that trust a curator and keep the budget."""
    known = [r for r in results if r.needed.n is not None and _is_ranked(query, r)]
    known = [r for r in known if r.guarantee and r.guarantee.notion is not Notion.LOCAL]
    return min(known, key=_people_needed) if known else None


def _theorem_ratios(case: Case | None, results: list[MechanismResult]) -> list[tuple[str, float]]:
    """People that theorems ask for over those measured, for theorems with a name."""
    if case is None:
        return []
    return [
        (theorem.name, asked / result.needed.n)
        for result in results
        for theorem in result.mechanism.theorems
        if theorem.name and result.needed.n and (asked := theorem.people(case))
    ]


def theorem_marks(case: Case, mechanism: Mechanism) -> list[dict[str, Any]]:
    """Return what theorems say of a mechanism: how many are enough, or too few."""
    return [
        {"kind": str(theorem.kind), "x": people, "text": theorem.label}
        for theorem in mechanism.theorems
        if (people := theorem.people(case)) is not None
    ]


def _people_chart(query: SampleSizeQuery, results: list[MechanismResult]) -> dict[str, Any]:
    case = query.case
    ranked = sorted((r for r in results if _is_ranked(query, r)), key=_people_needed)
    apart = sorted((r for r in results if not _is_ranked(query, r)), key=_people_needed)
    rows = [_mechanism_row(case, r, apart=False) for r in ranked]
    if case is not None:
        rows.append(_any_pure_row(case))
    rows += [_mechanism_row(case, r, apart=True) for r in apart]
    rules = []
    if query.data:
        people = float(query.data.people)
        rules.append({"x": people, "color": "accent", "text": text.data_size(people)})
    return {
        "key": "people",
        "wide": True,
        "height": ROW_PIXELS * len(rows),
        "rows": rows,
        "rules": rules,
        **text.people_labels(query),
        "legend": [{"kind": kind, "text": words} for kind, words in text.LEGEND.items()],
        "x": axis("n", query.unit, FEWEST_PEOPLE, MOST_PEOPLE_DRAWN),
        "y": axis("", "", 0.1, 1),
        "lines": [],
    }


def _mechanism_row(case: Case | None, result: MechanismResult, *, apart: bool) -> dict[str, Any]:
    needed, note = result.needed, result.note
    marks = theorem_marks(case, result.mechanism) if case else []
    if needed.n is not None:
        mark = {"kind": "measured", "x": needed.n, "low": needed.low, "high": needed.high}
        marks.append({**mark, "text": text.people_text(needed.n)})
        if needed.n > MOST_PEOPLE_DRAWN:
            note = text.beyond_axis(needed.n)
    return {
        "name": result.mechanism.name,
        "label": text.guarantee_label(result.guarantee),
        "apart": apart,
        "note": note,
        "color": colour(result.mechanism.family),
        "marks": marks,
    }


def _any_pure_row(case: Case) -> dict[str, Any]:
    """The lower bound of Theorem 8 on all pure mechanisms, as proved and as printed."""
    bounds = (
        (theorems.pure_too_few(case), text.PURE_BOUND),
        (theorems.pure_too_few(case, printed=True), text.PURE_BOUND_PRINTED),
    )
    marks = [
        {"kind": str(BoundKind.TOO_FEW), "x": n, "text": label}
        for n, label in bounds
        if n is not None
    ]
    return {
        "name": text.ANY_PURE_MECHANISM,
        "label": "",
        "apart": False,
        "note": "" if marks else text.no_pure_bound(case),
        "color": colour(Family.BASELINE),
        "marks": marks,
    }


def _by_epsilon_chart(
    query: SampleSizeQuery, measured: SampleSizeMeasurements, results: list[MechanismResult]
) -> dict[str, Any]:
    epsilons = SAMPLE_SIZE_EPSILONS
    lines = [
        line(
            r.mechanism.name, measured.by_epsilon(query, r.mechanism, epsilons), r.mechanism.family
        )
        for r in results
        if r.needed.n is not None
    ]
    lines, case = _known(lines), query.case
    if case is not None:
        mechanism_share = case.epsilon / query.epsilon
        cases = [replace(case, epsilon=epsilon * mechanism_share) for epsilon in epsilons]
        lines += _theorem_lines(cases)
    return {
        "key": "people-epsilon",
        "height": 300,
        **text.by_epsilon_labels(query),
        "x": axis("ε", "privacy parameter ε", 0.01, 10, values=epsilons, text=epsilon_text),
        "y": axis("", "", FEWEST_PEOPLE, MOST_PEOPLE_DRAWN),
        "lines": lines,
        "rules": [{"x": query.epsilon, "color": "accent", "text": ""}],
    }


def _by_aim_chart(
    query: SampleSizeQuery, measured: SampleSizeMeasurements, results: list[MechanismResult]
) -> dict[str, Any]:
    kind = AimKind(query.kind)
    levels = tuple(sorted(LEVEL_STOPS[kind]))
    losses = levels if kind is AimKind.SINE else tuple(1 - level for level in levels)
    lines = [
        line(r.mechanism.name, measured.by_aim(query, r.mechanism, levels), r.mechanism.family)
        for r in results
        if r.needed.n is not None
    ]
    case, rhos = query.case, [replace(query, level=level).rho for level in levels]
    if case is not None and all(rhos):
        lines += _theorem_lines([replace(case, rho=rho or 0.0) for rho in rhos])
    selected = query.level if kind is AimKind.SINE else 1 - query.level
    low, high = min(losses) / 1.01, max(losses) * 1.01
    return {
        "key": "people-aim",
        "height": 300,
        **text.by_aim_labels(query),
        "x": axis("loss", text.LOSSES[kind], low, high, values=losses, text=significant),
        "y": axis("", "", FEWEST_PEOPLE, MOST_PEOPLE_DRAWN),
        "lines": lines,
        "rules": [{"x": selected, "color": "accent", "text": ""}],
    }


def _theorem_lines(cases: list[Case]) -> list[dict[str, Any]]:
    """Return the people that named theorems ask for, and those too few for a pure mechanism."""
    lines = [
        line(
            theorem.name,
            [theorem.people(case) or np.nan for case in cases],
            mechanism.family,
            dash="7 4",
        )
        for mechanism in MECHANISMS.values()
        for theorem in mechanism.theorems
        if theorem.name
    ]
    too_few = [theorems.pure_too_few(case) or np.nan for case in cases]
    lines.append(line(text.PURE_LINE, too_few, Family.BASELINE, area="below"))
    return _known(lines)


def _known(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines of which any point is known."""
    return [each for each in lines if any(value is not None for value in each["y"])]
