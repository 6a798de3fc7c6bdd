"""What Compare recommends by public settings alone, and what its measurements say to that."""

from collections.abc import Sequence

import numpy as np

from dpca_core.analysis.order_statistics import better, no_better_than_chance
from dpca_core.analysis.recommendation import Recommendation, recommended_mechanism
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.text.privacy_numbers import epsilon_text
from ui.compare.measurements import MeasuredLine
from ui.compare.query import CompareQuery
from ui.compare.text import CompareText
from ui.text.certainty import releases_each
from ui.text.numbers import count, significant

FROM_PUBLIC = "At ε\u00a0=\u00a0{epsilon}, by columns, k and δ alone, without a look at the data:"
MAY_DIFFER = "On a given table another mechanism may keep more: that depends on its data."
BY_RULE = "which the rule of thumb names for {people}"
LEAST_POINTS = 0.1
"""Percentage points that are written as a number."""


def recommendation(data: Dataset, query: CompareQuery) -> str:
    """Say what keeps most by public settings alone, for any number of people.

    It follows from the columns, k, ε, δ and the recipe: neither rows nor their number decide.
    """
    said = FROM_PUBLIC.format(epsilon=epsilon_text(query.epsilon))
    return f"{said} {_recommended(data, query, 1.0).for_any_number} {MAY_DIFFER}"


def not_drawn(data: Dataset, query: CompareQuery) -> tuple[Mechanism, ...]:
    """Return the mechanisms that the recommendation names and the page does not draw."""
    named = _recommended(data, query, 1.0).may_keep_most
    return tuple(m for m in named if m not in query.mechanisms)


def add_label(mechanisms: Sequence[Mechanism]) -> str:
    """Label the button that draws them."""
    return f"Draw {' and '.join(m.name for m in mechanisms)}"


def measured_sentence(text: CompareText, index: int) -> str:
    """Say what the measurements at a point show of what is recommended for so many people.

    A difference only beyond sampling error. Not private, unlike the recommendation. "" until all
    is measured, and where what is recommended is not drawn, not ranked or releases nothing.
    """
    comparison = text.comparison
    data, query = comparison.dataset, comparison.query.with_axis_value(comparison.values[index])
    named = _recommended(data, query, query.n).keeps_most
    known = [
        m for m in comparison.lines if m.ranked[index] and np.isfinite(m.median_captured(index))
    ]
    own = next((line for line in known if line.mechanism == named), None)
    others = [line for line in known if line is not own]
    if own is None or not others or not comparison.complete:
        return ""
    chance = text.chances[index].captured
    if all(no_better_than_chance(line.releases(index), chance) for line in known):
        return ""
    basis = releases_each(query.trials, query.trials)
    who = f"{named.name}, {BY_RULE.format(people=f'{count(query.n)} {data.unit.many}')}"
    verdict = _verdict(own, others, index, who)
    return f"Measured here at {text.value_labels[index]} ({basis}), {verdict}."


def _verdict(own: MeasuredLine, others: Sequence[MeasuredLine], index: int, who: str) -> str:
    """Compare what is recommended with every other mechanism beyond sampling error."""
    mine, median = own.releases(index), own.median_captured(index)
    best = max(others, key=lambda line: line.median_captured(index))
    ahead = best.median_captured(index) - median
    above = [o for o in others if better(o.releases(index), mine, among=len(others))]
    if above:
        best = max(above, key=lambda line: line.median_captured(index))
        points = 100 * (best.median_captured(index) - median)
        much = f"about {significant(points)}"
        if points < LEAST_POINTS:
            much = f"less than {LEAST_POINTS:g}"
        more = f"{best.mechanism.name} keeps {much} percentage points more"
        return f"it is otherwise: {more} than {who}"
    if all(better(mine, o.releases(index), among=len(others)) for o in others):
        return f"it is so: {who}, keeps the most of those ranked here"
    shown = f"none of those ranked here is shown to keep more than {who}"
    if ahead <= 0:
        return shown
    return f"{shown}; the median of {best.mechanism.name} is higher, but within sampling error"


def _recommended(data: Dataset, query: CompareQuery, people: float) -> Recommendation:
    return recommended_mechanism(
        people,
        data.d,
        data.mechanism_budget(query.budget),
        k=query.k,
        rows_per_person=data.rows_per_person,
        rows_read_again=data.summed is None,
    )
