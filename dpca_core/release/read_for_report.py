"""A report's numbers: read off the released tables, like everything that a reader can compute."""

from math import asin, degrees

import numpy as np

from dpca_core.release.drawn import Drawn
from dpca_core.release.matrix_reading import MatrixReading
from dpca_core.release.means_reading import MeansReading
from dpca_core.release.plan import Plan
from dpca_core.release.preview import preview
from dpca_core.release.report_reading import MeanRow, ReportReading
from dpca_core.release.scores_reading import ScoresReading


def reading_of(plan: Plan, drawn: Drawn) -> ReportReading:
    """Return what a report of a release shows."""
    matrix, k = MatrixReading.of(plan, drawn), plan.k
    spectrum = matrix.spectrum
    counts = None if drawn.counts is None else ScoresReading.of(plan, drawn)
    return ReportReading(
        values=spectrum.values,
        low=spectrum.low,
        high=spectrum.high,
        certain=spectrum.band,
        edge=matrix.noise_edge,
        noise=preview(plan).off_diagonal,
        loadings=matrix.directions(k),
        halves=matrix.loading_errors(k),
        held=matrix.held(k),
        explained=matrix.explained(k),
        turned=_turned(matrix, k),
        means=_means(plan, drawn),
        counts=None if counts is None else counts.counts,
        bin_noise=0.0 if counts is None else counts.noise,
    )


def _turned(matrix: MatrixReading, k: int) -> str:
    """Say how far the directions are turned from the exact ones, as far as that is known."""
    whole = "the direction" if k == 1 else f"what the {k} directions span"
    certain, expected = matrix.angle_certain(k), matrix.angle_expected(k)
    said = []
    if expected is not None:
        said.append(f"On average {whole} is turned by about {_angle(expected)}.")
    if certain is not None and certain < 1:
        said.append(
            f"With 95 % confidence, {whole} is within {_angle(certain)} of the exact one, whatever "
            "the data."
        )
    if not said:
        return (
            f"How far {whole} is turned from the exact one is not certain at this budget: the gap "
            "behind it is not large enough, compared with the noise."
        )
    return " ".join(said)


def _means(plan: Plan, drawn: Drawn) -> tuple[MeanRow, ...] | None:
    """Return the means, in the columns' units; None where they were not published."""
    if drawn.means is None:
        return None
    found = MeansReading.of(plan, drawn)
    rows = zip(found.names, found.values, found.halves, strict=True)
    return tuple(MeanRow(name, float(value), float(half)) for name, value, half in rows)


def _angle(sine: float) -> str:
    """Write an angle by its sine, rounded up."""
    angle = degrees(asin(min(sine, 1.0)))
    unit = 1.0 if angle >= 10 else 0.1
    return f"{float(np.ceil(angle / unit) * unit):.2g}°"
