"""The charts of a report, each with the table that stands in for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor, log10

import numpy as np

from dpca_core.figures.layout import Spec
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.release import report_figures as figures
from dpca_core.release.other_epsilons import other_epsilons
from dpca_core.release.plan import Plan
from dpca_core.release.report_reading import ReportReading
from dpca_core.text.privacy_numbers import epsilon_text

VALUES_LISTED, BINS_LISTED = 12, 15
"""Rows of the tables of eigenvalues and of bins."""
_NONE = "–"


@dataclass(frozen=True)
class Chart:
    """A figure, its name for a screen reader, and its table.

    Attributes
    ----------
    note
        Stands below the table.
    """

    figure: Spec
    name: str
    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""


def spectrum(plan: Plan, reading: ReportReading) -> Chart:
    """Return the spectrum with its intervals."""
    rows = [
        (str(i + 1), _whole(value), _between(low, high))
        for i, (value, low, high) in enumerate(
            zip(reading.values, reading.low, reading.high, strict=True)
        )
    ]
    note = f"In people. Noise alone reaches up to about {_whole(reading.edge)}."
    if np.isfinite(reading.certain):
        note += (
            f" All eigenvalues of the noisy matrix are right within {_whole(reading.certain)} at "
            "once, with 95 % confidence."
        )
    if plan.noise is not ExactNoise.GAUSSIAN:
        note += " Intervals of single eigenvalues are not available for this noise."
    if len(rows) > VALUES_LISTED:
        note += f" The other {len(rows) - VALUES_LISTED} are in spectrum.csv."
    figure = figures.spectrum_figure(
        reading.values, reading.low, reading.high, reading.edge, plan.k
    )
    heads = ("direction", "people", "95 % interval")
    return Chart(figure, "The spectrum with its intervals", heads, rows[:VALUES_LISTED], note)


def loadings(plan: Plan, reading: ReportReading, i: int) -> Chart:
    """Return the largest loadings of direction i, counted from 0."""
    vector, halves = reading.loadings[:, i], reading.halves[:, i]
    order = figures.largest(vector)
    rows = [(plan.columns[j], _signed(vector[j]), _half(halves[j])) for j in order]
    notes = []
    if len(vector) > len(order):
        notes.append(f"The largest {len(order)} of {len(vector)}: all are in directions.csv.")
    if plan.noise is not ExactNoise.GAUSSIAN:
        notes.append("Intervals of single loadings are not available for this noise.")
    elif not np.isfinite(halves).any():
        notes.append(
            "Without intervals: at this budget the direction can’t be told from its neighbours."
        )
    figure = figures.loadings_figure(vector, halves, plan.columns, order)
    name = f"Loadings of direction {i + 1}"
    return Chart(figure, name, ("column", "loading", "95 %, ±"), rows, " ".join(notes))


def scores(plan: Plan, reading: ReportReading) -> Chart:
    """Return the histogram of the first two scores."""
    assert plan.scores is not None
    assert reading.counts is not None
    counts, reach = reading.counts, float(plan.scores.reach)
    across, up = counts.shape
    first = np.linspace(-reach, reach, across + 1)
    second = np.linspace(-reach, reach, up + 1)
    order = np.argsort(-counts, axis=None, kind="stable")[:BINS_LISTED]
    rows = []
    for place in order.tolist():
        i, j = divmod(place, up)
        ends = (_ends(edges[place : place + 2]) for edges, place in ((first, i), (second, j)))
        rows.append((*ends, _whole(max(float(counts[i, j]), 0.0))))
    note = (
        f"The {len(rows)} fullest of {across * up} bins; each count is noisy, with a standard "
        f"deviation of {reading.bin_noise:.3g} rows. Bins below twice that are drawn hollow. All "
        "are in scores.csv, as they were drawn."
    )
    figure = figures.scores_figure(counts, reach, reading.bin_noise)
    heads = ("score 1", "score 2", "rows")
    return Chart(figure, "Counts of the first two scores", heads, rows, note)


def other(plan: Plan, reading: ReportReading) -> Chart | None:
    """Return what other ε would have meant; None where the gap is too small to say."""
    found = other_epsilons(plan, reading.values, reading.noise)
    if not found.known:
        return None
    spent = float(plan.epsilon)
    rows = [
        (
            f"{epsilon_text(e)}{' (spent)' if e == spent else ''}",
            "more than 20°" if angle is None else f"{angle:.2g}°",
        )
        for e, angle in found.rows
    ]
    figure = figures.other_epsilons_figure(found.epsilons, found.degrees, spent, found.round_values)
    return Chart(figure, "Expected angle against ε", ("ε", "expected angle"), rows)


def mean_rows(reading: ReportReading, units: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return the rows of the table of means; none where they were not published.

    Parameters
    ----------
    units
        Of the columns that have one, by name.
    """
    return [
        (
            f"{row.name} ({units[row.name]})" if row.name in units else row.name,
            *_with_half(row.value, row.half),
        )
        for row in reading.means or ()
    ]


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


def _whole(value: float) -> str:
    text = f"{value:,.0f}" if abs(value) >= 10 else f"{value:.2g}"
    return text.replace("-", "−")


def _ends(edges: Array) -> str:
    low, high = (f"{edge:.2f}".replace("-", "−") for edge in edges)
    return f"{low} to {high}"


def _between(low: float, high: float) -> str:
    return f"{_whole(low)} to {_whole(high)}" if np.isfinite([low, high]).all() else _NONE


def _with_half(value: float, half: float) -> tuple[str, str]:
    """Write a mean and its half-width with the decimals at which the latter has two digits."""
    if not np.isfinite([value, half]).all():
        return "not shown", _NONE
    decimals = min(9, max(0, 1 - floor(log10(half)))) if half > 0 else 9
    return f"{value:.{decimals}f}".replace("-", "−"), f"{half:.{decimals}f}"


def _half(value: float) -> str:
    return f"{value:#.2g}" if np.isfinite(value) else _NONE
