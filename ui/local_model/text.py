"""Every sentence of the Local model page."""

from math import isnan

from dpca_core.privacy.budget import Guarantee
from dpca_core.problem import Problem
from dpca_core.text.privacy_numbers import epsilon_text, power, upward
from papers.wang_xu_errors import random_distance
from ui.local_model.measurements import (
    CURATOR_KEY,
    LOCAL_KEY,
    PRINTED_KEY,
    SPARSE_KEY,
    WITHOUT_PRIVACY,
)
from ui.local_model.query import LocalModelQuery, RecordSource
from ui.text.numbers import count, significant

SOURCES = {
    RecordSource.DENSE: "Dense design",
    RecordSource.SPARSE: "Sparse design",
    RecordSource.DATA: "Data",
}
LINE_NAMES = {
    WITHOUT_PRIVACY: "without privacy",
    CURATOR_KEY: "with a curator, Gaussian",
    LOCAL_KEY: "local Gaussian",
    PRINTED_KEY: "local, printed noise",
    SPARSE_KEY: "local, sparse",
}
RANDOM_LINE, CEILING_LINE = "random directions", "ceiling √(2k)"
PAPER_FIGURE_HELP = "Sets the size of the data, ε and δ of this figure of Wang & Xu, on all pages."


def error_text(error: float) -> str:
    """Write an error; a dash where it is not measured yet."""
    return "–" if isnan(error) else f"{error:.2f}"


def paper_figure(number: int) -> str:
    """Label the button that sets the values of a figure of the paper."""
    return f"Figure {number}’s values"


def unused_settings(source: RecordSource) -> str:
    """Say which shared settings this page does not use."""
    design = "" if source is RecordSource.DATA else " This design replaces the data set."
    return f"Each report hides its whole record, so there are no neighbours to choose.{design}"


AXIS_TITLES = {
    "n": "{}",
    "epsilon": "privacy parameter ε",
    "columns": "columns used, s",
}
HOVER_TEMPLATES = {
    "n": "%{{x}} {} → %{{y}}",
    "epsilon": "ε = %{{x}} → %{{y}}",
    "columns": "s = %{{x}} → %{{y}}",
}
"""What a hover says behind a line's name: the place and the error, in Plotly's notation."""
_CHART_TITLES = {
    "n": (
        "Error against the number of {}",
        "log₁₀ scale on both axes; an error of order 1/√n falls in a straight line",
    ),
    "epsilon": ("Error against ε", "at this n"),
    "columns": ("Error against the columns used", "s of the sparse design"),
}
SUPPORT_LABELS = {
    "title": "Columns found against the penalty",
    "sub": "precision: share of the selected columns that are used; recall: share of the used "
    "columns that are selected",
}
PAPER_SIZES = "the paper’s n: {low} to {high}"


def answer(query: LocalModelQuery, local: float, central: float) -> str:
    """Compare the error without a curator with that of random directions and of a curator.

    Parameters
    ----------
    local, central
        Errors; NaN while unknown.
    """
    budget = f"[[ε = {epsilon_text(query.epsilon)}]]"
    start = f"Without a trusted curator, {count(query.n)} {query.unit} at {budget}"
    if query.delta == 0:
        return f"{start} have no release: the paper’s algorithms need δ > 0."
    if isnan(local) or isnan(central):
        return f"{start}: measuring…"
    random = random_distance(query.d, query.k)
    error = f"**{significant(local, 3)}**"
    if local > 0.97 * random:
        text = (
            f"{start} are not enough: an error of {error} is no better than **random directions**"
        )
    else:
        text = (
            f"{start} give an error of {error}, compared with {significant(random, 3)} for random "
            "directions"
        )
    return f"{text}; with a curator it is {significant(central, 2)}."


def noise_summary(
    query: LocalModelQuery, problem: Problem, noise: float, central: float, printed: Guarantee
) -> str:
    """Compare the noise with a curator's, and say what the printed noise guarantees.

    Parameters
    ----------
    noise, central
        Per entry of S, in people, without and with a curator.
    """
    return (
        f"The noise in the sum of all reports is **{significant(noise / central)} times** a "
        f"curator’s: {significant(noise, 3)} {query.unit} per entry, against a gap of "
        f"{significant(problem.gap, 3)}. {_printed_noise(query, printed)}"
    )


def _printed_noise(query: LocalModelQuery, printed: Guarantee) -> str:
    """Say what ε the printed noise has; all of it is at what a private mean leaves."""
    calibrated = epsilon_text(query.mechanism_budget.epsilon)
    found = (
        f"The printed noise, calibrated for ε\u00a0=\u00a0{calibrated}, actually has "
        f"ε\u00a0=\u00a0**{upward(printed.epsilon)}**."
    )
    if query.mechanism_budget == query.budget:
        return found
    return (
        f"{found} The private mean spends the rest of the budget and needs a trusted curator, so "
        "the reports of these data carry **no local guarantee**."
    )


def footer(query: LocalModelQuery) -> str:
    """Name the records, the settings and the error."""
    return (
        f"{settings(query)} Error: ‖V̂V̂ᵀ − VVᵀ‖ in the Frobenius norm. The curator has the same ε "
        "and δ for one record replaced."
    )


def settings(query: LocalModelQuery) -> str:
    """Name the records and the settings."""
    fewer = " (1 to 3 of the sparse mechanism)" if query.is_sparse else ""
    return (
        f"{_records(query)}; n\u00a0=\u00a0{count(query.n)}, k\u00a0=\u00a0{query.k}, "
        f"ε\u00a0=\u00a0{epsilon_text(query.epsilon)}, δ\u00a0=\u00a0{power(query.delta)}, between "
        f"any two records; mean of {query.repetitions} releases, as in the paper{fewer}; seed "
        f"{query.seed}."
    )


def _records(query: LocalModelQuery) -> str:
    if query.data:
        name = query.data.name
        return f"{name}, {query.d} columns, errors relative to the directions of these data"
    kind = f"sparse design, {query.columns} of" if query.is_sparse else "dense design,"
    return f"Wang & Xu’s {kind} {query.p} columns, errors relative to the true directions"


def chart_labels(axis: str, unit: str) -> dict[str, str]:
    """Title the chart along an axis."""
    title, subtitle = _CHART_TITLES[axis]
    return {"title": title.format(unit), "sub": subtitle}


def slope_note(slope: float | None, turning_point: float | None) -> str:
    """Say how steeply the local error falls.

    Parameters
    ----------
    slope
        Of ln error over ln n where it falls; None where it does not, or is not known.
    turning_point
        People from which on it falls, where that is beyond the paper's own n.
    """
    if slope is None:
        return "In this range the local error has not begun to fall, or is not measured yet."
    exponent = f"{slope:.2f}".replace("-", "−")
    text = f"Once it falls, the local error falls as n to the power **{exponent}**; theory: −0.50."
    if turning_point is None:
        return text
    return (
        f"{text} Only from about {count(turning_point)} people on is it far below that of random "
        "directions: at the paper’s own n, with the noise that its Algorithm 1 states, they are "
        "as good as random."
    )


def correlation_note(query: LocalModelQuery, value: float) -> str:
    """Write the condition of limited correlation, in the population and in this sample."""
    return (
        "Support recovery is proved under limited correlation: 8s/(λₖ − λₖ₊₁) times the longest "
        "row of Σ between unused and used columns must be below 1. For this design it is 0; for "
        f"the sample of {count(query.n)} it is **{significant(value)}**."
    )


ENTRY = "entry"
"""Head of the column that numbers a picture's entries, row by row."""


def record_labels(query: LocalModelQuery, most_shown: int) -> dict[str, str]:
    """Title the pictures of a record, its report and the average of all reports."""
    part = "" if query.d <= most_shown else f"; the first {most_shown} columns"
    return {
        "title": "What one person sends, and what all reports show together",
        "sub": "each picture has its own scale; orange: positive, violet: negative"
        f"{part}; ε holds for the report of each of the {query.unit}",
    }


def matrix_captions(n: float) -> tuple[str, str, str, str]:
    """Name a record, its report, the average of n reports, and what they estimate."""
    return (
        "one record, x·xᵀ",
        "its report, x·xᵀ + Z",
        f"average of {count(n)} reports",
        "without privacy, S/n",
    )


def with_largest_entry(caption: str, largest: float) -> str:
    """Add the scale of a picture to its caption."""
    return f"{caption}; largest entry {significant(largest)}"


VECTOR_CAPTIONS = (
    "the record x",
    "guessed from its report",
    "first direction of the average",
    "first direction without privacy",
)
