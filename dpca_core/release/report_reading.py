"""What a report shows of a release: numbers read off the released tables and public settings."""

from dataclasses import dataclass

from dpca_core.linalg.arrays import Array
from dpca_core.release.matrix_reading import Interval


@dataclass(frozen=True, eq=False)
class MeanRow:
    """A released mean of a column, in the column's own unit.

    Attributes
    ----------
    half
        Half-width of its 95 % interval; NaN where it is not shown.
    """

    name: str
    value: float
    half: float


@dataclass(frozen=True, eq=False)
class ReportReading:
    """Everything that is drawn or tabulated.

    Attributes
    ----------
    values, low, high
        Spectrum (d,) in people with its intervals; NaN where there is none.
    certain
        All eigenvalues are right within this at once, in people, with 95 % confidence; NaN where
        that is not known.
    edge
        Largest eigenvalue of noise alone, in people, with 95 % confidence.
    noise
        Standard deviation of an off-diagonal entry of the matrix, in people.
    loadings, halves
        (d, k); half-widths of 95 % intervals are NaN where none is shown.
    held, explained
        What the k directions hold, in people, and as a share of all.
    turned
        Sentence on the angle between released and true directions.
    means
        None where means were not published.
    counts
        (b₁, b₂) of rows, as released; None without a histogram.
    bin_noise
        Standard deviation of a count.
    """

    values: Array
    low: Array
    high: Array
    certain: float
    edge: float
    noise: float
    loadings: Array
    halves: Array
    held: Interval
    explained: Interval | None
    turned: str
    means: tuple[MeanRow, ...] | None = None
    counts: Array | None = None
    bin_noise: float = 0.0
